// Long runs wait. A run that loops or recurses without end would be followed to its last limit while thousands of pending
// paths wait; so every run has an allowance, and one that uses it up is set aside: where it stopped is a pending path like
// any other (ROW.fork), with ten times the allowance when it comes up again. Nothing is lost, and nothing is called done.
//
//   allowance   what the run that saw the branch needed, or what paths of this program usually need if that is more,
//               and FIRST instructions beyond; ten times as much beyond each time that the run comes up again
//   order       what the searcher holds comes first. What was set aside waits by level (how often it was), and the first
//               of a level has its turn when nothing else is left, or when its level has rested long enough: a long run
//               may be the only way there is, so each level gets a small share of the time, and no more
//
// A searcher around the searcher, so that nobody else need know of it. While a run waits here it cannot be selected: a
// searcher that walks the tree would choose it out of turn.

import { grownDoubles } from "../path/growth.js";
import { NO_SITE } from "../path/observer.js";
import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import { type ExecutionTree, NO_SEGMENT, ROW } from "../path/tree.js";
import { IdLists } from "../search/id-list.js";
import type { Searcher } from "../search/searcher.js";

/** Each time a run comes up again it may do so many times as much. */
const GROWTH = 10;
/** Of paths that came to their end, in the geometric mean, which one endless path more or less does not move. */
const USUAL_FACTOR = 2;
/** A level rests so many times as long as its next run is expected to take. */
const REST_FACTOR = 8;
/** Where nothing is known of how long a run takes. */
const INSTRUCTIONS_A_MS = 100_000;
const WAITS = 1;

export class LongRuns implements Searcher {
  private readonly levels = new IdLists(1);
  private waiting = 0;
  /** By id: whether it waits here, and how many milliseconds its last run took for each instruction. */
  private state = new Uint8Array(64);
  private pace = new Float64Array(64);
  /** By level: when a run of it was over. */
  private readonly restsSince: number[] = [];
  private runningLevel = -1;
  private startedMs: number;
  private ended = 0;
  private endedLogs = 0;

  constructor(
    private readonly others: Searcher,
    private readonly tree: ExecutionTree,
    /** Instructions beyond what is known to be needed. */
    private readonly first: number,
    private readonly now: () => number,
  ) {
    this.startedMs = now();
  }

  get size(): number {
    return this.others.size + this.waiting;
  }

  get bytes(): number {
    return this.others.bytes + this.levels.bytes + this.state.byteLength + this.pace.byteLength;
  }

  /** Whether it was set aside and waits here. */
  holds(id: PendingId): boolean {
    return id < this.state.length && this.state[id] === WAITS;
  }

  /**
   * How many instructions a run may take, counted from its start; it begins now. Towards a pending path the run that saw it says
   * what is needed; of a seed, somebody else.
   */
  allowance(id: PendingId, seedNeeds: number): number {
    this.startedMs = this.now();
    if (id === NO_PENDING) return Math.max(seedNeeds, this.usual()) + this.first;
    const needed = this.tree.instructions[this.tree.pending.segment[id]];
    if (this.isSetAside(id)) return needed + this.more(id);
    return Math.max(needed, this.usual()) + this.first;
  }

  /** A path came to its own end after so many instructions. */
  pathEnded(instructions: number): void {
    this.ended++;
    this.endedLogs += Math.log(Math.max(1, instructions));
  }

  add(id: PendingId): void {
    if (!this.isSetAside(id)) {
      this.others.add(id);
      return;
    }
    if (id >= this.state.length) this.grow(id);
    const { pending, instructions } = this.tree;
    const needed = instructions[pending.segment[id]];
    this.pace[id] = needed > 0 ? (this.now() - this.startedMs) / needed : 1 / INSTRUCTIONS_A_MS;
    this.hold(id);
  }

  /** It waits again as it did before; its run was not tried. */
  private hold(id: PendingId): void {
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

  coverageGrew(): void {
    this.others.coverageGrew?.();
  }

  /** In eager mode a run is also set aside when the searcher prefers another, at a decision; that one is the searcher's. */
  private isSetAside(id: PendingId): boolean {
    return this.tree.kindOf(id) === ROW.fork && this.tree.siteOf(id) === NO_SITE;
  }

  private isRested(level: number, id: PendingId): boolean {
    this.restsSince[level] ??= this.startedMs;
    const { pending, instructions } = this.tree;
    const expectedMs = this.pace[id] * (instructions[pending.segment[id]] + this.more(id));
    return this.now() - this.restsSince[level] >= REST_FACTOR * expectedMs;
  }

  /** What a run that was set aside may do beyond where it stopped. */
  private more(id: PendingId): number {
    const { tree } = this;
    const segment = tree.pending.segment[id];
    const parent = tree.parent[segment];
    const before = parent === NO_SEGMENT ? 0 : tree.instructions[parent];
    return GROWTH * Math.max(this.first, tree.instructions[segment] - before);
  }

  private levelOf(id: PendingId): number {
    return Math.max(0, Math.round(Math.log10(this.more(id) / (GROWTH * this.first))));
  }

  private usual(): number {
    return this.ended === 0 ? 0 : Math.ceil(USUAL_FACTOR * Math.exp(this.endedLogs / this.ended));
  }

  private grow(id: PendingId): void {
    this.pace = grownDoubles(this.pace, id + 1);
    const state = new Uint8Array(this.pace.length);
    state.set(this.state);
    this.state = state;
  }
}
