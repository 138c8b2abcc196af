// Runs of a translated program: memory, host functions, start, end. The generated code calls the host functions of
// jit/boundary.ts; whatever stops it (an exit, a detector, a trap of WebAssembly, a limit) leaves as an exception and is
// turned into a RunEnd here and nowhere else. A machine can run many times: between runs its memory is put back as it
// was (memory-reset.ts), which costs a thousandth of a new instance. Exploration lives on that.

import { ASSUME_TOLD, EXPORTS, type HostName, OBSERVER } from "../jit/boundary.js";
import type { ProgramImage } from "../jit/image.js";
import { instantiate, loadModule } from "../jit/load-module.js";
import { CONTROL, COVERAGE_BASE, FUNCTION_BASE, FUNCTION_STRIDE, STACK_TOP } from "../jit/memory-layout.js";
import { SYMBOLIC_FUNCTIONS } from "../jit/symbolic-boundary.js";
import { tableIndexOf } from "../jit/table-index.js";
import { applyEnvironment } from "./environment-settings.js";
import { HeldOutput } from "./files/standard-streams.js";
import { FuelMeter } from "./fuel.js";
import { giveLiterals } from "./given-literals.js";
import { GoingOn } from "./going-on.js";
import { GuestCalls } from "./guest-calls.js";
import { GuestMemory } from "./guest-memory.js";
import { KeptPlace } from "./kept-place.js";
import { faultName, type GuestAccess, Kernel, ownIdentity } from "./kernel.js";
import type { MachineHooks } from "./machine-hooks.js";
import { MemoryReset } from "./memory-reset.js";
import { IdleMachines } from "./processes/idle-machines.js";
import type { InstalledProgram } from "./processes/installed-programs.js";
import { type LifeHost, ProcessLife } from "./processes/process-life.js";
import { closed, finish, outlived } from "./run-closing.js";
import { FALSE_ASSUMPTION, QuietExit, type RunEnd, RunStop, type WasmFrame } from "./run-end.js";
import type { RunMemory } from "./run-memory.js";
import type { Recording, RunOptions, RunResult, Watched } from "./run-options.js";
import { hasRoomForSpareMemory } from "./spare-memories.js";
import { captureFrames, TRACE_LIMIT, wasmFrames } from "./stack-trace.js";
import { type ArgumentObject, layStartVector } from "./start-vector.js";
import { Dispatcher } from "./syscalls/table.js";
import { endOfTrap } from "./trap.js";

const NOTHING_WATCHED: Watched = { allocation: null, free: null, longjmp: null };
/** By the second argument of the host function `watch`. */
const WATCHED_EVENTS: readonly (keyof Watched)[] = ["allocation", "free", "longjmp"];

type IntrinsicName = "makeSymbolic" | "assume" | "prefer" | "getValue" | "endSilently" | "reportError" | "describe";

interface GuestExports {
  readonly start: () => void;
  readonly table: WebAssembly.Table;
  readonly fuel: WebAssembly.Global<number>;
  readonly stackPointer: WebAssembly.Global<number>;
  readonly lowestStack: WebAssembly.Global<number>;
}

/** Frames of a trap while exploring. */
const TRAP_FRAMES = 32;

export class Machine {
  readonly image: ProgramImage;
  readonly memory: GuestMemory;
  options: RunOptions;
  argumentObjects: readonly ArgumentObject[] | null;
  /** Hears of places of an observed program (jit/observed.ts); to be set before the first run. */
  onObserved: (place: number, pointer: number) => void = () => {};
  /** Where nothing is symbolic: hears of calls of functions whose byte in the table of hooks is set. */
  onCalled: (functionIndex: number) => void = () => {};
  /** Which reads that are not allowed do not end the run; null: none. */
  goingOn: GoingOn | null;
  private readDecision: boolean | null = null;
  private readonly hooks: MachineHooks | null;
  private readonly calls: GuestCalls;
  private readonly identity = ownIdentity();
  private readonly dispatcher: Dispatcher;
  private fuel: FuelMeter;
  private account: RunMemory;
  private madeKernel: Kernel | null = null;
  private readonly guestAccess: GuestAccess;
  private readonly onRefuel = (): void => {
    this.isKernelUsed = true;
    this.madeKernel?.checkTimer();
    this.madeKernel?.threads.afterAWhile(this.calls, this.image);
  };
  private isCancelled: (() => boolean) | null;
  private readonly onSignal = (signal: number): void => this.kernel.raise(signal);
  private guest: GuestExports | null = null;
  private reset: MemoryReset | null = null;
  /** Where runs may begin, and whether one has. */
  private place: KeptPlace | null = null;
  private isAtPlace = false;
  /** Since the place was kept: what it knows is no longer as it was there. */
  private isKernelUsed = true;
  private watched: Watched = NOTHING_WATCHED;
  private memoryExhausted = false;
  private lastStop: RunStop | null = null;
  private readonly objectsMade = new Map<string, number>();
  /** Made when the first is asked for. */
  private objectsGiven: ReadonlyMap<string, readonly GivenObject[]> | null = null;
  private module: WebAssembly.Module | null = null;
  /** Memory holds what no run from the start would come to. */
  private isEnteredElsewhere = false;
  private readonly lifeHost: LifeHost = {
    start: (program, options, life) => this.startProcess(program, options, life),
    origin: (kernel) => this.origin(kernel),
    deadlineMs: () => this.fuel.deadlineMs,
  };

  /** `runsAgain`: it will be prepared for further runs, so what memory held before the first is kept. */
  constructor(
    image: ProgramImage,
    options: RunOptions,
    hooks: MachineHooks | null = null,
    private readonly runsAgain = hooks !== null,
    /** For a process that another one has made. */
    private life: ProcessLife | null = null,
    isCancelled: (() => boolean) | null = null,
  ) {
    this.image = image;
    this.options = options;
    this.hooks = hooks;
    this.goingOn = options.goOnAt === undefined ? null : new GoingOn(image, options.goOnAt);
    this.isCancelled = hooks === null ? isCancelled : () => hooks.isCancelled?.() === true;
    this.memory = new GuestMemory(image.globalsEnd, options.limits.heapBytes);
    this.memory.allowGlobals(image.globals);
    this.listenToWrites();
    if (hooks !== null) {
      this.memory.onRead = (address, size) => hooks.read(address, size);
      this.memory.onTaken = (address, size) => hooks.taken(address, size);
      this.memory.onMoved = (destination, source, size) => hooks.moved?.(destination, source, size);
    }
    this.account = ProcessLife.memoryOf(life, options);
    this.calls = new GuestCalls(this.memory, image, (shadow, low, high) => hooks?.unshadowed?.(shadow, low, high));
    this.guestAccess = {
      identity: this.identity,
      memory: this.memory,
      calls: this.calls,
      instructions: () => this.fuel.used(),
      grow: (bytes) => this.grow(bytes),
      lookAtClock: () => void this.fuel.look(),
      account: () => this.account,
    };
    this.fuel = this.newFuel();
    this.dispatcher = new Dispatcher(this.memory, () => this.kernel);
    this.argumentObjects = layStartVector(this.memory, options, this.identity);
  }

  private listenToWrites(): void {
    const { hooks } = this;
    this.memory.onWrite = hooks === null ? null : (address, size) => hooks.written(address, size);
  }

  private newFuel(before = 0): FuelMeter {
    const fuel = new FuelMeter(this.options.limits, this.options.cancel, this.isCancelled, before);
    fuel.onRefuel = this.onRefuel;
    fuel.onSignal = this.onSignal;
    return fuel;
  }

  /** Made when first asked for: many a run of an exploration makes no system call but its exit. */
  get kernel(): Kernel {
    this.isKernelUsed = true;
    this.madeKernel ??= this.newKernel();
    return this.madeKernel;
  }

  private newKernel(): Kernel {
    const kernel = new Kernel(this.options, this.guestAccess, this.hooks, this.life ?? ProcessLife.first());
    if (this.guest !== null) kernel.stack = this.guest.stackPointer;
    kernel.life.enter(kernel, this.lifeHost);
    return kernel;
  }

  /** What a child of this process is begun from. */
  private origin(kernel: Kernel): ReturnType<LifeHost["origin"]> {
    const { module, image, hooks } = this;
    const { stdin, stdout, stderr } = kernel.files.recording();
    // Objects that the program declares symbolic are known to the exploration alone.
    const hasObjects = hooks !== null && image.functions.some(({ name }) => name === "klee_make_symbolic");
    if (module === null || !stdin.complete || hasObjects || this.isEnteredElsewhere) return null;
    const watch = { allocation: 0, free: 0 };
    const { concreteOptions } = hooks ?? {};
    const passed = this.goingOn === null ? {} : { goOnAt: this.goingOn.places };
    const options = { ...this.options, ...concreteOptions?.(), stdin, stdout, stderr, watch, ...passed };
    return { program: { image, module }, options };
  }

  /** It has a machine without hooks: what it does with the input is told by nobody. */
  private startProcess(program: InstalledProgram, options: RunOptions, life: ProcessLife): RunEnd {
    this.hooks?.unfollowed?.("other-process");
    const machine = Machine.forProcess(program.image, options, life, this.isCancelled);
    const end = machine.runToEnd(program.module);
    if (program.image === this.image) {
      const { coverage } = this;
      machine.coverage.forEach((covered, block) => {
        if (covered !== 0) coverage[block] = covered;
      });
    }
    this.account.give(machine.memory.heapBytes);
    Machine.giveBack(machine);
    return end;
  }

  /** For one run, as a new one; to be given back when all has been seen of it. Its exits leave no stacks. */
  static lend(image: ProgramImage, options: RunOptions): Machine {
    return Machine.forProcess(image, options, null, null);
  }

  static giveBack(machine: Machine): void {
    IDLE.give(machine);
  }

  /** One that has run another process before, if there is one: a new memory costs more than most processes do. */
  private static forProcess(
    image: ProgramImage,
    options: RunOptions,
    life: ProcessLife | null,
    isCancelled: (() => boolean) | null,
  ): Machine {
    const idle = IDLE.take(image, options.limits.heapBytes);
    if (idle === null) return new Machine(image, options, null, true, life, isCancelled);
    idle.life = life;
    idle.isCancelled = isCancelled;
    idle.prepare(options);
    return idle;
  }

  /** Makes everything as it was before the first run, for one with these options. */
  prepare(options: RunOptions): void {
    const before = this.options;
    this.leavePlace();
    this.options = options;
    // Words are compared by identity: an exploration passes the same lists again.
    const sameWords = options.arguments === before.arguments && options.environment === before.environment;
    if (this.guest !== null && this.reset !== null) {
      this.reset.restore(this.guest.lowestStack.value >>> 0, sameWords);
      this.guest.stackPointer.value = STACK_TOP;
      this.guest.lowestStack.value = STACK_TOP;
    }
    if (options.goOnAt !== before.goOnAt) {
      this.goingOn = options.goOnAt === undefined ? null : new GoingOn(this.image, options.goOnAt);
    }
    this.begin(0);
    this.madeKernel = null;
    this.listenToWrites();
    if (sameWords) return;
    this.argumentObjects = layStartVector(this.memory, options, this.identity);
    this.reset?.keepArguments();
  }

  private begin(instructions: number): void {
    this.goingOn?.begin();
    this.readDecision = null;
    this.watched = NOTHING_WATCHED;
    this.memoryExhausted = false;
    this.lastStop = null;
    this.objectsMade.clear();
    this.objectsGiven = null;
    this.fuel = this.newFuel(instructions);
    this.account = ProcessLife.memoryOf(this.life, this.options);
    this.dispatcher.restart();
  }

  /** From within a function of the host: runs may begin here, as long as nobody has asked the kernel for anything since. */
  keepPlace(): void {
    const { guest, reset } = this;
    if (guest === null || reset === null) return;
    this.place ??= KeptPlace.of(this.memory, this.image, {
      stackPointer: guest.stackPointer.value,
      lowestStack: guest.lowestStack.value >>> 0,
      instructions: this.instructions,
      argumentBytes: reset.argumentBytes,
    });
    this.isKernelUsed = false;
  }

  get canBeginAtPlace(): boolean {
    return this.place !== null && !this.isKernelUsed;
  }

  /** As `prepare`, for a run that begins where the place was kept. */
  prepareAtPlace(options: RunOptions): void {
    const { guest, place } = this;
    if (guest === null || place === null || this.isKernelUsed) throw new Error("there is no place to begin at");
    this.options = options;
    place.restore(guest.lowestStack.value >>> 0);
    guest.stackPointer.value = place.state.stackPointer;
    guest.lowestStack.value = place.state.lowestStack;
    this.begin(place.state.instructions);
    this.isAtPlace = true;
  }

  /** What the kernel had open there is open no more. */
  private leavePlace(): void {
    if (this.canBeginAtPlace && this.madeKernel !== null) finish(this.madeKernel);
    this.isKernelUsed = true;
    this.isAtPlace = false;
  }

  /** Whoever kept it is gone. */
  forgetPlace(): void {
    this.leavePlace();
    this.place = null;
  }

  /** It will never run again: its memory is for another program's machine. */
  scrap(): void {
    const { guest, reset } = this;
    this.forgetPlace();
    if (guest === null || reset === null || !hasRoomForSpareMemory()) return;
    reset.blank(guest.lowestStack.value >>> 0);
    this.guest = null;
    this.reset = null;
    this.memory.giveAway();
  }

  /** Machines for processes of this program that wait for the next one are scrapped. */
  static scrapIdle(image: ProgramImage): void {
    for (const machine of IDLE.takeAll(image)) machine.scrap();
  }

  /** Runs the program to its end. */
  run(module: WebAssembly.Module = loadModule(this.image)): RunResult {
    const started = performance.now();
    const cpuBefore = process.cpuUsage();
    const end = this.runToEnd(module);
    const cpu = process.cpuUsage(cpuBefore);
    const { files } = this.kernel;
    return {
      end,
      instructions: this.fuel.used(),
      elapsedMs: performance.now() - started,
      cpuMs: (cpu.user + cpu.system) / 1000,
      memoryPeakBytes: this.memory.heapBytes,
      memoryExhausted: this.memoryExhausted,
      syscalls: this.dispatcher.counted(),
      denied: Object.fromEntries(this.kernel.denied),
      stdout: files.stdout instanceof HeldOutput ? files.stdout.content : new Uint8Array(0),
      stderr: files.stderr instanceof HeldOutput ? files.stderr.content : new Uint8Array(0),
      filesRead: [...files.filesRead],
      coverage: this.coverage.slice(),
      watched: this.watched,
    };
  }

  /** One byte per block of the program: what the run entered. Valid until the next run. */
  get coverage(): Uint8Array {
    return this.memory.u8.subarray(COVERAGE_BASE, COVERAGE_BASE + this.image.coverage.length);
  }
  /** Numbers of the blocks that the run entered, ascending: of a large program a run enters few, so four are looked at together. */
  enteredBlocks(): number[] {
    const { u8, u32 } = this.memory;
    const count = this.image.coverage.length;
    const blocks: number[] = [];
    for (let word = 0; word < count; word += 4) {
      if (u32[(COVERAGE_BASE + word) >>> 2] === 0) continue;
      const end = Math.min(word + 4, count);
      for (let block = word; block < end; block++) if (u8[COVERAGE_BASE + block] !== 0) blocks.push(block);
    }
    return blocks;
  }
  get instructions(): number {
    return this.fuel.used();
  }

  /**
   * As `run`, without collecting what an exploration does not look at. `enter` is called in the place of the program's
   * start, when everything is ready; it may call functions of the program (`callFunction`).
   */
  runToEnd(module: WebAssembly.Module, enter: (() => void) | null = null): RunEnd {
    const { options, memory } = this;
    memory.view.setUint32(CONTROL.watchAllocation, options.watch.allocation, true);
    memory.view.setUint32(CONTROL.watchFree, options.watch.free, true);
    memory.view.setUint32(CONTROL.watchLongjmp, options.watch.longjmp === true ? 1 : 0, true);
    applyEnvironment(memory, options.environment);
    this.module = module;
    this.isEnteredElsewhere = enter !== null;
    let end: RunEnd;
    try {
      end = this.execute(module, enter);
    } catch (error) {
      // Whoever watches has stopped the run: what it had open on the real disk is open no more.
      if (this.madeKernel !== null && !this.canBeginAtPlace) finish(this.madeKernel);
      throw error;
    }
    return this.madeKernel === null || this.canBeginAtPlace
      ? end
      : outlived(this.madeKernel, closed(this.madeKernel, end));
  }

  /** Where exits leave no stack: whoever runs thousands of times a second looks at none. */
  private get isQuiet(): boolean {
    return (this.hooks !== null && this.hooks.keepsStacks !== true) || this.runsAgain;
  }

  /** For those who spend time on the run's behalf: ends it if its time is over; gives the time. */
  lookAtClock(): number {
    return this.fuel.look();
  }

  /** The stack of generated code when the run was stopped; an exit has one too. */
  stopTrace(): WasmFrame[] {
    return this.lastStop === null ? [] : wasmFrames(this.lastStop);
  }

  /** What a repetition of the run needs; made on demand, since it may hold the whole of standard input. */
  recording(): Recording {
    return this.kernel.files.recording();
  }

  private execute(module: WebAssembly.Module, enter: (() => void) | null): RunEnd {
    const { options } = this;
    if (this.argumentObjects === null) {
      return { kind: "unsupported", what: "arguments and environment too large", functionName: "", trace: [] };
    }
    // Traps carry as many frames as this says at the moment they happen, so it has to hold for the whole run.
    const traceLimit = Error.stackTraceLimit;
    // An exploration has thousands of ends a second, of which only faults need their whole stacks (see Kernel.fault): exits have no
    // stack at all. What traps by itself, a division say, is told apart from others by its innermost frames.
    Error.stackTraceLimit = this.hooks === null || this.hooks.keepsStacks === true ? TRACE_LIMIT : TRAP_FRAMES;
    try {
      this.guest ??= this.instantiate(module);
      const { guest } = this;
      this.fuel.attach(guest.fuel);
      if (this.madeKernel !== null) this.madeKernel.stack = guest.stackPointer;
      if (options.literals !== undefined && !this.isAtPlace) giveLiterals(this.memory, this.image, options.literals);
      if (!this.isAtPlace) this.hooks?.started(this.argumentObjects);
      if (enter === null) guest.start();
      else {
        enter();
        return { kind: "exit", code: 0 };
      }
      return { kind: "unsupported", what: "return from the start function", functionName: "start", trace: [] };
    } catch (error) {
      return this.endOf(error);
    } finally {
      Error.stackTraceLimit = traceLimit;
    }
  }

  /** The host has interfered: a run from the start would come to something else, so that no more children can be made. */
  cannotRepeat(): void {
    this.isEnteredElsewhere = true;
    this.madeKernel?.life.cannotRepeat("functions were answered by the host");
  }

  /**
   * Calls a function of the program by its index in ProgramImage.functions, from within `enter` or a function of the host; gives what it
   * returns.
   */
  callFunction(index: number, values: readonly (number | bigint)[]): unknown {
    const tableIndex = tableIndexOf(this.image, index);
    const callee: unknown = tableIndex < 0 ? null : this.guest?.table.get(tableIndex);
    if (typeof callee !== "function") throw new Error(`function ${index} is not in the program`);
    return callee(...values);
  }

  private instantiate(module: WebAssembly.Module): GuestExports {
    const functions = {
      ...NOTHING_SYMBOLIC,
      hooked: (functionIndex: number) => this.onCalled(functionIndex),
      ...this.hostFunctions(),
      ...this.hooks?.functions,
      [OBSERVER]: this.onObserved,
    };
    const instance = instantiate(module, functions, this.memory.memory);
    const guest = checkExports(instance);
    this.calls.attach(guest.table);
    if (this.runsAgain) this.reset = new MemoryReset(this.memory, this.image);
    return guest;
  }

  private endOf(error: unknown): RunEnd {
    if (error instanceof QuietExit) return { kind: "exit", code: error.code };
    if (error instanceof RunStop) {
      const { reason } = error;
      this.lastStop = error;
      if (reason.kind === "exit" || reason.kind === "signal" || reason.kind === "silent") return reason;
      const trace = wasmFrames(error);
      return { ...(this.madeKernel?.threads.explain(reason, this.memory, this.image, trace) ?? reason), trace };
    }
    const end = endOfTrap(error, this.kernel.stack.value >>> 0);
    if (end === null) throw error;
    return end;
  }

  private grow(bytes: number): number {
    const { account } = this;
    // What its parent was given it needs too, or it would live another life.
    if (this.life?.relived != null && !account.has(bytes)) account.must(bytes);
    const address = account.has(bytes) ? this.memory.grow(bytes) : 0;
    if (address === 0) this.memoryExhausted = true;
    else account.take(bytes);
    return address;
  }

  /** What the functions of runtime/symbolic/ mean where nothing is symbolic; an exploration has its own. */
  private intrinsics(): Record<IntrinsicName, (...values: never[]) => unknown> {
    return {
      makeSymbolic: (at: number, size: number, name: number) =>
        this.giveObject(at >>> 0, size >>> 0, this.memory.latin1(name >>> 0) ?? ""),
      assume: (_shadow: number, holds: number) => {
        // As in KLEE's replays; an exploration tells only of one that no input satisfies.
        if (holds === ASSUME_TOLD) this.kernel.fault("reported", 0, 0, FALSE_ASSUMPTION);
        if (holds === 0) throw new RunStop({ kind: "silent", why: "assumption" });
      },
      prefer: () => {},
      getValue: () => {},
      endSilently: (): never => {
        throw new RunStop({ kind: "silent", why: "silent-exit" });
      },
      reportError: (message: number, suffix: number, file: number, line: number): never => {
        const text = (address: number): string => this.memory.latin1(address >>> 0) ?? "?";
        return this.kernel.fault("reported", 0, 0, `${text(file)}:${line}: ${text(message)} (${text(suffix)})`);
      },
      describe: () => {},
    };
  }

  /** In a replay the object gets the bytes that were recorded for it. */
  private giveObject(address: number, size: number, name: string): void {
    const { objects } = this.options;
    // Whoever follows what was set must hear that this is.
    if (objects === undefined) return this.memory.onWrite?.(address, size);
    const occurrence = this.objectsMade.get(name) ?? 0;
    this.objectsMade.set(name, occurrence + 1);
    this.objectsGiven ??= byName(objects);
    const recorded = this.objectsGiven.get(name)?.[occurrence];
    if (recorded === undefined || this.memory.firstUnwritten(address, size) >= 0) return;
    this.memory.u8.fill(0, address, address + size);
    this.memory.u8.set(recorded.bytes.subarray(0, size), address);
  }

  /** Whether a read that is not allowed, and is about to be refused, will be carried out all the same. */
  willPassRead(address: number, size: number): boolean {
    this.readDecision ??= this.passesRead(address, size);
    return this.readDecision;
  }

  private passesRead(address: number, size: number): boolean {
    const { goingOn } = this;
    if (goingOn === null || this.hooks?.mayGoOn?.() === false) return false;
    const stackPointer = this.kernel.stack.value >>> 0;
    return goingOn.passes(this.memory, { name: "read", address, size, stackPointer, syscall: null });
  }

  private hostFunctions(): Record<HostName, (...values: never[]) => unknown> {
    return {
      ...this.intrinsics(),
      fault: (code: number, low: number, high: number, size: number): never => {
        const name = faultName(code) ?? "trap";
        const address = (high >>> 0) * 0x1_0000_0000 + (low >>> 0);
        this.kernel.currentCall = "";
        return this.kernel.fault(name, address, size >>> 0);
      },
      refusedRead: (low: number, high: number, size: number): void => {
        const address = (high >>> 0) * 0x1_0000_0000 + (low >>> 0);
        this.kernel.currentCall = "";
        const passes = this.readDecision ?? this.passesRead(address, size >>> 0);
        this.readDecision = null;
        if (!passes) this.kernel.fault("read", address, size >>> 0);
      },
      syscall: () => {
        if (this.isQuiet && this.dispatcher.isExit) throw new QuietExit(this.dispatcher.exitCode);
        this.dispatcher.dispatch();
        // What the call has done took as long as it took, and cost the program one instruction.
        this.fuel.look();
      },
      refuel: () => this.fuel.refuel(),
      unsupported: (index: number): never => {
        const entry = this.image.unsupported[index] ?? { what: `construct ${index}`, functionName: "" };
        throw new RunStop({ kind: "unsupported", ...entry });
      },
      callMismatched: (tableIndex: number, site: number) => {
        if (this.calls.callMismatched(tableIndex, site)) return;
        this.kernel.currentCall = "";
        this.kernel.fault("wild-call", FUNCTION_BASE + FUNCTION_STRIDE * tableIndex, 0);
      },
      grow: (bytes: number) => this.grow(bytes >>> 0) | 0,
      watch: (_serial: number, freed: number) => {
        const event = WATCHED_EVENTS[freed];
        this.watched = { ...this.watched, [event]: captureFrames() };
      },
    };
  }
}

const IDLE = new IdleMachines<Machine>();

/** For a program with shadows that runs without hooks: nothing is symbolic, so these are hardly ever called. */
const NOTHING_SYMBOLIC = Object.fromEntries(Object.keys(SYMBOLIC_FUNCTIONS).map((name) => [name, () => 0]));

/** Runs a program in a fresh machine. */
export function runImage(image: ProgramImage, options: RunOptions, module?: WebAssembly.Module): RunResult {
  return new Machine(image, options).run(module);
}

function checkExports(instance: WebAssembly.Instance): GuestExports {
  const start = instance.exports[EXPORTS.start];
  const table = instance.exports[EXPORTS.table];
  const fuel = instance.exports[EXPORTS.fuel];
  const stackPointer = instance.exports[EXPORTS.stackPointer];
  const lowestStack = instance.exports[EXPORTS.lowestStack];
  if (
    typeof start !== "function" ||
    !(table instanceof WebAssembly.Table) ||
    !(fuel instanceof WebAssembly.Global) ||
    !(stackPointer instanceof WebAssembly.Global) ||
    !(lowestStack instanceof WebAssembly.Global)
  ) {
    throw new Error("the translated module lacks one of the exports that jit/boundary.ts names");
  }
  return { start: start as () => void, table, fuel, stackPointer, lowestStack };
}

type GivenObject = NonNullable<RunOptions["objects"]>[number];

function byName(objects: readonly GivenObject[]): Map<string, GivenObject[]> {
  const found = new Map<string, GivenObject[]>();
  for (const object of objects) {
    const same = found.get(object.name);
    if (same === undefined) found.set(object.name, [object]);
    else same.push(object);
  }
  return found;
}
