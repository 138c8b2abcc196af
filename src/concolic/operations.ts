// The operations of generated code as expressions: one small function per entry of SYMBOLIC_OPERATIONS. What an
// expression means must be what the generated WebAssembly computes, bit for bit, also where LLVM calls the result
// undefined: the run has gone on with the machine's value, and an expression that disagrees makes every later
// prediction wrong. That concerns shifts by the width or more, which the machine takes modulo the size of its word.
//
// Conditions are built in the shape that says most about the input: an overflow test with a constant operand is a range
// test of the other one, not an addition in more bits. Counting bits and the like are built for few nodes.
// Alternative: a switch in one function; V8 stops optimising well at that size, and the table is easier to test.

import type { ExprArena } from "../expr/arena.js";
import { type ExprRef, OPS } from "../expr/ops.js";
import { SYMBOLIC_OPERATIONS, type SymbolicOperation } from "../jit/symbolic-boundary.js";
import { bitReverse, byteSwap, leadingZeros, popcount, rotate, trailingZeros } from "./bit-counting.js";
import { FLOAT_OPERATIONS } from "./float-operations.js";

/** Operands of `width` bits; b is 0 for operations of one operand; `toWidth` is for casts. */
export type Operation = (arena: ExprArena, a: ExprRef, b: ExprRef, width: number, toWidth: number) => ExprRef;

/** One operation of the arena. */
const plain =
  (code: number): Operation =>
  (arena, a, b) =>
    arena.binary(code, a, b);
/** With the operands exchanged: greater is less. */
const swapped =
  (code: number): Operation =>
  (arena, a, b) =>
    arena.binary(code, b, a);
const smaller =
  (code: number): Operation =>
  (arena, a, b) =>
    arena.ite(arena.binary(code, a, b), a, b);
const larger =
  (code: number): Operation =>
  (arena, a, b) =>
    arena.ite(arena.binary(code, a, b), b, a);

const SHL = OPS.shl.code;
const AND = OPS.and.code;
const OR = OPS.or.code;
const XOR = OPS.xor.code;
const ADD = OPS.add.code;
const SUB = OPS.sub.code;
const MUL = OPS.mul.code;
const EQ = OPS.eq.code;
const ULT = OPS.ult.code;
const SLT = OPS.slt.code;
const UDIV = OPS.udiv.code;
const SDIV = OPS.sdiv.code;

const IMPLEMENTED: Readonly<Record<SymbolicOperation, Operation>> = {
  none: (_arena, a) => a,
  add: plain(ADD),
  sub: plain(SUB),
  mul: plain(MUL),
  udiv: plain(UDIV),
  sdiv: plain(SDIV),
  urem: plain(OPS.urem.code),
  srem: plain(OPS.srem.code),
  shl: shift(SHL),
  lshr: shift(OPS.lshr.code),
  ashr: shift(OPS.ashr.code),
  and: plain(AND),
  or: plain(OR),
  xor: plain(XOR),
  eq: plain(EQ),
  ne: (arena, a, b) => arena.not(arena.binary(EQ, a, b)),
  ugt: swapped(ULT),
  uge: swapped(OPS.ule.code),
  ult: plain(ULT),
  ule: plain(OPS.ule.code),
  sgt: swapped(SLT),
  sge: swapped(OPS.sle.code),
  slt: plain(SLT),
  sle: plain(OPS.sle.code),
  trunc: (arena, a, _b, _width, toWidth) => arena.extract(a, 0, toWidth),
  zext: (arena, a, _b, _width, toWidth) => arena.zext(a, toWidth),
  sext: (arena, a, _b, _width, toWidth) => arena.sext(a, toWidth),
  uaddOverflows: (arena, a, b) => unsignedSumOverflows(arena, a, b),
  saddOverflows: (arena, a, b, width) => signedSumOverflows(arena, a, b, width),
  usubOverflows: plain(ULT),
  ssubOverflows: (arena, a, b, width) => signedDifferenceOverflows(arena, a, b, width),
  umulOverflows: (arena, a, b, width) => unsignedProductOverflows(arena, a, b, width),
  smulOverflows: (arena, a, b, width) => signedProductOverflows(arena, a, b, width),
  uaddSaturated: (arena, a, b, width) =>
    arena.ite(unsignedSumOverflows(arena, a, b), arena.allOnes(width), arena.binary(ADD, a, b)),
  saddSaturated: (arena, a, b, width) =>
    arena.ite(signedSumOverflows(arena, a, b, width), extremeOf(arena, a, width), arena.binary(ADD, a, b)),
  usubSaturated: (arena, a, b, width) => arena.ite(arena.binary(ULT, a, b), arena.zero(width), arena.binary(SUB, a, b)),
  ssubSaturated: (arena, a, b, width) =>
    arena.ite(signedDifferenceOverflows(arena, a, b, width), extremeOf(arena, a, width), arena.binary(SUB, a, b)),
  umin: smaller(ULT),
  umax: larger(ULT),
  smin: smaller(SLT),
  smax: larger(SLT),
  abs: (arena, a, _b, width) => arena.ite(negative(arena, a, width), arena.neg(a), a),
  popcount: (arena, a, _b, width) => popcount(arena, a, width),
  leadingZeros: (arena, a, _b, width) => leadingZeros(arena, a, width),
  trailingZeros: (arena, a, _b, width) => trailingZeros(arena, a, width),
  byteSwap: (arena, a, _b, width) => byteSwap(arena, a, width),
  bitReverse: (arena, a, _b, width) => bitReverse(arena, a, width),
  rotateLeft: (arena, a, b, width) => rotate(arena, a, b, width, true),
  rotateRight: (arena, a, b, width) => rotate(arena, a, b, width, false),
  ...FLOAT_OPERATIONS,
};

/** By code, as generated code names them. */
export const OPERATIONS: readonly Operation[] = SYMBOLIC_OPERATIONS.map((name) => IMPLEMENTED[name]);

// ---------------------------------------------------------------- shifts

/**
 * The machine's word has 32, 64 or 128 bits, the amount is taken modulo that. A narrower value lies in it extended, so
 * that an amount between the width and the word shifts everything out, which is what SMT-LIB's shifts do as well.
 */
function shift(code: number): Operation {
  return (arena, a, b, width) => arena.binary(code, a, machineAmount(arena, b, width));
}

function machineAmount(arena: ExprArena, amount: ExprRef, width: number): ExprRef {
  const word = width <= 32 ? 32 : width <= 64 ? 64 : 128;
  // Fewer than 6, 7 or 8 bits cannot say 32, 64 or 128. (Only narrow values get here: 5 bits in a word of 32.)
  if (width <= 5) return amount;
  if (arena.isConstant(amount) && arena.constantNumber(amount) < width) return amount;
  const mask = width <= 64 ? arena.constant(width, word - 1, 0) : arena.constantBig(width, 127n);
  return arena.binary(AND, amount, mask);
}

// ---------------------------------------------------------------- overflow

/** a + b >= 2^width, which is a > ~b. */
function unsignedSumOverflows(arena: ExprArena, a: ExprRef, b: ExprRef): ExprRef {
  return arena.isConstant(a) ? arena.binary(ULT, arena.not(a), b) : arena.binary(ULT, arena.not(b), a);
}

function signedSumOverflows(arena: ExprArena, a: ExprRef, b: ExprRef, width: number): ExprRef {
  if (arena.isConstant(b)) return sumWithConstantOverflows(arena, a, b, width);
  if (arena.isConstant(a)) return sumWithConstantOverflows(arena, b, a, width);
  // Both operands' signs differ from the sum's.
  const sum = arena.binary(ADD, a, b);
  return negative(arena, arena.binary(AND, arena.binary(XOR, a, sum), arena.binary(XOR, b, sum)), width);
}

function sumWithConstantOverflows(arena: ExprArena, a: ExprRef, constant: ExprRef, width: number): ExprRef {
  if (isNegative(arena, constant, width)) return arena.binary(SLT, a, arena.binary(SUB, least(arena, width), constant));
  return arena.binary(SLT, arena.binary(SUB, greatest(arena, width), constant), a);
}

function signedDifferenceOverflows(arena: ExprArena, a: ExprRef, b: ExprRef, width: number): ExprRef {
  if (arena.isConstant(b)) {
    if (isNegative(arena, b, width)) return arena.binary(SLT, arena.binary(ADD, greatest(arena, width), b), a);
    return arena.binary(SLT, a, arena.binary(ADD, least(arena, width), b));
  }
  if (arena.isConstant(a)) {
    if (isNegative(arena, a, width)) return arena.binary(SLT, arena.binary(SUB, a, least(arena, width)), b);
    return arena.binary(SLT, b, arena.binary(SUB, a, greatest(arena, width)));
  }
  // The operands' signs differ, and the result's is not the first one's.
  const difference = arena.binary(SUB, a, b);
  return negative(arena, arena.binary(AND, arena.binary(XOR, a, b), arena.binary(XOR, a, difference)), width);
}

function unsignedProductOverflows(arena: ExprArena, a: ExprRef, b: ExprRef, width: number): ExprRef {
  const factor = arena.isConstant(b) ? b : arena.isConstant(a) ? a : null;
  if (factor !== null) {
    if (factor === arena.zero(width)) return arena.FALSE;
    return arena.binary(ULT, arena.binary(UDIV, arena.allOnes(width), factor), factor === b ? a : b);
  }
  const product = arena.binary(MUL, arena.zext(a, 2 * width), arena.zext(b, 2 * width));
  return arena.not(arena.binary(EQ, arena.extract(product, width, width), arena.zero(width)));
}

function signedProductOverflows(arena: ExprArena, a: ExprRef, b: ExprRef, width: number): ExprRef {
  const factor = arena.isConstant(b) ? b : arena.isConstant(a) ? a : null;
  if (factor !== null) {
    const other = factor === b ? a : b;
    if (factor === arena.zero(width)) return arena.FALSE;
    // -1, which at width 1 is also the only other value.
    if (factor === arena.allOnes(width)) return arena.binary(EQ, other, least(arena, width));
    if (factor === arena.one(width)) return arena.FALSE;
    const above = arena.binary(SDIV, greatest(arena, width), factor);
    const below = arena.binary(SDIV, least(arena, width), factor);
    if (isNegative(arena, factor, width)) {
      return arena.binary(OR, arena.binary(SLT, other, above), arena.binary(SLT, below, other));
    }
    return arena.binary(OR, arena.binary(SLT, above, other), arena.binary(SLT, other, below));
  }
  const product = arena.binary(MUL, arena.sext(a, 2 * width), arena.sext(b, 2 * width));
  const cut = arena.sext(arena.extract(product, 0, width), 2 * width);
  return arena.not(arena.binary(EQ, cut, product));
}

/** What a signed saturated sum or difference is when it overflows: the extreme of the first operand's sign. */
function extremeOf(arena: ExprArena, a: ExprRef, width: number): ExprRef {
  return arena.ite(negative(arena, a, width), least(arena, width), greatest(arena, width));
}

function negative(arena: ExprArena, a: ExprRef, width: number): ExprRef {
  return arena.binary(SLT, a, arena.zero(width));
}

function isNegative(arena: ExprArena, constant: ExprRef, width: number): boolean {
  return negative(arena, constant, width) === arena.TRUE;
}

/** The least signed number. */
export function least(arena: ExprArena, width: number): ExprRef {
  if (width > 64) return arena.constantBig(width, 1n << BigInt(width - 1));
  return width <= 32 ? arena.constant(width, 1 << (width - 1), 0) : arena.constant(width, 0, 1 << (width - 33));
}

function greatest(arena: ExprArena, width: number): ExprRef {
  return arena.not(least(arena, width));
}
