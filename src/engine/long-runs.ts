// Long runs wait. A run that loops or recurses without end would be followed to its last limit while thousands of pending
// paths wait; so every run has an allowance, and one that uses it up is set aside: where it stopped is a pending path like
// any other (ROW.fork), with ten times the allowance when it comes up again. Nothing is lost, and nothing is called done.
//
//   allowance   of instructions and of decisions: what the run that saw the branch needed, or what paths of this program
//               usually need if that is more, and some beyond; ten times as much beyond each time that the run comes up
//               again. Decisions count for themselves, because each takes as long as hundreds of plain instructions
//   order       what the searcher holds comes first. What was set aside waits by level (how often it was), and the first
//               of a level has its turn when nothing else is left, or when its level has rested long enough: a long run
//               may be the only way there is, so each level gets a small share of the time, and no more
//
// A searcher around the searcher, so that nobody else need know of it. While a run waits here it cannot be selected: a
// searcher that walks the tree would choose it out of turn.

import { grownDoubles } from "../path/growth.js";
import { NO_SITE } from "../path/observer.js";
import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import { type ExecutionTree, NO_SEGMENT, ROW, type SegmentId } from "../path/tree.js";
import { IdLists } from "../search/id-list.js";
import type { Searcher } from "../search/searcher.js";

/** Each time a run comes up again it may do so many times as much. */
const GROWTH = 10;
/** Of paths that came to their end, in the geometric mean, which one endless path more or less does not move. */
const USUAL_FACTOR = 2;
/** A level rests so many times as long as its next run is expected to take. */
const REST_FACTOR = 8;
/** Of decisions, one for so many instructions. */
const INSTRUCTIONS_A_DECISION = 100;
const WAITS = 1;

/** What paths take of something, and what they may take. */
class Allowance {
  private ended = 0;
  private logs = 0;

  constructor(private readonly first: number) {}

  pathEnded(taken: number): void {
    this.ended++;
    this.logs += Math.log(Math.max(1, taken));
  }

  /** For a run that is known to need so much. */
  beyond(needed: number): number {
    const usual = this.ended === 0 ? 0 : Math.ceil(USUAL_FACTOR * Math.exp(this.logs / this.ended));
    return Math.max(needed, usual) + this.first;
  }

  /** For a run that stopped there, and began where another had stopped. */
  next(stoppedAt: number, begunAt: number): number {
    return stoppedAt + GROWTH * Math.max(this.first, stoppedAt - begunAt);
  }

  /** How often a run had been set aside before. */
  level(stoppedAt: number, begunAt: number): number {
    return Math.log10(Math.max(1, (stoppedAt - begunAt) / this.first));
  }
}

/** Where the run that a segment branches off had stopped. */
function before(taken: ArrayLike<number>, parent: SegmentId): number {
  return parent === NO_SEGMENT ? 0 : taken[parent];
}

export class LongRuns implements Searcher {
  private readonly levels = new IdLists(1);
  private waiting = 0;
  /** By id: whether it waits here, and how many milliseconds it took until it was set aside. */
  private state = new Uint8Array(64);
  private tookMs = new Float64Array(64);
  /** By level: when a run of it was over. */
  private readonly restsSince: number[] = [];
  private runningLevel = -1;
  private startedMs: number;
  private readonly ofInstructions: Allowance;
  private readonly ofDecisions: Allowance;
  /** What the run that has begun may take. */
  decisions = Number.POSITIVE_INFINITY;

  constructor(
    private readonly others: Searcher,
    private readonly tree: ExecutionTree,
    /** Instructions beyond what is known to be needed. */
    first: number,
    private readonly now: () => number,
  ) {
    this.startedMs = now();
    this.ofInstructions = new Allowance(first);
    this.ofDecisions = new Allowance(Math.max(1, Math.floor(first / INSTRUCTIONS_A_DECISION)));
  }

  get size(): number {
    return this.others.size + this.waiting;
  }

  get bytes(): number {
    return this.others.bytes + this.levels.bytes + this.state.byteLength + this.tookMs.byteLength;
  }

  /** Whether it was set aside and waits here. */
  holds(id: PendingId): boolean {
    return id < this.state.length && this.state[id] === WAITS;
  }

  /**
   * A run begins: how many instructions it may take, counted from its start, and how many decisions (`decisions`). Towards a
   * pending path the run that saw it says what is needed; of a seed, somebody else.
   */
  begin(id: PendingId, seedNeeds: number): number {
    this.startedMs = this.now();
    const { tree, ofInstructions, ofDecisions } = this;
    if (id === NO_PENDING) {
      this.decisions = ofDecisions.beyond(seedNeeds === Number.POSITIVE_INFINITY ? seedNeeds : 0);
      return ofInstructions.beyond(seedNeeds);
    }
    const segment = tree.pending.segment[id];
    const instructions = tree.instructions[segment];
    const decisions = tree.decisions[segment];
    if (this.isSetAside(id)) {
      const parent = tree.parent[segment];
      this.decisions = ofDecisions.next(decisions, before(tree.decisions, parent));
      return ofInstructions.next(instructions, before(tree.instructions, parent));
    }
    this.decisions = ofDecisions.beyond(decisions);
    return ofInstructions.beyond(instructions);
  }

  /** A path came to its own end. */
  pathEnded(instructions: number, decisions: number): void {
    this.ofInstructions.pathEnded(instructions);
    this.ofDecisions.pathEnded(decisions);
  }

  add(id: PendingId): void {
    if (!this.isSetAside(id)) {
      this.others.add(id);
      return;
    }
    if (id >= this.state.length) this.grow(id);
    this.tookMs[id] = this.now() - this.startedMs;
    this.state[id] = WAITS;
    this.tree.pending.selectable[id] = 0;
    this.levels.append(this.levelOf(id), id);
    this.waiting++;
  }

  take(): PendingId {
    if (this.runningLevel >= 0) this.restsSince[this.runningLevel] = this.now();
    this.runningLevel = -1;
    if (this.waiting === 0) return this.others.take();
    const isAll = this.others.size === 0;
    for (let level = 0; level < this.levels.lists; level++) {
      const id = this.levels.first(level);
      if (id === NO_PENDING || !(isAll || this.isRested(level, id))) continue;
      this.remove(id);
      this.runningLevel = level;
      return id;
    }
    return this.others.take();
  }

  remove(id: PendingId): void {
    if (!this.holds(id)) {
      this.others.remove(id);
      return;
    }
    this.levels.remove(id);
    this.state[id] = 0;
    this.waiting--;
  }

  retaken(id: PendingId): void {
    this.others.retaken?.(id);
  }

  coverageGrew(): void {
    this.others.coverageGrew?.();
  }

  /** In eager mode a run is also set aside when the searcher prefers another, at a decision; that one is the searcher's. */
  private isSetAside(id: PendingId): boolean {
    return this.tree.kindOf(id) === ROW.fork && this.tree.siteOf(id) === NO_SITE;
  }

  private isRested(level: number, id: PendingId): boolean {
    this.restsSince[level] ??= this.startedMs;
    return this.now() - this.restsSince[level] >= REST_FACTOR * GROWTH * this.tookMs[id];
  }

  private levelOf(id: PendingId): number {
    const { tree, ofInstructions, ofDecisions } = this;
    const segment = tree.pending.segment[id];
    const parent = tree.parent[segment];
    const byInstructions = ofInstructions.level(tree.instructions[segment], before(tree.instructions, parent));
    const byDecisions = ofDecisions.level(tree.decisions[segment], before(tree.decisions, parent));
    return Math.round(Math.max(byInstructions, byDecisions));
  }

  private grow(id: PendingId): void {
    this.tookMs = grownDoubles(this.tookMs, id + 1);
    const state = new Uint8Array(this.tookMs.length);
    state.set(this.state);
    this.state = state;
  }
}
