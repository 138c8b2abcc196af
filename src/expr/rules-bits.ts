// Rules of and, or, xor and not. What a constant does to a bit (clear, set, keep, flip) is known, so the bits that only
// pass through are made visible as slices: a mask becomes an extract, a union of parts that do not overlap a concat. That is
// how C assembles words from bytes.

import type { ExprArena } from "./arena.js";
import { fitsSigned, isAllOnes, isHighZero, isZero, trailingOnes, trailingZeros } from "./constants.js";
import { type ExprRef, OPS } from "./ops.js";
import { NO_MATCH, type Rule } from "./rule.js";
import { givesSlices } from "./rules-extract.js";

const AND = OPS.and.code;
const OR = OPS.or.code;
const XOR = OPS.xor.code;
const NOT = OPS.not.code;
const CONCAT = OPS.concat.code;
const ZEXT = OPS.zext.code;
const SEXT = OPS.sext.code;

/** Masks of more rows than this are left to `and`: its slices would be more nodes than they are worth. */
const MASK_ROWS = 2;

const BITWISE = ["and", "or", "xor"] as const;
type Bitwise = (typeof BITWISE)[number];

/** match: (op (op x c) d)   result: (op x (op c d)) */
const constants = (op: Bitwise): Rule => ({
  name: `${op}-constants`,
  op: [op],
  left: [op],
  right: "constant",
  apply: (e, a, b) =>
    e.isConstant(e.b(a)) ? e.binary(OPS[op].code, e.a(a), e.binary(OPS[op].code, e.b(a), b)) : NO_MATCH,
});

/** match: (op (op x c) y), either way   result: (op (op x y) c) */
const constantOutwards = (op: Bitwise): Rule => ({
  name: `${op}-constant-outwards`,
  op: [op],
  right: "symbolic",
  apply: (e, a, b) => {
    const code = OPS[op].code;
    if (e.op(a) === code && e.isConstant(e.b(a))) return e.binary(code, e.binary(code, e.a(a), b), e.b(a));
    if (e.op(b) === code && e.isConstant(e.b(b))) return e.binary(code, e.binary(code, a, e.a(b)), e.b(b));
    return NO_MATCH;
  },
});

/** match: (op x y), one a concat or extension, the other one too, a slice or a constant   result: joined from two parts */
const parts = (op: Bitwise): Rule => ({
  name: `${op}-in-parts`,
  op: [op],
  apply: (e, a, b, _c, width) => {
    const cutOfA = lowPart(e, a);
    const cut = cutOfA > 0 ? cutOfA : lowPart(e, b);
    if (cut < 0 || !givesSlices(e, a) || !givesSlices(e, b)) return NO_MATCH;
    const code = OPS[op].code;
    const rest = width - cut;
    return e.concat(
      e.binary(code, e.extract(a, cut, rest), e.extract(b, cut, rest)),
      e.binary(code, e.extract(a, 0, cut), e.extract(b, 0, cut)),
    );
  },
});

/** Where a concat or an extension is joined: the width of its low part; else -1. Copies of one bit are all alike. */
function lowPart(e: ExprArena, x: ExprRef): number {
  const op = e.op(x);
  if (op === CONCAT) return e.width(e.b(x));
  if (op === SEXT && e.width(e.a(x)) === 1) return -1;
  return op === ZEXT || op === SEXT ? e.width(e.a(x)) : -1;
}

/** match: (op (sext x) c), c a sign extension too   result: (sext (op x c')) */
const constantOnSext = (op: "or" | "xor"): Rule => ({
  name: `${op}-constant-on-sext`,
  op: [op],
  left: ["sext"],
  right: "constant",
  apply: (e, a, b, _c, width) => {
    const x = e.a(a);
    if (!fitsSigned(e, b, e.width(x))) return NO_MATCH;
    return e.sext(e.binary(OPS[op].code, x, e.extract(b, 0, e.width(x))), width);
  },
});

/** match: (op (sext x) (sext y))   result: the sext of the operation on the wider of x and y */
const sexts = (op: Bitwise): Rule => ({
  name: `${op}-of-sexts`,
  op: [op],
  left: ["sext"],
  right: "symbolic",
  apply: (e, a, b, _c, width) => {
    if (e.op(b) !== SEXT) return NO_MATCH;
    const inner = Math.max(e.width(e.a(a)), e.width(e.a(b)));
    return e.sext(e.binary(OPS[op].code, e.sext(e.a(a), inner), e.sext(e.a(b), inner)), width);
  },
});

/** match: (op (concat x 0) y), y no wider than the zeros, either way   result: (concat x y') */
const intoZeros = (op: "or" | "xor"): Rule => ({
  name: `${op}-into-zeros`,
  op: [op],
  right: "symbolic",
  apply: (e, a, b) => {
    const joined = joinParts(e, a, b);
    return joined !== NO_MATCH ? joined : joinParts(e, b, a);
  },
});

function joinParts(e: ExprArena, high: ExprRef, low: ExprRef): ExprRef {
  if (e.op(high) !== CONCAT || !isZero(e, e.b(high))) return NO_MATCH;
  const lowWidth = e.width(e.b(high));
  return isHighZero(e, low, lowWidth) ? e.concat(e.a(high), e.extract(low, 0, lowWidth)) : NO_MATCH;
}

/** match: (op (ite p c d) k), all constants but p   result: (ite p (op c k) (op d k)) */
const constantChoice = (op: Bitwise): Rule => ({
  name: `${op}-of-constant-choice`,
  op: [op],
  left: ["ite"],
  right: "constant",
  apply: (e, a, b) => {
    if (!e.isConstant(e.b(a)) || !e.isConstant(e.c(a))) return NO_MATCH;
    return e.ite(e.a(a), e.binary(OPS[op].code, e.b(a), b), e.binary(OPS[op].code, e.c(a), b));
  },
});

export const BITS_RULES: readonly Rule[] = [
  /** match: (and x 0)   result: 0 */
  { name: "and-zero", op: ["and"], right: "constant", apply: (e, _a, b) => (isZero(e, b) ? b : NO_MATCH) },
  /** match: (and x -1)   result: x */
  { name: "and-all-ones", op: ["and"], right: "constant", apply: (e, a, b) => (isAllOnes(e, b) ? a : NO_MATCH) },
  /** match: (or x 0), (xor x 0)   result: x */
  { name: "or-xor-zero", op: ["or", "xor"], right: "constant", apply: (e, a, b) => (isZero(e, b) ? a : NO_MATCH) },
  /** match: (or x -1)   result: -1 */
  { name: "or-all-ones", op: ["or"], right: "constant", apply: (e, _a, b) => (isAllOnes(e, b) ? b : NO_MATCH) },
  /** match: (xor x -1)   result: (not x) */
  { name: "xor-all-ones", op: ["xor"], right: "constant", apply: (e, a, b) => (isAllOnes(e, b) ? e.not(a) : NO_MATCH) },
  /** match: (and x x), (or x x)   result: x */
  { name: "and-or-same", op: ["and", "or"], right: "symbolic", apply: (_e, a, b) => (a === b ? a : NO_MATCH) },
  /** match: (xor x x)   result: 0 */
  {
    name: "xor-same",
    op: ["xor"],
    right: "symbolic",
    apply: (e, a, b, _c, width) => (a === b ? e.zero(width) : NO_MATCH),
  },
  /** match: (and x (not x)), either way   result: 0 */
  {
    name: "and-complement",
    op: ["and"],
    right: "symbolic",
    apply: (e, a, b, _c, width) => (isComplement(e, a, b) ? e.zero(width) : NO_MATCH),
  },
  /** match: (or x (not x)), (xor x (not x)), either way   result: -1 */
  {
    name: "or-xor-complement",
    op: ["or", "xor"],
    right: "symbolic",
    apply: (e, a, b, _c, width) => (isComplement(e, a, b) ? e.allOnes(width) : NO_MATCH),
  },
  /** match: (and x (or x y)), (or x (and x y)), in any order   result: x */
  {
    name: "and-absorbs-or",
    op: ["and"],
    right: "symbolic",
    apply: (e, a, b) => (hasOperand(e, OR, b, a) ? a : hasOperand(e, OR, a, b) ? b : NO_MATCH),
  },
  {
    name: "or-absorbs-and",
    op: ["or"],
    right: "symbolic",
    apply: (e, a, b) => (hasOperand(e, AND, b, a) ? a : hasOperand(e, AND, a, b) ? b : NO_MATCH),
  },
  /** match: (and x (and x y)), (or x (or x y)), in any order   result: the inner one */
  {
    name: "and-idempotent",
    op: ["and"],
    right: "symbolic",
    apply: (e, a, b) => (hasOperand(e, AND, b, a) ? b : hasOperand(e, AND, a, b) ? a : NO_MATCH),
  },
  {
    name: "or-idempotent",
    op: ["or"],
    right: "symbolic",
    apply: (e, a, b) => (hasOperand(e, OR, b, a) ? b : hasOperand(e, OR, a, b) ? a : NO_MATCH),
  },
  /** match: (xor (xor x y) y), in any order   result: x */
  {
    name: "xor-cancels",
    op: ["xor"],
    right: "symbolic",
    apply: (e, a, b) => {
      if (hasOperand(e, XOR, a, b)) return e.a(a) === b ? e.b(a) : e.a(a);
      if (hasOperand(e, XOR, b, a)) return e.a(b) === a ? e.b(b) : e.a(b);
      return NO_MATCH;
    },
  },
  /** match: (xor (not x) y), either way   result: (not (xor x y)) */
  {
    name: "xor-not",
    op: ["xor"],
    apply: (e, a, b) => {
      if (e.op(a) === NOT) return e.isConstant(b) ? e.binary(XOR, e.a(a), e.not(b)) : e.not(e.binary(XOR, e.a(a), b));
      return e.op(b) === NOT ? e.not(e.binary(XOR, a, e.a(b))) : NO_MATCH;
    },
  },
  /** match: (and x c), every bit that c clears is 0 anyway   result: x */
  {
    name: "and-keeps-all",
    op: ["and"],
    right: "constant",
    apply: (e, a, b, _c, width) => {
      if (width > 64) return NO_MATCH;
      const low = e.facts.zerosLow(a) | e.constantLow(b);
      return low === -1 && (e.facts.zerosHigh(a) | e.constantHigh(b)) === -1 ? a : NO_MATCH;
    },
  },
  ...BITWISE.map(constants),
  /** match: (and x c), c a few rows of ones   result: the slices of x among zeros */
  {
    name: "and-mask",
    op: ["and"],
    right: "constant",
    apply: (e, a, b, _c, width) => {
      if (rowsOfOnes(e, b) > MASK_ROWS) return NO_MATCH;
      let result = NO_MATCH;
      for (let at = 0; at < width; ) {
        const rest = e.extract(b, at, width - at);
        const zeros = trailingZeros(e, rest);
        const length = zeros > 0 ? zeros : trailingOnes(e, rest);
        const part = zeros > 0 ? e.zero(zeros) : e.extract(a, at, length);
        result = result === NO_MATCH ? part : e.concat(part, result);
        at += length;
      }
      return result;
    },
  },
  /** match: (and (sext x) y), x of width 1, either way   result: (ite x y 0) */
  {
    name: "and-truth-mask",
    op: ["and"],
    apply: (e, a, b, _c, width) => {
      if (e.op(a) === SEXT && e.width(e.a(a)) === 1) return e.ite(e.a(a), b, e.zero(width));
      return e.op(b) === SEXT && e.width(e.a(b)) === 1 ? e.ite(e.a(b), a, e.zero(width)) : NO_MATCH;
    },
  },
  /** match: (or (sext x) y), x of width 1, either way   result: (ite x -1 y) */
  {
    name: "or-truth-mask",
    op: ["or"],
    apply: (e, a, b, _c, width) => {
      if (e.op(a) === SEXT && e.width(e.a(a)) === 1) return e.ite(e.a(a), e.allOnes(width), b);
      return e.op(b) === SEXT && e.width(e.a(b)) === 1 ? e.ite(e.a(b), e.allOnes(width), a) : NO_MATCH;
    },
  },
  /** match: (xor (sext x) c), x of width 1   result: (ite x ~c c) */
  {
    name: "xor-truth-mask",
    op: ["xor"],
    left: ["sext"],
    right: "constant",
    apply: (e, a, b) => (e.width(e.a(a)) === 1 ? e.ite(e.a(a), e.not(b), b) : NO_MATCH),
  },
  constantOnSext("or"),
  constantOnSext("xor"),
  ...BITWISE.map(constantChoice),
  ...BITWISE.map(constantOutwards),
  ...BITWISE.map(sexts),
  intoZeros("or"),
  intoZeros("xor"),
  ...BITWISE.map(parts),

  /** match: (not (not x))   result: x */
  { name: "not-not", op: ["not"], left: ["not"], apply: (e, a) => e.a(a) },
  /** match: (not (neg x))   result: (add x -1) */
  {
    name: "not-neg",
    op: ["not"],
    left: ["neg"],
    apply: (e, a, _b, _c, width) => e.binary(OPS.add.code, e.a(a), e.allOnes(width)),
  },
  /** match: (not (add x c))   result: (sub -1-c x) */
  {
    name: "not-sum",
    op: ["not"],
    left: ["add"],
    apply: (e, a) => (e.isConstant(e.b(a)) ? e.binary(OPS.sub.code, e.not(e.b(a)), e.a(a)) : NO_MATCH),
  },
  /** match: (not (sub c x))   result: (add x -1-c) */
  {
    name: "not-difference",
    op: ["not"],
    left: ["sub"],
    apply: (e, a) => (e.isConstant(e.a(a)) ? e.binary(OPS.add.code, e.b(a), e.not(e.a(a))) : NO_MATCH),
  },
  /** match: (not (xor x c))   result: (xor x ~c) */
  {
    name: "not-xor",
    op: ["not"],
    left: ["xor"],
    apply: (e, a) => (e.isConstant(e.b(a)) ? e.binary(XOR, e.a(a), e.not(e.b(a))) : NO_MATCH),
  },
  /** match: (not (zext x))   result: (concat -1 (not x)) */
  {
    name: "not-zext",
    op: ["not"],
    left: ["zext"],
    apply: (e, a, _b, _c, width) => e.concat(e.allOnes(width - e.width(e.a(a))), e.not(e.a(a))),
  },
  /** match: (not (sext x))   result: (sext (not x)) */
  { name: "not-sext", op: ["not"], left: ["sext"], apply: (e, a, _b, _c, width) => e.sext(e.not(e.a(a)), width) },
  /** match: (not (concat x y))   result: (concat (not x) (not y)) */
  { name: "not-concat", op: ["not"], left: ["concat"], apply: (e, a) => e.concat(e.not(e.a(a)), e.not(e.b(a))) },
  /** match: (not (ite p x y)), x or y a constant   result: (ite p (not x) (not y)) */
  {
    name: "not-choice",
    op: ["not"],
    left: ["ite"],
    apply: (e, a) =>
      e.isConstant(e.b(a)) || e.isConstant(e.c(a)) ? e.ite(e.a(a), e.not(e.b(a)), e.not(e.c(a))) : NO_MATCH,
  },
];

function rowsOfOnes(e: ExprArena, mask: ExprRef): number {
  const width = e.width(mask);
  let rows = 0;
  for (let at = 0; at < width && rows <= MASK_ROWS; ) {
    at += trailingZeros(e, e.extract(mask, at, width - at));
    if (at === width) break;
    rows++;
    at += trailingOnes(e, e.extract(mask, at, width - at));
  }
  return rows;
}

function isComplement(e: ExprArena, a: ExprRef, b: ExprRef): boolean {
  return (e.op(a) === NOT && e.a(a) === b) || (e.op(b) === NOT && e.a(b) === a);
}

/** Whether x is the operation with `operand` as one of its two. */
function hasOperand(e: ExprArena, op: number, x: ExprRef, operand: ExprRef): boolean {
  return e.op(x) === op && (e.a(x) === operand || e.b(x) === operand);
}
