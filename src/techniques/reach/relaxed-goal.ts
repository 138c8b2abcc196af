// An input for a side of a branch that the path so far excludes: as many of the path's conditions as possible are kept, and those that
// contradict the goal are given up, core by core. What comes out leaves the path at the decisions that were given up, with the bytes that
// the goal asks for already in place; to take just the other side of one decision would leave it to chance what these bytes become.

import type { ExprRef } from "../../expr/ops.js";
import type { Model, Solver } from "../../solver/solver.js";

/** Contradictions that are given up for one goal. */
const MOST_CORES = 12;

/** Null if there is none, or none was found. */
export function relaxedInput(
  solver: Solver,
  conditions: readonly ExprRef[],
  goal: ExprRef,
  hint: Model,
  deadlineMs: number,
): Model | null {
  let kept = conditions;
  for (let cores = 0; cores <= MOST_CORES && performance.now() < deadlineMs; cores++) {
    const verdict = solver.solve({ constraints: [...kept, goal], hint, deadlineMs });
    if (verdict.kind === "sat") return verdict.model;
    if (verdict.kind === "unknown") return null;
    const given = new Set(verdict.core);
    const fewer = kept.filter((_, at) => !given.has(at));
    if (fewer.length === kept.length) return null;
    kept = fewer;
  }
  return null;
}
