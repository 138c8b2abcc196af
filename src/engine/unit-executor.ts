// Runs of a program that start at any of its functions: the runtime is initialised as for a run of the whole program, the
// variables and parameters that the description names become input, chosen callees are answered by stubs and hooks, and the
// function is called. A return is exit 0. Everything else is as in a run of the whole program, with the same detectors,
// searchers and limits, because it is the same executor: the engine does not know the difference.
//
// Compositional testing (FOCAL) starts its extended units here and takes their summaries; patch testing may.
// Needs a program loaded with UNIT_COMPILE_OPTIONS.

import type { InputSpace } from "../concolic/input-space.js";
import type { ExprArena } from "../expr/arena.js";
import { CONCRETE, type ExprRef } from "../expr/ops.js";
import type { InputValue } from "../inputs/input-value.js";
import { NO_INPUTS } from "../inputs/symbolic-inputs.js";
import type { ProgramImage, WasmValueType } from "../jit/image.js";
import { CONTROL, SPARE_ARGUMENTS } from "../jit/memory-layout.js";
import { FIRST_VARIADIC_SLOT } from "../jit/symbolic-boundary.js";
import type { PathObserver } from "../path/observer.js";
import type { Model } from "../solver/solver.js";
import type { Executor, RunLimits, RunOutcome } from "./executor.js";
import { ProgramExecutor, type ProgramExecutorOptions } from "./program-executor.js";
import { UnitCalls, type UnitHook } from "./unit-calls.js";
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
  readonly hooks?: readonly { readonly function: UnitName | number; readonly hook: UnitHook }[];
  /** Whether runs are summarised; it costs a look at all variables at the end of each. */
  readonly summaries?: boolean;
  /** What is assumed when the unit starts; asked at each run, when the input objects exist. */
  readonly assumptions?: (arena: ExprArena, space: InputSpace) => readonly ExprRef[];
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
  for (const { function: name, hook } of options.hooks ?? []) {
    const target = findFunction(image, name);
    if ("kind" in target) return target;
    executor.calls.addHook(target, hook);
  }
  return { kind: "unit", executor };
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

  constructor(
    readonly image: ProgramImage,
    readonly plan: UnitPlan,
    private readonly options: UnitOptions = {},
    module?: WebAssembly.Module,
  ) {
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
        enter: () => this.enter(),
        hooked: (functionIndex) => this.calls.hooked(functionIndex),
      },
      module,
    );
    const { host, machine } = this.program;
    this.values = new UnitValues(host, machine, plan.allocate, (name) => functionAddress(image, name) ?? 0);
    this.calls = new UnitCalls(host, machine, this.values, image);
    for (const stub of plan.stubs) this.calls.addStub(stub);
    this.notes = new PathNotes(host.arena);
    this.observer = this.notes;
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
    this.calls.rest();
    const outcome = this.program.run(input, this.observer, limits);
    return { ...outcome, summary: summarise ? this.summary() : null };
  }

  instructionsSoFar(): number {
    return this.program.instructionsSoFar();
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
    const { plan, values, observer } = this;
    const { machine } = this.program;
    machine.callFunction(plan.initialise, []);
    if (this.isProbing) return this.readInitial();
    values.begin();
    for (const global of plan.globals) {
      values.placeGlobal(global, this.initial.get(global.address) ?? NOTHING, observer);
    }
    const { shape, signature } = plan.target;
    const parts: PartValue[] = [];
    plan.parameters.forEach((value, n) => {
      const { bits } = shape.parameters[n];
      const types = signature.params.slice(parts.length, parts.length + bits.length);
      parts.push(...values.make(`param:${n}`, value, bits, types, observer));
    });
    this.isPlaced = true;
    this.assume();
    this.passShadows(parts);
    this.calls.start(observer, plan.target.index);
    const words = parts.map((part, n) => wasmValue(part, signature.params[n]));
    if (shape.variadic) words.push(SPARE_ARGUMENTS);
    this.result = this.takeResult(machine.callFunction(plan.target.index, words));
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
    const input = new Set(plan.globals.map(({ address }) => address));
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

  private readInitial(): void {
    const { u8 } = this.program.machine.memory;
    const seeds: InputValue[] = [];
    for (const { name, address, size } of [...this.plan.variables, ...this.plan.globals]) {
      if (this.initial.has(address)) continue;
      const bytes = u8.slice(address, address + size);
      this.initial.set(address, bytes);
      seeds.push({ name, occurrence: 0, bytes });
    }
    this.space.seed(seeds);
  }
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
