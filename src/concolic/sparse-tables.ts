// Large tables that are nearly empty: a hash table of 65,537 places, of which fifty are taken. A lookup in all of them is too much for an
// expression, and to make the place concrete is to ask for one bucket a run. But nearly all entries are the same, so that the value is
// "this one at these few places, else that": m4 finds its macros by name through such a table.
//
// Only for ranges without symbolic bytes. The range is gone through at each use; it costs what clearing it costs.

import type { ExprArena } from "../expr/arena.js";
import { type ExprRef, OPS } from "../expr/ops.js";
import { constantAt } from "./plain-bytes.js";
import type { ByteMemory, ShadowMemory } from "./shadow-memory.js";

/** More entries than this are not gone through. */
const MAX_ENTRIES = 1 << 20;
/** Entries that are not like the others. */
const MAX_OTHERS = 128;
/** Bytes that are compared at once. */
const STRETCH = 4096;

export class SparseTables {
  constructor(
    private readonly arena: ExprArena,
    private readonly memory: ByteMemory,
    private readonly shadows: ShadowMemory,
  ) {}

  /** The value of `size` bytes at low + index * step, of `count` places; null if there are too many different ones. */
  lookUp(low: number, count: number, step: number, size: number, index: ExprRef): ExprRef | null {
    if (count > MAX_ENTRIES) return null;
    const others = this.unlikeTheFirst(low, count, step, size);
    if (others === null || this.shadows.cellsOf(low, (count - 1) * step + size) !== null) return null;
    const { arena } = this;
    const { u8 } = this.memory;
    const width = arena.width(index);
    let result = constantAt(arena, u8, low, size);
    for (const place of others) {
      const isThere = arena.binary(OPS.eq.code, index, arena.constant(width, place, 0));
      result = arena.ite(isThere, constantAt(arena, u8, low + place * step, size), result);
    }
    return result;
  }

  /** The places whose bytes are not those of the first place; null if there are too many. */
  private unlikeTheFirst(low: number, count: number, step: number, size: number): number[] | null {
    const { u8 } = this.memory;
    const others: number[] = [];
    // Without gaps, whole stretches are compared at once: m4 asks of its half megabyte ten times a run.
    const together = step === size ? Math.max(1, Math.floor(STRETCH / size)) : 1;
    const bytes = Buffer.from(u8.buffer, u8.byteOffset, u8.length);
    const likeTheFirst = Buffer.alloc(together * size, bytes.subarray(low, low + size));
    for (let place = 0; place < count; place += together) {
      const end = Math.min(count, place + together);
      const [from, to] = [low + place * step, low + (end - 1) * step + size];
      if (step === size && bytes.compare(likeTheFirst, 0, to - from, from, to) === 0) continue;
      for (let one = place, at = from; one < end; one++, at += step) {
        for (let k = 0; k < size; k++) {
          if (u8[at + k] === u8[low + k]) continue;
          if (others.push(one) > MAX_OTHERS) return null;
          break;
        }
      }
    }
    return others;
  }
}
