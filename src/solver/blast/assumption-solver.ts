// A fixed set of constraints asked about many times under different assumptions on single bits, with clauses added in
// between: what interpolation needs, and the chain does not. Each question starts the small SAT solver afresh on the same
// clauses (its set-up is a pass over them) and goes to CaDiCaL when that gives up.

import { CadicalCore } from "../sat/cadical.js";
import { QuickSat } from "../sat/quick-sat.js";
import type { SatCore, SatOutcome } from "../sat/sat-core.js";
import type { Model } from "../solver.js";
import type { BitBlaster } from "./bit-blast.js";
import { CLAUSE_LITERALS } from "./clauses.js";
import { Cone } from "./cone.js";

export class AssumptionSolver {
  private readonly cone: Cone;
  private readonly quick = new QuickSat();
  private readonly cadical = new CadicalCore();
  private last: SatCore = this.quick;
  private readonly fixed: number[];

  /** `fixed` and `bits` are literals of the blaster's graph; assumptions and clauses may use what is below them. */
  constructor(
    blaster: BitBlaster,
    fixed: readonly number[],
    bits: readonly number[],
    hint: Model,
    private readonly quickConflicts: number,
  ) {
    this.fixed = Array.from(fixed);
    this.cone = new Cone(blaster.graph);
    this.cone.build([...fixed, ...bits], hint, null);
  }

  /** Literals of the graph, at least one of which must hold from now on. */
  addClause(literals: readonly number[]): void {
    const kept = literals.filter((literal) => literal !== 1).map((literal) => this.cone.literal(literal));
    if (kept.includes(0)) return;
    if (kept.length < 2) {
      // Nothing to watch: a fact, or a contradiction.
      this.fixed.push(kept.length === 0 ? 1 : literals.find((literal) => literal !== 1)!);
      return;
    }
    const { clauses } = this.cone;
    clauses.unlearn();
    clauses.reserve(CLAUSE_LITERALS + kept.length);
    clauses.data.set(kept, clauses.length + CLAUSE_LITERALS);
    clauses.linkWritten(kept.length);
    clauses.seal();
  }

  /** After "unsat", `failed` are places in `assumptions`. */
  solve(
    assumptions: readonly number[],
    conflicts: number,
    deadlineMs: number,
  ): { outcome: SatOutcome; failed: number[] } {
    const { cone, fixed } = this;
    const literals = [...fixed, ...assumptions].map((literal) => cone.literal(literal));
    this.last = this.quick;
    const quickLimit = Math.min(this.quickConflicts, conflicts);
    let outcome = this.quick.solve(cone.clauses, literals, cone.phases, { conflicts: quickLimit, deadlineMs });
    if (outcome === "conflicts" && conflicts > quickLimit) {
      this.last = this.cadical;
      outcome = this.cadical.solve(cone.clauses, literals, cone.phases, {
        conflicts: conflicts - quickLimit,
        deadlineMs,
      });
    }
    const failed =
      outcome === "unsat" ? this.last.failed.filter((i) => i >= fixed.length).map((i) => i - fixed.length) : [];
    return { outcome, failed };
  }

  /** Of a literal of the graph; after "sat". */
  value(literal: number): boolean {
    const inCone = this.cone.literal(literal);
    if (inCone <= 1) return inCone === 0;
    return (this.last.value(inCone >> 1) ^ (inCone & 1)) === 1;
  }
}
