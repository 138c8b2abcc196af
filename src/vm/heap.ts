// Reads the heap that runtime/trusted/heap.c keeps in guest memory: whose block an address belongs to, and all blocks.
// Only findings and leak reports ask, so it walks the spans each time instead of keeping an index up to date.
// The numbers are those of runtime/trusted/heap.h; a test keeps the two equal.

import type { ProgramImage } from "../jit/image.js";
import type { GuestMemory } from "./guest-memory.js";
import type { HeapBlock, HeapReader } from "./heap-reader.js";
import type { Machine } from "./machine.js";

const PAGE_SHIFT = 12;
const PAGE_SIZE = 1 << PAGE_SHIFT;
const HEADER = 32;
const LIVE = 0x4c49_5645;
const FREED = 0x4652_4545;
const SHIFTED = 0x5348_4946;
const SPAN_SLAB = 2;
const SPAN_LARGE = 3;
const LARGE_LEAD = 256;

const HEAP_FIELDS = { firstRegion: 0, fresh: 8 } as const;
const REGION_FIELDS = { next: 0, end: 4 } as const;
const SPAN_FIELDS = { kind: 0, pages: 4, last: 12, stride: 24, first: 28, carved: 32 } as const;
const BLOCK_FIELDS = { mark: 0, size: 4, allocationSerial: 16, freeSerial: 20 } as const;

export function readHeap(machine: Machine): HeapReader {
  const reader = new GuestHeap(machine.image, machine.memory);
  return {
    findBlock: (address) => reader.findBlock(address),
    liveBlocks: () => reader.blocks().filter((block) => block.live),
    otherRanges: () => machine.kernel.mappings.ranges(),
  };
}

class GuestHeap {
  private readonly heap: number;

  constructor(
    image: ProgramImage,
    private readonly memory: GuestMemory,
  ) {
    this.heap = image.globals.find(({ name }) => name === "__tangent_heap" || name === "heap")?.address ?? 0;
  }

  private word(address: number): number {
    return this.memory.view.getUint32(address, true);
  }

  /** Every span that is not free: (address, kind). */
  private *spans(): Generator<number> {
    if (this.heap === 0) return;
    const fresh = this.word(this.heap + HEAP_FIELDS.fresh);
    for (let region = this.word(this.heap + HEAP_FIELDS.firstRegion); region !== 0; ) {
      const end = this.word(region + REGION_FIELDS.end);
      for (let span = region + PAGE_SIZE; span < end && span !== fresh; ) {
        const pages = this.word(span + SPAN_FIELDS.pages);
        if (pages === 0) break;
        yield span;
        if (this.word(span + SPAN_FIELDS.last) !== 0) break;
        span += pages << PAGE_SHIFT;
      }
      region = this.word(region + REGION_FIELDS.next);
    }
  }

  private blocksOf(span: number): HeapBlock[] {
    const kind = this.word(span + SPAN_FIELDS.kind);
    if (kind === SPAN_LARGE) return this.blockAt(span + LARGE_LEAD - HEADER);
    if (kind !== SPAN_SLAB) return [];
    const stride = this.word(span + SPAN_FIELDS.stride);
    const first = this.word(span + SPAN_FIELDS.first);
    const carved = this.word(span + SPAN_FIELDS.carved);
    const result: HeapBlock[] = [];
    for (let n = 0; n < carved; n++) result.push(...this.blockAt(first + n * stride - HEADER));
    return result;
  }

  /** The block whose header is there, or was moved from there by alignment. */
  private blockAt(place: number): HeapBlock[] {
    let header = place;
    if (this.word(header + BLOCK_FIELDS.mark) === SHIFTED) header += this.word(header + BLOCK_FIELDS.size);
    const mark = this.word(header + BLOCK_FIELDS.mark);
    if (mark !== LIVE && mark !== FREED) return [];
    return [
      {
        start: header + HEADER,
        size: this.word(header + BLOCK_FIELDS.size),
        live: mark === LIVE,
        allocationSerial: this.word(header + BLOCK_FIELDS.allocationSerial),
        freeSerial: this.word(header + BLOCK_FIELDS.freeSerial),
      },
    ];
  }

  blocks(): HeapBlock[] {
    const result: HeapBlock[] = [];
    for (const span of this.spans()) result.push(...this.blocksOf(span));
    return result;
  }

  /** The block nearest to the address among those of its span; a live one if two are equally near. */
  findBlock(address: number): HeapBlock | null {
    for (const span of this.spans()) {
      const end = span + (this.word(span + SPAN_FIELDS.pages) << PAGE_SHIFT);
      if (address < span || address >= end) continue;
      let best: HeapBlock | null = null;
      let bestDistance = Number.POSITIVE_INFINITY;
      for (const block of this.blocksOf(span)) {
        const distance =
          address < block.start ? block.start - address : Math.max(0, address - (block.start + block.size) + 1);
        if (distance < bestDistance || (distance === bestDistance && block.live)) {
          best = block;
          bestDistance = distance;
        }
      }
      return best;
    }
    return null;
  }
}
