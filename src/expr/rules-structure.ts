// Rules of concat, zext, sext and ite: what was cut is joined again, nested extensions are one, constants and extensions
// move outwards. Memory is bytes, so every word that is stored and loaded comes by here.

import type { ExprArena } from "./arena.js";
import { fitsSigned, fitsUnsigned, isAllOnes, isHighZero, isOne, isZero, knownSign } from "./constants.js";
import { type ExprRef, OPS } from "./ops.js";
import { NO_MATCH, type Rule } from "./rule.js";

const CONSTANT = OPS.constant.code;
const AND = OPS.and.code;
const OR = OPS.or.code;
const EQ = OPS.eq.code;
const NOT = OPS.not.code;
const CONCAT = OPS.concat.code;
const EXTRACT = OPS.extract.code;
const ZEXT = OPS.zext.code;
const SEXT = OPS.sext.code;
const ITE = OPS.ite.code;

/** What two adjacent parts are together if they were cut from one expression, else no match. */
function joined(e: ExprArena, high: ExprRef, low: ExprRef): ExprRef {
  const lowWidth = e.width(low);
  if (e.op(high) === EXTRACT) {
    // The low part may have been rewritten when it was cut, so it is cut again to be compared.
    const x = e.a(high);
    const lowBit = e.payload(high) - lowWidth;
    if (lowBit >= 0 && e.extract(x, lowBit, lowWidth) === low) return e.extract(x, lowBit, e.width(high) + lowWidth);
  }
  // Copies of a sign above the value that has it.
  if (e.op(high) === SEXT || e.op(high) === EXTRACT) {
    const sign = e.op(high) === SEXT ? e.a(high) : high;
    const signed = e.op(low) === SEXT ? e.a(low) : low;
    if (e.width(sign) === 1 && e.extract(signed, e.width(signed) - 1, 1) === sign) {
      return e.sext(signed, e.width(high) + lowWidth);
    }
  }
  // Arms of one choice.
  if (e.op(high) === ITE && e.op(low) === ITE && e.a(high) === e.a(low)) {
    return e.ite(e.a(high), e.concat(e.b(high), e.b(low)), e.concat(e.c(high), e.c(low)));
  }
  // A constant above the low bits of what always has that constant there.
  if (e.op(high) === CONSTANT && e.op(low) === EXTRACT && e.payload(low) === 0) {
    const x = e.a(low);
    const width = e.width(high) + lowWidth;
    if (width <= e.width(x) && hasBits(e, x, lowWidth, high)) return e.extract(x, 0, width);
  }
  return NO_MATCH;
}

/** Whether the bits of x from `lowBit` upwards are known to be those of the constant. */
function hasBits(e: ExprArena, x: ExprRef, lowBit: number, constant: ExprRef): boolean {
  const width = e.width(constant);
  if (e.width(x) > 64) return false;
  const { facts } = e;
  const known = e.constant(e.width(x), facts.zerosLow(x) | facts.onesLow(x), facts.zerosHigh(x) | facts.onesHigh(x));
  if (!isAllOnes(e, e.extract(known, lowBit, width))) return false;
  return e.extract(e.constant(e.width(x), facts.onesLow(x), facts.onesHigh(x)), lowBit, width) === constant;
}

/** match: (zext (op x y)) that never overflows, x and y constant or extended   result: (op (zext x) (zext y)) */
const wideIfExact = (op: "add" | "mul"): Rule => ({
  name: `zext-exact-${op}`,
  op: ["zext"],
  left: [op],
  apply: (e, a, _b, _c, width) => {
    const from = e.width(a);
    const x = e.a(a);
    const y = e.b(a);
    if (from > 64 || e.op(x) !== ZEXT || (e.op(y) !== ZEXT && !e.isConstant(y))) return NO_MATCH;
    const most = op === "add" ? e.facts.maximum(x) + e.facts.maximum(y) : e.facts.maximum(x) * e.facts.maximum(y);
    return most < 2 ** Math.min(from, 53) ? e.binary(OPS[op].code, e.zext(x, width), e.zext(y, width)) : NO_MATCH;
  },
});

const CONCAT_RULES: readonly Rule[] = [
  /** match: (concat 0 x)   result: (zext x) */
  {
    name: "concat-zero",
    op: ["concat"],
    left: ["constant"],
    apply: (e, a, b, _c, width) => (isZero(e, a) ? e.zext(b, width) : NO_MATCH),
  },
  /** match: (concat (zext x) y)   result: (zext (concat x y)) */
  {
    name: "concat-zext",
    op: ["concat"],
    left: ["zext"],
    apply: (e, a, b, _c, width) => e.zext(e.concat(e.a(a), b), width),
  },
  /** match: (concat (concat x y) z)   result: (concat x (concat y z)) */
  {
    name: "concat-to-the-right",
    op: ["concat"],
    left: ["concat"],
    apply: (e, a, b) => e.concat(e.a(a), e.concat(e.b(a), b)),
  },
  /** match: two parts cut from one expression   result: the part they were */
  { name: "concat-adjacent", op: ["concat"], apply: (e, a, b) => joined(e, a, b) },
  /** match: the same, with more below: (concat x (concat y z))   result: (concat xy z) */
  {
    name: "concat-adjacent-above",
    op: ["concat"],
    apply: (e, a, b) => {
      if (e.op(b) !== CONCAT) return NO_MATCH;
      const whole = joined(e, a, e.a(b));
      return whole === NO_MATCH ? NO_MATCH : e.concat(whole, e.b(b));
    },
  },
  /** match: (concat c (concat d x)), c and d constants   result: (concat cd x) */
  {
    name: "concat-constants",
    op: ["concat"],
    left: ["constant"],
    apply: (e, a, b) => (e.op(b) === CONCAT && e.isConstant(e.a(b)) ? e.concat(e.concat(a, e.a(b)), e.b(b)) : NO_MATCH),
  },
  /** match: (concat c (zext x)), c constant   result: (concat c0 x) */
  {
    name: "concat-constant-zext",
    op: ["concat"],
    left: ["constant"],
    apply: (e, a, b) => {
      if (e.op(b) !== ZEXT) return NO_MATCH;
      return e.concat(e.concat(a, e.zero(e.width(b) - e.width(e.a(b)))), e.a(b));
    },
  },
  /** match: (concat (sext x) y)   result: (sext (concat x y)) */
  {
    name: "concat-sext",
    op: ["concat"],
    left: ["sext"],
    apply: (e, a, b, _c, width) => e.sext(e.concat(e.a(a), b), width),
  },
];

const EXTENSION_RULES: readonly Rule[] = [
  /** match: (zext (zext x))   result: (zext x) */
  { name: "zext-zext", op: ["zext"], left: ["zext"], apply: (e, a, _b, _c, width) => e.zext(e.a(a), width) },
  /** match: (zext (extract x low bits)), the others of x are 0   result: x, resized */
  {
    name: "zext-low-bits",
    op: ["zext"],
    left: ["extract"],
    apply: (e, a, _b, _c, width) => {
      const x = e.a(a);
      if (e.payload(a) !== 0 || !isHighZero(e, x, e.width(a))) return NO_MATCH;
      return width >= e.width(x) ? e.zext(x, width) : e.extract(x, 0, width);
    },
  },
  /** match: (zext (concat x y)), where x extended is something else than a zext   result: (concat (that) y) */
  {
    name: "zext-into-concat",
    op: ["zext"],
    left: ["concat"],
    apply: (e, a, _b, _c, width) => {
      const high = e.zext(e.a(a), width - e.width(e.b(a)));
      return e.op(high) === ZEXT ? NO_MATCH : e.concat(high, e.b(a));
    },
  },
  /** match: (zext (ite p c d)), c and d constants   result: (ite p c d) */
  {
    name: "zext-constant-choice",
    op: ["zext"],
    left: ["ite"],
    apply: (e, a, _b, _c, width) =>
      e.isConstant(e.b(a)) && e.isConstant(e.c(a))
        ? e.ite(e.a(a), e.zext(e.b(a), width), e.zext(e.c(a), width))
        : NO_MATCH,
  },
  wideIfExact("add"),
  wideIfExact("mul"),
  /** match: (sext (sext x))   result: (sext x) */
  { name: "sext-sext", op: ["sext"], left: ["sext"], apply: (e, a, _b, _c, width) => e.sext(e.a(a), width) },
  /** match: (sext x), x never negative   result: (zext x) */
  {
    name: "sext-of-natural",
    op: ["sext"],
    apply: (e, a, _b, _c, width) => (knownSign(e, a) === 0 ? e.zext(a, width) : NO_MATCH),
  },
  /** match: (sext x), x always negative, in one piece with a constant on top   result: (concat -1 x) */
  {
    name: "sext-of-negative",
    op: ["sext"],
    apply: (e, a, _b, _c, width) => (knownSign(e, a) === 1 ? e.concat(e.allOnes(width - e.width(a)), a) : NO_MATCH),
  },
  /** match: (sext (ite p c d)), c and d constants   result: (ite p c d) */
  {
    name: "sext-constant-choice",
    op: ["sext"],
    left: ["ite"],
    apply: (e, a, _b, _c, width) =>
      e.isConstant(e.b(a)) && e.isConstant(e.c(a))
        ? e.ite(e.a(a), e.sext(e.b(a), width), e.sext(e.c(a), width))
        : NO_MATCH,
  },
];

/** match: (ite p (ext x) (ext y)), or a constant that is such an extension   result: (ext (ite p x y)), as wide as needed */
const extendedArms = (op: "zext" | "sext"): Rule => ({
  name: `ite-${op}-arms`,
  op: ["ite"],
  apply: (e, a, b, c, width) => {
    const code = OPS[op].code;
    const inner = Math.max(e.op(b) === code ? e.width(e.a(b)) : 0, e.op(c) === code ? e.width(e.a(c)) : 0);
    if (inner < 2) return NO_MATCH;
    const then = narrowed(e, b, inner, op);
    const otherwise = narrowed(e, c, inner, op);
    if (then === NO_MATCH || otherwise === NO_MATCH) return NO_MATCH;
    const choice = e.ite(a, then, otherwise);
    return op === "zext" ? e.zext(choice, width) : e.sext(choice, width);
  },
});

/** The expression of that width whose extension this one is: made from a narrower extension, or a constant. */
function narrowed(e: ExprArena, x: ExprRef, width: number, op: "zext" | "sext"): ExprRef {
  if (e.op(x) === OPS[op].code) return op === "zext" ? e.zext(e.a(x), width) : e.sext(e.a(x), width);
  if (!e.isConstant(x) || !(op === "zext" ? fitsUnsigned(e, x, width) : fitsSigned(e, x, width))) return NO_MATCH;
  return e.extract(x, 0, width);
}

/** The condition q, an and or an or, where p is known to be true or false; q itself if p is no part of it. */
function assuming(e: ExprArena, q: ExprRef, p: ExprRef, truth: boolean): ExprRef {
  const op = e.op(q);
  if (op !== AND && op !== OR) return q;
  const x = e.a(q);
  const y = e.b(q);
  const other = x === p || isNegationOf(e, x, p) ? y : x;
  const known = other === y ? x : y;
  if (known !== p && !isNegationOf(e, known, p)) return q;
  const holds = (known === p) === truth;
  if (op === AND) return holds ? other : e.FALSE;
  return holds ? e.TRUE : other;
}

function isNegationOf(e: ExprArena, x: ExprRef, p: ExprRef): boolean {
  return (e.op(x) === NOT && e.a(x) === p) || (e.op(p) === NOT && e.a(p) === x);
}

const ITE_RULES: readonly Rule[] = [
  /** match: (ite (not p) x y)   result: (ite p y x) */
  { name: "ite-not", op: ["ite"], left: ["not"], apply: (e, a, b, c) => e.ite(e.a(a), c, b) },
  /** match: (ite p true y), width 1   result: (or p y), and so on for each constant arm */
  {
    name: "ite-truth",
    op: ["ite"],
    apply: (e, a, b, c, width) => {
      if (width !== 1) return NO_MATCH;
      if (b === e.TRUE) return e.binary(OR, a, c);
      if (b === e.FALSE) return e.binary(AND, e.not(a), c);
      if (c === e.TRUE) return e.binary(OR, e.not(a), b);
      return c === e.FALSE ? e.binary(AND, a, b) : NO_MATCH;
    },
  },
  /** match: (ite p 1 0), (ite p 0 1)   result: (zext p), (zext (not p)) */
  {
    name: "ite-zero-one",
    op: ["ite"],
    apply: (e, a, b, c, width) => {
      if (isZero(e, c) && isOne(e, b)) return e.zext(a, width);
      return isZero(e, b) && isOne(e, c) ? e.zext(e.not(a), width) : NO_MATCH;
    },
  },
  /** match: (ite p -1 0), (ite p 0 -1)   result: (sext p), (sext (not p)) */
  {
    name: "ite-zero-all-ones",
    op: ["ite"],
    apply: (e, a, b, c, width) => {
      if (isZero(e, c) && isAllOnes(e, b)) return e.sext(a, width);
      return isZero(e, b) && isAllOnes(e, c) ? e.sext(e.not(a), width) : NO_MATCH;
    },
  },
  /** match: (ite p (ite p x y) z), (ite p x (ite p y z))   result: (ite p x z) */
  {
    name: "ite-same-condition",
    op: ["ite"],
    apply: (e, a, b, c) => {
      if (e.op(b) === ITE && e.a(b) === a) return e.ite(a, e.b(b), c);
      return e.op(c) === ITE && e.a(c) === a ? e.ite(a, b, e.c(c)) : NO_MATCH;
    },
  },
  /** match: (ite p (ite q x y) z), q an and or an or with p in it, the else arm likewise   result: what q is, given p */
  {
    name: "ite-knows-its-condition",
    op: ["ite"],
    apply: (e, a, b, c) => {
      if (e.op(b) === ITE) {
        const given = assuming(e, e.a(b), a, true);
        if (given !== e.a(b)) return e.ite(a, e.ite(given, e.b(b), e.c(b)), c);
      }
      if (e.op(c) !== ITE) return NO_MATCH;
      const given = assuming(e, e.a(c), a, false);
      return given !== e.a(c) ? e.ite(a, b, e.ite(given, e.b(c), e.c(c))) : NO_MATCH;
    },
  },
  /** match: (ite p x (ite q x y))   result: (ite (or p q) x y) */
  {
    name: "ite-same-then",
    op: ["ite"],
    apply: (e, a, b, c) => (e.op(c) === ITE && e.b(c) === b ? e.ite(e.binary(OR, a, e.a(c)), b, e.c(c)) : NO_MATCH),
  },
  /** match: (ite p (ite q x y) y)   result: (ite (and p q) x y) */
  {
    name: "ite-same-else",
    op: ["ite"],
    apply: (e, a, b, c) => (e.op(b) === ITE && e.c(b) === c ? e.ite(e.binary(AND, a, e.a(b)), e.b(b), c) : NO_MATCH),
  },
  /** match: (ite (eq x y) x y), (ite (eq x y) y x)   result: what the else arm is */
  {
    name: "ite-of-equal-arms",
    op: ["ite"],
    left: ["eq"],
    apply: (e, a, b, c) => ((e.a(a) === b && e.b(a) === c) || (e.a(a) === c && e.b(a) === b) ? c : NO_MATCH),
  },
  extendedArms("zext"),
  extendedArms("sext"),
  /** match: (ite p p y), (ite p x p), width 1   result: (or p y), (and p x) */
  {
    name: "ite-condition-as-arm",
    op: ["ite"],
    apply: (e, a, b, c) => {
      if (b === a) return e.binary(OR, a, c);
      return c === a ? e.binary(AND, a, b) : NO_MATCH;
    },
  },
  /** match: (ite p x (not x)), width 1   result: (eq p x) */
  {
    name: "ite-complementary-arms",
    op: ["ite"],
    apply: (e, a, b, c, width) => {
      if (width !== 1) return NO_MATCH;
      const complementary = (e.op(c) === NOT && e.a(c) === b) || (e.op(b) === NOT && e.a(b) === c);
      return complementary ? e.binary(EQ, a, b) : NO_MATCH;
    },
  },
];

export const STRUCTURE_RULES: readonly Rule[] = [...CONCAT_RULES, ...EXTENSION_RULES, ...ITE_RULES];
