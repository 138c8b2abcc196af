// What a SAT solver is to the rest: it takes the clauses of a cone, literals to assume and starting phases, and says one of
// three things. Two stand behind it: quick-sat.ts for the many easy queries, cadical.ts for the few hard ones.

import type { ClauseArena } from "../blast/clauses.js";

export type SatOutcome = "sat" | "unsat" | "conflicts" | "time";

export interface SatLimits {
  readonly conflicts: number;
  /** By the clock of `performance.now`. */
  readonly deadlineMs: number;
}

export interface SatCore {
  /** Which of the `assumptions` contradict each other with the clauses, by place; after "unsat". */
  readonly failed: number[];
  solve(clauses: ClauseArena, assumptions: readonly number[], phases: Uint8Array, limits: SatLimits): SatOutcome;
  /** 1 or 0; after "sat". */
  value(variable: number): number;
}
