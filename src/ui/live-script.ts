// The live page's script: listens to the campaign, draws what it says, and asks for findings and tests in portions. Kept as text, since it
// belongs to the page and not to us. Everything that comes from a program under test becomes text by `seen` and
// textContent; the one exception is a finding's body, which the server has made with the report's own escaping.

import { COPY_SCRIPT } from "../report/html/script.js";
import { LIVE_DRAWING } from "./live-drawing.js";

export const LIVE_SCRIPT = `(() => {
  "use strict";
  document.documentElement.classList.add("js");
  const byId = (id) => document.getElementById(id);
  ${COPY_SCRIPT}
  ${LIVE_DRAWING}

  let last = null;
  let receivedAt = 0;
  let shownCampaign = "";
  let shownCount = -1;
  let wasRunning = false;

  const NAMES = { complete: "everything was done", time: "the time is up", aborted: "stopped", failed: "it could not be done" };
  const headline = ({ live, isRunning, command, problem }) => {
    if (isRunning) return "Running: " + live.technique;
    if (command !== null) return "tangent " + command + " is at work";
    if (live === null) return problem === null ? "No campaign yet" : "Nothing to show";
    if (live.state === "running") return "Ended without a word";
    return "Ended: " + (NAMES[live.reason] ?? live.reason);
  };
  const lead = ({ live, isRunning, command, problem }) => {
    if (problem !== null) return problem;
    if (isRunning) return live.doing + (live.at === "" ? "" : ": " + live.at);
    if (command !== null) return "No search goes on at this moment: it builds, records the tests, or writes reports.";
    if (live === null) return "Start one in the project: tangent test --ui, or tangent test beside this page.";
    if (live.state === "running") return "The process is gone. What it had found until then is kept.";
    return "The report has everything that was found.";
  };

  const clock = () => {
    const live = last && last.live;
    if (!live) return;
    const ms = live.elapsedMs + (last.isRunning ? performance.now() - receivedAt : 0);
    put("f-time", duration(ms));
    put("n-time", live.budgetMs === null ? "time" : "of " + duration(live.budgetMs));
    const part = live.budgetMs ? Math.min(100, (ms * 100) / live.budgetMs) : last.isRunning ? 0 : 100;
    byId("time-bar").style.width = part.toFixed(2) + "%";
    for (const one of byId("working").querySelectorAll("[data-since]")) {
      put(one, "for " + duration(ms - Number(one.dataset.since)));
    }
  };

  const draw = (event) => {
    const isFirst = last === null;
    last = event;
    receivedAt = performance.now();
    const { live, isRunning, command, isStopping } = event;
    if (isFirst) findings.restart();
    put("headline", headline(event));
    put("doing", lead(event));
    byId("stop").disabled = !isRunning || isStopping;
    put("stop", isStopping ? "Stopping…" : "Stop");
    const goesOn = live !== null && !isRunning && command === null && live.reason !== "complete";
    byId("go-on").classList.toggle("away", !goesOn);
    document.title = (live === null ? "" : live.findings + (live.findings === 1 ? " finding · " : " findings · ")) + "Tangent";
    if (live === null) return;
    put("go-on-command", "tangent " + (["patch", "compose"].includes(live.technique) ? live.technique : "amplify"));
    put("f-tests", thousands(live.looked));
    put("n-tests", "of " + thousands(live.tests) + (live.tests === 1 ? " test" : " tests"));
    put("f-checks", live.checks === null ? "–" : thousands(live.checks));
    put("f-paths", thousands(live.paths));
    put("f-findings", thousands(live.findings));
    put("f-blocks", thousands(live.blocks));
    drawPrograms(live);
    drawTimeline(live);
    drawWork(live, isRunning);
    drawLimits(live, event.why);
    clock();
    const isOther = live.campaign !== shownCampaign;
    if (isOther || isRunning !== wasRunning) loadHistory();
    if (isOther && !isFirst) findings.restart();
    else if (!isFirst && (live.findings !== shownCount || isRunning !== wasRunning)) findings.refresh();
    if (!isOther && live.findings > shownCount) put("news", thousands(live.findings) + " findings");
    shownCampaign = live.campaign;
    shownCount = live.findings;
    wasRunning = isRunning;
  };

  const ask = async (path) => {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };

  /* A list that is loaded in portions; refresh looks for what is new at its beginning. */
  const portions = ({ path, list, field, more, count, row, noun }) => {
    let next = null;
    let words = "";
    let turn = 0;
    const known = new Set();
    const add = (items, atTop) => {
      const fresh = items.filter((item) => !known.has(item.id));
      for (const item of fresh) known.add(item.id);
      const rows = fresh.map(row);
      if (atTop) list.prepend(...rows);
      else list.append(...rows);
      return fresh.length;
    };
    const fetched = (offset) => ask(path + "?offset=" + offset + (words === "" ? "" : "&q=" + encodeURIComponent(words)));
    const told = ({ count: fitting, total }) => {
      more.classList.toggle("away", next === null);
      const all = thousands(total) + " " + noun + (total === 1 ? "" : "s");
      put(count, fitting === null || fitting === total ? all : thousands(fitting) + " of " + all);
    };
    /* What is done with an answer that came too late, for other words, is nothing. */
    const inTurn = async (work) => {
      const mine = turn;
      try {
        await work(() => mine === turn);
      } catch (error) {
        put(count, error.message.slice(0, 200));
      }
    };
    /* Where not all can be looked through at once, the server is asked again until there is something to see. */
    const load = (offset) => inTurn(async (isMine) => {
      for (let at = offset, left = 100; ; at = next) {
        const answer = await fetched(at);
        if (!isMine()) return;
        left -= add(answer.items, false);
        next = answer.next;
        told(answer);
        if (answer.count !== null || next === null || left <= 0) return;
        put(count, "looked through " + thousands(next) + " of " + thousands(answer.total) + " " + noun + "s…");
      }
    });
    const restart = () => {
      turn++;
      known.clear();
      list.replaceChildren();
      next = null;
      return load(0);
    };
    let timer = 0;
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => { words = field.value.trim(); restart(); }, 150);
    });
    more.addEventListener("click", () => { if (next !== null) load(next); });
    /* Up to what is there already. So many that this takes long are begun anew. */
    const refresh = () => inTurn(async (isMine) => {
      const items = [];
      let answer;
      for (let offset = 0; ; offset = answer.next) {
        answer = await fetched(offset);
        if (!isMine()) return;
        items.push(...answer.items);
        if (answer.next === null || answer.items.some((item) => known.has(item.id))) break;
        if (known.size === 0 || items.length > 1000) { restart(); return; }
      }
      const fresh = add(items, true);
      if (next !== null) next += fresh;
      told(answer);
    });
    return { restart, refresh };
  };

  const openFinding = async (details, id) => {
    if (details.dataset.loaded) return;
    details.dataset.loaded = "yes";
    const place = make("p", "quiet loading", "Loading…");
    details.append(place);
    try {
      const { html } = await ask("/finding/" + encodeURIComponent(id));
      const holder = document.createElement("template");
      holder.innerHTML = html;
      const body = holder.content.querySelector(".body");
      place.replaceWith(body);
      for (const block of body.querySelectorAll("[data-copy]")) addCopy(block);
    } catch (error) {
      put(place, "It could not be loaded: " + error.message.slice(0, 200));
      delete details.dataset.loaded;
    }
  };
  const findings = portions({
    path: "/findings", list: byId("finding-list"), field: byId("find"), more: byId("more-findings"), count: byId("finding-count"), noun: "finding",
    row: (item) => {
      const details = make("details", "finding");
      details.dataset.id = item.id;
      const severity = ["critical", "high", "medium", "low"].includes(item.severity) ? item.severity : "";
      const head = make("span", "headline");
      head.append(make("h3", "", item.title), make("span", "where", item.where));
      const tags = make("span", "tags");
      if (item.isKnown) tags.append(make("span", "tag", "known"));
      tags.append(make("span", "tag", item.program.split("/").pop()), make("span", "tag", "after " + duration(item.foundMs)));
      const summary = make("summary");
      summary.append(make("span", "severity " + severity, item.severity), head, tags);
      details.append(summary);
      details.addEventListener("toggle", () => { if (details.open) openFinding(details, item.id); });
      return details;
    },
  });

  const seedDetails = async (row, id) => {
    const open = row.nextElementSibling;
    if (open && open.classList.contains("seed-details")) { open.remove(); return; }
    const cell = make("td");
    cell.colSpan = 5;
    const added = make("tr", "seed-details");
    added.append(cell);
    row.after(added);
    try {
      const seed = await ask("/seed/" + encodeURIComponent(id));
      const list = make("dl", "reasons");
      const fact = (name, words) => { const one = make("div"); one.append(make("dt", "", name), make("dd", "", words)); list.append(one); };
      fact("Where it runs", seed.workingDirectory);
      fact("Reads", seed.names.length === 0 ? "no files" : seed.names.join(", "));
      if (seed.looked === null) fact("The last campaign", "has no results of it");
      else if (seed.looked.skipped !== null) fact("The last campaign", "left it out: " + seed.looked.skipped);
      else fact("The last campaign", "distance " + seed.looked.distance + ", " + thousands(seed.looked.checks) + " checks, " + thousands(seed.looked.paths) + " paths" + (seed.looked.why.length === 0 ? "" : "; not all was checked: " + seed.looked.why.join("; ")));
      fact("To look at it alone", "tangent amplify " + seed.id);
      cell.append(list);
    } catch (error) {
      cell.append(make("p", "quiet", error.message.slice(0, 200)));
    }
  };
  const seeds = portions({
    path: "/seeds", list: byId("seed-rows"), field: byId("find-seed"), more: byId("more-seeds"), count: byId("seed-count"), noun: "test",
    row: (item) => {
      const row = make("tr");
      const first = make("td");
      const button = make("button", "linked", item.command);
      button.type = "button";
      button.addEventListener("click", () => seedDetails(row, item.id));
      first.append(button, make("span", "quiet", item.id));
      row.append(first, make("td", "", item.program.split("/").pop()), make("td", "", item.end), numberCell("files", thousands(item.files)), numberCell("times", thousands(item.times)));
      return row;
    },
  });

  const loadHistory = async () => {
    try {
      drawHistory(await ask("/history"));
    } catch { /* The next campaign asks again. */ }
  };

  byId("stop").addEventListener("click", async () => {
    byId("stop").disabled = true;
    try {
      const answer = await fetch("/stop", { method: "POST" });
      const text = await answer.text();
      put("stop-answer", answer.ok ? JSON.parse(text).message : text.trim());
    } catch {
      put("stop-answer", "the server does not answer");
    }
  });

  const help = byId("help");
  byId("help-close").addEventListener("click", () => help.close());
  byId("help-open").addEventListener("click", () => help.showModal());
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === "Escape" && isTyping) { event.target.blur(); return; }
    if (isTyping || help.open) return;
    const rows = [...byId("finding-list").querySelectorAll(":scope > details > summary")];
    const at = rows.indexOf(document.activeElement);
    if (event.key === "j" || event.key === "k") {
      const to = rows[Math.min(rows.length - 1, Math.max(0, at === -1 ? 0 : at + (event.key === "j" ? 1 : -1)))];
      if (to) { to.focus({ preventScroll: true }); to.scrollIntoView({ block: "nearest" }); }
    } else if (event.key === "/") byId("find").focus();
    else if (event.key === "?") help.showModal();
    else return;
    event.preventDefault();
  });

  setInterval(clock, 1000);
  const source = new EventSource("/events");
  source.addEventListener("live", (event) => { byId("lost").classList.add("away"); draw(JSON.parse(event.data)); });
  source.addEventListener("error", () => { byId("lost").classList.remove("away"); });
  source.addEventListener("gone", () => {
    source.close();
    last = last && { ...last, isRunning: false };
    put("lost", "tangent has ended, and this page with it; what it shows is the last that it knew.");
    byId("lost").classList.remove("away");
    byId("stop").disabled = true;
  });
  /* A hundred thousand names take a moment, and most readers never come there. */
  new IntersectionObserver((entries, observer) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    seeds.restart();
  }, { rootMargin: "300px" }).observe(byId("tests"));
  loadHistory();
})();
`;
