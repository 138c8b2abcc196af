// The operations of generated code on floats, as expressions. A float is the bits of its format, 32 or 64 of them. What has
// an operation of its own in expr/ops.ts is that; comparisons are made of three (an unordered one is the opposite one
// denied), and what only looks at the sign or chooses between its operands is made of bits and choices.
// An operation that makes a number makes the one NaN of expr/ops.ts, and generated code puts the same into the machine's
// value (jit/shadow-floats.ts).

import type { ExprArena } from "../expr/arena.js";
import { type ExprRef, FLOAT_ROUNDING, OPS } from "../expr/ops.js";
import { TERNARY_OPERATIONS } from "../jit/symbolic-boundary.js";

import { exponentOf, significandOf, toDouble, toFloat } from "./float80-operations.js";

type FloatOperation = (arena: ExprArena, a: ExprRef, b: ExprRef, width: number, toWidth: number) => ExprRef;

const EQ = OPS.feq.code;
const LT = OPS.flt.code;
const LE = OPS.fle.code;

const binary =
  (code: number): FloatOperation =>
  (arena, a, b) =>
    arena.binary(code, a, b);
const swapped =
  (code: number): FloatOperation =>
  (arena, a, b) =>
    arena.binary(code, b, a);
const not =
  (operation: FloatOperation): FloatOperation =>
  (arena, a, b, width, toWidth) =>
    arena.not(operation(arena, a, b, width, toWidth));
const rounded =
  (mode: keyof typeof FLOAT_ROUNDING): FloatOperation =>
  (arena, a) =>
    arena.fround(FLOAT_ROUNDING[mode], a);
const converted =
  (op: "fcvt" | "ftosi" | "ftoui" | "sitof" | "uitof"): FloatOperation =>
  (arena, a, _b, _width, toWidth) =>
    arena.convert(op, toWidth, a);

export const FLOAT_OPERATIONS = {
  fadd: binary(OPS.fadd.code),
  fsub: binary(OPS.fsub.code),
  fmul: binary(OPS.fmul.code),
  fdiv: binary(OPS.fdiv.code),
  fneg: (arena, a, _b, width) => arena.binary(OPS.xor.code, a, signBit(arena, width)),
  fabs: (arena, a, _b, width) => magnitude(arena, a, width),
  copysign: (arena, a, b, width) => withSign(arena, a, b, width),
  sqrt: (arena, a) => arena.unary(OPS.fsqrt.code, a),
  rint: rounded("nearestEven"),
  "trunc.f": rounded("towardZero"),
  floor: rounded("down"),
  ceil: rounded("up"),
  round: rounded("nearestAway"),
  fraction: (arena, a, _b, width) => {
    const whole = arena.fround(FLOAT_ROUNDING.towardZero, a);
    const rest = arena.ite(arena.binary(EQ, a, whole), arena.zero(width), arena.binary(OPS.fsub.code, a, whole));
    return arena.ite(isNumber(arena, a), withSign(arena, rest, a, width), notANumber(arena, width));
  },
  minnum: (arena, a, b, width) => numberOf(arena, a, b, width, least(arena, a, b)),
  maxnum: (arena, a, b, width) => numberOf(arena, a, b, width, greatest(arena, a, b)),
  minimum: (arena, a, b, width) => numberOnly(arena, a, b, width, least(arena, a, b)),
  maximum: (arena, a, b, width) => numberOnly(arena, a, b, width, greatest(arena, a, b)),
  oeq: binary(EQ),
  ogt: swapped(LT),
  oge: swapped(LE),
  olt: binary(LT),
  ole: binary(LE),
  one: (arena, a, b) => arena.binary(OPS.or.code, arena.binary(LT, a, b), arena.binary(LT, b, a)),
  ord: (arena, a, b) => arena.binary(OPS.and.code, isNumber(arena, a), isNumber(arena, b)),
  ueq: (arena, a, b) => arena.not(arena.binary(OPS.or.code, arena.binary(LT, a, b), arena.binary(LT, b, a))),
  "ugt.f": not(binary(LE)),
  "uge.f": not(binary(LT)),
  "ult.f": not(swapped(LE)),
  "ule.f": not(swapped(LT)),
  une: not(binary(EQ)),
  uno: (arena, a, b) => arena.not(arena.binary(OPS.and.code, isNumber(arena, a), isNumber(arena, b))),
  fconvert: converted("fcvt"),
  fptosi: converted("ftosi"),
  fptoui: converted("ftoui"),
  sitofp: converted("sitof"),
  uitofp: converted("uitof"),
  f80Significand: (arena, a) => significandOf(arena, a),
  f80Exponent: (arena, a) => exponentOf(arena, a),
  f80ToDouble: (arena, a, b) => toDouble(arena, a, b),
  f80ToFloat: (arena, a, b) => toFloat(arena, a, b),
} as const satisfies Record<string, FloatOperation>;

/** a * b + c, by the code of TERNARY_OPERATIONS. */
export function ternary(arena: ExprArena, code: number, a: ExprRef, b: ExprRef, c: ExprRef): ExprRef {
  if (TERNARY_OPERATIONS[code] === "fma") return arena.ffma(a, b, c);
  return arena.binary(OPS.fadd.code, arena.binary(OPS.fmul.code, a, b), c);
}

function signBit(arena: ExprArena, width: number): ExprRef {
  return width === 32 ? arena.constant(32, -0x8000_0000, 0) : arena.constant(64, 0, -0x8000_0000);
}

function magnitude(arena: ExprArena, a: ExprRef, width: number): ExprRef {
  return arena.binary(OPS.and.code, a, arena.not(signBit(arena, width)));
}

function withSign(arena: ExprArena, a: ExprRef, sign: ExprRef, width: number): ExprRef {
  return arena.binary(OPS.or.code, magnitude(arena, a, width), arena.binary(OPS.and.code, sign, signBit(arena, width)));
}

function notANumber(arena: ExprArena, width: number): ExprRef {
  return width === 32 ? arena.constant(32, 0x7fc0_0000, 0) : arena.constant(64, 0, 0x7ff8_0000);
}

function isNumber(arena: ExprArena, a: ExprRef): ExprRef {
  return arena.binary(EQ, a, a);
}

/** Of two numbers. Equal ones have the same bits, but for the zeros, of which the negative one is less. */
function least(arena: ExprArena, a: ExprRef, b: ExprRef): ExprRef {
  const equal = arena.binary(OPS.or.code, a, b);
  return arena.ite(arena.binary(LT, a, b), a, arena.ite(arena.binary(LT, b, a), b, equal));
}
function greatest(arena: ExprArena, a: ExprRef, b: ExprRef): ExprRef {
  const equal = arena.binary(OPS.and.code, a, b);
  return arena.ite(arena.binary(LT, a, b), b, arena.ite(arena.binary(LT, b, a), a, equal));
}

/** `chosen` if both are numbers, else the one that is. */
function numberOf(arena: ExprArena, a: ExprRef, b: ExprRef, width: number, chosen: ExprRef): ExprRef {
  const other = arena.ite(isNumber(arena, a), a, notANumber(arena, width));
  return arena.ite(isNumber(arena, b), arena.ite(isNumber(arena, a), chosen, b), other);
}

/** `chosen` if both are numbers. */
function numberOnly(arena: ExprArena, a: ExprRef, b: ExprRef, width: number, chosen: ExprRef): ExprRef {
  const both = arena.binary(OPS.and.code, isNumber(arena, a), isNumber(arena, b));
  return arena.ite(both, chosen, notANumber(arena, width));
}
