// What the page of an amplified test suite says.

import type { ReadSource } from "../../project/sources.js";
import type { AmplifyCampaignResult } from "../campaign-result.js";
import { percentOf } from "../coverage-share.js";
import { checkedInWords, extent, sampledInWords, saysNothing, testsDone } from "../extent.js";
import { bugsInWords } from "../finding-groups.js";
import { counted, pathsBelow, seconds } from "../finding-view.js";
import { unsuppressed } from "../suppressed.js";
import { coverageOf, figureList, findingsSection, lastSections, type PageContent, thousands } from "./content.js";
import { shareOf } from "./coverage-section.js";
import { type Html, html } from "./markup.js";
import { seedsSection } from "./seeds-section.js";

export function amplifyContent(result: AmplifyCampaignResult, readSource: ReadSource): PageContent {
  const { seeds, project } = result;
  const findings = unsuppressed(result.findings);
  const short = headline(result);
  const tests = html`<p class="quiet">${testsInWords(result)}</p>${seedsSection(seeds, findings, pathsBelow(project))}`;
  return {
    title: { short, long: `${short}${findings.length > 0 ? " next to your tests" : ""}` },
    isBad: findings.length > 0 || saysNothing(result) !== null,
    lead: lead(result),
    hero: figures(result),
    sections: [
      findingsSection(result, readSource, { none: noneFound(result), hasTests: true }),
      coverageOf(result, readSource),
      { id: "tests", link: "Tests", heading: "Tests", body: tests },
      ...lastSections(result),
    ],
  };
}

function headline(result: AmplifyCampaignResult): string {
  const findings = unsuppressed(result.findings);
  if (findings.length > 0) return bugsInWords(findings);
  return saysNothing(result) === null ? "No bugs found" : "Nothing was checked";
}

function noneFound(result: AmplifyCampaignResult): string {
  const why = saysNothing(result);
  return why === null
    ? checkedInWords(result)
    : `Not one check was made, so this says nothing about the program. ${why}.`;
}

function lead(result: AmplifyCampaignResult): string {
  const { durationMs, reason } = result;
  const why = {
    complete: "Everything within the limits was done",
    time: "The time was used up",
    aborted: "It was stopped",
  }[reason];
  return (
    `${why} after ${seconds(durationMs)}: ${extent(result)}. ` +
    `${sampledInWords(result)}Each finding was run again before it was put here.`
  );
}

function figures({ totals, files, seeds }: AmplifyCampaignResult): Html {
  const share = shareOf(files);
  const entries: [string, string][] = [
    [String(testsDone({ seeds }).done), "tests amplified"],
    [thousands(totals.checks), "checks made"],
    [thousands(totals.paths), "paths run"],
    [thousands(totals.queries), "solver queries"],
    [percentOf(share.tests, share.all), "of lines by the tests"],
    [`+${share.added}`, "lines by Tangent"],
  ];
  return figureList(entries);
}

function testsInWords({ totals, seeds }: AmplifyCampaignResult): string {
  const skipped = seeds.filter((seed) => seed.skipped !== null).length;
  const left = skipped === 0 ? "" : ` ${skipped} could not be used.`;
  return `${counted(totals.invocations, "invocation")} of the programs under test were recorded, ${counted(totals.seeds, "different one")}.${left}`;
}
