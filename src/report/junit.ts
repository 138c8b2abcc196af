// JUnit's XML, which every continuous integration shows: each recorded test is a test case of its program and fails if a
// finding came of it. Of a patch each target is one (patch-junit.ts), of a composition each finding.

import type {
  AmplifyCampaignResult,
  CampaignResult,
  CommonResult,
  ResultFinding,
  ResultSeed,
} from "./campaign-result.js";
import { divergencesInWords } from "./divergences.js";
import { sampledInWords } from "./extent.js";
import {
  byImportance,
  commandSegments,
  pathsOf,
  plainText,
  type ShownPath,
  shownWords,
  testIdOf,
} from "./finding-view.js";
import { findingSuite, findingText, type Suite, suiteOf, xml } from "./junit-text.js";
import { patchSuites } from "./patch-junit.js";
import { isCounted, markInWords } from "./suppressed.js";

/** Findings of the baseline, and suppressed ones, do not make their test fail. */
export function renderJunit(result: CampaignResult): string {
  const suites = suitesOf(result);
  const total = (name: "tests" | "failures" | "skipped"): number => suites.reduce((sum, one) => sum + one[name], 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="tangent" tests="${total("tests")}" failures="${total("failures")}" errors="0" skipped="${total("skipped")}" time="${(result.durationMs / 1000).toFixed(3)}">`,
    ...suites.map(({ text }) => text),
    ...suiteOfAll(result),
    "</testsuites>",
    "",
  ].join("\n");
}

function suitesOf(result: CampaignResult): readonly Suite[] {
  switch (result.technique) {
    case "amplify":
      return testSuites(result);
    case "patch":
      return patchSuites(result);
    case "compose": {
      const { findings, amplified } = result;
      const tests = new Set(amplified?.seeds.map(({ id }) => id));
      const others = findings.filter((finding) => !tests.has(testIdOf(finding)));
      return [
        ...(amplified === undefined ? [] : testSuites({ ...result, seeds: amplified.seeds })),
        ...findingSuite(others, result, pathsOf(result)),
      ];
    }
  }
}

function testSuites(result: CommonResult & Pick<AmplifyCampaignResult, "seeds">): readonly Suite[] {
  const shown = pathsOf(result);
  const findings = byImportance(result.findings);
  const programs = [...new Set(result.seeds.map(({ program }) => program))];
  return programs.map((program) =>
    suite(
      shown(program),
      result.seeds.filter((seed) => seed.program === program),
      findings,
      { shown, startedAt: result.startedAt },
    ),
  );
}

/** JUnit has no place for what concerns all tests, so it is a suite without tests that says it. */
function suiteOfAll(result: CampaignResult): string[] {
  const sampled = result.technique === "amplify" ? sampledInWords(result).trimEnd() : "";
  const said = [divergencesInWords(result) ?? "", sampled].filter((text) => text !== "");
  if (said.length === 0) return [];
  return [
    `<testsuite name="tangent itself" tests="0" failures="0" errors="0" skipped="0" time="0.000" timestamp="${xml(result.startedAt.slice(0, 19))}">`,
    `  <system-out>${xml(said.join("\n"))}</system-out>`,
    "</testsuite>",
  ];
}

/** A test that nobody looked at has not passed. */
const NOT_LOOKED_AT = "not looked at: the campaign ended before its turn came";

interface SuiteContext {
  readonly shown: ShownPath;
  readonly startedAt: string;
}

/**
 * Whoever shows results over time knows a test by its name: it is the test's command, which no build changes; of equal ones the number is told, in
 * an order that none changes either.
 */
function caseNames(seeds: readonly ResultSeed[], shown: ShownPath): ReadonlyMap<ResultSeed, string> {
  const equal = new Map<string, ResultSeed[]>();
  for (const seed of seeds) {
    const words = shownWords(seed.command, shown);
    const command = plainText(commandSegments(words, words, 80));
    const known = equal.get(command);
    if (known === undefined) equal.set(command, [seed]);
    else known.push(seed);
  }
  const order = ({ stdinBytes, files, end }: ResultSeed): string => JSON.stringify([stdinBytes, files, end]);
  const names = new Map<ResultSeed, string>();
  for (const [command, tests] of equal) {
    const sorted = tests.length === 1 ? tests : [...tests].sort((a, b) => (order(a) < order(b) ? -1 : 1));
    for (const [index, seed] of sorted.entries()) names.set(seed, index === 0 ? command : `${command} (${index + 1})`);
  }
  return names;
}

function suite(
  name: string,
  seeds: readonly ResultSeed[],
  findings: readonly ResultFinding[],
  { shown, startedAt }: SuiteContext,
): Suite {
  let failures = 0;
  let skipped = 0;
  const names = caseNames(seeds, shown);
  const cases = seeds.map((seed) => {
    const own = findings.filter((finding) => testIdOf(finding) === seed.id);
    const fresh = own.filter(isCounted);
    const head = `  <testcase classname="${xml(name)}" name="${xml(names.get(seed) ?? "")}" time="${(seed.milliseconds / 1000).toFixed(3)}"`;
    const parts: string[] = [];
    if (fresh.length > 0) {
      failures++;
      const text = [`test: ${seed.id}`, ...fresh.map((finding) => findingText(finding, findings, shown))].join("\n\n");
      const message = fresh.map(({ title, message: what }) => `${title}: ${what}`).join("; ");
      parts.push(`    <failure type="${xml(fresh[0].kind)}" message="${xml(message)}">${xml(text)}</failure>`);
    } else {
      const why = seed.skipped ?? (seed.distance < 0 ? NOT_LOOKED_AT : null);
      if (why !== null) {
        skipped++;
        parts.push(`    <skipped message="${xml(why)}"/>`);
      }
    }
    const old = own.filter((finding) => !isCounted(finding));
    if (old.length > 0) {
      const text = old
        .map((finding) => `${markInWords(finding)}: ${findingText(finding, findings, shown)}`)
        .join("\n\n");
      parts.push(`    <system-out>${xml(text)}</system-out>`);
    }
    return parts.length === 0 ? `${head}/>` : [`${head}>`, ...parts, "  </testcase>"].join("\n");
  });
  const milliseconds = seeds.reduce((sum, seed) => sum + seed.milliseconds, 0);
  return suiteOf({ name, tests: seeds.length, failures, skipped, milliseconds, startedAt, cases });
}
