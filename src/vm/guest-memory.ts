// The guest's linear memory as the host sees it: views over the one buffer, the address states, and the C strings and
// structures that system calls pass. Growing detaches every view, so they are fields that `grow` renews: take them from
// here at each use and never keep one across a call into the guest.
//
// Growing costs half a millisecond whatever the amount (measured), so memory grows by at least GROW_STEP and by half of
// what there is; untouched pages cost nothing. Asking for 4 GiB at once would spare even that, but makes V8 believe in
// memory pressure (2 ms of garbage collection at start).
//
// Invariant: an address is a number below 2^32; what does not fit is not addressable.

import type { GlobalInfo } from "../jit/image.js";
import {
  ARGUMENTS_AREA_BYTES,
  GUEST_BASE,
  HEAP_ALIGN,
  HEAP_LIMIT,
  SPARE_AREAS,
  SPARE_ARGUMENTS,
  STATE_FULL,
  STATE_NONE,
  STATE_READ_ONLY,
  STATE_SYMBOLIC,
  STATE_SYMBOLIC_COUNT_SHIFT,
} from "../jit/memory-layout.js";
import { keepSpareMemory, takeSpareMemory } from "./spare-memories.js";

const PAGE = 0x1_0000;
const GROW_STEP = 0x400_0000;
const ALL_READABLE = 0x0808_0808;

/** How many of a granule's first bytes its state allows. */
function usableBytes(state: number, write: boolean): number {
  if ((state & STATE_SYMBOLIC) !== 0) return (state >> STATE_SYMBOLIC_COUNT_SHIFT) & 7 || 8;
  return write && (state & STATE_READ_ONLY) !== 0 ? 0 : state & 15;
}

export class GuestMemory {
  readonly memory: WebAssembly.Memory;
  u8!: Uint8Array;
  u32!: Uint32Array;
  view!: DataView;
  /** First address of the heap, and first address not yet handed out by `grow`. */
  readonly heapStart: number;
  private heapEnd: number;
  private readonly limit: number;
  /** Told of ranges the host is about to write to, where some bytes may be symbolic; null in a plain run. */
  onWrite: ((address: number, size: number) => void) | null = null;
  /** Told of strings the host acts on. */
  onRead: ((address: number, size: number) => void) | null = null;
  /** Told of structures the host acts on. */
  onTaken: ((address: number, size: number) => void) | null = null;
  /** Told of what the host moves. */
  onMoved: ((destination: number, source: number, size: number) => void) | null = null;

  constructor(globalsEnd: number, heapLimitBytes: number) {
    this.heapStart = Math.ceil(globalsEnd / HEAP_ALIGN) * HEAP_ALIGN;
    this.heapEnd = this.heapStart;
    this.limit = Math.min(HEAP_LIMIT, this.heapStart + heapLimitBytes);
    const initial = Math.min(HEAP_LIMIT, this.heapStart + GROW_STEP);
    const pages = Math.ceil(initial / PAGE);
    this.memory = takeSpareMemory(pages * PAGE) ?? new WebAssembly.Memory({ initial: pages, maximum: 0x1_0000 });
    this.renewViews();
  }

  /** Bytes handed out so far. */
  get heapBytes(): number {
    return this.heapEnd - this.heapStart;
  }

  /** Address of `bytes` fresh zeroed bytes after all earlier ones, or 0 if the limit does not allow them. */
  grow(bytes: number): number {
    const address = this.heapEnd;
    const end = address + bytes;
    if (end > this.limit) return 0;
    const missing = end - this.u8.length;
    if (missing > 0) {
      const wanted = Math.max(missing, GROW_STEP, (this.heapEnd - this.heapStart) >>> 1);
      const room = HEAP_LIMIT - this.u8.length;
      try {
        this.memory.grow(Math.ceil(Math.min(wanted, room) / PAGE));
      } catch {
        return 0;
      }
      this.renewViews();
    }
    this.heapEnd = end;
    return address;
  }

  /** No more than that is handed out any more; the caller has zeroed the rest. */
  shrink(bytes = 0): void {
    this.heapEnd = this.heapStart + bytes;
  }

  /** Zeros, and nothing there may be touched: bytes and states. */
  clear(from: number, to: number): void {
    if (to <= from) return;
    this.u8.fill(0, from, to);
    this.u8.fill(0, from >>> 3, (to + 7) >>> 3);
  }

  /** For a machine of any program; every byte of it must be zero, and this one must not be used again. */
  giveAway(): void {
    keepSpareMemory(this.memory);
  }

  private renewViews(): void {
    const buffer = this.memory.buffer;
    this.u8 = new Uint8Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.view = new DataView(buffer);
  }

  /** For a system call: the first address in [address, address + size) that may not be read, or -1. */
  firstUnreadable(address: number, size: number): number {
    const refused = this.firstRefused(address, size, false);
    // Whoever asks is about to read, and to act on it.
    if (refused < 0 && size > 0) this.take(address, size);
    return refused;
  }

  /** What lies there lies elsewhere from now on; where it goes may be touched, and nothing of it is known. */
  move(destination: number, source: number, size: number): void {
    this.u8.copyWithin(destination, source, source + size);
    if (this.onMoved !== null) this.onMoved(destination, source, size);
  }

  /** A system call acts on what lies there: to be said of every structure that it reads, before anything is written. */
  take(address: number, size: number): void {
    if (this.onTaken !== null) this.onTaken(address, size);
  }

  /** For a system call: the first address in [address, address + size) that may not be written, or -1. */
  firstUnwritable(address: number, size: number): number {
    const refused = this.firstRefused(address, size, true);
    if (refused < 0 && size > 0) {
      // Whoever asks may write, or some of it, or fail after all: what lies there now is what it is on this run.
      this.take(address, size);
      if (this.onWrite !== null) this.onWrite(address, size);
    }
    return refused;
  }

  /** The same for whoever will write all of it for sure. */
  firstUnwritten(address: number, size: number): number {
    const refused = this.firstRefused(address, size, true);
    if (refused < 0 && this.onWrite !== null && size > 0) this.onWrite(address, size);
    return refused;
  }

  /** As these two, and nobody is told. */
  firstRefused(address: number, size: number, write: boolean): number {
    if (size <= 0) return -1;
    const end = address + size;
    if (address < GUEST_BASE || address >= this.u8.length) return address;
    const { u8, u32 } = this;
    let at = address;
    while (at < end) {
      let state = at >>> 3;
      if (at >= u8.length) return at;
      // Four granules at a time while they are all usable; this is what a large buffer spends its time in.
      if ((state & 3) === 0) {
        const last = (Math.min(end, u8.length) >>> 5) - 1;
        let word = state >>> 2;
        while (word <= last && (write ? u32[word] === ALL_READABLE : (u32[word] & ALL_READABLE) === ALL_READABLE)) {
          word++;
        }
        state = word << 2;
        at = Math.max(at, state * 8);
        if (at >= end) return -1;
        if (at >= u8.length) return at;
      }
      const value = u8[state];
      const usable = usableBytes(value, write);
      const granuleEnd = state * 8 + 8;
      const wanted = Math.min(end, granuleEnd);
      if (wanted - state * 8 > usable) return Math.max(at, state * 8 + usable);
      at = granuleEnd;
    }
    return -1;
  }

  /** Makes the variables addressable; done before each run, as the states would be far larger as data of the module. */
  allowGlobals(globals: readonly GlobalInfo[]): void {
    this.allow(SPARE_ARGUMENTS, SPARE_AREAS * ARGUMENTS_AREA_BYTES);
    for (const one of globals) this.allowVariable(one);
  }

  private allowVariable({ address, size, constant }: Pick<GlobalInfo, "address" | "size" | "constant">): void {
    const flag = constant ? STATE_READ_ONLY : 0;
    const first = address >>> 3;
    const whole = size >>> 3;
    this.u8.fill(STATE_FULL | flag, first, first + whole);
    if ((size & 7) !== 0) this.u8[first + whole] = (size & 7) | flag;
  }

  /** Makes exactly [address, address + size) addressable; address is a multiple of 8. */
  allow(address: number, size: number): void {
    const first = address >>> 3;
    const whole = size >>> 3;
    this.u8.fill(STATE_FULL, first, first + whole);
    if ((size & 7) !== 0) this.u8[first + whole] = size & 7;
  }

  /** A variable is so long now, with all that it was before: its states say so. */
  allowMore({ address, size }: Pick<GlobalInfo, "address" | "size">): void {
    const constant = (this.u8[address >>> 3] & STATE_READ_ONLY) !== 0;
    this.allowVariable({ address, size, constant });
  }

  forbid(address: number, size: number): void {
    this.u8.fill(STATE_NONE, address >>> 3, (address + size + 7) >>> 3);
  }

  /** The bytes of a C string without its NUL; null if it runs into memory that may not be read. */
  stringBytes(address: number, limit = 0x10_0000): Uint8Array | null {
    if (address < GUEST_BASE || address >= this.u8.length) return null;
    const end = this.u8.indexOf(0, address);
    const length = (end < 0 ? this.u8.length : end) - address;
    if (length > limit || this.firstRefused(address, length + 1, false) >= 0) return null;
    if (this.onRead !== null) this.onRead(address, length + 1);
    return this.u8.subarray(address, address + length);
  }

  /** A path or name, one character per byte: keeps every byte and compares as bytes do. */
  latin1(address: number): string | null {
    const bytes = this.stringBytes(address);
    return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  }

  /** Stores a signed whole number below 2^53 as 64 bits. */
  setI64(address: number, value: number): void {
    this.view.setInt32(address, value | 0, true);
    this.view.setInt32(address + 4, Math.floor(value / 0x1_0000_0000), true);
  }

  /** A 64-bit whole number; exact between -2^53 and 2^53. */
  getI64(address: number): number {
    return this.view.getUint32(address, true) + this.view.getInt32(address + 4, true) * 0x1_0000_0000;
  }
}
