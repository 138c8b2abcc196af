// What a program would rather have (klee_prefer_cex): of the inputs for the path that was just run, one that grants as many of its
// wishes as can be had together, the first ones first.

import type { ExprRef } from "../expr/ops.js";
import type { Feasibility } from "../path/feasibility.js";
import type { Model } from "../solver/solver.js";
import type { Executor } from "./executor.js";
import type { LimitsOfRuns } from "./run-limits.js";

export class Wishes {
  constructor(
    private readonly executor: Executor,
    private readonly feasibility: Feasibility,
    private readonly limits: LimitsOfRuns,
  ) {}

  /** Another input for the current path, or the same. */
  grantedFor(input: Model): Model {
    const { arena, preferences = [] } = this.executor;
    let all: ExprRef = arena.TRUE;
    let best = input;
    for (const wish of preferences) {
      if (this.limits.isOverdue) break;
      const more = arena.binary("and", all, wish);
      const verdict = this.feasibility.ask(more, best);
      if (verdict.kind !== "sat") continue;
      all = more;
      best = verdict.model;
    }
    return best;
  }
}
