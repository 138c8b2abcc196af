// What the page of a patch says: how much of it is run, the diff with the state of each line, what behaves differently,
// then what every page has.

import type { ReadSource } from "../../project/sources.js";
import { percentOf } from "../coverage-share.js";
import { bugsInWords } from "../finding-groups.js";
import { counted, seconds } from "../finding-view.js";
import type { PatchCampaignResult } from "../patch-result.js";
import {
  behaviourInWords,
  hasLooked,
  headlineOfPatch,
  isReach,
  NOT_LOOKED,
  shareInWords,
  shareOfPatch,
} from "../patch-view.js";
import { unsuppressed } from "../suppressed.js";
import { behaviourSection } from "./behaviour-section.js";
import {
  coverageOf,
  figureList,
  findingsSection,
  lastSections,
  type PageContent,
  type PageSection,
  thousands,
} from "./content.js";
import { diffSection } from "./diff-section.js";
import { type Html, html } from "./markup.js";
import { targetSections } from "./target-details.js";

export function patchContent(result: PatchCampaignResult, readSource: ReadSource): PageContent {
  const { changes } = result;
  const findings = unsuppressed(result.findings);
  const targets = targetSections(result);
  const diff = diffSection(result, targets);
  const others = result.targets.flatMap((_, index) => (diff.shown.has(index) ? [] : [targets[index].alone]));
  const none = "No detector fired on the way to the changed code, nor in what ran next to it.";
  const sections: PageSection[] = [];
  const behaviour: PageSection = {
    id: "behaviour",
    link: "Behaviour",
    heading: "Behaviour that this patch changes",
    body: behaviourSection(result),
  };
  if (!isReach(result))
    sections.push({ id: "patch", link: "Patch", heading: "The patch, line by line", body: diff.body });
  if (others.length > 0) {
    const heading = isReach(result) ? "Targets" : "Targets outside of the diff";
    sections.push({ id: "targets", link: "Targets", heading, body: html`<div class="targets">${others}</div>` });
  }
  if (result.compared > 0 || result.behaviour.length > 0) sections.push(behaviour);
  const headline = headlineOfPatch(result);
  const bugs = findings.length === 0 ? "" : `${bugsInWords(findings)}, `;
  return {
    title: { short: `${bugs}${headline}`, long: `${bugs}${headline}` },
    isBad: findings.length > 0 || result.behaviour.some(({ severity }) => severity === "crash"),
    lead: lead(result),
    hero: html`${bar(result)}${figures(result)}${changes.notes.length === 0 ? null : html`<ul class="notes quiet">${changes.notes.map((note) => html`<li>${note}</li>`)}</ul>`}`,
    sections: [
      ...sections,
      findingsSection(result, readSource, { none, hasTests: false }),
      coverageOf(result, readSource),
      ...lastSections(result),
    ],
  };
}

function lead(result: PatchCampaignResult): string {
  const { durationMs, reason, changes } = result;
  const why = {
    complete: "Everything within the limits was tried",
    time: "The time was used up",
    aborted: "It was stopped",
  }[reason];
  const what = changes.description === "" ? "" : `${changes.description}: `;
  const behaviour = isReach(result) ? "" : ` ${behaviourInWords(result)}`;
  return `${what}${hasLooked(result) ? shareInWords(shareOfPatch(result)) : NOT_LOOKED}${behaviour} ${why} after ${seconds(durationMs)}.`;
}

/** Before and after, in one bar. */
function bar(result: PatchCampaignResult): Html {
  const { all, tests, reached, unreachable, unit } = shareOfPatch(result);
  const width = (part: number): string => (all === 0 ? "0" : ((part * 100) / all).toFixed(2));
  const before = percentOf(tests, all);
  const after = percentOf(tests + reached, all);
  const label = `${before} by the tests, ${after} with Tangent's inputs, ${percentOf(unreachable, all)} unreachable`;
  return html`<div class="total patch-total"><p><strong>${before}</strong> by the tests <span aria-hidden="true">→</span><span class="hidden">, then</span> <strong>${after}</strong> with Tangent's inputs, of ${counted(all, unit)}</p>
<span class="bar" role="img" aria-label="${label}"><span class="tests" style="width:${width(tests)}%"></span><span class="added" style="width:${width(reached)}%"></span><span class="dead" style="width:${width(unreachable)}%"></span></span></div>`;
}

function figures({ totals, inputs, compared }: PatchCampaignResult): Html {
  return figureList([
    [thousands(totals.targets), "targets"],
    [thousands(totals.coveredByTests), "run by the tests"],
    [thousands(totals.reached), "reached by Tangent"],
    [thousands(inputs.length), "new inputs"],
    [thousands(compared), "inputs compared"],
    [thousands(totals.paths), "paths run"],
  ]);
}
