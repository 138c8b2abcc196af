// Leaks: blocks that are alive at exit although nothing points to them. Marking is conservative, as in every leak
// checker for C: any aligned word that could be an address inside a block keeps the block alive. Roots are globals, the
// guest's stack, arguments and mapped memory.
//
// Values in WebAssembly locals cannot be seen. At a return from main there are none of the program's; if exit is called
// from within the program, its functions are still active, and what only they hold would look lost. Then nothing is
// reported, and the report says why.

import type { ProgramImage } from "../jit/image.js";
import { ARGUMENTS_BASE, ARGUMENTS_LIMIT, STACK_TOP } from "../jit/memory-layout.js";
import type { GuestMemory } from "../vm/guest-memory.js";
import type { HeapBlock, HeapReader } from "../vm/heap-reader.js";
import type { SourceFrame } from "../vm/stack-trace.js";
import type { Finding } from "./finding.js";

export interface LeakScene {
  readonly image: ProgramImage;
  readonly memory: GuestMemory;
  readonly heap: HeapReader;
  readonly stackPointer: number;
}

/** Live blocks that cannot be reached, in order of allocation. */
export function unreachableBlocks(scene: LeakScene): HeapBlock[] {
  const blocks = scene.heap.liveBlocks().toSorted((a, b) => a.start - b.start);
  const starts = Float64Array.from(blocks, (block) => block.start);
  const reached = new Uint8Array(blocks.length);
  const pending: number[] = [];
  const { u32 } = scene.memory;

  const scan = (from: number, to: number): void => {
    for (let at = Math.ceil(from / 8) * 8; at + 8 <= to; at += 8) {
      if (u32[(at >>> 2) + 1] !== 0) continue;
      const index = blockAt(blocks, starts, u32[at >>> 2]);
      if (index < 0 || reached[index] !== 0) continue;
      reached[index] = 1;
      pending.push(index);
    }
  };

  for (const { address, size, name } of scene.image.globals) {
    // The allocator's own lists point to every block.
    if (!name.startsWith("__tangent_")) scan(address, address + size);
  }
  scan(scene.stackPointer, STACK_TOP);
  scan(ARGUMENTS_BASE, ARGUMENTS_LIMIT);
  for (const { address, size } of scene.heap.otherRanges()) scan(address, address + size);
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    scan(blocks[index].start, blocks[index].start + blocks[index].size);
  }
  return blocks.filter((_, index) => reached[index] === 0).toSorted((a, b) => a.allocationSerial - b.allocationSerial);
}

/** Index of the block whose bytes (or end, for pointers one past it) hold the address; -1 if none does. */
function blockAt(blocks: readonly HeapBlock[], starts: Float64Array, address: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle] <= address) low = middle + 1;
    else high = middle;
  }
  const index = low - 1;
  if (index < 0) return -1;
  return address <= blocks[index].start + blocks[index].size ? index : -1;
}

/** A finding for blocks leaked from the same place. */
export function leakFinding(blocks: readonly HeapBlock[], stack: readonly SourceFrame[] | null): Finding {
  const bytes = blocks.reduce((sum, block) => sum + block.size, 0);
  const [first] = blocks;
  const frames = stack ?? [];
  return {
    kind: "memory-leak",
    access: null,
    size: bytes,
    address: first.start,
    firstBadAddress: null,
    stack: frames,
    userFrame: frames.findIndex((frame) => frame.origin === "program"),
    object: {
      kind: "heap",
      name: null,
      address: first.start,
      size: first.size,
      offset: 0,
      file: null,
      line: 0,
      functionName: null,
      allocationStack: stack,
      freeStack: null,
    },
    message: `${bytes} ${bytes === 1 ? "byte" : "bytes"} in ${blocks.length} ${blocks.length === 1 ? "block" : "blocks"} were never freed`,
    check: null,
    confirmed: stack === null ? null : true,
  };
}
