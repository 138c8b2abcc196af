// Looks for a model of conditions on floating-point numbers by walking towards one: a word of the input (search-words.ts) is
// moved by powers of two, the large steps first, and a step is kept if the conditions come nearer to holding (distance.ts).
// Where no step helps, values that the query speaks of are tried, then some words are changed at random and the walk goes on
// from the best place so far. Products and quotients of 64 bits are circuits that a SAT solver may not see the end of;
// evaluating them takes a microsecond.
//
// This never proves anything unsatisfiable. A short walk comes first, then the core within few conflicts, then a long walk,
// and the core with all its time last. A walk ends after so many evaluations, so that it is repeatable, or, where these are
// slow, after a share of a query's time.

import type { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import { Random } from "../../support/random.js";
import type { BlastingSolver } from "../blast/blasting-solver.js";
import type { Model, Query, Solver, Verdict } from "../solver.js";
import { Distance } from "./distance.js";
import type { ExpensiveNodes } from "./expensive-nodes.js";
import type { LoadedModel } from "./loaded-model.js";
import { readWord, type SearchWord, wordsOfQuery, writeWord } from "./search-words.js";
import { overlay, SupportUnion, valuesAt } from "./support-union.js";

/** Models evaluated by the short and by the long walk. */
const SHORT_WALK = 1500;
const LONG_WALK = 60_000;
/** Conflicts of the core between them. */
const CONFLICTS = 3000;
/** Words beyond which a walk is not begun. */
const MOST_WORDS = 200;
const MODELS_BETWEEN_LOOKS = 64;
/** Of a query's time, for each walk and for the core between them. */
const SHARE = 0.2;

export class FloatSearchLayer implements Solver {
  /** Queries answered by a walk, and by the core between the two. */
  found = 0;
  between = 0;
  private readonly distance: Distance;
  private readonly support: SupportUnion;

  constructor(
    private readonly arena: ExprArena,
    private readonly loaded: LoadedModel,
    private readonly nodes: ExpensiveNodes,
    private readonly blasting: BlastingSolver,
    /** Of a query. */
    private readonly timeMs: number,
    private readonly next: Solver,
  ) {
    this.distance = new Distance(arena, loaded.evaluator);
    this.support = new SupportUnion(arena);
  }

  solve(query: Query): Verdict {
    if (!query.constraints.some((e) => this.nodes.hasFloat(e))) return this.next.solve(query);
    const words = wordsOfQuery(this.arena, query.constraints);
    if (words.length > MOST_WORDS) return this.next.solve(query);
    const walk = new Walk(query, words, this.loaded, this.distance, this.support.of(query.constraints));
    const { deadlineMs = Number.POSITIVE_INFINITY } = query;
    const shareMs = SHARE * Math.min(this.timeMs, deadlineMs - performance.now());
    const near = walk.search(SHORT_WALK, performance.now() + shareMs);
    if (near !== null) return this.answer(near);
    const verdict = this.blasting.attempt({ ...query, deadlineMs: performance.now() + shareMs }, CONFLICTS);
    if (verdict.kind !== "unknown") {
      this.between++;
      return verdict;
    }
    const far = walk.search(LONG_WALK, performance.now() + shareMs);
    return far !== null ? this.answer(far) : this.next.solve(query);
  }

  private answer(model: Model): Verdict {
    this.found++;
    return { kind: "sat", model };
  }
}

class Walk {
  private readonly random = new Random(1);
  private readonly constraints: readonly ExprRef[];
  private readonly hint: Model;
  /** Where the walk is, with the distance of each condition and their sum. */
  private readonly model: Model;
  private distances: number[] = [];
  private total = Number.POSITIVE_INFINITY;
  private best: Model;
  private bestTotal = Number.POSITIVE_INFINITY;
  private left = 0;
  private deadlineMs = 0;

  constructor(
    query: Query,
    private readonly words: readonly SearchWord[],
    private readonly loaded: LoadedModel,
    private readonly distance: Distance,
    private readonly support: Int32Array,
  ) {
    this.constraints = query.constraints;
    this.hint = query.hint;
    this.model = overlay(query.hint, support, valuesAt(query.hint, support));
    this.best = this.model.slice();
  }

  /** A model, or null after so many evaluations, or at that time. */
  search(evaluations: number, deadlineMs: number): Model | null {
    this.left = evaluations;
    this.deadlineMs = deadlineMs;
    this.measureAll();
    while (this.total > 0 && this.left > 0) {
      if (this.sweep()) continue;
      if (this.tryCandidates()) continue;
      if (this.total <= this.bestTotal) {
        this.best = this.model.slice();
        this.bestTotal = this.total;
      }
      this.jump();
    }
    return this.total > 0 ? null : overlay(this.hint, this.support, valuesAt(this.model, this.support));
  }

  private measureAll(): void {
    this.loaded.load(this.model);
    this.distances = this.constraints.map((e) => this.distance.of(e));
    this.total = this.distances.reduce((sum, one) => sum + one, 0);
    this.left--;
  }

  /** Moves the word there if that is nearer. */
  private step(word: SearchWord, value: bigint): boolean {
    const before = readWord(word, this.model);
    writeWord(word, this.model, value);
    this.loaded.load(this.model);
    this.left--;
    if (this.left % MODELS_BETWEEN_LOOKS === 0 && performance.now() > this.deadlineMs) this.left = 0;
    let total = this.total;
    for (const i of word.conditions) total -= this.distances[i];
    const measured: number[] = [];
    for (const i of word.conditions) {
      const one = this.distance.of(this.constraints[i]);
      measured.push(one);
      total += one;
      if (total >= this.total) {
        writeWord(word, this.model, before);
        return false;
      }
    }
    for (const [k, i] of word.conditions.entries()) this.distances[i] = measured[k];
    // Anew, since what was subtracted may leave a trace.
    this.total = this.distances.reduce((sum, one) => sum + one, 0);
    return true;
  }

  /** Every word that matters, by every power of two, in both directions. */
  private sweep(): boolean {
    let moved = false;
    for (const word of this.words) {
      if (!word.conditions.some((i) => this.distances[i] > 0)) continue;
      for (let bit = word.width - 1; bit >= 0 && this.left > 0 && this.total > 0; bit--) {
        const size = 1n << BigInt(bit);
        const here = readWord(word, this.model);
        if (this.step(word, here + size) || this.step(word, here - size)) moved = true;
      }
      if (this.total === 0 || this.left <= 0) break;
    }
    return moved;
  }

  private tryCandidates(): boolean {
    let moved = false;
    for (const word of this.words) {
      if (!word.conditions.some((i) => this.distances[i] > 0)) continue;
      for (const value of word.candidates) {
        if (this.left <= 0 || this.total === 0) return moved;
        if (this.step(word, value)) moved = true;
      }
    }
    return moved;
  }

  /** From the best place, or the last, somewhere else: words that matter get another value, whatever comes of it. */
  private jump(): void {
    const { random, model } = this;
    if (random.next() % 3 === 0) model.set(this.best);
    const wrong = this.words.filter((word) => word.conditions.some((i) => this.distances[i] > 0));
    const many = 1 + (random.next() % Math.min(3, wrong.length));
    for (let n = 0; n < many; n++) {
      const word = wrong[random.next() % wrong.length];
      writeWord(word, model, this.randomValue(word, model));
    }
    this.measureAll();
  }

  private randomValue(word: SearchWord, model: Model): bigint {
    const { random } = this;
    const bits = (BigInt(random.next()) << 32n) | BigInt(random.next());
    switch (random.next() % 4) {
      case 0:
        if (word.candidates.length > 0) return word.candidates[random.next() % word.candidates.length];
        return BigInt.asUintN(word.width, bits);
      case 1:
        return readWord(word, model) + BigInt.asIntN(1 + (random.next() % word.width), bits);
      case 2:
        return word.isFloat ? -readWord(word, model) : BigInt.asUintN(word.width, bits);
      default:
        return word.isFloat ? BigInt.asIntN(word.width, bits) : BigInt.asUintN(word.width, bits);
    }
  }
}
