// Conversions. Integers change width limb by limb; `bitcast` between different shapes goes through the bits.
// Floating point to integer out of range is undefined in C; we give what the code that compilers make for x86-64 gives,
// so that programs behave as they do natively: cvttsd2si, whose answer is the smallest integer for what does not fit.
// Up to 32 bits go through 32, except unsigned 32 bits, which go through 64.

import type { Instruction, Op, Value } from "../ir/values.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { type Part, partsOf, ShapeError } from "./shape.js";
import { W, WX } from "./wasm.js";

export function emitCast(e: FunctionEmitter, i: Instruction): void {
  const value = i.operands[0];
  if (i.op === "bitcast" || i.op === "addrspacecast") return emitBitcast(e, value, partsOf(i.type));
  const from = value.type.kind === "vector" ? value.type.element : value.type;
  const to = i.type.kind === "vector" ? i.type.element : i.type;
  const lanes = i.type.kind === "vector" ? i.type.count : 1;
  const source = partsOf(from);
  const target = partsOf(to);
  for (let lane = 0; lane < lanes; lane++) emitLane(e, i.op, value, lane * source.length, source, target);
}

function emitLane(
  e: FunctionEmitter,
  op: Op,
  value: Value,
  k: number,
  source: readonly Part[],
  target: readonly Part[],
): void {
  switch (op) {
    case "zext":
    case "trunc":
    case "ptrtoint":
    case "inttoptr":
      return emitResize(e, value, k, source, target, false);
    case "sext":
      return emitResize(e, value, k, source, target, true);
    case "fptrunc":
    case "fpext":
      if (source[0].wasm[0] !== "f" || target[0].wasm[0] !== "f") throw new ShapeError(`${op} of half or fp128`);
      e.push(value, k);
      if (source[0].wasm !== target[0].wasm) e.op(op === "fptrunc" ? W.f32_demote_f64 : W.f64_promote_f32);
      return;
    case "sitofp":
    case "uitofp":
      return emitIntToFloat(e, op === "sitofp", value, k, source, target[0]);
    case "fptosi":
    case "fptoui":
      return emitFloatToInt(e, op === "fptosi", value, k, source[0], target);
    default:
      throw new ShapeError(`the cast ${op}`);
  }
}

function emitResize(
  e: FunctionEmitter,
  value: Value,
  k: number,
  source: readonly Part[],
  target: readonly Part[],
  signed: boolean,
): void {
  const top = source[source.length - 1];
  const sign = signed && target.length > source.length ? e.temp("i64") : -1;
  for (let n = 0; n < target.length; n++) {
    const part = target[n];
    if (n >= source.length) {
      if (sign < 0) e.i64(0n);
      else {
        e.get(sign);
        e.mask(part);
      }
      continue;
    }
    e.push(value, k + n);
    const isTop = n === source.length - 1;
    if (signed && isTop) e.signExtend(top);
    if (source[n].wasm === "i64" && part.wasm === "i32") e.op(W.i32_wrap_i64);
    else if (source[n].wasm === "i32" && part.wasm === "i64") e.op(signed ? W.i64_extend_i32_s : W.i64_extend_i32_u);
    if (sign >= 0 && isTop) {
      e.tee(sign);
      e.get(sign);
      e.i64(63n);
      e.op(W.i64_shr_s);
      e.set(sign);
    }
    // Masking is needed when bits above the part's width may be set: after sign extension or when narrowing.
    if (signed || part.bits < source[n].bits) e.mask(part);
  }
}

function emitIntToFloat(
  e: FunctionEmitter,
  signed: boolean,
  value: Value,
  k: number,
  source: readonly Part[],
  target: Part,
): void {
  if (target.wasm !== "f32" && target.wasm !== "f64") throw new ShapeError("conversion to half or fp128");
  if (source.length > 1) {
    if (source.length > 2) throw new ShapeError("conversion of integers of more than 128 bits");
    e.push(value, k);
    e.push(value, k + 1);
    if (signed) e.signExtend(source[1]);
    e.callRuntime(signed ? "__tangent_i128_to_double" : "__tangent_u128_to_double");
    if (target.wasm === "f32") e.op(W.f32_demote_f64);
    return;
  }
  const part = source[0];
  e.push(value, k);
  if (signed) e.signExtend(part);
  const wide = part.wasm === "i64";
  if (target.wasm === "f32") {
    if (wide) e.op(signed ? W.f32_convert_i64_s : W.f32_convert_i64_u);
    else e.op(signed ? W.f32_convert_i32_s : W.f32_convert_i32_u);
  } else if (wide) e.op(signed ? W.f64_convert_i64_s : W.f64_convert_i64_u);
  else e.op(signed ? W.f64_convert_i32_s : W.f64_convert_i32_u);
}

function emitFloatToInt(
  e: FunctionEmitter,
  signed: boolean,
  value: Value,
  k: number,
  source: Part,
  target: readonly Part[],
): void {
  if (source.wasm !== "f32" && source.wasm !== "f64") throw new ShapeError("conversion from half or fp128");
  if (target.length > 2) throw new ShapeError("conversion to integers of more than 128 bits");
  e.push(value, k);
  if (target.length === 2) {
    if (source.wasm === "f32") e.op(W.f64_promote_f32);
    e.callRuntime(signed ? "__tangent_double_to_i128" : "__tangent_double_to_u128");
    e.mask(target[1]);
    return;
  }
  const part = target[0];
  const x = e.temp(source.wasm);
  e.set(x);
  const wide = part.wasm === "i64";
  if (wide && !signed) emitToUnsigned64(e, x, source.wasm);
  else emitToSigned(e, x, source.wasm, wide || (!signed && part.bits === 32) ? 64 : 32);
  if (!wide) e.op(W.i32_wrap_i64);
  e.mask(part);
}

/** cvttsd2si of 32 or 64 bits, as an i64: everything out of its range, NaN too, is the smallest integer. */
function emitToSigned(e: FunctionEmitter, x: number, from: "f32" | "f64", bits: 32 | 64): void {
  const double = from === "f64";
  e.get(x);
  e.extended(double ? WX.i64_trunc_sat_f64_s : WX.i64_trunc_sat_f32_s);
  e.i64(-(1n << BigInt(bits - 1)));
  e.get(x);
  e.op(double ? W.f64_abs : W.f32_abs);
  pushPower(e, double, bits - 1);
  e.op(double ? W.f64_lt : W.f32_lt);
  e.op(W.select);
}

/** Compilers make it of two signed conversions: what lies in the upper half of the range is moved down and back. */
function emitToUnsigned64(e: FunctionEmitter, x: number, from: "f32" | "f64"): void {
  const double = from === "f64";
  e.get(x);
  pushPower(e, double, 63);
  e.op(double ? W.f64_ge : W.f32_ge);
  e.get(x);
  pushPower(e, double, 64);
  e.op(double ? W.f64_lt : W.f32_lt);
  e.op(W.i32_and);
  e.op(W.if);
  e.op(0x7e);
  e.get(x);
  e.extended(double ? WX.i64_trunc_sat_f64_u : WX.i64_trunc_sat_f32_u);
  e.op(W.else);
  emitToSigned(e, x, from, 64);
  e.end();
}
function pushPower(e: FunctionEmitter, double: boolean, exponent: number): void {
  e.op(double ? W.f64_const : W.f32_const);
  if (double) e.code.fixed(BigInt(1023 + exponent) << 52n, 8);
  else e.code.fixed(BigInt(127 + exponent) << 23n, 4);
}

/** Reinterprets the value's bits as another list of parts. */
function emitBitcast(e: FunctionEmitter, value: Value, target: readonly Part[]): void {
  const source = partsOf(value.type);
  if (source.length === target.length && source.every((part, n) => part.bits === target[n].bits)) {
    for (let n = 0; n < source.length; n++) {
      e.push(value, n);
      emitReinterpret(e, source[n].wasm, target[n].wasm);
    }
    return;
  }
  // Gather the source into 64-bit limbs, then cut the target's parts out of them.
  const total = source.reduce((sum, part) => sum + part.bits, 0);
  const limbs: number[] = [];
  let position = 0;
  for (let n = 0; n < source.length; n++) {
    const part = source[n];
    const limb = position >> 6;
    const shift = position & 63;
    if (shift + part.bits > 64) throw new ShapeError("a bitcast of parts that straddle 64 bits");
    e.push(value, n);
    emitToI64(e, part);
    if (shift > 0) {
      e.i64(BigInt(shift));
      e.op(W.i64_shl);
      e.get(limbs[limb]);
      e.op(W.i64_or);
    } else {
      limbs.push(e.temp("i64"));
    }
    e.set(limbs[limb]);
    position += part.bits;
  }
  position = 0;
  for (const part of target) {
    const shift = position & 63;
    if (shift + part.bits > 64 || position >= total) throw new ShapeError("a bitcast of parts that straddle 64 bits");
    e.get(limbs[position >> 6]);
    if (shift > 0) {
      e.i64(BigInt(shift));
      e.op(W.i64_shr_u);
    }
    emitFromI64(e, part);
    position += part.bits;
  }
}

function emitReinterpret(e: FunctionEmitter, from: string, to: string): void {
  if (from === to) return;
  if (from === "f32" && to === "i32") e.op(W.i32_reinterpret_f32);
  else if (from === "i32" && to === "f32") e.op(W.f32_reinterpret_i32);
  else if (from === "f64" && to === "i64") e.op(W.i64_reinterpret_f64);
  else if (from === "i64" && to === "f64") e.op(W.f64_reinterpret_i64);
  else throw new ShapeError(`a bitcast from ${from} to ${to}`);
}

/** Turns the part on the stack into an i64 of its bits. */
export function emitToI64(e: FunctionEmitter, part: Part): void {
  if (part.wasm === "f32") e.op(W.i32_reinterpret_f32);
  if (part.wasm === "f64") e.op(W.i64_reinterpret_f64);
  if (part.wasm === "i32" || part.wasm === "f32") e.op(W.i64_extend_i32_u);
}
/** The reverse; higher bits are cut. */
export function emitFromI64(e: FunctionEmitter, part: Part): void {
  if (part.wasm === "i32" || part.wasm === "f32") e.op(W.i32_wrap_i64);
  if (part.wasm === "i32" || part.wasm === "i64") e.mask(part);
  if (part.wasm === "f32") e.op(W.f32_reinterpret_i32);
  if (part.wasm === "f64") e.op(W.f64_reinterpret_i64);
}
