// A machine with the symbolic host beside it, its arena and its input space: all of an executor that is slow to make and the same for every
// executor of a program. Whoever has used one up gives it back, and the next executor of the program takes it: of a program with thousands
// of functions, each explored for a moment, memories would be made and collected all the time.
//
// Invariant: one that is taken is as a new one. What runs leave in memory is put back when a run is prepared; everything else is forgotten
// when it is given back. One that has grown large is not kept.

import { InputSpace } from "../concolic/input-space.js";
import { StoredBytes } from "../concolic/stored-bytes.js";
import { type HostEvents, SymbolicHost } from "../concolic/symbolic-host.js";
import { ExprArena } from "../expr/arena.js";
import type { ProgramImage } from "../jit/image.js";
import { HOOKS_BASE, HOOKS_LIMIT } from "../jit/memory-layout.js";
import { Machine } from "../vm/machine.js";
import type { MachineHooks } from "../vm/machine-hooks.js";
import type { RunOptions } from "../vm/run-options.js";

/** Who runs programs in it: hears what the machine and the host have to say. */
export type MachineUser = Omit<MachineHooks, "functions" | "mayGoOn"> &
  Required<Pick<MachineHooks, "moved" | "unshadowed" | "unfollowed">> &
  Required<Omit<HostEvents, "goesOn">>;

export interface MachineParts {
  readonly machine: Machine;
  readonly host: SymbolicHost;
  readonly stored: StoredBytes;
}

/** Of one program: those that are given back at the same time, with one more. */
const MOST_KEPT = 4;
/** One whose heap or shadows have grown larger costs more to put back than a new one, and holds memory that others need. */
const MOST_HEAP_BYTES = 0x200_0000;
const MOST_SHADOW_BYTES = 0x100_0000;

const idle = new WeakMap<ProgramImage, SymbolicMachine[]>();

export class SymbolicMachine {
  readonly arena = new ExprArena();
  readonly space = new InputSpace();
  private made: MachineParts | null = null;

  /** For this user until it is given back. */
  static take(image: ProgramImage, heapBytes: number, user: MachineUser): SymbolicMachine {
    const list = idle.get(image) ?? [];
    const at = list.findIndex((one) => one.heapBytes === heapBytes);
    if (at < 0) return new SymbolicMachine(image, heapBytes, user);
    const [kept] = list.splice(at, 1);
    kept.user = user;
    return kept;
  }

  /** Nobody will take one for this program again: memories of those that wait are for other programs. */
  static scrapIdle(image: ProgramImage): void {
    for (const { made } of idle.get(image) ?? []) made?.machine.scrap();
    idle.delete(image);
  }

  private constructor(
    private readonly image: ProgramImage,
    private readonly heapBytes: number,
    private user: MachineUser | null,
  ) {}

  /** `options`: of the first run, with which a machine is made if there is none yet. */
  parts(options: RunOptions): MachineParts {
    this.made ??= this.make(options);
    return this.made;
  }

  private make(options: RunOptions): MachineParts {
    const functions: Record<string, (...values: number[]) => number | undefined> = {};
    const hooks: MachineHooks = {
      functions,
      started: (objects) => this.owner.started(objects),
      delivered: (input, offset, address, size) => this.owner.delivered(input, offset, address, size),
      written: (address, size) => this.owner.written(address, size),
      read: (address, size) => this.owner.read(address, size),
      taken: (address, size) => this.owner.taken(address, size),
      stored: (address, size) => this.owner.stored(address, size),
      moved: (destination, source, size) => this.owner.moved(destination, source, size),
      unshadowed: (shadow, low, high) => this.owner.unshadowed(shadow, low, high),
      unfollowed: (what) => this.owner.unfollowed(what),
      concreteOptions: () => this.owner.concreteOptions?.() ?? {},
      isCancelled: () => this.user?.isCancelled?.() === true,
      mayGoOn: () => !host.isAboutToFail,
    };
    const machine = new Machine(this.image, options, hooks);
    const host: SymbolicHost = new SymbolicHost(this.arena, machine.memory, this.image, this.space, {
      endSilently: () => this.owner.endSilently(),
      falseAssumption: () => this.owner.falseAssumption(),
      reportError: (message, suffix, file, line) => this.owner.reportError(message, suffix, file, line),
      describe: (message, expression, low, high) => this.owner.describe(message, expression, low, high),
      hooked: (functionIndex) => this.owner.hooked(functionIndex),
      lookAtClock: () => machine.lookAtClock(),
      goesOn: (address, size) => machine.willPassRead(address, size),
    });
    Object.assign(functions, host.functions, host.intrinsics);
    return { machine, host, stored: new StoredBytes(host) };
  }

  private get owner(): MachineUser {
    if (this.user === null) throw new Error("a machine runs that was given back");
    return this.user;
  }

  /** Whoever had it must not use it, nor any expression, any more. */
  give(): void {
    if (this.user === null) return;
    this.user = null;
    const { made, image } = this;
    if (made === null) return;
    const { machine, host, stored } = made;
    machine.forgetPlace();
    if (machine.memory.heapBytes > MOST_HEAP_BYTES || host.shadows.bytes > MOST_SHADOW_BYTES) return;
    const list = idle.get(image) ?? [];
    idle.set(image, list);
    if (list.length >= MOST_KEPT) return;
    machine.memory.u8.fill(0, HOOKS_BASE, Math.min(HOOKS_LIMIT, HOOKS_BASE + image.functions.length));
    this.arena.clear();
    this.space.clear();
    stored.begin();
    host.forget();
    list.push(this);
  }
}
