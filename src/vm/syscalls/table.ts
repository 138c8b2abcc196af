// All system calls, by number: the families put together, and buffers.ts with what each reads and writes, which is checked
// before a call's own code runs. Unknown numbers fail with ENOSYS and are counted, so that a program that needs one says
// so in the report instead of behaving strangely.

import { ERRNO } from "../errno.js";
import type { GuestMemory } from "../guest-memory.js";
import type { Kernel } from "../kernel.js";
import { BUFFERS, checkBuffers } from "./buffers.js";
import { Call, type Family, type SystemCall } from "./call.js";
import { ClosedDescriptors } from "./closed-descriptors.js";
import { DENIED, SOCKETS } from "./denied.js";
import { DESCRIPTORS } from "./descriptors.js";
import { FILES } from "./files.js";
import { INPUT_OUTPUT } from "./input-output.js";
import { MEMORY } from "./memory.js";
import { POLLING } from "./poll.js";
import { PROCESS } from "./process.js";
import { PROCESSES } from "./processes.js";
import { SHARED_MEMORY } from "./shared-memory.js";
import { isOwnProcess, SIGNALS } from "./signals.js";
import { MESSAGES_AND_SEMAPHORES } from "./system-v.js";
import { THREADS } from "./threads.js";
import { TIME } from "./time.js";
import { TIMERS } from "./timers.js";

/** What a process learns from outside of itself: a child that lives its parent's life again is answered from notes. */
const SYSTEM_V: readonly Family[] = [MESSAGES_AND_SEMAPHORES, SHARED_MEMORY];
const FROM_OUTSIDE: readonly Family[] = [
  ...[INPUT_OUTPUT, FILES, DESCRIPTORS, POLLING, PROCESSES, SOCKETS, DENIED],
  ...SYSTEM_V,
];
export const FAMILIES: readonly Family[] = [...FROM_OUTSIDE, MEMORY, TIME, TIMERS, PROCESS, SIGNALS, THREADS];
const WAITING = ["getrandom", "nanosleep", "clock_nanosleep", "pause", "rt_sigsuspend", "rt_sigtimedwait", "futex"];
const KILL = 62;

const EXIT = 60;
const EXIT_GROUP = 231;

/** Dispatches the call that is in the control block, counts it, and stores its result. */
export class Dispatcher {
  private readonly kernel: () => Kernel;
  private readonly call: Call;
  private readonly table: (SystemCall | undefined)[] = [];
  private readonly buffers: (typeof BUFFERS)[string][] = [];
  private readonly counts: number[] = [];
  private readonly isFromOutside: boolean[] = [];
  private readonly closed = new ClosedDescriptors();

  /** `kernel`: the state of the run in progress. */
  constructor(memory: GuestMemory, kernel: () => Kernel) {
    this.kernel = kernel;
    this.call = new Call(memory);
    for (const family of FAMILIES) {
      for (const [number, entry] of Object.entries(family)) {
        this.table[Number(number)] = entry;
        this.buffers[Number(number)] = BUFFERS[entry.name];
        this.isFromOutside[Number(number)] = FROM_OUTSIDE.includes(family) || WAITING.includes(entry.name);
      }
    }
    for (let i = 0; i < this.table.length; i++) this.counts.push(0);
  }

  /** Another run begins. */
  restart(): void {
    this.counts.fill(0);
    this.closed.restart();
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
    kernel.callsMade++;
    if (entry === undefined) {
      call.setResult(kernel.deny(`syscall ${number}`, ERRNO.ENOSYS));
      return;
    }
    this.counts[number]++;
    const outer = kernel.currentCall;
    const first = call.u32(0);
    kernel.currentCall = entry.name;
    checkBuffers(kernel, call, this.buffers[number]);
    const { life } = kernel;
    const wasEventful = life.isEventful;
    let result = wasEventful ? this.noted(kernel, number, entry) : entry.handler(kernel, call);
    // The first child: notes begin with its birth.
    if (!wasEventful && life.isEventful) result = this.finished(kernel, result);
    if (entry.name === "close" || result < 0) this.closed.look(kernel, entry.name, first, result);
    kernel.currentCall = outer;
    call.setResult(result);
  }

  /** The call of a process that has children, or is one: answered from its parent's notes, or made and noted. */
  private noted(kernel: Kernel, number: number, entry: SystemCall): number {
    const { call } = this;
    const { life } = kernel;
    const isNoted = this.isFromOutside[number] || (number === KILL && !isOwnProcess(kernel, call.i32(0)));
    if (!isNoted) return entry.handler(kernel, call);
    const { relived } = life;
    if (relived === null) {
      life.log?.begin(number);
      return this.finished(kernel, entry.handler(kernel, call));
    }
    if (kernel.callsMade <= relived.log.firstCall) return entry.handler(kernel, call);
    const isBirth = relived.isAtBirth;
    const { result, written, raised, waitedNs } = relived.take(number);
    entry.again?.(kernel, call, result);
    for (const { address, bytes } of written) kernel.memory.u8.set(bytes, address);
    kernel.clock.waitedNs = waitedNs;
    if (isBirth) life.beBorn(kernel);
    for (const signal of raised) kernel.raise(signal);
    return result;
  }

  private finished({ life, memory, clock }: Kernel, result: number): number {
    life.hear(this.kernel());
    life.log?.end(result, memory, clock.waitedNs);
    return result;
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
