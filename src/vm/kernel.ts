// The state of the one guest process that system calls work on. Handlers get it whole: a system call is by nature the
// place where memory, files, time and signals meet, and splitting it would only move the wiring.

import { FAULTS, type FaultName } from "../jit/boundary.js";
import { PROCESS_ID } from "../jit/memory-layout.js";
import { Random } from "../support/random.js";
import { VirtualClock } from "./clock.js";
import { ERRNO } from "./errno.js";
import { FileSystem } from "./files/file-system.js";
import type { OpenFile } from "./files/open-file.js";
import { isPipe } from "./files/pipe.js";
import { GivenInput } from "./files/standard-streams.js";
import type { GuestCalls } from "./guest-calls.js";
import type { GuestMemory } from "./guest-memory.js";
import { GuestPointers } from "./guest-pointers.js";
import { GuestThreads } from "./guest-threads.js";
import type { MachineHooks, Unfollowed } from "./machine-hooks.js";
import { Mappings } from "./mappings.js";
import { ProcessLife } from "./processes/process-life.js";
import { type Fault, RunStop } from "./run-end.js";
import type { RunMemory } from "./run-memory.js";
import type { RunOptions } from "./run-options.js";
import { SharedObjects } from "./shared-objects.js";
import { deliver, deliverPending, type GuestStack } from "./signal-delivery.js";
import { HANDLER, SIGNAL, Signals } from "./signals.js";
import { TRACE_LIMIT } from "./stack-trace.js";
import { Terminal } from "./terminal.js";
import { Timers } from "./timers.js";

/** A program may make up names of what it is refused without end; nobody reads more than these. */
const DENIED_NAMES = 200;
/** Files that show the words the program was started with: symbolic ones have their bytes in memory alone. */
const WORDS_SHOWN = /^\/proc\/[^/]+\/(cmdline|environ)$/;

export interface ProcessIdentity {
  readonly user: number;
  readonly group: number;
  readonly groups: readonly number[];
}
export function ownIdentity(): ProcessIdentity {
  return {
    user: process.getuid?.() ?? 1000,
    group: process.getgid?.() ?? 1000,
    groups: process.getgroups?.() ?? [],
  };
}

/** What of the guest itself system calls need. */
export interface GuestAccess {
  readonly identity: ProcessIdentity;
  readonly memory: GuestMemory;
  readonly calls: GuestCalls;
  readonly instructions: () => number;
  readonly grow: (bytes: number) => number;
  /** Of the host, for the whole run. */
  readonly account: () => RunMemory;
  /** Ends the run if its time is over; for whoever waits for something outside. */
  readonly lookAtClock: () => void;
}

export class Kernel {
  readonly options: RunOptions;
  readonly memory: GuestMemory;
  /** Of the host, for the whole run. */
  readonly account: RunMemory;
  files: FileSystem;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly signals = new Signals();
  timers = new Timers();
  readonly mappings: Mappings;
  threads = new GuestThreads();
  /** Checks of what system calls are given. */
  readonly pointers: GuestPointers;
  private madeTerminal: Terminal | null = null;
  /** Fixed, so that runs repeat. */
  processId = PROCESS_ID;
  parentId = PROCESS_ID - 1;
  /** The guest is the user that runs us. */
  readonly identity: ProcessIdentity;
  /** Refused and unknown operations by name. */
  denied = new Map<string, number>();
  /** System calls so far, the one at work among them. */
  callsMade = 0;
  /** Name of the system call at work, for reports; empty while none is. */
  currentCall = "";
  /** The guest's stack pointer; the machine puts the real one here. */
  stack: GuestStack = { value: 0 };
  private readonly calls: GuestCalls;
  private readonly hooks: MachineHooks | null;

  constructor(
    options: RunOptions,
    guest: GuestAccess,
    hooks: MachineHooks | null = null,
    /** Children, and what it is the child of. */
    readonly life: ProcessLife = ProcessLife.first(),
  ) {
    this.hooks = hooks;
    this.options = options;
    this.identity = guest.identity;
    this.memory = guest.memory;
    this.account = guest.account();
    this.calls = guest.calls;
    this.clock = new VirtualClock(options.startTimeMs, guest.instructions);
    this.random = new Random(options.seed);
    this.mappings = new Mappings(guest.memory, guest.grow, (file, address, size) => this.stored(file, address, size));
    this.pointers = new GuestPointers(guest.memory, this.mappings, (access, address, size) =>
      this.fault(access, address, size),
    );
    this.files = new FileSystem({
      options,
      user: this.identity,
      random: this.random,
      processId: this.processId,
      now: () => this.clock.timeOfDay(),
      deny: (what, errno) => this.deny(what, errno),
      memory: this.account,
      waiting: guest.lookAtClock,
      shared: new SharedObjects(),
    });
    const { stdout, stderr } = options.outputs ?? {};
    for (const output of [stdout, stderr]) {
      if (typeof output !== "object" || output.isSignalIgnored !== true) continue;
      this.signals.setAction(SIGNAL.SIGPIPE, { ...this.signals.action(SIGNAL.SIGPIPE), handler: HANDLER.ignore });
    }
  }

  /** From here on it is this process. */
  become(id: number, parentId: number, files: FileSystem, denied: Map<string, number>): void {
    this.processId = id;
    this.parentId = parentId;
    // Of its parent's threads it has the one that forked.
    this.threads = new GuestThreads();
    // And none of its timers.
    this.timers = new Timers();
    // What it had opened while it lived its parent's life again.
    if (files !== this.files) this.files.finish();
    this.files = files;
    this.denied = denied;
  }

  get terminal(): Terminal {
    this.madeTerminal ??= new Terminal(this.options.window, this.processId);
    return this.madeTerminal;
  }

  /** Counts something a sandbox refuses and answers with the error number it gives. */
  deny(what: string, errno: number = ERRNO.EPERM): number {
    const name = this.denied.has(what) || this.denied.size < DENIED_NAMES ? what : "others";
    this.denied.set(name, (this.denied.get(name) ?? 0) + 1);
    this.unfollowed("refused-call");
    return -errno;
  }

  /** Bytes of a file now lie in the guest's memory. */
  delivered(file: OpenFile, offset: number, address: number, size: number): void {
    if (this.hooks === null) return;
    // Standard input may have been opened a second time, by its name in /dev.
    const isInput = (file === this.files.stdin || file instanceof GivenInput) && offset >= 0;
    if (file.path !== null && WORDS_SHOWN.test(file.path)) this.unfollowed("shown-words");
    this.hooks.delivered(isInput ? "stdin" : (file.givenContent ?? "other"), offset, address, size);
  }

  /** The program writes to a file. */
  stored(file: OpenFile, address: number, size: number): void {
    if (this.hooks === null) return;
    this.hooks.output?.(address, size);
    if (file.path !== null || isPipe(file)) this.hooks.stored(address, size);
  }

  /** The run goes on in a way that may depend on the input, and that nobody tells. */
  unfollowed(what: Unfollowed): void {
    this.hooks?.unfollowed?.(what);
  }

  /** A signal the process sends to itself, or the kernel to it. */
  raise(signal: number): void {
    deliver(this, this.calls, this.stack, signal);
  }

  /** After the mask has changed. */
  deliverPending(): void {
    if (this.signals.nextPending() !== 0) deliverPending(this, this.calls, this.stack);
  }

  /** Raises the signals of timers whose time has come. */
  checkTimer(): boolean {
    const now = this.clock.peek();
    if (now < this.timers.nextAt) return false;
    const due = this.timers.due(now);
    // All before the first: a handler may leave by longjmp.
    for (const timer of due) timer.goOn(now);
    for (const { signal } of due) this.raise(signal);
    return true;
  }

  /** Sleeps in virtual time; answers with what is left if the timer cut it short, or -1. */
  sleep(nanoseconds: number): number {
    // Time passes for all.
    while (this.life.runAnother()) {}
    if (this.life.hear(this)) return nanoseconds;
    const until = this.clock.peek() + nanoseconds;
    const { nextAt } = this.timers;
    if (until < nextAt) {
      this.clock.sleep(nanoseconds);
      return -1;
    }
    if (nextAt === Number.POSITIVE_INFINITY) throw new RunStop({ kind: "limit", limit: "blocked" });
    this.clock.sleep(Math.max(0, nextAt - this.clock.peek()));
    this.checkTimer();
    return Math.max(0, until - this.clock.peek());
  }

  /** A detector fired. */
  fault(name: Fault["name"], address: number, size: number, detail?: string): never {
    const syscall = this.currentCall === "" ? null : this.currentCall;
    Error.stackTraceLimit = TRACE_LIMIT;
    throw new RunStop({
      kind: "fault",
      fault: {
        name,
        address,
        size,
        stackPointer: this.stack.value >>> 0,
        syscall,
        ...(detail === undefined ? {} : { detail }),
      },
    });
  }
}

/** The name of a fault code, for faults that generated code reports. */
export function faultName(code: number): FaultName | null {
  for (const name of Object.keys(FAULTS) as FaultName[]) {
    if (FAULTS[name] === code) return name;
  }
  return null;
}
