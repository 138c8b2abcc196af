// The heap as the host reads it after a run: the C allocator's own structures (runtime/trusted/heap.h) in the guest's
// memory. Nothing is kept up to date while the program runs, so a run pays nothing for it; a finding pays with a walk over
// the spans of pages, of which even a large heap has few thousand.
// Invariant: the structures lie in memory the program cannot address, so what they say is true.

import { CONTROL } from "../jit/memory-layout.js";
import type { GuestMemory } from "./guest-memory.js";
import type { HeapBlock, HeapReader } from "./heap-reader.js";

/** The 32-bit fields of each structure in runtime/trusted/heap.h, in order (a test compares them). */
export const HEAP_STRUCTURES = {
  block: ["mark", "size", "next", "home", "allocation_serial", "free_serial", "shift", "check"],
  span: ["kind", "pages", "previous_pages", "last", "next", "previous", "stride", "first", "carved"],
  region: ["next", "end"],
  /** Only its beginning. */
  heap: ["first_region", "last_region", "fresh"],
} as const;

export const HEAP_CONSTANTS = {
  PAGE_SIZE: 4096,
  HEADER: 32,
  LARGE_LEAD: 256,
  BLOCK_LIVE: 0x4c495645,
  BLOCK_FREED: 0x46524545,
  BLOCK_SHIFTED: 0x53484946,
  CHECK: 0x9e3779b9,
  SPAN_FREE: 1,
  SPAN_SLAB: 2,
  SPAN_LARGE: 3,
} as const;
const H = HEAP_CONSTANTS;

export interface FoundBlock extends HeapBlock {
  readonly where: "inside" | "before" | "after";
  /** Bytes between the address and the block; 0 inside, and right after its end. */
  readonly distance: number;
}

export function readHeap(machine: { readonly memory: GuestMemory }): HeapReader {
  return new GuestHeap(machine.memory);
}

interface Span {
  readonly address: number;
  readonly end: number;
  readonly kind: number;
}

export class GuestHeap implements HeapReader {
  constructor(private readonly memory: Pick<GuestMemory, "view" | "heapStart" | "heapBytes">) {}

  /** The nearest block if the address lies in the allocator's memory: in a block's bytes or between two. */
  findBlock(address: number): FoundBlock | null {
    const span = this.spanAt(address);
    if (span === null) return null;
    const candidates = span.kind === H.SPAN_SLAB ? this.neighbours(span, address) : [this.largeBlock(span)];
    let best: FoundBlock | null = null;
    for (const block of candidates) {
      if (block === null) continue;
      const found = place(block, address);
      // The one before comes first: among equals, running over the end is the commoner mistake.
      if (best === null || found.distance < best.distance) best = found;
    }
    return best;
  }

  liveBlocks(): HeapBlock[] {
    const live: HeapBlock[] = [];
    for (const span of this.spans()) {
      const blocks = span.kind === H.SPAN_SLAB ? this.slots(span) : [this.largeBlock(span)];
      for (const block of blocks) if (block?.live) live.push(block);
    }
    return live;
  }

  otherRanges(): { address: number; size: number }[] {
    const end = this.memory.heapStart + this.memory.heapBytes;
    const ranges: { address: number; size: number }[] = [];
    let at = this.memory.heapStart;
    for (const region of [...this.regions()].sort((a, b) => a.address - b.address)) {
      if (region.address > at) ranges.push({ address: at, size: region.address - at });
      at = Math.max(at, region.end);
    }
    if (end > at) ranges.push({ address: at, size: end - at });
    return ranges;
  }

  // ------------------------------------------------------------ the allocator's structures

  private field<S extends keyof typeof HEAP_STRUCTURES>(
    structure: S,
    address: number,
    name: (typeof HEAP_STRUCTURES)[S][number],
  ): number {
    const fields: readonly string[] = HEAP_STRUCTURES[structure];
    return this.memory.view.getUint32(address + 4 * fields.indexOf(name), true);
  }

  private *regions(): Generator<{ readonly address: number; readonly end: number }> {
    const heap = this.memory.view.getUint32(CONTROL.heap, true);
    if (heap === 0) return;
    const last = this.field("heap", heap, "last_region");
    let address = this.field("heap", heap, "first_region");
    while (address !== 0) {
      yield { address, end: this.field("region", address, "end") };
      if (address === last) return;
      address = this.field("region", address, "next");
    }
  }

  private *spans(): Generator<Span> {
    const heap = this.memory.view.getUint32(CONTROL.heap, true);
    for (const region of this.regions()) {
      const isLast = region.address === this.field("heap", heap, "last_region");
      const limit = isLast ? this.field("heap", heap, "fresh") : region.end;
      // A region's first page is its own.
      for (let address = region.address + H.PAGE_SIZE; address < limit; ) {
        const end = address + this.field("span", address, "pages") * H.PAGE_SIZE;
        yield { address, end, kind: this.field("span", address, "kind") };
        address = end;
      }
    }
  }

  private spanAt(address: number): Span | null {
    for (const span of this.spans()) if (address >= span.address && address < span.end) return span;
    return null;
  }

  private *slots(span: Span): Generator<HeapBlock | null> {
    const carved = this.field("span", span.address, "carved");
    for (let index = 0; index < carved; index++) yield this.slot(span, index);
  }

  /** The blocks of the slots around the address, the one before first. */
  private neighbours(span: Span, address: number): (HeapBlock | null)[] {
    const stride = this.field("span", span.address, "stride");
    const carved = this.field("span", span.address, "carved");
    const index = Math.floor((address - this.field("span", span.address, "first")) / stride);
    return [index - 1, index, index + 1].filter((k) => k >= 0 && k < carved).map((k) => this.slot(span, k));
  }

  private slot(span: Span, index: number): HeapBlock | null {
    const first = this.field("span", span.address, "first");
    return this.block(first + index * this.field("span", span.address, "stride"));
  }

  /** In a free span, the block that was there last, if its header is still in its place. */
  private largeBlock(span: Span): HeapBlock | null {
    return this.block(span.address + H.LARGE_LEAD);
  }

  /** `start`: where the block's bytes would begin if no alignment had moved them. */
  private block(start: number): HeapBlock | null {
    const header = start - H.HEADER;
    if (this.field("block", header, "mark") === H.BLOCK_SHIFTED) {
      const moved = start + this.field("block", header, "size");
      return this.blockAt(moved);
    }
    return this.blockAt(start);
  }

  private blockAt(start: number): HeapBlock | null {
    const header = start - H.HEADER;
    const mark = this.field("block", header, "mark");
    if (mark !== H.BLOCK_LIVE && mark !== H.BLOCK_FREED) return null;
    if (this.field("block", header, "check") !== (start ^ H.CHECK) >>> 0) return null;
    return {
      start,
      size: this.field("block", header, "size"),
      live: mark === H.BLOCK_LIVE,
      allocationSerial: this.field("block", header, "allocation_serial"),
      freeSerial: this.field("block", header, "free_serial"),
    };
  }
}

function place(block: HeapBlock, address: number): FoundBlock {
  const end = block.start + block.size;
  if (address < block.start) return { ...block, where: "before", distance: block.start - address };
  if (address >= end) return { ...block, where: "after", distance: address - end };
  return { ...block, where: "inside", distance: 0 };
}
