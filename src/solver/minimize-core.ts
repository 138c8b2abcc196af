// Makes an unsatisfiable core minimal by leaving out one constraint after the other and asking again; what is still
// unsatisfiable without it was not needed, and the answer's own core may drop more at once. Oldest constraints first: a core
// of late branches says more about where a path went wrong. "Unknown" keeps the constraint.

import type { Query, Solver } from "./solver.js";

/** The core as positions in the query, minimal unless `maxQueries` ran out. */
export function minimizeCore(solver: Solver, query: Query, core: readonly number[], maxQueries = 64): number[] {
  let current = Array.from(core);
  let queries = 0;
  for (let i = 0; i < current.length && queries < maxQueries; ) {
    const without = current.filter((_, k) => k !== i);
    queries++;
    const verdict = solver.solve({
      ...query,
      constraints: without.map((position) => query.constraints[position]),
    });
    if (verdict.kind !== "unsat") {
      i++;
      continue;
    }
    // Those before place i are needed by every core of this set, so they are all still there.
    current = verdict.core.map((place) => without[place]).sort((x, y) => x - y);
  }
  return current;
}
