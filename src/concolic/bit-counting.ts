// Operations that look at single bits (counting, reversing, rotating) as expressions. Each has many nodes whatever one
// does, so the aim is few bits of adders and multiplexers in the end: counting zeros is a binary search whose steps
// halve in width, counting ones adds neighbouring fields, reversing is only wiring.

import type { ExprArena } from "../expr/arena.js";
import { type ExprRef, OPS } from "../expr/ops.js";

const ADD = OPS.add.code;
const AND = OPS.and.code;
const OR = OPS.or.code;
const EQ = OPS.eq.code;
const SHL = OPS.shl.code;
const LSHR = OPS.lshr.code;

/** The number of ones: fields of 1, 2, 4 ... bits hold the counts of what they cover. */
export function popcount(arena: ExprArena, a: ExprRef, width: number): ExprRef {
  const word = nextPowerOfTwo(width);
  let x = arena.zext(a, word);
  for (let field = 1; field < word; field *= 2) {
    const mask = fieldMask(arena, word, field);
    const high = arena.binary(LSHR, x, number(arena, word, field));
    x = arena.binary(ADD, arena.binary(AND, x, mask), arena.binary(AND, high, mask));
  }
  return arena.extract(x, 0, width);
}

/** Zeros above the highest one; the width if there is none. */
export function leadingZeros(arena: ExprArena, a: ExprRef, width: number): ExprRef {
  const word = nextPowerOfTwo(width);
  // Ones below a value of odd width stop the search there.
  let x = word === width ? a : arena.concat(a, arena.allOnes(word - width));
  let count: ExprRef | null = null;
  for (let half = word / 2; half >= 1; half /= 2) {
    const top = arena.extract(x, half, half);
    const empty = arena.binary(EQ, top, arena.zero(half));
    x = arena.ite(empty, arena.extract(x, 0, half), top);
    count = count === null ? empty : arena.concat(count, empty);
  }
  return countedZeros(arena, count, x, width);
}

/** Zeros below the lowest one; the width if there is none. */
export function trailingZeros(arena: ExprArena, a: ExprRef, width: number): ExprRef {
  const word = nextPowerOfTwo(width);
  let x = word === width ? a : arena.concat(arena.allOnes(word - width), a);
  let count: ExprRef | null = null;
  for (let half = word / 2; half >= 1; half /= 2) {
    const bottom = arena.extract(x, 0, half);
    const empty = arena.binary(EQ, bottom, arena.zero(half));
    x = arena.ite(empty, arena.extract(x, half, half), bottom);
    count = count === null ? empty : arena.concat(count, empty);
  }
  return countedZeros(arena, count, x, width);
}

/** `count` says which bit the search ended at, `bit` is that bit: if it is 0 too, there is one zero more. */
function countedZeros(arena: ExprArena, count: ExprRef | null, bit: ExprRef, width: number): ExprRef {
  const last = arena.zext(arena.not(bit), width);
  return count === null ? last : arena.binary(ADD, arena.zext(count, width), last);
}

/** LLVM defines it for multiples of 16 bits; an odd byte stays what it is. */
export function byteSwap(arena: ExprArena, a: ExprRef, width: number): ExprRef {
  return reversed(arena, a, width, 8);
}

export function bitReverse(arena: ExprArena, a: ExprRef, width: number): ExprRef {
  return reversed(arena, a, width, 1);
}

function reversed(arena: ExprArena, a: ExprRef, width: number, unit: number): ExprRef {
  if (width <= unit) return a;
  let result = arena.extract(a, 0, unit);
  for (let at = unit; at + unit <= width; at += unit) result = arena.concat(result, arena.extract(a, at, unit));
  return result;
}

/** By an amount of the same width, modulo the width. */
export function rotate(arena: ExprArena, a: ExprRef, amount: ExprRef, width: number, left: boolean): ExprRef {
  if (width === 1) return a;
  const n = remainder(arena, amount, width);
  if (arena.isConstant(n)) {
    const by = arena.constantNumber(n);
    const low = left ? width - by : by;
    if (by === 0) return a;
    return arena.concat(arena.extract(a, 0, low), arena.extract(a, low, width - low));
  }
  // A shift by the whole width gives 0, so that n = 0 needs no case of its own.
  const rest = arena.binary(OPS.sub.code, number(arena, width, width), n);
  const [up, down] = left ? [n, rest] : [rest, n];
  return arena.binary(OR, arena.binary(SHL, a, up), arena.binary(LSHR, a, down));
}

function remainder(arena: ExprArena, amount: ExprRef, width: number): ExprRef {
  if ((width & (width - 1)) === 0) return arena.binary(AND, amount, number(arena, width, width - 1));
  return arena.binary(OPS.urem.code, amount, number(arena, width, width));
}

function number(arena: ExprArena, width: number, value: number): ExprRef {
  return width <= 64 ? arena.constant(width, value, 0) : arena.constantBig(width, BigInt(value));
}

/** The lower of every two fields: 0x5555..., 0x3333..., 0x0f0f... */
function fieldMask(arena: ExprArena, width: number, field: number): ExprRef {
  let mask = (1n << BigInt(field)) - 1n;
  for (let covered = 2 * field; covered < width; covered *= 2) mask |= mask << BigInt(covered);
  return arena.constantBig(width, mask);
}

function nextPowerOfTwo(width: number): number {
  let result = 1;
  while (result < width) result *= 2;
  return result;
}
