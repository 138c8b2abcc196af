// Rules of eq. Against a constant every invertible operation is undone, extensions and joins are taken apart: most
// conditions of C programs end as an input byte compared with a character.

import type { ExprArena } from "./arena.js";
import { fitsSigned, fitsUnsigned, isOdd, isZero } from "./constants.js";
import { type ExprRef, OPS } from "./ops.js";
import { NO_MATCH, type Rule } from "./rule.js";

const EQ = OPS.eq.code;
const ADD = OPS.add.code;
const SUB = OPS.sub.code;
const MUL = OPS.mul.code;
const XOR = OPS.xor.code;
const AND = OPS.and.code;
const CONCAT = OPS.concat.code;
const ZEXT = OPS.zext.code;
const SEXT = OPS.sext.code;

/** The inverse of an odd constant modulo 2^width: each round of Newton's iteration doubles the number of right bits. */
function inverse(e: ExprArena, odd: ExprRef): ExprRef {
  const width = e.width(odd);
  const two = e.constantBig(width, 2n);
  let guess = odd;
  for (let right = 3; right < width; right *= 2) {
    guess = e.binary(MUL, guess, e.binary(SUB, two, e.binary(MUL, odd, guess)));
  }
  return guess;
}

/** Where a concat or zext is cut: the width of its low part; else -1. */
function lowPart(e: ExprArena, x: ExprRef): number {
  if (e.op(x) === CONCAT) return e.width(e.b(x));
  return e.op(x) === ZEXT ? e.width(e.a(x)) : -1;
}

/** Whether an equality of it with a constant becomes one of something smaller. */
function isInvertible(e: ExprArena, x: ExprRef): boolean {
  switch (e.op(x)) {
    case ADD:
    case XOR:
      return e.isConstant(e.b(x));
    case SUB:
      return e.isConstant(e.a(x));
    case OPS.neg.code:
    case OPS.not.code:
    case OPS.constant.code:
    case ZEXT:
    case SEXT:
    case CONCAT:
      return true;
    default:
      return false;
  }
}

export const EQUALITY_RULES: readonly Rule[] = [
  /** match: (eq x x)   result: true */
  { name: "eq-same", op: ["eq"], apply: (e, a, b) => (a === b ? e.TRUE : NO_MATCH) },
  /** match: (eq (zext x) c)   result: (eq x c'), or false if c is too wide */
  {
    name: "eq-zext-constant",
    op: ["eq"],
    left: ["zext"],
    right: "constant",
    apply: (e, a, b) => {
      const x = e.a(a);
      const width = e.width(x);
      return fitsUnsigned(e, b, width) ? e.binary(EQ, x, e.extract(b, 0, width)) : e.FALSE;
    },
  },
  /** match: (eq (sext x) c)   result: (eq x c'), or false if c is no such value */
  {
    name: "eq-sext-constant",
    op: ["eq"],
    left: ["sext"],
    right: "constant",
    apply: (e, a, b) => {
      const x = e.a(a);
      const width = e.width(x);
      return fitsSigned(e, b, width) ? e.binary(EQ, x, e.extract(b, 0, width)) : e.FALSE;
    },
  },
  /** match: (eq (concat x y) c)   result: (and (eq x c') (eq y c'')) */
  {
    name: "eq-concat-constant",
    op: ["eq"],
    left: ["concat"],
    right: "constant",
    apply: (e, a, b) => {
      const low = e.width(e.b(a));
      const high = e.width(e.a(a));
      return e.binary(AND, e.binary(EQ, e.a(a), e.extract(b, low, high)), e.binary(EQ, e.b(a), e.extract(b, 0, low)));
    },
  },
  /** match: (eq (add x c) d)   result: (eq x d-c) */
  {
    name: "eq-sum-constant",
    op: ["eq"],
    left: ["add"],
    right: "constant",
    apply: (e, a, b) => (e.isConstant(e.b(a)) ? e.binary(EQ, e.a(a), e.binary(SUB, b, e.b(a))) : NO_MATCH),
  },
  /** match: (eq (sub c x) d)   result: (eq x c-d) */
  {
    name: "eq-difference-constant",
    op: ["eq"],
    left: ["sub"],
    right: "constant",
    apply: (e, a, b) => (e.isConstant(e.a(a)) ? e.binary(EQ, e.b(a), e.binary(SUB, e.a(a), b)) : NO_MATCH),
  },
  /** match: (eq (sub x y) 0)   result: (eq x y) */
  {
    name: "eq-difference-zero",
    op: ["eq"],
    left: ["sub"],
    right: "constant",
    apply: (e, a, b) => (isZero(e, b) ? e.binary(EQ, e.a(a), e.b(a)) : NO_MATCH),
  },
  /** match: (eq (xor x c) d)   result: (eq x c^d) */
  {
    name: "eq-xor-constant",
    op: ["eq"],
    left: ["xor"],
    right: "constant",
    apply: (e, a, b) => (e.isConstant(e.b(a)) ? e.binary(EQ, e.a(a), e.binary(XOR, b, e.b(a))) : NO_MATCH),
  },
  /** match: (eq (xor x y) 0)   result: (eq x y) */
  {
    name: "eq-xor-zero",
    op: ["eq"],
    left: ["xor"],
    right: "constant",
    apply: (e, a, b) => (isZero(e, b) ? e.binary(EQ, e.a(a), e.b(a)) : NO_MATCH),
  },
  /** match: (eq (not x) c)   result: (eq x ~c) */
  {
    name: "eq-not-constant",
    op: ["eq"],
    left: ["not"],
    right: "constant",
    apply: (e, a, b) => e.binary(EQ, e.a(a), e.not(b)),
  },
  /** match: (eq (neg x) c)   result: (eq x -c) */
  {
    name: "eq-neg-constant",
    op: ["eq"],
    left: ["neg"],
    right: "constant",
    apply: (e, a, b) => e.binary(EQ, e.a(a), e.neg(b)),
  },
  /** match: (eq (mul x c) d), c odd   result: (eq x d/c), the division modulo 2^width */
  {
    name: "eq-product-constant",
    op: ["eq"],
    left: ["mul"],
    right: "constant",
    apply: (e, a, b) => {
      const factor = e.b(a);
      if (!e.isConstant(factor) || !isOdd(e, factor)) return NO_MATCH;
      return e.binary(EQ, e.a(a), e.binary(MUL, b, inverse(e, factor)));
    },
  },
  /** match: (eq (or x y) 0)   result: (and (eq x 0) (eq y 0)) */
  {
    name: "eq-or-zero",
    op: ["eq"],
    left: ["or"],
    right: "constant",
    apply: (e, a, b) => (isZero(e, b) ? e.binary(AND, e.binary(EQ, e.a(a), b), e.binary(EQ, e.b(a), b)) : NO_MATCH),
  },
  /** match: (eq (ite p x y) c), where x = c and y = c both become something smaller   result: (ite p (eq x c) (eq y c)) */
  {
    name: "eq-of-invertible-choice",
    op: ["eq"],
    left: ["ite"],
    right: "constant",
    apply: (e, a, b) =>
      isInvertible(e, e.b(a)) && isInvertible(e, e.c(a))
        ? e.ite(e.a(a), e.binary(EQ, e.b(a), b), e.binary(EQ, e.c(a), b))
        : NO_MATCH,
  },
  /** match: (eq (not x) (not y))   result: (eq x y), and neg likewise */
  {
    name: "eq-not-not",
    op: ["eq"],
    left: ["not"],
    right: "symbolic",
    apply: (e, a, b) => (e.op(b) === OPS.not.code ? e.binary(EQ, e.a(a), e.a(b)) : NO_MATCH),
  },
  {
    name: "eq-neg-neg",
    op: ["eq"],
    left: ["neg"],
    right: "symbolic",
    apply: (e, a, b) => (e.op(b) === OPS.neg.code ? e.binary(EQ, e.a(a), e.a(b)) : NO_MATCH),
  },
  /** match: (eq (sext x) (sext y)), x and y of one width   result: (eq x y) */
  {
    name: "eq-sexts",
    op: ["eq"],
    left: ["sext"],
    right: "symbolic",
    apply: (e, a, b) =>
      e.op(b) === SEXT && e.width(e.a(a)) === e.width(e.a(b)) ? e.binary(EQ, e.a(a), e.a(b)) : NO_MATCH,
  },
  /** match: (eq (zext x) (zext y))   result: equality at the wider of x and y */
  {
    name: "eq-zexts",
    op: ["eq"],
    left: ["zext"],
    right: "symbolic",
    apply: (e, a, b) => {
      if (e.op(b) !== ZEXT) return NO_MATCH;
      const width = Math.max(e.width(e.a(a)), e.width(e.a(b)));
      return e.binary(EQ, e.zext(e.a(a), width), e.zext(e.a(b), width));
    },
  },
  /** match: (eq (concat x y) (concat z w)), cut at one place, or a zext   result: (and (eq x z) (eq y w)) */
  {
    name: "eq-concats",
    op: ["eq"],
    left: ["concat", "zext"],
    right: "symbolic",
    apply: (e, a, b) => {
      const low = lowPart(e, a);
      if (low < 0 || low !== lowPart(e, b)) return NO_MATCH;
      const high = e.width(a) - low;
      return e.binary(
        AND,
        e.binary(EQ, e.extract(a, low, high), e.extract(b, low, high)),
        e.binary(EQ, e.extract(a, 0, low), e.extract(b, 0, low)),
      );
    },
  },
  /** match: (eq (add x y) x), (eq (add x y) (add x z)), in any order   result: (eq y 0), (eq y z) */
  {
    name: "eq-sum-cancels",
    op: ["eq"],
    right: "symbolic",
    apply: (e, a, b) => {
      if (e.op(a) === ADD) {
        if (e.a(a) === b) return e.binary(EQ, e.b(a), e.zero(e.width(a)));
        if (e.b(a) === b) return e.binary(EQ, e.a(a), e.zero(e.width(a)));
      }
      if (e.op(b) !== ADD) return NO_MATCH;
      if (e.a(b) === a) return e.binary(EQ, e.b(b), e.zero(e.width(a)));
      if (e.b(b) === a) return e.binary(EQ, e.a(b), e.zero(e.width(a)));
      if (e.op(a) !== ADD) return NO_MATCH;
      if (e.a(a) === e.a(b)) return e.binary(EQ, e.b(a), e.b(b));
      if (e.b(a) === e.b(b)) return e.binary(EQ, e.a(a), e.a(b));
      if (e.a(a) === e.b(b)) return e.binary(EQ, e.b(a), e.a(b));
      return e.b(a) === e.a(b) ? e.binary(EQ, e.a(a), e.b(b)) : NO_MATCH;
    },
  },
];
