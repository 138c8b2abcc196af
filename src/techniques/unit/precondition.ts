// What must hold of a unit's input for a failure to happen, as far as one path and some experiments can tell. The path's conditions are
// all true of the witness, but most of them do not matter. One after the other is turned round while the others stay: if there is no such
// input, the others imply it; if there is one and it fails at the same place too, it does not matter. What is left is tried with inputs
// that differ in everything else, and with some for which as many as possible of the others do not hold: of several that do not matter alone
// one may have to hold. Where an input does not fail, a condition that it violates is taken back.
//
// So a precondition is a claim with evidence, not a proof. The exact statement, the whole path, is kept beside it: for compositional
// testing, which asks for it at the call (TECHNIQUES 4).

import type { InputObject, RunLimits } from "../../engine/executor.js";
import { placeOf, QUIET } from "../../engine/finding-ledger.js";
import { summaryOf, type UnitExecutor } from "../../engine/unit-executor.js";
import type { PathStep } from "../../engine/unit-summary.js";
import { Evaluator } from "../../expr/evaluate.js";
import { type ExprRef, OPS } from "../../expr/ops.js";
import type { Model, Solver } from "../../solver/solver.js";
import { Random } from "../../support/random.js";
import type { LeftOut } from "./left-out.js";
import { failureOfRun } from "./unit-run.js";

export interface Precondition {
  /** All conditions of the path, in order; expressions of the executor's arena over its input space. */
  readonly path: readonly PathStep[];
  /** Those of them that matter; the one that fails may be weaker than on the path. */
  readonly matters: readonly PathStep[];
  /** Other inputs that meet what matters and were run: how many, and how many of them failed there. */
  readonly tried: number;
  readonly failed: number;
  /** There was time to turn every condition round. */
  readonly complete: boolean;
}

export interface PreconditionOptions {
  readonly limits: RunLimits;
  readonly timeMs: number;
  readonly seed: number;
  /** Pointers that are assumed to be null in whatever object an input leads to. */
  readonly leftOut?: LeftOut | null;
}

/** Inputs that differ in everything but what matters. */
const TRIALS = 6;
/** Inputs beside those that violate all of the other conditions that they can; of so many, which are chosen at random. */
const CONTRARY_TRIALS = 2;
const MOST_VIOLATED = 32;
/** Conditions that are taken back because of them. */
const MOST_TAKEN_BACK = 16;
/** One question to the solver. */
const QUESTION_MS = 300;

/** `place`: of the failure (`placeOf`) that `witness` ends in. */
export function preconditionOf(
  executor: UnitExecutor,
  solver: Solver,
  witness: Model,
  place: string,
  options: PreconditionOptions,
): Precondition | null {
  const first = executor.run(witness, QUIET, options.limits);
  const path = summaryOf(first)?.path ?? [];
  if (first.end.kind !== "finding" || placeOf(first.end.finding) !== place) return null;
  const object = failureOfRun(executor)?.object ?? null;
  const side = object === null ? null : object.offset < 0 ? "before" : "behind";
  const given = { model: witness, objects: first.objects, side } as const;
  return new Experiments(executor, solver, given, place, path, options).run();
}

interface GivenFailure {
  readonly model: Model;
  readonly objects: readonly InputObject[];
  /** On which side of its object the access was; null if it was none, or nobody knows. */
  readonly side: "before" | "behind" | null;
}

class Experiments {
  private readonly endsMs: number;
  private readonly random: Random;
  private readonly evaluator: Evaluator;
  private readonly kept: boolean[];
  private readonly witness: Model;
  private readonly steps: PathStep[];

  constructor(
    private readonly executor: UnitExecutor,
    private readonly solver: Solver,
    private readonly given: GivenFailure,
    private readonly place: string,
    private readonly path: readonly PathStep[],
    private readonly options: PreconditionOptions,
  ) {
    this.endsMs = performance.now() + options.timeMs;
    this.random = new Random(options.seed);
    this.evaluator = new Evaluator(executor.arena);
    this.kept = path.map(() => true);
    this.witness = given.model;
    this.steps = [...path];
  }

  run(): Precondition {
    const complete = this.leaveOut();
    this.widenGap();
    let tried = 0;
    let failed = 0;
    for (let back = 0; back <= MOST_TAKEN_BACK; back++) {
      const trial = this.tryOthers();
      ({ tried, failed } = trial);
      if (trial.against === null || !this.takeBack(trial.against)) break;
    }
    const matters = this.steps.filter(({ kind }, n) => this.kept[n] && kind !== "assumption");
    return { path: this.path, matters, tried, failed, complete };
  }

  private get isOver(): boolean {
    return performance.now() >= this.endsMs;
  }

  /** Whether there was time for all. */
  private leaveOut(): boolean {
    const { arena } = this.executor;
    for (let n = 0; n < this.path.length; n++) {
      const { kind, condition } = this.path[n];
      // What is assumed is not open to question.
      if (kind === "assumption") continue;
      if (this.isOver) return false;
      const others = this.conditions((k) => k !== n);
      const model = this.solve([...others, arena.not(condition)], this.witness);
      if (model === "unknown") continue;
      if (model === null || this.failsThere(model)) this.kept[n] = false;
    }
    return true;
  }

  /**
   * An access that leaves its object fails in the gap behind it; farther away it may land in another object of this machine, which is
   * chance. So the far end of the gap is left out, if inputs beyond it fail as well; and all of it, if the rest implies what is left.
   */
  private widenGap(): void {
    const last = this.steps.length - 1;
    const step = this.steps[last];
    if (step === undefined || !this.kept[last] || step.kind !== "failure" || !this.isAccess(step)) return;
    const condition = this.oneSided(step.condition);
    if (condition === null) return;
    this.steps[last] = { ...step, condition };
    const { tried, against } = this.tryOthers();
    if (tried === 0 || against !== null) {
      this.steps[last] = step;
      return;
    }
    const others = this.conditions((n) => n !== last);
    if (this.solve([...others, this.executor.arena.not(condition)], this.witness) === null) this.kept[last] = false;
  }

  /** Of `low <= x && x <= high`, written as one comparison of a sum: the half that faces the object. */
  private oneSided(bad: ExprRef): ExprRef | null {
    const { arena } = this.executor;
    const op = arena.op(bad);
    if ((op !== OPS.ult.code && op !== OPS.ule.code) || !arena.isConstant(arena.b(bad))) return null;
    const sum = arena.a(bad);
    const isSum = arena.op(sum) === OPS.add.code && arena.isConstant(arena.b(sum));
    const value = isSum ? arena.a(sum) : sum;
    const width = arena.width(sum);
    const low = BigInt.asIntN(width, isSum ? -arena.constantBigValue(arena.b(sum)) : 0n);
    const high = low + arena.constantBigValue(arena.b(bad)) - (op === OPS.ult.code ? 1n : 0n);
    if (high >= 1n << BigInt(width - 1) || this.given.side === null) return null;
    return this.given.side === "behind"
      ? arena.binary("sle", arena.constantBig(width, low), value)
      : arena.binary("sle", value, arena.constantBig(width, high));
  }

  private isAccess({ site }: PathStep): boolean {
    return this.executor.image.sites[site]?.kind === "access";
  }

  /** Inputs that meet what is kept; one that does not fail is told, and ends it. */
  private tryOthers(): { readonly tried: number; readonly failed: number; readonly against: Model | null } {
    let tried = 0;
    let failed = 0;
    const conditions = this.conditions(() => true);
    const seen = new Set([this.inputKey(this.witness)]);
    for (let n = 0; n < TRIALS + CONTRARY_TRIALS && !this.isOver; n++) {
      const model = n < TRIALS ? this.solve(conditions, this.otherInput(n)) : this.contraryInput(conditions);
      if (model === null || model === "unknown") break;
      const key = this.inputKey(model);
      if (seen.has(key)) continue;
      seen.add(key);
      const ending = this.endingOf(model);
      // Something is assumed of an object that only this input leads to: it is none of the inputs that are spoken of.
      if (ending === "not assumed") continue;
      tried++;
      if (ending === "there") failed++;
      else return { tried, failed, against: model };
    }
    return { tried, failed, against: null };
  }

  /** Of the conditions that were left out as few as possible hold; null if that is none of them. */
  private contraryInput(conditions: readonly ExprRef[]): Model | null {
    const { arena } = this.executor;
    const left = this.steps.flatMap(({ condition, kind }, n) =>
      this.kept[n] || kind === "assumption" ? [] : [{ violated: arena.not(condition), order: this.random.next() }],
    );
    const constraints = [...conditions];
    let model: Model | null = null;
    for (const { violated } of left.sort((a, b) => a.order - b.order).slice(0, MOST_VIOLATED)) {
      if (this.isOver) break;
      const next = this.solve([...constraints, violated], model ?? this.witness);
      if (next === null || next === "unknown") continue;
      model = next;
      constraints.push(violated);
    }
    return model;
  }

  /** What of an input the witness's run has used: those that differ elsewhere are the same input. */
  private inputKey(model: Model): string {
    const parts = this.given.objects.map(({ firstVariable, size }) =>
      Buffer.from(model.subarray(firstVariable, firstVariable + size))
        .toString("latin1")
        .padEnd(size, "\0"),
    );
    return parts.join("");
  }

  /** Zeros, ones, then anything; whether pointers are null is as in the witness half of the time. */
  private otherInput(n: number): Model {
    const size = this.executor.space.size;
    const model = new Uint8Array(size);
    if (n === 1) model.fill(0xff);
    else if (n > 1) this.random.fill(model);
    for (const { name, first } of this.executor.space.objects) {
      if (name.startsWith("null:") && n !== 1) model[first] = n % 2 === 0 ? 0 : (this.witness[first] ?? 0);
    }
    return model;
  }

  /**
   * Of the conditions that were left out and do not hold for this input, one that makes it fail when it does hold; the first if none
   * does alone. False if there is none.
   */
  private takeBack(model: Model): boolean {
    this.evaluator.load(model);
    const missing = this.steps.flatMap(({ condition }, n) =>
      this.kept[n] || this.evaluator.holds(condition) ? [] : [n],
    );
    if (missing.length === 0) return false;
    const decisive = missing.find((n) => {
      if (this.isOver) return false;
      const other = this.solve([...this.conditions(() => true), this.steps[n].condition], model);
      return other !== null && other !== "unknown" && this.failsThere(other);
    });
    this.kept[decisive ?? missing[0]] = true;
    return true;
  }

  private conditions(wanted: (n: number) => boolean): ExprRef[] {
    return this.steps.flatMap(({ condition }, n) => (this.kept[n] && wanted(n) ? [condition] : []));
  }

  private solve(constraints: readonly ExprRef[], hint: Model): Model | null | "unknown" {
    const deadlineMs = Math.min(this.endsMs, performance.now() + QUESTION_MS);
    const verdict = this.solver.solve({ constraints, hint, deadlineMs });
    if (verdict.kind === "unknown") return "unknown";
    if (verdict.kind !== "sat") return null;
    // The solver may remember its own.
    const model = verdict.model.slice();
    this.options.leftOut?.clear(this.executor.space, model);
    return model;
  }

  private failsThere(model: Model): boolean {
    return this.endingOf(model) === "there";
  }

  private endingOf(model: Model): "there" | "elsewhere" | "not assumed" {
    const { end } = this.executor.run(model, QUIET, this.options.limits);
    if (end.kind === "stopped" && end.reason === "assumption") return "not assumed";
    return end.kind === "finding" && placeOf(end.finding) === this.place ? "there" : "elsewhere";
  }
}
