// Comparisons of sums and differences that cannot overflow, which is what C's promotion of char to int makes of nearly
// all of them: a constant moves to the other side, and the sign of a difference is a comparison. In general x + c < d is a
// range test and stays one.

import type { ExprArena } from "./arena.js";
import { fitsSigned, isAllOnes, isOne, isZero } from "./constants.js";
import { type ExprRef, OPS } from "./ops.js";
import { NO_MATCH, type Rule } from "./rule.js";

const ADD = OPS.add.code;
const SUB = OPS.sub.code;
const ULT = OPS.ult.code;
const ULE = OPS.ule.code;
const SLT = OPS.slt.code;
const SLE = OPS.sle.code;
const ZEXT = OPS.zext.code;
const SEXT = OPS.sext.code;

/** Whether the expression, taken as signed, is so far from the ends of its range that a sum of two such is exact. */
function isSmall(e: ExprArena, x: ExprRef): boolean {
  const width = e.width(x);
  if (e.op(x) === ZEXT) return e.width(e.a(x)) <= width - 2;
  if (e.op(x) === SEXT) return e.width(e.a(x)) <= width - 1;
  return e.isConstant(x) && fitsSigned(e, x, width - 1);
}

/** x - y as a signed number. */
function isExactDifference(e: ExprArena, x: ExprRef): boolean {
  return e.op(x) === SUB && isSmall(e, e.a(x)) && isSmall(e, e.b(x));
}

/** x + c as a signed number, c a constant. */
function isExactSum(e: ExprArena, x: ExprRef): boolean {
  return e.op(x) === ADD && e.isConstant(e.b(x)) && isSmall(e, e.a(x)) && isSmall(e, e.b(x));
}

/** Whether x + c, c a constant, never passes the largest unsigned value. */
function isNaturalSum(e: ExprArena, x: ExprRef): boolean {
  const width = e.width(x);
  if (e.op(x) !== ADD || width > 64 || !e.isConstant(e.b(x))) return false;
  const most = e.facts.maximum(e.a(x)) + e.facts.maximum(e.b(x));
  return most < 2 ** Math.min(width, 53);
}

/**
 * (ult (add (zext x) c) d) or with a sext, as a question about x alone: the values of the sum that satisfy it are an
 * interval on the circle of all values, and so are the values of the extension; x must be where the two meet.
 */
function rangeTestOfExtended(e: ExprArena, sum: ExprRef, limit: ExprRef): ExprRef {
  const extended = e.a(sum);
  const isSigned = e.op(extended) === SEXT;
  if (!e.isConstant(e.b(sum)) || (!isSigned && e.op(extended) !== ZEXT) || isZero(e, limit)) return NO_MATCH;
  const x = e.a(extended);
  const width = e.width(x);
  if (width > 32) return NO_MATCH;
  const room = 2 ** width;
  // Moved by half the range of x, the values of a sign extension are 0 to room - 1 as well.
  const half = isSigned ? e.constantBig(e.width(sum), BigInt(room / 2)) : e.zero(e.width(sum));
  const first = e.binary(SUB, half, e.b(sum));
  const last = e.binary(ADD, first, limit);
  const start = e.constantNumber(first);
  const end = e.constantNumber(last);
  if (e.binary(ULT, first, last) === e.TRUE) {
    if (start >= room) return e.FALSE;
    return between(e, x, start, Math.min(end, room), isSigned);
  }
  // The interval passes the largest value: it is [start, largest] and [0, end).
  if (start >= room) return between(e, x, 0, Math.min(end, room), isSigned);
  return e.not(between(e, x, end, start, isSigned));
}

/** start <= x < end, where x is taken as 0 to 2^width - 1, moved by half of that if signed. */
function between(e: ExprArena, x: ExprRef, start: number, end: number, isSigned: boolean): ExprRef {
  const width = e.width(x);
  const room = 2 ** width;
  if (start >= end) return e.FALSE;
  const at = (value: number) => e.constantBig(width, BigInt(isSigned ? value - room / 2 : value));
  if (end === room) return start === 0 ? e.TRUE : e.binary(isSigned ? SLE : ULE, at(start), x);
  if (start === 0) return e.binary(isSigned ? SLT : ULT, x, at(end));
  return e.binary(ULT, e.binary(SUB, x, at(start)), e.constantBig(width, BigInt(end - start)));
}

export const RANGE_RULES: readonly Rule[] = [
  /** match: (ult (add (zext x) c) d), sext likewise   result: a comparison of x */
  {
    name: "range-test-of-extended",
    op: ["ult"],
    left: ["add"],
    right: "constant",
    apply: (e, a, b) => rangeTestOfExtended(e, a, b),
  },
  /** match: (ult d (add (zext x) c)), sext likewise   result: a comparison of x */
  {
    name: "negated-range-test-of-extended",
    op: ["ult"],
    left: ["constant"],
    apply: (e, a, b) => {
      if (e.op(b) !== ADD || isAllOnes(e, a)) return NO_MATCH;
      const test = rangeTestOfExtended(e, b, e.binary(ADD, a, e.one(e.width(a))));
      return test === NO_MATCH ? NO_MATCH : e.not(test);
    },
  },
  /** match: the sign of x - y, exact   result: (slt x y) */
  {
    name: "sign-of-difference",
    op: ["extract"],
    left: ["sub"],
    apply: (e, a, _b, c, width) =>
      width === 1 && c === e.width(a) - 1 && isExactDifference(e, a) ? e.binary(SLT, e.a(a), e.b(a)) : NO_MATCH,
  },
  /** match: the sign of x + c, exact   result: (slt x -c) */
  {
    name: "sign-of-sum",
    op: ["extract"],
    left: ["add"],
    apply: (e, a, _b, c, width) =>
      width === 1 && c === e.width(a) - 1 && isExactSum(e, a) ? e.binary(SLT, e.a(a), e.neg(e.b(a))) : NO_MATCH,
  },
  /** match: (slt 0 (sub x y)), exact   result: (slt y x) */
  {
    name: "slt-from-zero-to-difference",
    op: ["slt"],
    left: ["constant"],
    apply: (e, a, b) => (isZero(e, a) && isExactDifference(e, b) ? e.binary(SLT, e.b(b), e.a(b)) : NO_MATCH),
  },
  /** match: (slt (sub x y) 1), exact   result: (sle x y) */
  {
    name: "slt-difference-one",
    op: ["slt"],
    left: ["sub"],
    right: "constant",
    apply: (e, a, b) => (isOne(e, b) && isExactDifference(e, a) ? e.binary(SLE, e.a(a), e.b(a)) : NO_MATCH),
  },
  /** match: (slt (add x c) d), exact   result: (slt x d-c) */
  {
    name: "slt-sum-constant",
    op: ["slt"],
    left: ["add"],
    right: "constant",
    apply: (e, a, b) =>
      isExactSum(e, a) && isSmall(e, b) ? e.binary(SLT, e.a(a), e.binary(SUB, b, e.b(a))) : NO_MATCH,
  },
  /** match: (slt d (add x c)), exact   result: (slt d-c x) */
  {
    name: "slt-constant-sum",
    op: ["slt"],
    left: ["constant"],
    apply: (e, a, b) =>
      isExactSum(e, b) && isSmall(e, a) ? e.binary(SLT, e.binary(SUB, a, e.b(b)), e.a(b)) : NO_MATCH,
  },
  /** match: (ult (add x c) d), exact, c <= d   result: (ult x d-c) */
  {
    name: "ult-sum-constant",
    op: ["ult"],
    left: ["add"],
    right: "constant",
    apply: (e, a, b) => {
      if (!isNaturalSum(e, a) || e.binary(ULT, b, e.b(a)) === e.TRUE) return NO_MATCH;
      return e.binary(ULT, e.a(a), e.binary(SUB, b, e.b(a)));
    },
  },
  /** match: (ult d (add x c)), exact, c <= d   result: (ult d-c x) */
  {
    name: "ult-constant-sum",
    op: ["ult"],
    left: ["constant"],
    apply: (e, a, b) => {
      if (!isNaturalSum(e, b) || e.binary(ULT, a, e.b(b)) === e.TRUE) return NO_MATCH;
      return e.binary(ULT, e.binary(SUB, a, e.b(b)), e.a(b));
    },
  },
];
