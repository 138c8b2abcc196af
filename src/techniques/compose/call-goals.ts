// Conditions of functions as goals of an exploration: at each call of such a function its conditions are bound to what the call passes, and
// become a decision of the path. On the side where one holds, the run goes on into the function and should fail there; the other side is
// pending, and whoever explores pursues it. So a condition guides, and the failure itself is the evidence.

import { namesIn } from "../../engine/image-names.js";
import { divisionOf, type UnitCall, type UnitHook } from "../../engine/unit-calls.js";
import type { ExprRef } from "../../expr/ops.js";
import type { ProgramImage } from "../../jit/image.js";
import type { SiteId } from "../../path/observer.js";
import { type BoundConjunct, bindCondition, type VariableAddresses } from "./bind-condition.js";
import type { CallCondition } from "./compose-work.js";

/** What became of a condition, over all runs. */
export interface GoalState {
  /** Calls at which it was asked for. */
  calls: number;
  /** Calls at which it could not be: memory has another shape. */
  otherShape: number;
  /** Calls at which it is false whatever the input is. */
  excluded: number;
  /** Conjuncts that were false at the last such call. */
  excludedBy: readonly number[];
  /** Runs in which it held at a call. */
  met: number;
}

/** A decision of a run. */
export interface AskedGoal {
  readonly goal: number;
  readonly all: ExprRef;
  readonly conjuncts: readonly BoundConjunct[];
}

export interface GoalHook {
  readonly function: number;
  readonly hook: UnitHook;
}

/** In one run and for one condition: further calls are not looked at. */
const MOST_CALLS = 64;
/** Decisions in one run for one condition. */
const MOST_DECISIONS = 16;

export class CallGoals {
  readonly hooks: readonly GoalHook[];
  readonly states: readonly GoalState[];
  private readonly variables: VariableAddresses;
  private run = -1;
  private callsOfRun: number[] = [];
  private decisionsOfRun: Set<ExprRef>[] = [];
  private askedOfRun: AskedGoal[] = [];
  private metOfRun = new Set<number>();

  constructor(
    private readonly image: ProgramImage,
    readonly conditions: readonly CallCondition[],
  ) {
    this.variables = namesIn(image).addresses;
    this.states = conditions.map(() => ({ calls: 0, otherShape: 0, excluded: 0, excludedBy: [], met: 0 }));
    const byFunction = new Map<number, number[]>();
    conditions.forEach((condition, n) => {
      const list = byFunction.get(condition.function) ?? [];
      byFunction.set(condition.function, [...list, n]);
    });
    this.hooks = [...byFunction].map(([index, numbers]) => ({
      function: index,
      hook: (call) => {
        if (call.run !== this.run) this.beginRun(call.run);
        for (const n of numbers) this.ask(call, n);
        return null;
      },
    }));
  }

  /** What is counted by run begins anew. */
  private beginRun(run: number): void {
    this.run = run;
    this.callsOfRun = this.conditions.map(() => 0);
    this.decisionsOfRun = this.conditions.map(() => new Set());
    this.askedOfRun = [];
    this.metOfRun = new Set();
  }

  /** What the last run asked for, in order; only if that run came to a call at all. */
  get asked(): readonly AskedGoal[] {
    return this.askedOfRun;
  }

  /** Conditions that held at a call in the last run; only if that run came to a call at all. */
  get met(): ReadonlySet<number> {
    return this.metOfRun;
  }

  /** The condition that a decision was made for; null if it is none of ours. */
  goalAt(site: SiteId): number | null {
    const number = divisionOf(this.image, site);
    return number !== null && number < this.conditions.length ? number : null;
  }

  private ask(call: UnitCall, number: number): void {
    if (this.callsOfRun[number]++ >= MOST_CALLS) return;
    const decisions = this.decisionsOfRun[number];
    if (decisions.size >= MOST_DECISIONS) return;
    const state = this.states[number];
    const bound = bindCondition(call, this.conditions[number], this.variables);
    if (bound.kind === "other-shape") {
      state.otherShape++;
      return;
    }
    const { arena } = call;
    let all: ExprRef = arena.TRUE;
    for (const { condition } of bound.conjuncts) all = arena.binary("and", all, condition);
    state.calls++;
    if (all === arena.FALSE) {
      state.excluded++;
      state.excludedBy = bound.conjuncts.flatMap(({ condition, part }) => (condition === arena.FALSE ? [part] : []));
      return;
    }
    if (decisions.has(all)) return;
    decisions.add(all);
    this.askedOfRun.push({ goal: number, all, conjuncts: bound.conjuncts });
    if (!call.divide(all, number)) return;
    state.met++;
    this.metOfRun.add(number);
  }
}
