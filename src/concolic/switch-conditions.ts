// The conditions of a switch: for each target, "the value is one of the cases that lead there"; for the default, "none of
// the cases". Consecutive cases are one range test, which keeps a switch over letters and digits small. A chain of
// equalities, the alternative, makes the default's condition as long as the switch.
//
// The conditions of a (site, value) are the same on every run, and a run asks only for them, so they are kept.
// Invariant: the conditions exclude each other and one of them holds. Their order is that of Site.successors.

import type { ExprArena } from "../expr/arena.js";
import { type ExprRef, OPS } from "../expr/ops.js";
import type { Site } from "../jit/symbolic-boundary.js";

/** Kept conditions, over all sites, before all are dropped: a bound on memory, not met by ordinary programs. */
const MAX_KEPT = 50_000;

interface Run {
  /** Index into Site.successors; 0 is the default. */
  readonly target: number;
  readonly low: bigint;
  readonly high: bigint;
}

interface Plan {
  readonly width: number;
  readonly targets: number;
  /** Disjoint and ascending; of the merged ones, neighbours do not touch. */
  readonly runs: readonly Run[];
  readonly merged: readonly Run[];
  /** The same runs for searching: first and last values in halves, and targets. */
  readonly bounds: Uint32Array;
  readonly kept: Map<ExprRef, Conditions>;
  /** Of every kept condition: index into Site.successors. */
  readonly leadsTo: Map<ExprRef, number>;
}

interface Conditions {
  readonly all: readonly ExprRef[];
  /** By target taken: the rest. */
  readonly others: (readonly ExprRef[] | undefined)[];
}

export class SwitchConditions {
  /** The answer of the last `decide`. */
  taken: ExprRef = 0 as ExprRef;
  others: readonly ExprRef[] = [];

  private readonly arena: ExprArena;
  private readonly sites: readonly Site[];
  private readonly plans: (Plan | undefined)[] = [];
  private keptCount = 0;
  private generation: number;

  constructor(arena: ExprArena, sites: readonly Site[]) {
    this.arena = arena;
    this.sites = sites;
    this.generation = arena.generation;
  }

  /** Before a run. */
  begin(): void {
    if (this.generation === this.arena.generation) return;
    this.generation = this.arena.generation;
    this.forget();
  }

  /** Sets `taken` and `others` for a value that on this run is (low, high). Returns the index taken in Site.successors. */
  decide(site: number, value: ExprRef, low: number, high: number): number {
    const plan = this.plans[site] ?? this.makePlan(site);
    const conditions = plan.kept.get(value) ?? this.makeConditions(plan, value);
    const target = targetOf(plan, low, plan.width <= 32 ? 0 : high >>> 0);
    this.taken = conditions.all[target];
    this.others = conditions.others[target] ?? othersOf(conditions, target);
    return target;
  }

  /** Where a condition of a switch leads: index into Site.successors; -1 if it is not known (any more). */
  targetOf(site: number, condition: ExprRef): number {
    return this.plans[site]?.leadsTo.get(condition) ?? -1;
  }

  private forget(): void {
    for (const plan of this.plans) {
      plan?.kept.clear();
      plan?.leadsTo.clear();
    }
    this.keptCount = 0;
  }

  private makePlan(site: number): Plan {
    const { cases, width } = this.sites[site];
    const mask = (1n << BigInt(width)) - 1n;
    const singles: Run[] = [];
    for (const [index, values] of cases.entries()) {
      for (const [low, high] of values) {
        const value = ((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)) & mask;
        singles.push({ target: index + 1, low: value, high: value });
      }
    }
    singles.sort((a, b) => (a.low < b.low ? -1 : a.low > b.low ? 1 : 0));
    const runs = joined(singles, (a, b) => a.target === b.target);
    const bounds = new Uint32Array(runs.length * 5);
    for (const [i, run] of runs.entries()) {
      bounds[i * 5] = Number(run.low & 0xffff_ffffn);
      bounds[i * 5 + 1] = Number(run.low >> 32n);
      bounds[i * 5 + 2] = Number(run.high & 0xffff_ffffn);
      bounds[i * 5 + 3] = Number(run.high >> 32n);
      bounds[i * 5 + 4] = run.target;
    }
    const merged = joined(runs, () => true);
    const plan: Plan = { width, targets: cases.length + 1, runs, merged, bounds, kept: new Map(), leadsTo: new Map() };
    while (this.plans.length < site) this.plans.push(undefined);
    this.plans[site] = plan;
    return plan;
  }

  private makeConditions(plan: Plan, value: ExprRef): Conditions {
    const { arena } = this;
    if (++this.keptCount > MAX_KEPT) this.forget();
    const all: ExprRef[] = new Array(plan.targets).fill(arena.FALSE);
    for (const run of plan.runs) {
      all[run.target] = arena.binary(OPS.or.code, all[run.target], this.within(value, run, plan.width));
    }
    let any: ExprRef = arena.FALSE;
    for (const run of plan.merged) any = arena.binary(OPS.or.code, any, this.within(value, run, plan.width));
    all[0] = arena.not(any);
    const conditions: Conditions = { all, others: [] };
    plan.kept.set(value, conditions);
    all.forEach((condition, target) => {
      plan.leadsTo.set(condition, target);
    });
    return conditions;
  }

  private within(value: ExprRef, run: Run, width: number): ExprRef {
    const { arena } = this;
    const low = arena.constantBig(width, run.low);
    if (run.low === run.high) return arena.binary(OPS.eq.code, value, low);
    const length = arena.constantBig(width, run.high - run.low);
    return arena.binary(OPS.ule.code, arena.binary(OPS.sub.code, value, low), length);
  }
}

/** Joins neighbours whose values follow each other. */
function joined(runs: readonly Run[], may: (a: Run, b: Run) => boolean): Run[] {
  const result: Run[] = [];
  for (const run of runs) {
    const last = result[result.length - 1];
    if (last !== undefined && last.high + 1n === run.low && may(last, run)) {
      result[result.length - 1] = { target: last.target, low: last.low, high: run.high };
    } else result.push(run);
  }
  return result;
}

function othersOf(conditions: Conditions, target: number): readonly ExprRef[] {
  while (conditions.others.length < conditions.all.length) conditions.others.push(undefined);
  const others = conditions.all.filter((_, i) => i !== target);
  conditions.others[target] = others;
  return others;
}

/** Binary search for the last run that begins at or below the value. */
function targetOf(plan: Plan, low: number, high: number): number {
  const { bounds, width } = plan;
  const value = width >= 32 ? low >>> 0 : low & ((1 << width) - 1);
  let from = 0;
  let to = plan.runs.length - 1;
  while (from <= to) {
    const middle = (from + to) >>> 1;
    const at = middle * 5;
    if (bounds[at + 1] < high || (bounds[at + 1] === high && bounds[at] <= value)) from = middle + 1;
    else to = middle - 1;
  }
  if (to < 0) return 0;
  const at = to * 5;
  const inside = high < bounds[at + 3] || (high === bounds[at + 3] && value <= bounds[at + 2]);
  return inside ? bounds[at + 4] : 0;
}
