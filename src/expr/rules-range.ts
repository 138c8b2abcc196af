// Comparisons of sums and differences that cannot overflow, which is what C's promotion of char to int makes of nearly
// all of them: a constant moves to the other side, and the sign of a difference is a comparison. In general x + c < d is a
// range test and stays one.

import type { ExprArena } from "./arena.js";
import { fitsSigned, isOne, isZero } from "./constants.js";
import { type ExprRef, OPS } from "./ops.js";
import { NO_MATCH, type Rule } from "./rule.js";

const ADD = OPS.add.code;
const SUB = OPS.sub.code;
const ULT = OPS.ult.code;
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

export const RANGE_RULES: readonly Rule[] = [
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
