// Models and contradictions seen before. A recent model that satisfies the query answers it (the counterexample cache of KLEE
// and the assignments in hand of pending constraints); a query that contains a known contradiction is unsatisfiable. The
// converse cache, supersets of satisfiable sets, is not kept: evaluating the few recent models finds the same and more.
//
// A contradiction is filed under its newest constraint, so that a query finds all that it might contain by looking at each
// of its constraints once. Models are tried most recently useful first, and given up at the first condition that fails,
// starting with the one that was turned around.

import type { ExprArena } from "../expr/arena.js";
import type { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import { overlay, supportOf } from "./query-cache.js";
import type { Model, Query, Solver, Verdict } from "./solver.js";

/** Contradictions beyond which all are forgotten. */
const MAX_CORES = 1 << 16;
/** Larger ones are rarely met again. */
const MAX_CORE_SIZE = 64;

export class ModelReuseLayer implements Solver {
  reusedModels = 0;
  reusedCores = 0;
  private readonly models: Model[] = [];
  private cores: Int32Array[] = [];
  /** First core filed under a constraint, plus one; the next one with the same, plus one. */
  private firstCore = new Int32Array(1024);
  private nextCore: number[] = [];
  /** Membership in the query at hand, by expression. */
  private member = new Int32Array(1024);
  private position = new Int32Array(1024);
  private stamp = 0;
  private generation: number;

  constructor(
    private readonly arena: ExprArena,
    private readonly evaluator: Evaluator,
    private readonly next: Solver,
    private readonly maxModels: number,
  ) {
    this.generation = arena.generation;
  }

  /** A model worth trying, such as a seed. */
  offer(model: Model): void {
    if (this.maxModels === 0) return;
    this.models.unshift(model);
    if (this.models.length > this.maxModels) this.models.pop();
  }

  solve(query: Query): Verdict {
    if (this.arena.generation !== this.generation || this.cores.length >= MAX_CORES) this.forgetCores();
    const { constraints } = query;
    const core = this.findCore(constraints);
    if (core !== null) {
      this.reusedCores++;
      return { kind: "unsat", core };
    }
    const model = this.findModel(constraints);
    if (model !== null) {
      this.reusedModels++;
      const bytes = supportOf(this.arena, constraints);
      const values = Uint8Array.from(bytes, (byte) => (byte < model.length ? model[byte] : 0));
      return { kind: "sat", model: overlay(query.hint, bytes, values) };
    }
    const verdict = this.next.solve(query);
    if (verdict.kind === "sat") this.offer(verdict.model);
    else if (verdict.kind === "unsat") this.file(verdict.core.map((place) => constraints[place]));
    return verdict;
  }

  private findModel(constraints: readonly ExprRef[]): Model | null {
    const { evaluator, models } = this;
    for (let m = 0; m < models.length; m++) {
      evaluator.load(models[m]);
      let i = constraints.length - 1;
      while (i >= 0 && evaluator.holds(constraints[i])) i--;
      if (i >= 0) continue;
      const model = models[m];
      if (m > 0) {
        models.splice(m, 1);
        models.unshift(model);
      }
      return model;
    }
    return null;
  }

  private findCore(constraints: readonly ExprRef[]): number[] | null {
    const stamp = ++this.stamp;
    for (let i = 0; i < constraints.length; i++) {
      const ref = constraints[i];
      if (ref >= this.member.length) this.grow(ref);
      this.member[ref] = stamp;
      this.position[ref] = i;
    }
    for (let i = 0; i < constraints.length; i++) {
      for (let at = this.firstCore[constraints[i]]; at !== 0; at = this.nextCore[at - 1]) {
        const core = this.cores[at - 1];
        let k = 0;
        while (k < core.length && this.member[core[k]] === stamp) k++;
        if (k === core.length) return Array.from(core, (ref) => this.position[ref]).sort((x, y) => x - y);
      }
    }
    return null;
  }

  private file(core: readonly ExprRef[]): void {
    if (core.length === 0 || core.length > MAX_CORE_SIZE) return;
    const newest = Math.max(...core);
    this.cores.push(Int32Array.from(core));
    this.nextCore.push(this.firstCore[newest]);
    this.firstCore[newest] = this.cores.length;
  }

  private forgetCores(): void {
    this.generation = this.arena.generation;
    this.cores = [];
    this.nextCore = [];
    this.firstCore.fill(0);
    this.member.fill(0);
  }

  private grow(ref: number): void {
    const size = Math.max(this.member.length * 2, ref + 1);
    for (const name of ["member", "position", "firstCore"] as const) {
      const larger = new Int32Array(size);
      larger.set(this[name]);
      this[name] = larger;
    }
  }
}
