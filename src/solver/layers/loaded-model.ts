// One evaluator for all layers, with the model that it has loaded: loading forgets every value, and most layers ask about
// the same hint in turn. The first layer loads afresh for each query, because a caller may reuse its buffer.

import type { ExprArena } from "../../expr/arena.js";
import { Evaluator } from "../../expr/evaluate.js";
import type { ExprRef } from "../../expr/ops.js";
import type { Model } from "../solver.js";

export class LoadedModel {
  readonly evaluator: Evaluator;
  private current: Model | null = null;

  constructor(arena: ExprArena) {
    this.evaluator = new Evaluator(arena);
  }

  /** The model's bytes may have changed since it was last used. */
  load(model: Model): void {
    this.current = model;
    this.evaluator.load(model);
  }

  /** The model is as it was if it was the last one loaded. */
  use(model: Model): void {
    if (this.current !== model) this.load(model);
  }

  holds(e: ExprRef): boolean {
    return this.evaluator.holds(e);
  }
}
