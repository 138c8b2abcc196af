// Intrinsics on integers: counting, byte and bit order, funnel shifts, minimum and maximum, saturation, and arithmetic
// that tells of overflow. All work on values up to 64 bits, overflow arithmetic and byte order up to 128.

import type { InstructionOf, Value } from "../ir/values.js";
import { emitHighProduct, emitShift128 } from "./emit-wide.js";
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
    e.call(e.module.helper(part.wasm === "i64" ? "bitreverse64" : "bitreverse32"));
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
  e.call(e.module.helper(part.wasm === "i64" ? "bswap64" : "bswap32"));
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

/** 33 to 63 bits: sums are exact in 64 bits. */
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
  if (kind === "mul") throw new ShapeError("overflow multiplication on this width");
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

/** 128 bits: addition and subtraction in line, multiplication only where the runtime's division can check it. */
function emitWideOverflow(
  e: FunctionEmitter,
  a: Value,
  b: Value,
  parts: readonly Part[],
  signed: boolean,
  kind: "add" | "sub" | "mul",
): void {
  if (parts[1].bits !== 64) throw new ShapeError("overflow arithmetic on this width");
  if (kind === "mul") {
    emitWideProduct(e, a, b, signed);
    return;
  }
  const [al, ah, bl, bh] = [e.local(a, 0), e.local(a, 1), e.local(b, 0), e.local(b, 1)];
  const low = e.temp("i64");
  const high = e.temp("i64");
  const carry = e.temp("i64");
  const code = kind === "add" ? W.i64_add : W.i64_sub;
  e.get(al);
  e.get(bl);
  e.op(code);
  e.set(low);
  e.get(kind === "add" ? low : al);
  e.get(kind === "add" ? al : bl);
  e.op(W.i64_lt_u);
  e.op(W.i64_extend_i32_u);
  e.set(carry);
  e.get(ah);
  e.get(bh);
  e.op(code);
  e.get(carry);
  e.op(code);
  e.set(high);
  e.get(low);
  e.get(high);
  if (signed) {
    e.get(ah);
    e.get(bh);
    e.op(W.i64_xor);
    if (kind === "add") {
      e.i64(-1n);
      e.op(W.i64_xor);
    }
    e.get(ah);
    e.get(high);
    e.op(W.i64_xor);
    e.op(W.i64_and);
    e.i64(0n);
    e.op(W.i64_lt_s);
    return;
  }
  // Unsigned: the high halves wrap by themselves, or are equal and the carry decides.
  e.get(kind === "add" ? high : ah);
  e.get(kind === "add" ? ah : bh);
  e.op(W.i64_lt_u);
  e.get(kind === "add" ? high : ah);
  e.get(kind === "add" ? ah : bh);
  e.op(W.i64_eq);
  e.get(carry);
  e.op(W.i32_wrap_i64);
  e.op(W.i32_and);
  e.op(W.i32_or);
}

/** The product of two 128-bit integers and whether it overflowed: computed on absolute values if signed. */
function emitWideProduct(e: FunctionEmitter, a: Value, b: Value, signed: boolean): void {
  const absolute = (value: Value): { low: number; high: number; negative: number } => {
    const low = e.temp("i64");
    const high = e.temp("i64");
    const negative = e.temp("i64");
    e.push(value, 0);
    e.set(low);
    e.push(value, 1);
    e.set(high);
    if (!signed) return { low, high, negative: -1 };
    // (x ^ sign) - sign
    e.get(high);
    e.i64(63n);
    e.op(W.i64_shr_s);
    e.set(negative);
    negateIf(e, low, high, negative);
    return { low, high, negative };
  };
  const x = absolute(a);
  const y = absolute(b);
  const low = e.temp("i64");
  const high = e.temp("i64");
  const cross = e.temp("i64");
  const overflow = e.temp("i32");
  e.get(x.low);
  e.get(y.low);
  e.op(W.i64_mul);
  e.set(low);
  // Both high halves set, or a cross product beyond 64 bits, or a carry out of the sum.
  e.get(x.high);
  e.op(W.i64_eqz);
  e.get(y.high);
  e.op(W.i64_eqz);
  e.op(W.i32_or);
  e.op(W.i32_eqz);
  for (const [p, q] of [
    [x.high, y.low],
    [x.low, y.high],
  ]) {
    emitHighProduct(e, p, q);
    e.op(W.i64_eqz);
    e.op(W.i32_eqz);
    e.op(W.i32_or);
  }
  e.set(overflow);
  e.get(x.high);
  e.get(y.low);
  e.op(W.i64_mul);
  e.get(x.low);
  e.get(y.high);
  e.op(W.i64_mul);
  e.op(W.i64_add);
  e.set(cross);
  emitHighProduct(e, x.low, y.low);
  e.get(cross);
  e.op(W.i64_add);
  e.tee(high);
  e.get(cross);
  e.op(W.i64_lt_u);
  e.get(overflow);
  e.op(W.i32_or);
  e.set(overflow);
  if (signed) {
    const negative = e.temp("i64");
    e.get(x.negative);
    e.get(y.negative);
    e.op(W.i64_xor);
    e.set(negative);
    negateIf(e, low, high, negative);
    // The sign must come out as the operands' signs say, unless the product is zero.
    e.get(high);
    e.get(negative);
    e.op(W.i64_xor);
    e.i64(0n);
    e.op(W.i64_lt_s);
    e.get(low);
    e.get(high);
    e.op(W.i64_or);
    e.op(W.i64_eqz);
    e.op(W.i32_eqz);
    e.op(W.i32_and);
    e.get(overflow);
    e.op(W.i32_or);
    e.set(overflow);
  }
  e.get(low);
  e.get(high);
  e.get(overflow);
}

/** Negates the 128-bit integer in two locals if the mask is -1, leaves it if it is 0. */
function negateIf(e: FunctionEmitter, low: number, high: number, mask: number): void {
  const before = e.temp("i64");
  e.get(low);
  e.get(mask);
  e.op(W.i64_xor);
  e.tee(before);
  e.get(mask);
  e.op(W.i64_sub);
  e.set(low);
  // Subtracting -1 from the low half carries exactly when it was all ones.
  e.get(high);
  e.get(mask);
  e.op(W.i64_xor);
  e.get(low);
  e.get(before);
  e.op(W.i64_lt_u);
  e.op(W.i64_extend_i32_u);
  e.op(W.i64_add);
  e.set(high);
}

/** Both shifts of a funnel: (a << n) | (b >> 1 >> (127 - n)) for fshl, mirrored for fshr, n modulo 128. */
function emitWideFunnel(e: FunctionEmitter, i: Call, parts: readonly Part[], k: number, left: boolean): void {
  const [, a, b, amount] = i.operands;
  const n = e.temp("i64");
  const complement = e.temp("i64");
  e.push(amount, k);
  e.i64(127n);
  e.op(W.i64_and);
  e.tee(n);
  e.i64(127n);
  e.op(W.i64_xor);
  e.set(complement);
  const limbs = (value: Value): number[] => [e.local(value, k), e.local(value, k + 1)];
  const store = (): number[] => {
    const result = [e.temp("i64"), e.temp("i64")];
    e.set(result[1]);
    e.set(result[0]);
    return result;
  };
  const one = e.temp("i64");
  e.i64(1n);
  e.set(one);
  const [near, far] = left ? [limbs(a), limbs(b)] : [limbs(b), limbs(a)];
  emitShift128(e, left ? "shl" : "lshr", parts, near, n);
  const first = store();
  emitShift128(e, left ? "lshr" : "shl", parts, far, one);
  const half = store();
  emitShift128(e, left ? "lshr" : "shl", parts, half, complement);
  const second = store();
  for (const limb of [0, 1]) {
    e.get(first[limb]);
    e.get(second[limb]);
    e.op(W.i64_or);
  }
}

function emitWideLane(e: FunctionEmitter, i: Call, stem: string, parts: readonly Part[], k: number): void {
  const value = i.operands[1];
  const spare = 64 - (parts[1]?.bits ?? 64);
  const counts = stem === "ctpop" || stem === "ctlz" || stem === "cttz";
  if (parts.length !== 2 || (spare !== 0 && !counts)) throw new ShapeError(`${stem} on this width`);
  if (stem === "fshl" || stem === "fshr") {
    emitWideFunnel(e, i, parts, k, stem === "fshl");
    return;
  }
  const low = e.local(value, k);
  const high = e.local(value, k + 1);
  switch (stem) {
    case "bswap":
    case "bitreverse": {
      const helper = e.module.helper(stem === "bswap" ? "bswap64" : "bitreverse64");
      e.get(high);
      e.call(helper);
      e.get(low);
      e.call(helper);
      return;
    }
    case "ctpop":
      e.get(low);
      e.op(W.i64_popcnt);
      e.get(high);
      e.op(W.i64_popcnt);
      e.op(W.i64_add);
      e.i64(0n);
      return;
    case "ctlz":
    case "cttz": {
      // A bit just above a narrower value stops the count from below at its width.
      const top = e.temp("i64");
      e.get(high);
      if (spare > 0 && stem === "cttz") {
        e.i64(1n << BigInt(64 - spare));
        e.op(W.i64_or);
      }
      e.set(top);
      const [first, second] = stem === "ctlz" ? [top, low] : [low, top];
      const count = stem === "ctlz" ? W.i64_clz : W.i64_ctz;
      e.get(second);
      e.op(count);
      e.i64(64n);
      e.op(W.i64_add);
      e.get(first);
      e.op(count);
      e.get(first);
      e.op(W.i64_eqz);
      e.op(W.select);
      if (spare > 0 && stem === "ctlz") {
        e.i64(BigInt(spare));
        e.op(W.i64_sub);
      }
      e.i64(0n);
      return;
    }
    default:
      throw new ShapeError(`${stem} on 128 bits`);
  }
}
