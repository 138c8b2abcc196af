// A test of a library is many small tests in one run, and each literal is the input of one of them. With all of them symbolic at once every run
// is slow from its start to its end; with those of one place most of a run is concrete, and fifty times as many runs are made in the same
// time. So such a test is explored in parts, a few literals each, and what came of them is told as one report.
// What two literals far from each other in the source would do together is not looked for.

import type { TestInput } from "../inputs/test-input.js";
import type { SiteId } from "../path/observer.js";
import { isLiteralName, placeOfLiteral } from "../support/literal-names.js";
import type { AmplifyReport } from "./amplify.js";
import { sumStatistics } from "./sum-statistics.js";

/** Literals of one line stay together up to so many bytes; a table of a hundred rows has one line. */
const LINE_BYTES = 48;

/** The test with some of its literals as input in each part. A test that has other input is one part. */
export function partsOf(test: TestInput, distance: number): readonly TestInput[] {
  const { literals = [] } = test.inputs;
  if (literals.length === 0 || test.values.some(({ name }) => !isLiteralName(name))) return [test];
  const groups: { readonly line: string; bytes: number; readonly names: Set<string> }[] = [];
  for (const { name, size } of literals) {
    const place = placeOfLiteral(name);
    const line = `${place?.file}:${place?.line}`;
    const last = groups.at(-1);
    if (last !== undefined && last.line === line && last.bytes + size <= LINE_BYTES) {
      last.names.add(name);
      last.bytes += size;
    } else groups.push({ line, bytes: size, names: new Set([name]) });
  }
  const parts = groups.map(({ names }) => ({
    ...test,
    inputs: { ...test.inputs, literals: literals.filter(({ name }) => names.has(name)) },
    values: test.values.filter(({ name }) => names.has(name)),
  }));
  // Where the time ends too early, it is not always the same ones that are left out.
  const first = (distance * Math.ceil(parts.length / 3)) % parts.length;
  return [...parts.slice(first), ...parts.slice(0, first)];
}

/** Of an item's time, what one part may take: more than its share, since most parts need less. */
export function shareOf(leftMs: number, parts: number): number {
  return Math.max(1, Math.min(leftMs, (SHARES * leftMs) / parts));
}
const SHARES = 3;

export function joinedReport(reports: readonly AmplifyReport[]): AmplifyReport {
  if (reports.length === 1) return reports[0];
  const sum = (of: (report: AmplifyReport) => number): number => reports.reduce((total, one) => total + of(one), 0);
  const pins = new Map<SiteId, number>();
  for (const report of reports) {
    for (const [site, count] of report.pins) pins.set(site, (pins.get(site) ?? 0) + count);
  }
  return {
    ...reports[0],
    decisions: sum(({ decisions }) => decisions),
    branches: sum(({ branches }) => branches),
    sensitive: sum(({ sensitive }) => sensitive),
    pathHash: reports.reduce((hash, one) => Math.imul(hash ^ one.pathHash, 0x9e37_79b1), 0),
    checksAsked: sum(({ checksAsked }) => checksAsked),
    checksSkipped: sum(({ checksSkipped }) => checksSkipped),
    departures: sum(({ departures }) => departures),
    passedOver: sum(({ passedOver }) => passedOver),
    pins,
    statistics: sumStatistics(
      reports.map(({ statistics }) => statistics),
      null,
    ),
  };
}
