// The bytes of a file that was changed in the overlay: pieces of our own over the real file, copied when first written
// to. Copying the whole file at its first change would be simpler, but a program that appends a line to a large log, or
// seeks far ahead, must not cost its size.
//
// Invariant: a piece, where there is one, holds the truth for its range; without one the range is the base file's up to
// baseSize and zeros after it.
//
// What was never written to is a hole, as on disks: of the base file, which we cannot ask, all is taken for data.

import type { OutputBudget } from "./standard-streams.js";

const PIECE = 0x1_0000;
const SMALLEST = 0x200;
const POOLED = 0x800;
const LONG = 0x2000;
/** What a disk gives at once, and how many of them are a piece. */
const BLOCK = 0x1000;
const BLOCKS_PER_PIECE = PIECE / BLOCK;

/** Reads the real file; returns how many bytes there were, or a negated error number. */
export type BaseReader = (into: Uint8Array, offset: number) => number;

/** Small ones from Node's pool: a program that is run again and again writes its few lines each time. */
function zeros(length: number): Uint8Array {
  return length <= POOLED ? Buffer.allocUnsafe(length).fill(0) : new Uint8Array(length);
}

export class FileContent {
  private readonly pieces = new Map<number, Uint8Array>();
  /** Of each piece, which of its blocks were written to: a bit each. */
  private readonly written = new Map<number, number>();
  private readonly base: BaseReader | null;
  private baseSize: number;
  private readonly budget: OutputBudget;
  size: number;

  constructor(base: BaseReader | null, baseSize: number, budget: OutputBudget) {
    this.base = base;
    this.baseSize = baseSize;
    this.size = baseSize;
    this.budget = budget;
  }

  read(into: Uint8Array, offset: number): number {
    const end = Math.min(this.size, offset + into.length);
    let at = offset;
    while (at < end) {
      const index = Math.floor(at / PIECE);
      const start = index * PIECE;
      const stop = Math.min(end, start + PIECE);
      const target = into.subarray(at - offset, stop - offset);
      const piece = this.pieces.get(index);
      if (piece === undefined) {
        const status = this.readBase(target, at);
        if (status < 0) return at > offset ? at - offset : status;
      } else {
        const part = piece.subarray(at - start, stop - start);
        target.set(part);
        target.fill(0, part.length);
      }
      at = stop;
    }
    return Math.max(0, end - offset);
  }

  /** Returns 0 or a negated error number. */
  write(from: Uint8Array, offset: number): number {
    let at = offset;
    const end = offset + from.length;
    while (at < end) {
      const index = Math.floor(at / PIECE);
      const start = index * PIECE;
      const stop = Math.min(end, start + PIECE);
      const piece = this.pieceFor(index, stop - start);
      if (typeof piece === "number") return piece;
      piece.set(from.subarray(at - offset, stop - offset), at - start);
      this.mark(index, at - start, stop - start);
      at = stop;
    }
    this.size = Math.max(this.size, end);
    return 0;
  }

  /** Without gaps: a block that is touched is the file's. */
  private mark(index: number, from: number, to: number): void {
    const first = Math.floor(from / BLOCK);
    const end = Math.ceil(to / BLOCK);
    const bits = ((1 << end) - 1) & ~((1 << first) - 1);
    this.written.set(index, (this.written.get(index) ?? 0) | bits);
  }

  /** How many blocks it takes on a disk. */
  get blocks(): number {
    const ofBase = Math.ceil(this.baseSize / BLOCK);
    let count = ofBase;
    for (const [index, bits] of this.written) {
      const first = index * BLOCKS_PER_PIECE;
      for (let bit = Math.max(0, ofBase - first); bit < BLOCKS_PER_PIECE; bit++) count += (bits >>> bit) & 1;
    }
    return count;
  }

  private isData(block: number): boolean {
    if (block < Math.ceil(this.baseSize / BLOCK)) return true;
    const bits = this.written.get(Math.floor(block / BLOCKS_PER_PIECE)) ?? 0;
    return ((bits >>> (block % BLOCKS_PER_PIECE)) & 1) !== 0;
  }

  /** Where data begins at or after an offset before the end; -1 if there is none. */
  nextData(offset: number): number {
    const block = Math.floor(offset / BLOCK);
    if (this.isData(block)) return offset;
    let next = Number.POSITIVE_INFINITY;
    for (const [index, bits] of this.written) {
      for (let bit = 0; bit < BLOCKS_PER_PIECE; bit++) {
        const at = index * BLOCKS_PER_PIECE + bit;
        if (((bits >>> bit) & 1) !== 0 && at > block) next = Math.min(next, at);
      }
    }
    return next * BLOCK < this.size ? next * BLOCK : -1;
  }

  /** Where a hole begins at or after an offset before the end; the end is one. */
  nextHole(offset: number): number {
    let block = Math.floor(offset / BLOCK);
    if (!this.isData(block)) return offset;
    while (block * BLOCK < this.size && this.isData(block)) block++;
    return Math.min(this.size, block * BLOCK);
  }

  resize(size: number): void {
    if (size < this.size) {
      this.baseSize = Math.min(this.baseSize, size);
      const last = Math.floor(size / PIECE);
      for (const [index, bits] of this.written) {
        if (index > last) this.written.delete(index);
        else if (index === last) this.written.set(index, bits & ((1 << Math.ceil((size - index * PIECE) / BLOCK)) - 1));
      }
      for (const [index, piece] of this.pieces) {
        if (index > last) this.pieces.delete(index);
        else if (index === last) piece.fill(0, size - index * PIECE);
      }
    }
    this.size = size;
  }

  /** Our own piece `index` with room for `room` bytes, filled with what is there now. */
  private pieceFor(index: number, room: number): Uint8Array | number {
    const present = this.pieces.get(index);
    if (present !== undefined && present.length >= room) return present;
    const start = index * PIECE;
    // What the base has must fit too, or it would be lost.
    const needed = Math.max(room, present === undefined ? Math.min(PIECE, this.baseSize - start) : 0);
    // What has grown beyond that will grow further: copying it each time costs more than room that is not used.
    let length = present !== undefined && needed > LONG ? PIECE : SMALLEST;
    while (length < needed) length *= 2;
    const piece = zeros(length);
    this.budget.take(length - (present?.length ?? 0));
    if (present !== undefined) {
      piece.set(present);
    } else {
      const status = this.readBase(piece, start);
      if (status < 0) return status;
    }
    this.pieces.set(index, piece);
    return piece;
  }

  private readBase(into: Uint8Array, offset: number): number {
    const available = Math.max(0, Math.min(into.length, this.baseSize - offset));
    let done = 0;
    while (done < available && this.base !== null) {
      const count = this.base(into.subarray(done, available), offset + done);
      if (count < 0) return count;
      if (count === 0) break;
      done += count;
    }
    into.fill(0, done);
    return into.length;
  }
}
