// What the page of a composition says: findings as everywhere; how each was led up from a function to `main`, as a picture; the failures
// of functions that no caller was shown to allow, with what is in the way; and every function that was tested.

import type { ReadSource } from "../../project/sources.js";
import type { ComposeCampaignResult } from "../compose-result.js";
import {
  composedNothing,
  extentOfComposition,
  headlineOfComposition,
  liftedOf,
  notLiftedOf,
  openOf,
  REASON_WORDS,
  stepsInWords,
  unfinishedInWords,
} from "../compose-view.js";
import { asSentence, counted, pathsOf, seconds } from "../finding-view.js";
import { unsuppressed } from "../suppressed.js";
import { chainSections, notLiftedSections, openList } from "./chain-section.js";
import {
  coverageOf,
  figureList,
  findingsSection,
  lastSections,
  type PageContent,
  type PageSection,
  thousands,
} from "./content.js";
import { functionsSection } from "./functions-section.js";
import { type Html, html } from "./markup.js";
import { seedsSection } from "./seeds-section.js";

export function composeContent(result: ComposeCampaignResult, readSource: ReadSource): PageContent {
  const { findings, amplified, functions } = result;
  const headline = headlineOfComposition(result);
  const shown = pathsOf(result);
  const sections: PageSection[] = [
    findingsSection(result, readSource, { none: noneFound(result), hasTests: hasTests(result) }),
  ];
  if (liftedOf(result).length > 0) {
    const body = chainSections(result, shown);
    sections.push({ id: "chains", link: "Chains", heading: "From main to the failure", body });
  }
  if (notLiftedOf(result).length + openOf(result).length > 0) {
    const body = html`${notLiftedSections(result, shown)}${openList(result, shown)}`;
    sections.push({ id: "not-lifted", link: "Not lifted", heading: "Functions that fail only by themselves", body });
  }
  const heading = "Functions, each tested by itself";
  sections.push(
    { id: "functions", link: "Functions", heading, body: functionsSection(functions, shown) },
    coverageOf(result, readSource),
  );
  if (amplified !== undefined) {
    const body = seedsSection(amplified.seeds, findings, shown);
    sections.push({ id: "tests", link: "Tests", heading: "Tests", body });
  }
  return {
    title: { short: headline, long: headline },
    isBad: unsuppressed(findings).length > 0,
    lead: lead(result),
    hero: figures(result),
    sections: [...sections, ...lastSections(result)],
  };
}

/** Whether each finding's test is in the page: links must lead somewhere. */
function hasTests({ amplified, findings }: ComposeCampaignResult): boolean {
  const tests = new Set(amplified?.seeds.map(({ id }) => id));
  return amplified !== undefined && findings.every(({ seedId }) => tests.has(seedId));
}

function noneFound(result: ComposeCampaignResult): string {
  const { targets, units } = result.totals;
  const nothing = composedNothing(result);
  if (nothing !== null) return `${asSentence(nothing.why)} So this says nothing.`;
  if (units === 0) return "No function was tested, so this says nothing.";
  if (targets === 0) return `None of the ${counted(units, "function")} that were tested failed.`;
  return "Functions fail by themselves, but for none of these failures an input of the whole program was found.";
}

function lead(result: ComposeCampaignResult): string {
  const { durationMs, reason, totals } = result;
  const steps = stepsInWords(totals);
  const unfinished = unfinishedInWords(result);
  const cut = unfinished === null ? "" : ` ${unfinished}.`;
  const where = steps === "" ? "" : ` Where the time of all threads went: ${steps}.`;
  return `${asSentence(REASON_WORDS[reason]).slice(0, -1)} after ${seconds(durationMs)}: ${extentOfComposition(totals)}. Each finding was run as a whole program before it was put here.${cut}${where}`;
}

function figures({ totals }: ComposeCampaignResult): Html {
  return figureList([
    [thousands(totals.units), "functions tested"],
    [thousands(totals.targets), "failing lines in them"],
    [thousands(totals.lifted), "shown by whole inputs"],
    [thousands(totals.interpolants), "interpolants made"],
    [thousands(totals.interpolantsUsed), "interpolants that led on"],
    [thousands(totals.paths), "paths run"],
  ]);
}
