// The tests that were amplified, as a table that can be sorted.

import type { ResultFinding, ResultSeed } from "../campaign-result.js";
import { commandSegments, counted, plainText, type ShownPath, seconds } from "../finding-view.js";
import { type Html, html } from "./markup.js";

/** A page with more rows is slow to open; results.json has them all. */
const ROW_LIMIT = 2000;
const COLUMNS = ["Test", "Program", "Ended", "Distance", "Checks", "Paths", "Time", "Findings"];

export function seedsSection(seeds: readonly ResultSeed[], findings: readonly ResultFinding[], shown: ShownPath): Html {
  if (seeds.length === 0) return html`<p class="quiet">No test was recorded.</p>`;
  const found = new Map<string, number>();
  for (const { seedId } of findings) found.set(seedId, (found.get(seedId) ?? 0) + 1);
  const shownSeeds = [...seeds].sort((a, b) => (found.get(b.id) ?? 0) - (found.get(a.id) ?? 0)).slice(0, ROW_LIMIT);
  const rest = seeds.length - shownSeeds.length;
  return html`
${seeds.length > 8 ? html`<p class="controls"><label>Show tests with <input type="search" data-filter-rows=".seeds tbody tr" placeholder="part of a command"></label></p>` : null}
<div class="scroll" tabindex="0" role="region" aria-label="Table of tests"><table class="seeds">
<thead><tr>${COLUMNS.map((name, index) => html`<th scope="col"${index >= 3 ? html` class="number"` : null}><span class="plain">${name}</span><button type="button" data-column>${name}</button></th>`)}</tr></thead>
<tbody>${shownSeeds.map((seed) => seedRow(seed, found.get(seed.id) ?? 0, shown))}</tbody>
</table></div>
${rest > 0 ? html`<p class="quiet">${counted(rest, "more test")} in results.json.</p>` : null}`;
}

function seedRow(seed: ResultSeed, findings: number, shown: ShownPath): Html {
  const command = plainText(commandSegments(seed.command, seed.command, 60));
  const reads = [
    ...(seed.stdinBytes === null
      ? []
      : [seed.stdinBytes > 0 ? `${counted(seed.stdinBytes, "byte")} of standard input` : "standard input"]),
    ...(seed.files.length === 0
      ? []
      : [seed.files.length > 3 ? counted(seed.files.length, "file") : seed.files.map(shown).join(", ")]),
  ];
  // On a phone the row is a block, and each number says what it is.
  const number = (label: string, value: number, text: string): Html =>
    html`<td class="number" data-label="${label}" data-value="${value}">${text}</td>`;
  return html`<tr id="s-${seed.id}" data-words="${`${command} ${seed.id}`.toLowerCase()}">
<td><code>${command}</code>${reads.length > 0 ? html`<span class="quiet">reads ${reads.join(", ")}</span>` : null}${seed.skipped === null ? null : html`<span class="skipped">skipped: ${seed.skipped}</span>`}</td>
<td>${seed.program.split("/").pop() ?? ""}</td><td>${seed.end}${seed.machineEnd === undefined ? null : html`<span class="quiet">in the VM ${seed.machineEnd}</span>`}</td>
${number("distance", seed.distance, seed.distance < 0 ? "–" : String(seed.distance))}${number("checks", seed.checks, String(seed.checks))}${number("paths", seed.paths, String(seed.paths))}${number("time", seed.milliseconds, seconds(seed.milliseconds))}${number("findings", findings, findings === 0 ? "" : String(findings))}</tr>`;
}
