// Every function that was to be tested by itself, as a table that can be sorted: those that fail first.

import type { ComposeFunction } from "../../techniques/compose/compose-outcome.js";
import { placeInWords } from "../compose-view.js";
import { percentOf } from "../coverage-share.js";
import { counted, type ShownPath, seconds } from "../finding-view.js";
import { type Html, html } from "./markup.js";

/** A page with more rows is slow to open; results.json has them all. */
const ROW_LIMIT = 3000;
const COLUMNS = ["Function", "Place", "Failures", "Blocks run", "Contexts", "Time"];

export function functionsSection(functions: readonly ComposeFunction[], shown: ShownPath): Html {
  if (functions.length === 0) return html`<p class="quiet">No function was tested.</p>`;
  const order = [...functions].sort((a, b) => b.failures - a.failures || b.milliseconds - a.milliseconds);
  const rows = order.slice(0, ROW_LIMIT).map((one) => row(one, shown));
  const left = order.length - rows.length;
  return html`<p class="quiet">A context is a call in a run of a test, with what the function was really given there.</p>
${functions.length > 8 ? html`<p class="controls"><label>Show functions with <input type="search" data-filter-rows=".functions tbody tr" placeholder="part of a name or file"></label></p>` : null}
<div class="scroll" tabindex="0" role="region" aria-label="Table of functions"><table class="seeds functions">
<thead><tr>${COLUMNS.map((name, index) => html`<th scope="col"${index >= 2 ? html` class="number"` : null}><span class="plain">${name}</span><button type="button" data-column>${name}</button></th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>
${left > 0 ? html`<p class="quiet">${counted(left, "more function")} in results.json.</p>` : null}`;
}

function row(one: ComposeFunction, shown: ShownPath): Html {
  const place = placeInWords(one, shown);
  const number = (label: string, value: number, text: string): Html =>
    html`<td class="number" data-label="${label}" data-value="${value}">${text}</td>`;
  // Whole numbers: they are sorted as text with numbers in it.
  const share = one.blocks === 0 ? 0 : Math.round((one.coveredBlocks * 10_000) / one.blocks);
  return html`<tr data-words="${`${one.name} ${place}`.toLowerCase()}">
<td><code>${one.name}</code>${one.problem === null ? null : html`<span class="skipped">not tested: ${one.problem}</span>`}</td>
<td><span class="where">${place}</span></td>
${number("failures", one.failures, one.failures === 0 ? "" : String(one.failures))}${number("blocks", share, one.blocks === 0 ? "–" : `${one.coveredBlocks} of ${one.blocks} (${percentOf(one.coveredBlocks, one.blocks)})`)}${number("contexts", one.contexts, String(one.contexts))}${number("time", one.milliseconds, seconds(one.milliseconds))}</tr>`;
}
