// What must hold of a unit's input for a failure to happen, as far as one path and some experiments can tell. The path's conditions are
// all true of the witness, but most of them do not matter. One after the other is turned round while the others stay: if there is no such
// input, the others imply it; if there is one and it fails at the same place too, it does not matter. What is left is tried with inputs
// that differ in everything else; where one of them does not fail, a condition that it violates is taken back.
//
// So a precondition is a claim with evidence, not a proof. The exact statement, the whole path, is kept beside it: for compositional
// testing, which asks for it at the call (TECHNIQUES 4).

import type { InputObject, RunLimits } from "../../engine/executor.js";
import { placeOf, QUIET } from "../../engine/finding-ledger.js";
import { summaryOf, type UnitExecutor } from "../../engine/unit-executor.js";
import type { PathStep } from "../../engine/unit-summary.js";
import { Evaluator } from "../../expr/evaluate.js";
import type { ExprRef } from "../../expr/ops.js";
import type { Model, Solver } from "../../solver/solver.js";
import { Random } from "../../support/random.js";

export interface Precondition {
  /** All conditions of the path, in order; expressions of the executor's arena over its input space. */
  readonly path: readonly PathStep[];
  /** Those that matter, by place in `path`. */
  readonly matters: readonly number[];
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
}

/** Inputs that differ in everything but what matters. */
const TRIALS = 6;
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
  return new Experiments(executor, solver, { model: witness, objects: first.objects }, place, path, options).run();
}

class Experiments {
  private readonly endsMs: number;
  private readonly random: Random;
  private readonly evaluator: Evaluator;
  private readonly kept: boolean[];
  private readonly witness: Model;

  constructor(
    private readonly executor: UnitExecutor,
    private readonly solver: Solver,
    private readonly given: { readonly model: Model; readonly objects: readonly InputObject[] },
    private readonly place: string,
    private readonly path: readonly PathStep[],
    private readonly options: PreconditionOptions,
  ) {
    this.endsMs = performance.now() + options.timeMs;
    this.random = new Random(options.seed);
    this.evaluator = new Evaluator(executor.arena);
    this.kept = path.map(() => true);
    this.witness = given.model;
  }

  run(): Precondition {
    const complete = this.leaveOut();
    this.leaveOutGap();
    let tried = 0;
    let failed = 0;
    for (let back = 0; back <= MOST_TAKEN_BACK; back++) {
      const trial = this.tryOthers();
      ({ tried, failed } = trial);
      if (trial.against === null || !this.takeBack(trial.against)) break;
    }
    const matters = this.path.flatMap(({ kind }, n) => (this.kept[n] && kind !== "assumption" ? [n] : []));
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
   * chance. If inputs without that condition fail as well, it says nothing that the rest does not.
   */
  private leaveOutGap(): void {
    const last = this.path.length - 1;
    if (!this.kept[last] || this.path[last].kind !== "failure" || !this.isAccess(this.path[last])) return;
    this.kept[last] = false;
    const { tried, against } = this.tryOthers();
    if (tried === 0 || against !== null) this.kept[last] = true;
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
    for (let n = 0; n < TRIALS && !this.isOver; n++) {
      const model = this.solve(conditions, this.otherInput(n));
      if (model === null || model === "unknown") break;
      const key = this.inputKey(model);
      if (seen.has(key)) continue;
      seen.add(key);
      tried++;
      if (this.failsThere(model)) failed++;
      else return { tried, failed, against: model };
    }
    return { tried, failed, against: null };
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
    const missing = this.path.flatMap(({ condition }, n) =>
      this.kept[n] || this.evaluator.holds(condition) ? [] : [n],
    );
    if (missing.length === 0) return false;
    const decisive = missing.find((n) => {
      if (this.isOver) return false;
      const other = this.solve([...this.conditions(() => true), this.path[n].condition], model);
      return other !== null && other !== "unknown" && this.failsThere(other);
    });
    this.kept[decisive ?? missing[0]] = true;
    return true;
  }

  private conditions(wanted: (n: number) => boolean): ExprRef[] {
    return this.path.flatMap(({ condition }, n) => (this.kept[n] && wanted(n) ? [condition] : []));
  }

  private solve(constraints: readonly ExprRef[], hint: Model): Model | null | "unknown" {
    const deadlineMs = Math.min(this.endsMs, performance.now() + QUESTION_MS);
    const verdict = this.solver.solve({ constraints, hint, deadlineMs });
    if (verdict.kind === "unknown") return "unknown";
    return verdict.kind === "sat" ? verdict.model : null;
  }

  private failsThere(model: Model): boolean {
    const { end } = this.executor.run(model, QUIET, this.options.limits);
    return end.kind === "finding" && placeOf(end.finding) === this.place;
  }
}
