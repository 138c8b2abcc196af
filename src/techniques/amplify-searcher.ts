// Which pending paths ZESTI explores at a distance d, and in which order (make test-zesti, IV-B): those that leave the test's
// own path d decisions (decision-metric.ts) before a sensitive operation, the deepest operation first, and from there everything
// that needs at most f(d) = 2d further branches. What lies deeper waits for a larger d.
// What lies below a departure is explored newest first, or breadth first as the paper does.
// Departure: the paper suspends states by a time to live; here a pending path is held or passed over by its place alone.

import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import { type ExecutionTree, isBranching, KIND_MASK, ROW } from "../path/tree.js";
import type { Searcher } from "../search/searcher.js";
import type { AroundPath } from "./around-path.js";
import { type DecisionCounter, TURN } from "./decision-metric.js";
import { DecisionsBeyond } from "./decisions-beyond.js";

export interface AmplifyBounds {
  /** Of the test's path, by decision: how many branches come before it. */
  readonly branchesBefore: Int32Array;
  /** Numbers of branches after which a sensitive operation was executed. */
  readonly sensitive: ReadonlySet<number>;
  readonly distance: number;
  /** Branches beyond the departure. */
  readonly bound: number;
}

/** Departures from one scan at the distance that it is at. */
const TURNS_AT_ONCE = 16;

export class AmplifySearcher implements Searcher {
  /** Pending paths that leave the test's own path, in its order; taken from the end: deepest first. */
  private roots: PendingId[] = [];
  /** Pending paths below the departure that is being explored, by decisions beyond it if that is the order. */
  private readonly inner: PendingId[][] = [];
  /** With the decisions between its departure and it. */
  private readonly held = new Map<PendingId, number>();
  private bounds: AmplifyBounds | null = null;
  /** Paths passed over because they lie deeper than the bound, or at another distance. */
  passedOver = 0;
  /** Departures whose exploration was begun. */
  departures = 0;
  /** Of these: something was left below them when their time was over. */
  departuresCut = 0;
  /** Branches between the departure and the path that was taken last; Infinity once its run is over. */
  takenBeyond = Number.POSITIVE_INFINITY;

  private departedMs = 0;
  private readonly beyond: DecisionsBeyond;

  constructor(
    readonly tree: ExecutionTree,
    private readonly counter: DecisionCounter,
    private readonly choices: Pick<AroundPath, "order" | "branchMs">,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.beyond = new DecisionsBeyond(tree, counter.another());
  }

  get size(): number {
    return this.bounds === null ? 0 : this.held.size;
  }
  get bytes(): number {
    return 8 * this.roots.length + 40 * this.held.size;
  }

  /** The test's own run is over: of what it left pending, that which is at the right distance is to be explored. */
  begin(bounds: AmplifyBounds): void {
    this.bounds = bounds;
    const { branchesBefore, sensitive, distance } = bounds;
    const { depth } = this.tree.pending;
    const held = this.roots.filter((id) => this.held.has(id));
    const further = this.turnsFurther(held, branchesBefore);
    const near: PendingId[] = [];
    for (const id of held) {
      const left = distance - (further.get(depth[id]) ?? 0);
      if (left > 0 && sensitive.has(branchesBefore[depth[id]] + left)) near.push(id);
      else {
        this.held.delete(id);
        this.passedOver++;
      }
    }
    this.roots = near;
  }

  /**
   * A scan of a hundred thousand bytes is one decision, but as many departures. So of its turns a few, evenly spaced, are as near
   * as it is; twice as many one further, and so on. By depth; what is not named is no further.
   */
  private turnsFurther(ids: readonly PendingId[], branchesBefore: Int32Array): ReadonlyMap<number, number> {
    const further = new Map<number, number>();
    if (!this.counter.joins) return further;
    const turns = new Map<number, number[]>();
    for (const id of ids) {
      const depth = this.tree.pending.depth[id];
      const same = turns.get(branchesBefore[depth]) ?? [];
      if (same.at(-1) !== depth) same.push(depth);
      turns.set(branchesBefore[depth], same);
    }
    for (const depths of turns.values()) {
      for (const [index, depth] of depths.entries()) {
        const fromEnd = depths.length - 1 - index;
        let more = 0;
        for (let taken = TURNS_AT_ONCE; fromEnd % Math.ceil(depths.length / taken) !== 0; taken *= 2) more++;
        if (more > 0 && index > 0) further.set(depth, more);
      }
    }
    return further;
  }

  add(id: PendingId): void {
    if (this.bounds === null) {
      this.roots.push(id);
      this.held.set(id, 0);
      return;
    }
    const beyond = this.within(id, this.bounds.bound);
    if (beyond === null) {
      this.passedOver++;
      return;
    }
    const at = this.choices.order === "breadth" ? beyond : 0;
    while (this.inner.length <= at) this.inner.push([]);
    this.inner[at].push(id);
    this.held.set(id, beyond);
  }

  take(): PendingId {
    if (this.bounds === null) return NO_PENDING;
    this.beyond.forget();
    if (this.now() - this.departedMs >= this.choices.branchMs) this.leaveDeparture();
    const isOldest = this.choices.order === "breadth";
    for (const list of this.inner) {
      for (let id = isOldest ? list.shift() : list.pop(); id !== undefined; id = isOldest ? list.shift() : list.pop()) {
        const beyond = this.held.get(id);
        if (beyond === undefined) continue;
        this.held.delete(id);
        this.takenBeyond = beyond;
        return id;
      }
    }
    for (let id = this.roots.pop(); id !== undefined; id = this.roots.pop()) {
      if (!this.held.delete(id)) continue;
      this.departures++;
      this.departedMs = this.now();
      this.takenBeyond = 0;
      return id;
    }
    return NO_PENDING;
  }

  retaken(id: PendingId): void {
    this.beyond.forget();
    this.departedMs = this.now();
    this.takenBeyond = this.within(id, Number.POSITIVE_INFINITY) ?? 0;
  }

  /** What is left below the departure is not explored. */
  private leaveDeparture(): void {
    const left = this.inner.flat().filter((id) => this.held.delete(id)).length;
    this.inner.length = 0;
    this.passedOver += left;
    if (left > 0) this.departuresCut++;
  }

  remove(id: PendingId): void {
    this.held.delete(id);
  }

  /**
   * Decisions between the departure and the path; null if they are too many. Of a long scan beyond the departure the first turn is
   * followed, and those that are near whatever is counted.
   */
  private within(id: PendingId, bound: number): number | null {
    const { beyond } = this;
    if (!beyond.goTo(id, bound)) return null;
    return !this.counter.joins || beyond.branches <= bound || !this.isTurn(id) ? beyond.decisions : null;
  }

  /** Whether the decision is one that the run had made just before, as loops do. */
  private isTurn(id: PendingId): boolean {
    const { tree, counter } = this;
    const segment = tree.pending.segment[id];
    const start = tree.start[segment];
    const at = start + tree.pending.row[id];
    if ((tree.kind[at] & KIND_MASK) !== ROW.branch) return false;
    counter.begin();
    let from = at;
    for (let left = TURN; left > 0 && from > start; from--) if (isBranching(tree.kind[from - 1])) left--;
    for (let row = from; row < at; row++) counter.counts(tree.site[row], tree.kind[row]);
    return !counter.counts(tree.site[at], tree.kind[at]);
  }
}
