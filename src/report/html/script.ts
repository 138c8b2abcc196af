// The page's script: filtering, sorting, copying, and opening what a link points to. The page is complete without it; what
// only works with it is hidden until it has run. Kept as text, since it belongs to the page and not to us.

/** Gives a block with a command or a text a button that copies it; also for the live page. */
export const COPY_SCRIPT = `
  const addCopy = (block) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy " + block.dataset.copy);
    button.addEventListener("click", async () => {
      const text = block.dataset.copyText ?? block.querySelector("code").textContent;
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        const area = document.createElement("textarea");
        area.value = text;
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
      }
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    block.append(button);
  };
`;

export const SCRIPT = `(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  const open = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
    const summary = target.querySelector(":scope > summary");
    if (summary) summary.focus({ preventScroll: true });
  };
  addEventListener("hashchange", open);
  open();

  const findings = all(".finding");
  const search = document.getElementById("find");
  const severities = all("[data-severity-filter]");
  const shown = document.getElementById("shown");
  const filter = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const off = new Set(severities.filter((b) => b.getAttribute("aria-pressed") === "false").map((b) => b.dataset.severityFilter));
    let count = 0;
    for (const one of findings) {
      const fits = !off.has(one.dataset.severity) && words.every((word) => one.dataset.words.includes(word));
      one.hidden = !fits;
      if (fits) count++;
    }
    shown.textContent = count === findings.length ? "" : count + " of " + findings.length + " shown";
  };
  if (search) {
    search.addEventListener("input", filter);
    for (const button of severities) {
      button.addEventListener("click", () => {
        button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") === "false"));
        filter();
      });
    }
  }
  for (const button of all("[data-toggle-all]")) {
    button.addEventListener("click", () => {
      const items = all(button.dataset.toggleAll);
      const anyClosed = items.some((item) => !item.open);
      for (const item of items) item.open = anyClosed;
    });
  }
  for (const field of all("[data-filter-rows]")) {
    const rows = all(field.dataset.filterRows);
    field.addEventListener("input", () => {
      const text = field.value.toLowerCase();
      for (const row of rows) row.hidden = !row.dataset.words.includes(text);
    });
  }

  for (const button of all("th button[data-column]")) {
    button.addEventListener("click", () => {
      const head = button.closest("th");
      const body = button.closest("table").tBodies[0];
      const column = head.cellIndex;
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of all("th", head.parentElement)) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
      const order = new Intl.Collator("en", { numeric: true });
      const rows = [...body.rows].sort((a, b) => order.compare(key(a), key(b)));
      if (!up) rows.reverse();
      body.append(...rows);
    });
  }

  ${COPY_SCRIPT}
  for (const block of all("[data-copy]")) addCopy(block);

  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all(".finding:not([open])");
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of closed) one.open = false; });
})();
`;
