// A sample of the queries of an exploration, each with the verdict that our solver gave: of all different queries every one
// is as likely to be in it (reservoir sampling, Vitter's Algorithm R), so that the many queries near the start of a long
// exploration do not crowd out the hard ones at its end. They are kept as references into the arena.

import type { ExprArena } from "../../src/expr/arena.js";
import type { ExprRef } from "../../src/expr/ops.js";
import type { Query, Solver, Verdict } from "../../src/solver/solver.js";
import type { Random } from "../../src/support/random.js";

export interface SampledQuery {
  readonly constraints: readonly ExprRef[];
  readonly verdict: Verdict;
}

export class QuerySample implements Solver {
  readonly queries: SampledQuery[] = [];
  /** Queries, and different ones among them. */
  asked = 0;
  distinct = 0;
  private readonly seen = new Set<number>();
  private readonly generation: number;

  constructor(
    private readonly inner: Solver,
    private readonly arena: ExprArena,
    private readonly room: number,
    private readonly random: Random,
  ) {
    this.generation = arena.generation;
  }

  /** References are good as long as the arena was not collected. */
  get isValid(): boolean {
    return this.arena.generation === this.generation;
  }

  solve(query: Query): Verdict {
    const verdict = this.inner.solve(query);
    this.asked++;
    const key = hashOf(query.constraints);
    if (this.seen.has(key)) return verdict;
    this.seen.add(key);
    this.distinct++;
    const place = this.distinct <= this.room ? this.distinct - 1 : this.random.next() % this.distinct;
    // The caller may use the list of constraints, and whoever runs the model its bytes, again.
    if (place < this.room) this.queries[place] = { constraints: query.constraints.slice(), verdict: copyOf(verdict) };
    return verdict;
  }
}

function copyOf(verdict: Verdict): Verdict {
  if (verdict.kind === "sat") return { kind: "sat", model: verdict.model.slice() };
  if (verdict.kind === "unsat") return { kind: "unsat", core: verdict.core.slice() };
  return verdict;
}

/** Two queries of the same hash count as one, which loses one in many millions. */
function hashOf(constraints: readonly ExprRef[]): number {
  let low = constraints.length;
  let high = 0x9e37_79b9;
  for (let i = 0; i < constraints.length; i++) {
    low = Math.imul(low ^ constraints[i], 0x85eb_ca6b);
    low ^= low >>> 13;
    high = Math.imul(high + constraints[i], 0xc2b2_ae35) ^ (high >>> 15);
  }
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0);
}
