// Every model is evaluated before it leaves the chain. A model that does not satisfy its query is our own bug, and a search
// that went on with it would diverge somewhere far from the cause.

import type { Query, Solver, Verdict } from "../solver.js";
import type { LoadedModel } from "./loaded-model.js";

export class ModelCheckLayer implements Solver {
  checked = 0;

  constructor(
    private readonly loaded: LoadedModel,
    private readonly next: Solver,
  ) {}

  solve(query: Query): Verdict {
    const verdict = this.next.solve(query);
    if (verdict.kind === "sat") {
      const { loaded } = this;
      loaded.load(verdict.model);
      for (let i = 0; i < query.constraints.length; i++) {
        if (loaded.holds(query.constraints[i])) continue;
        throw new Error(
          `solver: the model does not satisfy constraint ${i} of ${query.constraints.length} of its query`,
        );
      }
      this.checked++;
    }
    return verdict;
  }
}
