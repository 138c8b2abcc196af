// Everything that waits to be explored, by small ids: a side of a decision that no run has taken yet. An id is what
// searchers hold and order; its place in the execution tree, its depth and, where one is known, an input that goes there
// are columns here. Ids are dense and recycled, so that a searcher can keep its own columns beside them.
//
// Invariant: exactly one row of the tree names a live id, and the id names that row.

import { grownBytes, grownInts } from "./growth.js";
import { grownIds, idColumn } from "./id-column.js";
import { NO_MODEL } from "./model-store.js";
import type { RowIndex, SegmentId } from "./tree.js";

export type PendingId = number & { readonly brand: "PendingId" };
export const NO_PENDING = -1 as PendingId;

/** In the place of the segment. */
const FREE = -1 as SegmentId;

const COLUMN_BYTES = 17;
const SEARCHER_BYTES = 12;

export class PendingTable {
  /** The segment of the tree, the row in it, and how many decisions come before. */
  segment = idColumn<SegmentId>(64);
  row = idColumn<RowIndex>(64);
  depth = new Int32Array(64);
  /** An input known to go there, or NO_MODEL: then feasibility has not been asked. */
  model = new Int32Array(64);
  /** 1 if a searcher may choose it; 0 if it is on its way to be run, or being run. */
  selectable = new Uint8Array(64);
  private freeHead: PendingId = NO_PENDING;
  private ids = 0;
  private live = 0;

  get count(): number {
    return this.live;
  }

  /** Ids are below this. */
  get end(): number {
    return this.ids;
  }

  get bytes(): number {
    return COLUMN_BYTES * this.segment.length;
  }

  /** With what a searcher usually holds beside. */
  get bytesInUse(): number {
    return (COLUMN_BYTES + SEARCHER_BYTES) * this.live;
  }

  isLive(id: PendingId): boolean {
    return id >= 0 && id < this.ids && this.segment[id] >= 0;
  }

  add(segment: SegmentId, row: RowIndex, depth: number): PendingId {
    let id = this.freeHead;
    if (id === NO_PENDING) {
      id = this.ids++ as PendingId;
      if (id >= this.segment.length) this.grow();
    } else this.freeHead = this.row[id] as number as PendingId;
    this.segment[id] = segment;
    this.row[id] = row;
    this.depth[id] = depth;
    this.model[id] = NO_MODEL;
    this.selectable[id] = 1;
    this.live++;
    return id;
  }

  remove(id: PendingId): void {
    this.segment[id] = FREE;
    this.selectable[id] = 0;
    // The row of a free id is the next free one.
    this.row[id] = this.freeHead as number as RowIndex;
    this.freeHead = id;
    this.live--;
  }

  private grow(): void {
    const size = this.ids + 1;
    this.segment = grownIds(this.segment, size);
    this.row = grownIds(this.row, size);
    this.depth = grownInts(this.depth, size);
    this.model = grownInts(this.model, size);
    this.selectable = grownBytes(this.selectable, size);
  }
}
