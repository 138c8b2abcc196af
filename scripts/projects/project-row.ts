// What came of one strange project: whether it builds as it does by itself, whether its tests end as they do by themselves, what was looked
// at and found. And the table of all of them.

import type { Verdicts } from "../suites/verdicts.js";

export interface ProjectRow {
  readonly name: string;
  /** The build system that `tangent init` took. */
  readonly system: string;
  /** Null if it builds; else the last line of what went wrong. */
  readonly plainProblem: string | null;
  readonly problem: string | null;
  readonly plainTests: number;
  readonly plainPassed: number;
  /** Tests that end otherwise, as `name: plain, ours`. */
  readonly otherVerdicts: readonly string[];
  readonly programs: number;
  readonly seeds: number;
  readonly checks: number;
  readonly findings: readonly string[];
  readonly plainSeconds: number;
  readonly oursSeconds: number;
  /** From the start of `tangent test` to the first test that was looked at with something symbolic in it; null if there was none. */
  readonly firstCheckSeconds: number | null;
  /** What `tangent test` said of files and libraries that it has no IR of. */
  readonly notCaptured: readonly string[];
}

export function otherVerdicts(plain: ReadonlyMap<string, string>, ours: ReadonlyMap<string, string>): string[] {
  const names = [...new Set([...plain.keys(), ...ours.keys()])];
  return names.flatMap((name) => {
    const [before, now] = [plain.get(name) ?? "missing", ours.get(name) ?? "missing"];
    return before === now ? [] : [`${name}: ${before}, ${now}`];
  });
}

/** ctest: `1/8 Test #1: name ....... Passed 0.00 sec`; Meson: `1/8 suite / name OK 0.01s`. */
export function namedVerdicts(text: string): Verdicts {
  const verdicts = new Map<string, "pass" | "fail" | "skip">();
  for (const [, name, word] of text.matchAll(
    /^ *\d+\/\d+ Test +#\d+: (.*?) \.*\** *(Passed|Failed|Skipped|Not Run)/gm,
  )) {
    verdicts.set(name, word === "Passed" ? "pass" : word === "Skipped" ? "skip" : "fail");
  }
  const meson = /^ *\d+\/\d+ (\S.*?) +(OK|EXPECTEDFAIL|SKIP|FAIL|TIMEOUT|ERROR|UNEXPECTEDPASS)\b/gm;
  for (const [, name, word] of text.matchAll(meson)) {
    verdicts.set(name, word === "SKIP" ? "skip" : word === "OK" || word === "EXPECTEDFAIL" ? "pass" : "fail");
  }
  return verdicts;
}

export function projectTable(rows: readonly ProjectRow[]): string {
  const lines = rows.map((row) =>
    [
      `| ${row.name}`,
      row.system,
      row.problem === null ? "yes" : `no: ${row.problem}`,
      `${row.plainPassed} of ${row.plainTests} pass`,
      row.problem !== null ? "" : row.otherVerdicts.length === 0 ? "the same" : `${row.otherVerdicts.length} differ`,
      row.seeds,
      row.checks,
      row.findings.length,
      row.firstCheckSeconds === null ? "" : `${(row.firstCheckSeconds / 60).toFixed(1)} min`,
      `${row.notCaptured.join("; ")} |`,
    ].join(" | "),
  );
  const built = rows.filter(({ problem }) => problem === null);
  const same = built.filter(({ otherVerdicts: others }) => others.length === 0);
  const checked = rows.filter(({ checks }) => checks > 0);
  return [
    "| project | build system | builds | tests by themselves | with us | seeds | checks | findings | first check | not captured |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...lines,
    "",
    `${built.length} of ${rows.length} build, ${same.length} have the verdicts of their plain build, ${checked.length} come to checks.`,
  ].join("\n");
}
