// Shadow memory: what each byte of guest memory is as an expression. One cell per byte, in pages that exist only where
// something symbolic was stored; the pages lie in one pool, so that a cell is two array reads away.
//
// A cell is (expression << 3 | k): byte k of that expression. Storing a value writes consecutive cells and builds
// nothing, and loading it back recognises consecutive cells and builds nothing either. Keeping an 8-bit expression per
// byte, the alternative, makes eight extracts per store and needs a rewriter to put them together again.
//
// Cells count only while the granule's state has STATE_SYMBOLIC: generated code and the trusted runtime overwrite states
// without telling us (a frame's end, free), which is how most shadows die. So the cells of a granule are zeroed when it
// becomes symbolic, never when it ceases to be, and a page's old content needs no cleaning between runs.
// Invariant: a granule is symbolic if and only if at least one of its cells is not 0; expressions here are no constants.

import type { ExprArena } from "../expr/arena.js";
import { CONCRETE, type ExprRef } from "../expr/ops.js";
import { GRANULE, STATE_SHIFT, STATE_SYMBOLIC, STATE_SYMBOLIC_COUNT_SHIFT } from "../jit/memory-layout.js";
import { RunStop } from "../vm/run-end.js";
import type { Losses } from "./losses.js";

/** Guest memory as this layer needs it. `u8` is renewed when memory grows: take it at each use. */
export interface ByteMemory {
  readonly u8: Uint8Array;
}

const PAGE_SHIFT = 12;
const PAGE = 1 << PAGE_SHIFT;
const PAGE_MASK = PAGE - 1;
const PAGES = 1 << (32 - PAGE_SHIFT);
const FIRST_SLOTS = 16;
/**
 * A run may have symbolic bytes in so many pages, 64 MiB: each byte costs four more here, and a program that fills a picture of a
 * size from its input with a symbolic colour would otherwise take gigabytes of the machine.
 */
const MOST_PAGES = 1 << 14;
/** Bytes moved at once where granules of source and destination do not line up. */
const CHUNK = 512;
/** From here on comparing bytes is worth a call of native code. */
const MANY_BYTES = 64;
const KNOWN = 1024;
const KNOWN_STRIDE = 10;

export class ShadowMemory {
  private readonly arena: ExprArena;
  private readonly memory: ByteMemory;
  private readonly losses: Losses;
  /** By page number: its place in the pool. 0 is a page of zeros that is never written. */
  private readonly slotOf = new Int32Array(PAGES);
  private cells = new Int32Array(FIRST_SLOTS << PAGE_SHIFT);
  /** Numbers of the pages that have a slot; the page at position i has slot i + 1. */
  private pages = new Int32Array(FIRST_SLOTS);
  private pageCount = 0;
  private readonly chunk = new Int32Array(CHUNK);
  /** The bytes of the load being assembled: a cell, or ~byte. */
  private readonly parts = new Int32Array(8);
  /** Assembled loads, direct-mapped: size, result, parts. */
  private readonly known = new Int32Array(KNOWN * KNOWN_STRIDE);
  /** The cells of the first input bytes, made as they are asked for. */
  private variables = new Int32Array(256);
  private variableCount = 0;
  private generation: number;

  constructor(
    arena: ExprArena,
    memory: ByteMemory,
    losses: Losses,
    private readonly mostPages = MOST_PAGES,
  ) {
    this.arena = arena;
    this.memory = memory;
    this.losses = losses;
    this.generation = arena.generation;
  }

  /** Forgets everything; the states are not touched, so that they must have been reset by their owner. */
  reset(): void {
    for (let i = 0; i < this.pageCount; i++) this.slotOf[this.pages[i]] = 0;
    this.pageCount = 0;
    if (this.generation !== this.arena.generation) {
      this.variableCount = 0;
      this.known.fill(0);
      this.generation = this.arena.generation;
    }
  }

  /** What its pages take, used or not. */
  get bytes(): number {
    return this.cells.byteLength;
  }

  /** Numbers (address >>> 12) of the pages that may hold symbolic bytes since the last reset. Valid until the next store. */
  touchedPages(): Int32Array {
    return this.pages.subarray(0, this.pageCount);
  }

  /** The expression of 1 to 8 bytes, little-endian; CONCRETE if all are concrete or cannot be anything else. */
  load(address: number, size: number): ExprRef {
    const u8 = this.memory.u8;
    const first = u8[address >>> STATE_SHIFT] & STATE_SYMBOLIC;
    const last = u8[(address + size - 1) >>> STATE_SHIFT] & STATE_SYMBOLIC;
    if ((first | last) === 0) return CONCRETE;
    if ((first & last) !== 0 && (address & PAGE_MASK) + size <= PAGE) {
      const cells = this.cells;
      const at = (this.slotOf[address >>> PAGE_SHIFT] << PAGE_SHIFT) + (address & PAGE_MASK);
      const cell = cells[at];
      const k = cell & 7;
      if (cell !== 0 && k + size <= 8) {
        let i = 1;
        while (i < size && cells[at + i] === cell + i) i++;
        if (i === size) return this.slice((cell >>> 3) as ExprRef, k, size);
      }
    }
    return this.assemble(u8, address, size);
  }

  /** The bytes now hold this expression of 8 * size bits, or are concrete. */
  store(address: number, size: number, ref: ExprRef): void {
    if (ref === CONCRETE) {
      this.clear(address, size);
      return;
    }
    if (this.arena.width(ref) !== size << 3) throw wrongWidth(this.arena.width(ref), size);
    const cell = ref << 3;
    const offset = address & PAGE_MASK;
    if (offset + size > PAGE) {
      this.storeSlowly(address, size, cell);
      return;
    }
    const u8 = this.memory.u8;
    const page = this.pageOf(address);
    const first = address >>> STATE_SHIFT;
    const last = (address + size - 1) >>> STATE_SHIFT;
    if (
      ((u8[first] & STATE_SYMBOLIC) === 0 && !this.begin(u8, first, page)) ||
      ((u8[last] & STATE_SYMBOLIC) === 0 && !this.begin(u8, last, page))
    ) {
      this.storeSlowly(address, size, cell);
      return;
    }
    const cells = this.cells;
    const at = page + offset;
    for (let i = 0; i < size; i++) cells[at + i] = cell + i;
  }

  /** The host or generated code wrote concrete bytes there. */
  clear(address: number, size: number): void {
    const end = address + size;
    const u8 = this.memory.u8;
    let at = address;
    while (at < end) {
      const pageEnd = at - (at & PAGE_MASK) + PAGE;
      const stop = Math.min(pageEnd, end);
      // A page without a slot has no symbolic granule.
      if (this.slotOf[at >>> PAGE_SHIFT] !== 0) this.clearInPage(u8, at, stop);
      at = stop;
    }
  }

  /** Copies the cells as memmove copies bytes; where the source is concrete, so is the destination then. */
  copy(destination: number, source: number, size: number): void {
    if (size === 0 || destination === source) return;
    if (!this.anyPage(source, size)) {
      this.clear(destination, size);
      return;
    }
    const backwards = destination > source && destination < source + size;
    if (((destination ^ source) & 7) === 0 && size >= GRANULE) this.copyAligned(destination, source, size, backwards);
    else this.copyBytes(destination, source, size, backwards);
  }

  /** Every byte becomes this expression of 8 bits, or concrete. */
  fill(address: number, size: number, ref: ExprRef): void {
    if (ref === CONCRETE) {
      this.clear(address, size);
      return;
    }
    const { chunk } = this;
    chunk.fill(ref << 3, 0, Math.min(size, CHUNK));
    for (let done = 0; done < size; done += CHUNK) this.scatter(address + done, Math.min(CHUNK, size - done), chunk, 0);
  }

  /** The bytes become the input bytes from this one on. */
  setVariables(address: number, size: number, firstVariable: number): void {
    if (firstVariable + size > this.variableCount) this.makeVariables(firstVariable + size);
    this.scatter(address, size, this.variables, firstVariable);
  }

  /** Whether any byte of the range is symbolic. */
  anySymbolic(address: number, size: number): boolean {
    const u8 = this.memory.u8;
    const last = (address + size - 1) >>> STATE_SHIFT;
    for (let granule = address >>> STATE_SHIFT; granule <= last; granule++) {
      if ((u8[granule] & STATE_SYMBOLIC) !== 0) return true;
    }
    return false;
  }

  /** The cells of a range, each 0 for a concrete byte; null if all are. Equal cells are equal bytes. */
  cellsOf(address: number, size: number): Int32Array | null {
    if (!this.anySymbolic(address, size)) return null;
    const cells = new Int32Array(size);
    for (let i = 0; i < size; i++) cells[i] = this.cell((address + i) | 0);
    return cells;
  }

  /** Whether a range has these cells (as `cellsOf` gave them) and, where it is concrete, these bytes. */
  hasContent(address: number, bytes: Uint8Array, cells: Int32Array | null): boolean {
    const size = bytes.length;
    const u8 = this.memory.u8;
    const from = address | 0;
    if (cells === null) {
      if (this.anySymbolic(address, size)) return false;
      if (size > MANY_BYTES) return Buffer.compare(bytes, u8.subarray(address, address + size)) === 0;
      for (let i = 0; i < size; i++) if (u8[(from + i) >>> 0] !== bytes[i]) return false;
      return true;
    }
    for (let i = 0; i < size; i++) {
      const at = (from + i) | 0;
      const cell = this.cell(at);
      if (cell !== cells[i] || (cell === 0 && u8[at >>> 0] !== bytes[i])) return false;
    }
    return true;
  }

  // ---- inside --------------------------------------------------------------------------------------------------

  /** 0 for a concrete byte. */
  private cell(address: number): number {
    if ((this.memory.u8[address >>> STATE_SHIFT] & STATE_SYMBOLIC) === 0) return 0;
    return this.cells[(this.slotOf[address >>> PAGE_SHIFT] << PAGE_SHIFT) + (address & PAGE_MASK)];
  }

  private slice(ref: ExprRef, k: number, size: number): ExprRef {
    const { arena } = this;
    if (k === 0 && arena.width(ref) === size << 3) return ref;
    const part = arena.extract(ref, k << 3, size << 3);
    return arena.isConstant(part) ? CONCRETE : part;
  }

  /** Bytes of several expressions and constants. The parts are what identifies the result, so it is remembered by them. */
  private assemble(u8: Uint8Array, address: number, size: number): ExprRef {
    const { parts, slotOf, cells } = this;
    let any = 0;
    let hash = size;
    for (let i = 0; i < size; i++) {
      const at = (address + i) | 0;
      let part = 0;
      if ((u8[at >>> STATE_SHIFT] & STATE_SYMBOLIC) !== 0) {
        part = cells[(slotOf[at >>> PAGE_SHIFT] << PAGE_SHIFT) + (at & PAGE_MASK)];
        any |= part;
      }
      // A concrete byte is told from a cell by its sign.
      if (part === 0) part = ~u8[at >>> 0];
      parts[i] = part;
      hash = Math.imul(hash ^ part, 0x9e37_79b1) ^ (hash >>> 15);
    }
    if (any === 0) return CONCRETE;
    const { known } = this;
    const place = ((hash >>> 8) & (KNOWN - 1)) * KNOWN_STRIDE;
    if (known[place] === size) {
      let i = 0;
      while (i < size && known[place + 2 + i] === parts[i]) i++;
      if (i === size) return known[place + 1] as ExprRef;
    }
    const result = this.join(size);
    known[place] = size;
    known[place + 1] = result;
    for (let i = 0; i < size; i++) known[place + 2 + i] = parts[i];
    return result;
  }

  /** The expression of the first `size` of `parts`. */
  private join(size: number): ExprRef {
    const { arena, parts } = this;
    let result = CONCRETE;
    for (let i = 0; i < size; ) {
      const first = parts[i];
      const from = i++;
      let part: ExprRef;
      if (first > 0) {
        while (i < size && (first & 7) + i - from < 8 && parts[i] === first + i - from) i++;
        part = arena.extract((first >>> 3) as ExprRef, (first & 7) << 3, (i - from) << 3);
      } else {
        while (i < size && parts[i] < 0) i++;
        let low = 0;
        let high = 0;
        for (let j = i - 1; j >= from; j--) {
          high = (high << 8) | (low >>> 24);
          low = (low << 8) | ~parts[j];
        }
        part = arena.constant((i - from) << 3, low, high);
      }
      result = from === 0 ? part : arena.concat(part, result);
    }
    return arena.isConstant(result) ? CONCRETE : result;
  }

  /** Where in the pool the page of this address is, giving it a place if it has none. */
  private pageOf(address: number): number {
    const page = address >>> PAGE_SHIFT;
    const slot = this.slotOf[page];
    return slot !== 0 ? slot << PAGE_SHIFT : this.addPage(page);
  }

  private addPage(page: number): number {
    if (this.pageCount === this.mostPages) throw new RunStop({ kind: "limit", limit: "symbolic-memory" });
    const slot = this.pageCount + 1;
    if ((slot + 1) << PAGE_SHIFT > this.cells.length) {
      const grown = new Int32Array(this.cells.length * 2);
      grown.set(this.cells);
      this.cells = grown;
    }
    if (this.pageCount === this.pages.length) {
      const grown = new Int32Array(this.pages.length * 2);
      grown.set(this.pages);
      this.pages = grown;
    }
    this.pages[this.pageCount++] = page;
    this.slotOf[page] = slot;
    return slot << PAGE_SHIFT;
  }

  /**
   * Makes a granule symbolic with all its bytes still concrete. False: it is not addressable, so nothing can be kept. A
   * read-only one (a mapped file) is no longer known to be read-only.
   */
  private begin(u8: Uint8Array, granule: number, page: number): boolean {
    const state = u8[granule];
    if (state === 0) {
      this.losses.count("unaddressable-store");
      return false;
    }
    const at = page + ((granule << STATE_SHIFT) & PAGE_MASK);
    const { cells } = this;
    for (let i = 0; i < GRANULE; i++) cells[at + i] = 0;
    u8[granule] = STATE_SYMBOLIC | ((state & 7) << STATE_SYMBOLIC_COUNT_SHIFT);
    return true;
  }

  /** A symbolic granule becomes a plain one. */
  private end(u8: Uint8Array, granule: number): void {
    const count = (u8[granule] >>> STATE_SYMBOLIC_COUNT_SHIFT) & 7;
    u8[granule] = count === 0 ? GRANULE : count;
  }

  /** `at` is the granule's first cell. */
  private endIfConcrete(u8: Uint8Array, granule: number, at: number): void {
    const { cells } = this;
    for (let i = 0; i < GRANULE; i++) if (cells[at + i] !== 0) return;
    this.end(u8, granule);
  }

  /** Across pages, or where a part may not be written. */
  private storeSlowly(address: number, size: number, cell: number): void {
    for (let i = 0; i < size; i++) this.setCell(address + i, cell + i);
  }

  private setCell(address: number, cell: number): void {
    const u8 = this.memory.u8;
    const granule = address >>> STATE_SHIFT;
    const symbolic = (u8[granule] & STATE_SYMBOLIC) !== 0;
    if (!symbolic && cell === 0) return;
    const page = this.pageOf(address);
    if (!symbolic && !this.begin(u8, granule, page)) return;
    this.cells[page + (address & PAGE_MASK)] = cell;
    if (cell === 0) this.endIfConcrete(u8, granule, page + (address & PAGE_MASK & -GRANULE));
  }

  /** [from, to) lies in one page, which has a slot. */
  private clearInPage(u8: Uint8Array, from: number, to: number): void {
    const page = this.slotOf[from >>> PAGE_SHIFT] << PAGE_SHIFT;
    const { cells } = this;
    const last = (to - 1) >>> STATE_SHIFT;
    for (let granule = from >>> STATE_SHIFT; granule <= last; granule++) {
      if ((u8[granule] & STATE_SYMBOLIC) === 0) continue;
      const start = granule * GRANULE;
      const first = from > start ? from - start : 0;
      const past = to < start + GRANULE ? to - start : GRANULE;
      if (past - first === GRANULE) {
        this.end(u8, granule);
        continue;
      }
      const at = page + (start & PAGE_MASK);
      for (let i = first; i < past; i++) cells[at + i] = 0;
      this.endIfConcrete(u8, granule, at);
    }
  }

  private anyPage(address: number, size: number): boolean {
    const last = (address + size - 1) >>> PAGE_SHIFT;
    for (let page = address >>> PAGE_SHIFT; page <= last; page++) if (this.slotOf[page] !== 0) return true;
    return false;
  }

  /** Source and destination lie equally in their granules. */
  private copyAligned(destination: number, source: number, size: number, backwards: boolean): void {
    const head = -source & 7;
    const whole = (size - head) >>> STATE_SHIFT;
    const tail = size - head - whole * GRANULE;
    const tailAt = head + whole * GRANULE;
    if (backwards) this.copyBytes(destination + tailAt, source + tailAt, tail, true);
    else this.copyBytes(destination, source, head, false);
    const u8 = this.memory.u8;
    const from = (source + head) >>> STATE_SHIFT;
    const to = (destination + head) >>> STATE_SHIFT;
    for (let n = 0; n < whole; n++) {
      const i = backwards ? whole - 1 - n : n;
      if ((u8[from + i] & STATE_SYMBOLIC) !== 0) this.copyGranule(u8, from + i, to + i);
      else if ((u8[to + i] & STATE_SYMBOLIC) !== 0) this.end(u8, to + i);
    }
    if (backwards) this.copyBytes(destination, source, head, true);
    else this.copyBytes(destination + tailAt, source + tailAt, tail, false);
  }

  private copyGranule(u8: Uint8Array, from: number, to: number): void {
    const target = this.pageOf(to * GRANULE);
    if ((u8[to] & STATE_SYMBOLIC) === 0 && !this.begin(u8, to, target)) return;
    const { cells } = this;
    const fromAt =
      (this.slotOf[from >>> (PAGE_SHIFT - STATE_SHIFT)] << PAGE_SHIFT) + ((from << STATE_SHIFT) & PAGE_MASK);
    const toAt = target + ((to << STATE_SHIFT) & PAGE_MASK);
    for (let i = 0; i < GRANULE; i++) cells[toAt + i] = cells[fromAt + i];
  }

  /** Chunk by chunk through a buffer, in the direction that reads no cell after it was overwritten. */
  private copyBytes(destination: number, source: number, size: number, backwards: boolean): void {
    for (let done = 0; done < size; ) {
      const count = Math.min(CHUNK, size - done);
      const at = backwards ? size - done - count : done;
      if (this.gather(source + at, count)) this.scatter(destination + at, count, this.chunk, 0);
      else this.clear(destination + at, count);
      done += count;
    }
  }

  // Addresses are made int32 below: as numbers of any kind they would be added as doubles, at ten times the price.

  /** Reads cells into the chunk; false if all are 0. */
  private gather(address: number, count: number): boolean {
    const { chunk, cells, slotOf } = this;
    const u8 = this.memory.u8;
    const from = address | 0;
    let any = 0;
    for (let i = 0; i < count; ) {
      const at = (from + i) | 0;
      const stop = Math.min(count, i + GRANULE - (at & 7));
      if ((u8[at >>> STATE_SHIFT] & STATE_SYMBOLIC) === 0) {
        for (; i < stop; i++) chunk[i] = 0;
        continue;
      }
      let cell = (slotOf[at >>> PAGE_SHIFT] << PAGE_SHIFT) + (at & PAGE_MASK);
      for (; i < stop; i++, cell++) {
        const value = cells[cell];
        chunk[i] = value;
        any |= value;
      }
    }
    return any !== 0;
  }

  /** Writes `count` cells, which are source[offset] and so on. */
  private scatter(address: number, count: number, source: Int32Array, offset: number): void {
    const u8 = this.memory.u8;
    const from = address | 0;
    for (let i = 0; i < count; ) {
      const at = (from + i) | 0;
      const granule = at >>> STATE_SHIFT;
      const stop = Math.min(count, i + GRANULE - (at & 7));
      const first = i;
      let any = 0;
      for (let j = i; j < stop; j++) any |= source[offset + j];
      i = stop;
      const symbolic = (u8[granule] & STATE_SYMBOLIC) !== 0;
      if (any === 0 && !symbolic) continue;
      const page = this.pageOf(at);
      if (!symbolic && !this.begin(u8, granule, page)) continue;
      const { cells } = this;
      let cell = page + (at & PAGE_MASK);
      for (let j = first; j < stop; j++) cells[cell++] = source[offset + j];
      if (any === 0) this.endIfConcrete(u8, granule, page + (at & PAGE_MASK & -GRANULE));
    }
  }

  private makeVariables(count: number): void {
    if (count > this.variables.length) {
      const grown = new Int32Array(Math.max(count, this.variables.length * 2));
      grown.set(this.variables);
      this.variables = grown;
    }
    for (let i = this.variableCount; i < count; i++) this.variables[i] = this.arena.variable(i) << 3;
    this.variableCount = count;
  }
}

function wrongWidth(width: number, size: number): Error {
  return new Error(`shadow memory: an expression of ${width} bits was to be stored in ${size} bytes`);
}
