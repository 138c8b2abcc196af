// The numbers of an exploration: counted where things happen, read by whoever reports. Coverage over time is kept as
// points, thinned out by half whenever there are too many, so that a day's run draws as good a curve as a minute's.

import type { SolverAccounts } from "../path/feasibility.js";
import type { RunOrigin } from "./events.js";
import type { PathEnd } from "./executor.js";

export interface CoveragePoint {
  readonly timeMs: number;
  readonly blocks: number;
  readonly instructions: number;
  readonly paths: number;
}

const MAX_POINTS = 2048;

export class Counters {
  runs = 0;
  /** Complete paths, each counted once. */
  paths = 0;
  /** Paths by how they ended. */
  readonly ends: Partial<Record<PathEnd["kind"], number>> = {};
  readonly origins: Partial<Record<RunOrigin, number>> = {};
  depthLimited = 0;
  assumptionsViolated = 0;
  /** Paths that end at an assumption which no input on them satisfies. */
  assumptionsInfeasible = 0;
  setAside = 0;
  /** Edited inputs that were tried out; those that showed something new are runs of their own, beside this. */
  tried = 0;
  duplicates = 0;
  revived = 0;
  infeasible = 0;
  unknown = 0;
  dropped = 0;
  divergences = 0;
  /** Inputs that were to fail a check and did something else instead, such as to reach another object. */
  witnessesMissed = 0;
  checksSkipped = 0;
  findings = 0;
  findingsRepeated = 0;
  findingsNotReproduced = 0;
  coveredBlocks = 0;
  /** Instructions on new ground, and those spent to get there again. */
  instructions = 0;
  instructionsRerun = 0;
  /** Conditions that were told in another form on a later run; harmless. */
  renamed = 0;
  /** How often unused expressions were collected. */
  collections = 0;
  readonly losses: Record<string, number> = {};
}

export interface EngineStatistics extends Readonly<Counters> {
  readonly timeMs: number;
  readonly pathsPerSecond: number;
  readonly pending: number;
  readonly treeBytes: number;
  readonly solver: Readonly<SolverAccounts>;
  /** Of all time, and of the solver's time. */
  readonly solverShare: number;
  readonly unsatisfiableShare: number;
  readonly coverage: readonly CoveragePoint[];
}

/** `others`: what is counted where it happens, as it is now. */
export function statisticsOf(
  counters: Counters,
  timeMs: number,
  accounts: SolverAccounts,
  others: Pick<
    EngineStatistics,
    "pending" | "treeBytes" | "renamed" | "checksSkipped" | "assumptionsInfeasible" | "coverage"
  >,
): EngineStatistics {
  return {
    ...counters,
    ...others,
    timeMs,
    pathsPerSecond: timeMs > 0 ? (counters.paths * 1000) / timeMs : 0,
    solver: { ...accounts },
    solverShare: timeMs > 0 ? accounts.timeMs / timeMs : 0,
    unsatisfiableShare: accounts.timeMs > 0 ? accounts.unsatisfiableTimeMs / accounts.timeMs : 0,
  };
}

export class CoverageCurve {
  readonly points: CoveragePoint[] = [];

  add(point: CoveragePoint): void {
    this.points.push(point);
    if (this.points.length <= MAX_POINTS) return;
    // Every second one goes; the first and the newest stay.
    let kept = 0;
    for (let i = 0; i < this.points.length; i += 2) this.points[kept++] = this.points[i];
    this.points.length = kept;
  }
}

export function addAll(into: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const name in counts) into[name] = (into[name] ?? 0) + counts[name];
}
