// The range of addresses around a failing access that fail as well: the gap between two objects. It is what a run that fails
// at a symbolic address says of it, exactly: every input with an address in the gap fails here, and the rest is left to
// other runs. Saying "outside of the nearest object" instead would call the accesses to all other objects failures.
//
// What depends on earlier runs must not be told (a re-run would differ), so the size of memory, which never shrinks, is not
// looked at: beyond the heap's limit everything is forbidden. A large gap is cut at multiples of REACH, so that what two
// runs say of it is the same or disjoint.

import { GRANULE, GUEST_BASE, HEAP_LIMIT, STATE_READ_ONLY, STATE_SHIFT, STATE_SYMBOLIC } from "../jit/memory-layout.js";
import { addressableBytes } from "./object-bounds.js";
import type { ByteMemory } from "./shadow-memory.js";

/** Bytes looked at: the stack and most heaps are smaller, and it takes a fraction of a millisecond. */
const REACH = 0x80_0000;
/** One past the last address. */
const END = 2 ** 64;

export class ForbiddenGap {
  /** [start, end): no byte of it may be touched. */
  start = 0;
  end = 0;

  private readonly memory: ByteMemory;
  private words: Uint32Array = new Uint32Array(0);

  constructor(memory: ByteMemory) {
    this.memory = memory;
  }

  /** Around the first byte of the access that may not be touched; false if all may. */
  find(address: number, size: number, write: boolean): boolean {
    const u8 = this.memory.u8;
    if (this.words.buffer !== u8.buffer) this.words = new Uint32Array(u8.buffer, 0, u8.byteLength >>> 2);
    // Numbers beyond 2^53 do not count in ones.
    if (address >= HEAP_LIMIT) return this.set(HEAP_LIMIT, END);
    for (let at = address; at < address + size; at++) {
      if (at < GUEST_BASE) return this.set(0, GUEST_BASE);
      if (at >= HEAP_LIMIT) return this.set(HEAP_LIMIT, END);
      if (this.mayTouch(at, write)) continue;
      return this.set(this.startBefore(at, write), this.endAfter(at, write));
    }
    return false;
  }

  /** Where the first access of this size begins whose first byte that may not be touched lies in the gap. */
  firstAccess(size: number, write: boolean): number {
    let at = this.start;
    while (at > this.start - size + 1 && at > GUEST_BASE && this.mayTouch(at - 1, write)) at--;
    return at;
  }

  private mayTouch(address: number, write: boolean): boolean {
    return (address & 7) < this.usable(address >>> STATE_SHIFT, write);
  }

  private set(start: number, end: number): true {
    this.start = start;
    this.end = end;
    return true;
  }

  private usable(granule: number, write: boolean): number {
    const state = this.memory.u8[granule];
    return write && (state & STATE_SYMBOLIC) === 0 && (state & STATE_READ_ONLY) !== 0 ? 0 : addressableBytes(state);
  }

  private startBefore(at: number, write: boolean): number {
    const last = (at - (at % REACH)) >>> STATE_SHIFT;
    let granule = at >>> STATE_SHIFT;
    const own = this.usable(granule, write);
    if (own > 0) return granule * GRANULE + own;
    while (granule > last) {
      if ((granule & 3) === 0 && granule - 4 >= last && this.words[(granule >>> 2) - 1] === 0) {
        granule -= 4;
        continue;
      }
      const count = this.usable(granule - 1, write);
      if (count > 0) return (granule - 1) * GRANULE + count;
      granule--;
    }
    return granule * GRANULE;
  }

  private endAfter(at: number, write: boolean): number {
    const limit = (at - (at % REACH) + REACH) >>> STATE_SHIFT;
    let granule = (at >>> STATE_SHIFT) + 1;
    while (granule < limit) {
      if ((granule & 3) === 0 && granule + 4 <= limit && this.words[granule >>> 2] === 0) granule += 4;
      else if (this.usable(granule, write) > 0) return granule * GRANULE;
      else granule++;
    }
    return granule * GRANULE;
  }
}
