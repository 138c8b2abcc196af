// The operations of bit-vector expressions: one table from which constructors, evaluation, bit-blasting and SMT-LIB
// printing derive. Everything is a bit-vector; a truth value is a bit-vector of width 1. Division by zero and
// over-wide shifts mean what SMT-LIB says (udiv x 0 is all ones, urem x 0 is x, a shift by the width or more gives
// zero or copies of the sign), so that a formula means the same to every solver; what C calls undefined is kept off a
// path by a check, not by the meaning of an operation.
// A floating-point number is the bit-vector of its IEEE 754 bits, 32 or 64 of them. Results are rounded to nearest, ties to
// even; a result that is not a number is always the same one (positive, quiet, no payload), so that an operation has one
// value. What is only a matter of bits (negation, absolute value, class tests) has no operation of its own.

export interface OpInfo {
  readonly code: number;
  /** Number of operands that are expressions. */
  readonly arity: number;
  /** SMT-LIB 2 name, or null where printing needs more than a name. */
  readonly smt: string | null;
  /** How the width of the result follows: from the first operand, always 1, or given. */
  readonly width: "operand" | "one" | "given";
  readonly commutative?: boolean;
}

export const OPS = {
  /** payload: the value. */
  constant: { code: 1, arity: 0, smt: null, width: "given" },
  /** payload: the index of an input byte; always 8 bits wide. */
  variable: { code: 2, arity: 0, smt: null, width: "given" },
  add: { code: 3, arity: 2, smt: "bvadd", width: "operand", commutative: true },
  sub: { code: 4, arity: 2, smt: "bvsub", width: "operand" },
  mul: { code: 5, arity: 2, smt: "bvmul", width: "operand", commutative: true },
  udiv: { code: 6, arity: 2, smt: "bvudiv", width: "operand" },
  sdiv: { code: 7, arity: 2, smt: "bvsdiv", width: "operand" },
  urem: { code: 8, arity: 2, smt: "bvurem", width: "operand" },
  srem: { code: 9, arity: 2, smt: "bvsrem", width: "operand" },
  and: { code: 10, arity: 2, smt: "bvand", width: "operand", commutative: true },
  or: { code: 11, arity: 2, smt: "bvor", width: "operand", commutative: true },
  xor: { code: 12, arity: 2, smt: "bvxor", width: "operand", commutative: true },
  shl: { code: 13, arity: 2, smt: "bvshl", width: "operand" },
  lshr: { code: 14, arity: 2, smt: "bvlshr", width: "operand" },
  ashr: { code: 15, arity: 2, smt: "bvashr", width: "operand" },
  not: { code: 16, arity: 1, smt: "bvnot", width: "operand" },
  neg: { code: 17, arity: 1, smt: "bvneg", width: "operand" },
  eq: { code: 18, arity: 2, smt: "=", width: "one", commutative: true },
  ult: { code: 19, arity: 2, smt: "bvult", width: "one" },
  ule: { code: 20, arity: 2, smt: "bvule", width: "one" },
  slt: { code: 21, arity: 2, smt: "bvslt", width: "one" },
  sle: { code: 22, arity: 2, smt: "bvsle", width: "one" },
  /** payload: the lowest bit taken. */
  extract: { code: 23, arity: 1, smt: null, width: "given" },
  /** The first operand is the high part. */
  concat: { code: 24, arity: 2, smt: "concat", width: "given" },
  zext: { code: 25, arity: 1, smt: null, width: "given" },
  sext: { code: 26, arity: 1, smt: null, width: "given" },
  /** (condition of width 1, then, else). */
  ite: { code: 27, arity: 3, smt: null, width: "given" },
  /** payload: a table of expressions of equal width; the operand indexes it, beyond its end the value is 0. */
  lookup: { code: 28, arity: 1, smt: null, width: "given" },
  fadd: { code: 29, arity: 2, smt: "fp.add", width: "operand", commutative: true },
  fsub: { code: 30, arity: 2, smt: "fp.sub", width: "operand" },
  fmul: { code: 31, arity: 2, smt: "fp.mul", width: "operand", commutative: true },
  fdiv: { code: 32, arity: 2, smt: "fp.div", width: "operand" },
  fsqrt: { code: 33, arity: 1, smt: "fp.sqrt", width: "operand" },
  /** First operand times second plus third, rounded once. */
  ffma: { code: 34, arity: 3, smt: "fp.fma", width: "operand" },
  /** Comparisons are false if an operand is not a number; the two zeros are equal. */
  feq: { code: 35, arity: 2, smt: "fp.eq", width: "one", commutative: true },
  flt: { code: 36, arity: 2, smt: "fp.lt", width: "one" },
  fle: { code: 37, arity: 2, smt: "fp.leq", width: "one" },
  /** payload: the mode (FLOAT_ROUNDING). The value becomes integral. */
  fround: { code: 38, arity: 1, smt: null, width: "operand" },
  /** From 32 to 64 bits or back. */
  fcvt: { code: 39, arity: 1, smt: null, width: "given" },
  /** Toward zero, to 32 or 64 bits; the smallest integer if it does not fit or is no number (as x86-64 does). */
  ftosi: { code: 40, arity: 1, smt: null, width: "given" },
  /** The same to 64 bits, where 2^63 to 2^64 is inside too, as large unsigned integers. */
  ftoui: { code: 41, arity: 1, smt: null, width: "given" },
  sitof: { code: 42, arity: 1, smt: null, width: "given" },
  uitof: { code: 43, arity: 1, smt: null, width: "given" },
} as const satisfies Record<string, OpInfo>;
export type OpName = keyof typeof OPS;

/** Operations of two operands of equal width, named as the constructor `binary` takes them. */
export type BinaryName =
  | "add" | "sub" | "mul" | "udiv" | "sdiv" | "urem" | "srem" | "and" | "or" | "xor" | "shl" | "lshr" | "ashr"
  | "eq" | "ult" | "ule" | "slt" | "sle" | FloatBinaryName; // biome-ignore format: read as two lines

/** The same of floating-point numbers: widths are 32 or 64. */
export type FloatBinaryName = "fadd" | "fsub" | "fmul" | "fdiv" | "feq" | "flt" | "fle";
/** Conversions between floating-point numbers and integers, and between the two widths. */
export type FloatConversionName = "fcvt" | "ftosi" | "ftoui" | "sitof" | "uitof";
/** How `fround` rounds. */
export const FLOAT_ROUNDING = { nearestEven: 0, towardZero: 1, down: 2, up: 3, nearestAway: 4 } as const;
export type FloatRounding = (typeof FLOAT_ROUNDING)[keyof typeof FLOAT_ROUNDING];
/** Operations with this code and larger ones are about floating-point numbers. */
export const FIRST_FLOAT_OP = OPS.fadd.code;
/** Whether an operation's result is a floating-point number. */
export function givesFloat(op: number): boolean {
  if (op < FIRST_FLOAT_OP || op === OPS.ftosi.code || op === OPS.ftoui.code) return false;
  return op !== OPS.feq.code && op !== OPS.flt.code && op !== OPS.fle.code;
}
/** Whether an operation's operands are floating-point numbers. */
export function takesFloats(op: number): boolean {
  return op >= FIRST_FLOAT_OP && op !== OPS.sitof.code && op !== OPS.uitof.code;
}
/** Larger than every code. */
export const OP_CODES = 64;

/** An expression: an index into its arena. Operands have smaller indices than what is built of them. */
export type ExprRef = number & { readonly brand: "ExprRef" };
/** No expression: the value is concrete on this path. */
export const CONCRETE = 0 as ExprRef;
