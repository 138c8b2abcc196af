// Conversions. Integers change width limb by limb; `bitcast` between different shapes goes through the bits.
// Floating point to integer out of range is undefined in C; we give what x86's conversion instructions give (the
// smallest integer) where that is cheap, so that programs behave as they do natively.

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
    e.call(e.module.runtime(signed ? "__tangent_i128_to_double" : "__tangent_u128_to_double"));
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
    e.call(e.module.runtime(signed ? "__tangent_double_to_i128" : "__tangent_double_to_u128"));
    e.mask(target[1]);
    return;
  }
  const part = target[0];
  const double = source.wasm === "f64";
  if (part.wasm === "i64") {
    if (signed) e.extended(double ? WX.i64_trunc_sat_f64_s : WX.i64_trunc_sat_f32_s);
    else e.extended(double ? WX.i64_trunc_sat_f64_u : WX.i64_trunc_sat_f32_u);
    e.mask(part);
    return;
  }
  // Narrow and unsigned conversions go through 64 bits on x86 and wrap; signed 32-bit ones saturate to INT_MIN there,
  // which the 64-bit conversion and wrapping only approximates for values beyond 2^63.
  e.extended(double ? WX.i64_trunc_sat_f64_s : WX.i64_trunc_sat_f32_s);
  e.op(W.i32_wrap_i64);
  e.mask(part);
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
