// Coverage by file, with the source: what the tests reached, what only Tangent reached, what nobody did. Sources are embedded so that
// the page stands for itself; a large project's would make it too large to open, so those with the most to see come first
// and the rest are listed without.

import type { ReadSource } from "../../project/sources.js";
import type { ResultFile } from "../campaign-result.js";
import { percentOf } from "../coverage-share.js";
import { counted, type ShownPath } from "../finding-view.js";
import { highlightLines } from "./highlight.js";
import { type Html, html } from "./markup.js";
import { tabStyle } from "./tab-style.js";

/** Lines of source in one page: about 6 MB of it. */
const LINES_EMBEDDED = 40_000;

interface Share {
  readonly tests: number;
  readonly added: number;
  readonly missed: number;
  readonly all: number;
}

export function shareOf(files: readonly ResultFile[]): Share {
  let tests = 0;
  let added = 0;
  let all = 0;
  for (const file of files) {
    tests += file.byTests.length;
    added += file.added.length;
    all += file.lines.length;
  }
  return { tests, added, missed: Math.max(0, all - tests - added), all };
}

export function coverageSection(files: readonly ResultFile[], shown: ShownPath, readSource: ReadSource): Html {
  if (files.length === 0) {
    return html`<p class="quiet">No file has lines that could be counted. Build the programs with <code>-g</code> to see coverage.</p>`;
  }
  const total = shareOf(files);
  const embedded = embeddedSources(files, readSource);
  const rows = files.map((file) =>
    fileRow(file, shown, embedded.get(file.path) ?? null, tabStyle(readSource, file.path)),
  );
  const left = files.filter(({ path }) => !embedded.has(path)).length;
  return html`
<div class="legend" aria-hidden="true"><span class="key"><span class="swatch tests"></span>reached by the tests</span><span class="key"><span class="swatch added"></span>reached only by Tangent</span><span class="key"><span class="swatch missed"></span>reached by nobody</span></div>
<div class="total">${bar(total)}<p>${counted(total.tests, "line")} of ${total.all.toLocaleString("en-US").replaceAll(",", " ")} reached by the tests (${percentOf(total.tests, total.all)}), ${total.added} more by Tangent, ${total.missed} by nobody.</p></div>
${files.length > 8 ? html`<p class="controls"><label>Show files with <input type="search" data-filter-rows=".file" placeholder="part of a name"></label></p>` : null}
<div class="files">${rows}</div>
${left > 0 ? html`<p class="quiet">${counted(left, "file is", "files are")} listed without source: not readable any more, or too much for one page.</p>` : null}`;
}

function embeddedSources(files: readonly ResultFile[], readSource: ReadSource): ReadonlyMap<string, string> {
  const interest = (file: ResultFile): number => file.added.length * 10 + file.byTests.length;
  const embedded = new Map<string, string>();
  let room = LINES_EMBEDDED;
  for (const file of [...files].sort((a, b) => interest(b) - interest(a))) {
    const source = readSource(file.path);
    if (source === null) continue;
    const lines = source.split("\n").length;
    if (lines > room) continue;
    room -= lines;
    embedded.set(file.path, source);
  }
  return embedded;
}

function fileRow(file: ResultFile, shown: ShownPath, source: string | null, tabs: Html | null): Html {
  const share = shareOf([file]);
  const words = shown(file.path).toLowerCase();
  const head = html`<span class="name">${shown(file.path)}</span><span class="numbers"><span>${percentOf(share.tests, share.all)}</span>${share.added > 0 ? html`<span class="plus">+${share.added}</span>` : html`<span></span>`}</span>${bar(share)}`;
  if (source === null) return html`<div class="file plain" data-words="${words}">${head}</div>`;
  return html`<details class="file" data-words="${words}"><summary>${head}</summary><pre class="listing" tabindex="0"${tabs}><code>${listing(file, source)}</code></pre></details>`;
}

function listing(file: ResultFile, source: string): Html[] {
  const state = new Map<number, "t" | "a" | "m">();
  for (const line of file.lines) state.set(line, "m");
  for (const line of file.byTests) state.set(line, "t");
  for (const line of file.added) state.set(line, "a");
  const signs = { t: "✓", a: "+", m: "✗" };
  const lines = highlightLines(source);
  // The newline at the end of a file makes no line.
  const count = source.endsWith("\n") ? lines.length - 1 : lines.length;
  return lines.slice(0, count).map((line, index) => {
    const kind = state.get(index + 1);
    return html`<span class="l${kind === undefined ? "" : ` ${kind}`}"><i>${index + 1}</i><b>${kind === undefined ? " " : signs[kind]}</b>${line}
</span>`;
  });
}

function bar({ tests, added, missed, all }: Share): Html {
  const label = `${percentOf(tests, all)} by the tests, ${percentOf(added, all)} more by Tangent, ${percentOf(missed, all)} by nobody`;
  const width = (part: number): string => (all === 0 ? "0" : ((part * 100) / all).toFixed(2));
  return html`<span class="bar" role="img" aria-label="${label}"><span class="tests" style="width:${width(tests)}%"></span><span class="added" style="width:${width(added)}%"></span></span>`;
}
