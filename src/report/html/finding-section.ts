// One finding in the page: what happened, where, next to which object, and what in the input makes it happen.

import type { ReadSource } from "../../project/sources.js";
import type { ResultFinding, ResultFrame } from "../campaign-result.js";
import { literalChanges } from "../changed-source.js";
import {
  accessSize,
  asSentence,
  behindInWords,
  CONFIRMED_WORDS,
  changedInputs,
  changeInWords,
  commandSegments,
  commandsOf,
  counted,
  distanceInWords,
  distanceName,
  failsUnchanged,
  movesInWords,
  objectInWords,
  offsetInWords,
  placeOf,
  readsStdin,
  type Segment,
  type ShownPath,
  SINCE_WORDS,
  savedName,
  seconds,
  shownCell,
  testIdOf,
  variablesInFront,
  whereOf,
} from "../finding-view.js";
import { type Cell, type DiffView, HEX_ROW, hexRows, type InputDifference, textRows } from "../input-diff.js";
import { highlightLines } from "./highlight.js";
import { type Html, html } from "./markup.js";
import { tabStyle } from "./tab-style.js";

export interface FindingContext {
  readonly shown: ShownPath;
  readonly readSource: ReadSource;
  readonly open: boolean;
  /** Whether the page lists the tests. */
  readonly hasTests: boolean;
}

const LINES_BEFORE = 6;
const LINES_AFTER = 4;
const FRAME_LIMIT = 60;

export function findingSection(finding: ResultFinding, context: FindingContext): Html {
  const { shown } = context;
  const changed = changedInputs(finding, shown);
  const words = [finding.id, finding.kind, finding.title, finding.severity, whereOf(finding, shown), finding.message];
  return html`
<details class="finding" id="f-${finding.id}" data-severity="${finding.severity}" data-words="${words.join(" ").toLowerCase().slice(0, 1000)}"${context.open ? html` open` : null}>
<summary>
<span class="severity ${severityClass(finding)}">${finding.severity}</span>
<span class="headline"><h3>${finding.title}</h3><span class="where">${whereOf(finding, shown)}</span></span>
<span class="tags">${finding.suppressed === undefined ? null : html`<span class="tag">suppressed</span>`}${finding.known === true ? html`<span class="tag">known</span>` : null}${finding.since === undefined ? null : html`<span class="tag">${SINCE_WORDS[finding.since]}</span>`}<span class="tag" title="${distanceInWords(finding)}">${distanceName(finding.distance)}</span></span>
</summary>
<div class="body">
<div class="story">
<p class="message">${asSentence(finding.message)}</p>
<p class="quiet">${finding.sentence}</p>
${finding.suppressed === undefined ? null : html`<p>Suppressed by tangent.toml: ${finding.suppressed}</p>`}
${behindNote(finding)}
${sourceExcerpt(finding.location, context)}
${objectPicture(finding)}
<h4>What breaks it</h4>
${commands(finding, changed)}
${changed.filter((one) => !isInCommand(one)).map(difference)}
<h4>Where it was</h4>
${stackList("stack", finding.stack, shown)}
${finding.object !== null && finding.object.free.length > 0 ? html`<h4>Freed at</h4>${stackList("free", finding.object.free, shown)}` : null}
${finding.object !== null && finding.object.allocation.length > 0 ? html`<h4>Allocated at</h4>${stackList("allocation", finding.object.allocation, shown)}` : null}
</div>
<aside aria-label="Facts about this finding">
${facts(finding, context)}
<h4>Look further</h4>
${copyBlock("the command that runs it again", `tangent replay ${finding.id}`)}
${copyBlock("the command that explains it", `tangent explain ${finding.id}`)}
${copyBlock("the command that saves a reproducer", `tangent show ${finding.id} --save ${savedName(finding)}`)}
</aside>
</div>
</details>`;
}

function behindNote(finding: ResultFinding): Html | null {
  const words = behindInWords(finding);
  return words === null ? null : html`<p class="quiet">It lies ${words}.</p>`;
}

/** A short argument is seen in the command itself, with its changed bytes marked. */
function isInCommand({ name, seed, witness }: InputDifference): boolean {
  return name.startsWith("arg") && Math.max(seed.length, witness.length) <= 200;
}

export function severityClass({ severity }: ResultFinding): string {
  return ["critical", "high", "medium", "low"].includes(severity) ? severity : "low";
}

function facts(finding: ResultFinding, { shown, hasTests }: FindingContext): Html {
  const object = objectInWords(finding, shown);
  const rows: [string, Html][] = [
    ["Kind", html`${finding.kind}, <abbr title="Common Weakness Enumeration">CWE</abbr>-${finding.cwe}`],
  ];
  if (object !== null) rows.push(["Object", html`${object}`]);
  if (finding.object !== null && finding.object.size > 0) {
    rows.push(["Access", html`${offsetInWords(finding.object.offset, finding.object.size, accessSize(finding))}`]);
  }
  rows.push(
    finding.distance < 0
      ? ["Found by", html`composition: ${distanceInWords(finding)}`]
      : ["Distance", html`${finding.distance}, ${distanceInWords(finding)}`],
    ["Depth", html`${counted(finding.depth, "condition")} on the input before it (branches, and checks that hold)`],
    ["Found after", html`${seconds(finding.foundMs)}`],
    ["Confirmed", html`${CONFIRMED_WORDS[finding.confirmed]}`],
    [
      "Test",
      hasTests
        ? html`<a href="#s-${testIdOf(finding)}"><code>${testIdOf(finding)}</code></a>`
        : html`<code>${testIdOf(finding)}</code>`,
    ],
    ["Id", html`<a href="#f-${finding.id}"><code>${finding.id}</code></a>`],
  );
  return html`<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function sourceExcerpt(location: ResultFrame | null, { shown, readSource }: FindingContext): Html | null {
  if (location === null || location.file === null || location.line < 1) return null;
  const source = readSource(location.file);
  if (source === null) return null;
  const lines = highlightLines(source);
  if (location.line > lines.length) return null;
  const first = Math.max(1, location.line - LINES_BEFORE);
  const count = source.endsWith("\n") ? lines.length - 1 : lines.length;
  const last = Math.min(count, location.line + LINES_AFTER);
  const rows: Html[] = [];
  for (let line = first; line <= last; line++) {
    const isIt = line === location.line;
    rows.push(html`<span class="l${isIt ? " hit" : ""}"><i>${line}</i>${lines[line - 1]}
</span>`);
    if (isIt && location.column > 0) {
      const before = (source.split("\n")[line - 1] ?? "").slice(0, location.column - 1).replace(/[^\t]/g, " ");
      rows.push(html`<span class="l hit caret" aria-hidden="true"><i></i>${before}<b>▲</b>
</span>`);
    }
  }
  return html`<figure class="source"><figcaption>${placeOf(location, shown)}</figcaption><pre tabindex="0"${tabStyle(readSource, location.file)}><code>${rows}</code></pre></figure>`;
}

/** The object as a bar and the access as a mark beside or on it, to scale unless it is far away. */
function objectPicture(finding: ResultFinding): Html | null {
  const { object } = finding;
  if (object === null || object.size <= 0) return null;
  const { size, offset } = object;
  const whole = accessSize(finding);
  const access = Math.min(whole, 3 * size);
  const room = Math.max(4, Math.ceil(size * 0.25));
  const isFar = offset > size + 3 * room || offset < -3 * room;
  const at = isFar ? (offset < 0 ? -2 * room : size + 2 * room) : offset;
  const low = Math.min(0, at) - room;
  const high = Math.max(size, at + access) + room;
  const percent = (value: number): string => (((value - low) * 100) / (high - low)).toFixed(3);
  const width = (bytes: number): string => ((bytes * 100) / (high - low)).toFixed(3);
  const cells = size <= 64 ? Array.from({ length: size - 1 }, (_, n) => n + 1) : [];
  const words = `The access is ${offsetInWords(offset, size, whole)}.`;
  return html`<figure class="memory" role="img" aria-label="${words}">
<svg width="100%" height="34" aria-hidden="true"><rect class="object" x="${percent(0)}%" y="5" width="${width(size)}%" height="24" rx="2"/>${cells.map((cell) => html`<line class="cell" x1="${percent(cell)}%" x2="${percent(cell)}%" y1="5" y2="29"/>`)}<rect class="access" x="${percent(at)}%" y="1" width="${width(access)}%" height="32" rx="2"/></svg>
<figcaption><span class="key"><span class="swatch object"></span>${object.name ?? "the block"}, ${counted(size, "byte")}</span><span class="key"><span class="swatch access"></span>the access, ${offsetInWords(offset, size, whole)}${isFar ? " (not to scale)" : ""}</span></figcaption></figure>`;
}

function commands(finding: ResultFinding, changed: readonly InputDifference[]): Html {
  const input = readsStdin(finding) ? " < stdin" : "";
  const what = changeInWords(changed);
  const own = commandsOf(finding);
  const witness = commandSegments(own.witness, own.test);
  const seed = commandSegments(own.test, own.witness);
  return html`<p class="quiet">${changeSentence(finding, what)}</p>
<div class="commands">
<div class="command seed"><span class="label">${finding.isMade === true && finding.moved === undefined ? "Made" : "Test"}</span><pre tabindex="0"><code>${segments(seed, "was")}${input}</code></pre></div>
<div class="command witness"><span class="label">Input</span><pre tabindex="0"><code>${variablesInFront(finding)}${segments(witness, "now")}${input}</code></pre></div>
<div class="command" data-copy="a command that saves this input with its files, and fails"><span class="label">Fails</span><pre tabindex="0"><code>${failingCommand(finding)}</code></pre></div>
</div>`;
}

/** With all its files, whatever they are: the page has only those that changed. */
function failingCommand(finding: ResultFinding): string {
  const name = savedName(finding);
  // That is a test's source, which must be compiled.
  if (literalChanges(finding).length > 0) return `tangent replay ${finding.id}`;
  return `tangent show ${finding.id} --save ${name} && sh ${name}/run.sh`;
}

function changeSentence(finding: ResultFinding, what: string | null): string {
  const moves = movesInWords(finding);
  if (moves !== null) return `Made of the test: ${moves}${what === null ? "" : `; then ${what} changed`}.`;
  if (what !== null) return `Compared with the test, ${what} changed.`;
  return `${failsUnchanged(finding)}${finding.isMade === true ? "" : ": no byte of its input had to change"}.`;
}

function segments(parts: readonly Segment[], kind: "was" | "now"): Html[] {
  return parts.map(({ text, changed }) => (changed ? html`<mark class="${kind}">${text}</mark>` : html`${text}`));
}

function difference(one: InputDifference): Html {
  const size =
    one.seed.length === one.witness.length
      ? counted(one.seed.length, "byte")
      : `${one.seed.length} and ${counted(one.witness.length, "byte")}`;
  const hex = diffTable(hexRows(one), "hex");
  const title = html`<span class="label">${one.label}</span> <span class="quiet">${size}, ${one.changedBytes} changed</span>`;
  if (!one.isText) return html`<section class="diff"><h5>${title}</h5>${hex}</section>`;
  return html`<section class="diff"><h5>${title}</h5>${diffTable(textRows(one), "text")}<details class="more"><summary>as bytes</summary>${hex}</details></section>`;
}

function diffTable({ rows, hiddenChanges }: DiffView, kind: "hex" | "text"): Html {
  const longest = Math.max(
    0,
    ...rows.map((row) =>
      row.kind === "gap" ? 0 : row.kind === "same" ? row.cells.length : Math.max(row.seed.length, row.witness.length),
    ),
  );
  const cells = (list: readonly Cell[], mark: "was" | "now" | null): Html =>
    kind === "hex" ? hexCells(list, mark, longest) : textCells(list, mark);
  const line = (sign: string, name: string, offset: number, content: Html): Html =>
    html`<span class="l ${name}"><i>${kind === "hex" ? offset.toString(16).padStart(4, "0") : ""}</i><b>${sign}</b>${content}
</span>`;
  const parts = rows.map((row) => {
    if (row.kind === "gap")
      return html`<span class="l gap"><i></i><b></b>${counted(row.bytes, "byte")} not shown
</span>`;
    if (row.kind === "same") return line(" ", "same", row.offset, cells(row.cells, null));
    const before = row.cutBefore > 0 ? html`<span class="esc">… ${row.cutBefore} …</span>` : null;
    const after = row.cutAfter > 0 ? html`<span class="esc">… ${row.cutAfter} …</span>` : null;
    return [
      line("−", "minus", row.offset, html`${before}${cells(row.seed, "was")}${after}`),
      line("+", "plus", row.offset, html`${before}${cells(row.witness, "now")}${after}`),
    ];
  });
  const hidden =
    hiddenChanges > 0
      ? html`<p class="quiet">${counted(hiddenChanges, "more changed byte")} not shown; <code>tangent replay</code> uses them all.</p>`
      : null;
  return html`<pre class="rows ${kind}" tabindex="0"><code>${parts}</code></pre>${hidden}`;
}

function hexCells(list: readonly Cell[], mark: "was" | "now" | null, longest: number): Html {
  const bytes = list.map((cell, index) => {
    const text = `${cell.byte.toString(16).padStart(2, "0")}`;
    const space = index === HEX_ROW / 2 - 1 ? "  " : " ";
    return html`${marked(text, cell.changed ? mark : null)}${space}`;
  });
  const widthOf = (count: number): number => count * 3 + (count >= HEX_ROW / 2 ? 1 : 0);
  const width = widthOf(longest);
  const used = widthOf(list.length);
  const text = list.map((cell) => {
    const isPlain = cell.byte >= 0x20 && cell.byte < 0x7f;
    return marked(isPlain ? String.fromCharCode(cell.byte) : "·", cell.changed ? mark : null);
  });
  return html`${bytes}${" ".repeat(Math.max(0, width - used))} ${text}`;
}

function textCells(list: readonly Cell[], mark: "was" | "now" | null): Html {
  return html`${list.map((cell) => {
    const { text, isEscape } = shownCell(cell);
    const content = isEscape ? html`<span class="esc">${text}</span>` : html`${text}`;
    return cell.changed && mark !== null ? html`<mark class="${mark}">${content}</mark>` : content;
  })}`;
}

function marked(text: string, mark: "was" | "now" | null): Html {
  return mark === null ? html`${text}` : html`<mark class="${mark}">${text}</mark>`;
}

function stackList(name: string, stack: readonly ResultFrame[], shown: ShownPath): Html {
  const items = stack.slice(0, FRAME_LIMIT).map((frame) => {
    const place = placeOf(frame, shown);
    const own = frame.origin === "program";
    return html`<li${own ? null : html` class="foreign"`}><code>${frame.function}</code>${place === "" ? null : html` <span class="where">${place}</span>`}</li>`;
  });
  const rest =
    stack.length > FRAME_LIMIT ? html`<p class="quiet">${counted(stack.length - FRAME_LIMIT, "more frame")}</p>` : null;
  return html`<ol class="frames ${name}" start="0">${items}</ol>${rest}`;
}

function copyBlock(what: string, text: string): Html {
  return html`<div class="command" data-copy="${what}"><pre tabindex="0"><code>${text}</code></pre></div>`;
}
