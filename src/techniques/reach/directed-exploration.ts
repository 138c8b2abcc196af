// One exploration that starts at one input and heads for a target (KATCH, III-C): greedy steps towards it, and where one is
// infeasible because of what the path has decided before, back to that decision and on its other side (informed path regeneration).
//
// Before it goes back to a single decision, whose other side says little about the input, it asks for an input that has what the near side
// wants and gives up all decisions that contradict it (relaxed-goal.ts).
//
// Departure: the paper executes a batch of instructions before it chooses again; our runs go to their end, which is the longest
// look-ahead there is. A condition that held already on the path (a comparison inside strcmp decided it) is no pending path at all; the
// decision that it repeats is then the one to go back to.

import { GuidedExploration } from "../../engine/guided-exploration.js";
import type { BranchPlace } from "../../engine/options.js";
import { executorOfTest, type ProgramExecutor } from "../../engine/program-executor.js";
import type { EngineStatistics } from "../../engine/statistics.js";
import type { ExprRef } from "../../expr/ops.js";
import type { InputValue } from "../../inputs/input-value.js";
import type { TestInput } from "../../inputs/test-input.js";
import type { ProgramImage } from "../../jit/image.js";
import type { SiteId } from "../../path/observer.js";
import { NO_PENDING, type PendingId } from "../../path/pending-table.js";
import {
  type AbsoluteRow,
  type ExecutionTree,
  NO_ROW,
  NO_SEGMENT,
  ROW,
  type RowIndex,
  type SegmentId,
  TAKEN,
} from "../../path/tree.js";
import { UNREACHED } from "../../program/graph/graph-queries.js";
import type { BlockNumber } from "../../program/graph/program-graph.js";
import { assembleSolver } from "../../solver/chain.js";
import type { Model, Solver } from "../../solver/solver.js";
import { Random } from "../../support/random.js";
import { relaxedInput } from "./relaxed-goal.js";
import { type BlockDistance, TargetSearcher } from "./target-searcher.js";

export interface DirectedOptions {
  /** By block: branches from it to the target. */
  readonly distances: Int32Array;
  readonly timeMs: number;
  readonly instructionsPerPath: number;
  readonly heapBytes: number;
  readonly solverQueryMs: number;
  readonly memoryBytes: number;
  readonly randomSeed: number;
  /** Informed path regeneration. */
  readonly regenerates: boolean;
  readonly abort: { readonly aborted: boolean };
}

/** A run that executed blocks that no run of this exploration had executed before. */
export interface DirectedStep {
  readonly values: readonly InputValue[];
  readonly newBlocks: readonly number[];
  /** It came of a decision that was gone back to. */
  readonly isRegenerated: boolean;
}

/** A greedy step that cannot be taken. */
export interface Contradiction {
  readonly site: SiteId;
  /** Branches from the side that could not be taken to the target. */
  readonly distance: number;
  /** The decisions that contradict it. */
  readonly core: readonly SiteId[];
}

/** A decision by its place in the tree; rows move when a run ends, segments may vanish. */
interface Decider {
  readonly site: SiteId;
  readonly segment: SegmentId;
  readonly serial: number;
  readonly offset: RowIndex;
}

/** The side of a decision that a path excludes, though it leads to the target. */
interface Wish {
  readonly site: SiteId;
  readonly entered: BlockNumber;
  readonly distance: number;
  /** What holds on that side. */
  readonly goal: ExprRef;
  /** Decisions before it. */
  readonly position: number;
}

/** A decision is gone back to so often for the same reason. */
const MOST_RETURNS = 8;
/** Wishes of one run that are looked into, and those for one side altogether. */
const MOST_WISHES = 3;
const MOST_WISHES_FOR_A_SIDE = 6;
const MOST_WISHES_KEPT = 4096;

export class DirectedExploration {
  readonly executor: ProgramExecutor;
  /** Blocks that were the other side of a decision on input: what lies there is a question for the solver. */
  readonly offered = new Set<number>();
  /** The nearest contradictions, by site. */
  readonly contradictions = new Map<SiteId, Contradiction>();
  private readonly exploration: GuidedExploration;
  private readonly searcher: TargetSearcher;
  private readonly distance: BlockDistance;
  /** The first decision of the current run for each condition. */
  private readonly deciders = new Map<ExprRef, Decider>();
  /** Pending paths that would undo what keeps a near side from being taken. */
  private undo: { readonly decider: Decider; readonly distance: number; readonly site: SiteId }[] = [];
  private readonly returns = new Map<number, number>();
  private wishes: Wish[] = [];
  /** Wishes granted so far, by side; and inputs made of them. */
  private readonly granted = new Map<string, number>();
  private readonly wished = new Set<string>();
  private readonly solver: Solver;

  constructor(
    private readonly image: ProgramImage,
    module: WebAssembly.Module,
    test: TestInput,
    private readonly options: DirectedOptions,
  ) {
    const { heapBytes, randomSeed, timeMs, memoryBytes, instructionsPerPath, solverQueryMs, abort } = options;
    this.executor = executorOfTest(image, test, { heapBytes, seed: randomSeed }, module);
    const { distances } = options;
    this.distance = (block) => {
      const known = block < 0 ? UNREACHED : distances[block];
      return known === UNREACHED ? Number.POSITIVE_INFINITY : known;
    };
    const solver = assembleSolver(this.executor.arena, { timeMs: solverQueryMs });
    this.solver = solver;
    const seed = this.executor.space.seed(test.values);
    solver.offer(seed);
    const random = new Random(randomSeed);
    let made: TargetSearcher | null = null;
    this.exploration = new GuidedExploration(this.executor, {
      solver,
      searcher: ({ tree }) => {
        made = new TargetSearcher(tree, random, (id) => this.entered(tree, id), this.distance);
        return made;
      },
      checks: "off",
      seeds: [seed],
      limits: { timeMs, memoryBytes, instructionsPerPath, timePerRunMs: Math.max(1000, timeMs / 4) },
      random,
      abort,
      listeners: [
        {
          decision: (site, kind, holds, position, row) => this.decision(site, kind, holds, position, row),
          infeasible: (goal, core) => this.infeasible(goal, core),
        },
      ],
    });
    this.searcher = made as unknown as TargetSearcher;
  }

  /** Runs until the time is up, nothing is pending, or `watch` says that it is enough. */
  run(watch: (step: DirectedStep) => boolean): EngineStatistics {
    const events = this.exploration.explore();
    for (;;) {
      const next = events.next();
      if (next.done === true) return next.value;
      const event = next.value;
      if (event.kind !== "run-finished") continue;
      this.goBack();
      this.grantWishes(event.input);
      this.deciders.clear();
      const { newBlocks, objects } = event.outcome;
      if (newBlocks.length === 0) continue;
      const values = this.executor.space.valuesOfRun(event.input, objects);
      const isRegenerated = this.searcher.latestWasPreferred || event.origin === "assumption";
      if (watch({ values, newBlocks, isRegenerated })) {
        events.return?.(this.statistics());
        return this.statistics();
      }
    }
  }

  private statistics(): EngineStatistics {
    return this.exploration.engine.statistics();
  }

  private get tree(): ExecutionTree {
    return this.exploration.engine.tree;
  }

  /** The block that a pending path enters. */
  private entered(tree: ExecutionTree, id: PendingId): BlockNumber {
    const block = this.blockOf(tree, id);
    if (block >= 0) this.offered.add(block);
    return block;
  }

  private blockOf(tree: ExecutionTree, id: PendingId): BlockNumber {
    const site = tree.siteOf(id);
    const known = this.image.sites[site];
    if (known === undefined) return -1;
    const kind = tree.kindOf(id);
    // A branch's successors are (then, else), and its sides (false, true).
    if (kind === ROW.branch) return known.successors[1 - tree.sideOf(id)] ?? -1;
    if (kind !== ROW.alternative) return -1;
    return known.successors[this.executor.host.switchTarget(site, tree.ref[tree.rowOf(id)])] ?? -1;
  }

  /** Of every decision of every run; most are far from everything. */
  private decision(site: SiteId, kind: number, holds: ExprRef, position: number, row: AbsoluteRow): void {
    if (row !== NO_ROW) {
      if (!this.deciders.has(holds)) this.deciders.set(holds, this.deciderAt(site, row));
      return;
    }
    const known = this.image.sites[site];
    const code = kind & ~TAKEN;
    if ((code !== ROW.branch && code !== ROW.choose) || known === undefined || !this.options.regenerates) return;
    // It held already: whatever decided it stands in the way of the other sides, of which the nearest counts.
    const others = code === ROW.choose ? known.successors : [known.successors[(kind & TAKEN) === 0 ? 0 : 1] ?? -1];
    let distance = Number.POSITIVE_INFINITY;
    let entered = -1;
    for (const block of others) {
      this.offered.add(block);
      if (this.distance(block) >= distance) continue;
      distance = this.distance(block);
      entered = block;
    }
    if (entered >= 0) {
      const goal = code === ROW.choose ? this.caseEntering(site, entered) : this.not(holds);
      if (goal !== null) this.wish({ site, entered, distance, goal, position });
    }
    const decider = this.deciders.get(holds);
    if (decider === undefined || distance === Number.POSITIVE_INFINITY) return;
    this.undo.push({ decider, distance, site });
    this.note({ site, distance, core: [decider.site] });
  }

  /** After a run: the decisions that keep the nearest sides from being taken are to be decided otherwise. */
  private goBack(): void {
    const { undo } = this;
    if (undo.length === 0) return;
    this.undo = [];
    undo.sort((a, b) => b.distance - a.distance);
    const { tree } = this;
    for (const { decider, site } of undo.slice(-MOST_RETURNS)) {
      const { segment, serial, offset } = decider;
      if (tree.serial[segment] !== serial || offset >= tree.length[segment]) continue;
      this.preferOther(tree.at(segment, offset), site, decider.site);
    }
  }

  /** What the switch that is being decided wants for a successor; null if that is where it goes. */
  private caseEntering(site: SiteId, entered: BlockNumber): ExprRef | null {
    const { host } = this.executor;
    const { successors } = this.image.sites[site];
    for (const other of host.otherCases) if (successors[host.switchTarget(site, other)] === entered) return other;
    return null;
  }

  private not(condition: ExprRef): ExprRef {
    return this.exploration.engine.recorder.negations.of(condition);
  }

  /** A long run excludes the same side again and again: of very many the nearest are kept. */
  private wish(wish: Wish): void {
    const { wishes } = this;
    if (wishes.push(wish) < MOST_WISHES_KEPT) return;
    wishes.sort((a, b) => a.distance - b.distance);
    wishes.length = MOST_WISHES_KEPT / 8;
  }

  /** After a run, while its conditions are known: the nearest of the sides that it excluded are wished for. */
  private grantWishes(input: Model): void {
    const { wishes } = this;
    if (wishes.length === 0) return;
    this.wishes = [];
    const { recorder } = this.exploration.engine;
    if (!recorder.isOnNewGround) return;
    wishes.sort((a, b) => a.distance - b.distance);
    let granted = 0;
    for (const wish of wishes) {
      if (granted === MOST_WISHES) break;
      if (this.grant(wish, input)) granted++;
    }
  }

  /** With the conditions of the path that excludes it at hand. */
  private grant({ site, entered, goal, position }: Wish, hint: Model): boolean {
    const { conditions, feasibility } = this.exploration.engine.recorder;
    const side = `${site} ${entered}`;
    const times = this.granted.get(side) ?? 0;
    if (times >= MOST_WISHES_FOR_A_SIDE) return false;
    const slice = conditions.slice(goal);
    const before = slice.constraints.filter((_, at) => conditions.decisionOf(slice.positions[at]) < position);
    const input = relaxedInput(this.solver, before, goal, hint, Math.min(feasibility.endsMs, performance.now() + 500));
    this.granted.set(side, times + 1);
    if (input === null) return false;
    const key = Buffer.from(input).toString("latin1");
    if (this.wished.has(key)) return false;
    this.wished.add(key);
    // Run before anything else, and told from tests by its origin.
    this.exploration.engine.addSeed(input, "assumption");
    return true;
  }

  private deciderAt(site: SiteId, row: AbsoluteRow): Decider {
    const { tree } = this;
    const segment = this.exploration.engine.recorder.toldSegment;
    return { site, segment, serial: tree.serial[segment], offset: (row - tree.start[segment]) as RowIndex };
  }

  private infeasible(goal: BranchPlace, core: readonly BranchPlace[]): void {
    const { tree, searcher } = this;
    const id = searcher.latest;
    const distance = id === NO_PENDING ? Number.POSITIVE_INFINITY : this.distance(this.blockOf(tree, id));
    if (distance === Number.POSITIVE_INFINITY) return;
    this.note({ site: goal.site, distance, core: core.map(({ site }) => site) });
    if (!this.options.regenerates) return;
    const row = tree.rowOf(id);
    const wanted = this.exploration.engine.recorder.conditions.otherSide(row);
    const entered = this.blockOf(tree, id);
    this.grant({ site: goal.site, entered, distance, goal: wanted, position: goal.position }, tree.hint(id));
    // The latest goes last, and is therefore taken first.
    for (const { position, site } of core) {
      const row = rowAt(tree, id, position);
      if (row !== NO_ROW) this.preferOther(row, goal.site, site);
    }
  }

  private preferOther(row: AbsoluteRow, goal: SiteId, by: SiteId): void {
    const { tree } = this;
    const pending: PendingId = tree.pendingAt(row);
    if (pending === NO_PENDING) return;
    const key = goal * 0x10_0000 + by;
    const times = this.returns.get(key) ?? 0;
    if (times >= MOST_RETURNS * 8) return;
    if (this.searcher.prefer(pending)) this.returns.set(key, times + 1);
  }

  private note(contradiction: Contradiction): void {
    const known = this.contradictions.get(contradiction.site);
    if (known === undefined || known.distance > contradiction.distance) {
      this.contradictions.set(contradiction.site, contradiction);
    }
  }
}

/** The row of the decision at a position of the path that leads to a pending one. */
function rowAt(tree: ExecutionTree, id: PendingId, position: number): AbsoluteRow {
  let segment = tree.pending.segment[id];
  while (segment !== NO_SEGMENT && tree.base[segment] > position) segment = tree.parent[segment];
  return segment === NO_SEGMENT ? NO_ROW : tree.at(segment, tree.rowAt(segment, position));
}
