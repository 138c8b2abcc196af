// All system calls, by number: the families put together, and buffers.ts with what each reads and writes, which is checked
// before a call's own code runs. Unknown numbers fail with ENOSYS and are counted, so that a program that needs one says
// so in the report instead of behaving strangely.

import { ERRNO } from "../errno.js";
import type { GuestMemory } from "../guest-memory.js";
import type { Kernel } from "../kernel.js";
import { BUFFERS, checkBuffers } from "./buffers.js";
import { Call, type SystemCall } from "./call.js";
import { DENIED } from "./denied.js";
import { DESCRIPTORS } from "./descriptors.js";
import { FILES } from "./files.js";
import { INPUT_OUTPUT } from "./input-output.js";
import { MEMORY } from "./memory.js";
import { POLLING } from "./poll.js";
import { PROCESS } from "./process.js";
import { SIGNALS } from "./signals.js";
import { TIME } from "./time.js";

export const FAMILIES = [INPUT_OUTPUT, FILES, DESCRIPTORS, MEMORY, TIME, PROCESS, SIGNALS, POLLING, DENIED] as const;

const EXIT = 60;
const EXIT_GROUP = 231;

/** Dispatches the call that is in the control block, counts it, and stores its result. */
export class Dispatcher {
  private readonly kernel: () => Kernel;
  private readonly call: Call;
  private readonly table: (SystemCall | undefined)[] = [];
  private readonly buffers: (typeof BUFFERS)[string][] = [];
  private readonly counts: number[] = [];

  /** `kernel`: the state of the run in progress. */
  constructor(memory: GuestMemory, kernel: () => Kernel) {
    this.kernel = kernel;
    this.call = new Call(memory);
    for (const family of FAMILIES) {
      for (const [number, entry] of Object.entries(family)) {
        this.table[Number(number)] = entry;
        this.buffers[Number(number)] = BUFFERS[entry.name];
      }
    }
    for (let i = 0; i < this.table.length; i++) this.counts.push(0);
  }

  /** Another run begins. */
  restart(): void {
    this.counts.fill(0);
  }

  get isExit(): boolean {
    const { number } = this.call;
    return number === EXIT_GROUP || number === EXIT;
  }
  get exitCode(): number {
    return this.call.u32(0) & 0xff;
  }

  dispatch(): void {
    const { call } = this;
    const kernel = this.kernel();
    const number = call.number;
    const entry = this.table[number];
    if (entry === undefined) {
      call.setResult(kernel.deny(`syscall ${number}`, ERRNO.ENOSYS));
      return;
    }
    this.counts[number]++;
    const outer = kernel.currentCall;
    kernel.currentCall = entry.name;
    checkBuffers(kernel, call, this.buffers[number]);
    const result = entry.handler(kernel, call);
    kernel.currentCall = outer;
    call.setResult(result);
  }

  /** How often each was made, by name. */
  counted(): Record<string, number> {
    const result: Record<string, number> = {};
    for (const [number, count] of this.counts.entries()) {
      const entry = this.table[number];
      if (count > 0 && entry !== undefined) result[entry.name] = (result[entry.name] ?? 0) + count;
    }
    return result;
  }
}
