// The arguments of one system call, read from the control block as 32-bit halves: a BigInt per argument would cost more
// than most calls do. Every argument must be read before a handler calls into the guest, which may make calls of its own.

import { CONTROL } from "../../jit/memory-layout.js";
import type { GuestMemory } from "../guest-memory.js";
import type { Kernel } from "../kernel.js";

const FIRST_WORD = (CONTROL.syscall + 8) >>> 2;
const RESULT = CONTROL.syscall + 56;

/** The result, or a negated error number. */
export type Handler = (kernel: Kernel, call: Call) => number;
export interface SystemCall {
  readonly name: string;
  readonly handler: Handler;
  /** What it does to the process itself, done again where its answer comes from notes: the call gave `result` then. */
  readonly again?: (kernel: Kernel, call: Call, result: number) => void;
}
/** One family of system calls: by number. */
export type Family = Readonly<Record<number, SystemCall>>;

export class Call {
  private readonly memory: GuestMemory;

  constructor(memory: GuestMemory) {
    this.memory = memory;
  }

  get number(): number {
    return this.memory.u32[CONTROL.syscall >>> 2];
  }

  /** The low half as an unsigned number: counts, flags, descriptors that must not be negative. */
  u32(index: number): number {
    return this.memory.u32[FIRST_WORD + 2 * index];
  }

  /** The low half as a C int. */
  i32(index: number): number {
    return this.memory.u32[FIRST_WORD + 2 * index] | 0;
  }

  /** All 64 bits, unsigned; anything above 2^32 is no address. Exact below 2^53. */
  pointer(index: number): number {
    const high = this.memory.u32[FIRST_WORD + 2 * index + 1];
    const low = this.memory.u32[FIRST_WORD + 2 * index];
    return high === 0 ? low : high * 0x1_0000_0000 + low;
  }

  /** All 64 bits, signed. */
  i64(index: number): number {
    return this.memory.getI64((FIRST_WORD + 2 * index) * 4);
  }

  setResult(value: number): void {
    this.memory.setI64(RESULT, value);
  }
}
