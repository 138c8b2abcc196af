// Puts the guest's memory back as it was before the first run, touching only what a run can have dirtied: the variables
// (from a copy), the stack down to its lowest point, the heap up to its end, arguments, coverage and the control block.
// A new memory would cost page faults for everything, a copy of the whole memory its size.
// Invariant: whatever is not restored here is never written by a run.

import type { ProgramImage } from "../jit/image.js";
import {
  ARGUMENTS_AREA_BYTES,
  ARGUMENTS_BASE,
  ARGUMENTS_LIMIT,
  COVERAGE_BASE,
  GLOBALS_BASE,
  GUEST_BASE,
  SPARE_AREAS,
  SPARE_ARGUMENTS,
  STACK_TOP,
} from "../jit/memory-layout.js";
import type { GuestMemory } from "./guest-memory.js";

/** Of what host and program tell each other, and of the areas for arguments. */
export const CONTROL_END = SPARE_ARGUMENTS + SPARE_AREAS * ARGUMENTS_AREA_BYTES;

export class MemoryReset {
  private readonly variables: Uint8Array;
  private readonly variableStates: Uint8Array;
  private words = new Uint8Array(0);
  private wordStates = new Uint8Array(0);

  /** To be made when the module's data is in place and nothing has run. */
  constructor(
    private readonly memory: GuestMemory,
    private readonly image: ProgramImage,
  ) {
    const { u8 } = memory;
    this.variables = u8.slice(GLOBALS_BASE, image.globalsEnd);
    this.variableStates = u8.slice(GLOBALS_BASE >>> 3, (image.globalsEnd + 7) >>> 3);
    this.keepArguments();
  }

  /** The arguments in memory are those of the following runs too, until told otherwise. */
  keepArguments(): void {
    const { u8 } = this.memory;
    const end = this.argumentsEnd();
    this.words = u8.slice(ARGUMENTS_BASE, end);
    this.wordStates = u8.slice(ARGUMENTS_BASE >>> 3, end >>> 3);
  }

  /** Of the arguments. */
  get argumentBytes(): number {
    return this.words.length;
  }

  /** `lowestStack`: the lowest the stack pointer has been. The arguments are put back, or cleared. */
  restore(lowestStack: number, keepArguments: boolean): void {
    const { memory } = this;
    const { u8 } = memory;
    u8.set(this.variables, GLOBALS_BASE);
    u8.set(this.variableStates, GLOBALS_BASE >>> 3);
    memory.clear(lowestStack & ~7, STACK_TOP);
    memory.clear(memory.heapStart, memory.heapStart + memory.heapBytes);
    if (keepArguments) {
      u8.set(this.words, ARGUMENTS_BASE);
      u8.set(this.wordStates, ARGUMENTS_BASE >>> 3);
    } else memory.clear(ARGUMENTS_BASE, ARGUMENTS_BASE + this.words.length);
    u8.fill(0, COVERAGE_BASE, COVERAGE_BASE + this.image.coverage.length);
    u8.fill(0, GUEST_BASE, CONTROL_END);
    memory.shrink();
  }

  /** All zeros, as before the program was there. What its machine has written besides (hooks) must be put back already. */
  blank(lowestStack: number): void {
    this.restore(lowestStack, false);
    const { u8 } = this.memory;
    this.memory.clear(GLOBALS_BASE, this.image.globalsEnd);
    u8.fill(0, GUEST_BASE >>> 3, CONTROL_END >>> 3);
  }

  /** Strings lie one after the other with gaps of less than two granules. */
  private argumentsEnd(): number {
    const { u8 } = this.memory;
    let state = ARGUMENTS_BASE >>> 3;
    for (let empty = 0; empty < 8 && state < ARGUMENTS_LIMIT >>> 3; state++) empty = u8[state] === 0 ? empty + 1 : 0;
    return state << 3;
  }
}
