// Everything that waits to be explored, by small ids: a side of a decision that no run has taken yet. An id is what
// searchers hold and order; its place in the execution tree, its depth and, where one is known, an input that goes there
// are columns here. Ids are dense and recycled, so that a searcher can keep its own columns beside them.
//
// Invariant: exactly one row of the tree names a live id, and the id names that row.

import { grownBytes, grownInts } from "./growth.js";
import { NO_MODEL } from "./model-store.js";

export type PendingId = number;
export const NO_PENDING: PendingId = -1;

const COLUMN_BYTES = 17;
const SEARCHER_BYTES = 12;

export class PendingTable {
  /** The segment of the tree, the row in it, and how many decisions come before. */
  segment = new Int32Array(64);
  row = new Int32Array(64);
  depth = new Int32Array(64);
  /** An input known to go there, or NO_MODEL: then feasibility has not been asked. */
  model = new Int32Array(64);
  /** 1 if a searcher may choose it; 0 if it is on its way to be run, or being run. */
  selectable = new Uint8Array(64);
  private freeHead = NO_PENDING;
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

  add(segment: number, row: number, depth: number): PendingId {
    let id = this.freeHead;
    if (id === NO_PENDING) {
      id = this.ids++;
      if (id >= this.segment.length) this.grow();
    } else this.freeHead = this.row[id];
    this.segment[id] = segment;
    this.row[id] = row;
    this.depth[id] = depth;
    this.model[id] = NO_MODEL;
    this.selectable[id] = 1;
    this.live++;
    return id;
  }

  remove(id: PendingId): void {
    this.segment[id] = -1;
    this.selectable[id] = 0;
    this.row[id] = this.freeHead;
    this.freeHead = id;
    this.live--;
  }

  private grow(): void {
    const size = this.ids + 1;
    this.segment = grownInts(this.segment, size);
    this.row = grownInts(this.row, size);
    this.depth = grownInts(this.depth, size);
    this.model = grownInts(this.model, size);
    this.selectable = grownBytes(this.selectable, size);
  }
}
