// Rules of add, sub, neg and mul. The normal form of a sum: a constant stands last and once, a difference with a constant
// is a sum, a negation is pulled outwards until a sum or a product takes it in.

import type { ExprArena } from "./arena.js";
import { isAllOnes, isOne, isZero, powerOfTwo } from "./constants.js";
import { type ExprRef, OPS } from "./ops.js";
import { NO_MATCH, type Rule } from "./rule.js";

const ADD = OPS.add.code;
const SUB = OPS.sub.code;
const MUL = OPS.mul.code;
const NEG = OPS.neg.code;

/** x + c with c a constant. */
function isSumWithConstant(e: ExprArena, x: ExprRef): boolean {
  return e.op(x) === ADD && e.isConstant(e.b(x));
}

/** (ite p c d) with c and d zero or powers of two: to multiply by it is to shift. */
function isChoiceOfPowers(e: ExprArena, x: ExprRef): boolean {
  return e.op(x) === OPS.ite.code && isPowerOrZero(e, e.b(x)) && isPowerOrZero(e, e.c(x));
}

function isPowerOrZero(e: ExprArena, x: ExprRef): boolean {
  return e.isConstant(x) && (isZero(e, x) || powerOfTwo(e, x) >= 0);
}

/** match: (op (ite p c d) k), all constants but p   result: (ite p (op c k) (op d k)) */
const constantChoice = (op: "add" | "mul"): Rule => ({
  name: `${op}-of-constant-choice`,
  op: [op],
  left: ["ite"],
  right: "constant",
  apply: (e, a, b) => {
    if (!e.isConstant(e.b(a)) || !e.isConstant(e.c(a))) return NO_MATCH;
    return e.ite(e.a(a), e.binary(OPS[op].code, e.b(a), b), e.binary(OPS[op].code, e.c(a), b));
  },
});

export const ARITHMETIC_RULES: readonly Rule[] = [
  /** match: (add a 0)   result: a */
  {
    name: "add-zero",
    op: ["add"],
    right: "constant",
    apply: (e, a, b) => (isZero(e, b) ? a : NO_MATCH),
  },
  /** match: (add (add x c) d)   result: (add x c+d) */
  {
    name: "add-constants",
    op: ["add"],
    left: ["add"],
    right: "constant",
    apply: (e, a, b) => (e.isConstant(e.b(a)) ? e.binary(ADD, e.a(a), e.binary(ADD, e.b(a), b)) : NO_MATCH),
  },
  /** match: (add (sub c x) d)   result: (sub c+d x) */
  {
    name: "add-constant-to-difference",
    op: ["add"],
    left: ["sub"],
    right: "constant",
    apply: (e, a, b) => (e.isConstant(e.a(a)) ? e.binary(SUB, e.binary(ADD, e.a(a), b), e.b(a)) : NO_MATCH),
  },
  /** match: (add (not x) c)   result: (sub c-1 x) */
  {
    name: "add-not",
    op: ["add"],
    left: ["not"],
    right: "constant",
    apply: (e, a, b, _c, width) => e.binary(SUB, e.binary(SUB, b, e.one(width)), e.a(a)),
  },
  /** match: (add (neg x) c)   result: (sub c x) */
  {
    name: "add-constant-to-negation",
    op: ["add"],
    left: ["neg"],
    right: "constant",
    apply: (e, a, b) => e.binary(SUB, b, e.a(a)),
  },
  /** match: (add x (neg y)), either way   result: (sub x y) */
  {
    name: "add-negation",
    op: ["add"],
    right: "symbolic",
    apply: (e, a, b) => {
      if (e.op(b) === NEG) return e.binary(SUB, a, e.a(b));
      return e.op(a) === NEG ? e.binary(SUB, b, e.a(a)) : NO_MATCH;
    },
  },
  /** match: (add (add x c) y), either way   result: (add (add x y) c) */
  {
    name: "add-constant-outwards",
    op: ["add"],
    right: "symbolic",
    apply: (e, a, b) => {
      if (isSumWithConstant(e, a)) return e.binary(ADD, e.binary(ADD, e.a(a), b), e.b(a));
      return isSumWithConstant(e, b) ? e.binary(ADD, e.binary(ADD, a, e.a(b)), e.b(b)) : NO_MATCH;
    },
  },
  /** match: (add (sub x y) y), either way   result: x */
  {
    name: "add-cancels-difference",
    op: ["add"],
    right: "symbolic",
    apply: (e, a, b) => {
      if (e.op(a) === SUB && e.b(a) === b) return e.a(a);
      return e.op(b) === SUB && e.b(b) === a ? e.a(b) : NO_MATCH;
    },
  },
  /** match: (add x x)   result: (shl x 1) */
  {
    name: "add-same",
    op: ["add"],
    right: "symbolic",
    apply: (e, a, b, _c, width) => (a === b ? e.binary(OPS.shl.code, a, e.one(width)) : NO_MATCH),
  },
  /** match: (add a b) without a bit that both may have   result: (or a b); sums with a constant stay: they add up */
  {
    name: "add-disjoint",
    op: ["add"],
    right: "symbolic",
    apply: (e, a, b, _c, width) => {
      if (width > 64) return NO_MATCH;
      const { facts } = e;
      const low = facts.zerosLow(a) | facts.zerosLow(b);
      return low === -1 && (facts.zerosHigh(a) | facts.zerosHigh(b)) === -1 ? e.binary(OPS.or.code, a, b) : NO_MATCH;
    },
  },
  /** match: (add (concat x y) c), the bits of c below x all 0   result: (concat (add x c') y) */
  {
    name: "add-to-high-part",
    op: ["add"],
    left: ["concat", "zext"],
    right: "constant",
    apply: (e, a, b, _c, width) => {
      const low = e.op(a) === OPS.zext.code ? e.a(a) : e.b(a);
      const lowWidth = e.width(low);
      if (!isZero(e, e.extract(b, 0, lowWidth))) return NO_MATCH;
      const highWidth = width - lowWidth;
      return e.concat(e.binary(ADD, e.extract(a, lowWidth, highWidth), e.extract(b, lowWidth, highWidth)), low);
    },
  },

  /** match: (sub x c)   result: (add x -c) */
  {
    name: "sub-constant",
    op: ["sub"],
    right: "constant",
    apply: (e, a, b) => e.binary(ADD, a, e.neg(b)),
  },
  /** match: (sub x x)   result: 0 */
  {
    name: "sub-same",
    op: ["sub"],
    apply: (e, a, b, _c, width) => (a === b ? e.zero(width) : NO_MATCH),
  },
  /** match: (sub 0 x)   result: (neg x) */
  {
    name: "sub-from-zero",
    op: ["sub"],
    left: ["constant"],
    apply: (e, a, b) => (isZero(e, a) ? e.neg(b) : NO_MATCH),
  },
  /** match: (sub -1 x)   result: (not x) */
  {
    name: "sub-from-all-ones",
    op: ["sub"],
    left: ["constant"],
    apply: (e, a, b) => (isAllOnes(e, a) ? e.not(b) : NO_MATCH),
  },
  /** match: (sub c (sub d x))   result: (add x c-d) */
  {
    name: "sub-difference-from-constant",
    op: ["sub"],
    left: ["constant"],
    apply: (e, a, b) =>
      e.op(b) === SUB && e.isConstant(e.a(b)) ? e.binary(ADD, e.b(b), e.binary(SUB, a, e.a(b))) : NO_MATCH,
  },
  /** match: (sub c (not x))   result: (add x c+1) */
  {
    name: "sub-not-from-constant",
    op: ["sub"],
    left: ["constant"],
    apply: (e, a, b, _c, width) =>
      e.op(b) === OPS.not.code ? e.binary(ADD, e.a(b), e.binary(ADD, a, e.one(width))) : NO_MATCH,
  },
  /** match: (sub x (neg y))   result: (add x y) */
  {
    name: "sub-negation",
    op: ["sub"],
    apply: (e, a, b) => (e.op(b) === NEG ? e.binary(ADD, a, e.a(b)) : NO_MATCH),
  },
  /** match: (sub (neg x) y)   result: (neg (add x y)) */
  {
    name: "sub-from-negation",
    op: ["sub"],
    left: ["neg"],
    right: "symbolic",
    apply: (e, a, b) => e.neg(e.binary(ADD, e.a(a), b)),
  },
  /** match: (sub (add x c) y)   result: (add (sub x y) c) */
  {
    name: "sub-constant-outwards-left",
    op: ["sub"],
    left: ["add"],
    right: "symbolic",
    apply: (e, a, b) => (isSumWithConstant(e, a) ? e.binary(ADD, e.binary(SUB, e.a(a), b), e.b(a)) : NO_MATCH),
  },
  /** match: (sub x (add y c))   result: (add (sub x y) -c), or one constant if x is one */
  {
    name: "sub-constant-outwards-right",
    op: ["sub"],
    right: "symbolic",
    apply: (e, a, b) => {
      if (!isSumWithConstant(e, b)) return NO_MATCH;
      if (e.isConstant(a)) return e.binary(SUB, e.binary(SUB, a, e.b(b)), e.a(b));
      return e.binary(ADD, e.binary(SUB, a, e.a(b)), e.neg(e.b(b)));
    },
  },
  /** match: (sub (add x y) y), either way   result: x */
  {
    name: "sub-cancels-sum",
    op: ["sub"],
    left: ["add"],
    right: "symbolic",
    apply: (e, a, b) => {
      if (e.b(a) === b) return e.a(a);
      return e.a(a) === b ? e.b(a) : NO_MATCH;
    },
  },
  /** match: (sub x (add x y)), either way   result: (neg y) */
  {
    name: "sub-cancelled-by-sum",
    op: ["sub"],
    right: "symbolic",
    apply: (e, a, b) => {
      if (e.op(b) !== ADD) return NO_MATCH;
      if (e.a(b) === a) return e.neg(e.b(b));
      return e.b(b) === a ? e.neg(e.a(b)) : NO_MATCH;
    },
  },
  /** match: (sub x (sub x y))   result: y */
  {
    name: "sub-twice",
    op: ["sub"],
    right: "symbolic",
    apply: (e, a, b) => (e.op(b) === SUB && e.a(b) === a ? e.b(b) : NO_MATCH),
  },
  /** match: (sub (sub x y) x)   result: (neg y) */
  {
    name: "sub-minuend",
    op: ["sub"],
    left: ["sub"],
    right: "symbolic",
    apply: (e, a, b) => (e.a(a) === b ? e.neg(e.b(a)) : NO_MATCH),
  },

  /** match: (sub (xor x m) m), m the sext of a p of width 1   result: (ite p (neg x) x) */
  {
    name: "sub-conditional-negation",
    op: ["sub"],
    left: ["xor"],
    right: "symbolic",
    apply: (e, a, b) => {
      if (e.op(b) !== OPS.sext.code || e.width(e.a(b)) !== 1 || (e.a(a) !== b && e.b(a) !== b)) return NO_MATCH;
      const x = e.a(a) === b ? e.b(a) : e.a(a);
      return e.ite(e.a(b), e.neg(x), x);
    },
  },

  /** match: (neg (neg x))   result: x */
  { name: "neg-neg", op: ["neg"], left: ["neg"], apply: (e, a) => e.a(a) },
  /** match: (neg (sub x y))   result: (sub y x) */
  { name: "neg-difference", op: ["neg"], left: ["sub"], apply: (e, a) => e.binary(SUB, e.b(a), e.a(a)) },
  /** match: (neg (add x c))   result: (sub -c x) */
  {
    name: "neg-sum",
    op: ["neg"],
    left: ["add"],
    apply: (e, a) => (e.isConstant(e.b(a)) ? e.binary(SUB, e.neg(e.b(a)), e.a(a)) : NO_MATCH),
  },
  /** match: (neg (not x))   result: (add x 1) */
  {
    name: "neg-not",
    op: ["neg"],
    left: ["not"],
    apply: (e, a, _b, _c, width) => e.binary(ADD, e.a(a), e.one(width)),
  },
  /** match: (neg (mul x c))   result: (mul x -c) */
  {
    name: "neg-product",
    op: ["neg"],
    left: ["mul"],
    apply: (e, a) => (e.isConstant(e.b(a)) ? e.binary(MUL, e.a(a), e.neg(e.b(a))) : NO_MATCH),
  },
  /** match: (neg (zext x)), x of width 1   result: (sext x) */
  {
    name: "neg-truth",
    op: ["neg"],
    left: ["zext"],
    apply: (e, a, _b, _c, width) => (e.width(e.a(a)) === 1 ? e.sext(e.a(a), width) : NO_MATCH),
  },
  /** match: (neg (sext x)), x of width 1   result: (zext x) */
  {
    name: "neg-truth-mask",
    op: ["neg"],
    left: ["sext"],
    apply: (e, a, _b, _c, width) => (e.width(e.a(a)) === 1 ? e.zext(e.a(a), width) : NO_MATCH),
  },

  /** match: (mul x 0)   result: 0 */
  { name: "mul-zero", op: ["mul"], right: "constant", apply: (e, _a, b) => (isZero(e, b) ? b : NO_MATCH) },
  /** match: (mul x 1)   result: x */
  { name: "mul-one", op: ["mul"], right: "constant", apply: (e, a, b) => (isOne(e, b) ? a : NO_MATCH) },
  /** match: (mul x -1)   result: (neg x) */
  { name: "mul-all-ones", op: ["mul"], right: "constant", apply: (e, a, b) => (isAllOnes(e, b) ? e.neg(a) : NO_MATCH) },
  /** match: (mul x 2^k)   result: (shl x k) */
  {
    name: "mul-power-of-two",
    op: ["mul"],
    right: "constant",
    apply: (e, a, b, _c, width) => {
      const power = powerOfTwo(e, b);
      return power < 0 ? NO_MATCH : e.binary(OPS.shl.code, a, e.constantBig(width, BigInt(power)));
    },
  },
  /** match: (mul (mul x c) d)   result: (mul x c*d) */
  {
    name: "mul-constants",
    op: ["mul"],
    left: ["mul"],
    right: "constant",
    apply: (e, a, b) => (e.isConstant(e.b(a)) ? e.binary(MUL, e.a(a), e.binary(MUL, e.b(a), b)) : NO_MATCH),
  },
  /** match: (mul (neg x) c)   result: (mul x -c) */
  {
    name: "mul-negation",
    op: ["mul"],
    left: ["neg"],
    right: "constant",
    apply: (e, a, b) => e.binary(MUL, e.a(a), e.neg(b)),
  },
  /** match: (mul (add x c) d)   result: (add (mul x d) c*d) */
  {
    name: "mul-sum",
    op: ["mul"],
    left: ["add"],
    right: "constant",
    apply: (e, a, b) =>
      e.isConstant(e.b(a)) ? e.binary(ADD, e.binary(MUL, e.a(a), b), e.binary(MUL, e.b(a), b)) : NO_MATCH,
  },
  /** match: (mul (zext x) y), x of width 1, either way   result: (ite x y 0) */
  {
    name: "mul-truth",
    op: ["mul"],
    apply: (e, a, b, _c, width) => {
      if (e.op(a) === OPS.zext.code && e.width(e.a(a)) === 1) return e.ite(e.a(a), b, e.zero(width));
      return e.op(b) === OPS.zext.code && e.width(e.a(b)) === 1 ? e.ite(e.a(b), a, e.zero(width)) : NO_MATCH;
    },
  },
  /** match: (mul (ite p c d) y), c and d 0 or powers of two, either way   result: (ite p (mul y c) (mul y d)) */
  {
    name: "mul-choice-of-powers",
    op: ["mul"],
    right: "symbolic",
    apply: (e, a, b) => {
      const choice = isChoiceOfPowers(e, a) ? a : b;
      if (choice === b && !isChoiceOfPowers(e, b)) return NO_MATCH;
      const other = choice === a ? b : a;
      return e.ite(e.a(choice), e.binary(MUL, other, e.b(choice)), e.binary(MUL, other, e.c(choice)));
    },
  },
  constantChoice("add"),
  constantChoice("mul"),
];
