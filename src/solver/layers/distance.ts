// How far a condition is from holding under the loaded model: 0 where it holds, else the larger the further. A comparison is
// as far as its sides are apart: integers by their difference, floating-point numbers by how many others lie between them
// (units in the last place), which is the difference of their bits read as sign and magnitude. All of it as logarithms, so
// that a step which halves a distance counts the same wherever it is made. "And" adds, "or" takes the nearer side.

import type { ExprArena } from "../../expr/arena.js";
import type { Evaluator } from "../../expr/evaluate.js";
import { type ExprRef, givesFloat, OPS } from "../../expr/ops.js";

/** Further than any comparison can be: what is no number is compared, or a constant is wrong. */
const FAR = 100;
/** Conditions inside of one condition that are looked at; beyond that only truth counts. */
const MOST_PARTS = 64;
const TWO_32 = 4294967296;

export class Distance {
  private parts = 0;

  constructor(
    private readonly arena: ExprArena,
    private readonly evaluator: Evaluator,
  ) {}

  /** Of a condition (width 1). */
  of(e: ExprRef): number {
    this.parts = MOST_PARTS;
    return this.wanted(e, true);
  }

  private wanted(e: ExprRef, truth: boolean): number {
    const { arena } = this;
    if (this.evaluator.holds(e) === truth) return 0;
    if (--this.parts < 0) return 1;
    const a = arena.a(e);
    const b = arena.b(e);
    switch (arena.op(e)) {
      case OPS.constant.code:
        return FAR;
      case OPS.not.code:
        return this.wanted(a, !truth);
      case OPS.and.code:
      case OPS.or.code: {
        const both = (arena.op(e) === OPS.and.code) === truth;
        const first = this.wanted(a, truth);
        const second = this.wanted(b, truth);
        return both ? first + second : Math.min(first, second);
      }
      case OPS.xor.code:
        return Math.min(this.turned(a), this.turned(b));
      case OPS.ite.code: {
        const then = this.wanted(a, true) + this.wanted(b, truth);
        return Math.min(then, this.wanted(a, false) + this.wanted(arena.c(e), truth));
      }
      case OPS.eq.code:
        if (arena.width(a) === 1) return Math.min(this.turned(a), this.turned(b));
        return truth ? this.between(a, b) : 1;
      // False comparisons of integers are apart by their difference, or touch.
      case OPS.ult.code:
      case OPS.ule.code:
        return arena.width(a) > 64 ? 1 : logarithm(this.difference(a, b) + 1);
      case OPS.slt.code:
      case OPS.sle.code:
        return arena.width(a) > 64 ? 1 : logarithm(this.signedDifference(a, b) + 1);
      case OPS.feq.code:
        if (!truth) return 1;
        return this.ofNumbers(a, b);
      case OPS.flt.code:
      case OPS.fle.code:
        // Not to be smaller is also true of what is no number, but that is a long way to go.
        return this.ofNumbers(a, b);
      case OPS.extract.code:
        return this.ofBit(a, arena.payload(e));
      default:
        return 1;
    }
  }

  /** Of a truth value becoming what it is not. */
  private turned(e: ExprRef): number {
    return this.wanted(e, !this.evaluator.holds(e));
  }

  /** Of two words becoming equal. */
  private between(a: ExprRef, b: ExprRef): number {
    const { arena } = this;
    if (arena.width(a) > 64) return 1;
    if (!givesFloat(arena.op(a))) return logarithm(this.difference(a, b));
    if (this.isNan(a) !== this.isNan(b)) return FAR;
    // No number lies between the two zeros, but their bits differ: what is asked for does not hold yet.
    return logarithm(Math.max(1, this.floatDifference(a, b)));
  }

  private ofNumbers(a: ExprRef, b: ExprRef): number {
    if (this.isNan(a) || this.isNan(b)) return FAR;
    return logarithm(this.floatDifference(a, b) + 1);
  }

  /** Of a sign: how far it is to zero. Other bits are set or not. */
  private ofBit(word: ExprRef, bit: number): number {
    const { arena, evaluator } = this;
    const width = arena.width(word);
    if (bit !== width - 1 || width > 64) return 1;
    const [lo, hi] = [evaluator.low(word), width > 32 ? evaluator.high(word) : 0];
    const magnitude =
      width > 32 ? (hi & ((1 << (width - 33)) - 1)) * TWO_32 + (lo >>> 0) : (lo >>> 0) % 2 ** (width - 1);
    return logarithm(1 + Math.abs(magnitude));
  }

  private isNan(e: ExprRef): boolean {
    const { evaluator } = this;
    if (this.arena.width(e) === 32) return (evaluator.low(e) & 0x7fff_ffff) > 0x7f80_0000;
    const high = evaluator.high(e) & 0x7fff_ffff;
    return high > 0x7ff0_0000 || (high === 0x7ff0_0000 && evaluator.low(e) !== 0);
  }

  /** Of words without a sign, whose halves are subtracted first: small differences of large numbers stay exact. */
  private difference(a: ExprRef, b: ExprRef): number {
    const { evaluator } = this;
    const low = (evaluator.low(a) >>> 0) - (evaluator.low(b) >>> 0);
    if (this.arena.width(a) <= 32) return Math.abs(low);
    return Math.abs(((evaluator.high(a) >>> 0) - (evaluator.high(b) >>> 0)) * TWO_32 + low);
  }

  /** Of words with a sign: -1 is next to 0. */
  private signedDifference(a: ExprRef, b: ExprRef): number {
    const { evaluator } = this;
    const width = this.arena.width(a);
    if (width <= 32) {
      const unused = 32 - width;
      return Math.abs(((evaluator.low(a) << unused) >> unused) - ((evaluator.low(b) << unused) >> unused));
    }
    const unused = 64 - width;
    const high = ((evaluator.high(a) << unused) >> unused) - ((evaluator.high(b) << unused) >> unused);
    return Math.abs(high * TWO_32 + (evaluator.low(a) >>> 0) - (evaluator.low(b) >>> 0));
  }

  private floatDifference(a: ExprRef, b: ExprRef): number {
    const { evaluator } = this;
    const isWide = this.arena.width(a) > 32;
    const [x, y] = isWide ? [evaluator.high(a), evaluator.high(b)] : [evaluator.low(a), evaluator.low(b)];
    const sign = x < 0 === y < 0 ? -1 : 1;
    const top = (x & 0x7fff_ffff) + sign * (y & 0x7fff_ffff);
    if (!isWide) return Math.abs(top);
    return Math.abs(top * TWO_32 + (evaluator.low(a) >>> 0) + sign * (evaluator.low(b) >>> 0));
  }
}

function logarithm(distance: number): number {
  return Math.log2(1 + distance);
}
