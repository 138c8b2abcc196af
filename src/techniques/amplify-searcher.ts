// Which pending paths ZESTI explores at a distance d, and in which order (make test-zesti, IV-B): those that leave the test's
// own path d symbolic branches before a sensitive operation, the deepest operation first, and from there everything
// that needs at most f(d) = 2d further branches. What lies deeper waits for a larger d.
// Departure: the paper suspends states by a time to live; here a pending path is held or passed over by its place alone.

import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import { type ExecutionTree, isBranching, NO_SEGMENT } from "../path/tree.js";
import type { Searcher } from "../search/searcher.js";

export interface AmplifyBounds {
  /** Of the test's path, by decision: how many branches come before it. */
  readonly branchesBefore: Int32Array;
  /** Numbers of branches after which a sensitive operation was executed. */
  readonly sensitive: ReadonlySet<number>;
  readonly distance: number;
  /** Branches beyond the departure. */
  readonly bound: number;
}

export class AmplifySearcher implements Searcher {
  /** Pending paths that leave the test's own path, in its order; taken from the end: deepest first. */
  private roots: PendingId[] = [];
  /** Pending paths below the departure that is being explored; newest first. */
  private readonly inner: PendingId[] = [];
  private readonly held = new Set<PendingId>();
  private bounds: AmplifyBounds | null = null;
  /** Paths passed over because they lie deeper than the bound, or at another distance. */
  passedOver = 0;
  /** Departures whose exploration was begun. */
  departures = 0;
  /** Branches between the departure and the path that was taken last; Infinity once its run is over. */
  takenBeyond = Number.POSITIVE_INFINITY;

  constructor(readonly tree: ExecutionTree) {}

  get size(): number {
    return this.bounds === null ? 0 : this.held.size;
  }
  get bytes(): number {
    return 8 * (this.roots.length + this.inner.length) + 32 * this.held.size;
  }

  /** The test's own run is over: of what it left pending, that which is at the right distance is to be explored. */
  begin(bounds: AmplifyBounds): void {
    this.bounds = bounds;
    const near: PendingId[] = [];
    for (const id of this.roots) {
      if (!this.held.has(id)) continue;
      const before = bounds.branchesBefore[this.tree.pending.depth[id]];
      if (bounds.sensitive.has(before + bounds.distance)) near.push(id);
      else {
        this.held.delete(id);
        this.passedOver++;
      }
    }
    this.roots = near;
  }

  add(id: PendingId): void {
    if (this.bounds === null) this.roots.push(id);
    else if (this.branchesBeyond(id, this.bounds.bound) <= this.bounds.bound) this.inner.push(id);
    else {
      this.passedOver++;
      return;
    }
    this.held.add(id);
  }

  take(): PendingId {
    if (this.bounds === null) return NO_PENDING;
    for (const list of [this.inner, this.roots]) {
      for (let id = list.pop(); id !== undefined; id = list.pop()) {
        if (!this.held.delete(id)) continue;
        if (list === this.roots) this.departures++;
        this.takenBeyond = list === this.roots ? 0 : this.branchesBeyond(id, this.bounds.bound);
        return id;
      }
    }
    return NO_PENDING;
  }

  remove(id: PendingId): void {
    this.held.delete(id);
  }

  /** Branches between where the path left the test's and this one, counted up to `most`; Infinity if it did not leave it. */
  private branchesBeyond(id: PendingId, most: number): number {
    const { tree } = this;
    let segment = tree.pending.segment[id];
    if (tree.parent[segment] === NO_SEGMENT) return Number.POSITIVE_INFINITY;
    let row: number = tree.pending.row[id];
    let branches = 0;
    while (tree.parent[segment] !== NO_SEGMENT && branches <= most) {
      const start = tree.start[segment];
      // Backwards, because a path may have a hundred thousand pending ones, nearly all of them too deep.
      for (let at = start + row - 1; at >= start && branches <= most; at--) {
        if (isBranching(tree.kind[at])) branches++;
      }
      row = tree.parentRow[segment] + 1;
      segment = tree.parent[segment];
    }
    return branches;
  }
}
