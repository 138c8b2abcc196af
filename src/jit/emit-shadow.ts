// The code of `shadow` instructions (shadow-pass.ts makes them): a test of the shadows in line, hinted as unlikely to
// find one, and behind it the call of the host. On a concrete path an operation costs an `or` and a branch never taken.
//
// An access is checked by the same state byte that says whether it is concrete, so a load of concrete bytes costs what its
// check costs without shadows. The slow path (runtime/trusted/symbolic.c) makes the check in full and asks the host.

import { type Instruction, intValue, type Sensitivity, type ShadowExtra, type Value } from "../ir/values.js";
import { baseOfAccess, keepBase, type MeantObject, markBase, pushLeaves, pushObject } from "./access-base.js";
import { emitToI64 } from "./emit-cast.js";
import { emitProbe, probesOf } from "./emit-check.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { CONTROL, STATE_FULL, STATE_SHIFT } from "./memory-layout.js";
import { partsOf } from "./shape.js";
import { W } from "./wasm.js";

const I32_RESULT = 0x7f;

export function emitShadow(e: FunctionEmitter, i: Instruction): void {
  if (i.op !== "shadow") return;
  const { extra, operands } = i;
  switch (extra.what) {
    case "operate":
    case "divide":
      return emitOperation(e, extra, operands);
    case "compute":
      return emitComputation(e, extra, operands);
    case "choose":
      return emitChoice(e, extra, operands);
    case "cover-choice":
      e.push(operands[0]);
      e.op(W.i32_eqz);
      e.i32(1);
      return e.covered(W.i32_store8, extra.number);
    case "cover-if":
      e.i32(0);
      e.i32(0);
      e.covered(W.i32_load8_u, extra.number);
      e.push(operands[0]);
      e.op(W.i32_or);
      e.covered(W.i32_store8, extra.number);
      if (intValue(operands[1]) === 0n) return;
      ifAny(e, [operands[1]], false);
      e.push(operands[0]);
      e.op(W.i32_eqz);
      e.op(W.if);
      e.op(0x40);
      e.i32Asked({ kind: "coverage", number: extra.number });
      e.push(operands[1]);
      e.call(e.module.host("side"));
      e.end();
      return e.end();
    case "wide":
      return emitWide(e, extra.code, operands);
    case "slice":
      ifAny(e, operands, true);
      e.push(operands[0]);
      e.i32(extra.low);
      e.i32(extra.width);
      e.call(e.module.host("extract"));
      return otherwiseZero(e);
    case "branch":
      ifAny(e, [operands[1]], false);
      e.site(extra.site);
      e.push(operands[1]);
      e.push(operands[0]);
      e.call(e.module.host("branch"));
      return e.end();
    case "switch":
      ifAny(e, [operands[1]], false);
      e.site(extra.site);
      e.push(operands[1]);
      pushWords(e, operands[0], 0);
      e.call(e.module.host("switchOn"));
      return e.end();
    case "pin":
      ifAny(e, [operands[1]], false);
      e.site(extra.site);
      e.i32(extra.reason);
      e.push(operands[1]);
      e.i32(extra.width);
      pushWords(e, operands[0], extra.part);
      e.call(e.module.host("pin"));
      return e.end();
    case "load":
      return emitLoadShadow(e, extra, operands);
    case "store":
      return emitStoreShadow(e, extra, operands);
    case "argument":
      e.i32(0);
      return e.memory(W.i32_load, CONTROL.argumentShadows + 4 * extra.slot);
    case "pass":
      e.i32(0);
      e.push(operands[0]);
      return e.memory(W.i32_store, CONTROL.argumentShadows + 4 * extra.slot);
    case "result":
      e.i32(0);
      return e.memory(W.i32_load, CONTROL.resultShadows + 4 * extra.part);
    case "return":
      e.i32(0);
      e.push(operands[0]);
      return e.memory(W.i32_store, CONTROL.resultShadows + 4 * extra.part);
    case "fill":
      ifAny(e, [operands[2]], false);
      for (const value of operands.slice(0, 2)) pushLow(e, value);
      e.push(operands[2]);
      e.call(e.module.host("fillBytes"));
      return e.end();
    case "length":
      return emitLength(e, extra, operands);
    case "length-done":
      ifAny(e, operands, false);
      e.call(e.module.host("lengthDone"));
      return e.end();
    case "range":
      ifAny(e, operands.slice(2), false);
      e.site(extra.site);
      e.push(operands[2]);
      pushWords(e, operands[0], 0);
      e.push(operands[3]);
      pushWords(e, operands[1], 0);
      e.i32(extra.write ? 1 : 0);
      e.call(e.module.host("rangeAt"));
      return e.end();
    case "touch":
      return emitSensitive(e, "plain");
  }
}

/** Before a copy or fill whose size may be symbolic. */
function emitLength(
  e: FunctionEmitter,
  extra: ShadowExtra & { readonly what: "length" },
  [destination, source, size, byteShadow, sizeShadow]: readonly Value[],
): void {
  ifAny(e, [sizeShadow], false);
  e.site(extra.site);
  pushLow(e, destination);
  pushLow(e, source);
  if (extra.of === "memset") e.push(byteShadow);
  e.push(sizeShadow);
  pushLow(e, size);
  if (extra.of !== "memset") e.i32(extra.of === "memmove" ? 1 : 0);
  e.call(e.module.host(extra.of === "memset" ? "fillLength" : "copyLength"));
  e.end();
}

/** A variadic argument has been stored at the frame's `offset`; its shadow lies in its place. */
export function emitVariadicShadow(e: FunctionEmitter, offset: number, slot: number): void {
  const shadow = e.temp("i32");
  const address = e.temp("i32");
  e.i32(0);
  e.memory(W.i32_load, CONTROL.argumentShadows + 4 * slot);
  e.set(shadow);
  e.get(e.frame.pointerLocal);
  e.i32(offset);
  e.op(W.i32_add);
  e.set(address);
  // An earlier call may have left a symbolic argument in the same bytes.
  e.get(address);
  e.i32(STATE_SHIFT);
  e.op(W.i32_shr_u);
  e.memory(W.i32_load8_u, 0);
  e.i32(STATE_FULL);
  e.op(W.i32_xor);
  e.get(shadow);
  e.op(W.i32_or);
  e.ifUnlikely();
  e.get(address);
  e.i32(8);
  e.get(shadow);
  e.call(e.module.host("storeBytes"));
  e.end();
}

// ---------------------------------------------------------------- tests

/** Opens an `if` that is entered when one of the shadows is set. */
function ifAny(e: FunctionEmitter, shadows: readonly Value[], result: boolean): void {
  let pushed = 0;
  for (const shadow of shadows) {
    if (intValue(shadow) === 0n) continue;
    e.push(shadow);
    if (pushed++ > 0) e.op(W.i32_or);
  }
  if (pushed === 0) e.i32(0);
  if (!result) return e.ifUnlikely();
  e.hints.push({ offset: e.code.length, likely: false });
  e.op(W.if);
  e.op(I32_RESULT);
}
function otherwiseZero(e: FunctionEmitter): void {
  e.op(W.else);
  e.i32(0);
  e.end();
}

/** A part's bits as two i32: low, high. */
function pushWords(e: FunctionEmitter, value: Value, part: number): void {
  const { wasm } = partsOf(value.type)[part];
  if (wasm === "i32" || wasm === "f32") {
    e.push(value, part);
    if (wasm === "f32") e.op(W.i32_reinterpret_f32);
    e.i32(0);
    return;
  }
  const local = e.local(value, part);
  const bits = wasm === "i64" ? local : e.temp("i64");
  if (wasm === "f64") {
    e.get(local);
    e.op(W.i64_reinterpret_f64);
    e.set(bits);
  }
  e.get(bits);
  e.op(W.i32_wrap_i64);
  e.get(bits);
  e.i64(32n);
  e.op(W.i64_shr_u);
  e.op(W.i32_wrap_i64);
}
function pushLow(e: FunctionEmitter, value: Value): void {
  e.push(value);
  if (partsOf(value.type)[0].wasm === "i64") e.op(W.i32_wrap_i64);
}

// ---------------------------------------------------------------- operations

function emitOperation(
  e: FunctionEmitter,
  extra: ShadowExtra & { readonly what: "operate" | "divide" },
  operands: readonly Value[],
): void {
  const arity = operands.length / 2;
  const values = operands.slice(0, arity);
  const shadows = operands.slice(arity);
  ifAny(e, shadows, true);
  if (extra.what === "divide") e.site(extra.site);
  e.i32(extra.code);
  pushOperands(e, extra.parts, values, shadows);
  e.call(e.module.host(extra.what));
  otherwiseZero(e);
}

/** Two shadows, then two words of each value; zeros for a second one that there is not. */
function pushOperands(
  e: FunctionEmitter,
  parts: readonly number[],
  values: readonly Value[],
  shadows: readonly Value[],
): void {
  for (let n = 0; n < 2; n++) {
    if (n < values.length) e.push(shadows[n]);
    else e.i32(0);
  }
  for (let n = 0; n < 2; n++) {
    if (n < values.length) pushWords(e, values[n], parts[n]);
    else {
      e.i32(0);
      e.i32(0);
    }
  }
}

/** The NaN that operations of expressions have; the machine's own has other bits from case to case. */
const NAN_BITS = { f32: 0x7fc0_0000n, f64: 0x7ff8_0000_0000_0000n } as const;

/**
 * As emitOperation, for what the machine computes with floats. Behind the test, where concrete data never comes, the
 * computed value itself is put right if it is a NaN: nobody has read it yet.
 */
function emitComputation(
  e: FunctionEmitter,
  extra: ShadowExtra & { readonly what: "compute" },
  operands: readonly Value[],
): void {
  const computed = operands[operands.length - 1];
  const arity = (operands.length - 1) / 2;
  const values = operands.slice(0, arity);
  const shadows = operands.slice(arity, -1);
  ifAny(e, shadows, true);
  const { wasm } = partsOf(computed.type)[extra.part];
  if (wasm === "f32" || wasm === "f64") {
    const result = e.local(computed, extra.part);
    e.pushBits(partsOf(computed.type)[extra.part], NAN_BITS[wasm]);
    e.get(result);
    for (let twice = 0; twice < 2; twice++) e.get(result);
    e.op(wasm === "f32" ? W.f32_ne : W.f64_ne);
    e.op(W.select);
    e.set(result);
  }
  if (arity === 3) pushThree(e, extra, values, shadows);
  else {
    e.i32(extra.code);
    pushOperands(e, extra.parts, values, shadows);
    e.call(e.module.host("operate"));
  }
  otherwiseZero(e);
}

/** Calls the host with three shadows; the values lie in memory. */
function pushThree(
  e: FunctionEmitter,
  extra: { readonly code: number; readonly parts: readonly number[] },
  values: readonly Value[],
  shadows: readonly Value[],
): void {
  values.forEach((value, n) => {
    const part = partsOf(value.type)[extra.parts[n]];
    e.i32(0);
    e.push(value, extra.parts[n]);
    emitToI64(e, part);
    e.memory(W.i64_store, CONTROL.wideOperands + 8 * n);
  });
  e.i32(extra.code);
  for (const shadow of shadows) e.push(shadow);
  e.call(e.module.host("operateThree"));
}

function emitChoice(
  e: FunctionEmitter,
  extra: ShadowExtra & { readonly what: "choose" },
  operands: readonly Value[],
): void {
  const [condition, then, otherwise, chosen, a, b] = operands;
  ifAny(e, [chosen], true);
  e.i32(extra.width);
  for (const shadow of [chosen, a, b]) e.push(shadow);
  pushWords(e, then, extra.part);
  pushWords(e, otherwise, extra.part);
  e.call(e.module.host("choice"));
  e.op(W.else);
  e.push(a);
  e.push(b);
  e.push(condition);
  e.op(W.select);
  e.end();
}

function emitWide(e: FunctionEmitter, code: number, operands: readonly Value[]): void {
  const shadows = operands.slice(2);
  ifAny(e, shadows, true);
  operands.slice(0, 2).forEach((value, n) => {
    for (let part = 0; part < 2; part++) {
      e.i32(0);
      e.push(value, part);
      e.memory(W.i64_store, CONTROL.wideOperands + 16 * n + 8 * part);
    }
  });
  e.i32(code);
  for (const shadow of shadows) e.push(shadow);
  e.call(e.module.host("operateWide"));
  otherwiseZero(e);
}

// ---------------------------------------------------------------- accesses

function emitLoadShadow(
  e: FunctionEmitter,
  extra: ShadowExtra & { readonly what: "load" },
  operands: readonly Value[],
): void {
  const result = e.temp("i32");
  e.i32(0);
  e.set(result);
  emitAccess(e, extra, operands[0], [operands[1]], false, (pushAddress, object) => {
    pushAddress();
    e.i32(extra.size);
    e.push(operands[1]);
    e.site(extra.site);
    if (object !== null) pushObject(e, object);
    if (!extra.checked) e.callRuntime("__tangent_symbolic_peek");
    else e.callRuntime(object === null ? "__tangent_symbolic_read" : "__tangent_symbolic_read_of");
    e.set(result);
  });
  e.get(result);
}

function emitStoreShadow(
  e: FunctionEmitter,
  extra: ShadowExtra & { readonly what: "store" },
  operands: readonly Value[],
): void {
  emitAccess(e, extra, operands[0], operands.slice(1, 3), true, (pushAddress, object) => {
    pushAddress();
    e.i32(extra.size);
    e.push(operands[1]);
    e.push(operands[2]);
    e.site(extra.site);
    if (operands.length > 3) {
      e.push(operands[3], extra.part);
      emitToI64(e, partsOf(operands[3].type)[extra.part]);
    } else e.i64(0n);
    if (object !== null) pushObject(e, object);
    e.callRuntime(object === null ? "__tangent_symbolic_write" : "__tangent_symbolic_write_of");
  });
}

/** Notes that a sensitive operation is about to be executed. */
function emitSensitive(e: FunctionEmitter, sensitivity: Sensitivity): void {
  if (sensitivity === "safe" || !e.module.sensitive) return;
  e.i32(0);
  e.i32(1);
  e.memory(W.i32_store8, sensitivity === "computed" ? CONTROL.sensitive : CONTROL.plainlySensitive);
}

function emitAccess(
  e: FunctionEmitter,
  extra: ShadowExtra & { readonly what: "load" | "store" },
  pointer: Value,
  shadows: readonly Value[],
  write: boolean,
  slow: (pushAddress: () => void, object: MeantObject | null) => void,
): void {
  e.module.statistics.checks++;
  emitSensitive(e, extra.sensitive);
  const address = e.local(pointer);
  const inline = extra.what === "store" || extra.checked;
  const base = baseOfAccess(e, pointer, extra.size, { offset: extra.offset });
  const object = inline ? (base?.object ?? null) : null;
  const probes = inline && extra.size <= 8 ? probesOf(extra.size, extra.align) : null;
  e.block();
  if (probes !== null && probes.offsets.length === 1) {
    e.block();
    const set = shadows.filter((shadow) => intValue(shadow) !== 0n);
    set.forEach((shadow, n) => {
      e.push(shadow);
      if (n > 0) e.op(W.i32_or);
    });
    if (set.length > 0) e.brIfUnlikely(0);
    if (object !== null) {
      pushLeaves(e, address, extra.offset, extra.size, object, true);
      e.brIfUnlikely(0);
    }
    emitProbe(e, address, extra.offset, extra.size, write, true);
    e.end();
  }
  const start = e.code.length;
  keepBase(e, base);
  slow(() => {
    e.get(address);
    if (extra.offset !== 0) {
      e.i64(BigInt(extra.offset));
      e.op(W.i64_add);
    }
  }, object);
  markBase(e, start, write ? null : base, write ? base : null);
  e.end();
}
