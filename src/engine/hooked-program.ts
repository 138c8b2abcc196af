// Runs of a whole program with a test's input symbolic, and with hooks and stubs at functions of it: what a technique wants to know, or to
// meet, at a call deep inside is a check there, and an input that makes it hold is an input of the whole program.
//
// Processes that the program makes run without hooks; a hook that answers or writes ends what a child could be made from, because a child
// lives its parent's life again (vm/processes). Needs a program loaded with UNIT_COMPILE_OPTIONS.

import type { InputSpace } from "../concolic/input-space.js";
import type { ExprArena } from "../expr/arena.js";
import type { InputValue } from "../inputs/input-value.js";
import type { TestInput } from "../inputs/test-input.js";
import type { ProgramImage } from "../jit/image.js";
import type { PathObserver } from "../path/observer.js";
import type { Model } from "../solver/solver.js";
import type { Executor, RunLimits } from "./executor.js";
import { ProgramExecutor, type TestExecution } from "./program-executor.js";
import { UnitCalls } from "./unit-calls.js";
import { allocatorOf, findFunction, functionAddress, planStub, type UnitStub } from "./unit-description.js";
import type { HookAt, UnitOutcome } from "./unit-executor.js";
import { PathNotes, type RunSummary } from "./unit-summary.js";
import { UnitValues } from "./unit-values.js";

export interface HookedOptions {
  readonly hooks?: readonly HookAt[];
  readonly stubs?: readonly UnitStub[];
  /** Whether the paths of runs are kept, for `summaryOf`. There is no result, and writes are not looked for. */
  readonly summaries?: boolean;
  /** Nothing of the test is symbolic: hooks only look. */
  readonly concrete?: boolean;
}

export type MadeHooked =
  | { readonly kind: "program"; readonly executor: HookedProgram }
  | { readonly kind: "failed"; readonly message: string };

/** Fails with a message if the program has not got what is hooked. */
export function hookedTest(
  image: ProgramImage,
  test: TestInput,
  execution: TestExecution,
  options: HookedOptions = {},
  module?: WebAssembly.Module,
): MadeHooked {
  const executor = new HookedProgram(image, test, execution, options, module);
  for (const stub of options.stubs ?? []) {
    const planned = planStub(image, stub);
    if ("kind" in planned) return planned;
    executor.calls.addStub(planned);
  }
  for (const { function: wanted, hook } of options.hooks ?? []) {
    const target = findFunction(image, wanted);
    if ("kind" in target) return target;
    executor.calls.addHook(target, hook);
  }
  return { kind: "program", executor };
}

export class HookedProgram implements Executor {
  readonly program: ProgramExecutor;
  readonly values: UnitValues;
  readonly calls: UnitCalls;
  /** The test's own input: what an exploration begins with. */
  readonly firstInput: Model;
  private readonly notes: PathNotes;

  constructor(
    readonly image: ProgramImage,
    test: TestInput,
    execution: TestExecution,
    private readonly options: HookedOptions,
    module?: WebAssembly.Module,
  ) {
    const { inputs, program: name, workingDirectory, environment, given } = test;
    this.program = new ProgramExecutor(
      image,
      {
        ...{ inputs, name, workingDirectory, environment, given, ...execution },
        ...(options.concrete === true ? { fixed: test.values } : {}),
        describe: () => {},
        hooked: (functionIndex) => this.calls.hooked(functionIndex),
      },
      module,
    );
    const { host, machine, space } = this.program;
    this.values = new UnitValues(host, machine, allocatorOf(image), (wanted) => functionAddress(image, wanted) ?? 0);
    this.calls = new UnitCalls(host, machine, this.values, image);
    this.notes = new PathNotes(host.arena);
    this.firstInput = space.seed(options.concrete === true ? [] : test.values);
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
    const told = summarise ? this.notes : observer;
    this.values.begin();
    this.calls.rest();
    this.calls.start(told, NO_UNIT);
    const outcome = this.program.run(input, told, limits);
    return { ...outcome, summary: summarise ? this.summary() : null };
  }

  /** Nobody needs it any more, nor any of its expressions. */
  release(): void {
    this.program.release();
  }

  instructionsSoFar(): number {
    return this.program.instructionsSoFar();
  }
  blocksOfRun(): readonly number[] {
    return this.program.blocksOfRun();
  }

  /** The model that gives these objects their content and all others their defaults. */
  modelOf(values: readonly InputValue[]): Model {
    return this.space.modelOf(values);
  }

  private summary(): RunSummary {
    return { path: this.notes.steps(), result: null, writes: [], freed: [], answered: this.calls.answered };
  }
}

/** No function is the one that was started at: all calls are asked about. */
const NO_UNIT = -1;
