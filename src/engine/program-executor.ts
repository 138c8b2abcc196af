// The real executor: a translated program in a machine that runs again and again, with the symbolic host of concolic/ beside
// it. One instance, one arena and one input space serve a whole exploration; a run costs a reset of what the last one
// dirtied and the path itself.

import { InputSpace, type SpaceObject } from "../concolic/input-space.js";
import type { StoredBytes } from "../concolic/stored-bytes.js";
import type { SymbolicHost } from "../concolic/symbolic-host.js";
import { MAX_CELLS } from "../concolic/symbolic-stores.js";
import type { ExprArena } from "../expr/arena.js";
import { CONCRETE, type ExprRef } from "../expr/ops.js";
import type { InputValue } from "../inputs/input-value.js";
import type { SymbolicInputs } from "../inputs/symbolic-inputs.js";
import type { GivenSurroundings, TestInput } from "../inputs/test-input.js";
import type { GlobalInfo, ProgramImage } from "../jit/image.js";
import { loadModule } from "../jit/load-module.js";
import { CONTROL } from "../jit/memory-layout.js";
import { NO_SITE, type PathObserver } from "../path/observer.js";
import { RunStopped } from "../path/run-stopped.js";
import type { Model } from "../solver/solver.js";
import { isLiteralName } from "../support/literal-names.js";
import { HeldOutput, pipeShape, STANDARD_FLAGS } from "../vm/files/standard-streams.js";
import { makeRoom } from "../vm/given-literals.js";
import { GoingOn } from "../vm/going-on.js";
import type { Machine } from "../vm/machine.js";
import type { InputName } from "../vm/machine-hooks.js";
import { placeKeyOf } from "../vm/place-key.js";
import type { Fault, RunEnd, WasmFrame } from "../vm/run-end.js";
import { FALSE_ASSUMPTION, RunStop } from "../vm/run-end.js";
import { DEFAULT_OPTIONS, type RunOptions } from "../vm/run-options.js";
import { sourceFrames } from "../vm/stack-trace.js";
import type { ArgumentObject } from "../vm/start-vector.js";
import type {
  DetectedFinding,
  Executor,
  InputObject,
  PathEnd,
  RunLimits,
  RunOutcome,
  TriedOutcome,
} from "./executor.js";
import { QUIET } from "./finding-ledger.js";
import { ProgramInputs } from "./program-inputs.js";
import { type MachineUser, SymbolicMachine } from "./symbolic-machine.js";

export interface ProgramExecutorOptions {
  readonly inputs: SymbolicInputs;
  /** The program's name as argv[0]. */
  readonly name: string;
  readonly workingDirectory: string;
  readonly environment: readonly string[];
  readonly heapBytes: number;
  readonly seed: number;
  /** What a run prints is kept for `output`; otherwise it is thrown away, since replaying a test shows it. */
  readonly keepsOutput?: boolean;
  /** Stores at symbolic addresses are followed in tables of so many cells. */
  readonly storeCells?: number;
  /** A klee_assume that cannot hold ends the path and is no error. */
  readonly silentAssumptions?: boolean;
  /** klee_print_expr. */
  readonly describe: (message: string, expression: ExprRef, low: number, high: number) => void;
  /** Files that are given but no input, files that do not exist, and other things of a recorded test. */
  readonly given?: GivenSurroundings;
  /** Where covered blocks are noted, if it is shared with others. */
  readonly coverage?: Uint8Array;
  /** These bytes are what the inputs are, in all runs: nothing of them is symbolic. */
  readonly fixed?: readonly InputValue[];
  /** In the place of the program's start; see unit-executor.ts. */
  readonly enter?: (() => void) | null;
  /** In the place of the way to where the machine was told to keep a place (vm/kept-place.ts). */
  readonly enterAtPlace?: () => void;
  /** What of the stack is shown where a run ended. */
  readonly shownTrace?: (trace: readonly WasmFrame[]) => readonly WasmFrame[];
  /** A function with a hook was called; true if it was answered. */
  readonly hooked?: (functionIndex: number) => boolean;
}

/** What of the options a test does not say. */
export type TestExecution = Pick<ProgramExecutorOptions, "heapBytes" | "seed" | "coverage">;

export function executorOfTest(
  image: ProgramImage,
  { inputs, program: name, workingDirectory, environment, given }: TestInput,
  execution: TestExecution,
  module?: WebAssembly.Module,
): ProgramExecutor {
  const options = { inputs, name, workingDirectory, environment, given, ...execution, describe: () => {} };
  return new ProgramExecutor(image, options, module);
}

type MutableOptions = { -readonly [K in keyof RunOptions]: RunOptions[K] } & Required<Pick<RunOptions, "files">>;
interface LastOptions {
  readonly limits: RunLimits;
  readonly words: RunOptions["arguments"];
  readonly environment: RunOptions["environment"];
  readonly options: MutableOptions;
}

export class ProgramExecutor implements Executor {
  readonly arena: ExprArena;
  readonly space: InputSpace;
  readonly coverage: Uint8Array;
  readonly host: SymbolicHost;
  readonly machine: Machine;
  readonly inputs: ProgramInputs;
  private readonly stored: StoredBytes;
  private readonly gear: SymbolicMachine;
  private isReleased = false;
  /** The run in progress has nothing symbolic but what the program itself makes so. */
  private isPlain = false;
  /** Of the inputs, which have a space of their own then. */
  private readonly fixed: Model | null;
  private readonly module: WebAssembly.Module;
  private lastOptions: LastOptions | null = null;
  private observer: PathObserver | null = null;
  private abort: NonNullable<RunLimits["abort"]> = NEVER_ABORTED;
  private objects: readonly InputObject[] = [];
  private used: readonly SpaceObject[] = [];
  private globals: readonly GlobalInfo[] = [];
  /** Names of inputs that runs have read, arguments aside. */
  readonly readInputs = new Set<string>();
  /** How the last run ended, with its stack; null if it was stopped. */
  lastEnd: RunEnd | null = null;

  constructor(
    readonly image: ProgramImage,
    readonly options: ProgramExecutorOptions,
    module: WebAssembly.Module = loadModule(image),
  ) {
    this.module = module;
    this.coverage = options.coverage ?? new Uint8Array(image.coverage.length);
    this.gear = SymbolicMachine.take(image, options.heapBytes, this.user());
    ({ arena: this.arena, space: this.space } = this.gear);
    const own = options.fixed === undefined ? this.space : new InputSpace();
    this.inputs = new ProgramInputs(options.inputs, own, options.workingDirectory);
    this.fixed = options.fixed === undefined ? null : own.seed(options.fixed);
    ({ host: this.host, machine: this.machine, stored: this.stored } = this.gear.parts(this.runOptions(NO_LIMITS)));
    this.machine.goingOn = null;
    this.host.addresses.followStores(options.storeCells ?? MAX_CELLS);
  }

  private user(): MachineUser {
    const { options } = this;
    return {
      started: (objects) => this.place(objects),
      delivered: (input, offset, address, size) => this.deliver(input, offset, address, size),
      written: (address, size) => this.host.shadows.clear(address, size),
      read: (address, size) => this.readByHost(address, size),
      taken: (address, size) => this.host.pinBytes(address, size),
      stored: (address, size) => this.stored.add(this.machine.memory.u8, address, size),
      moved: (destination, source, size) => this.host.shadows.copy(destination, source, size),
      unshadowed: (shadow, low, high) => this.host.unshadowed(shadow as ExprRef, low, high),
      unfollowed: (what) => {
        // Nothing is lost where nothing is input.
        if (!this.isPlain && this.fixed === null && this.space.size > 0) this.host.losses.count(what);
      },
      concreteOptions: () => {
        const given = this.inputs.concreteSurroundings(options.name, options.environment);
        return { ...given, files: this.filesOf(given.files) };
      },
      isCancelled: () => this.abort.aborted,
      endSilently: () => {
        throw new RunStop({ kind: "silent", why: "silent-exit" });
      },
      falseAssumption: () => {
        if (options.silentAssumptions !== true) this.machine.kernel.fault("reported", 0, 0, FALSE_ASSUMPTION);
      },
      reportError: (message, suffix, file, line) =>
        this.machine.kernel.fault("reported", 0, 0, `${file}:${line}: ${message} (${suffix})`),
      describe: options.describe,
      hooked: (functionIndex) => options.hooked?.(functionIndex) === true,
      lookAtClock: () => this.machine.lookAtClock(),
    };
  }

  /** Nobody needs it any more, nor anything that it has made: the next executor of the program may have its machine. */
  release(): void {
    if (!this.isReleased) this.gear.give();
    this.isReleased = true;
  }

  run(input: Model, observer: PathObserver, limits: RunLimits): RunOutcome {
    const { host, machine } = this;
    if (this.isReleased) throw new Error("the executor was given back: its machine may be another one's");
    this.abort = limits.abort ?? NEVER_ABORTED;
    host.losses.reset();
    this.inputs.begin(this.fixed ?? input);
    const options = this.runOptions(limits);
    const enterAtPlace = machine.canBeginAtPlace ? (this.options.enterAtPlace ?? null) : null;
    if (enterAtPlace === null) machine.prepare(options);
    else machine.prepareAtPlace(options);
    host.begin(input, observer);
    this.stored.begin();
    this.observer = observer;
    this.lastEnd = null;
    let end: PathEnd;
    try {
      if (this.fixed === null) this.inputs.tellStart(this.arena, observer, host);
      this.lastEnd = this.shown(machine.runToEnd(this.module, enterAtPlace ?? this.options.enter ?? null));
      end = this.endOf(this.lastEnd);
    } catch (error) {
      if (!(error instanceof RunStopped)) throw error;
      end = { kind: "stopped", reason: error.reason };
    }
    return {
      end,
      instructions: machine.instructions,
      newBlocks: this.coverNew(),
      objects: this.objectsOfRun(),
      passed: this.passedReads(),
      losses: host.losses.snapshot() as Record<string, number>,
    };
  }

  tryOut(input: Model, limits: RunLimits): TriedOutcome {
    this.isPlain = true;
    try {
      return { ...this.run(input, QUIET, limits), hits: this.machine.coverage };
    } finally {
      this.isPlain = false;
    }
  }

  /**
   * Runs go on behind reads that are not allowed, but only at places that are met while it learns. Without it they end
   * there.
   */
  goOnBehindReads(learns: boolean, places: readonly string[] = []): void {
    this.machine.goingOn ??= new GoingOn(this.image, places);
    this.machine.goingOn.learns = learns;
  }

  private passedReads(): readonly DetectedFinding[] {
    const passed = this.machine.goingOn?.passed ?? [];
    if (passed.length === 0) return NOTHING_PASSED;
    return passed.map(({ place: stackKey, fault }, index) => {
      const behind = passed.slice(0, index).map(({ place }) => place);
      return { kind: fault.name, stackKey, site: null, detail: fault, behind };
    });
  }

  private shown(end: RunEnd): RunEnd {
    const { shownTrace } = this.options;
    return shownTrace === undefined || !("trace" in end) ? end : { ...end, trace: shownTrace(end.trace) };
  }

  /** Nearly every run uses the same objects as the one before. */
  private objectsOfRun(): readonly InputObject[] {
    const used = this.host.inputs.used();
    if (used.length !== this.used.length || used.some((object, n) => object !== this.used[n])) {
      this.used = used;
      this.objects = used.map(({ name, size, first }) => ({ name, size, firstVariable: first }));
    }
    return this.objects;
  }

  /**
   * From the next run on these variables of the program are input; gives the model of their initial values. Only after a
   * run: before the first one memory is empty.
   */
  makeGlobalsSymbolic(globals: readonly GlobalInfo[]): Model {
    const { machine } = this;
    machine.prepare(machine.options);
    this.globals = globals;
    const occurrences = new Map<string, number>();
    const values = globals.map(({ name, address, size }) => {
      const occurrence = occurrences.get(name) ?? 0;
      occurrences.set(name, occurrence + 1);
      return { name: globalName(name), occurrence, bytes: machine.memory.u8.slice(address, address + size) };
    });
    return this.space.modelOf(values);
  }

  /** What the last run printed, if that is kept. */
  get output(): Uint8Array {
    const { stdout } = this.machine.kernel.files;
    return stdout instanceof HeldOutput ? stdout.content : NOTHING;
  }

  get preferences(): readonly ExprRef[] {
    return this.host.preferences;
  }

  instructionsSoFar(): number {
    return this.machine.instructions;
  }

  blocksOfRun(): readonly number[] {
    return this.machine.enteredBlocks();
  }

  /** Made anew only when the words, the limits or the input's own bytes differ. */
  private runOptions(limits: RunLimits): RunOptions {
    const { options, inputs } = this;
    const given = inputs.surroundings(options.name, options.environment);
    const last = this.lastOptions;
    if (
      last !== null &&
      last.limits === limits &&
      last.words === given.arguments &&
      given.environment === last.environment
    ) {
      // Only the bytes differ: the machine looks at them when it is prepared, so the same object will do.
      last.options.stdin = given.stdin;
      last.options.files = this.filesOf(given.files);
      const { instructions, timeMs: milliseconds } = limits;
      const old = last.options.limits;
      const isSame = milliseconds === old.milliseconds && instructions === old.instructions;
      last.options.limits = isSame ? old : { ...old, instructions, milliseconds };
      return last.options;
    }
    const made: MutableOptions = {
      ...DEFAULT_OPTIONS,
      ...given,
      ...options.given,
      files: this.filesOf(given.files),
      executable: options.given?.executable ?? options.name,
      workingDirectory: options.workingDirectory,
      stdout: options.keepsOutput === true ? "capture" : DISCARD,
      stderr: DISCARD,
      seed: options.seed,
      limits: {
        ...DEFAULT_OPTIONS.limits,
        instructions: limits.instructions,
        milliseconds: limits.timeMs,
        heapBytes: options.heapBytes,
      },
    };
    this.lastOptions = { limits, words: given.arguments, environment: given.environment, options: made };
    return made;
  }

  private filesOf(symbolic: NonNullable<RunOptions["files"]>): NonNullable<RunOptions["files"]> {
    const fixed = this.options.given?.files ?? [];
    return fixed.length === 0 ? symbolic : [...fixed, ...symbolic];
  }

  /** Of the last run: places where it could have failed that need no question. */
  get settledPlaces(): number {
    return this.host.settledPlaces;
  }

  settledSites(): readonly number[] {
    return this.host.settledSites();
  }

  /**
   * True if a computed address was dereferenced since the last question, or, if that is wanted, any pointer (images made with
   * `sensitive`).
   */
  takeSensitive(isAnyPointer = false): boolean {
    const { u8 } = this.machine.memory;
    const was = u8[CONTROL.sensitive] !== 0 || (isAnyPointer && u8[CONTROL.plainlySensitive] !== 0);
    u8[CONTROL.sensitive] = 0;
    u8[CONTROL.plainlySensitive] = 0;
    return was;
  }

  /** Arguments and variables lie in memory: those that are input become symbolic. */
  private place(objects: readonly ArgumentObject[]): void {
    for (const { name, address, size } of this.globals) {
      this.host.place(this.host.input(globalName(name), size), 0, size, address);
    }
    for (const { object, at, literal } of this.inputs.placed(objects, this.image.tests?.literals ?? [])) {
      if (literal !== undefined) makeRoom(this.machine.memory, literal, object.size);
      if (!this.isFixed(object)) this.host.place(object, 0, object.size, at);
      else this.machine.memory.u8.set(this.inputs.bytesOf(object), at);
    }
  }

  /**
   * The host opens, or looks for, the file with this name. Other paths go to the files that are input, as in KLEE; every
   * other name stays pending as one.
   */
  private readByHost(address: number, size: number): void {
    const { u8 } = this.machine.memory;
    for (const name of this.inputs.fileNames) {
      const condition = this.host.stringIs(address, name);
      if (condition === CONCRETE) continue;
      const is = name.every((byte, k) => u8[address + k] === byte) && size === name.length + 1;
      this.observer?.branch(NO_SITE, condition, is);
    }
    this.host.pinBytes(address, size);
  }

  private deliver(input: InputName, offset: number, address: number, size: number): void {
    const object = this.inputs.objectOf(input);
    if (object === null) {
      this.stored.pin();
      if (this.fixed !== null || this.isPlain || this.options.inputs.onlyLiterals === true) return;
      for (const changed of this.inputs.takeChanged(input)) {
        this.inputs.bytesOf(changed).forEach((value, k) => {
          this.host.pinByte(this.arena.variable(changed.first + k), value);
        });
      }
      return;
    }
    this.readInputs.add(object.name);
    if (offset >= object.size || this.isFixed(object)) return;
    this.symbolic(object, offset, Math.min(size, object.size - offset), address);
  }

  /** Its bytes are given, and nothing of it is symbolic. */
  private isFixed({ name }: SpaceObject): boolean {
    if (this.isPlain) return true;
    return this.fixed !== null || (this.options.inputs.onlyLiterals === true && !isLiteralName(name));
  }

  private symbolic(object: SpaceObject, from: number, size: number, address: number): void {
    if (size > 0) this.host.shadows.setVariables(address, size, object.first + from);
  }

  private coverNew(): readonly number[] {
    const { coverage } = this;
    let fresh: number[] | null = null;
    for (const block of this.machine.enteredBlocks()) {
      if (coverage[block] !== 0) continue;
      coverage[block] = 1;
      fresh ??= [];
      fresh.push(block);
    }
    return fresh ?? NO_BLOCKS;
  }

  private endOf(end: RunEnd): PathEnd {
    switch (end.kind) {
      case "exit":
        return end;
      case "silent":
        return { kind: "silent" };
      case "signal":
        return { kind: "exit", code: 128 + end.signal };
      case "limit":
        return { kind: "limit", limit: end.limit };
      case "unsupported":
        return { kind: "unsupported", what: end.what };
      case "fault": {
        const stackKey = placeKeyOf(sourceFrames(this.image, end.trace));
        return {
          kind: "finding",
          finding: {
            kind: end.fault.name,
            stackKey,
            site: null,
            detail: end.fault satisfies Fault,
            behind: (this.machine.goingOn?.passed ?? []).map(({ place }) => place),
          },
        };
      }
    }
  }
}

/** No name of the user's own input has a colon. */
const globalName = (name: string): string => `global:${name}`;
const NOTHING_PASSED: readonly DetectedFinding[] = [];
const NO_BLOCKS: readonly number[] = [];
const NEVER_ABORTED = { aborted: false };
const NO_LIMITS: RunLimits = { instructions: Number.POSITIVE_INFINITY, timeMs: Number.POSITIVE_INFINITY };
const NOTHING = new Uint8Array(0);
const DISCARD = pipeShape(STANDARD_FLAGS.output, 2);
