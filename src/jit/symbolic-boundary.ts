// The symbolic half of the boundary between generated code and TypeScript, read by both sides. A program translated with
// `shadows` carries an i32 beside every value that may be symbolic: an index into the host's expression arena, 0 for
// concrete. Generated code calls these functions only when a shadow is set, so a concrete path never leaves it.
//
// All parameters and results are i32; a 64-bit value goes as (low, high). A result is a shadow unless said otherwise.
// "Site" is an index into ProgramImage.sites. Concrete checks have been made before: an address that arrives here was
// addressable on this run, a divisor was not zero unless said otherwise.

import type { HostFunction } from "./boundary.js";

export const SYMBOLIC_FUNCTIONS = {
  /**
   * (code, sa, sb, a low, a high, b low, b high): the operation `code & 0xff` of SYMBOLIC_OPERATIONS on operands of width
   * (code >> 8) & 0xff (0 means 256 and does not occur), to width (code >> 16) & 0xff for casts. A shadow of 0 means the operand is the
   * constant given as (low, high), of which only the low `width` bits count. At least one shadow is set.
   */
  operate: { symbol: null, params: 7, result: true },
  /** (site, code, sa, sb, a low, a high, b low, b high): as `operate`, for divisions and remainders: checks the divisor. */
  divide: { symbol: null, params: 8, result: true },
  /**
   * (code, sa, sb, sc): the operation `code & 0xff` of TERNARY_OPERATIONS on three operands of width code >> 8; the constants
   * among them are words at CONTROL.wideOperands, two each.
   */
  operateThree: { symbol: null, params: 4, result: true },
  /** (width, sc, st, sf, t low, t high, f low, f high): if-then-else; sc is set. */
  choice: { symbol: null, params: 8, result: true },
  /**
   * (code, a0, a1, b0, b1, value words: a 4 x i32, b 4 x i32 by address): an operation on 65 to 128 bits. Each operand is two
   * shadows (low 64 bits, the rest) and, for those that are 0, words at the address CONTROL.wideOperands (a: 4 words, then b).
   * Returns the shadow of the whole result; generated code takes it apart with `extract`.
   */
  operateWide: { symbol: null, params: 5, result: true },
  /** (shadow, low bit, width): a slice of an expression. */
  extract: { symbol: null, params: 3, result: true },
  /** (site, condition's shadow, taken 0/1): a two-way branch on a symbolic condition. */
  branch: { symbol: null, params: 3, result: false },
  /** (coverage number, condition's shadow): a joined branch did not lead there; under the condition it does. */
  side: { symbol: null, params: 2, result: false },
  /** (site, shadow, low, high): a switch; the cases are in ProgramImage.sites. */
  switchOn: { symbol: null, params: 4, result: false },
  /** (site, index into PIN_REASONS, shadow, width, low, high): the value is made concrete. */
  pin: { symbol: null, params: 6, result: false },
  /** (address, size 1..8): the shadow of bytes at a concrete address, 0 if all are concrete. */
  loadBytes: { symbol: "__tangent_host_load_bytes", params: 2, result: true },
  /** (address, size 1..8, shadow of 8 * size bits or 0): the bytes there now hold this. Keeps the states right. */
  storeBytes: { symbol: "__tangent_host_store_bytes", params: 3, result: false },
  /** (site, address shadow, address low, address high, size): what a load at a symbolic address yields. */
  readAt: { symbol: "__tangent_host_read_at", params: 5, result: true },
  /**
   * (site, address shadow, address low, address high, size, value shadow, value low, value high): a store at a symbolic address,
   * about to be made. The value is given whether it has a shadow or not.
   */
  writeAt: { symbol: "__tangent_host_write_at", params: 8, result: false },
  /**
   * (site, address shadow, address low, address high, size, write 0/1, object, bytes): an access that is about to be refused. If
   * `bytes` is not 0, because it is not in the object that is meant.
   */
  refusedAt: { symbol: "__tangent_host_refused_at", params: 8, result: false },
  /**
   * (site, address shadow, address low, address high, size shadow, size low, size high, write 0/1): a copy or fill is about
   * to touch a range of which one of the two is symbolic.
   */
  rangeAt: { symbol: null, params: 8, result: false },
  /**
   * (site, destination, source, size shadow, size, whether the ranges may overlap 0/1): a copy whose size is symbolic is about to be
   * made. The size may be any that the checks before allow, or it is made concrete.
   */
  copyLength: { symbol: null, params: 6, result: false },
  /** (site, destination, byte, byte's shadow, size shadow, size): the same for a fill. */
  fillLength: { symbol: null, params: 6, result: false },
  /** (): the last of these two has been made. */
  lengthDone: { symbol: null, params: 0, result: false },
  /** (destination, source, size): the shadows of a range are copied (as memmove does). */
  copyBytes: { symbol: "__tangent_host_copy_bytes", params: 3, result: false },
  /** (destination, size, shadow of one byte or 0): a range is filled. */
  fillBytes: { symbol: "__tangent_host_fill_bytes", params: 3, result: false },
  /**
   * (index into ProgramImage.functions): a function whose byte in the hook table is set was called. Its arguments lie in
   * CONTROL.mismatchedCall (64 bits per part) and their shadows in CONTROL.argumentShadows. Returns 0 to go on into the
   * function, 1 if the host has put a result into CONTROL.mismatchedCall and its shadows into CONTROL.resultShadows.
   */
  hooked: { symbol: null, params: 1, result: true },
} as const satisfies Record<string, HostFunction>;
export type SymbolicFunctionName = keyof typeof SYMBOLIC_FUNCTIONS;

/** What `operate` can be asked for: LLVM's operations, by code. Comparisons and `...Overflows` give width 1. */
export const SYMBOLIC_OPERATIONS = [
  "none",
  "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
  "eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle",
  "trunc", "zext", "sext",
  "uaddOverflows", "saddOverflows", "usubOverflows", "ssubOverflows", "umulOverflows", "smulOverflows",
  "uaddSaturated", "saddSaturated", "usubSaturated", "ssubSaturated",
  "umin", "umax", "smin", "smax", "abs", "popcount", "leadingZeros", "trailingZeros", "byteSwap", "bitReverse",
  "rotateLeft", "rotateRight",
  // Floats, as the bits of their format; the width says which.
  "fadd", "fsub", "fmul", "fdiv", "fneg", "fabs", "copysign", "sqrt",
  "rint", "trunc.f", "floor", "ceil", "round", "fraction", "minnum", "maxnum", "minimum", "maximum",
  "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt.f", "uge.f", "ult.f", "ule.f", "une", "uno",
  "fconvert", "fptosi", "fptoui", "sitofp", "uitofp",
  // The parts of a double as 80 bits, 64 bits each, and back from these two.
  "f80Significand", "f80Exponent", "f80ToDouble", "f80ToFloat",
] as const; // biome-ignore format: a table
export type SymbolicOperation = (typeof SYMBOLIC_OPERATIONS)[number];

export function operationCode(operation: SymbolicOperation, width: number, toWidth = 0): number {
  return SYMBOLIC_OPERATIONS.indexOf(operation) | (width << 8) | (toWidth << 16);
}

/** What `operateThree` can be asked for, by code: a * b + c, rounded once or after each step. */
export const TERNARY_OPERATIONS = ["fma", "fmuladd"] as const;
export type TernaryOperation = (typeof TERNARY_OPERATIONS)[number];

export function ternaryCode(operation: TernaryOperation, width: number): number {
  return TERNARY_OPERATIONS.indexOf(operation) | (width << 8);
}

/** Why a value is made concrete: the second argument of `pin`. path/observer.ts has the same names in the same order. */
export const PIN_REASON_CODES = {
  "store-address": 0,
  "load-address": 1,
  "allocation-size": 2,
  "copy-size": 3,
  "floating-point": 4,
  "system-call": 5,
  "call-target": 6,
  vector: 7,
  runtime: 8,
  "get-value": 9,
} as const;
export type PinReasonName = keyof typeof PIN_REASON_CODES;

/** What a site is: where in the program a decision, check or loss of precision happens. */
export interface Site {
  readonly kind: "branch" | "switch" | "access" | "division" | "pin" | "call";
  /** Index into ProgramImage.functions. */
  readonly functionIndex: number;
  /** Index into ProgramImage.locations, -1 if unknown. */
  readonly location: number;
  /** Coverage numbers of the blocks that can follow (branch: then, else; switch: default, then one per distinct target), -1 if not counted. */
  readonly successors: readonly number[];
  /** switch: for each distinct target but the default, the case values that lead to it, as [low, high] pairs; and the width. */
  readonly cases: readonly (readonly (readonly [number, number])[])[];
  readonly width: number;
}

/** Shadows of arguments and results travel in memory; see jit/shadow-pass.ts. The places of variadic ones come last. */
export const MAX_SHADOW_ARGUMENTS = 256;
export const FIRST_VARIADIC_SLOT = 128;
