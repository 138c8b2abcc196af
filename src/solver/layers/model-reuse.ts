// Recent models and seeds: one that satisfies the query answers it (KLEE's counterexample cache, and the assignments in hand
// of pending constraints). A cache of satisfiable sets and their subsets is not kept beside it: evaluating a few recent
// models finds the same and more.
// Models are tried most recently useful first, and given up at the first condition that fails, starting with the one that
// was turned around.

import type { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import type { Model, Query, Solver, Verdict } from "../solver.js";
import type { LoadedModel } from "./loaded-model.js";
import { overlay, SupportUnion, valuesAt } from "./support-union.js";

export class ModelReuseLayer implements Solver {
  reused = 0;
  private readonly models: Model[] = [];
  private readonly support: SupportUnion;

  constructor(
    arena: ExprArena,
    private readonly loaded: LoadedModel,
    private readonly next: Solver,
    private readonly maxModels: number,
  ) {
    this.support = new SupportUnion(arena);
  }

  /** A model worth trying, such as a seed. It must not change afterwards. */
  offer(model: Model): void {
    if (this.maxModels === 0) return;
    this.models.unshift(model);
    if (this.models.length > this.maxModels) this.models.pop();
  }

  solve(query: Query): Verdict {
    const { constraints } = query;
    const model = this.find(constraints);
    if (model !== null) {
      this.reused++;
      const bytes = this.support.of(constraints);
      return { kind: "sat", model: overlay(query.hint, bytes, valuesAt(model, bytes)) };
    }
    const verdict = this.next.solve(query);
    // A copy: the model goes on to a caller who may write to it.
    if (verdict.kind === "sat") this.offer(Uint8Array.from(verdict.model));
    return verdict;
  }

  private find(constraints: readonly ExprRef[]): Model | null {
    const { loaded, models } = this;
    for (let m = 0; m < models.length; m++) {
      const model = models[m];
      loaded.load(model);
      let i = constraints.length - 1;
      while (i >= 0 && loaded.holds(constraints[i])) i--;
      if (i >= 0) continue;
      if (m > 0) {
        models.splice(m, 1);
        models.unshift(model);
      }
      return model;
    }
    return null;
  }
}
