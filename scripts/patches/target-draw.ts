// Which targets are searched for in a comparison: drawn at random before anything is searched for, and written down, so that nobody can
// choose them afterwards. First a commit is drawn, then one of its targets, so that a large commit does not dominate; no target twice.

import { Random } from "../../src/support/random.js";
import type { PatchRow } from "./patch-table.js";

export interface DrawnTarget {
  readonly project: string;
  readonly commit: string;
  /** As `src/diff.c:410:7`. */
  readonly target: string;
}

/** What is written down. */
export interface Draw {
  readonly seed: number;
  readonly wanted: number;
  /** How many there were to draw from, and in how many commits. */
  readonly open: number;
  readonly commits: number;
  readonly targets: readonly DrawnTarget[];
}

/** Targets that no test executes, by what was measured; where a commit was measured twice the later one counts. */
export function uncoveredTargets(
  rows: readonly PatchRow[],
  isListed: (project: string, commit: string) => boolean,
): DrawnTarget[] {
  const latest = new Map<string, PatchRow>();
  for (const row of rows) if (!row.failed) latest.set(`${row.project} ${row.commit}`, row);
  return [...latest.values()].flatMap(({ project, commit, targets }) =>
    isListed(project, commit)
      ? targets
          .filter(({ state }) => state === "reached" || state === "not-reached")
          .map(({ id }) => ({ project, commit, target: id }))
      : [],
  );
}

/** The same for the same targets, in whichever order they are given. */
export function drawTargets(open: readonly DrawnTarget[], wanted: number, seed: number): Draw {
  const byCommit = new Map<string, DrawnTarget[]>();
  for (const one of [...open].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
    const key = `${one.project} ${one.commit}`;
    byCommit.set(key, [...(byCommit.get(key) ?? []), one]);
  }
  const left = [...byCommit.values()];
  const random = new Random(seed);
  const targets: DrawnTarget[] = [];
  while (targets.length < wanted && left.length > 0) {
    const at = random.next() % left.length;
    const own = left[at];
    targets.push(...own.splice(random.next() % own.length, 1));
    if (own.length === 0) left.splice(at, 1);
  }
  return { seed, wanted, open: open.length, commits: byCommit.size, targets };
}

export function keyOf({ project, commit, target }: DrawnTarget): string {
  return `${project} ${commit} ${target}`;
}
