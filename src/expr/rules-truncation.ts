// Comparisons of an integer that was cut from a floating-point number with a constant: (int)x == 42, (int)x < 10, or the check
// of an index. Where the number fits, the integer grows with it, so the numbers for which a comparison holds lie between two
// numbers, which are found by halving; where it does not fit the integer is the smallest one (jit/emit-cast.ts), and all of
// these numbers belong to it. What is left are comparisons of x, and rules-monotone.ts may go on from there.

import type { ExprArena } from "./arena.js";
import { foldFloat } from "./float-fold.js";
import { type ExprRef, OPS, type OpName } from "./ops.js";
import type { Rule } from "./rule.js";
import { NO_MATCH } from "./rule.js";
import { bitsOfPlace, firstPlace } from "./rules-monotone.js";
import { Word64 } from "./word64.js";

const FTOSI = OPS.ftosi.code;
const word = new Word64();

function halfOf(bits: bigint): number {
  return Number(BigInt.asIntN(32, bits));
}

/** The place of 2^exponent among the floats of that width. */
function placeOfPower(width: number, exponent: number): bigint {
  return width === 32 ? BigInt(127 + exponent) << 23n : BigInt(1023 + exponent) << 52n;
}

/** That the integer fits and lies from `least` to `most`. */
function between(e: ExprArena, cut: ExprRef, least: bigint, most: bigint): ExprRef {
  const x = e.a(cut);
  const from = e.width(x);
  const width = e.width(cut);
  const end = placeOfPower(from, width - 1);
  const domain = { first: 1n - end, last: end - 1n };
  const integer = (place: bigint): bigint => {
    const bits = bitsOfPlace(from, place);
    foldFloat(word, FTOSI, width, from, 0, halfOf(bits), halfOf(bits >> 32n), 0, 0, 0, 0);
    return width === 32 ? BigInt(word.lo) : (BigInt(word.hi) << 32n) | BigInt(word.lo >>> 0);
  };
  const first = firstPlace(domain, (place) => integer(place) >= least);
  const last = firstPlace(domain, (place) => integer(place) > most) - 1n;
  if (first > last) return e.FALSE;
  const constant = (place: bigint): ExprRef => e.constantBig(from, bitsOfPlace(from, place));
  return e.binary("and", e.binary("fle", constant(first), x), e.binary("fle", x, constant(last)));
}

/** cut < limit, signed. The smallest integer, which is what does not fit, is below every other. */
function below(e: ExprArena, cut: ExprRef, limit: bigint): ExprRef {
  const end = 1n << BigInt(e.width(cut) - 1);
  return limit <= -end ? e.FALSE : e.not(between(e, cut, limit, end - 1n));
}

/** cut < limit without signs, where what does not fit is the middle, and negative integers are above it. */
function belowUnsigned(e: ExprArena, cut: ExprRef, limit: bigint): ExprRef {
  const end = 1n << BigInt(e.width(cut) - 1);
  if (limit <= end) return between(e, cut, 0n, limit - 1n);
  return e.not(between(e, cut, limit - 2n * end, -1n));
}

type Comparison = "eq" | "slt" | "sle" | "ult" | "ule";

function compared(e: ExprArena, name: Comparison, cut: ExprRef, c: ExprRef, isLeft: boolean): ExprRef {
  const width = e.width(cut);
  const value = e.constantBigValue(c);
  const signed = BigInt.asIntN(width, value);
  const end = 1n << BigInt(width - 1);
  switch (name) {
    case "eq":
      return signed === -end ? e.not(between(e, cut, -end, end - 1n)) : between(e, cut, signed, signed);
    case "slt":
      return isLeft ? below(e, cut, signed) : e.not(below(e, cut, signed + 1n));
    case "sle":
      return isLeft ? below(e, cut, signed + 1n) : e.not(below(e, cut, signed));
    case "ult":
      return isLeft ? belowUnsigned(e, cut, value) : e.not(belowUnsigned(e, cut, value + 1n));
    default:
      return isLeft ? belowUnsigned(e, cut, value + 1n) : e.not(belowUnsigned(e, cut, value));
  }
}

export const TRUNCATION_RULES: readonly Rule[] = [
  /** match: (op (ftosi x) c)   result: x lies between two numbers, or does not */
  ...(["eq", "slt", "sle", "ult", "ule"] as const).map(
    (name): Rule => ({
      name: `${name}-cut`,
      op: [name],
      left: ["ftosi"],
      right: "constant",
      apply: (e, a, b) => compared(e, name, a, b, true),
    }),
  ),
  /** match: (op c (ftosi x))   result: the same */
  ...(["slt", "sle", "ult", "ule"] as const satisfies readonly OpName[]).map(
    (name): Rule => ({
      name: `${name}-to-cut`,
      op: [name],
      left: ["constant"],
      apply: (e, a, b) => (e.op(b) === FTOSI ? compared(e, name, b, a, false) : NO_MATCH),
    }),
  ),
];
