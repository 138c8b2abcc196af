// Intrinsics on integers: counting, byte and bit order, funnel shifts, minimum and maximum, saturation, and arithmetic
// that tells of overflow. All work on values up to 64 bits, overflow arithmetic and byte order up to 128.

import type { InstructionOf, Value } from "../ir/values.js";
import { emitHighProduct } from "./emit-wide.js";
import { emitWideLane, emitWideOverflow } from "./emit-wide-bits.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { type Part, partsOf, ShapeError } from "./shape.js";
import { W } from "./wasm.js";

type Call = InstructionOf<"call">;

/** Emits the intrinsic if it is one of ours. */
export function emitBits(e: FunctionEmitter, i: Call, stem: string): boolean {
  if (stem === "scmp" || stem === "ucmp") {
    emitThreeWay(e, i, stem === "scmp");
    return true;
  }
  const overflow = /^(s|u)(add|sub|mul)\.with\.overflow$/.exec(stem);
  if (overflow !== null) {
    emitOverflow(e, i, overflow[1] === "s", overflow[2] as "add" | "sub" | "mul");
    return true;
  }
  if (stem.startsWith("vector.reduce.")) return emitReduction(e, i, stem.slice("vector.reduce.".length));
  const lane = LANE[stem];
  if (lane === undefined) return false;
  const element = i.type.kind === "vector" ? i.type.element : i.type;
  const parts = partsOf(element);
  const total = partsOf(i.type).length;
  for (let k = 0; k < total; k += parts.length) {
    if (parts.length === 1) lane(e, i, parts[0], k);
    else emitWideLane(e, i, stem, parts, k);
  }
  return true;
}

const REDUCTIONS: Readonly<Record<string, { readonly i32: number; readonly i64: number }>> = {
  add: { i32: W.i32_add, i64: W.i64_add },
  mul: { i32: W.i32_mul, i64: W.i64_mul },
  and: { i32: W.i32_and, i64: W.i64_and },
  or: { i32: W.i32_or, i64: W.i64_or },
  xor: { i32: W.i32_xor, i64: W.i64_xor },
};
const REDUCED_CHOICES: Readonly<
  Record<string, { readonly i32: number; readonly i64: number; readonly signed: boolean }>
> = {
  smax: { i32: W.i32_gt_s, i64: W.i64_gt_s, signed: true },
  smin: { i32: W.i32_lt_s, i64: W.i64_lt_s, signed: true },
  umax: { i32: W.i32_gt_u, i64: W.i64_gt_u, signed: false },
  umin: { i32: W.i32_lt_u, i64: W.i64_lt_u, signed: false },
};

/** One value from all lanes of a vector, from the first to the last. False if it is none of these. */
function emitReduction(e: FunctionEmitter, i: Call, operation: string): boolean {
  const vector = i.operands[1];
  const parts = partsOf(i.type);
  const simple = REDUCTIONS[operation];
  const choice = REDUCED_CHOICES[operation];
  if ((simple === undefined && choice === undefined) || i.type.kind !== "int" || parts.length !== 1) return false;
  const part = parts[0];
  const lanes = partsOf(vector.type).length;
  e.push(vector, 0);
  for (let k = 1; k < lanes; k++) {
    if (simple !== undefined) {
      e.push(vector, k);
      op(e, part, simple.i32, simple.i64);
      continue;
    }
    const best = e.temp(part.wasm);
    const next = e.local(vector, k);
    e.set(best);
    e.get(best);
    e.get(next);
    for (const local of [best, next]) {
      e.get(local);
      if (choice.signed) e.signExtend(part);
    }
    op(e, part, choice.i32, choice.i64);
    e.op(W.select);
  }
  e.mask(part);
  return true;
}

/** -1, 0 or 1: (a > b) - (a < b). */
function emitThreeWay(e: FunctionEmitter, i: Call, signed: boolean): void {
  const [, a, b] = i.operands;
  const operand = a.type.kind === "vector" ? null : partsOf(a.type);
  const result = partsOf(i.type);
  if (operand === null || operand.length !== 1 || result.length !== 1) throw new ShapeError("a three-way comparison");
  const x = e.local(a);
  const y = e.local(b);
  const compare = (i32: number, i64: number): void => {
    for (const local of [x, y]) {
      e.get(local);
      if (signed) e.signExtend(operand[0]);
    }
    op(e, operand[0], i32, i64);
  };
  compare(signed ? W.i32_gt_s : W.i32_gt_u, signed ? W.i64_gt_s : W.i64_gt_u);
  compare(signed ? W.i32_lt_s : W.i32_lt_u, signed ? W.i64_lt_s : W.i64_lt_u);
  e.op(W.i32_sub);
  if (result[0].wasm === "i64") e.op(W.i64_extend_i32_s);
  e.mask(result[0]);
}

type Lane = (e: FunctionEmitter, i: Call, part: Part, k: number) => void;

function constant(e: FunctionEmitter, part: Part, value: bigint): void {
  if (part.wasm === "i64") e.i64(value);
  else e.i32(Number(BigInt.asIntN(32, value)));
}
function op(e: FunctionEmitter, part: Part, i32: number, i64: number): void {
  e.op(part.wasm === "i64" ? i64 : i32);
}
function width(part: Part): bigint {
  return part.wasm === "i64" ? 64n : 32n;
}

const choose =
  (i32: number, i64: number, signed: boolean): Lane =>
  (e, i, part, k) => {
    const a = e.local(i.operands[1], k);
    const b = e.local(i.operands[2], k);
    e.get(a);
    e.get(b);
    for (const local of [a, b]) {
      e.get(local);
      if (signed) e.signExtend(part);
    }
    op(e, part, i32, i64);
    e.op(W.select);
  };

const LANE: Readonly<Record<string, Lane>> = {
  ctpop: (e, i, part, k) => {
    e.push(i.operands[1], k);
    op(e, part, W.i32_popcnt, W.i64_popcnt);
  },
  ctlz: (e, i, part, k) => {
    e.push(i.operands[1], k);
    op(e, part, W.i32_clz, W.i64_clz);
    const extra = width(part) - BigInt(part.bits);
    if (extra === 0n) return;
    constant(e, part, extra);
    op(e, part, W.i32_sub, W.i64_sub);
  },
  cttz: (e, i, part, k) => {
    e.push(i.operands[1], k);
    if (BigInt(part.bits) < width(part)) {
      // A bit just above the value stops the count at its width.
      constant(e, part, 1n << BigInt(part.bits));
      op(e, part, W.i32_or, W.i64_or);
    }
    op(e, part, W.i32_ctz, W.i64_ctz);
  },
  bswap: (e, i, part, k) => {
    e.push(i.operands[1], k);
    swapBytes(e, part);
  },
  bitreverse: (e, i, part, k) => {
    e.push(i.operands[1], k);
    e.callHelper(part.wasm === "i64" ? "bitreverse64" : "bitreverse32");
    shiftDown(e, part);
  },
  abs: (e, i, part, k) => {
    const value = e.temp(part.wasm);
    e.push(i.operands[1], k);
    e.signExtend(part);
    e.set(value);
    constant(e, part, 0n);
    e.get(value);
    op(e, part, W.i32_sub, W.i64_sub);
    e.get(value);
    e.get(value);
    constant(e, part, 0n);
    op(e, part, W.i32_lt_s, W.i64_lt_s);
    e.op(W.select);
    e.mask(part);
  },
  smax: choose(W.i32_gt_s, W.i64_gt_s, true),
  smin: choose(W.i32_lt_s, W.i64_lt_s, true),
  umax: choose(W.i32_gt_u, W.i64_gt_u, false),
  umin: choose(W.i32_lt_u, W.i64_lt_u, false),
  fshl: (e, i, part, k) => funnel(e, i, part, k, true),
  fshr: (e, i, part, k) => funnel(e, i, part, k, false),
  "sadd.sat": (e, i, part, k) => saturate(e, i, part, k, true, "add"),
  "uadd.sat": (e, i, part, k) => saturate(e, i, part, k, false, "add"),
  "ssub.sat": (e, i, part, k) => saturate(e, i, part, k, true, "sub"),
  "usub.sat": (e, i, part, k) => saturate(e, i, part, k, false, "sub"),
};

/** Reverses the bytes of the value on the stack. */
function swapBytes(e: FunctionEmitter, part: Part): void {
  e.callHelper(part.wasm === "i64" ? "bswap64" : "bswap32");
  shiftDown(e, part);
}
/** After reversing a whole WebAssembly word, a narrow value sits at its top. */
function shiftDown(e: FunctionEmitter, part: Part): void {
  const extra = width(part) - BigInt(part.bits);
  if (extra === 0n) return;
  constant(e, part, extra);
  op(e, part, W.i32_shr_u, W.i64_shr_u);
}

function funnel(e: FunctionEmitter, i: Call, part: Part, k: number, left: boolean): void {
  const [, a, b, amount] = i.operands;
  if (BigInt(part.bits) === width(part) && sameValue(a, b)) {
    e.push(a, k);
    e.push(amount, k);
    if (left) op(e, part, W.i32_rotl, W.i64_rotl);
    else op(e, part, W.i32_rotr, W.i64_rotr);
    return;
  }
  // (a << n) | (b >> 1 >> (bits - 1 - n)) for fshl, (a << 1 << (bits - 1 - n)) | (b >> n) for fshr, n modulo bits.
  const n = e.temp(part.wasm);
  e.push(amount, k);
  constant(e, part, BigInt(part.bits));
  op(e, part, W.i32_rem_u, W.i64_rem_u);
  e.set(n);
  const complement = (): void => {
    constant(e, part, BigInt(part.bits - 1));
    e.get(n);
    op(e, part, W.i32_sub, W.i64_sub);
  };
  e.push(a, k);
  if (left) e.get(n);
  else {
    constant(e, part, 1n);
    op(e, part, W.i32_shl, W.i64_shl);
    complement();
  }
  op(e, part, W.i32_shl, W.i64_shl);
  e.push(b, k);
  if (left) {
    constant(e, part, 1n);
    op(e, part, W.i32_shr_u, W.i64_shr_u);
    complement();
  } else e.get(n);
  op(e, part, W.i32_shr_u, W.i64_shr_u);
  op(e, part, W.i32_or, W.i64_or);
  e.mask(part);
}
function sameValue(a: Value, b: Value): boolean {
  return a === b;
}

function saturate(e: FunctionEmitter, i: Call, part: Part, k: number, signed: boolean, kind: "add" | "sub"): void {
  const a = e.local(i.operands[1], k);
  const b = e.local(i.operands[2], k);
  const result = e.temp(part.wasm);
  const overflow = e.temp("i32");
  emitOverflowPart(e, part, a, b, signed, kind, result, overflow);
  // The value to use instead: for signed, the extreme of a's sign; for unsigned, all ones or zero.
  if (!signed) constant(e, part, kind === "add" ? (1n << BigInt(part.bits)) - 1n : 0n);
  else {
    constant(e, part, 1n << BigInt(part.bits - 1));
    constant(e, part, (1n << BigInt(part.bits - 1)) - 1n);
    e.get(a);
    e.signExtend(part);
    constant(e, part, 0n);
    op(e, part, W.i32_lt_s, W.i64_lt_s);
    e.op(W.select);
  }
  e.get(result);
  e.get(overflow);
  e.op(W.select);
}

// ---------------------------------------------------------------- overflow

function emitOverflow(e: FunctionEmitter, i: Call, signed: boolean, kind: "add" | "sub" | "mul"): void {
  const [, a, b] = i.operands;
  if (a.type.kind === "vector") throw new ShapeError("overflow arithmetic on vectors");
  const parts = partsOf(a.type);
  if (parts.length > 1) {
    if (parts.length > 2) throw new ShapeError("overflow arithmetic on more than 128 bits");
    emitWideOverflow(e, a, b, parts, signed, kind);
    return;
  }
  const result = e.temp(parts[0].wasm);
  const overflow = e.temp("i32");
  emitOverflowPart(e, parts[0], e.local(a), e.local(b), signed, kind, result, overflow);
  e.get(result);
  e.get(overflow);
}

/** Sets `result` to the wrapped value and `overflow` to 0 or 1. */
function emitOverflowPart(
  e: FunctionEmitter,
  part: Part,
  a: number,
  b: number,
  signed: boolean,
  kind: "add" | "sub" | "mul",
  result: number,
  overflow: number,
): void {
  if (part.bits <= 32) {
    // Exact in 64 bits; overflow if the cut value, extended again, differs.
    const exact = e.temp("i64");
    for (const local of [a, b]) {
      e.get(local);
      if (signed) e.signExtend(part);
      e.op(signed ? W.i64_extend_i32_s : W.i64_extend_i32_u);
    }
    e.op(kind === "add" ? W.i64_add : kind === "sub" ? W.i64_sub : W.i64_mul);
    e.tee(exact);
    e.op(W.i32_wrap_i64);
    e.mask(part);
    e.tee(result);
    if (signed) e.signExtend(part);
    e.op(signed ? W.i64_extend_i32_s : W.i64_extend_i32_u);
    e.get(exact);
    e.op(W.i64_ne);
    e.set(overflow);
    return;
  }
  if (part.bits < 64) {
    emitOddOverflow(e, part, a, b, signed, kind, result, overflow);
    return;
  }
  e.get(a);
  e.get(b);
  e.op(kind === "add" ? W.i64_add : kind === "sub" ? W.i64_sub : W.i64_mul);
  e.set(result);
  if (kind === "mul") {
    if (!signed) {
      emitHighProduct(e, a, b);
      e.i64(0n);
      e.op(W.i64_ne);
    } else {
      // The high half of the signed product must equal the sign of the low half.
      emitHighProduct(e, a, b);
      for (const [x, y] of [
        [a, b],
        [b, a],
      ]) {
        e.get(x);
        e.i64(63n);
        e.op(W.i64_shr_s);
        e.get(y);
        e.op(W.i64_and);
        e.op(W.i64_sub);
      }
      e.get(result);
      e.i64(63n);
      e.op(W.i64_shr_s);
      e.op(W.i64_ne);
    }
  } else if (signed) {
    // The sign changed in a way the operands do not allow.
    e.get(a);
    e.get(b);
    e.op(W.i64_xor);
    if (kind === "add") {
      e.i64(-1n);
      e.op(W.i64_xor);
    }
    e.get(a);
    e.get(result);
    e.op(W.i64_xor);
    e.op(W.i64_and);
    e.i64(0n);
    e.op(W.i64_lt_s);
  } else {
    e.get(kind === "add" ? result : a);
    e.get(kind === "add" ? a : b);
    e.op(W.i64_lt_u);
  }
  e.set(overflow);
}

/** 33 to 63 bits: sums are exact in 64 bits; a product overflows when it does in 64 bits with one factor moved to the top. */
function emitOddOverflow(
  e: FunctionEmitter,
  part: Part,
  a: number,
  b: number,
  signed: boolean,
  kind: "add" | "sub" | "mul",
  result: number,
  overflow: number,
): void {
  if (kind === "mul") {
    const spare = BigInt(64 - part.bits);
    const top = e.temp("i64");
    const other = e.temp("i64");
    e.get(a);
    e.i64(spare);
    e.op(W.i64_shl);
    e.set(top);
    e.get(b);
    if (signed) e.signExtend(part);
    e.set(other);
    emitOverflowPart(e, { wasm: "i64", bits: 64 }, top, other, signed, kind, result, overflow);
    e.get(result);
    e.i64(spare);
    e.op(W.i64_shr_u);
    e.set(result);
    return;
  }
  const exact = e.temp("i64");
  for (const local of [a, b]) {
    e.get(local);
    if (signed) e.signExtend(part);
  }
  e.op(kind === "add" ? W.i64_add : W.i64_sub);
  e.tee(exact);
  e.mask(part);
  e.tee(result);
  if (signed) e.signExtend(part);
  e.get(exact);
  e.op(W.i64_ne);
  e.set(overflow);
}
