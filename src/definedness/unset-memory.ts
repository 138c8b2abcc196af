// Which bits of memory were never set. The states of granules (jit/memory-layout.ts) say it alone as long as bytes are set
// in order; what is more complicated is kept here: one cell per byte, in pages that exist only where it was needed. A cell is
// (origin << 8 | undefined bits), 0 for a byte that is defined. The origin of bytes that nobody has touched is not looked
// up before somebody reads or copies them, since most are set and never asked about: until then it is UNTOUCHED.
//
// Cells count only while their granule's state says that the host knows; frames and the heap change states without telling.
// Invariant: such a granule has at least one cell that is not 0.

import {
  GRANULE,
  STATE_READ_ONLY,
  STATE_SHIFT,
  STATE_SYMBOLIC,
  STATE_SYMBOLIC_COUNT_SHIFT,
  STATE_UNSET_MASK,
} from "../jit/memory-layout.js";

interface ByteMemory {
  /** Renewed when memory grows: taken at each use. */
  readonly u8: Uint8Array;
}

/** The origin of bytes that are as they were when their object was made: the object that they lie in. */
const UNTOUCHED = 0;
const BITS = 8;
const WORD = 32n;
const ALL_BITS = 0xff;
const PAGE_SHIFT = 12;
const PAGE = 1 << PAGE_SHIFT;
const CHUNK = 4096;
/** A run that needs more pages (64 MiB of cells) is not followed further: what does not fit counts as defined. */
const MOST_PAGES = 1 << 12;

export class UnsetMemory {
  private readonly pages = new Map<number, Int32Array>();
  private readonly chunk = new Int32Array(CHUNK);
  /** Of the last `load`: the origin of its lowest undefined byte. */
  origin = UNTOUCHED;

  /** `originAt` looks up the object that lies at an address. */
  constructor(
    private readonly memory: ByteMemory,
    private readonly originAt: (address: number) => number,
  ) {}

  reset(): void {
    this.pages.clear();
  }

  /** The undefined bits of 1 to 8 bytes, little-endian; `origin` says whose. */
  load(address: number, size: number): bigint {
    // Two words, because numbers of 64 bits are slow.
    let low = 0;
    let high = 0;
    let origin = -1;
    for (let k = 0; k < size; k++) {
      const cell = this.cell(address + k);
      if (cell === 0) continue;
      if (k < 4) low |= (cell & ALL_BITS) << (8 * k);
      else high |= (cell & ALL_BITS) << (8 * (k - 4));
      if (origin < 0) origin = this.known(cell >>> BITS, address + k);
    }
    this.origin = origin < 0 ? UNTOUCHED : origin;
    if (high === 0) return low === 0 ? 0n : BigInt(low >>> 0);
    return (BigInt(high >>> 0) << WORD) | BigInt(low >>> 0);
  }

  /** The bytes now have these undefined bits. */
  store(address: number, size: number, mask: bigint, origin: number): void {
    if (mask === 0n) return this.define(address, size);
    const { chunk } = this;
    const low = Number(BigInt.asUintN(32, mask));
    const high = size > 4 ? Number(BigInt.asUintN(32, mask >> WORD)) : 0;
    for (let k = 0; k < size; k++) {
      const bits = (k < 4 ? low >>> (8 * k) : high >>> (8 * (k - 4))) & ALL_BITS;
      chunk[k] = bits === 0 ? 0 : (origin << BITS) | bits;
    }
    this.scatter(address, size);
  }

  /** The bytes have been set. */
  define(address: number, size: number): void {
    const { u8 } = this.memory;
    const end = address + size;
    for (let at = address; at < end; ) {
      const granule = at >>> STATE_SHIFT;
      const stop = Math.min(end, (granule + 1) * GRANULE);
      const state = u8[granule];
      if ((state & STATE_SYMBOLIC) !== 0) {
        if (at - granule * GRANULE === 0 && stop - granule * GRANULE >= usable(state)) u8[granule] = usable(state);
        else this.change(granule, (cells, first) => cells.fill(0, first + (at & 7), first + ((stop - 1) & 7) + 1));
      }
      at = stop;
    }
  }

  /** As memmove moves bytes. */
  copy(destination: number, source: number, size: number): void {
    if (size === 0 || destination === source) return;
    if (!this.anyUnset(source, size)) return this.define(destination, size);
    const backwards = destination > source && destination < source + size;
    for (let done = 0; done < size; ) {
      const count = Math.min(CHUNK, size - done);
      const at = backwards ? size - done - count : done;
      this.gather(source + at, count);
      this.scatter(destination + at, count);
      done += count;
    }
  }

  /** All bytes get the same undefined bits. */
  fill(address: number, size: number, bits: number, origin: number): void {
    if (bits === 0) return this.define(address, size);
    const cell = (origin << BITS) | bits;
    for (let done = 0; done < size; done += CHUNK) {
      const count = Math.min(CHUNK, size - done);
      this.chunk.fill(cell, 0, count);
      this.scatter(address + done, count);
    }
  }

  /** The first byte of the range that has undefined bits, or -1. */
  firstUnset(address: number, size: number): number {
    if (!this.anyUnset(address, size)) return -1;
    for (let k = 0; k < size; k++) if (this.cell(address + k) !== 0) return address + k;
    return -1;
  }

  private anyUnset(address: number, size: number): boolean {
    const { u8 } = this.memory;
    const last = (address + size - 1) >>> STATE_SHIFT;
    for (let granule = address >>> STATE_SHIFT; granule <= last; granule++) {
      if ((u8[granule] & STATE_SYMBOLIC) !== 0) return true;
    }
    return false;
  }

  private cell(address: number): number {
    const state = this.memory.u8[address >>> STATE_SHIFT];
    if ((state & STATE_SYMBOLIC) === 0) return 0;
    const set = state & STATE_UNSET_MASK;
    const at = address & 7;
    if (set !== 0) return at >= set - 1 && at < usable(state) ? ALL_BITS : 0;
    return this.pages.get(address >>> PAGE_SHIFT)?.[address & (PAGE - 1)] ?? 0;
  }

  private known(origin: number, address: number): number {
    return origin === UNTOUCHED ? this.originAt(address) : origin;
  }

  /** Reads cells; those of untouched bytes get their origin now, since their place no longer says it elsewhere. */
  private gather(address: number, count: number): void {
    const { chunk } = this;
    let origin = UNTOUCHED;
    for (let k = 0; k < count; k++) {
      let cell = this.cell(address + k);
      if (cell !== 0 && cell >>> BITS === UNTOUCHED) {
        // A copy is of one object.
        if (origin === UNTOUCHED) origin = this.originAt(address + k);
        cell |= origin << BITS;
      }
      chunk[k] = cell;
    }
  }

  /** Writes the chunk's first `count` cells. */
  private scatter(address: number, count: number): void {
    const { chunk } = this;
    const { u8 } = this.memory;
    for (let k = 0; k < count; ) {
      const at = address + k;
      const granule = at >>> STATE_SHIFT;
      const from = k;
      const to = Math.min(count, k + GRANULE - (at & 7));
      k = to;
      let any = 0;
      for (let j = from; j < to; j++) any |= chunk[j];
      if (any === 0) {
        if ((u8[granule] & STATE_SYMBOLIC) !== 0) this.define(at, to - from);
        continue;
      }
      this.change(granule, (cells, first) => {
        for (let j = from; j < to; j++) cells[first + (at & 7) + j - from] = chunk[j];
      });
    }
  }

  /** Changes the cells of a granule (`first` is the place of its first), and its state accordingly. */
  private change(granule: number, write: (cells: Int32Array, first: number) => void): void {
    const { u8 } = this.memory;
    const state = u8[granule];
    const count = usable(state);
    // What is not addressable, or is constant, cannot be followed.
    if (count === 0 || ((state & STATE_SYMBOLIC) === 0 && (state & STATE_READ_ONLY) !== 0)) return;
    const address = granule * GRANULE;
    const cells = this.page(address >>> PAGE_SHIFT);
    if (cells === null) {
      u8[granule] = count;
      return;
    }
    const first = address & (PAGE - 1);
    const set = state & STATE_UNSET_MASK;
    if ((state & STATE_SYMBOLIC) === 0) cells.fill(0, first, first + GRANULE);
    else if (set !== 0) {
      cells.fill(0, first, first + GRANULE);
      cells.fill(ALL_BITS, first + set - 1, first + count);
    }
    write(cells, first);
    let any = 0;
    for (let k = 0; k < GRANULE; k++) any |= cells[first + k];
    u8[granule] = any === 0 ? count : STATE_SYMBOLIC | ((count & 7) << STATE_SYMBOLIC_COUNT_SHIFT);
  }

  private page(number: number): Int32Array | null {
    let page = this.pages.get(number);
    if (page === undefined) {
      if (this.pages.size >= MOST_PAGES) return null;
      page = new Int32Array(PAGE);
      this.pages.set(number, page);
    }
    return page;
  }
}

/** How many of a granule's first bytes are addressable. */
function usable(state: number): number {
  if ((state & STATE_SYMBOLIC) !== 0) return (state >>> STATE_SYMBOLIC_COUNT_SHIFT) & 7 || GRANULE;
  return state & 15;
}
