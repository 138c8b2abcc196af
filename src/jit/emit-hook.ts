// The look at the hook table at a function's entry: one load and a branch never taken. If the host wants to hear of the
// call, the arguments go where it finds them, and it may answer in the function's place. This is how a technique puts a
// symbolic stub for a callee, and watches calls, without translating the program again for every choice.

import type { FunctionEmitter } from "./function-emitter.js";
import type { Signature, WasmValueType } from "./image.js";
import { CONTROL, HOOKS_BASE, HOOKS_LIMIT } from "./memory-layout.js";
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

/** `functionIndex`: in ProgramImage.functions. Nothing of the frame is set up yet. */
export function emitHook(e: FunctionEmitter, functionIndex: number, signature: Signature): void {
  if (HOOKS_BASE + functionIndex >= HOOKS_LIMIT) return;
  e.i32(0);
  e.memory(W.i32_load8_u, HOOKS_BASE + functionIndex);
  e.ifUnlikely();
  signature.params.forEach((type, k) => {
    e.i32(0);
    e.i64(0n);
    e.memory(W.i64_store, CONTROL.mismatchedCall + 8 * k);
    e.i32(0);
    e.get(k);
    e.memory(STORE[type], CONTROL.mismatchedCall + 8 * k);
  });
  e.i32(functionIndex);
  e.call(e.module.host("hooked"));
  e.op(W.if);
  e.op(0x40);
  signature.results.forEach((type, k) => {
    e.i32(0);
    e.memory(LOAD[type], CONTROL.mismatchedCall + 8 * k);
  });
  e.op(W.return);
  e.end();
  e.end();
}
