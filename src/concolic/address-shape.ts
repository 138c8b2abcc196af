// What an address expression says about where it points: base + x * step, and the range it can have. Arrays of structures
// make multiplications by 12, 24 or 40; indexing the table by x spares the solver the multiplication, and the table all the
// places between. Where there is no such product, the low bits that are always the same give the step.
//
// Only products that cannot wrap around are taken apart: x is known to be small, or comes from an int by extension, so that
// base + x * step lies in the object only if it does so as an ordinary sum.
// Invariant: address = term + base modulo 2^64; if `step` is not a power of two, term = factor * step exactly.

import type { ExprArena } from "../expr/arena.js";
import { CONCRETE, type ExprRef, OPS } from "../expr/ops.js";

const TWO_32 = 0x1_0000_0000;
/** Factors below 2^40 times steps below 2^12 are far from wrapping. */
const MAX_FACTOR = 2 ** 40;
const MAX_FACTOR_BITS = 40;
/** Also the largest distance between candidates that is made use of. */
const MAX_STEP = 4096;

export class AddressShape {
  term: ExprRef = CONCRETE;
  base = 0;
  step = 1;
  /** x, or CONCRETE if the address is no product. */
  factor: ExprRef = CONCRETE;
  /** All addresses lie in [least, most]. */
  least = 0;
  most = 0;

  private readonly arena: ExprArena;

  constructor(arena: ExprArena) {
    this.arena = arena;
  }

  take(address: ExprRef): void {
    const { arena } = this;
    const { facts } = arena;
    this.term = address;
    this.base = 0;
    this.least = facts.minimum(address);
    this.most = facts.maximum(address);
    const op = arena.op(address);
    const sum = op === OPS.add.code || op === OPS.or.code;
    if (sum && arena.isConstant(arena.b(address)) && this.isSum(op, arena.a(address), arena.b(address))) {
      const base = signedValue(arena, arena.b(address));
      if (Number.isFinite(base)) {
        this.term = arena.a(address);
        this.base = base;
        // A disjunction of the two knows less about its range than the sum that it is, if that does not wrap around.
        const least = base + facts.minimum(this.term);
        const most = base + facts.maximum(this.term);
        if (base >= 0 ? most < Number.POSITIVE_INFINITY : least >= 0) {
          this.least = Math.max(this.least, least);
          this.most = Math.min(this.most, most);
        }
      }
    }
    this.factor = CONCRETE;
    if (arena.op(this.term) === OPS.mul.code && this.isSmallProduct()) return;
    this.step = 1 << Math.min(12, knownLowBits(facts.zerosLow(address) | facts.onesLow(address)));
  }

  /** address - value. */
  minus(value: number): ExprRef {
    return plus(this.arena, this.term, this.base - value);
  }

  /** x - value. */
  factorMinus(value: number): ExprRef {
    return plus(this.arena, this.factor, -value);
  }

  private isSum(op: number, a: ExprRef, b: ExprRef): boolean {
    if (op === OPS.add.code) return true;
    const { facts } = this.arena;
    return (facts.zerosLow(a) | facts.zerosLow(b)) === -1 && (facts.zerosHigh(a) | facts.zerosHigh(b)) === -1;
  }

  private isSmallProduct(): boolean {
    const { arena, term } = this;
    const step = arena.b(term);
    if (!arena.isConstant(step)) return false;
    const by = signedValue(arena, step);
    if (by < 2 || by > MAX_STEP) return false;
    const x = arena.a(term);
    const small = arena.facts.maximum(x) < MAX_FACTOR;
    if (!small && !(arena.op(x) === OPS.sext.code && arena.width(arena.a(x)) <= MAX_FACTOR_BITS)) return false;
    this.factor = x;
    this.step = by;
    return true;
  }
}

/** A sum with a whole number of at most 53 bits. */
function plus(arena: ExprArena, e: ExprRef, value: number): ExprRef {
  if (value === 0) return e;
  return arena.binary(OPS.add.code, e, arena.constant(64, value | 0, Math.floor(value / TWO_32) | 0));
}

/** A 64-bit constant as a signed number, Infinity if that is not exact. */
function signedValue(arena: ExprArena, e: ExprRef): number {
  const high = arena.constantHigh(e);
  return Math.abs(high) < 0x10_0000 ? high * TWO_32 + (arena.constantLow(e) >>> 0) : Number.POSITIVE_INFINITY;
}

function knownLowBits(known: number): number {
  return known === -1 ? 32 : 31 - Math.clz32(~known & (known + 1));
}
