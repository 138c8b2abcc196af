// The results of several machines that each looked at a part of the tests, as the results of one: what `tangent merge` writes. The same
// finding is there once, as it was found closest to a test; coverage is put together; counts are added up, and times are those of
// the machine that took longest, since they worked at the same time.

import type {
  AmplifyCampaignResult,
  CampaignResult,
  ResultFile,
  ResultFinding,
  ResultSeed,
} from "./campaign-result.js";

export type Merged =
  | { readonly kind: "merged"; readonly result: AmplifyCampaignResult }
  | { readonly kind: "wrong"; readonly message: string };

export interface NamedResult {
  readonly path: string;
  readonly result: CampaignResult;
}

/** At least one. */
export function mergeResults(given: readonly NamedResult[]): Merged {
  const results: AmplifyCampaignResult[] = [];
  for (const { path, result } of given) {
    if (result.technique !== "amplify") {
      const message = `${path} has results of \`tangent ${result.technique}\`; only those of test and amplify can be merged`;
      return { kind: "wrong", message };
    }
    if (result.project !== given[0].result.project) {
      return {
        kind: "wrong",
        message: `${path} is of the project in ${result.project}, and ${given[0].path} of that in ${given[0].result.project}`,
      };
    }
    results.push(result);
  }
  const [first] = results;
  const seeds = mergedSeeds(results);
  const findings = mergedFindings(results);
  const total = (of: (result: AmplifyCampaignResult) => number | undefined): number =>
    results.reduce((sum, result) => sum + (of(result) ?? 0), 0);
  const { sampled: _, nothingChecked, notes: __, hints: ___, ...rest } = first;
  const notes = unique(results.flatMap((result) => result.notes ?? []));
  const hints = unique(results.flatMap((result) => result.hints ?? []));
  const tried = total(({ totals }) => totals.tried);
  const moved = total(({ totals }) => totals.moved);
  const sampled = results.find((result) => result.sampled !== undefined)?.sampled;
  const saysNothing = findings.length === 0 && results.every((result) => result.nothingChecked !== undefined);
  const result: AmplifyCampaignResult = {
    ...rest,
    startedAt: results.map(({ startedAt }) => startedAt).sort()[0],
    durationMs: Math.max(...results.map(({ durationMs }) => durationMs)),
    reason:
      (["aborted", "time", "complete"] as const).find((why) => results.some(({ reason }) => reason === why)) ??
      "complete",
    findings,
    files: mergedFiles(results),
    timeline: mergedTimeline(results, findings),
    notExplored: added(results.map(({ notExplored }) => notExplored)),
    ...(notes.length === 0 ? {} : { notes }),
    ...(hints.length === 0 ? {} : { hints }),
    totals: {
      paths: total(({ totals }) => totals.paths),
      queries: total(({ totals }) => totals.queries),
      solverMs: total(({ totals }) => totals.solverMs),
      divergences: total(({ totals }) => totals.divergences),
      unconfirmed: total(({ totals }) => totals.unconfirmed),
      seeds: seeds.length,
      invocations: total(({ totals }) => totals.invocations),
      distance: Math.max(...results.map(({ totals }) => totals.distance)),
      checks: total(({ totals }) => totals.checks),
      ...(tried === 0 ? {} : { tried }),
      ...(moved === 0 ? {} : { moved }),
    },
    seeds,
    ...(sampled === undefined ? {} : { sampled }),
    ...(saysNothing && nothingChecked !== undefined ? { nothingChecked } : {}),
  };
  return { kind: "merged", result };
}

function mergedFindings(results: readonly AmplifyCampaignResult[]): ResultFinding[] {
  const best = new Map<string, ResultFinding>();
  for (const { findings } of results) {
    for (const finding of findings) {
      const known = best.get(finding.id);
      if (known === undefined || isCloser(finding, known)) best.set(finding.id, finding);
    }
  }
  return [...best.values()].sort((a, b) => a.foundMs - b.foundMs || (a.id < b.id ? -1 : 1));
}

function isCloser(a: ResultFinding, b: ResultFinding): boolean {
  return a.distance < b.distance || (a.distance === b.distance && a.foundMs < b.foundMs);
}

/** A test that two have looked at is shown as by the one that went further. */
function mergedSeeds(results: readonly AmplifyCampaignResult[]): ResultSeed[] {
  const best = new Map<string, ResultSeed>();
  for (const { seeds } of results) {
    for (const seed of seeds) {
      const known = best.get(seed.id);
      if (known === undefined || seed.distance > known.distance) best.set(seed.id, seed);
    }
  }
  return [...best.values()];
}

function mergedFiles(results: readonly AmplifyCampaignResult[]): ResultFile[] {
  const files = new Map<string, { lines: Set<number>; byTests: Set<number>; added: Set<number> }>();
  for (const file of results.flatMap((result) => result.files)) {
    let known = files.get(file.path);
    if (known === undefined) {
      known = { lines: new Set(), byTests: new Set(), added: new Set() };
      files.set(file.path, known);
    }
    for (const line of file.lines) known.lines.add(line);
    for (const line of file.byTests) known.byTests.add(line);
    for (const line of file.added) known.added.add(line);
  }
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { lines, byTests, added: more }]) => ({
      path,
      lines: ascending(lines),
      byTests: ascending(byTests),
      // What one machine's tests reach, another one's need not.
      added: ascending(more).filter((line) => !byTests.has(line)),
    }));
}

/** Blocks that two have covered are not known to be different ones: the curve is that of the best so far. */
function mergedTimeline(
  results: readonly AmplifyCampaignResult[],
  findings: readonly ResultFinding[],
): AmplifyCampaignResult["timeline"] {
  const points = results.flatMap(({ timeline }) => timeline).sort((a, b) => a.ms - b.ms);
  let blocks = 0;
  return points.map(({ ms, blocks: now }) => {
    blocks = Math.max(blocks, now);
    return { ms, blocks, findings: findings.filter(({ foundMs }) => foundMs <= ms).length };
  });
}

function added(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum = new Map<string, number>();
  for (const [what, count] of counts.flatMap((each) => Object.entries(each)))
    sum.set(what, (sum.get(what) ?? 0) + count);
  return Object.fromEntries(sum);
}
const ascending = (numbers: ReadonlySet<number>): number[] => [...numbers].sort((a, b) => a - b);
const unique = (texts: readonly string[]): string[] => [...new Set(texts)];
