// The observer of every exploring run: what the program tells goes to the follower while the ground is known, and to the
// frontier from then on. A condition that already holds on the path, in this form or as a negated negation, is no decision and
// makes no row: a stamp per expression says so in one load.
//
// Invariant: a run tells the same decisions for the same input, so what is skipped once is skipped on every re-run.

import type { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import type { ConditionIndex } from "../solver/condition-index.js";
import type { Model, Solver } from "../solver/solver.js";
import { ByteSignatures } from "./byte-signatures.js";
import { Feasibility } from "./feasibility.js";
import { type Divergence, Follower, STEP } from "./follower.js";
import { Frontier, type FrontierHost, type FrontierOptions, type NewGround } from "./frontier.js";
import { grownInts } from "./growth.js";
import { Negations } from "./negations.js";
import { type CheckKind, NO_SITE, type PathObserver, type PinReason, type SiteId } from "./observer.js";
import { PathConditions } from "./path-conditions.js";
import { NO_PENDING, type PendingId } from "./pending-table.js";
import { RunStopped } from "./run-stopped.js";
import { SettledBytes } from "./settled-bytes.js";
import {
  type AbsoluteRow,
  CLOSED,
  type ExecutionTree,
  FIRST_ROW,
  NO_ROW,
  NO_SEGMENT,
  ROW,
  type RowIndex,
  type SegmentId,
  TAKEN,
} from "./tree.js";
import { UnpinnedQuestions } from "./unpinned-questions.js";

/** Where a run is. */
const GROUND = { known: 0, unknown: 1, explored: 2 } as const;

/** Told of every decision of every exploring run, also on known ground, each once. */
export interface DecisionListener {
  /** A run begins; it is over, and nothing else has run since. */
  begin?(): void;
  end?(): void;
  /**
   * `kind` as in ROW, with TAKEN set if the condition as written is true; `position`: decisions before it on the path. `row` is
   * the decision's row in the tree, of which `knowledge` says what is known of the other side. It is NO_ROW if the condition already
   * held on the path, and if the tree keeps nothing of it because everything further was explored. `isNew`: on new ground.
   */
  decision(site: SiteId, kind: number, holds: ExprRef, position: number, row: AbsoluteRow, isNew: boolean): void;
}

export interface RecorderHost extends FrontierHost {
  /** A run is about to take a pending path. */
  taken(id: PendingId): void;
  /** Instructions of the current run so far. */
  instructionsSoFar(): number;
}

export interface RecorderParts {
  readonly arena: ExprArena;
  readonly tree: ExecutionTree;
  readonly index: ConditionIndex;
  readonly solver: Solver;
  readonly now: () => number;
}

export class Recorder implements PathObserver {
  readonly negations: Negations;
  readonly conditions: PathConditions;
  readonly feasibility: Feasibility;
  readonly unpinned: UnpinnedQuestions;
  readonly frontier: Frontier;
  readonly follower: Follower;
  /** Where decisions on new ground go: the frontier, except while a saved tree is being restored. */
  newGround: NewGround;
  readonly listeners: DecisionListener[] = [];
  /** The segment of the row that listeners are told of; NO_SEGMENT without one. */
  toldSegment: SegmentId = NO_SEGMENT;
  /** What listeners are told of held already on the path: it decides nothing. */
  isTellingImplied = false;
  /** Values concretised, by reason. */
  readonly pins: Partial<Record<PinReason, number>> = {};
  /** Instructions spent on known ground on this run. */
  instructionsOnKnownGround = 0;

  private readonly tree: ExecutionTree;
  private readonly arena: ExprArena;
  private ground: number = GROUND.explored;
  private marks = new Int32Array(1024);
  private stamp = 0;
  private target: PendingId = NO_PENDING;
  /** Told since the run was found to be on explored ground. */
  private exploredDecisions = 0;
  /** The condition under which new ground was entered. */
  private enteredUnder = 0;

  constructor(
    parts: RecorderParts,
    private readonly host: RecorderHost,
    options: FrontierOptions,
  ) {
    this.tree = parts.tree;
    this.arena = parts.arena;
    this.negations = new Negations(parts.arena);
    const [signatures, settled] = [new ByteSignatures(parts.arena), new SettledBytes(parts.arena)];
    this.conditions = new PathConditions(parts.tree, this.negations, parts.index, signatures, settled);
    this.feasibility = new Feasibility(this.conditions, parts.solver, parts.now);
    this.unpinned = new UnpinnedQuestions(parts.arena, parts.tree, this.conditions, this.feasibility, parts.now);
    const { conditions, negations, feasibility, unpinned } = this;
    this.frontier = new Frontier(parts.tree, conditions, negations, feasibility, unpinned, host, options);
    this.newGround = this.frontier;
    this.follower = new Follower(
      parts.tree,
      this.conditions,
      new Evaluator(parts.arena),
      (id) => host.taken(id),
      (condition) => this.mark(condition),
    );
  }

  get bytes(): number {
    return this.marks.byteLength + this.negations.bytes + this.conditions.bytes;
  }

  /** True when this run has made, or is making, rows of its own. */
  get isOnNewGround(): boolean {
    return this.ground === GROUND.unknown;
  }

  /** A run with nothing predicted: a seed. */
  startSeed(input: Model): void {
    this.start(input);
    this.conditions.reset();
    if (this.tree.root !== NO_SEGMENT) {
      this.ground = GROUND.known;
      this.follower.startAlong(input);
    } else if (this.tree.finished) this.ground = GROUND.explored;
    else {
      this.ground = GROUND.unknown;
      this.conditions.enter(this.tree.beginSegment(NO_SEGMENT, FIRST_ROW, 0));
    }
  }

  /** A run on an input that is to follow a pending path. */
  startTowards(id: PendingId, input: Model): void {
    this.start(input);
    const { pending } = this.tree;
    this.target = id;
    this.conditions.moveTo(pending.segment[id], pending.row[id], pending.depth[id]);
    this.ground = GROUND.known;
    this.follower.startTowards(input);
  }

  /**
   * After the run. Null, or why it did not do what was predicted. A run that a limit cut short has done nothing wrong by
   * not arriving.
   */
  finish(input: Model, wasCut = false): Divergence | null {
    for (const listener of this.listeners) listener.end?.();
    if (!wasCut && this.ground === GROUND.known && this.follower.divergence === null) this.endOnKnownGround();
    if (this.tree.recording !== NO_SEGMENT) {
      this.tree.endSegment(input, this.host.instructionsSoFar(), this.conditions.position);
    }
    return this.follower.divergence;
  }

  /**
   * The run was cut short, before `finish`. One that goes on where another was set aside tells nothing when it gets there: it is on new
   * ground if it has come further than that one.
   */
  cutShort(): void {
    const { tree, target } = this;
    if (this.ground !== GROUND.known || target === NO_PENDING || this.follower.divergence !== null) return;
    if (this.host.instructionsSoFar() < tree.instructions[tree.pending.segment[target]]) return;
    if (this.follower.passSetAside()) this.beginNewGround();
  }

  /** The run on new ground was cut short and is to go on another time; before `finish`. Where it goes on is pending. */
  setAside(): PendingId {
    return this.tree.addPending(
      this.tree.addRow(NO_SITE, ROW.fork, 0 as ExprRef, CLOSED.none),
      this.conditions.position,
    );
  }

  branch(site: SiteId, condition: ExprRef, taken: boolean): void {
    const holds = taken ? condition : this.negations.of(condition);
    const kind = taken ? ROW.branch | TAKEN : ROW.branch;
    this.unpinned.taken(site, taken);
    if (this.isRepeated(site, kind, holds)) return;
    if (this.ground === GROUND.unknown || this.onKnownGround(site, kind, holds)) {
      this.tell(site, kind, holds, this.newGround.two(site, kind, holds));
    }
  }

  side(block: number, condition: ExprRef): void {
    if (this.ground === GROUND.unknown) this.frontier.side(block, condition);
  }

  choose(site: SiteId, taken: ExprRef, others: readonly ExprRef[]): void {
    if (this.isRepeated(site, ROW.choose, taken)) return;
    if (this.ground === GROUND.unknown || this.onKnownGround(site, ROW.choose, taken)) {
      this.tell(site, ROW.choose, taken, this.newGround.choose(site, taken, others));
    }
  }

  check(site: SiteId, kind: CheckKind, bad: ExprRef): void {
    const holds = this.negations.of(bad);
    if (this.isRepeated(site, ROW.check, holds)) return;
    if (this.ground === GROUND.unknown || this.onKnownGround(site, ROW.check, holds)) {
      this.tell(site, ROW.check, holds, this.newGround.check(site, kind, bad, holds));
    }
  }

  failing(site: SiteId, _kind: CheckKind, bad: ExprRef): void {
    const kind = ROW.failure | TAKEN;
    if (this.isRepeated(site, kind, bad)) return;
    const isNew = this.ground === GROUND.unknown || this.onKnownGround(site, kind, bad);
    if (isNew && !this.isSentToFail(site, bad)) this.tell(site, kind, bad, this.newGround.two(site, kind, bad));
  }

  /**
   * Whether new ground begins here on the failing side of a check that an earlier run passed: then all is said. The
   * executor may name less than the whole side (a gap between objects); the rest of it, other objects reached by the same
   * mistake, is not explored, because there may be as many as the program has.
   */
  private isSentToFail(site: SiteId, bad: ExprRef): boolean {
    if (this.enteredUnder === bad) return true;
    const { tree } = this;
    const { recording } = tree;
    if (this.conditions.position !== tree.base[recording] || tree.parent[recording] === NO_SEGMENT) return false;
    const left = tree.at(tree.parent[recording], tree.parentRow[recording]);
    return tree.kind[left] === ROW.check && tree.site[left] === site;
  }

  pin(site: SiteId, reason: PinReason, equals: ExprRef): void {
    // As in KLEE: the program asks for some value, and what it does with another one is not explored.
    if (reason === "get-value") {
      this.pins[reason] = (this.pins[reason] ?? 0) + 1;
      this.assume(site, equals, true);
      return;
    }
    this.unpinned.hasPins = true;
    if (this.isRepeated(site, ROW.pin, equals)) return;
    if (this.ground === GROUND.unknown || this.onKnownGround(site, ROW.pin, equals)) {
      this.pins[reason] = (this.pins[reason] ?? 0) + 1;
      this.tell(site, ROW.pin, equals, this.newGround.two(site, ROW.pin, equals));
    }
  }

  assume(site: SiteId, condition: ExprRef, satisfied: boolean): void {
    const holds = satisfied ? condition : this.negations.of(condition);
    const kind = satisfied ? ROW.assume | TAKEN : ROW.assume;
    if (this.isRepeated(site, kind, holds)) {
      if (satisfied) return;
      this.frontier.assumptionsInfeasible++;
      throw new RunStopped(this.unpinned.hasPins ? "assumption" : "contradiction");
    }
    let why: "assumption" | "contradiction" = "assumption";
    const isNew = this.ground === GROUND.unknown || this.onKnownGround(site, kind, holds);
    if (isNew) {
      const row = this.tree.length[this.tree.recording] as RowIndex;
      const { position } = this.conditions;
      if (satisfied) this.newGround.assumed(site, kind, holds);
      else if (this.newGround.violated(site, kind, holds, condition)) why = "contradiction";
      this.tell(site, kind, holds, row, position);
    }
    if (!satisfied) throw new RunStopped(why);
  }

  /** After the arena has moved its nodes: nothing remembered by their places is true any more. */
  forgetExpressions(): void {
    this.negations.clear();
    this.conditions.clear();
    this.unpinned.forgetExpressions();
    this.marks.fill(0);
    this.stamp = 0;
  }

  private start(input: Model): void {
    this.frontier.start(input);
    this.follower.divergence = null;
    this.instructionsOnKnownGround = 0;
    this.target = NO_PENDING;
    this.enteredUnder = 0;
    this.exploredDecisions = 0;
    this.isTellingImplied = false;
    for (const listener of this.listeners) listener.begin?.();
    if (++this.stamp === 0x7fff_ffff) {
      this.marks.fill(0);
      this.stamp = 1;
    }
    this.marks[this.arena.TRUE] = this.stamp;
  }

  private isRepeated(site: SiteId, kind: number, holds: ExprRef): boolean {
    if (holds >= this.marks.length) this.marks = grownInts(this.marks, this.arena.size);
    if (this.marks[holds] !== this.stamp) {
      this.marks[holds] = this.stamp;
      return false;
    }
    if (this.listeners.length > 0) {
      this.isTellingImplied = true;
      this.announce(site, kind, holds, this.decisionsSoFar(), NO_ROW, NO_SEGMENT);
      this.isTellingImplied = false;
    }
    return true;
  }

  /** True if the decision turned out to be the first on new ground and is to be recorded. */
  private onKnownGround(site: SiteId, kind: number, holds: ExprRef): boolean {
    if (this.ground === GROUND.explored) {
      this.tellExplored(site, kind, holds);
      return false;
    }
    switch (this.follower.step(site, kind, holds)) {
      case STEP.followed:
        if (this.listeners.length > 0) this.tellFollowed(site, kind, holds);
        return false;
      case STEP.left:
        this.beginNewGround();
        if (this.listeners.length > 0) this.tellAt(site, kind, holds, this.tree.recording);
        return false;
      case STEP.leftBefore:
        this.beginNewGround();
        return true;
      case STEP.explored:
        this.ground = GROUND.explored;
        this.tellExplored(site, kind, holds);
        return false;
      default:
        throw new RunStopped("diverged");
    }
  }

  private beginNewGround(): void {
    this.ground = GROUND.unknown;
    this.instructionsOnKnownGround = this.host.instructionsSoFar();
    // What is known of the side that was entered without being told.
    const segment = this.tree.recording;
    const parent = this.tree.parent[segment];
    const condition = this.conditions.otherSide(this.tree.at(parent, this.tree.parentRow[segment]));
    this.mark(condition);
    this.enteredUnder = condition;
  }

  /** Known to hold on this run: being told again, it is no decision. */
  private mark(condition: ExprRef): void {
    if (condition >= this.marks.length) this.marks = grownInts(this.marks, this.arena.size);
    this.marks[condition] = this.stamp;
  }

  private endOnKnownGround(): void {
    if (this.target === NO_PENDING) return;
    if (this.follower.end()) this.beginNewGround();
  }

  // ---- telling the listeners

  /** A decision on new ground, recorded in this row of the segment. */
  private tell(
    site: SiteId,
    kind: number,
    holds: ExprRef,
    row: RowIndex,
    position = this.conditions.position - 1,
  ): void {
    if (this.listeners.length === 0) return;
    const { tree } = this;
    this.announce(site, kind, holds, position, tree.at(tree.recording, row), tree.recording, true);
  }

  /** A decision that was followed: it is the row before the next one, or that at which the next segment begins. */
  private tellFollowed(site: SiteId, kind: number, holds: ExprRef): void {
    const { tree, follower } = this;
    const { segment } = follower;
    if (follower.row === tree.start[segment]) return this.tellAt(site, kind, holds, segment);
    this.announce(
      site,
      kind,
      holds,
      follower.position - 1,
      tree.decisionRow((follower.row - 1) as AbsoluteRow),
      segment,
    );
  }

  /** The decision at which a segment leaves its parent. */
  private tellAt(site: SiteId, kind: number, holds: ExprRef, segment: SegmentId): void {
    const { tree } = this;
    const parent = tree.parent[segment];
    const row = tree.decisionRow(tree.at(parent, tree.parentRow[segment]));
    this.announce(site, kind, holds, tree.base[segment] - 1, row, parent);
  }

  /** On ground that was explored before nothing is compared, only told. */
  private tellExplored(site: SiteId, kind: number, holds: ExprRef): void {
    if (this.listeners.length === 0) return;
    this.announce(site, kind, holds, this.decisionsSoFar(), NO_ROW, NO_SEGMENT);
    this.exploredDecisions++;
  }

  private decisionsSoFar(): number {
    return this.ground === GROUND.unknown ? this.conditions.position : this.follower.position + this.exploredDecisions;
  }

  private announce(
    site: SiteId,
    kind: number,
    holds: ExprRef,
    position: number,
    row: AbsoluteRow,
    segment: SegmentId,
    isNew = this.ground === GROUND.unknown && row === NO_ROW,
  ): void {
    this.toldSegment = segment;
    for (const listener of this.listeners) listener.decision(site, kind, holds, position, row, isNew);
  }
}
