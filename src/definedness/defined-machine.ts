// A machine for runs that look for uses of what was never set, and what such a run found: each place once, in order. It can
// run again and again, as an exploration wants it.

import type { Scene } from "../findings/locate-object.js";
import type { ProgramImage } from "../jit/image.js";
import { CONTROL } from "../jit/memory-layout.js";
import { readHeap } from "../vm/heap.js";
import { Machine } from "../vm/machine.js";
import { placeKeyOf } from "../vm/place-key.js";
import type { WasmFrame } from "../vm/run-end.js";
import type { RunOptions } from "../vm/run-options.js";
import { captureFrames, type SourceFrame, sourceFrames, visibleFrames } from "../vm/stack-trace.js";
import { DefinednessHost, type UseKind } from "./definedness-host.js";
import { type Origin, Origins } from "./origins.js";

export interface Use {
  readonly kind: UseKind;
  /** As vm/place-key.ts writes it. */
  readonly place: string;
  readonly stack: readonly SourceFrame[];
  /** Null if what was used is of no object that is known. */
  readonly origin: Origin | null;
}

/** Stacks are slow to make: one place in the code is looked at so often, from wherever it is reached. */
const LOOKS_PER_SITE = 16;
const LOOKS_AT_SYSTEM_CALLS = 256;
const MOST_USES = 200;
/** Where the exit status is handed to the system. */
const EXITS: ReadonlySet<string> = new Set(["_Exit", "_exit", "exit", "quick_exit"]);

export class DefinedMachine {
  readonly machine: Machine;
  private readonly host: DefinednessHost;
  private readonly origins: Origins;
  private readonly looks = new Map<number, number>();
  private readonly found = new Map<string, Use>();
  /** Serial numbers of blocks whose allocation is wanted, ascending, and where they were allocated. */
  private wanted: readonly number[] = [];
  private readonly allocations = new Map<number, readonly WasmFrame[]>();

  constructor(
    readonly image: ProgramImage,
    options: RunOptions,
    /** It will run more than once. */
    runsAgain = false,
  ) {
    const functions: Record<string, (...values: number[]) => unknown> = {
      watch: (serial) => this.allocated(serial),
    };
    this.machine = new Machine(
      image,
      options,
      {
        functions,
        keepsStacks: !runsAgain,
        started: () => {},
        delivered: () => {},
        written: (address, size) => this.host.unset.define(address, size),
        read: (address, size) => this.host.handedOut("path", address, size),
        taken: () => {},
        stored: () => {},
        output: (address, size) => this.host.handedOut("output", address, size),
      },
      runsAgain,
    );
    this.origins = new Origins(() => this.scene());
    this.host = new DefinednessHost(
      this.machine.memory,
      image,
      { ofValue: (value) => this.origins.ofValue(value), at: (address) => this.origins.at(address) },
      (kind, site, origin, undefinedBits) => this.use(kind, site, origin, undefinedBits),
    );
    Object.assign(functions, this.host.functions);
  }

  /** Before a run that is not the first. */
  prepare(options: RunOptions): void {
    this.machine.prepare(options);
    this.host.bits.reset();
    this.host.unset.reset();
    this.origins.reset();
    this.looks.clear();
    this.found.clear();
    this.allocations.clear();
  }

  /** The next run is to say where these blocks are allocated. Gives the options for it. */
  watchFor(serials: Iterable<number>): RunOptions["watch"] {
    this.wanted = [...new Set(serials)].filter((serial) => serial > 0).sort((a, b) => a - b);
    return { allocation: this.wanted[0] ?? 0, free: 0 };
  }

  /** Where a block was allocated, if that was wanted. */
  allocationOf(serial: number): readonly SourceFrame[] | null {
    const frames = this.allocations.get(serial);
    return frames === undefined ? null : visibleFrames(sourceFrames(this.image, frames));
  }

  /** What the last run has found. */
  uses(): Use[] {
    return [...this.found.values()];
  }

  private use(kind: UseKind, site: number, origin: number, undefinedBits: bigint): void {
    const looks = this.looks.get(site) ?? 0;
    if (looks >= (site < 0 ? LOOKS_AT_SYSTEM_CALLS : LOOKS_PER_SITE) || this.found.size >= MOST_USES) return;
    this.looks.set(site, looks + 1);
    const stack = visibleFrames(sourceFrames(this.image, captureFrames()));
    const own = stack.findIndex((frame) => frame.origin === "program");
    // Whatever a library function does with what it was given is one use of it.
    const place = placeKeyOf(own > 0 ? stack.slice(own - 1) : stack);
    if (this.found.has(place)) return;
    const from = this.origins.get(origin);
    // What was written to a stream long ago goes out at the end: if it was told then, it is not told again.
    if (own < 0 && from !== null && [...this.found.values()].some((use) => isSame(use.origin, from))) return;
    const isExit = kind === "system call" && stack.slice(0, 2).some(({ functionName }) => EXITS.has(functionName));
    // Of the status, the system keeps eight bits.
    if (isExit && (undefinedBits & 0xffn) === 0n) return;
    this.found.set(place, { kind: isExit ? "exit status" : kind, place, stack, origin: from });
  }

  private allocated(serial: number): void {
    this.allocations.set(serial, captureFrames());
    const next = this.wanted.find((one) => one > serial) ?? 0;
    this.machine.memory.view.setUint32(CONTROL.watchAllocation, next, true);
  }

  private scene(): Scene {
    const { machine, image } = this;
    return {
      image,
      memory: machine.memory,
      heap: readHeap(machine),
      arguments: machine.argumentObjects ?? [],
      mappings: machine.kernel.mappings.ranges(),
      stackPointer: machine.kernel.stack.value >>> 0,
    };
  }
}

function isSame(a: Origin | null, b: Origin): boolean {
  if (a === null || a.serial !== b.serial) return false;
  return a.serial !== 0 || (a.object.name === b.object.name && a.object.functionName === b.object.functionName);
}
