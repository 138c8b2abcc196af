// One run of a translated program: memory, host functions, start, end. The generated code calls the host functions of
// jit/boundary.ts; whatever stops it (an exit, a detector, a trap of WebAssembly, a limit) leaves as an exception and is
// turned into a RunEnd here and nowhere else.

import { EXPORTS, type HostName, IMPORT_MODULE, MEMORY_IMPORT } from "../jit/boundary.js";
import type { ProgramImage } from "../jit/image.js";
import { CONTROL, COVERAGE_BASE, FUNCTION_BASE, FUNCTION_STRIDE } from "../jit/memory-layout.js";
import { HeldOutput } from "./files/standard-streams.js";
import { FuelMeter } from "./fuel.js";
import { GuestCalls } from "./guest-calls.js";
import { GuestMemory } from "./guest-memory.js";
import { faultName, Kernel } from "./kernel.js";
import { type RunEnd, RunStop, type WasmFrame } from "./run-end.js";
import type { Recording, RunOptions, RunResult, Watched } from "./run-options.js";
import { captureFrames, TRACE_LIMIT, wasmFrames } from "./stack-trace.js";
import { type ArgumentObject, layStartVector } from "./start-vector.js";
import { Dispatcher } from "./syscalls/table.js";
import { endOfTrap } from "./trap.js";

/** By the second argument of the host function `watch`. */
const WATCHED_EVENTS: readonly (keyof Watched)[] = ["allocation", "free", "longjmp"];

/** What the module exports, once checked. */
interface GuestExports {
  readonly start: () => void;
  readonly table: WebAssembly.Table;
  readonly fuel: WebAssembly.Global<number>;
  readonly stackPointer: WebAssembly.Global<number>;
}

export class Machine {
  readonly image: ProgramImage;
  readonly options: RunOptions;
  readonly memory: GuestMemory;
  readonly kernel: Kernel;
  readonly argumentObjects: readonly ArgumentObject[] | null;
  private readonly dispatcher: Dispatcher;
  private readonly fuel: FuelMeter;
  private readonly calls: GuestCalls;
  private watched: Watched = { allocation: null, free: null, longjmp: null };
  private memoryExhausted = false;
  private lastStop: RunStop | null = null;

  constructor(image: ProgramImage, options: RunOptions) {
    this.image = image;
    this.options = options;
    this.memory = new GuestMemory(image.globalsEnd, options.limits.heapBytes);
    this.memory.allowGlobals(image.globals);
    this.fuel = new FuelMeter(options.limits, options.cancel);
    this.calls = new GuestCalls(this.memory, image);
    this.kernel = new Kernel(options, {
      memory: this.memory,
      calls: this.calls,
      instructions: () => this.fuel.used(),
      grow: (bytes) => this.grow(bytes),
    });
    this.fuel.onRefuel = () => this.kernel.checkTimer();
    this.fuel.onSignal = (signal) => this.kernel.raise(signal);
    this.dispatcher = new Dispatcher(this.kernel);
    this.argumentObjects = layStartVector(this.memory, options, this.kernel.identity, this.kernel.random);
  }

  /** Runs the program to its end. A machine runs once. */
  run(module: WebAssembly.Module = new WebAssembly.Module(this.image.wasm)): RunResult {
    const { options, memory } = this;
    memory.view.setUint32(CONTROL.watchAllocation, options.watch.allocation, true);
    memory.view.setUint32(CONTROL.watchFree, options.watch.free, true);
    memory.view.setUint32(CONTROL.watchLongjmp, options.watch.longjmp === true ? 1 : 0, true);
    const started = performance.now();
    const cpuBefore = process.cpuUsage();
    const end = this.runToEnd(module);
    const cpu = process.cpuUsage(cpuBefore);
    this.kernel.mappings.finish();
    this.kernel.files.finish();
    const { files } = this.kernel;
    return {
      end,
      instructions: this.fuel.used(),
      elapsedMs: performance.now() - started,
      cpuMs: (cpu.user + cpu.system) / 1000,
      memoryPeakBytes: memory.heapBytes,
      memoryExhausted: this.memoryExhausted,
      syscalls: this.dispatcher.counted(),
      denied: Object.fromEntries(this.kernel.denied),
      stdout: files.stdout instanceof HeldOutput ? files.stdout.content : new Uint8Array(0),
      stderr: files.stderr instanceof HeldOutput ? files.stderr.content : new Uint8Array(0),
      filesRead: [...files.filesRead],
      coverage: memory.u8.slice(COVERAGE_BASE, COVERAGE_BASE + this.image.coverage.length),
      watched: this.watched,
    };
  }

  /** The stack of generated code when the run was stopped; an exit has one too. */
  stopTrace(): WasmFrame[] {
    return this.lastStop === null ? [] : wasmFrames(this.lastStop);
  }

  /** What a repetition of the run needs; made on demand, since it may hold the whole of standard input. */
  recording(): Recording {
    return this.kernel.files.recording();
  }

  private runToEnd(module: WebAssembly.Module): RunEnd {
    if (this.argumentObjects === null) {
      return { kind: "unsupported", what: "arguments and environment too large", functionName: "", trace: [] };
    }
    // Traps carry as many frames as this says at the moment they happen, so it has to hold for the whole run.
    const traceLimit = Error.stackTraceLimit;
    Error.stackTraceLimit = TRACE_LIMIT;
    try {
      const instance = new WebAssembly.Instance(module, {
        [IMPORT_MODULE]: { ...this.hostFunctions(), [MEMORY_IMPORT]: this.memory.memory },
      });
      const guest = checkExports(instance);
      this.fuel.attach(guest.fuel);
      this.calls.attach(guest.table);
      this.kernel.stack = guest.stackPointer;
      guest.start();
      return { kind: "unsupported", what: "return from the start function", functionName: "start", trace: [] };
    } catch (error) {
      return this.endOf(error);
    } finally {
      Error.stackTraceLimit = traceLimit;
    }
  }

  private endOf(error: unknown): RunEnd {
    if (error instanceof RunStop) {
      const { reason } = error;
      this.lastStop = error;
      if (reason.kind === "exit" || reason.kind === "signal") return reason;
      return { ...reason, trace: wasmFrames(error) };
    }
    const end = endOfTrap(error, this.kernel.stack.value >>> 0);
    if (end === null) throw error;
    return end;
  }

  private grow(bytes: number): number {
    const address = this.memory.grow(bytes);
    if (address === 0) this.memoryExhausted = true;
    return address;
  }

  private hostFunctions(): Record<HostName, (...values: never[]) => unknown> {
    return {
      fault: (code: number, low: number, high: number, size: number): never => {
        const name = faultName(code) ?? "trap";
        const address = (high >>> 0) * 0x1_0000_0000 + (low >>> 0);
        this.kernel.currentCall = "";
        this.kernel.fault(name, address, size >>> 0);
      },
      syscall: () => this.dispatcher.dispatch(),
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

/** Runs a program in a fresh machine. */
export function runImage(image: ProgramImage, options: RunOptions, module?: WebAssembly.Module): RunResult {
  return new Machine(image, options).run(module);
}

function checkExports(instance: WebAssembly.Instance): GuestExports {
  const start = instance.exports[EXPORTS.start];
  const table = instance.exports[EXPORTS.table];
  const fuel = instance.exports[EXPORTS.fuel];
  const stackPointer = instance.exports[EXPORTS.stackPointer];
  if (
    typeof start !== "function" ||
    !(table instanceof WebAssembly.Table) ||
    !(fuel instanceof WebAssembly.Global) ||
    !(stackPointer instanceof WebAssembly.Global)
  ) {
    throw new Error("the translated module lacks one of the exports that jit/boundary.ts names");
  }
  return { start: start as () => void, table, fuel, stackPointer };
}
