// Whether the goal contradicts what was decided shortly before it, or what contradicted goals like it. The query of a check on a long path is
// mostly history: a bound that makes an access safe was tested a few decisions ago, or follows from the index's own bits, or is the one
// that made the last accesses safe, however long ago it was tested; yet all of the path's circuits would be turned into clauses to see
// that. So the youngest conditions and those of earlier contradictions are asked first, with few conflicts; if they contradict each other,
// so does the whole. Otherwise nothing is known and the whole is asked.
//
// Conditions over one byte all take part: they cost nothing here (blasting-solver.ts). The goal is the last condition, as whoever
// asks puts it.

import type { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import type { BlastingSolver } from "../blast/blasting-solver.js";
import type { Query, Solver, Verdict } from "../solver.js";

/**
 * Conditions over several bytes that count as near, the goal among them, and those remembered of contradictions that were of use last. A
 * few of each first: most contradictions are between the goal and one or two others.
 */
const FEW = { near: 4, decisive: 8 };
const MORE = { near: 24, decisive: 48 };
/** Queries that are not much longer are asked at once. */
const LONG = 8 * MORE.near;
/** Contradictions in plain sight need none; a few are for those that are nearly so. */
const CONFLICTS = 20;
/** After so many attempts, the share of those that succeeded decides whether to go on. */
const TRIAL = 32;

export class NearContradictionLayer implements Solver {
  /** Queries answered here. */
  found = 0;
  private attempts = 0;
  private skipped = 0;
  /** In the order of their last use. One that means something else by now only takes part in vain. */
  private readonly decisive = new Set<ExprRef>();

  constructor(
    private readonly arena: ExprArena,
    private readonly blasting: BlastingSolver,
    private readonly next: Solver,
  ) {}

  solve(query: Query): Verdict {
    const { constraints } = query;
    if (!this.isLong(constraints)) return this.next.solve(query);
    const nearby = this.isPromising() ? this.nearby(query) : null;
    if (nearby !== null) return nearby;
    const verdict = this.next.solve(query);
    if (verdict.kind === "unsat") this.remember(constraints, verdict.core);
    return verdict;
  }

  private nearby(query: Query): Verdict | null {
    this.attempts++;
    const verdict = this.attempt(query, FEW) ?? this.attempt(query, MORE);
    if (verdict !== null) this.found++;
    return verdict;
  }

  private attempt(query: Query, most: typeof FEW): Verdict | null {
    const positions = this.near(query.constraints, most);
    const constraints = positions.map((position) => query.constraints[position]);
    const verdict = this.blasting.attempt({ ...query, constraints }, CONFLICTS);
    if (verdict.kind !== "unsat") return null;
    const core = verdict.core.map((place) => positions[place]);
    this.remember(query.constraints, core);
    return { kind: "unsat", core };
  }

  /** All over several bytes but the goal, unless it took too many. */
  private remember(constraints: readonly ExprRef[], core: readonly number[]): void {
    const { decisive, arena } = this;
    const isKept = (position: number): boolean =>
      position !== constraints.length - 1 && arena.supportSize(constraints[position]) > 1;
    const kept = core.filter(isKept);
    if (kept.length > MORE.near) return;
    for (const position of kept) {
      decisive.delete(constraints[position]);
      decisive.add(constraints[position]);
    }
    for (const oldest of decisive) {
      if (decisive.size <= MORE.decisive) return;
      decisive.delete(oldest);
    }
  }

  private isLong(constraints: readonly ExprRef[]): boolean {
    let several = 0;
    for (let i = 0; i < constraints.length; i++) if (this.arena.supportSize(constraints[i]) > 1) several++;
    return several >= LONG;
  }

  private isPromising(): boolean {
    if (this.attempts < TRIAL || this.found * 4 > this.attempts) return true;
    return ++this.skipped % 8 === 0;
  }

  private near(constraints: readonly ExprRef[], most: typeof FEW): number[] {
    const recent = new Set([...this.decisive].slice(-most.decisive));
    const positions: number[] = [];
    let several = 0;
    for (let i = constraints.length - 1; i >= 0; i--) {
      const isFar = this.arena.supportSize(constraints[i]) > 1 && ++several > most.near;
      if (!isFar || recent.has(constraints[i])) positions.push(i);
    }
    return positions.reverse();
  }
}
