// The inputs of runs whose alternatives are still to be explored, by small ids, in one slab of bytes. A hundred
// thousand Uint8Array objects would cost some 200 bytes each beside their content; here the overhead is 16.
//
// An input usually differs from the one it was derived from in a few bytes, so a long input is kept as the difference
// to its base. Short ones are kept whole: nothing is gained, and reading them back is a copy.
//
// Invariant: a base outlives everything derived from it. The execution tree gives that for free: a run's segment is
// freed only after all segments that branch off it.

import type { Model } from "../solver/solver.js";
import { grownBytes, grownInts } from "./growth.js";

export type ModelId = number;
export const NO_MODEL: ModelId = -1;

/** Up to this length an input is kept whole; a difference costs 5 bytes a byte, so less would hardly gain. */
const WHOLE_BYTES = 96;
/** Reading a difference reads its base first; longer chains than this would make that slow. */
const MAX_CHAIN = 24;
/** A difference: 4 bytes of position, 1 byte of value. */
const PATCH_BYTES = 5;
const COLUMN_BYTES = 17;

export class ModelStore {
  private slab = new Uint8Array(4096);
  private top = 0;
  private dead = 0;
  private ids = 0;
  private freeHead = NO_MODEL;
  private live = 0;

  /** By id: where it is in the slab, bytes there, length of the input, the base or NO_MODEL, chain length. */
  private start = new Int32Array(64);
  private stored = new Int32Array(64);
  private length = new Int32Array(64);
  private base = new Int32Array(64);
  private chain = new Uint8Array(64);

  get count(): number {
    return this.live;
  }

  get bytes(): number {
    return this.slab.length + COLUMN_BYTES * this.start.length;
  }

  get bytesInUse(): number {
    return this.top - this.dead + COLUMN_BYTES * this.live;
  }

  add(model: Model, base: ModelId = NO_MODEL): ModelId {
    const id = this.newId();
    const size = model.length;
    this.length[id] = size;
    this.base[id] = NO_MODEL;
    this.chain[id] = 0;
    if (size > WHOLE_BYTES && base !== NO_MODEL && this.chain[base] < MAX_CHAIN && this.addPatches(id, model, base)) {
      return id;
    }
    this.reserve(size);
    this.slab.set(model, this.top);
    this.start[id] = this.top;
    this.stored[id] = size;
    this.top += size;
    return id;
  }

  /** A fresh copy. */
  read(id: ModelId): Model {
    let chain = this.chain[id];
    if (chain === 0) return this.slab.slice(this.start[id], this.start[id] + this.stored[id]);
    const derived: ModelId[] = [];
    let root = id;
    for (; chain > 0; chain--) {
      derived.push(root);
      root = this.base[root];
    }
    const model = new Uint8Array(this.length[id]);
    const whole = Math.min(this.stored[root], model.length);
    model.set(this.slab.subarray(this.start[root], this.start[root] + whole));
    for (let i = derived.length - 1; i >= 0; i--) this.applyPatches(derived[i], model);
    return model;
  }

  remove(id: ModelId): void {
    const end = this.start[id] + this.stored[id];
    if (end === this.top) this.top = this.start[id];
    else this.dead += this.stored[id];
    this.stored[id] = -1;
    this.base[id] = this.freeHead;
    this.freeHead = id;
    this.live--;
  }

  private addPatches(id: ModelId, model: Model, base: ModelId): boolean {
    const from = this.read(base);
    const size = model.length;
    let differing = 0;
    for (let i = 0; i < size; i++) if (model[i] !== (i < from.length ? from[i] : 0)) differing++;
    if (differing * PATCH_BYTES * 2 > size || size < from.length) return false;
    this.reserve(differing * PATCH_BYTES);
    const { slab } = this;
    let at = this.top;
    this.start[id] = at;
    this.stored[id] = differing * PATCH_BYTES;
    this.base[id] = base;
    this.chain[id] = this.chain[base] + 1;
    for (let i = 0; i < size; i++) {
      if (model[i] === (i < from.length ? from[i] : 0)) continue;
      slab[at] = i;
      slab[at + 1] = i >>> 8;
      slab[at + 2] = i >>> 16;
      slab[at + 3] = i >>> 24;
      slab[at + 4] = model[i];
      at += PATCH_BYTES;
    }
    this.top = at;
    return true;
  }

  private applyPatches(id: ModelId, model: Model): void {
    const { slab } = this;
    const end = this.start[id] + this.stored[id];
    for (let at = this.start[id]; at < end; at += PATCH_BYTES) {
      const position = slab[at] | (slab[at + 1] << 8) | (slab[at + 2] << 16) | (slab[at + 3] << 24);
      model[position] = slab[at + 4];
    }
  }

  private newId(): ModelId {
    this.live++;
    if (this.freeHead !== NO_MODEL) {
      const id = this.freeHead;
      this.freeHead = this.base[id];
      return id;
    }
    const id = this.ids++;
    if (id >= this.start.length) {
      this.start = grownInts(this.start, id + 1);
      this.stored = grownInts(this.stored, id + 1);
      this.length = grownInts(this.length, id + 1);
      this.base = grownInts(this.base, id + 1);
      this.chain = grownBytes(this.chain, id + 1);
    }
    // Not yet in the slab: a compaction on the way must not move it.
    this.stored[id] = -1;
    return id;
  }

  private reserve(size: number): void {
    if (this.top + size <= this.slab.length) return;
    if (this.dead * 2 > this.top) this.compact();
    if (this.top + size > this.slab.length) this.slab = grownBytes(this.slab, this.top + size);
  }

  /** Moves everything together and gives back what a burst had taken. */
  compact(): void {
    const order: ModelId[] = [];
    for (let id = 0; id < this.ids; id++) if (this.stored[id] > 0) order.push(id);
    order.sort((a, b) => this.start[a] - this.start[b]);
    let top = 0;
    for (const id of order) {
      const from = this.start[id];
      this.slab.copyWithin(top, from, from + this.stored[id]);
      this.start[id] = top;
      top += this.stored[id];
    }
    this.top = top;
    this.dead = 0;
    if (this.slab.length > 4 * top + 4096) this.slab = this.slab.slice(0, 2 * top + 4096);
  }
}
