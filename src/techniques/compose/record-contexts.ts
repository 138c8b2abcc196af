// The contexts that a test has for units: one run with the test's own input symbolic, in which functions of the program tell of their calls.
// Of each function a few calls are kept: the first ones that come on different ways, and of those that were looked at the one where most
// of what it works on depends on the input.
//
// It is done for every test, so it is cheap: of the many calls of a function ever fewer are looked at, and none after the last; when the
// time for looking is over, only the first call of a function is noted.

import type { RunLimits, RunOutcome } from "../../engine/executor.js";
import { QUIET } from "../../engine/finding-ledger.js";
import { type HookedProgram, hookedTest } from "../../engine/hooked-program.js";
import type { TestExecution } from "../../engine/program-executor.js";
import type { UnitCall } from "../../engine/unit-calls.js";
import type { HookAt } from "../../engine/unit-executor.js";
import { CONCRETE } from "../../expr/ops.js";
import type { TestInput } from "../../inputs/test-input.js";
import { HOOKS_BASE, HOOKS_LIMIT } from "../../jit/memory-layout.js";
import { captureFrames } from "../../vm/stack-trace.js";
import type { CallGround } from "./call-ground.js";
import type { UnitSeed } from "./compose-work.js";
import { memoryOf, valuesAt } from "./describe-context.js";
import type { FoundMemory } from "./found-values.js";

export interface RecordOptions {
  readonly execution: Omit<TestExecution, "coverage">;
  readonly limits: RunLimits;
  /** Calls from different ways that are kept of a function; one more may be, for what depends on the input. */
  readonly perFunction: number;
  /** For looking at calls, in one run. */
  readonly lookMs: number;
  /** Functions that contexts are wanted of. */
  readonly isWanted: (fn: number) => boolean;
}

const DEFAULT_RECORD_OPTIONS = { perFunction: 2, lookMs: 2000, isWanted: () => true } as const;

/** A unit seed without the test. */
export type RecordedContext = Omit<UnitSeed, "seed">;

export interface RecordedContexts {
  readonly contexts: readonly RecordedContext[];
  /** Of the run. */
  readonly outcome: RunOutcome;
}

/** Numbers of the calls that are looked at. */
const LOOKED_AT: ReadonlySet<number> = new Set([0, 1, 2, 3, 5, 8, 13, 21, 34, 49]);
const LAST_LOOKED_AT = Math.max(...LOOKED_AT);

export function recordContexts(
  ground: CallGround,
  test: TestInput,
  options: Pick<RecordOptions, "execution" | "limits"> & Partial<RecordOptions>,
): RecordedContexts | { readonly kind: "failed"; readonly message: string } {
  const recorder = new ContextRecorder(ground, { ...DEFAULT_RECORD_OPTIONS, ...options });
  const made = hookedTest(ground.image, test, options.execution, { hooks: recorder.hooks() }, ground.module);
  if (made.kind === "failed") return made;
  const recorded = recorder.run(made.executor);
  made.executor.release();
  return recorded;
}

interface Recorded {
  calls: number;
  readonly kept: RecordedContext[];
  readonly ways: Set<string>;
  /** The one that depends most on the input, kept or not. */
  most: RecordedContext | null;
  /** The last that was looked at: ends of buffers and of input show there. */
  last: RecordedContext | null;
}

class ContextRecorder {
  private readonly recorded = new Map<number, Recorded>();
  private executor: HookedProgram | null = null;
  private memory: FoundMemory | null = null;
  private spentMs = 0;

  constructor(
    private readonly ground: CallGround,
    private readonly options: RecordOptions,
  ) {}

  hooks(): readonly HookAt[] {
    const { image } = this.ground;
    return image.shapes.flatMap((_, fn): HookAt[] => {
      const isHookable = image.functions[fn].origin === "program" && HOOKS_BASE + fn < HOOKS_LIMIT;
      if (!isHookable || !this.options.isWanted(fn)) return [];
      return [{ function: fn, hook: (call) => this.called(fn, call) }];
    });
  }

  run(executor: HookedProgram): RecordedContexts {
    this.executor = executor;
    this.memory = memoryOf(executor);
    const outcome = executor.run(executor.firstInput, QUIET, this.options.limits);
    const contexts = [...this.recorded.values()].flatMap(({ kept, most, last }) => {
      const others = [most, last].filter((one): one is RecordedContext => one !== null);
      return [...new Set([...kept, ...others])];
    });
    return { contexts, outcome };
  }

  private called(fn: number, call: UnitCall): null {
    const own = this.recorded.get(fn) ?? { calls: 0, kept: [], ways: new Set(), most: null, last: null };
    this.recorded.set(fn, own);
    const number = own.calls++;
    const isOver = this.spentMs >= this.options.lookMs;
    if (number >= LAST_LOOKED_AT || isOver) this.stopHearing(fn);
    if (!LOOKED_AT.has(number) || (isOver && number > 0)) return null;
    const startedMs = performance.now();
    this.look(fn, call, number, own, isOver);
    this.spentMs += performance.now() - startedMs;
    return null;
  }

  private look(fn: number, call: UnitCall, number: number, own: Recorded, isOver: boolean): void {
    const chain = this.callers();
    const context = { function: fn, call: number, chain, dependent: this.dependentAt(fn, call, isOver) };
    const way = chain.join(" ");
    if (own.kept.length < this.options.perFunction && !own.ways.has(way)) {
      own.ways.add(way);
      own.kept.push(context);
    }
    own.last = context;
    if (context.dependent > (own.most?.dependent ?? 0)) own.most = context;
  }

  private dependentAt(fn: number, call: UnitCall, isOver: boolean): number {
    if (isOver || this.memory === null) {
      const parts = call.arguments.flat().filter(({ expression }) => expression !== CONCRETE);
      return parts.reduce((sum, { bits }) => sum + ((bits + 7) >>> 3), 0);
    }
    return valuesAt(this.ground, fn, call, this.memory, {}, false).dependent;
  }

  /** Functions of the program that have not returned, `main` first; without the one that is called. */
  private callers(): readonly number[] {
    const { image } = this.ground;
    const chain: number[] = [];
    for (const { functionIndex } of captureFrames().slice(1)) {
      const index = functionIndex - image.importCount;
      if (image.functions[index]?.origin === "program") chain.push(index);
    }
    return chain.reverse();
  }

  private stopHearing(fn: number): void {
    if (this.executor !== null) this.executor.program.machine.memory.u8[HOOKS_BASE + fn] = 0;
  }
}
