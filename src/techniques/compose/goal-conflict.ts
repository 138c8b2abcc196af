// Why a goal could not be met on a path, and what is learned from it. A run that asked for the goal in vain is run once more with its path
// kept: what the goal needs at the call is one side, the path's conditions before the call are the other. The interpolant of the two follows
// from what is needed and contradicts the path: it holds on every way that fails, and excludes the one that was tried. Assumed at the
// function's entry, it leads an exploration to other paths (FOCAL, "Refinement").

import type { RunLimits } from "../../engine/executor.js";
import { QUIET } from "../../engine/finding-ledger.js";
import { divisionSite } from "../../engine/unit-calls.js";
import { summaryOf, type UnitExecutor } from "../../engine/unit-executor.js";
import type { PathStep } from "../../engine/unit-summary.js";
import { exportExpressions, type PortableExprs } from "../../expr/portable.js";
import {
  type ConditionInterpolation,
  DEFAULT_CONDITION_LIMITS,
  interpolateConditions,
} from "../../solver/interpolate-conditions.js";
import type { Model, Solver } from "../../solver/solver.js";
import { leavesOf } from "./call-condition.js";
import type { AskedGoal, CallGoals } from "./call-goals.js";

/** An executor that keeps summaries: of a unit, or of the whole program. */
export type StudiedExecutor = Pick<UnitExecutor, "run" | "arena" | "space" | "image">;

export interface Conflict {
  /** Of the function's input; null if none was found, or it is too large to be of use. */
  readonly interpolant: PortableExprs | null;
  /** Conjuncts of the condition that are contradicted, as indices. */
  readonly needed: readonly number[];
  /** The decisions of the path that contradict them. */
  readonly against: readonly PathStep[];
  /**
   * An input that keeps the path up to the first of those decisions, and has what is needed if the rest of the way computes it as before:
   * a way around the conflict to try; null if there is none.
   */
  readonly around: Model | null;
}

export interface ConflictLimits {
  readonly run: RunLimits;
  readonly interpolationMs: number;
  readonly verify: boolean;
}

/** Null if the run does not ask for the goal, or does not contradict it. `goals`: those of `executor`, which keeps summaries. */
export function conflictOf(
  executor: StudiedExecutor,
  goals: CallGoals,
  goal: number,
  input: Model,
  solver: Solver,
  limits: ConflictLimits,
): Conflict | null {
  const summary = summaryOf(executor.run(input, QUIET, limits.run));
  const asked = goals.asked.find((one) => one.goal === goal);
  if (summary === null || asked === undefined) return null;
  const before = pathBefore(executor, summary.path, asked);
  if (before === null) return null;
  const { arena, space } = executor;
  // What a stub answers is not the caller's to choose.
  const isShared = (variable: number): boolean => {
    const name = space.objectOf(variable)?.name ?? "";
    return !name.includes("stub:") && !name.startsWith("hook:");
  };
  const found: ConditionInterpolation = interpolateConditions(
    arena,
    solver,
    asked.conjuncts.map(({ condition }) => condition),
    before.map(({ condition }) => condition),
    isShared,
    { ...DEFAULT_CONDITION_LIMITS, timeMs: limits.interpolationMs, verify: limits.verify },
  );
  if (found.kind !== "interpolant") {
    return found.kind === "too-large" ? { interpolant: null, needed: [], against: [], around: null } : null;
  }
  const kept = before.slice(0, Math.min(before.length, ...found.against));
  const around = solver.solve({
    constraints: [...asked.conjuncts, ...kept].map(({ condition }) => condition),
    hint: input,
    deadlineMs: performance.now() + limits.interpolationMs,
  });
  return {
    interpolant: exportExpressions(arena, found.conjuncts, leavesOf(space)),
    needed: found.needed.flatMap((n) => (asked.conjuncts[n].part < 0 ? [] : [asked.conjuncts[n].part])),
    against: found.against.map((n) => before[n]),
    around: around.kind === "sat" ? around.model : null,
  };
}

/** The conditions of the path up to where the goal was asked for. */
function pathBefore(
  { image, arena }: StudiedExecutor,
  path: readonly PathStep[],
  { goal, all }: AskedGoal,
): readonly PathStep[] | null {
  const site = divisionSite(image, goal);
  const at = path.findIndex(
    (step) => step.site === site && (step.condition === all || step.condition === arena.not(all)),
  );
  return at < 0 ? null : path.slice(0, at);
}
