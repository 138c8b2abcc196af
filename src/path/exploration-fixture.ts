// The least that can explore: a recorder, a list of pending paths, and a coin. It stands in for the engine, so that this folder
// is tested on its own, and knows what must be true between any two runs:
//
//   every outcome that has not been reached belongs to exactly one pending path, every other to none
//
// because pending paths are sets of inputs, and nothing may be lost or explored twice. Which outcomes belong to a pending
// path is found by evaluating its conditions on one input of each outcome.

import assert from "node:assert/strict";
import { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import { assembleSolver } from "../solver/chain.js";
import { ConditionIndex } from "../solver/condition-index.js";
import type { Model } from "../solver/solver.js";
import { Random } from "../support/random.js";
import {
  type Decision,
  type Departure,
  INPUT_BYTES,
  type InnerNode,
  outcomesOf,
  tellRun,
  walk,
} from "./decision-tree-fixture.js";
import type { Divergence } from "./follower.js";
import type { CheckPolicy, ExplorationMode } from "./frontier.js";
import { NO_MODEL } from "./model-store.js";
import { NO_PENDING, type PendingId } from "./pending-table.js";
import { Recorder, type RecorderHost } from "./recorder.js";
import { RunStopped, type StopReason } from "./run-stopped.js";
import { CLOSED, ExecutionTree, isSegment, ROW, type SegmentId, segmentOf } from "./tree.js";

export interface ExplorationChoices {
  readonly mode: ExplorationMode;
  readonly checks: CheckPolicy;
  readonly maxDepth: number;
  readonly seed: number;
  readonly checkShare?: number;
}
const PLAIN: ExplorationChoices = {
  mode: "pending",
  checks: "eager",
  maxDepth: Number.POSITIVE_INFINITY,
  seed: 1,
};

export interface Run {
  readonly outcome: string;
  readonly divergence: Divergence | null;
  /** Why the observer ended it. */
  readonly stopped: StopReason | null;
}

export class Exploration implements RecorderHost {
  readonly arena = new ExprArena();
  readonly tree = new ExecutionTree();
  readonly recorder: Recorder;
  readonly outcomes: ReadonlyMap<string, Model>;
  /** Outcomes of the runs that were new, in order. */
  readonly reached: string[] = [];
  /** What a searcher would hold, and what is to be run before. */
  readonly waiting: PendingId[] = [];
  readonly known: PendingId[] = [];
  /** Outcomes that nothing pending need lead to: reached, given up, or behind an assumption. */
  readonly settled = new Set<string>();
  /** Whether every block counts as entered. */
  covers = true;
  private chosen: PendingId = NO_PENDING;
  private readonly random: Random;
  private readonly evaluator: Evaluator;
  private readonly choices: ExplorationChoices;

  constructor(
    readonly program: Decision,
    choices: Partial<ExplorationChoices> = {},
  ) {
    this.choices = { ...PLAIN, ...choices };
    this.random = new Random(this.choices.seed);
    this.outcomes = outcomesOf(program);
    this.evaluator = new Evaluator(this.arena);
    const { arena, tree } = this;
    const parts = { arena, tree, index: new ConditionIndex(arena), solver: assembleSolver(arena, {}), now: () => 0 };
    this.recorder = new Recorder(parts, this, this.choices);
  }

  // ---- exploring

  randomInput(): Model {
    const input = new Uint8Array(INPUT_BYTES);
    this.random.fill(input);
    return input;
  }

  runSeed(input: Model): Run {
    this.putBackChosen();
    this.recorder.startSeed(input);
    return this.run(input);
  }

  /** Runs what was run before, with nothing counted; `ended` is called while the segment is open, which is returned. */
  repeat(id: PendingId, input: Model, ended: () => void): SegmentId {
    if (id === NO_PENDING) this.recorder.startSeed(input);
    else this.recorder.startTowards(id, input);
    this.tell(input, [], null);
    const segment = this.tree.recording;
    ended();
    this.recorder.finish(input);
    return segment;
  }

  /** As the engine does before anything else is run: what was chosen instead of the run before can be chosen again. */
  putBackChosen(): void {
    if (this.chosen === NO_PENDING) return;
    this.tree.pending.selectable[this.chosen] = 1;
    this.waiting.push(this.chosen);
    this.chosen = NO_PENDING;
  }

  runTowards(id: PendingId, input: Model, departure: Departure | null = null): Run {
    this.recorder.startTowards(id, input);
    return this.run(input, departure);
  }

  /** Takes one pending path: an input for it is run, or there is none. False if nothing is pending. */
  step(): boolean {
    const id = this.next();
    if (id === NO_PENDING) return false;
    const input = this.inputFor(id);
    if (input === null) {
      this.tree.close(id, CLOSED.infeasible);
      return true;
    }
    const predicted = this.outcomesBelow(id);
    const { outcome, divergence } = this.runTowards(id, input);
    assert.equal(divergence, null);
    assert.ok(predicted.includes(outcome), `${outcome} is none of ${predicted}`);
    return true;
  }

  /** To the end; now and then an input of its own comes in between. */
  finish(seedEvery = Number.POSITIVE_INFINITY): void {
    for (let steps = 1; this.step(); steps++) if (steps % seedEvery === 0) this.runSeed(this.randomInput());
  }

  inputFor(id: PendingId): Model | null {
    const { tree, recorder } = this;
    if (tree.pending.model[id] !== NO_MODEL || tree.kindOf(id) === ROW.fork) return tree.hint(id);
    const goal = this.moveTo(id);
    const verdict = recorder.feasibility.ask(goal, tree.hint(id));
    return verdict.kind === "sat" ? verdict.model : null;
  }

  /** Gives up a pending path, as when memory is short. */
  drop(id: PendingId): void {
    for (const outcome of this.outcomesBelow(id)) this.settled.add(outcome);
    this.taken(id);
    this.tree.close(id, CLOSED.dropped);
  }

  /** Frees every expression that no row of the tree needs; the others get new places. */
  collectExpressions(): void {
    const moved = this.arena.collect(this.tree.conditions());
    this.tree.replaceConditions(moved);
    this.recorder.forgetExpressions();
  }

  private next(): PendingId {
    const id = this.chosen !== NO_PENDING ? this.chosen : (this.known.shift() ?? this.takeWaiting());
    this.chosen = NO_PENDING;
    return id;
  }

  private takeWaiting(): PendingId {
    if (this.waiting.length === 0) return NO_PENDING;
    const [id] = this.waiting.splice(this.random.next() % this.waiting.length, 1);
    this.tree.pending.selectable[id] = 0;
    return id;
  }

  private run(input: Model, departure: Departure | null = null): Run {
    const { recorder } = this;
    const passed: InnerNode[] = [];
    const stopped = this.tell(input, passed, departure);
    const divergence = recorder.finish(input, stopped === "depth");
    const { fresh, freshCount } = recorder.frontier;
    for (let i = 0; i < freshCount; i++) this.waiting.push(fresh[i]);
    const { outcome } = walk(this.program, input);
    if (stopped === "set-aside") this.chosen = recorder.frontier.chosen;
    if (divergence !== null || departure !== null) return { outcome, divergence, stopped };
    // What was passed on the way and is asked nowhere.
    for (const { kind, site } of passed) {
      if (kind === "assume") this.settled.add(`violates ${site}`);
      if (kind === "check" && this.choices.checks === "off") this.settled.add(`fails at ${site}`);
    }
    if (recorder.isOnNewGround && (stopped === null || stopped === "assumption")) {
      this.settled.add(outcome);
      this.reached.push(outcome);
    }
    return { outcome, divergence, stopped };
  }

  private tell(input: Model, passed: InnerNode[], departure: Departure | null): StopReason | null {
    try {
      tellRun(this.program, input, this.arena, this.recorder, passed, departure);
      return null;
    } catch (error) {
      if (error instanceof RunStopped) return error.reason;
      throw error;
    }
  }

  // ---- the recorder's host

  ready(id: PendingId): void {
    this.known.push(id);
  }
  add(id: PendingId): void {
    this.waiting.push(id);
  }
  choose(): PendingId {
    return this.takeWaiting();
  }
  taken(id: PendingId): void {
    for (const list of [this.waiting, this.known]) {
      const place = list.indexOf(id);
      if (place >= 0) list.splice(place, 1);
    }
  }
  guessed(): void {}

  isCovered(): boolean {
    return this.covers;
  }
  isExhausted(): boolean {
    return false;
  }
  instructionsSoFar(): number {
    return 0;
  }

  // ---- what must be true

  /** Makes the path conditions those before a pending path; returns what its own side is. */
  moveTo(id: PendingId): ExprRef {
    const { pending } = this.tree;
    const { conditions } = this.recorder;
    conditions.moveTo(pending.segment[id], pending.row[id], pending.depth[id]);
    const goal = conditions.otherSide(this.tree.rowOf(id));
    return goal === (0 as ExprRef) ? this.arena.TRUE : goal;
  }

  outcomesBelow(id: PendingId): string[] {
    const all = [this.moveTo(id), ...this.currentConditions()];
    return [...this.outcomes].flatMap(([outcome, input]) => {
      this.evaluator.load(input);
      return all.every((condition) => this.evaluator.holds(condition)) ? outcome : [];
    });
  }

  /** All conditions of the path: a question about every byte needs them all. */
  private currentConditions(): readonly ExprRef[] {
    const { arena } = this;
    let sum = arena.variable(0);
    for (let byte = 1; byte < INPUT_BYTES; byte++) sum = arena.binary("add", sum, arena.variable(byte));
    return this.recorder.conditions.slice(arena.binary("eq", sum, arena.constant(8, 77, 0))).constraints;
  }

  livePending(): PendingId[] {
    const { pending } = this.tree;
    return Array.from({ length: pending.end }, (_, id) => id as PendingId).filter((id) => pending.isLive(id));
  }

  /** What is pending, as a text that does not depend on ids: place, what is known, and the outcomes below. */
  frontier(): string[] {
    const { tree } = this;
    const texts = this.livePending().map((id) => {
      const known = tree.pending.model[id] !== NO_MODEL ? `by ${walk(this.program, tree.hint(id)).outcome}` : "open";
      const below = this.outcomesBelow(id).sort().join(", ");
      return `site ${tree.siteOf(id)} kind ${tree.kindOf(id)} depth ${tree.pending.depth[id]} ${known}: ${below}`;
    });
    return texts.sort();
  }

  /** Between two runs. */
  assertSound(): void {
    const owners = new Map<string, number>();
    for (const id of this.livePending()) {
      for (const outcome of this.outcomesBelow(id)) owners.set(outcome, (owners.get(outcome) ?? 0) + 1);
    }
    for (const outcome of this.outcomes.keys()) {
      assert.equal(owners.get(outcome) ?? 0, this.settled.has(outcome) ? 0 : 1, `pending paths to "${outcome}"`);
    }
    this.assertFolded();
  }

  /** The tree names each live id exactly once, ends every segment with an open row, and counts what it holds. */
  private assertFolded(): void {
    const { tree } = this;
    const ids: PendingId[] = [];
    let rows = 0;
    for (const segment of tree.segmentsInOrder()) {
      rows += tree.length[segment];
      for (let row = 0; row < tree.length[segment]; row++) {
        const other = tree.other[tree.start[segment] + row];
        const isOpen = other >= 0 || isSegment(other);
        if (row === tree.length[segment] - 1) assert.ok(isOpen, "a closed row at the end of a segment");
        if (other >= 0) {
          assert.deepEqual([tree.pending.segment[other], tree.pending.row[other]], [segment, row]);
          ids.push(other as PendingId);
        } else if (isOpen) {
          const below = segmentOf(other);
          assert.deepEqual([tree.parent[below], tree.parentRow[below]], [segment, row]);
        }
      }
    }
    assert.deepEqual(ids.sort(compare), this.livePending());
    assert.equal(tree.rows, rows);
    assert.equal(tree.pending.count, ids.length);
  }
}

function compare(a: number, b: number): number {
  return a - b;
}
