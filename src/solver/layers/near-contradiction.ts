// Whether the goal contradicts what was decided shortly before it. The query of a check on a long path is mostly history: a bound that
// makes an access safe was tested a few decisions ago, or follows from the index's own bits, yet all of the path's circuits would be
// turned into clauses to see that. So the youngest conditions are asked first, with few conflicts; if they contradict each other, so
// does the whole. Otherwise nothing is known and the whole is asked.
//
// Conditions over one byte all take part: they cost nothing here (blasting-solver.ts). The goal is the last condition, as whoever
// asks puts it.

import type { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import type { BlastingSolver } from "../blast/blasting-solver.js";
import type { Query, Solver, Verdict } from "../solver.js";

/** Conditions over several bytes, the goal among them, that count as near. */
const NEAR = 24;
/** Queries that are not much longer are asked at once. */
const LONG = 8 * NEAR;
/** Contradictions in plain sight need none; a few are for those that are nearly so. */
const CONFLICTS = 20;
/** After so many attempts, the share of those that succeeded decides whether to go on. */
const TRIAL = 32;

export class NearContradictionLayer implements Solver {
  /** Queries answered here. */
  found = 0;
  private attempts = 0;
  private skipped = 0;

  constructor(
    private readonly arena: ExprArena,
    private readonly blasting: BlastingSolver,
    private readonly next: Solver,
  ) {}

  solve(query: Query): Verdict {
    if (!this.isPromising(query.constraints)) return this.next.solve(query);
    const positions = this.near(query.constraints);
    this.attempts++;
    const constraints = positions.map((position) => query.constraints[position]);
    const verdict = this.blasting.attempt({ ...query, constraints }, CONFLICTS);
    if (verdict.kind !== "unsat") return this.next.solve(query);
    this.found++;
    return { kind: "unsat", core: verdict.core.map((place) => positions[place]) };
  }

  private isPromising(constraints: readonly ExprRef[]): boolean {
    let several = 0;
    for (let i = 0; i < constraints.length; i++) if (this.arena.supportSize(constraints[i]) > 1) several++;
    if (several < LONG) return false;
    if (this.attempts < TRIAL || this.found * 4 > this.attempts) return true;
    return ++this.skipped % 8 === 0;
  }

  private near(constraints: readonly ExprRef[]): number[] {
    const positions: number[] = [];
    let several = 0;
    for (let i = constraints.length - 1; i >= 0; i--) {
      if (this.arena.supportSize(constraints[i]) > 1 && ++several > NEAR) continue;
      positions.push(i);
    }
    return positions.reverse();
  }
}
