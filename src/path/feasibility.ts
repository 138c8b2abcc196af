// Asking whether a path can be taken: the conditions that share input bytes with the question go to the solver, the
// rest is known to hold (some run satisfied them) and cannot be touched by the answer. Keeps the accounts: how many
// questions, how they ended, how much time went into those that were unsatisfiable.

import type { ExprRef } from "../expr/ops.js";
import type { Model, Query, Solver, Verdict } from "../solver/solver.js";
import type { PathConditions } from "./path-conditions.js";

/** A question on the side gets no more time than this. */
const MOST_APART_MS = 250;

export interface SolverAccounts {
  queries: number;
  satisfiable: number;
  unsatisfiable: number;
  unknown: number;
  timeMs: number;
  unsatisfiableTimeMs: number;
  /** Checks that were not asked at once: their failing sides are pending. */
  checksPutOff: number;
}

export function emptyAccounts(): SolverAccounts {
  return {
    queries: 0,
    satisfiable: 0,
    unsatisfiable: 0,
    unknown: 0,
    timeMs: 0,
    unsatisfiableTimeMs: 0,
    checksPutOff: 0,
  };
}

export class Feasibility {
  readonly accounts = emptyAccounts();
  /** When the last question was answered: reading the clock is not free, and many want to know the time. */
  answeredMs = 0;
  /** No answer is of use after this moment, by the same clock. */
  endsMs = Number.POSITIVE_INFINITY;
  /** Places among the conditions of the last question's conditions, without the question itself. */
  private asked: readonly number[] = [];

  constructor(
    private readonly conditions: PathConditions,
    private readonly solver: Solver,
    readonly now: () => number,
  ) {}

  /** Whether `goal` can hold, within this time, together with all conditions of the current path. */
  ask(goal: ExprRef, hint: Model, mostMs = Number.POSITIVE_INFINITY): Verdict {
    const began = this.now();
    const { positions, constraints } = this.conditions.slice(goal);
    constraints.push(goal);
    this.asked = positions;
    return this.solve(this.queryOf(constraints, hint, began, mostMs), began);
  }

  /** Whether these can hold together, whatever the path is; nobody asks for the core of it. */
  askApart(constraints: readonly ExprRef[], hint: Model): Verdict {
    const began = this.now();
    return this.solve(this.queryOf(constraints, hint, began, MOST_APART_MS), began);
  }

  private solve(query: Query, began: number): Verdict {
    const { accounts } = this;
    const verdict = this.solver.solve(query);
    this.answeredMs = this.now();
    const spent = this.answeredMs - began;
    accounts.queries++;
    accounts.timeMs += spent;
    if (verdict.kind === "sat") accounts.satisfiable++;
    else if (verdict.kind === "unknown") accounts.unknown++;
    else {
      accounts.unsatisfiable++;
      accounts.unsatisfiableTimeMs += spent;
    }
    return verdict;
  }

  private queryOf(
    constraints: readonly ExprRef[],
    hint: Model,
    nowMs: number,
    mostMs = Number.POSITIVE_INFINITY,
  ): Query {
    const leftMs = Math.min(this.endsMs - nowMs, mostMs);
    if (leftMs === Number.POSITIVE_INFINITY) return { constraints, hint };
    // Our clock may be another one than the solver's.
    return { constraints, hint, deadlineMs: performance.now() + leftMs };
  }

  /** The earlier decisions (positions on the path) that contradict the last question, from the verdict's core. */
  coreDecisions(core: readonly number[]): number[] {
    const decisions = core.filter((i) => i < this.asked.length).map((i) => this.conditions.decisionOf(this.asked[i]));
    return decisions.sort((a, b) => a - b);
  }
}
