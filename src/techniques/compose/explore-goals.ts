// One function explored with goals: conditions of its callees that are to be met at their calls. A path's other side at a goal is taken
// before all else. What fails is a failure of this function, whether a goal led there or not; goals that no path could meet are told with
// what was against them; and from such conflicts interpolants are learned, assumed at the function's entry, and the function is
// explored again (FOCAL, "Refinement").
//
// The paper composes formulas instead: a caller is explored first, and what its callees need is asked of the paths that were found, its
// summary. That can be done too, to compare (`leads`): on small programs it finds the same, a tenth later (docs/results/compose.md).

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
/** In the paper's order: of an exploration's time, until conditions are asked for. */
const SUMMARY_SHARE = 0.5;
/** Sides of goals are chosen after all others then. */
const LAST = 1e9;
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
  /** In the paper's order: sides of goals that are asked for when the summary is there, and when that is. */
  private readonly composed: PendingId[] = [];
  private summaryEndsMs = 0;

  /** `leads`: conditions are asked for at calls, at once, and lead the search; else as the paper does. */
  constructor(
    private readonly image: ProgramImage,
    private readonly goals: CallGoals,
    private readonly leads: boolean,
  ) {
    const count = goals.conditions.length;
    this.conflicts = Array.from({ length: count }, () => []);
    this.contradicted = new Array<number>(count).fill(0);
    this.against = Array.from({ length: count }, () => []);
  }

  /** An exploration of its own begins, with pending paths of its own. */
  begin(timeMs: number): void {
    this.composed.length = 0;
    this.waiting.clear();
    this.summaryEndsMs = this.leads ? 0 : performance.now() + timeMs * SUMMARY_SHARE;
  }

  distance(site: SiteId, side: number): number {
    if (this.goals.conditions.length === 0) return Number.POSITIVE_INFINITY;
    if (!this.leads) return this.goals.goalAt(site) === null ? Number.POSITIVE_INFINITY : LAST;
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
        this.composed.push(id);
      }
    }
    if (performance.now() < this.summaryEndsMs) return;
    for (const id of this.composed.splice(0)) if (guided.pursue(id)) this.waiting.add(id);
  }

  /** Some goal's other side is still to be asked for. */
  get isWaiting(): boolean {
    return this.waiting.size + this.composed.length > 0;
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
