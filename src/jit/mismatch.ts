// Calls through a pointer to a function of another signature. The resolver decides whether the pointer is a function at
// all and remembers which; the carrier, a function of the caller's signature, writes its arguments to the control
// block, lets the host call the real function, and reads the results back.

import { FAULTS } from "./boundary.js";
import { ByteWriter } from "./byte-writer.js";
import type { Signature, WasmValueType } from "./image.js";
import { CONTROL, FUNCTION_BASE } from "./memory-layout.js";
import type { ModuleBuilder } from "./module-builder.js";
import { GLOBAL_PENDING_CALLEE } from "./module-globals.js";
import { W } from "./wasm.js";

const STORE: Readonly<Record<WasmValueType, number>> = {
  i32: W.i32_store,
  i64: W.i64_store,
  f32: W.f32_store,
  f64: W.f64_store,
};
const LOAD: Readonly<Record<WasmValueType, number>> = {
  i32: W.i32_load,
  i64: W.i64_load,
  f32: W.f32_load,
  f64: W.f64_load,
};

function access(out: ByteWriter, code: number, address: number): void {
  out.u8(code);
  out.u32(0);
  out.u32(address);
}
function i32(out: ByteWriter, value: number): void {
  out.u8(W.i32_const);
  out.s32(value);
}

export function emitMismatchCarrier(module: ModuleBuilder, signature: Signature, site: number): Uint8Array {
  const out = new ByteWriter(128);
  out.u32(0);
  signature.params.forEach((type, n) => {
    i32(out, 0);
    out.u8(W.local_get);
    out.u32(n);
    access(out, STORE[type], CONTROL.mismatchedCall + 8 * n);
  });
  out.u8(W.global_get);
  out.u32(GLOBAL_PENDING_CALLEE);
  i32(out, site);
  out.u8(W.call);
  out.u32(module.host("callMismatched"));
  signature.results.forEach((type, n) => {
    i32(out, 0);
    access(out, LOAD[type], CONTROL.mismatchedCall + 8 * n);
  });
  out.u8(W.end);
  return out.finish();
}

/** (pointer) -> the carrier's table index; faults if the pointer is no function's address. */
export function emitMismatchResolver(module: ModuleBuilder, carrier: number, functionCount: number): Uint8Array {
  const out = new ByteWriter(128);
  out.u32(1);
  out.u32(1);
  out.u8(0x7e);
  const get = (local: number): void => {
    out.u8(W.local_get);
    out.u32(local);
  };
  const i64 = (value: bigint): void => {
    out.u8(W.i64_const);
    out.s64(value);
  };
  get(0);
  i64(BigInt(FUNCTION_BASE));
  out.u8(W.i64_sub);
  i64(4n);
  out.u8(W.i64_rotr);
  out.u8(W.local_tee);
  out.u32(1);
  i64(BigInt(functionCount));
  out.u8(W.i64_ge_u);
  out.u8(W.if);
  out.u8(0x40);
  i32(out, FAULTS["wild-call"]);
  get(0);
  out.u8(W.i32_wrap_i64);
  get(0);
  i64(32n);
  out.u8(W.i64_shr_u);
  out.u8(W.i32_wrap_i64);
  i32(out, 0);
  out.u8(W.call);
  out.u32(module.host("fault"));
  out.u8(W.unreachable);
  out.u8(W.end);
  get(1);
  out.u8(W.i32_wrap_i64);
  out.u8(W.global_set);
  out.u32(GLOBAL_PENDING_CALLEE);
  i32(out, carrier);
  out.u8(W.end);
  return out.finish();
}
