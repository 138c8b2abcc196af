// How many decisions lie between where paths left the test's own and the paths that are pending below. A run brings its pending paths
// in their order, a hundred thousand of them sometimes, so the count goes on from one to the next: each row of a run is
// looked at once, and none behind the last that is near enough.

import type { PendingId } from "../path/pending-table.js";
import { type ExecutionTree, isBranching, NO_SEGMENT, type SegmentId } from "../path/tree.js";
import type { DecisionCounter } from "./decision-metric.js";

export class DecisionsBeyond {
  /** Up to where it has gone: decisions as they are counted, and every branch. */
  decisions = 0;
  branches = 0;
  private segment: SegmentId = NO_SEGMENT;
  /** Of the segment: the next row to be counted. */
  private row = 0;

  constructor(
    private readonly tree: ExecutionTree,
    private readonly counter: DecisionCounter,
  ) {}

  /** Segments may be others than they were. */
  forget(): void {
    this.segment = NO_SEGMENT;
  }

  /** Goes to a pending path; false if it is more than `most` decisions away, or has not left the test's path. */
  goTo(id: PendingId, most: number): boolean {
    const { tree } = this;
    const segment = tree.pending.segment[id];
    if (tree.parent[segment] === NO_SEGMENT) return false;
    const row = tree.pending.row[id];
    if (segment !== this.segment || row < this.row) this.start(segment, most);
    this.countTo(segment, row, most);
    return this.decisions <= most;
  }

  /** To the beginning of a segment, along those that it branches off from; that of the test's own path does not count. */
  private start(segment: SegmentId, most: number): void {
    const { tree } = this;
    this.decisions = 0;
    this.branches = 0;
    this.counter.begin();
    const way: { readonly segment: SegmentId; readonly rows: number }[] = [];
    for (let at = segment; tree.parent[tree.parent[at]] !== NO_SEGMENT; at = tree.parent[at]) {
      way.push({ segment: tree.parent[at], rows: tree.parentRow[at] + 1 });
    }
    for (const part of way.reverse()) {
      this.row = 0;
      this.countTo(part.segment, part.rows, most);
    }
    this.segment = segment;
    this.row = 0;
  }

  private countTo(segment: SegmentId, row: number, most: number): void {
    const { tree, counter } = this;
    const start = tree.start[segment];
    for (; this.row < row && this.decisions <= most; this.row++) {
      const at = start + this.row;
      const kind = tree.kind[at];
      if (!isBranching(kind)) continue;
      this.branches++;
      if (counter.counts(tree.site[at], kind)) this.decisions++;
    }
  }
}
