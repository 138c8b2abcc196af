// Rules of ult, ule, slt and sle. Normal form: against a constant only the strict comparison is left, signed comparisons of
// values of known sign are unsigned, and extensions are taken off, so that "c >= 'a'" of a char is a comparison of a byte.
// A range test (ult (add x c) d) is left as the one comparison it is.

import type { ExprArena } from "./arena.js";
import {
  fitsSigned,
  fitsUnsigned,
  isAllOnes,
  isAllOnesButLowest,
  isNegative,
  isOne,
  isSignedMaximum,
  isSignedMinimum,
  isZero,
  knownSign,
} from "./constants.js";
import { type ExprRef, OPS } from "./ops.js";
import { NO_MATCH, type Rule } from "./rule.js";

const EQ = OPS.eq.code;
const ADD = OPS.add.code;
const ULT = OPS.ult.code;
const ULE = OPS.ule.code;
const SLT = OPS.slt.code;
const ZEXT = OPS.zext.code;
const SEXT = OPS.sext.code;
const CONCAT = OPS.concat.code;
const NOT = OPS.not.code;

const COMPARISONS = ["ult", "ule", "slt", "sle"] as const;
type Comparison = (typeof COMPARISONS)[number];

function next(e: ExprArena, constant: ExprRef): ExprRef {
  return e.binary(ADD, constant, e.one(e.width(constant)));
}

function previous(e: ExprArena, constant: ExprRef): ExprRef {
  return e.binary(ADD, constant, e.allOnes(e.width(constant)));
}

/** The value "sign bit alone". */
function signedMinimum(e: ExprArena, width: number): ExprRef {
  return width === 1 ? e.one(1) : e.concat(e.one(1), e.zero(width - 1));
}

/** match: (op x x)   result: false for the strict ones, else true */
const same = (op: Comparison): Rule => ({
  name: `${op}-same`,
  op: [op],
  apply: (e, a, b) => (a === b ? (op === "ult" || op === "slt" ? e.FALSE : e.TRUE) : NO_MATCH),
});

/** match: a comparison of an ite that has a constant arm with a constant   result: (ite p comparison comparison) */
const choice = (op: "eq" | "ult" | "slt"): Rule => ({
  name: `${op}-of-constant-choice`,
  op: [op],
  left: ["ite", "constant"],
  apply: (e, a, b) => {
    const code = OPS[op].code;
    if (e.isConstant(b) && hasConstantArm(e, a)) {
      return e.ite(e.a(a), e.binary(code, e.b(a), b), e.binary(code, e.c(a), b));
    }
    if (e.isConstant(a) && hasConstantArm(e, b)) {
      return e.ite(e.a(b), e.binary(code, a, e.b(b)), e.binary(code, a, e.c(b)));
    }
    return NO_MATCH;
  },
});

function hasConstantArm(e: ExprArena, x: ExprRef): boolean {
  return e.op(x) === OPS.ite.code && (e.isConstant(e.b(x)) || e.isConstant(e.c(x)));
}

/** match: a comparison with (ite p c d), c and d constants   result: (ite p (comparison with c) (comparison with d)) */
const withChoice = (op: "eq" | Comparison): Rule => ({
  name: `${op}-with-constant-choice`,
  op: [op],
  right: "symbolic",
  apply: (e, a, b) => {
    const code = OPS[op].code;
    if (isConstantChoice(e, b)) return e.ite(e.a(b), e.binary(code, a, e.b(b)), e.binary(code, a, e.c(b)));
    if (isConstantChoice(e, a)) return e.ite(e.a(a), e.binary(code, e.b(a), b), e.binary(code, e.c(a), b));
    return NO_MATCH;
  },
});

function isConstantChoice(e: ExprArena, x: ExprRef): boolean {
  return e.op(x) === OPS.ite.code && e.isConstant(e.b(x)) && e.isConstant(e.c(x));
}

/** match: (ult (zext x) (zext y)), (ule ..)   result: the comparison at the wider of x and y */
const zexts = (op: "ult" | "ule"): Rule => ({
  name: `${op}-zexts`,
  op: [op],
  left: ["zext"],
  right: "symbolic",
  apply: (e, a, b) => {
    if (e.op(b) !== ZEXT) return NO_MATCH;
    const width = Math.max(e.width(e.a(a)), e.width(e.a(b)));
    return e.binary(OPS[op].code, e.zext(e.a(a), width), e.zext(e.a(b), width));
  },
});

/** match: a comparison of (sext x) and (sext y), x and y of one width   result: the comparison of x and y */
const sexts = (op: Comparison): Rule => ({
  name: `${op}-sexts`,
  op: [op],
  left: ["sext"],
  right: "symbolic",
  apply: (e, a, b) =>
    e.op(b) === SEXT && e.width(e.a(a)) === e.width(e.a(b)) ? e.binary(OPS[op].code, e.a(a), e.a(b)) : NO_MATCH,
});

/** match: (slt a b), (sle a b), both signs known and equal   result: the unsigned one */
const unsignedIfSignsAgree = (op: "slt" | "sle"): Rule => ({
  name: `${op}-of-known-signs`,
  op: [op],
  apply: (e, a, b) => {
    const sign = knownSign(e, a);
    if (sign < 0 || sign !== knownSign(e, b)) return NO_MATCH;
    return e.binary(op === "slt" ? ULT : ULE, a, b);
  },
});

/** match: a comparison with not x on one side, not y or a constant on the other   result: x and y, turned round */
const nots = (op: Comparison): Rule => ({
  name: `${op}-nots`,
  op: [op],
  left: ["not", "constant"],
  apply: (e, a, b) => {
    const aNot = e.op(a) === NOT;
    const bNot = e.op(b) === NOT;
    if (!(aNot && (bNot || e.isConstant(b))) && !(bNot && e.isConstant(a))) return NO_MATCH;
    return e.binary(OPS[op].code, e.not(b), e.not(a));
  },
});

/** match: (ule (concat x y) (concat x z)), cut at one place   result: the comparison of y and z */
const commonHighPart = (op: "ult" | "ule"): Rule => ({
  name: `${op}-common-high-part`,
  op: [op],
  left: ["concat"],
  right: "symbolic",
  apply: (e, a, b) => (e.op(b) === CONCAT && e.a(a) === e.a(b) ? e.binary(OPS[op].code, e.b(a), e.b(b)) : NO_MATCH),
});

export const COMPARE_RULES: readonly Rule[] = [
  ...COMPARISONS.map(same),
  // ---- extensions against a constant
  /** match: (ult (zext x) c)   result: (ult x c'), true if c is beyond x */
  {
    name: "ult-zext-constant",
    op: ["ult"],
    left: ["zext"],
    right: "constant",
    apply: (e, a, b) => {
      const width = e.width(e.a(a));
      return fitsUnsigned(e, b, width) ? e.binary(ULT, e.a(a), e.extract(b, 0, width)) : e.TRUE;
    },
  },
  /** match: (ult c (zext x))   result: (ult c' x), false if c is beyond x */
  {
    name: "ult-constant-zext",
    op: ["ult"],
    left: ["constant"],
    apply: (e, a, b) => {
      if (e.op(b) !== ZEXT) return NO_MATCH;
      const width = e.width(e.a(b));
      return fitsUnsigned(e, a, width) ? e.binary(ULT, e.extract(a, 0, width), e.a(b)) : e.FALSE;
    },
  },
  /** match: (slt (sext x) c)   result: (slt x c'), or what it always is if c is beyond x */
  {
    name: "slt-sext-constant",
    op: ["slt"],
    left: ["sext"],
    right: "constant",
    apply: (e, a, b) => {
      const width = e.width(e.a(a));
      if (fitsSigned(e, b, width)) return e.binary(SLT, e.a(a), e.extract(b, 0, width));
      return isNegative(e, b) ? e.FALSE : e.TRUE;
    },
  },
  /** match: (slt c (sext x))   result: (slt c' x), or what it always is if c is beyond x */
  {
    name: "slt-constant-sext",
    op: ["slt"],
    left: ["constant"],
    apply: (e, a, b) => {
      if (e.op(b) !== SEXT) return NO_MATCH;
      const width = e.width(e.a(b));
      if (fitsSigned(e, a, width)) return e.binary(SLT, e.extract(a, 0, width), e.a(b));
      return isNegative(e, a) ? e.TRUE : e.FALSE;
    },
  },
  /** match: (ult (sext x) c)   result: (ult x c'); between the two halves of the extended range, x is not negative */
  {
    name: "ult-sext-constant",
    op: ["ult"],
    left: ["sext"],
    right: "constant",
    apply: (e, a, b) => {
      const x = e.a(a);
      const width = e.width(x);
      if (fitsSigned(e, b, width)) return e.binary(ULT, x, e.extract(b, 0, width));
      return e.binary(ULT, x, signedMinimum(e, width));
    },
  },
  /** match: (ult c (sext x))   result: (ult c' x); between the two halves of the extended range, x is negative */
  {
    name: "ult-constant-sext",
    op: ["ult"],
    left: ["constant"],
    apply: (e, a, b) => {
      if (e.op(b) !== SEXT) return NO_MATCH;
      const x = e.a(b);
      const width = e.width(x);
      if (fitsSigned(e, a, width)) return e.binary(ULT, e.extract(a, 0, width), x);
      return e.extract(x, width - 1, 1);
    },
  },
  // ---- to the strict comparison with a constant
  /** match: (ule x c)   result: (ult x c+1), true if c is the largest value */
  {
    name: "ule-constant",
    op: ["ule"],
    right: "constant",
    apply: (e, a, b) => (isAllOnes(e, b) ? e.TRUE : e.binary(ULT, a, next(e, b))),
  },
  /** match: (ule c x)   result: (ult c-1 x), true if c is 0 */
  {
    name: "ule-from-constant",
    op: ["ule"],
    left: ["constant"],
    apply: (e, a, b) => (isZero(e, a) ? e.TRUE : e.binary(ULT, previous(e, a), b)),
  },
  /** match: (sle x c)   result: (slt x c+1), true if c is the largest value */
  {
    name: "sle-constant",
    op: ["sle"],
    right: "constant",
    apply: (e, a, b) => (isSignedMaximum(e, b) ? e.TRUE : e.binary(SLT, a, next(e, b))),
  },
  /** match: (sle c x)   result: (slt c-1 x), true if c is the smallest value */
  {
    name: "sle-from-constant",
    op: ["sle"],
    left: ["constant"],
    apply: (e, a, b) => (isSignedMinimum(e, a) ? e.TRUE : e.binary(SLT, previous(e, a), b)),
  },
  // ---- at the ends of the range
  /** match: (ult x 1)   result: (eq x 0) */
  {
    name: "ult-one",
    op: ["ult"],
    right: "constant",
    apply: (e, a, b) => (isOne(e, b) ? e.binary(EQ, a, e.zero(e.width(a))) : NO_MATCH),
  },
  /** match: (ult x -1)   result: (not (eq x -1)) */
  {
    name: "ult-largest",
    op: ["ult"],
    right: "constant",
    apply: (e, a, b) => (isAllOnes(e, b) ? e.not(e.binary(EQ, a, b)) : NO_MATCH),
  },
  /** match: (ult 0 x)   result: (not (eq x 0)) */
  {
    name: "ult-from-zero",
    op: ["ult"],
    left: ["constant"],
    apply: (e, a, b) => (isZero(e, a) ? e.not(e.binary(EQ, b, a)) : NO_MATCH),
  },
  /** match: (ult -2 x)   result: (eq x -1) */
  {
    name: "ult-from-last-but-one",
    op: ["ult"],
    left: ["constant"],
    apply: (e, a, b) => (isAllOnesButLowest(e, a) ? e.binary(EQ, b, next(e, a)) : NO_MATCH),
  },
  /** match: (ult x 0), (ult -1 x), beyond 64 bits, where facts do not decide it   result: false */
  {
    name: "ult-nothing",
    op: ["ult"],
    apply: (e, a, b) => (isZero(e, b) || isAllOnes(e, a) ? e.FALSE : NO_MATCH),
  },
  /** match: (slt x 0)   result: the sign bit of x */
  {
    name: "slt-zero",
    op: ["slt"],
    right: "constant",
    apply: (e, a, b) => (isZero(e, b) ? e.extract(a, e.width(a) - 1, 1) : NO_MATCH),
  },
  /** match: (slt -1 x)   result: (not (the sign bit of x)) */
  {
    name: "slt-from-minus-one",
    op: ["slt"],
    left: ["constant"],
    apply: (e, a, b) => (isAllOnes(e, a) ? e.not(e.extract(b, e.width(b) - 1, 1)) : NO_MATCH),
  },
  /** match: (slt x smallest), (slt largest x)   result: false */
  {
    name: "slt-nothing",
    op: ["slt"],
    apply: (e, a, b) => (isSignedMinimum(e, b) || isSignedMaximum(e, a) ? e.FALSE : NO_MATCH),
  },
  /** match: (slt x smallest+1)   result: (eq x smallest) */
  {
    name: "slt-second",
    op: ["slt"],
    right: "constant",
    apply: (e, a, b) => (isSignedMinimum(e, b, 1) ? e.binary(EQ, a, previous(e, b)) : NO_MATCH),
  },
  /** match: (slt largest-1 x)   result: (eq x largest) */
  {
    name: "slt-from-last-but-one",
    op: ["slt"],
    left: ["constant"],
    apply: (e, a, b) => (isSignedMaximum(e, a, 1) ? e.binary(EQ, b, next(e, a)) : NO_MATCH),
  },
  /** match: (slt x largest), (slt smallest x)   result: (not (eq x that)) */
  {
    name: "slt-all-but-one",
    op: ["slt"],
    apply: (e, a, b) => {
      if (isSignedMaximum(e, b)) return e.not(e.binary(EQ, a, b));
      return isSignedMinimum(e, a) ? e.not(e.binary(EQ, b, a)) : NO_MATCH;
    },
  },
  unsignedIfSignsAgree("slt"),
  unsignedIfSignsAgree("sle"),
  choice("eq"),
  choice("ult"),
  choice("slt"),
  withChoice("eq"),
  ...COMPARISONS.map(withChoice),
  // ---- joined values against a constant
  /** match: (ult (concat x y) c), c' the part over x, c'' over y, decided by one part   result: a comparison of that part */
  {
    name: "ult-concat-constant",
    op: ["ult"],
    left: ["concat"],
    right: "constant",
    apply: (e, a, b) => {
      const x = e.a(a);
      const y = e.b(a);
      const high = e.extract(b, e.width(y), e.width(x));
      const low = e.extract(b, 0, e.width(y));
      if (e.isConstant(x)) {
        return x === high ? e.binary(ULT, y, low) : e.binary(ULT, x, high);
      }
      if (isZero(e, low)) return e.binary(ULT, x, high);
      return e.isConstant(y) ? e.binary(e.binary(ULT, y, low) === e.TRUE ? ULE : ULT, x, high) : NO_MATCH;
    },
  },
  /** match: (ult c (concat x y)), the same from the other side */
  {
    name: "ult-constant-concat",
    op: ["ult"],
    left: ["constant"],
    apply: (e, a, b) => {
      if (e.op(b) !== CONCAT) return NO_MATCH;
      const x = e.a(b);
      const y = e.b(b);
      const high = e.extract(a, e.width(y), e.width(x));
      const low = e.extract(a, 0, e.width(y));
      if (e.isConstant(x)) {
        return x === high ? e.binary(ULT, low, y) : e.binary(ULT, high, x);
      }
      if (isAllOnes(e, low)) return e.binary(ULT, high, x);
      return e.isConstant(y) ? e.binary(e.binary(ULT, low, y) === e.TRUE ? ULE : ULT, high, x) : NO_MATCH;
    },
  },
  zexts("ult"),
  zexts("ule"),
  ...COMPARISONS.map(sexts),
  ...COMPARISONS.map(nots),
  commonHighPart("ult"),
  commonHighPart("ule"),
];
