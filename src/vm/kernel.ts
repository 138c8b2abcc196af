// The state of the one guest process that system calls work on. Handlers get it whole: a system call is by nature the
// place where memory, files, time and signals meet, and splitting it would only move the wiring.

import { FAULTS, type FaultName } from "../jit/boundary.js";
import type { Random } from "../support/random.js";
import type { VirtualClock } from "./clock.js";
import { ERRNO } from "./errno.js";
import type { FileSystem } from "./file-system.js";
import type { GuestMemory } from "./guest-memory.js";
import type { Mappings } from "./mappings.js";
import { RunStop } from "./run-end.js";
import type { RunOptions } from "./run-options.js";
import type { Signals } from "./signals.js";
import type { Terminal } from "./terminal.js";

/** Pids as a fresh container has them; fixed so that runs repeat. */
export const PROCESS_ID = 4242;
export const PARENT_ID = 4241;

export class Kernel {
  readonly options: RunOptions;
  readonly memory: GuestMemory;
  readonly files: FileSystem;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly signals: Signals;
  readonly mappings: Mappings;
  readonly terminal: Terminal;
  /** Refused and unknown operations by name. */
  readonly denied = new Map<string, number>();
  /** The guest is the user that runs us. */
  readonly identity = { user: process.getuid?.() ?? 1000, group: process.getgid?.() ?? 1000 };
  /** Name of the system call at work, for reports. */
  currentCall = "";
  stackPointer: () => number = () => 0;

  constructor(parts: {
    options: RunOptions;
    memory: GuestMemory;
    files: FileSystem;
    clock: VirtualClock;
    random: Random;
    signals: Signals;
    mappings: Mappings;
    terminal: Terminal;
  }) {
    this.options = parts.options;
    this.memory = parts.memory;
    this.files = parts.files;
    this.clock = parts.clock;
    this.random = parts.random;
    this.signals = parts.signals;
    this.mappings = parts.mappings;
    this.terminal = parts.terminal;
  }

  /** A signal the process sends to itself, or the kernel to it. */
  raise(signal: number): void {
    throw new RunStop({ kind: "signal", signal });
  }

  /** Counts something a sandbox refuses and answers with the error number it gives. */
  deny(what: string, errno: number = ERRNO.EPERM): number {
    this.denied.set(what, (this.denied.get(what) ?? 0) + 1);
    return -errno;
  }

  /** A detector fired in a system call. */
  fault(name: FaultName | "abort", address: number, size: number): never {
    throw new RunStop({
      kind: "fault",
      fault: { name, address, size, stackPointer: this.stackPointer(), syscall: this.currentCall },
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
