// The guest's memory in the middle of a run, for runs that begin there. A function that is explored in a call of a test would else have the
// test run up to that call before each path; the frames of WebAssembly itself cannot be kept, but whoever begins there calls the function
// alone and never returns to its callers.
//
// As in memory-reset.ts, only what a run can have written is kept and put back.

import type { ProgramImage } from "../jit/image.js";
import { ARGUMENTS_BASE, COVERAGE_BASE, GLOBALS_BASE, GUEST_BASE, STACK_TOP } from "../jit/memory-layout.js";
import type { GuestMemory } from "./guest-memory.js";
import { CONTROL_END } from "./memory-reset.js";

/** More is not kept. */
const MOST_BYTES = 0x400_0000;
/** To put back so many bytes takes about as long as one instruction of the way. */
const BYTES_AN_INSTRUCTION = 16;

/** Bytes from an address on, with their states. */
interface Kept {
  readonly from: number;
  readonly bytes: Uint8Array;
  readonly states: Uint8Array;
}

export interface PlaceState {
  readonly stackPointer: number;
  readonly lowestStack: number;
  /** Of the way there. */
  readonly instructions: number;
  /** Of the program's words. */
  readonly argumentBytes: number;
}

export class KeptPlace {
  private readonly kept: readonly Kept[];
  private readonly control: Uint8Array;
  private readonly heapBytes: number;

  /** Null if putting it back would cost more than the way there. */
  static of(memory: GuestMemory, image: ProgramImage, state: PlaceState): KeptPlace | null {
    const { instructions, lowestStack, argumentBytes } = state;
    const bytes = memory.heapBytes + image.globalsEnd - GLOBALS_BASE + STACK_TOP - lowestStack + argumentBytes;
    if (bytes > Math.min(MOST_BYTES, instructions * BYTES_AN_INSTRUCTION)) return null;
    return new KeptPlace(memory, image, state);
  }

  private constructor(
    private readonly memory: GuestMemory,
    private readonly image: ProgramImage,
    readonly state: PlaceState,
  ) {
    const { u8, heapStart, heapBytes } = memory;
    const { lowestStack, argumentBytes } = state;
    const copy = (from: number, to: number): Kept => ({
      from: from & ~7,
      bytes: u8.slice(from & ~7, to),
      states: u8.slice(from >>> 3, (to + 7) >>> 3),
    });
    this.heapBytes = heapBytes;
    this.kept = [
      copy(GLOBALS_BASE, image.globalsEnd),
      copy(lowestStack, STACK_TOP),
      copy(heapStart, heapStart + heapBytes),
      copy(ARGUMENTS_BASE, ARGUMENTS_BASE + argumentBytes),
    ];
    this.control = u8.slice(GUEST_BASE, CONTROL_END);
  }

  /** `lowestStack`: of the run since. */
  restore(lowestStack: number): void {
    const { memory, image, state } = this;
    const { u8, heapStart, heapBytes } = memory;
    memory.clear(lowestStack & ~7, state.lowestStack & ~7);
    memory.clear(heapStart + this.heapBytes, heapStart + heapBytes);
    for (const { from, bytes, states } of this.kept) {
      u8.set(bytes, from);
      u8.set(states, from >>> 3);
    }
    u8.set(this.control, GUEST_BASE);
    u8.fill(0, COVERAGE_BASE, COVERAGE_BASE + image.coverage.length);
    memory.shrink(this.heapBytes);
  }
}
