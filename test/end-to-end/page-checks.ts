// What every page of ours must hold, as bodies of functions that run in the page.

/** By how much the page is wider than its window. */
export const WIDER = `for (const one of document.querySelectorAll("details")) one.open = true;
      const frame = document.documentElement; return frame.scrollWidth - frame.clientWidth;`;

/** What has too little contrast. */
export const CONTRAST = `
      const light = (css) => { const [r, g, b] = css.match(/[\\d.]+/g).map(Number).map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
      const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
      const ground = (node) => { for (let at = node; at; at = at.parentElement) { const c = getComputedStyle(at).backgroundColor; if (!/, 0\\)|transparent/.test(c)) return c; } return "rgb(255,255,255)"; };
      for (const one of document.querySelectorAll("details")) one.open = true;
      const bad = [];
      for (const one of document.querySelectorAll("h1, h2, h3, p, dt, dd, .where, .severity, .tag, code, mark, nav a, th, td, .l i, .l b, .c, .s, .n, .k, figcaption, .esc, .dl i, .dl .sign, .state, .label, summary, li")) {
        if (one.textContent.trim() === "" || one.closest("[aria-hidden]")) continue;
        const value = ratio(getComputedStyle(one).color, ground(one));
        if (value < 4.5 && !one.matches(".l b")) bad.push((one.className || one.tagName) + " " + value.toFixed(2));
      }
      return [...new Set(bad)].join(", ");`;

/** How many things cannot be reached with the keyboard, or have no name. */
export const KEYBOARD = `
      const bad = [];
      for (const one of document.querySelectorAll("pre")) if (one.tabIndex !== 0) bad.push("pre");
      for (const one of document.querySelectorAll("button, a, summary, input")) {
        const name = one.textContent.trim() || one.getAttribute("aria-label") || (one.labels && one.labels[0] && one.labels[0].textContent.trim());
        if (!name || one.tabIndex < 0) bad.push(one.outerHTML.slice(0, 60));
      }
      return bad.length;`;
