// Questions that rules ask about constants, at any width. Up to 64 bits they are answered from the two halves without making
// an expression, because each new node asks some of them; BigInt only beyond.

import type { ExprArena } from "./arena.js";
import { type ExprRef, OPS } from "./ops.js";

const ZEXT = OPS.zext.code;

/** Whether the expression, of at most 64 bits, is the constant with these halves. */
function isValue(e: ExprArena, x: ExprRef, low: number, high: number): boolean {
  return e.isConstant(x) && e.constantLow(x) === low && e.constantHigh(x) === high;
}

export function isZero(e: ExprArena, x: ExprRef): boolean {
  return e.width(x) <= 64 ? isValue(e, x, 0, 0) : e.isConstant(x) && e.constantBigValue(x) === 0n;
}

export function isOne(e: ExprArena, x: ExprRef): boolean {
  return e.width(x) <= 64 ? isValue(e, x, 1, 0) : e.isConstant(x) && e.constantBigValue(x) === 1n;
}

export function isAllOnes(e: ExprArena, x: ExprRef): boolean {
  return isOnesExcept(e, x, 0);
}

/** All bits but the lowest are set: the largest value but one. */
export function isAllOnesButLowest(e: ExprArena, x: ExprRef): boolean {
  return isOnesExcept(e, x, 1);
}

/** All bits set, those of `except` (at most the low 32) not. */
function isOnesExcept(e: ExprArena, x: ExprRef, except: number): boolean {
  const width = e.width(x);
  if (width > 64) return e.isConstant(x) && e.constantBigValue(x) === (1n << BigInt(width)) - 1n - BigInt(except);
  return isValue(e, x, lowOnes(width) ^ except, highOnes(width));
}

/** The low and the high half of the largest value of a width up to 64. */
function lowOnes(width: number): number {
  return width >= 32 ? -1 : -1 >>> (32 - width);
}

function highOnes(width: number): number {
  return width <= 32 ? 0 : width === 64 ? -1 : -1 >>> (64 - width);
}

/** The smallest signed value plus `offset`, which is 0 or 1. */
export function isSignedMinimum(e: ExprArena, x: ExprRef, offset = 0): boolean {
  const width = e.width(x);
  if (width > 64) return e.isConstant(x) && e.constantBigValue(x) === (1n << BigInt(width - 1)) + BigInt(offset);
  if (width === 1) return offset === 0 && isOne(e, x);
  if (width <= 32) return isValue(e, x, (1 << (width - 1)) | offset, 0);
  return isValue(e, x, offset, 1 << (width - 33));
}

/** The largest signed value minus `offset`, which is 0 or 1. */
export function isSignedMaximum(e: ExprArena, x: ExprRef, offset = 0): boolean {
  const width = e.width(x);
  if (width > 64) return e.isConstant(x) && e.constantBigValue(x) === (1n << BigInt(width - 1)) - 1n - BigInt(offset);
  if (width === 1) return offset === 0 && isZero(e, x);
  return isValue(e, x, lowOnes(width - 1) ^ offset, highOnes(width - 1));
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
  if (width > 64) return trailingBits(e, x, false);
  const low = e.constantLow(x);
  if (low !== 0) return 31 - Math.clz32(low & -low);
  const high = e.constantHigh(x);
  return high !== 0 ? 63 - Math.clz32(high & -high) : width;
}

/** Number of low bits of the constant that are 1. */
export function trailingOnes(e: ExprArena, x: ExprRef): number {
  const width = e.width(x);
  if (width > 64) return trailingBits(e, x, true);
  const low = ~e.constantLow(x);
  if (low !== 0) return 31 - Math.clz32(low & -low);
  const high = ~e.constantHigh(x);
  return high !== 0 ? 63 - Math.clz32(high & -high) : 64;
}

function trailingBits(e: ExprArena, x: ExprRef, set: boolean): number {
  const width = e.width(x);
  let count = 0;
  while (count < width && bit(e, x, count) === set) count++;
  return count;
}

/** The k for which the constant is 2^k, or -1. */
export function powerOfTwo(e: ExprArena, x: ExprRef): number {
  const width = e.width(x);
  const low = trailingZeros(e, x);
  if (low === width) return -1;
  if (width > 64) return e.constantBigValue(x) === 1n << BigInt(low) ? low : -1;
  const isPower = low < 32 ? isValue(e, x, 1 << low, 0) : isValue(e, x, 0, 1 << (low - 32));
  return isPower ? low : -1;
}

/** Whether the constant's value needs no more than `width` bits, unsigned. */
export function fitsUnsigned(e: ExprArena, x: ExprRef, width: number): boolean {
  const whole = e.width(x);
  if (whole <= width) return true;
  if (whole > 64) return e.constantBigValue(x) >> BigInt(width) === 0n;
  if (width < 32) return e.constantHigh(x) === 0 && e.constantLow(x) >>> width === 0;
  return width === 32 ? e.constantHigh(x) === 0 : e.constantHigh(x) >>> (width - 32) === 0;
}

/** Whether the constant's value needs no more than `width` bits, signed. */
export function fitsSigned(e: ExprArena, x: ExprRef, width: number): boolean {
  const whole = e.width(x);
  if (whole <= width) return true;
  if (whole > 64) {
    const value = BigInt.asIntN(whole, e.constantBigValue(x));
    return value === BigInt.asIntN(width, value);
  }
  const low = e.constantLow(x);
  if (whole <= 32) {
    const value = (low << (32 - whole)) >> (32 - whole);
    return value === (low << (32 - width)) >> (32 - width);
  }
  const high = (e.constantHigh(x) << (64 - whole)) >> (64 - whole);
  if (width > 32) return high === (high << (64 - width)) >> (64 - width);
  return low === (low << (32 - width)) >> (32 - width) && high === low >> 31;
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
