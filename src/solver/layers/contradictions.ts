// Contradictions seen before: a query that contains one is unsatisfiable, however long it is (half of KLEE's counterexample
// cache). A contradiction is filed under its newest constraint, so that a query finds all that it might contain by looking at
// each of its constraints once.

import type { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import type { Query, Solver, Verdict } from "../solver.js";

/** Contradictions beyond which all are forgotten. */
const MAX_CORES = 1 << 16;
/** Larger ones are rarely met again. */
const MAX_CORE_SIZE = 64;
/** How many are looked at under one constraint: a bound on the time of a query. */
const MAX_LOOKS = 64;

export class ContradictionLayer implements Solver {
  reused = 0;
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
    private readonly next: Solver,
  ) {
    this.generation = arena.generation;
  }

  solve(query: Query): Verdict {
    if (this.arena.generation !== this.generation || this.cores.length >= MAX_CORES) this.forget();
    const { constraints } = query;
    const core = this.find(constraints);
    if (core !== null) {
      this.reused++;
      return { kind: "unsat", core };
    }
    const verdict = this.next.solve(query);
    if (verdict.kind === "unsat") this.file(verdict.core.map((place) => constraints[place]));
    return verdict;
  }

  private find(constraints: readonly ExprRef[]): number[] | null {
    const stamp = ++this.stamp;
    for (let i = 0; i < constraints.length; i++) {
      const ref = constraints[i];
      if (ref >= this.member.length) this.grow(ref);
      this.member[ref] = stamp;
      this.position[ref] = i;
    }
    for (let i = 0; i < constraints.length; i++) {
      let looks = 0;
      for (let at = this.firstCore[constraints[i]]; at !== 0 && looks < MAX_LOOKS; at = this.nextCore[at - 1]) {
        const core = this.cores[at - 1];
        let k = 0;
        while (k < core.length && this.member[core[k]] === stamp) k++;
        if (k === core.length) return Array.from(core, (ref) => this.position[ref]).sort((x, y) => x - y);
        looks++;
      }
    }
    return null;
  }

  private file(core: readonly ExprRef[]): void {
    if (core.length === 0 || core.length > MAX_CORE_SIZE) return;
    let newest = 0;
    for (const ref of core) if (ref > newest) newest = ref;
    this.cores.push(Int32Array.from(core));
    this.nextCore.push(this.firstCore[newest]);
    this.firstCore[newest] = this.cores.length;
  }

  private forget(): void {
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
