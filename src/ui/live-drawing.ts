// How the live page draws what a campaign says: the half of its script that only makes elements (live-script.ts is the other). Rows that are
// there already are changed in place, so that nothing jumps under the reader's eye.

export const LIVE_DRAWING = `
  /* Characters that hide or turn text are shown as what they are. */
  const seen = (text) => String(text).replace(/[\\p{Cc}\\p{Cf}\\p{Cs}\\u2028\\u2029]/gu, (char) => "\\u2039U+" + char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "\\u203a");
  const put = (place, text) => {
    const element = typeof place === "string" ? byId(place) : place;
    const words = seen(text);
    if (element.textContent !== words) element.textContent = words;
  };
  const make = (tag, className = "", text = "") => {
    const element = document.createElement(tag);
    if (className !== "") element.className = className;
    if (text !== "") element.textContent = seen(text);
    return element;
  };
  const drawn = (tag, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const thousands = (value) => value.toLocaleString("en-US").replaceAll(",", "\\u202f");
  const duration = (ms) => {
    const seconds = Math.max(0, Math.round(ms / 1000));
    if (seconds < 60) return seconds + " s";
    const minutes = Math.floor(seconds / 60);
    return minutes < 60 ? minutes + " min" + (seconds % 60 === 0 ? "" : " " + (seconds % 60) + " s") : Math.floor(minutes / 60) + " h " + (minutes % 60) + " min";
  };
  const numberCell = (label, text) => {
    const cell = make("td", "number", text);
    cell.dataset.label = label;
    return cell;
  };

  const programRow = () => {
    const row = make("tr");
    const bar = make("div", "bar");
    bar.append(make("span", "tests"));
    const name = make("td");
    name.append(make("span", "name"), bar);
    row.append(name, ...["looked at", "items", "checks", "findings"].map((label) => numberCell(label, "")));
    return row;
  };
  const drawPrograms = ({ programs, morePrograms }) => {
    const body = byId("program-rows");
    while (body.rows.length > programs.length) body.deleteRow(-1);
    while (body.rows.length < programs.length) body.append(programRow());
    for (const [index, { name, tests, looked, items, checks, findings }] of programs.entries()) {
      const { cells } = body.rows[index];
      put(cells[0].firstChild, name);
      cells[0].querySelector(".tests").style.width = (tests === 0 ? 0 : Math.min(100, (looked * 100) / tests)).toFixed(1) + "%";
      put(cells[1], thousands(looked) + " of " + thousands(tests));
      put(cells[2], thousands(items));
      put(cells[3], checks === null ? "\\u2013" : thousands(checks));
      put(cells[4], thousands(findings));
    }
    put("more-programs", morePrograms === 0 ? "" : "and " + thousands(morePrograms) + " more");
  };

  const steps = (points, width, height, top, end, value) => {
    let path = "M0 " + height;
    let level = height;
    for (const point of points) {
      const x = Math.min(width, (point.ms * width) / end).toFixed(1);
      path += " L" + x + " " + level.toFixed(1);
      level = height - (value(point) * height) / top;
      path += " L" + x + " " + level.toFixed(1);
    }
    return path + " L" + width + " " + level.toFixed(1);
  };
  const drawTimeline = ({ timeline, elapsedMs, blocks, findings }) => {
    const end = Math.max(1, elapsedMs);
    const top = Math.max(1, blocks, ...timeline.map((point) => point.blocks)) * 1.08;
    const most = Math.max(1, findings) * 1.08;
    const curve = steps(timeline, 1000, 200, top, end, (point) => point.blocks);
    byId("curve").setAttribute("d", curve);
    byId("area").setAttribute("d", curve + " L1000 200 Z");
    byId("found-curve").setAttribute("d", steps(timeline, 1000, 200, most, end, (point) => point.findings));
    put("timeline-words", "After " + duration(elapsedMs) + ": " + thousands(blocks) + " blocks of code reached, " + thousands(findings) + (findings === 1 ? " finding." : " findings."));
    for (const [index, tick] of [...byId("ticks").children].entries()) put(tick, duration((end * index) / 4));
  };

  const drawWork = ({ working, jobs }, isRunning) => {
    put("jobs", isRunning ? jobs + (jobs === 1 ? " thread" : " threads") : "No thread is at work.");
    const rows = isRunning ? working : [];
    const body = byId("working");
    while (body.children.length > rows.length) body.lastChild.remove();
    while (body.children.length < rows.length) {
      const one = make("li");
      one.append(make("span", "name"), make("code"), make("span", "quiet since"));
      body.append(one);
    }
    for (const [index, { label, program, sinceMs }] of rows.entries()) {
      const [name, code, since] = body.children[index].children;
      put(name, program.split("/").pop());
      put(code, label);
      since.dataset.since = String(sinceMs);
    }
  };

  const drawLimits = ({ notExplored, notes, noteCount }, why) => {
    const entries = Object.entries(notExplored).sort((a, b) => b[1] - a[1]);
    byId("reasons").replaceChildren(...entries.map(([reason, count]) => {
      const one = make("div");
      const name = make("dt");
      name.append(make("span", "count", thousands(count)), " " + seen(reason));
      one.append(name, make("dd", "", why[reason] ?? ""));
      return one;
    }));
    byId("no-reasons").hidden = entries.length > 0;
    put("note-count", noteCount === 0 ? "" : noteCount > notes.length ? "The last " + notes.length + " of " + thousands(noteCount) + " notes" : "Notes");
    byId("notes").replaceChildren(...[...notes].reverse().map((text) => make("li", "", text)));
  };

  const drawHistory = (entries) => {
    byId("no-history").hidden = entries.length > 0;
    byId("has-history").hidden = entries.length === 0;
    const some = entries.slice(-60);
    const most = Math.max(1, ...some.map(({ fresh, known }) => fresh + known));
    const width = 1000 / Math.max(12, some.length);
    const bars = some.flatMap(({ fresh, known }, index) => {
      const high = (count) => (count * 190) / most;
      const x = (index * width + width * 0.15).toFixed(1);
      const wide = (width * 0.7).toFixed(1);
      return [
        drawn("rect", { class: "known", x, width: wide, y: (200 - high(known)).toFixed(1), height: high(known).toFixed(1) }),
        drawn("rect", { class: "fresh", x, width: wide, y: (200 - high(known) - high(fresh)).toFixed(1), height: high(fresh).toFixed(1) }),
      ];
    });
    byId("bars").replaceChildren(...bars);
    const covered = ({ lines, byTests, added }) => (lines === 0 ? 0 : (byTests + added) / lines);
    const spots = some.map((entry, index) => ((index + 0.5) * width).toFixed(1) + " " + (200 - covered(entry) * 190).toFixed(1));
    byId("trend").setAttribute("d", spots.length === 0 ? "" : "M" + spots.join(" L"));
    const rows = entries.slice(-20).reverse().map((entry) => {
      const row = make("tr");
      row.append(
        make("td", "", entry.at.slice(0, 16).replace("T", " at ")), make("td", "", entry.technique), make("td", "", NAMES[entry.reason]),
        numberCell("tests", thousands(entry.tests)), numberCell("checks", entry.checks === null ? "\\u2013" : thousands(entry.checks)),
        numberCell("new", thousands(entry.fresh)), numberCell("known", thousands(entry.known)),
        numberCell("lines", (covered(entry) * 100).toFixed(1) + " %"), numberCell("time", duration(entry.durationMs)),
      );
      return row;
    });
    byId("history-rows").replaceChildren(...rows);
    put("history-words", entries.length + (entries.length === 1 ? " campaign" : " campaigns") + ". Bars: findings, new ones on top of known ones. Line: the part of the lines that is covered.");
  };
`;
