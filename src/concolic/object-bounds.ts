// The object around an address, from the address states alone: the contiguous addressable range. Objects are separated
// by redzones and a partial granule ends one, so no table of objects is needed, and stack slots, globals, heap blocks and
// arguments are all found the same way.
//
// The search stops where the address cannot reach anyway, so that a table in the middle of a large object costs the size of
// the table. Whole words of states are skipped at a time while they are full and concrete.

import {
  GRANULE,
  STATE_READ_ONLY,
  STATE_SHIFT,
  STATE_SYMBOLIC,
  STATE_SYMBOLIC_COUNT_SHIFT,
} from "../jit/memory-layout.js";
import type { ByteMemory } from "./shadow-memory.js";

/** Four full concrete granules, read-only or not, have these bits. */
const ALL_READABLE = 0x0808_0808;

export class ObjectBounds {
  /** [start, end): what the last `find` found. */
  start = 0;
  end = 0;
  readOnly = false;

  private readonly memory: ByteMemory;
  private words: Uint32Array = new Uint32Array(0);

  constructor(memory: ByteMemory) {
    this.memory = memory;
  }

  /** Around an addressable access, as far as [from, to) goes. */
  find(address: number, size: number, from: number, to: number): void {
    const u8 = this.memory.u8;
    if (this.words.buffer !== u8.buffer) this.words = new Uint32Array(u8.buffer, 0, u8.byteLength >>> 2);
    const state = u8[address >>> STATE_SHIFT];
    this.readOnly = (state & STATE_SYMBOLIC) === 0 && (state & STATE_READ_ONLY) !== 0;
    this.start = this.startAround(u8, address, Math.max(0, from));
    this.end = this.endAround(u8, address + size - 1, Math.min(u8.length, to));
  }

  /** How many bytes from an address on may be touched, up to about `most` of them; 0 if not even the first. */
  roomAt(address: number, most: number): number {
    const u8 = this.memory.u8;
    if (address >= u8.length || (address & 7) >= addressableBytes(u8[address >>> STATE_SHIFT])) return 0;
    this.find(address, 1, address, address + most);
    return this.end - address;
  }

  private startAround(u8: Uint8Array, address: number, from: number): number {
    let granule = address >>> STATE_SHIFT;
    const last = Math.floor(from / GRANULE);
    while (granule > last) {
      if (
        (granule & 3) === 0 &&
        granule - 4 >= last &&
        (this.words[(granule >>> 2) - 1] & ALL_READABLE) === ALL_READABLE
      ) {
        granule -= 4;
      } else if (addressableBytes(u8[granule - 1]) === GRANULE) granule--;
      else break;
    }
    return granule * GRANULE;
  }

  private endAround(u8: Uint8Array, address: number, to: number): number {
    let granule = address >>> STATE_SHIFT;
    const limit = Math.ceil(to / GRANULE);
    while (granule < limit) {
      if ((granule & 3) === 0 && granule + 4 <= limit && (this.words[granule >>> 2] & ALL_READABLE) === ALL_READABLE) {
        granule += 4;
        continue;
      }
      const count = addressableBytes(u8[granule]);
      if (count < GRANULE) return granule * GRANULE + count;
      granule++;
    }
    return granule * GRANULE;
  }
}

/** How many of a granule's first bytes may be touched at all. */
export function addressableBytes(state: number): number {
  if ((state & STATE_SYMBOLIC) === 0) return state & 15;
  const count = (state >>> STATE_SYMBOLIC_COUNT_SHIFT) & 7;
  return count === 0 ? GRANULE : count;
}
