// One function explored with goals: conditions of its callees that are to be met at their calls. A path's other side at a goal is taken
// before all else. What fails is a failure of this function, whether a goal led there or not; goals that no path could meet are told with
// what was against them; and from such conflicts interpolants are learned, assumed at the function's entry, and the function is
// explored again (FOCAL, "Refinement").

import type { GuidedExploration } from "../../engine/guided-exploration.js";
import type { BranchPlace } from "../../engine/options.js";
import type { UnitExecutor } from "../../engine/unit-executor.js";
import type { ProgramImage } from "../../jit/image.js";
import type { SiteId } from "../../path/observer.js";
import type { Model } from "../../solver/solver.js";
import { CoverageDistance } from "../coverage-distance.js";
import type { UnitGuidance } from "../unit/explore-unit.js";
import type { CallGoals } from "./call-goals.js";

/** Of one goal: inputs whose runs asked for it in vain, for what is learned from them. */
const MOST_CONFLICTS = 3;
/** Pursued in one run. */
const MOST_PURSUED = 32;
/** Failures of one line, each by another path: the formula of a failure is their disjunction. */
const FAILURES_A_LINE = 3;

/** Steers an exploration to goals, and remembers what became of them. */
export class GoalGuidance implements UnitGuidance {
  readonly perLine = FAILURES_A_LINE;
  /** By goal: inputs of runs in which it was asked for and not met. */
  readonly conflicts: Model[][];
  /** By goal: pending sides that were asked for and are infeasible. */
  readonly contradicted: number[];
  /** The last contradiction of a goal: the sites of the decisions that are against it. */
  readonly against: (readonly SiteId[])[];
  private readonly distances: CoverageDistance;

  constructor(
    image: ProgramImage,
    private readonly goals: CallGoals,
  ) {
    const count = goals.conditions.length;
    this.conflicts = Array.from({ length: count }, () => []);
    this.contradicted = new Array<number>(count).fill(0);
    this.against = Array.from({ length: count }, () => []);
    this.distances = new CoverageDistance(image, entriesOpen(image, goals));
  }

  distance(site: SiteId, side: number): number {
    return this.goals.conditions.length === 0 ? Number.POSITIVE_INFINITY : this.distances.of(site, side, 0);
  }

  runFinished(guided: GuidedExploration): void {
    const run = guided.finishedRun();
    if (run === null || this.goals.conditions.length === 0) return;
    let count = 0;
    for (const { site, taken, pending } of run.decisions) {
      const goal = this.goals.goalAt(site);
      if (goal === null || taken) continue;
      for (const id of pending) {
        if (count++ >= MOST_PURSUED || this.goals.states[goal].met > 0) continue;
        if (this.conflicts[goal].length < MOST_CONFLICTS) this.conflicts[goal].push(run.input.slice());
        guided.pursue(id);
      }
    }
  }

  infeasible({ site }: BranchPlace, core: readonly BranchPlace[]): void {
    const goal = this.goals.goalAt(site);
    if (goal === null) return;
    this.contradicted[goal]++;
    this.against[goal] = core.map((place) => place.site);
  }
}

/** Everything is covered but the entries of the functions that goals are at. */
function entriesOpen(image: ProgramImage, { conditions }: CallGoals): Uint8Array {
  const wanted = new Set(conditions.map((condition) => condition.function));
  const covered = new Uint8Array(image.coverage.length).fill(1);
  image.coverage.forEach(({ functionIndex }, block) => {
    if (!wanted.delete(functionIndex)) return;
    covered[block] = 0;
  });
  return covered;
}

/** Where a run's input has been for an executor of the same unit. */
export function sameInput(from: UnitExecutor, to: UnitExecutor, input: Model): Model {
  return to.modelOf(from.space.valuesOf(input));
}
