// One function explored with goals: conditions of its callees that are to be met at their calls. A path's other side at a goal is taken
// before all else. What fails is a failure of this function, whether a goal led there or not; goals that no path could meet are told with
// what was against them; and from such conflicts interpolants are learned, assumed at the function's entry, and the function is
// explored again (FOCAL, "Refinement").

import type { EngineEvent } from "../../engine/events.js";
import type { GuidedExploration } from "../../engine/guided-exploration.js";
import { namesIn } from "../../engine/image-names.js";
import type { BranchPlace } from "../../engine/options.js";
import type { UnitExecutor } from "../../engine/unit-executor.js";
import type { ProgramImage } from "../../jit/image.js";
import type { SiteId } from "../../path/observer.js";
import type { PendingId } from "../../path/pending-table.js";
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
  private distances: CoverageDistance | null = null;
  /** Pending sides of goals that are still to be asked for, or run. */
  private readonly waiting = new Set<PendingId>();

  constructor(
    private readonly image: ProgramImage,
    private readonly goals: CallGoals,
  ) {
    const count = goals.conditions.length;
    this.conflicts = Array.from({ length: count }, () => []);
    this.contradicted = new Array<number>(count).fill(0);
    this.against = Array.from({ length: count }, () => []);
  }

  distance(site: SiteId, side: number): number {
    if (this.goals.conditions.length === 0) return Number.POSITIVE_INFINITY;
    this.distances ??= new CoverageDistance(this.image, entriesOpen(this.image, this.goals));
    return this.distances.of(site, side, 0);
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
        if (guided.pursue(id)) this.waiting.add(id);
      }
    }
  }

  /** Some goal's other side is still to be asked for. */
  get isWaiting(): boolean {
    return this.waiting.size > 0;
  }

  /** For whoever asks `isWaiting`: what the engine says. */
  happened(event: EngineEvent): void {
    if (event.kind === "revived" || event.kind === "infeasible" || event.kind === "unknown") {
      this.waiting.delete(event.pending);
    }
  }

  infeasible({ site }: BranchPlace, core: readonly BranchPlace[]): void {
    const goal = this.goals.goalAt(site);
    if (goal === null) return;
    this.contradicted[goal]++;
    this.against[goal] = core.map((place) => place.site);
  }
}

/** Everything is covered but the entries of the functions that goals are at, and the lines that are to fail. */
function entriesOpen(image: ProgramImage, { conditions }: CallGoals): Uint8Array {
  const names = namesIn(image);
  const covered = new Uint8Array(image.coverage.length).fill(1);
  for (const { function: wanted, target } of conditions) {
    for (const entry of names.blocksOf(wanted).slice(0, 1)) covered[entry] = 0;
    for (const block of names.blocksAt(`${target.file}:${target.line}`)) covered[block] = 0;
  }
  return covered;
}

/** An input of one executor as that of another that has the same input objects. */
export function sameInput(from: Pick<UnitExecutor, "space">, to: Pick<UnitExecutor, "modelOf">, input: Model): Model {
  return to.modelOf(from.space.valuesOf(input));
}
