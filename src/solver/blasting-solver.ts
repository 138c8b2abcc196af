// The core of the chain: the query's constraints become gates, their cone becomes clauses, each constraint is one assumption,
// so that failed assumptions are the unsatisfiable core. The small SAT solver tries first; CaDiCaL takes what it gives up on.

import type { ExprArena } from "../expr/arena.js";
import { BitBlaster } from "./bit-blast.js";
import { CadicalCore } from "./cadical.js";
import { Cone } from "./cone.js";
import { QuickSat } from "./quick-sat.js";
import type { SatCore, SatOutcome } from "./sat-core.js";
import type { Model, Query, Solver, Verdict } from "./solver.js";

export interface BlastingLimits {
  /** Conflicts after which a query goes to CaDiCaL, 0 for at once: where its set-up has paid off (bench/solver.ts). */
  readonly quickConflicts: number;
  /** Conflicts of CaDiCaL after which the answer is unknown. */
  readonly conflicts: number;
  readonly timeMs: number;
}

export const DEFAULT_BLASTING_LIMITS: BlastingLimits = {
  quickConflicts: 2000,
  conflicts: 10_000_000,
  timeMs: 10_000,
};

export class BlastingSolver implements Solver {
  /** How often each of the two answered, and how often neither did. */
  readonly counts = { quick: 0, cadical: 0, unknown: 0, variables: 0, conflicts: 0 };
  private readonly blaster: BitBlaster;
  private readonly cone: Cone;
  private readonly quick = new QuickSat();
  private readonly cadical = new CadicalCore();
  private readonly roots: number[] = [];

  constructor(
    arena: ExprArena,
    private readonly limits: BlastingLimits = DEFAULT_BLASTING_LIMITS,
  ) {
    this.blaster = new BitBlaster(arena);
    this.cone = new Cone(this.blaster.graph);
  }

  solve(query: Query): Verdict {
    const { blaster, cone, roots, counts } = this;
    if (blaster.refresh()) cone.attach(blaster.graph);
    roots.length = 0;
    for (const constraint of query.constraints) roots.push(blaster.literal(constraint));
    cone.build(roots, query.hint);
    for (let i = 0; i < roots.length; i++) roots[i] = cone.literal(roots[i]);
    counts.variables += cone.clauses.variableCount;
    const deadlineMs = performance.now() + this.limits.timeMs;
    let core: SatCore = this.quick;
    let outcome: SatOutcome = "conflicts";
    if (this.limits.quickConflicts > 0) {
      outcome = this.run(core, Math.min(this.limits.quickConflicts, this.limits.conflicts), deadlineMs);
      counts.conflicts += this.quick.conflicts;
    }
    if (outcome === "conflicts" && this.limits.conflicts > this.limits.quickConflicts) {
      core = this.cadical;
      outcome = this.run(core, this.limits.conflicts - this.limits.quickConflicts, deadlineMs);
    }
    if (outcome === "time" || outcome === "conflicts") {
      counts.unknown++;
      return { kind: "unknown", reason: outcome };
    }
    if (core === this.quick) counts.quick++;
    else counts.cadical++;
    if (outcome === "unsat") return { kind: "unsat", core: core.failed.slice().sort((x, y) => x - y) };
    return { kind: "sat", model: this.readModel(core, query.hint) };
  }

  private run(core: SatCore, conflicts: number, deadlineMs: number): SatOutcome {
    return core.solve(this.cone.clauses, this.roots, this.cone.phases, { conflicts, deadlineMs });
  }

  private readModel(core: SatCore, hint: Model): Model {
    const { cone } = this;
    const { a, b } = this.blaster.graph;
    let length = hint.length;
    for (let i = 0; i < cone.inputCount; i++) length = Math.max(length, a[cone.inputs[i]] + 1);
    const model = new Uint8Array(length);
    model.set(hint);
    for (let i = 0; i < cone.inputCount; i++) {
      const byte = a[cone.inputs[i]];
      const mask = 1 << b[cone.inputs[i]];
      if (core.value(i + 1) !== 0) model[byte] |= mask;
      else model[byte] &= ~mask;
    }
    return model;
  }
}
