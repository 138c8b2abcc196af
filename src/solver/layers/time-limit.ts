// A question's time, from here on for all layers together: each of them may ask the core, more than once, and each time the core would
// have all of it. The layers before are cheap but for the sets of values that they make, whose time byte-domains.ts begins.

import type { Query, Solver, Verdict } from "../solver.js";

export class TimeLimitLayer implements Solver {
  constructor(
    private readonly timeMs: number,
    private readonly next: Solver,
  ) {}

  solve(query: Query): Verdict {
    const ownMs = performance.now() + this.timeMs;
    const { deadlineMs = Number.POSITIVE_INFINITY } = query;
    return this.next.solve(deadlineMs <= ownMs ? query : { ...query, deadlineMs: ownMs });
  }
}
