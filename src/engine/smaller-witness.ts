// A witness with only the changes that its path needs: every byte that the path's conditions allow to be as in the seed is as in
// the seed, or 0 where there is none. The conditions are at hand when a path has just failed, and evaluating them costs
// microseconds where running the program again for every byte would cost runs (solver/minimize-model.ts).
//
// The result satisfies the path's conditions, which is not yet the same failure: whoever takes it runs it, and keeps the first input if
// it does otherwise.

import type { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import { minimizeModel } from "../solver/minimize-model.js";
import type { Model } from "../solver/solver.js";

/** Longer paths are left alone: looking up which condition mentions which byte would take longer than a run. */
const MOST_CONDITIONS = 100_000;
/** Conditions over a whole file (a checksum) are slow to evaluate; what is small by then is small enough. */
const TIME_MS = 250;
/** Of many seeds the nearest of the first is taken. */
const SEEDS_COMPARED = 64;

export class SmallerWitness {
  private readonly evaluator: Evaluator;

  constructor(
    private readonly arena: ExprArena,
    private readonly now: () => number,
  ) {
    this.evaluator = new Evaluator(arena);
  }

  isTrue(condition: ExprRef, input: Model): boolean {
    this.evaluator.load(input);
    return this.evaluator.holds(condition);
  }

  /** The input itself if nothing can be given back. */
  of(input: Model, conditions: readonly ExprRef[], seeds: readonly Model[]): Model {
    if (conditions.length > MOST_CONDITIONS) return input;
    this.evaluator.load(input);
    if (!conditions.every((condition) => this.evaluator.holds(condition))) return input;
    const endMs = this.now() + TIME_MS;
    const towards = nearest(input, seeds);
    const smaller = minimizeModel(this.arena, this.evaluator, conditions, input, towards, () => this.now() > endMs);
    return difference(smaller, input) === 0 ? input : smaller;
  }
}

function nearest(input: Model, seeds: readonly Model[]): Model {
  let best: Model = new Uint8Array(0);
  let least = Number.POSITIVE_INFINITY;
  for (const seed of seeds.slice(0, SEEDS_COMPARED)) {
    const distance = difference(input, seed);
    if (distance >= least) continue;
    best = seed;
    least = distance;
  }
  return best;
}

/** Bytes in which two inputs differ; beyond its end an input is 0. */
function difference(a: Model, b: Model): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  let count = 0;
  for (let at = 0; at < long.length; at++) if (long[at] !== (at < short.length ? short[at] : 0)) count++;
  return count;
}
