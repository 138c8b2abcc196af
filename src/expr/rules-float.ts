// Rules of the floating-point operations: only what is true of IEEE numbers, not-a-number and both zeros among them. Most
// bring a question about floating point back to one about integers or about fewer bits, whose circuits are a fraction of the
// size: C promotes, converts and compares much more than it computes.
// "Tidy" is an expression whose bits, if they are no number, are the one pattern that operations give: only such a one may
// stand for the result of an operation that would have made them so.

import type { ExprArena } from "./arena.js";
import { knownSign } from "./constants.js";
import { floatOfBits } from "./float-fold.js";
import { type ExprRef, FLOAT_ROUNDING, givesFloat, OPS, type OpName } from "./ops.js";
import { NO_MATCH, type Rule } from "./rule.js";
import { MONOTONE_RULES } from "./rules-monotone.js";

const INTEGERS: readonly OpName[] = ["sitof", "uitof"];
const COMPARISONS: readonly OpName[] = ["feq", "flt", "fle"];
const [FEQ, FLT, FLE] = [OPS.feq.code, OPS.flt.code, OPS.fle.code];
const [SITOF, UITOF, FCVT] = [OPS.sitof.code, OPS.uitof.code, OPS.fcvt.code];

/** Of a constant. */
function numberOf(e: ExprArena, x: ExprRef): number {
  return floatOfBits(e.width(x), e.constantLow(x), e.constantHigh(x));
}

function isInteger(e: ExprArena, x: ExprRef): boolean {
  return e.op(x) === SITOF || e.op(x) === UITOF;
}

/** An integer made a float without rounding. */
function isExactInteger(e: ExprArena, x: ExprRef, width = e.width(x)): boolean {
  if (!isInteger(e, x)) return false;
  const bits = e.width(e.a(x)) - (e.op(x) === SITOF ? 1 : 0);
  return bits <= (width === 32 ? 24 : 53);
}

function isTidy(e: ExprArena, x: ExprRef): boolean {
  return e.isConstant(x) ? !Number.isNaN(numberOf(e, x)) : givesFloat(e.op(x));
}

/** The integer of an exact conversion, of so many bits, signed; more than it has. */
function integerOf(e: ExprArena, x: ExprRef, width: number): ExprRef {
  return e.op(x) === SITOF ? e.sext(e.a(x), width) : e.zext(e.a(x), width);
}

function isNumber(e: ExprArena, x: ExprRef): ExprRef {
  if (isInteger(e, x)) return e.TRUE;
  const width = e.width(x);
  const infinity = width === 32 ? e.constant(31, 0x7f80_0000, 0) : e.constant(63, 0, 0x7ff0_0000);
  return e.binary("ule", e.extract(x, 0, width - 1), infinity);
}

/** The comparison of integers that goes with one of floats. */
function asIntegers(e: ExprArena, op: number, a: ExprRef, b: ExprRef): ExprRef {
  return e.binary(op === FEQ ? "eq" : op === FLT ? "slt" : "sle", a, b);
}

/** (x op c), or (c op x): an exact integer against any number. Between integers the number is rounded to the side that counts. */
function integerAgainst(e: ExprArena, op: number, x: ExprRef, value: number, isLeft: boolean): ExprRef {
  if (op === FEQ && !Number.isInteger(value)) return e.FALSE;
  const up = op === FEQ || (op === FLT) === isLeft;
  const width = e.width(e.a(x)) + 2;
  const end = 2 ** (width - 1);
  const whole = up ? Math.ceil(value) : Math.floor(value);
  const limit = BigInt(Math.max(-end, Math.min(whole, end)));
  const bound = e.constantBig(width, limit === 1n << BigInt(width - 1) ? limit - 1n : limit);
  const integer = integerOf(e, x, width);
  return isLeft ? asIntegers(e, op, integer, bound) : asIntegers(e, op, bound, integer);
}

const [SCRATCH_FLOAT, SCRATCH_BITS] = (() => {
  const floats = new Float32Array(1);
  return [floats, new Int32Array(floats.buffer)] as const;
})();

/** A constant of 32 bits. */
function single(e: ExprArena, value: number): ExprRef {
  SCRATCH_FLOAT[0] = value;
  return e.constant(32, SCRATCH_BITS[0], 0);
}

/** The next float above (1) or below (-1) a float that is neither infinite in that direction nor no number. */
function neighbour(value: number, direction: 1 | -1): number {
  SCRATCH_FLOAT[0] = value;
  if (value === 0) SCRATCH_BITS[0] = direction > 0 ? 1 : 0x8000_0001 | 0;
  else SCRATCH_BITS[0] += value > 0 === direction > 0 ? 1 : -1;
  return SCRATCH_FLOAT[0];
}

/** (x op c), or (c op x), of a float made a double against any double. */
function widenedAgainst(e: ExprArena, op: number, x: ExprRef, value: number, isLeft: boolean): ExprRef {
  const narrow = Math.fround(value);
  const inner = e.a(x);
  if (narrow === value) {
    return isLeft ? e.binary(op, inner, single(e, narrow)) : e.binary(op, single(e, narrow), inner);
  }
  if (op === FEQ) return e.FALSE;
  // No float is equal to it: those below it are those up to the next one below.
  if (isLeft) return e.binary(FLE, inner, single(e, narrow < value ? narrow : neighbour(narrow, -1)));
  return e.binary(FLE, single(e, narrow > value ? narrow : neighbour(narrow, 1)), inner);
}

/** The same number in 32 bits, if it surely is one. */
function narrowed(e: ExprArena, x: ExprRef): ExprRef {
  if (e.isConstant(x)) {
    const value = numberOf(e, x);
    return Math.fround(value) === value ? single(e, value) : NO_MATCH;
  }
  if (e.op(x) === FCVT) return e.a(x);
  return isExactInteger(e, x, 32) ? e.convert(e.op(x), 32, e.a(x)) : NO_MATCH;
}

function isValue(e: ExprArena, x: ExprRef, value: number): boolean {
  return e.isConstant(x) && Object.is(numberOf(e, x), value);
}

/** Rules for one comparison, since a rule is not told which operation it is for. */
function comparisonRules(name: OpName): Rule[] {
  const op = OPS[name].code;
  return [
    /** match: (feq x x), (fle x x)   result: x is a number      match: (flt x x)   result: false */
    {
      name: `${name}-same`,
      op: [name],
      right: "symbolic",
      apply: (e, a, b) => (a !== b ? NO_MATCH : op === FLT ? e.FALSE : isNumber(e, a)),
    },
    /** match: (op (sitof x) (uitof y)), exact   result: the integers compared */
    {
      name: `${name}-integers`,
      op: [name],
      left: INTEGERS,
      right: "symbolic",
      apply: (e, a, b) => {
        if (!isExactInteger(e, a) || !isExactInteger(e, b)) return NO_MATCH;
        const width = Math.max(e.width(e.a(a)), e.width(e.a(b))) + 1;
        return asIntegers(e, op, integerOf(e, a, width), integerOf(e, b, width));
      },
    },
    /** match: (op (sitof x) c), exact, c a number   result: x compared with c rounded to the side that counts */
    {
      name: `${name}-integer-constant`,
      op: [name],
      left: INTEGERS,
      right: "constant",
      apply: (e, a, b) =>
        isExactInteger(e, a) && isTidy(e, b) ? integerAgainst(e, op, a, numberOf(e, b), true) : NO_MATCH,
    },
    /** match: (op (fcvt x) (fcvt y)), of 64 bits   result: (op x y) */
    {
      name: `${name}-widened`,
      op: [name],
      left: ["fcvt"],
      right: "symbolic",
      apply: (e, a, b) => (e.width(a) === 64 && e.op(b) === FCVT ? e.binary(op, e.a(a), e.a(b)) : NO_MATCH),
    },
    /** match: (op (fcvt x) c), of 64 bits, c a number   result: x compared with c, or with the float next to it */
    {
      name: `${name}-widened-constant`,
      op: [name],
      left: ["fcvt"],
      right: "constant",
      apply: (e, a, b) =>
        e.width(a) === 64 && isTidy(e, b) ? widenedAgainst(e, op, a, numberOf(e, b), true) : NO_MATCH,
    },
  ];
}

/** The same with the constant on the left, where operands keep their places. */
function reversedRules(name: "flt" | "fle"): Rule[] {
  const op = OPS[name].code;
  return [
    /** match: (op c (sitof x)), exact, c a number   result: c, rounded to the side that counts, compared with x */
    {
      name: `${name}-constant-integer`,
      op: [name],
      left: ["constant"],
      apply: (e, a, b) =>
        isExactInteger(e, b) && isTidy(e, a) ? integerAgainst(e, op, b, numberOf(e, a), false) : NO_MATCH,
    },
    /** match: (op c (fcvt x)), of 64 bits, c a number   result: c, or the float next to it, compared with x */
    {
      name: `${name}-constant-widened`,
      op: [name],
      left: ["constant"],
      apply: (e, a, b) =>
        e.op(b) === FCVT && e.width(b) === 64 && isTidy(e, a)
          ? widenedAgainst(e, op, b, numberOf(e, a), false)
          : NO_MATCH,
    },
  ];
}

function narrowingRule(name: "fadd" | "fsub" | "fmul" | "fdiv"): Rule {
  /** match: (fcvt (op (fcvt x) (fcvt y))), to 32 bits   result: (op x y); doubles have the bits to round twice unharmed */
  return {
    name: `fcvt-${name}`,
    op: ["fcvt"],
    left: [name],
    apply: (e, a, _b, _c, width) => {
      if (width !== 32) return NO_MATCH;
      const x = narrowed(e, e.a(a));
      const y = x === NO_MATCH ? NO_MATCH : narrowed(e, e.b(a));
      return y === NO_MATCH ? NO_MATCH : e.binary(name, x, y);
    },
  };
}

/** Number of high bits that are always 0. */
function leadingZeros(e: ExprArena, x: ExprRef): number {
  const width = e.width(x);
  const high = Math.clz32(~e.facts.zerosHigh(x));
  const all = high < 32 ? high : 32 + Math.clz32(~e.facts.zerosLow(x));
  return all - (64 - width);
}

export const FLOAT_RULES: readonly Rule[] = [
  ...COMPARISONS.flatMap(comparisonRules),
  ...reversedRules("flt"),
  ...reversedRules("fle"),
  ...MONOTONE_RULES,
  /** match: (feq x c)   result: c is no number: false; zero: all bits but the sign are 0; else (eq x c) */
  {
    name: "feq-constant",
    op: ["feq"],
    right: "constant",
    apply: (e, a, b) => {
      const value = numberOf(e, b);
      if (Number.isNaN(value)) return e.FALSE;
      if (value !== 0) return e.binary("eq", a, b);
      const width = e.width(a) - 1;
      return e.binary("eq", e.extract(a, 0, width), e.zero(width));
    },
  },
  /** match: (flt x c), (fle x c), c no number; (flt x -inf)   result: false      match: (fle x inf)   result: x is a number */
  ...(["flt", "fle"] as const).map(
    (name): Rule => ({
      name: `${name}-end`,
      op: [name],
      right: "constant",
      apply: (e, a, b) => {
        const value = numberOf(e, b);
        if (Number.isNaN(value) || (name === "flt" && value === Number.NEGATIVE_INFINITY)) return e.FALSE;
        return name === "fle" && value === Number.POSITIVE_INFINITY ? isNumber(e, a) : NO_MATCH;
      },
    }),
  ),
  /** match: (flt c x), (fle c x), c no number; (flt inf x)   result: false      match: (fle -inf x)   result: x is a number */
  ...(["flt", "fle"] as const).map(
    (name): Rule => ({
      name: `${name}-begin`,
      op: [name],
      left: ["constant"],
      apply: (e, a, b) => {
        const value = numberOf(e, a);
        if (Number.isNaN(value) || (name === "flt" && value === Number.POSITIVE_INFINITY)) return e.FALSE;
        return name === "fle" && value === Number.NEGATIVE_INFINITY ? isNumber(e, b) : NO_MATCH;
      },
    }),
  ),
  /** match: (fadd x -0), x tidy   result: x */
  {
    name: "fadd-nothing",
    op: ["fadd"],
    right: "constant",
    apply: (e, a, b) => (isValue(e, b, -0) && isTidy(e, a) ? a : NO_MATCH),
  },
  /** match: (fsub x 0), x tidy   result: x */
  {
    name: "fsub-nothing",
    op: ["fsub"],
    right: "constant",
    apply: (e, a, b) => (isValue(e, b, 0) && isTidy(e, a) ? a : NO_MATCH),
  },
  /** match: (fmul x 1), (fdiv x 1), x tidy   result: x */
  {
    name: "fmul-one",
    op: ["fmul", "fdiv"],
    right: "constant",
    apply: (e, a, b) => (isValue(e, b, 1) && isTidy(e, a) ? a : NO_MATCH),
  },
  ...(["fadd", "fsub", "fmul", "fdiv"] as const).map(narrowingRule),
  /** match: (fcvt (fsqrt (fcvt x))), to 32 bits   result: (fsqrt x) */
  {
    name: "fcvt-fsqrt",
    op: ["fcvt"],
    left: ["fsqrt"],
    apply: (e, a, _b, _c, width) => {
      const x = width === 32 ? narrowed(e, e.a(a)) : NO_MATCH;
      return x === NO_MATCH ? NO_MATCH : e.unary("fsqrt", x);
    },
  },
  /** match: (fcvt (fcvt x)), to 64 bits and back, x tidy   result: x */
  {
    name: "fcvt-back",
    op: ["fcvt"],
    left: ["fcvt"],
    apply: (e, a, _b, _c, width) => (width === 32 && isTidy(e, e.a(a)) ? e.a(a) : NO_MATCH),
  },
  /** match: (fcvt (sitof x)), exact   result: (sitof x) */
  {
    name: "fcvt-integer",
    op: ["fcvt"],
    left: INTEGERS,
    apply: (e, a, _b, _c, width) => (isExactInteger(e, a) ? e.convert(e.op(a), width, e.a(a)) : NO_MATCH),
  },
  /** match: (fround (sitof x)), (fround (fround x))   result: what is rounded already */
  { name: "fround-integral", op: ["fround"], left: ["sitof", "uitof", "fround"], apply: (_e, a) => a },
  /** match: (ftosi (sitof x)), exact and not wider   result: (sext x) */
  {
    name: "ftosi-integer",
    op: ["ftosi", "ftoui"],
    left: INTEGERS,
    apply: (e, a, _b, _c, width) => {
      const bits = e.width(e.a(a)) + (e.op(a) === UITOF ? 1 : 0);
      return isExactInteger(e, a) && bits <= width ? integerOf(e, a, width) : NO_MATCH;
    },
  },
  /** match: (ftosi (fround x)), toward zero   result: (ftosi x) */
  ...(["ftosi", "ftoui"] as const).map(
    (name): Rule => ({
      name: `${name}-truncated`,
      op: [name],
      left: ["fround"],
      apply: (e, a, _b, _c, width) =>
        e.payload(a) === FLOAT_ROUNDING.towardZero ? e.convert(name, width, e.a(a)) : NO_MATCH,
    }),
  ),
  /** match: (sitof (sext x))   result: (sitof x) */
  {
    name: "sitof-sext",
    op: ["sitof"],
    left: ["sext"],
    apply: (e, a, _b, _c, width) => e.convert("sitof", width, e.a(a)),
  },
  /** match: (sitof x), x never negative   result: (uitof x) */
  {
    name: "sitof-natural",
    op: ["sitof"],
    apply: (e, a, _b, _c, width) => (knownSign(e, a) === 0 ? e.convert("uitof", width, a) : NO_MATCH),
  },
  /** match: (uitof x), high bits of x always 0   result: (uitof (the low bits of x)) */
  {
    name: "uitof-short",
    op: ["uitof"],
    apply: (e, a, _b, _c, width) => {
      const zeros = leadingZeros(e, a);
      return zeros > 0 ? e.convert("uitof", width, e.extract(a, 0, e.width(a) - zeros)) : NO_MATCH;
    },
  },
];
