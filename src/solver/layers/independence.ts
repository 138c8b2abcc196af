// Splits a query into parts that share no input byte and asks about each alone; a part whose conditions all hold under the
// hint keeps the hint's bytes without any question. Callers slice already (condition-index.ts), so that there is usually one
// part; what remains to gain is that the hint decides the parts that need no change, for callers that do not slice.
// The alternative for one part, asking the solver straight away, would never learn that the hint is a model.

import type { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import type { Model, Query, Solver, UnknownReason, Verdict } from "../solver.js";
import type { LoadedModel } from "./loaded-model.js";

export class IndependenceLayer implements Solver {
  /** Parts answered by the hint, parts asked about. */
  byHint = 0;
  asked = 0;
  /** Union-find over the bytes of the query at hand; valid where the stamp is the current one. */
  private parent = new Int32Array(64);
  private stamps = new Int32Array(64);
  private stamp = 0;

  constructor(
    private readonly arena: ExprArena,
    private readonly loaded: LoadedModel,
    private readonly next: Solver,
  ) {}

  solve(query: Query): Verdict {
    const { constraints, hint } = query;
    const { loaded } = this;
    loaded.load(hint);
    // The last condition is the one that was turned around: look at it first.
    let violated = -1;
    for (let i = constraints.length - 1; i >= 0 && violated < 0; i--) if (!loaded.holds(constraints[i])) violated = i;
    if (violated < 0) {
      this.byHint++;
      return { kind: "sat", model: this.extended(query) };
    }
    this.connect(constraints);
    const parts = this.violatedParts(constraints, violated);
    if (parts.length === 1 && parts[0].length === constraints.length) {
      this.asked++;
      return this.next.solve(query);
    }
    return this.solveParts(query, parts);
  }

  /** The hint, long enough for every byte of the constraints. */
  private extended({ constraints, hint }: Query): Model {
    let length = hint.length;
    for (let i = 0; i < constraints.length; i++) {
      const support = this.arena.support(constraints[i]);
      if (support.length > 0) length = Math.max(length, support[support.length - 1] + 1);
    }
    const model = new Uint8Array(length);
    model.set(hint);
    return model;
  }

  private connect(constraints: readonly ExprRef[]): void {
    this.stamp++;
    for (let i = 0; i < constraints.length; i++) {
      const support = this.arena.support(constraints[i]);
      if (support.length === 0) continue;
      const first = this.find(support[0]);
      for (let k = 1; k < support.length; k++) {
        // `find` may replace `parent` by a larger one.
        const root = this.find(support[k]);
        this.parent[root] = first;
      }
    }
  }

  private find(byte: number): number {
    if (byte >= this.parent.length) {
      const size = Math.max(this.parent.length * 2, byte + 1);
      const parent = new Int32Array(size);
      parent.set(this.parent);
      const stamps = new Int32Array(size);
      stamps.set(this.stamps);
      this.parent = parent;
      this.stamps = stamps;
    }
    const { parent, stamps } = this;
    if (stamps[byte] !== this.stamp) {
      stamps[byte] = this.stamp;
      parent[byte] = byte;
      return byte;
    }
    let root = byte;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]];
      root = parent[root];
    }
    return root;
  }

  /** The positions of each part in which some condition does not hold under the hint. */
  private violatedParts(constraints: readonly ExprRef[], lastViolated: number): number[][] {
    const { arena, loaded } = this;
    const parts: number[][] = [];
    const roots: number[] = [];
    const unsupported: number[] = [];
    for (let i = lastViolated; i >= 0; i--) {
      const support = arena.support(constraints[i]);
      if (loaded.holds(constraints[i])) continue;
      if (support.length === 0) {
        unsupported.push(i);
        continue;
      }
      const root = this.find(support[0]);
      if (!roots.includes(root)) {
        roots.push(root);
        parts.push([]);
      }
    }
    // A false condition over no byte at all is a part of its own.
    if (unsupported.length > 0) return [unsupported];
    for (let i = 0; i < constraints.length; i++) {
      const support = arena.support(constraints[i]);
      const part = support.length === 0 ? -1 : roots.indexOf(this.find(support[0]));
      if (part >= 0) parts[part].push(i);
    }
    return parts;
  }

  private solveParts(query: Query, parts: readonly number[][]): Verdict {
    let model: Model | null = null;
    let unknown: UnknownReason | null = null;
    for (const part of parts) {
      this.asked++;
      const constraints = part.map((position) => query.constraints[position]);
      const verdict = this.next.solve({ ...query, constraints, hint: model ?? query.hint });
      // A contradiction in one part outweighs not knowing about another.
      if (verdict.kind === "unsat") return { kind: "unsat", core: verdict.core.map((place) => part[place]) };
      if (verdict.kind === "unknown") unknown = verdict.reason;
      else model = verdict.model;
    }
    if (unknown !== null) return { kind: "unknown", reason: unknown };
    const result = this.extended(query);
    if (model !== null) result.set(model);
    return { kind: "sat", model: result };
  }
}
