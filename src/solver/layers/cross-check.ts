// Asks two solvers everything and stops when they disagree: a wrong "unsat" would silently lose paths, and nothing else
// would notice. "Unknown" agrees with everything. The disputed query is written to a file that the message names.

import type { Query, Solver, Verdict } from "../solver.js";
import type { QueryLog } from "./query-log.js";

export class CrossCheckSolver implements Solver {
  /** Queries on which both had an opinion. */
  compared = 0;

  constructor(
    private readonly first: Solver,
    private readonly second: Solver,
    private readonly log: QueryLog,
  ) {}

  solve(query: Query): Verdict {
    const verdict = this.first.solve(query);
    const other = this.second.solve(query);
    if (verdict.kind === "unknown" || other.kind === "unknown") return verdict;
    this.compared++;
    if (verdict.kind !== other.kind) {
      const path = this.log.write(query, "disputed") ?? "(the log is full)";
      throw new Error(`solver: one says ${verdict.kind}, the other ${other.kind}; the query is in ${path}`);
    }
    return verdict;
  }
}
