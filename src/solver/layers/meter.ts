// Counts and times what passes through a layer, so that the report can say where queries were answered and where the time
// went. Times include the layers behind; the difference of two neighbours is a layer's own.

import type { Query, Solver, Verdict } from "../solver.js";

export interface Tally {
  calls: number;
  sat: number;
  unsat: number;
  unknown: number;
  timeMs: number;
  /** Of `timeMs`, spent on queries that turned out unsatisfiable. */
  unsatMs: number;
  /** Of `timeMs`, spent on queries that stayed unknown. */
  unknownMs: number;
}

export function emptyTally(): Tally {
  return { calls: 0, sat: 0, unsat: 0, unknown: 0, timeMs: 0, unsatMs: 0, unknownMs: 0 };
}

export class Meter implements Solver {
  readonly tally = emptyTally();

  constructor(private readonly next: Solver) {}

  solve(query: Query): Verdict {
    const { tally } = this;
    const start = performance.now();
    const verdict = this.next.solve(query);
    const elapsed = performance.now() - start;
    tally.calls++;
    tally.timeMs += elapsed;
    if (verdict.kind === "sat") {
      tally.sat++;
    } else if (verdict.kind === "unsat") {
      tally.unsat++;
      tally.unsatMs += elapsed;
    } else {
      tally.unknown++;
      tally.unknownMs += elapsed;
    }
    return verdict;
  }
}
