// A test of a library is many small tests in one run, and each literal is the input of one of them. With all of them symbolic at once every run
// is slow from its start to its end; with those of one place most of a run is concrete, and fifty times as many runs are made in the same
// time. So such a test is explored in parts, a few literals each, and what came of them is told as one report.
// What two literals far from each other in the source, or a literal and a file, would do together is not looked for.

import type { TestInput } from "../inputs/test-input.js";
import type { SiteId } from "../path/observer.js";
import { isLiteralName, placeOfLiteral } from "../support/literal-names.js";
import type { AmplifyReport } from "./amplify.js";
import { sumStatistics } from "./sum-statistics.js";

/** Literals of one line stay together up to so many bytes; a table of a hundred rows has one line. */
const LINE_BYTES = 48;

/** The test with its other input alone, if it has any, and then with some of its literals in each part. */
export function partsOf(test: TestInput, distance: number): readonly TestInput[] {
  const { literals = [], ...others } = test.inputs;
  // Where some vary alone already, they do so together: several of them may have been changed.
  if (literals.length === 0 || test.inputs.onlyLiterals === true) return [test];
  const groups: { readonly line: string; bytes: number; readonly names: Set<string> }[] = [];
  for (const { name, size } of literals) {
    const place = placeOfLiteral(name);
    // Numbers vary by themselves: whether other ones are misuse is found by trying them on the test as it is.
    const line = `${place?.file}:${place?.line}${place?.argument === undefined ? "" : " numbers"}`;
    const last = groups.at(-1);
    if (last !== undefined && last.line === line && last.bytes + size <= LINE_BYTES) {
      last.names.add(name);
      last.bytes += size;
    } else groups.push({ line, bytes: size, names: new Set([name]) });
  }
  const beside = test.values.filter(({ name }) => !isLiteralName(name));
  const parts = groups.map(({ names }) => ({
    ...test,
    inputs: { ...others, literals: literals.filter(({ name }) => names.has(name)), onlyLiterals: true },
    values: [...beside, ...test.values.filter(({ name }) => names.has(name))],
  }));
  // Where the time ends too early, it is not always the same ones that are left out.
  const first = (distance * Math.ceil(parts.length / 3)) % parts.length;
  const rotated = [...parts.slice(first), ...parts.slice(0, first)];
  return beside.length === 0 ? rotated : [{ ...test, inputs: others, values: beside }, ...rotated];
}

/**
 * Of an item's time, what the first of so many parts that are left may take: more than its share, since most parts need less. Input that is
 * no literal is one part, and gets half.
 */
export function shareOf(leftMs: number, parts: number, { inputs }: Pick<TestInput, "inputs">): number {
  if (parts === 1) return leftMs;
  return Math.max(1, inputs.onlyLiterals === true ? Math.min(leftMs, (SHARES * leftMs) / parts) : leftMs / 2);
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
    pathName: reports.map(({ pathName }) => pathName).join(" "),
    checks: sum(({ checks }) => checks),
    checksSkipped: sum(({ checksSkipped }) => checksSkipped),
    departures: sum(({ departures }) => departures),
    departuresCut: sum(({ departuresCut }) => departuresCut),
    passedOver: sum(({ passedOver }) => passedOver),
    pins,
    statistics: sumStatistics(
      reports.map(({ statistics }) => statistics),
      null,
    ),
  };
}
