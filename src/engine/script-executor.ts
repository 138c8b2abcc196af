// An executor for programs written as TypeScript functions over symbolic bytes: the engine is tested on programs whose paths
// can be counted by hand, without a compiler in between. Conditions are evaluated on the input by the evaluator, so a
// program cannot take a side that its input does not.

import type { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import type { BinaryName, ExprRef } from "../expr/ops.js";
import type { CheckKind, PathObserver, PinReason, SiteId } from "../path/observer.js";
import { RunStopped } from "../path/run-stopped.js";
import type { Model } from "../solver/solver.js";
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

export type Script = (run: ScriptRun) => number | undefined;

/** Thrown inside a script to end its run. */
class ScriptEnd {
  constructor(readonly end: PathEnd) {}
}

/** What a script can do. Its sites are what it says they are: plain numbers here. */
export class ScriptRun {
  instructions = 0;
  readonly newBlocks: number[] = [];
  /** How often each was covered. */
  readonly blocks = new Map<number, number>();
  readonly losses: Record<string, number> = {};

  constructor(
    readonly arena: ExprArena,
    private readonly evaluator: Evaluator,
    private readonly observer: PathObserver,
    private readonly limits: RunLimits,
    private readonly coverage: Uint8Array,
    readonly input: Model,
  ) {}

  byte(index: number): ExprRef {
    return this.arena.variable(index);
  }

  constant(value: number, width = 8): ExprRef {
    return this.arena.constant(width, value, 0);
  }

  /** Compares a symbolic value with a constant. */
  compare(op: BinaryName, value: ExprRef, constant: number): ExprRef {
    return this.arena.binary(op, value, this.constant(constant, this.arena.width(value)));
  }

  value(e: ExprRef): number {
    return this.evaluator.low(e) >>> 0;
  }

  /** A two-way branch: its block is 2 * site, or the next on its true side. */
  if(site: number, condition: ExprRef): boolean {
    this.work(1);
    if (this.arena.isConstant(condition)) return this.arena.constantLow(condition) !== 0;
    const taken = this.evaluator.holds(condition);
    this.observer.branch(site as SiteId, condition, taken);
    this.cover(2 * site + (taken ? 1 : 0));
    return taken;
  }

  /** As `if`, but the script says which side its input takes: nothing is evaluated. */
  branch(site: number, condition: ExprRef, taken: boolean): void {
    this.instructions++;
    this.observer.branch(site as SiteId, condition, taken);
  }

  /** A choice among exclusive conditions that cover everything; gives the position of the one that holds. */
  switch(site: number, conditions: readonly ExprRef[]): number {
    this.work(1);
    const taken = conditions.findIndex((condition) => this.evaluator.holds(condition));
    this.observer.choose(
      site as SiteId,
      conditions[taken],
      conditions.filter((_, index) => index !== taken),
    );
    return taken;
  }

  check(site: number, kind: CheckKind, bad: ExprRef): void {
    this.work(1);
    if (this.evaluator.holds(bad)) {
      this.observer.failing?.(site as SiteId, kind, bad);
      this.fail(kind, `site ${site}`, site as SiteId);
    }
    this.observer.check(site as SiteId, kind, bad);
  }

  /** Makes a value concrete. */
  pin(site: number, reason: PinReason, value: ExprRef): number {
    this.work(1);
    const concrete = this.value(value);
    this.observer.pin(site as SiteId, reason, this.compare("eq", value, concrete));
    return concrete;
  }

  assume(site: number, condition: ExprRef): void {
    this.work(1);
    this.observer.assume(site as SiteId, condition, this.evaluator.holds(condition));
  }

  work(instructions: number): void {
    this.instructions += instructions;
    if (this.instructions > this.limits.instructions) throw new ScriptEnd({ kind: "limit", limit: "instructions" });
  }

  /** The clock, as the machine sees it, has run out. */
  timeIsUp(): never {
    throw new ScriptEnd({ kind: "limit", limit: "time" });
  }

  cover(block: number): void {
    if (block < this.coverage.length) this.blocks.set(block, (this.blocks.get(block) ?? 0) + 1);
    if (block >= this.coverage.length || this.coverage[block] !== 0) return;
    this.coverage[block] = 1;
    this.newBlocks.push(block);
  }

  fail(kind: string, stackKey: string, site: SiteId | null = null): never {
    const finding: DetectedFinding = { kind, stackKey, site, detail: null };
    throw new ScriptEnd({ kind: "finding", finding });
  }
}

export class ScriptExecutor implements Executor {
  readonly coverage = new Uint8Array(4096);
  /** Runs so far, replays included. */
  runs = 0;
  private readonly evaluator: Evaluator;
  private current: ScriptRun | null = null;
  private readonly objects: readonly InputObject[];

  constructor(
    readonly arena: ExprArena,
    private readonly script: Script,
    size = 16,
  ) {
    this.evaluator = new Evaluator(arena);
    this.objects = [{ name: "input", size, firstVariable: 0 }];
  }

  run(input: Model, observer: PathObserver, limits: RunLimits): RunOutcome {
    this.runs++;
    this.evaluator.load(input);
    const run = new ScriptRun(this.arena, this.evaluator, observer, limits, this.coverage, input);
    this.current = run;
    let end: PathEnd;
    try {
      end = { kind: "exit", code: this.script(run) ?? 0 };
    } catch (error) {
      if (error instanceof ScriptEnd) end = error.end;
      else if (error instanceof RunStopped) end = { kind: "stopped", reason: error.reason };
      else throw error;
    }
    return {
      end,
      instructions: run.instructions,
      newBlocks: run.newBlocks,
      objects: this.objects,
      losses: run.losses,
    };
  }

  tryOut(input: Model, limits: RunLimits): TriedOutcome {
    const outcome = this.run(input, QUIET, limits);
    const hits = new Uint8Array(this.coverage.length);
    for (const [block, times] of this.current?.blocks ?? []) hits[block] = Math.min(times, 255);
    return { ...outcome, hits };
  }

  blocksOfRun(): readonly number[] {
    return [...(this.current?.blocks.keys() ?? [])].sort((a, b) => a - b);
  }

  instructionsSoFar(): number {
    return this.current?.instructions ?? 0;
  }
}
