// Runs of a program that start at any of its functions: the runtime is initialised as for a run of the whole program, the
// variables and parameters that the description names become input, chosen callees are answered by stubs and hooks, and the
// function is called. A return is exit 0. Everything else is as in a run of the whole program, with the same detectors,
// searchers and limits, because it is the same executor: the engine does not know the difference.
//
// A unit in context is a call in a run of a whole test: the program starts as always, with nothing symbolic, and at the call its input is
// placed and the function is called in the call's place. When it returns, or is left by longjmp, the run is over.
//
// Compositional testing (FOCAL) starts its extended units here and takes their summaries; patch testing may.
// Needs a program loaded with UNIT_COMPILE_OPTIONS.

import type { InputSpace } from "../concolic/input-space.js";
import type { ExprArena } from "../expr/arena.js";
import { CONCRETE, type ExprRef } from "../expr/ops.js";
import type { InputValue } from "../inputs/input-value.js";
import { NO_INPUTS } from "../inputs/symbolic-inputs.js";
import type { TestInput } from "../inputs/test-input.js";
import type { ProgramImage, WasmValueType } from "../jit/image.js";
import { CONTROL, HOOKS_BASE, SPARE_ARGUMENTS } from "../jit/memory-layout.js";
import { FIRST_VARIADIC_SLOT } from "../jit/symbolic-boundary.js";
import type { PathObserver } from "../path/observer.js";
import type { Model } from "../solver/solver.js";
import { QuietExit, type WasmFrame } from "../vm/run-end.js";
import { captureFrames } from "../vm/stack-trace.js";
import type { Executor, RunLimits, RunOutcome } from "./executor.js";
import { ProgramExecutor, type ProgramExecutorOptions } from "./program-executor.js";
import { argumentsOfCall, UnitCalls, type UnitHook } from "./unit-calls.js";
import {
  findFunction,
  functionAddress,
  planUnit,
  type UnitDescription,
  type UnitName,
  type UnitPlan,
} from "./unit-description.js";
import { PathNotes, type RunSummary, writesTo } from "./unit-summary.js";
import { type PartValue, type PlacedObject, UNIT_SITE, UnitValues } from "./unit-values.js";

export interface UnitOptions extends Partial<Omit<ProgramExecutorOptions, "enter" | "hooked">> {
  /** Functions of the technique's own, at the entry of these. */
  readonly hooks?: readonly HookAt[];
  /** Whether runs are summarised; it costs a look at all variables at the end of each. */
  readonly summaries?: boolean;
  /** What is assumed when the unit starts; asked at each run, when the input objects exist. */
  readonly assumptions?: (arena: ExprArena, space: InputSpace) => readonly ExprRef[];
}

/** `function`: by name, or by index into `image.functions`. */
export interface HookAt {
  readonly function: UnitName | number;
  readonly hook: UnitHook;
}

export interface UnitOutcome extends RunOutcome {
  /** Null unless summaries were asked for. */
  readonly summary: RunSummary | null;
}

/** The summary that came with the outcome of a unit's run, as the engine's events carry it. */
export function summaryOf(outcome: RunOutcome): RunSummary | null {
  return "summary" in outcome ? (outcome as UnitOutcome).summary : null;
}

export type MadeUnit =
  | { readonly kind: "unit"; readonly executor: UnitExecutor }
  | { readonly kind: "failed"; readonly message: string };

/** Fails with a message if the program has not got what is described. */
export function makeUnit(
  image: ProgramImage,
  description: UnitDescription,
  options: UnitOptions = {},
  module?: WebAssembly.Module,
): MadeUnit {
  const planned = planUnit(image, description);
  if (planned.kind === "failed") return planned;
  const executor = new UnitExecutor(image, planned.plan, options, module);
  if (!executor.isReached) {
    const { context, target } = planned.plan;
    executor.release();
    return { kind: "failed", message: `the test does not come to call ${context?.call} of ${target.name}` };
  }
  for (const { function: name, hook } of options.hooks ?? []) {
    const target = findFunction(image, name);
    if ("kind" in target) return target;
    executor.calls.addHook(target, hook);
  }
  return { kind: "unit", executor };
}

interface CallAtPlace {
  readonly found: readonly (readonly PartValue[])[];
  readonly variadic: number;
  readonly callers: readonly WasmFrame[];
}

const HEAP_BYTES = 0x1000_0000;
/** Constructors are short; one that is not will end every run in the same way. */
const PROBE_INSTRUCTIONS = 1e9;
const NOTHING = new Uint8Array(0);

export class UnitExecutor implements Executor {
  readonly program: ProgramExecutor;
  readonly values: UnitValues;
  readonly calls: UnitCalls;
  private readonly notes: PathNotes;
  private observer: PathObserver;
  private result: readonly PartValue[] | null = null;
  /** By address: what the program's variables hold before anything happens. */
  private readonly initial = new Map<number, Uint8Array>();
  private isPlaced = false;
  private isProbing = true;
  /** In a context: calls of the function so far, and what the way to the one that counts costs. */
  private arrivals = 0;
  private isEntered = false;
  private wayInstructions = 0;
  /** Where the function asks for its hook: it stands on the stack below itself then. */
  private hookFrame: WasmFrame | null = null;
  /** What the call is given, and the frames of its callers; null before the probing run has come there. */
  private atCall: CallAtPlace | null = null;
  /** The run in progress began at the call. */
  private isAtPlace = false;
  private longerLimits: {
    readonly given: RunLimits;
    readonly used: { -readonly [K in keyof RunLimits]: RunLimits[K] };
  } | null = null;
  /** The probing run came to the unit. */
  isReached = false;
  /** Variables as the program begins with them, and what was found at the call. */
  firstInput: Model = NOTHING;

  constructor(
    readonly image: ProgramImage,
    readonly plan: UnitPlan,
    private readonly options: UnitOptions = {},
    module?: WebAssembly.Module,
  ) {
    const { context } = plan;
    this.program = new ProgramExecutor(
      image,
      {
        inputs: options.inputs ?? NO_INPUTS,
        name: options.name ?? "program",
        workingDirectory: options.workingDirectory ?? "/",
        environment: options.environment ?? [],
        heapBytes: options.heapBytes ?? HEAP_BYTES,
        seed: options.seed ?? 1,
        describe: options.describe ?? (() => {}),
        ...(options.given === undefined ? {} : { given: options.given }),
        ...(options.coverage === undefined ? {} : { coverage: options.coverage }),
        ...(options.keepsOutput === undefined ? {} : { keepsOutput: options.keepsOutput }),
        ...(context === null ? {} : wholeRun(context.test)),
        enter: context === null ? () => this.enter() : null,
        enterAtPlace: () => this.enterAtPlace(),
        hooked: (functionIndex) => this.hooked(functionIndex),
        shownTrace: (trace) => this.shownTrace(trace),
      },
      module,
    );
    const { host, machine } = this.program;
    this.values = new UnitValues(host, machine, plan.allocate, (name) => functionAddress(image, name) ?? 0);
    this.calls = new UnitCalls(host, machine, this.values, image);
    for (const stub of plan.stubs) this.calls.addStub(stub);
    this.notes = new PathNotes(host.arena);
    this.observer = this.notes;
    if (context !== null) machine.memory.u8[HOOKS_BASE + plan.target.index] = 1;
    this.probe();
  }

  get arena(): ExprArena {
    return this.program.arena;
  }
  get space(): InputSpace {
    return this.program.space;
  }
  get coverage(): Uint8Array {
    return this.program.coverage;
  }

  run(input: Model, observer: PathObserver, limits: RunLimits): UnitOutcome {
    const summarise = this.options.summaries === true;
    if (summarise) this.notes.begin(observer);
    this.observer = summarise ? this.notes : observer;
    this.result = null;
    this.isPlaced = false;
    this.isEntered = false;
    this.isAtPlace = false;
    this.arrivals = 0;
    this.calls.rest();
    const outcome = this.program.run(input, this.observer, this.limitsBehindWay(limits));
    const instructions = Math.max(0, outcome.instructions - this.wayInstructions);
    return { ...outcome, instructions, summary: summarise ? this.summary() : null };
  }

  /** Nobody needs it any more, nor any of its expressions. */
  release(): void {
    this.program.release();
  }

  /** Of the unit, without the way to it. */
  instructionsSoFar(): number {
    return Math.max(0, this.program.instructionsSoFar() - this.wayInstructions);
  }
  blocksOfRun(): readonly number[] {
    return this.program.blocksOfRun();
  }
  /** What the last run printed, if that is kept. */
  get output(): Uint8Array {
    return this.program.output;
  }

  /** The model that gives these objects their content and all others their defaults. */
  modelOf(values: readonly InputValue[]): Model {
    return this.space.modelOf(values);
  }

  /** The parts of the last run's result, null if it did not return. */
  get lastResult(): readonly PartValue[] | null {
    return this.result;
  }

  private enter(): void {
    const { plan } = this;
    this.program.machine.callFunction(plan.initialise, []);
    if (this.isProbing) return this.readInitial([]);
    this.call([], SPARE_ARGUMENTS);
  }

  /** Places the input and calls the function. `found`: the arguments of the call in whose place that is. */
  private call(found: readonly (readonly PartValue[])[], variadic: number): void {
    const { plan, values, observer } = this;
    const { shape, signature } = plan.target;
    values.begin();
    for (const global of plan.globals) {
      values.placeGlobal(global, this.initial.get(global.address) ?? NOTHING, observer);
    }
    for (const object of plan.context?.objects ?? []) values.placeFound(object);
    const parts: PartValue[] = [];
    plan.parameters.forEach((value, n) => {
      const { bits } = shape.parameters[n];
      const types = signature.params.slice(parts.length, parts.length + bits.length);
      parts.push(...(value.kind === "found" ? found[n] : values.make(`param:${n}`, value, bits, types, observer)));
    });
    this.isPlaced = true;
    this.assume();
    this.passShadows(parts);
    this.calls.start(observer, plan.target.index);
    const words = parts.map((part, n) => wasmValue(part, signature.params[n]));
    if (shape.variadic) words.push(variadic);
    this.result = this.takeResult(this.program.machine.callFunction(plan.target.index, words));
  }

  // ---- a unit in context

  private hooked(functionIndex: number): boolean {
    const { context, target } = this.plan;
    if (context === null || this.isEntered || functionIndex !== target.index) return this.calls.hooked(functionIndex);
    if (this.arrivals++ === context.call) this.arrive();
    return false;
  }

  private arrive(): never {
    const { machine } = this.program;
    const { target } = this.plan;
    const found = argumentsOfCall(machine, target);
    const slots = found.reduce((sum, parts) => sum + parts.length, 0);
    const variadic = machine.memory.view.getUint32(CONTROL.mismatchedCall + 8 * slots, true);
    this.isEntered = true;
    if (this.isProbing) {
      const [hookFrame = null, ...callers] = captureFrames();
      this.hookFrame = hookFrame;
      this.atCall = { found, variadic, callers };
      this.wayInstructions = machine.instructions;
      this.readInitial(found);
    }
    // Whoever looks closely at a few runs wants them as they are.
    if (this.options.summaries !== true) machine.keepPlace();
    if (this.isProbing) throw new QuietExit(0);
    machine.cannotRepeat();
    // What the way there has covered is not the unit's.
    machine.coverage.fill(0);
    this.callInContext(found, variadic);
    throw new QuietExit(0);
  }

  /** In the place of the way to the call, which has left memory as it is. */
  private enterAtPlace(): void {
    const { atCall } = this;
    if (atCall === null) throw new Error("nobody has come to the call");
    this.isEntered = true;
    this.isAtPlace = true;
    // As after the way there, which may have been the one that looked at the call.
    this.program.machine.cannotRepeat();
    this.callInContext(atCall.found, atCall.variadic);
  }

  private callInContext(found: CallAtPlace["found"], variadic: number): void {
    try {
      this.call(found, variadic);
    } catch (error) {
      // A longjmp to a caller: the unit has ended, though it gives nothing.
      if (!(error instanceof WebAssembly.Exception)) throw error;
    }
  }

  /** A unit in context is called from within its own call: it would be seen twice. */
  private shownTrace(trace: readonly WasmFrame[]): readonly WasmFrame[] {
    const { hookFrame } = this;
    if (this.isAtPlace) return [...trace, ...(this.atCall?.callers ?? [])];
    if (hookFrame === null || !this.isEntered) return trace;
    const { functionIndex, offset } = hookFrame;
    return trace.filter((frame, n) => n === 0 || frame.functionIndex !== functionIndex || frame.offset !== offset);
  }

  /** The limit is of the unit; the way there comes before it. */
  private limitsBehindWay(limits: RunLimits): RunLimits {
    if (this.wayInstructions === 0) return limits;
    const { timeMs } = limits;
    if (this.longerLimits?.given !== limits) {
      const instructions = limits.instructions + this.wayInstructions;
      this.longerLimits = { given: limits, used: { ...limits, instructions } };
    }
    // The engine tells the time that is left in the same object, and whoever gets it looks whether it is the same.
    const { used } = this.longerLimits;
    used.timeMs = timeMs;
    return used;
  }

  private assume(): void {
    const { arena, observer } = this;
    for (const condition of this.options.assumptions?.(arena, this.space) ?? []) {
      if (condition === arena.TRUE) continue;
      observer.assume(UNIT_SITE, condition, this.calls.evaluate(condition)[0] !== 0);
    }
  }

  private passShadows(parts: readonly PartValue[]): void {
    const { view } = this.program.machine.memory;
    const count = Math.min(parts.length, FIRST_VARIADIC_SLOT);
    for (let n = 0; n < count; n++) view.setInt32(CONTROL.argumentShadows + 4 * n, parts[n].expression, true);
    const results = this.plan.target.shape.result.length;
    for (let n = 0; n < results; n++) view.setInt32(CONTROL.resultShadows + 4 * n, CONCRETE, true);
  }

  private takeResult(returned: unknown): PartValue[] {
    const { view } = this.program.machine.memory;
    const { shape, signature } = this.plan.target;
    const words = Array.isArray(returned) ? (returned as unknown[]) : [returned];
    return shape.result.map((bits, n) => {
      const [low, high] = bitsOf(words[n] as number | bigint, signature.results[n]);
      const expression = view.getInt32(CONTROL.resultShadows + 4 * n, true) as ExprRef;
      return { bits, low, high, expression };
    });
  }

  // ---- the summary

  private summary(): RunSummary {
    const { host, machine } = this.program;
    const { answered } = this.calls;
    const path = this.notes.steps();
    if (!this.isPlaced) return { path, result: null, writes: [], freed: [], answered };
    const objects = [...this.values.placed, ...this.otherVariables()];
    return {
      path,
      result: this.result,
      ...writesTo(objects, host.arena, machine.memory, host.shadows),
      answered,
    };
  }

  /** Variables that are not input. */
  private otherVariables(): PlacedObject[] {
    const { plan } = this;
    const input = new Set([...plan.globals, ...(plan.context?.objects ?? [])].map(({ address }) => address));
    return plan.variables.flatMap(({ name, address, size }) => {
      const initial = this.initial.get(address);
      return input.has(address) || initial === undefined
        ? []
        : [{ name, address, size, first: -1, initial, fields: [] }];
    });
  }

  /** A run that ends before the unit starts: what variables begin with is the default of those that are input. */
  private probe(): void {
    this.program.run(NOTHING, this.notes, { instructions: PROBE_INSTRUCTIONS, timeMs: Number.POSITIVE_INFINITY });
    this.isProbing = false;
    this.coverage.fill(0);
  }

  /** `found`: the arguments of the call, if there is one. */
  private readInitial(found: readonly (readonly PartValue[])[]): void {
    const { u8 } = this.program.machine.memory;
    const seeds: InputValue[] = found.map((parts, n) => ({
      name: `param:${n}`,
      occurrence: 0,
      bytes: Uint8Array.from(parts.flatMap(bytesOfPart)),
    }));
    for (const { name, address, size } of this.plan.context?.objects ?? []) {
      seeds.push({ name, occurrence: 0, bytes: u8.slice(address, address + size) });
    }
    this.isReached = true;
    const { space, plan } = this;
    const named = new Set(seeds.map(({ name }) => name));
    for (const { name, address, size } of plan.globals) {
      if (this.initial.has(address)) continue;
      const bytes = u8.slice(address, address + size);
      this.initial.set(address, bytes);
      if (!named.has(name)) seeds.push({ name, occurrence: 0, bytes });
      named.add(name);
    }
    // Others are no input; only whoever looks for what was written wants to know them.
    for (const { address, size } of this.options.summaries === true ? plan.variables : []) {
      if (!this.initial.has(address)) this.initial.set(address, u8.slice(address, address + size));
    }
    space.seed(seeds);
    for (const { name, size } of [...plan.globals, ...(plan.context?.objects ?? [])]) space.declare(name, 0, size);
    seeds.slice(0, found.length).forEach(({ name, bytes }, n) => {
      if (plan.parameters[n].kind === "symbolic") space.declare(name, 0, Math.max(1, bytes.length));
    });
    this.firstInput = space.defaults.slice();
  }
}

/** A run of a test as it is. */
function wholeRun({ program, inputs, values, workingDirectory, environment, given }: TestInput) {
  return { name: program, inputs, fixed: values, workingDirectory, environment, given };
}

function bytesOfPart({ bits, low, high }: PartValue): number[] {
  return Array.from({ length: (bits + 7) >>> 3 }, (_, k) => (k < 4 ? low >>> (8 * k) : high >>> (8 * k - 32)) & 0xff);
}

function wasmValue({ low, high }: PartValue, type: WasmValueType): number | bigint {
  if (type === "i32") return low;
  const view = new DataView(new ArrayBuffer(8));
  view.setInt32(0, low, true);
  view.setInt32(4, high, true);
  if (type === "i64") return view.getBigInt64(0, true);
  return type === "f32" ? view.getFloat32(0, true) : view.getFloat64(0, true);
}

function bitsOf(value: number | bigint, type: WasmValueType): readonly [number, number] {
  if (type === "i32") return [Number(value), 0];
  const view = new DataView(new ArrayBuffer(8));
  if (type === "i64") view.setBigInt64(0, BigInt(value), true);
  else if (type === "f64") view.setFloat64(0, Number(value), true);
  else {
    view.setFloat32(0, Number(value), true);
    return [view.getInt32(0, true), 0];
  }
  return [view.getInt32(0, true), view.getInt32(4, true)];
}
