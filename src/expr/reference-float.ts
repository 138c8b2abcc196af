// An independent meaning of the floating-point operations, for tests only. Nothing is shared with float-fold.ts: numbers are
// integers of a fixed, tiny unit, results are found exactly, and rounding is a search among all floats for the two between
// which the exact result lies. Slow, and hard to get wrong.

import type { OpName } from "./ops.js";

/** Everything is counted in units of 2^-UNIT, small enough for halves of the smallest number. */
const UNIT = 1100n;

type Format = { readonly fraction: bigint; readonly bias: bigint; readonly infinity: bigint; readonly sign: bigint };
const SINGLE: Format = { fraction: 23n, bias: 127n, infinity: 0x7f80_0000n, sign: 1n << 31n };
const DOUBLE: Format = { fraction: 52n, bias: 1023n, infinity: 0x7ffn << 52n, sign: 1n << 63n };

const formatOf = (width: number): Format => (width === 32 ? SINGLE : DOUBLE);
const nanOf = (f: Format): bigint => f.infinity | (1n << (f.fraction - 1n));
const magnitudeOf = (f: Format, x: bigint): bigint => x & (f.sign - 1n);
const isNegative = (f: Format, x: bigint): boolean => (x & f.sign) !== 0n;
const isNan = (f: Format, x: bigint): boolean => magnitudeOf(f, x) > f.infinity;
const isInfinite = (f: Format, x: bigint): boolean => magnitudeOf(f, x) === f.infinity;

/** In units. An infinity counts as the number that would follow the largest. */
function unitsOf(f: Format, x: bigint): bigint {
  const magnitude = magnitudeOf(f, x);
  const exponent = magnitude >> f.fraction;
  const fraction = magnitude & ((1n << f.fraction) - 1n);
  const whole = exponent === 0n ? fraction : fraction | (1n << f.fraction);
  const units = whole << (UNIT - f.bias - f.fraction + (exponent === 0n ? 1n : exponent));
  return isNegative(f, x) ? -units : units;
}

/** The float nearest to a positive result, told by its order to a number of units: "is the result at least so much". */
function nearest(f: Format, order: (units: bigint) => number): bigint {
  let low = 0n;
  let high = f.infinity;
  if (order(unitsOf(f, high)) >= 0) return f.infinity;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (order(unitsOf(f, middle)) >= 0) low = middle;
    else high = middle;
  }
  const half = order((unitsOf(f, low) + unitsOf(f, high)) / 2n);
  return half < 0 || (half === 0 && (low & 1n) === 0n) ? low : high;
}

const compare = (x: bigint, y: bigint): number => (x < y ? -1 : x > y ? 1 : 0);

/** numerator / denominator units, the denominator positive. */
function fromRatio(f: Format, numerator: bigint, denominator: bigint, zeroIsNegative: boolean): bigint {
  if (numerator === 0n) return zeroIsNegative ? f.sign : 0n;
  const magnitude = numerator < 0n ? -numerator : numerator;
  const bits = nearest(f, (units) => compare(magnitude, units * denominator));
  return numerator < 0n ? bits | f.sign : bits;
}

function add(f: Format, a: bigint, b: bigint): bigint {
  if (isNan(f, a) || isNan(f, b)) return nanOf(f);
  if (isInfinite(f, a)) return isInfinite(f, b) && a !== b ? nanOf(f) : a;
  if (isInfinite(f, b)) return b;
  return fromRatio(f, unitsOf(f, a) + unitsOf(f, b), 1n, isNegative(f, a) && isNegative(f, b));
}

function fma(f: Format, a: bigint, b: bigint, c: bigint): bigint {
  if (isNan(f, a) || isNan(f, b) || isNan(f, c)) return nanOf(f);
  const negative = isNegative(f, a) !== isNegative(f, b);
  if (isInfinite(f, a) || isInfinite(f, b)) {
    if (magnitudeOf(f, a) === 0n || magnitudeOf(f, b) === 0n) return nanOf(f);
    return isInfinite(f, c) && isNegative(f, c) !== negative ? nanOf(f) : f.infinity | (negative ? f.sign : 0n);
  }
  if (isInfinite(f, c)) return c;
  const product = unitsOf(f, a) * unitsOf(f, b);
  return fromRatio(f, product + (unitsOf(f, c) << UNIT), 1n << UNIT, negative && isNegative(f, c));
}

function divide(f: Format, a: bigint, b: bigint): bigint {
  const sign = isNegative(f, a) === isNegative(f, b) ? 0n : f.sign;
  if (isNan(f, a) || isNan(f, b) || (isInfinite(f, a) && isInfinite(f, b))) return nanOf(f);
  if (isInfinite(f, a)) return f.infinity | sign;
  if (isInfinite(f, b)) return sign;
  if (magnitudeOf(f, b) === 0n) return magnitudeOf(f, a) === 0n ? nanOf(f) : f.infinity | sign;
  return fromRatio(f, unitsOf(f, magnitudeOf(f, a)) << UNIT, unitsOf(f, magnitudeOf(f, b)), false) | sign;
}

function squareRoot(f: Format, a: bigint): bigint {
  if (magnitudeOf(f, a) === 0n) return a;
  if (isNan(f, a) || isNegative(f, a)) return nanOf(f);
  if (isInfinite(f, a)) return a;
  const square = unitsOf(f, a) << UNIT;
  return nearest(f, (units) => compare(square, units * units));
}

/** As a whole number of ones, rounded by the mode (FLOAT_ROUNDING). */
function wholeOf(f: Format, a: bigint, mode: number): bigint {
  const units = unitsOf(f, a);
  const down = units >> UNIT;
  const rest = units - (down << UNIT);
  const half = 1n << (UNIT - 1n);
  if (rest === 0n) return down;
  if (mode === 2 || (mode === 1 && units > 0n)) return down;
  if (mode === 3 || mode === 1) return down + 1n;
  if (rest !== half) return rest < half ? down : down + 1n;
  if (mode === 4) return units < 0n ? down : down + 1n;
  return (down & 1n) === 0n ? down : down + 1n;
}

function integral(f: Format, a: bigint, mode: number): bigint {
  if (isNan(f, a)) return nanOf(f);
  if (isInfinite(f, a)) return a;
  return fromRatio(f, wholeOf(f, a, mode) << UNIT, 1n, isNegative(f, a));
}

function toInteger(f: Format, a: bigint, width: number, unsigned: boolean): bigint {
  const smallest = -1n << BigInt(width - 1);
  if (isNan(f, a) || isInfinite(f, a)) return smallest;
  const whole = wholeOf(f, a, 1);
  return whole < smallest || whole >= (unsigned ? 1n << BigInt(width) : -smallest) ? smallest : whole;
}

/** The processor's conversions, from which the others are cut: see jit/emit-cast.ts. */
function toIntegerOfWidth(f: Format, a: bigint, width: number, unsigned: boolean): bigint {
  if (unsigned && width > 32) return toInteger(f, a, 64, true);
  return toInteger(f, a, width < 32 || (width === 32 && !unsigned) ? 32 : 64, false);
}

function compareFloats(op: OpName, f: Format, a: bigint, b: bigint): bigint {
  if (isNan(f, a) || isNan(f, b)) return 0n;
  const order = compare(unitsOf(f, a), unitsOf(f, b));
  return (op === "feq" ? order === 0 : op === "flt" ? order < 0 : order <= 0) ? 1n : 0n;
}

/** A floating-point operation; `from` and `width` are the widths of the first operand and of the result. */
export function referenceFloat(
  op: OpName,
  width: number,
  from: number,
  values: readonly bigint[],
  payload: bigint,
): bigint {
  const [a, b, c] = values;
  const f = formatOf(from);
  switch (op) {
    case "fadd":
      return add(f, a, b);
    case "fsub":
      return add(f, a, isNan(f, b) ? b : b ^ f.sign);
    case "fmul": {
      const sign = isNegative(f, a) === isNegative(f, b) ? 0n : f.sign;
      return fma(f, a, b, sign);
    }
    case "fdiv":
      return divide(f, a, b);
    case "fsqrt":
      return squareRoot(f, a);
    case "ffma":
      return fma(f, a, b, c);
    case "feq":
    case "flt":
    case "fle":
      return compareFloats(op, f, a, b);
    case "fround":
      return integral(f, a, Number(payload));
    case "fcvt": {
      const to = formatOf(width);
      if (isNan(f, a)) return nanOf(to);
      if (isInfinite(f, a)) return isNegative(f, a) ? to.infinity | to.sign : to.infinity;
      return fromRatio(to, unitsOf(f, a), 1n, isNegative(f, a));
    }
    case "ftosi":
    case "ftoui":
      return BigInt.asUintN(width, toIntegerOfWidth(f, a, width, op === "ftoui"));
    case "sitof":
      return fromRatio(formatOf(width), BigInt.asIntN(from, a) << UNIT, 1n, false);
    case "uitof":
      return fromRatio(formatOf(width), a << UNIT, 1n, false);
    default:
      throw new Error(`${op} is not about floating-point numbers`);
  }
}
