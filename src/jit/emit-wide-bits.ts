// The intrinsics of emit-bits.ts on two limbs: overflow, funnel shifts, counting and byte order beyond 64 bits.

import type { InstructionOf, Value } from "../ir/values.js";
import { emitHighProduct, emitShift128 } from "./emit-wide.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { type Part, ShapeError } from "./shape.js";
import { W } from "./wasm.js";

type Call = InstructionOf<"call">;

/** A 128-bit integer in two locals. */
interface Limbs {
  readonly low: number;
  readonly high: number;
}

/**
 * 65 to 128 bits. At fewer than 128 the operands are moved to the top of 128 bits (of a product one factor only), where they overflow
 * exactly when they do at their own width, and the result is moved back.
 */
export function emitWideOverflow(
  e: FunctionEmitter,
  a: Value,
  b: Value,
  parts: readonly Part[],
  signed: boolean,
  kind: "add" | "sub" | "mul",
): void {
  const emit = kind === "mul" ? emitWideProduct : emitWideSum;
  const spare = 64 - parts[1].bits;
  const x = { low: e.local(a, 0), high: e.local(a, 1) };
  const y = { low: e.local(b, 0), high: e.local(b, 1) };
  if (spare === 0) {
    emit(e, x, y, signed, kind);
    return;
  }
  emit(e, atTop(e, x, spare), kind === "mul" ? extended(e, y, parts[1], signed) : atTop(e, y, spare), signed, kind);
  const result = { low: e.temp("i64"), high: e.temp("i64") };
  const overflow = e.temp("i32");
  e.set(overflow);
  e.set(result.high);
  e.set(result.low);
  e.get(result.low);
  e.i64(BigInt(spare));
  e.op(W.i64_shr_u);
  e.get(result.high);
  e.i64(BigInt(64 - spare));
  e.op(W.i64_shl);
  e.op(W.i64_or);
  e.get(result.high);
  e.i64(BigInt(spare));
  e.op(W.i64_shr_u);
  e.get(overflow);
}

/** Shifted left by as many bits as the high limb has to spare (1 to 63). */
function atTop(e: FunctionEmitter, { low, high }: Limbs, spare: number): Limbs {
  const top = { low: e.temp("i64"), high: e.temp("i64") };
  e.get(low);
  e.i64(BigInt(spare));
  e.op(W.i64_shl);
  e.set(top.low);
  e.get(high);
  e.i64(BigInt(spare));
  e.op(W.i64_shl);
  e.get(low);
  e.i64(BigInt(64 - spare));
  e.op(W.i64_shr_u);
  e.op(W.i64_or);
  e.set(top.high);
  return top;
}

function extended(e: FunctionEmitter, limbs: Limbs, highPart: Part, signed: boolean): Limbs {
  if (!signed) return limbs;
  const high = e.temp("i64");
  e.get(limbs.high);
  e.signExtend(highPart);
  e.set(high);
  return { low: limbs.low, high };
}

/** Leaves the sum or difference of two 128-bit integers on the stack, and whether it overflowed. */
function emitWideSum(
  e: FunctionEmitter,
  { low: al, high: ah }: Limbs,
  { low: bl, high: bh }: Limbs,
  signed: boolean,
  kind: "add" | "sub" | "mul",
): void {
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
function emitWideProduct(e: FunctionEmitter, a: Limbs, b: Limbs, signed: boolean): void {
  const absolute = (value: Limbs): Limbs & { readonly negative: number } => {
    if (!signed) return { ...value, negative: -1 };
    const low = e.temp("i64");
    const high = e.temp("i64");
    const negative = e.temp("i64");
    e.get(value.low);
    e.set(low);
    e.get(value.high);
    e.set(high);
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

export function emitWideLane(e: FunctionEmitter, i: Call, stem: string, parts: readonly Part[], k: number): void {
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
      const helper = stem === "bswap" ? "bswap64" : "bitreverse64";
      e.get(high);
      e.callHelper(helper);
      e.get(low);
      e.callHelper(helper);
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
