// What the page of an amplified test suite says.

import type { ReadSource } from "../../project/sources.js";
import type { AmplifyCampaignResult, ResultFinding } from "../campaign-result.js";
import { percentOf } from "../coverage-share.js";
import { extent, testsDone } from "../extent.js";
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
  const short = headline(findings);
  const tests = html`<p class="quiet">${testsInWords(result)}</p>${seedsSection(seeds, findings, pathsBelow(project))}`;
  return {
    title: { short, long: `${short}${findings.length > 0 ? " next to your tests" : ""}` },
    isBad: findings.length > 0,
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

function noneFound(result: AmplifyCampaignResult): string {
  const { done, usable } = testsDone(result);
  const checked = "dangerous operation on their paths was checked for all inputs that take the same path";
  if (done === 0) return "No test was looked at, so this says nothing.";
  if (done < usable) {
    return `${done} of ${counted(usable, "test")} were looked at before the end: every ${checked}, and none fails. More time (--time) does the others.`;
  }
  return `Of ${counted(done, "test")} every ${checked}, and the paths around them were explored up to distance ${result.totals.distance}. None of them fails.`;
}

function headline(findings: readonly ResultFinding[]): string {
  return findings.length === 0 ? "No bugs found" : bugsInWords(findings);
}

function lead(result: AmplifyCampaignResult): string {
  const { durationMs, reason } = result;
  const why = {
    complete: "Everything within the limits was done",
    time: "The time was used up",
    aborted: "It was stopped",
  }[reason];
  return `${why} after ${seconds(durationMs)}: ${extent(result)}. Each finding was run again before it was put here.`;
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
