// Questions that rules ask about constants, at any width. Up to 64 bits they read two halves; BigInt only beyond.

import type { ExprArena } from "./arena.js";
import { type ExprRef, OPS } from "./ops.js";

const ZEXT = OPS.zext.code;

export function isZero(e: ExprArena, x: ExprRef): boolean {
  if (!e.isConstant(x)) return false;
  if (e.width(x) > 64) return e.constantBigValue(x) === 0n;
  return (e.constantLow(x) | e.constantHigh(x)) === 0;
}

export function isOne(e: ExprArena, x: ExprRef): boolean {
  if (!e.isConstant(x)) return false;
  if (e.width(x) > 64) return e.constantBigValue(x) === 1n;
  return e.constantLow(x) === 1 && e.constantHigh(x) === 0;
}

export function isAllOnes(e: ExprArena, x: ExprRef): boolean {
  return e.isConstant(x) && trailingOnes(e, x) === e.width(x);
}

/** The constant's sign bit alone is set: the smallest signed value. */
export function isSignedMinimum(e: ExprArena, x: ExprRef): boolean {
  return e.isConstant(x) && trailingZeros(e, x) === e.width(x) - 1;
}

/** All bits but the sign are set: the largest signed value. */
export function isSignedMaximum(e: ExprArena, x: ExprRef): boolean {
  return e.isConstant(x) && !isNegative(e, x) && trailingOnes(e, x) === e.width(x) - 1;
}

/** Whether the constant's sign bit is set. */
export function isNegative(e: ExprArena, x: ExprRef): boolean {
  return bit(e, x, e.width(x) - 1);
}

export function isOdd(e: ExprArena, x: ExprRef): boolean {
  return bit(e, x, 0);
}

function bit(e: ExprArena, x: ExprRef, position: number): boolean {
  if (position < 32) return ((e.constantLow(x) >>> position) & 1) !== 0;
  if (position < 64) return ((e.constantHigh(x) >>> (position - 32)) & 1) !== 0;
  return ((e.constantBigValue(x) >> BigInt(position)) & 1n) !== 0n;
}

/** Number of low bits of the constant that are 0: its width if it is zero. */
export function trailingZeros(e: ExprArena, x: ExprRef): number {
  const width = e.width(x);
  let count = 0;
  while (count < width && !bit(e, x, count)) count++;
  return count;
}

/** Number of low bits of the constant that are 1. */
export function trailingOnes(e: ExprArena, x: ExprRef): number {
  const width = e.width(x);
  let count = 0;
  while (count < width && bit(e, x, count)) count++;
  return count;
}

/** The k for which the constant is 2^k, or -1. */
export function powerOfTwo(e: ExprArena, x: ExprRef): number {
  const low = trailingZeros(e, x);
  return low < e.width(x) && isOne(e, e.extract(x, low, e.width(x) - low)) ? low : -1;
}

/** Whether the constant's value needs no more than `width` bits, unsigned. */
export function fitsUnsigned(e: ExprArena, x: ExprRef, width: number): boolean {
  const whole = e.width(x);
  return whole <= width || isZero(e, e.extract(x, width, whole - width));
}

/** Whether the constant's value needs no more than `width` bits, signed. */
export function fitsSigned(e: ExprArena, x: ExprRef, width: number): boolean {
  const whole = e.width(x);
  return whole <= width || e.sext(e.extract(x, 0, width), whole) === x;
}

/** The sign bit of any expression: 0 or 1 if known, else -1. */
export function knownSign(e: ExprArena, x: ExprRef): number {
  const width = e.width(x);
  if (width <= 64) return e.facts.signOf(x, width);
  if (e.isConstant(x)) return isNegative(e, x) ? 1 : 0;
  return e.op(x) === ZEXT ? 0 : -1;
}

/** Whether all bits of the expression from `from` upwards are known to be 0. */
export function isHighZero(e: ExprArena, x: ExprRef, from: number): boolean {
  const width = e.width(x);
  if (from >= width) return true;
  if (e.isConstant(x)) return fitsUnsigned(e, x, from);
  if (e.op(x) === ZEXT && e.width(e.a(x)) <= from) return true;
  if (width > 64) return false;
  const low = from >= 32 ? -1 : e.facts.zerosLow(x) | ((1 << from) - 1);
  const high = from < 32 ? e.facts.zerosHigh(x) : e.facts.zerosHigh(x) | ((1 << (from - 32)) - 1);
  return low === -1 && high === -1;
}
