// Loads, stores, addresses, allocas and atomics (executed as plain accesses: there is one thread). The accesses
// themselves are bare WebAssembly loads and stores; whether they are allowed was asked before by a `check` (see
// emit-check.ts), inserted and thinned out as an instruction of its own.

import { lowerType } from "../ir/passes/lower.js";
import type { Type } from "../ir/types.js";
import { type AtomicOp, type Instruction, intValue, type Value } from "../ir/values.js";
import { emitStackOverflowTest } from "./emit-frame.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { GLOBAL_STACK_POINTER } from "./module-globals.js";
import { emitObserved } from "./observed.js";
import { type MemoryPart, memoryPartsOf, partsOf, ShapeError } from "./shape.js";
import { W } from "./wasm.js";

/** Puts the pointer's low 32 bits on the stack and returns a constant to add to it in the access itself. */
function pushAddress(e: FunctionEmitter, pointer: Value): number {
  if (pointer.kind === "instruction" && pointer.op === "alloca") {
    const offset = e.frame.offsetOf.get(pointer);
    if (offset !== undefined) {
      e.get(e.frame.pointerLocal);
      return offset;
    }
  }
  if (pointer.kind === "global") {
    e.i32Asked({ kind: "address", ref: pointer });
    return 0;
  }
  e.push(pointer);
  e.op(W.i32_wrap_i64);
  return 0;
}

export function emitLoad(e: FunctionEmitter, i: Instruction): void {
  if (i.op !== "load") return;
  emitObserved(e, i);
  emitLoadParts(e, i.operands[0], i.extra.accessType);
}
function emitLoadParts(e: FunctionEmitter, pointer: Value, type: Type): void {
  const parts = memoryPartsOf(type, e.module.layout);
  if (parts.length === 1 && isPlain(parts[0])) {
    const offset = pushAddress(e, pointer);
    emitLoadPart(e, parts[0], offset);
    return;
  }
  const address = e.temp("i32");
  const offset = pushAddress(e, pointer);
  e.set(address);
  for (const part of parts) emitLoadAt(e, address, part, offset);
}
/** One machine access can fetch it. */
function isPlain(part: MemoryPart): boolean {
  return part.bytes === 1 || part.bytes === 2 || part.bytes === 4 || part.bytes === 8;
}
/** The address is on the stack. */
function emitLoadPart(e: FunctionEmitter, part: MemoryPart, offset: number): void {
  const at = offset + part.offset;
  if (part.wasm === "f32") e.memory(W.f32_load, at);
  else if (part.wasm === "f64") e.memory(W.f64_load, at);
  else if (part.wasm === "i32") {
    e.memory(part.bytes === 1 ? W.i32_load8_u : part.bytes === 2 ? W.i32_load16_u : W.i32_load, at);
  } else {
    const code = [0, W.i64_load8_u, W.i64_load16_u, 0, W.i64_load32_u, 0, 0, 0, W.i64_load][part.bytes];
    e.memory(code, at);
  }
  if (part.bits < part.bytes * 8) e.mask(part);
}
/** Loads a part of any number of bytes by composing machine accesses. */
function emitLoadAt(e: FunctionEmitter, address: number, part: MemoryPart, offset: number): void {
  if (isPlain(part)) {
    e.get(address);
    emitLoadPart(e, part, offset);
    return;
  }
  const wide = part.wasm === "i64";
  let done = 0;
  for (const bytes of [4, 2, 1]) {
    if (part.bytes - done < bytes) continue;
    e.get(address);
    const at = offset + part.offset + done;
    if (wide) e.memory(bytes === 4 ? W.i64_load32_u : bytes === 2 ? W.i64_load16_u : W.i64_load8_u, at);
    else e.memory(bytes === 2 ? W.i32_load16_u : W.i32_load8_u, at);
    if (done > 0) {
      if (wide) e.i64(BigInt(done * 8));
      else e.i32(done * 8);
      e.op(wide ? W.i64_shl : W.i32_shl);
      e.op(wide ? W.i64_or : W.i32_or);
    }
    done += bytes;
  }
  if (part.bits < part.bytes * 8) e.mask(part);
}

export function emitStore(e: FunctionEmitter, i: Instruction): void {
  if (i.op !== "store") return;
  emitObserved(e, i);
  emitStoreParts(e, i.operands[0], i.operands[1], i.extra.accessType);
}
function emitStoreParts(e: FunctionEmitter, value: Value, pointer: Value, type: Type): void {
  const parts = memoryPartsOf(type, e.module.layout);
  if (parts.length === 1 && isPlain(parts[0])) {
    const offset = pushAddress(e, pointer);
    e.push(value);
    emitStorePart(e, parts[0], offset);
    return;
  }
  const address = e.temp("i32");
  const offset = pushAddress(e, pointer);
  e.set(address);
  parts.forEach((part, k) => {
    emitStoreAt(e, address, part, offset, () => e.push(value, k));
  });
}
/** Address and value are on the stack. */
function emitStorePart(e: FunctionEmitter, part: MemoryPart, offset: number): void {
  const at = offset + part.offset;
  if (part.wasm === "f32") e.memory(W.f32_store, at);
  else if (part.wasm === "f64") e.memory(W.f64_store, at);
  else if (part.wasm === "i32") {
    e.memory(part.bytes === 1 ? W.i32_store8 : part.bytes === 2 ? W.i32_store16 : W.i32_store, at);
  } else {
    const code = [0, W.i64_store8, W.i64_store16, 0, W.i64_store32, 0, 0, 0, W.i64_store][part.bytes];
    e.memory(code, at);
  }
}
function emitStoreAt(
  e: FunctionEmitter,
  address: number,
  part: MemoryPart,
  offset: number,
  pushValue: () => void,
): void {
  if (isPlain(part)) {
    e.get(address);
    pushValue();
    emitStorePart(e, part, offset);
    return;
  }
  const wide = part.wasm === "i64";
  const value = e.temp(part.wasm);
  pushValue();
  e.set(value);
  let done = 0;
  for (const bytes of [4, 2, 1]) {
    if (part.bytes - done < bytes) continue;
    e.get(address);
    e.get(value);
    if (done > 0) {
      if (wide) e.i64(BigInt(done * 8));
      else e.i32(done * 8);
      e.op(wide ? W.i64_shr_u : W.i32_shr_u);
    }
    const at = offset + part.offset + done;
    if (wide) e.memory(bytes === 4 ? W.i64_store32 : bytes === 2 ? W.i64_store16 : W.i64_store8, at);
    else e.memory(bytes === 2 ? W.i32_store16 : W.i32_store8, at);
    done += bytes;
  }
}

// ---------------------------------------------------------------- addresses

export function emitGetElementPointer(e: FunctionEmitter, i: Instruction): void {
  if (i.op !== "getelementptr") return;
  if (i.type.kind === "vector") throw new ShapeError("getelementptr on vectors");
  const layout = e.module.layout;
  let constant = 0n;
  let type: Type = lowerType(i.extra.sourceType);
  e.push(i.operands[0]);
  for (let n = 1; n < i.operands.length; n++) {
    const index = i.operands[n];
    const known = intValue(index);
    if (n > 1 && type.kind === "struct") {
      const field = Number(known ?? 0n);
      constant += BigInt(layout.structLayout(type).offsets[field]);
      type = type.fields[field];
      continue;
    }
    if (n > 1) {
      if (type.kind !== "array" && type.kind !== "vector") throw new ShapeError("getelementptr into a scalar");
      type = type.element;
    }
    const size = layout.sizeOf(type);
    const bits = index.type.kind === "int" ? index.type.bits : 64;
    if (known !== null) {
      constant += BigInt.asIntN(bits, known) * BigInt(size);
      continue;
    }
    if (size === 0) continue;
    pushIndex(e, index, bits);
    if (size > 1) {
      const shift = Math.log2(size);
      e.i64(Number.isInteger(shift) ? BigInt(shift) : BigInt(size));
      e.op(Number.isInteger(shift) ? W.i64_shl : W.i64_mul);
    }
    e.op(W.i64_add);
  }
  if (constant !== 0n) {
    e.i64(BigInt.asIntN(64, constant));
    e.op(W.i64_add);
  }
}
/** An index sign-extended (or cut) to 64 bits. */
function pushIndex(e: FunctionEmitter, index: Value, bits: number): void {
  e.push(index);
  if (bits > 64) return;
  const part = partsOf(index.type)[0];
  e.signExtend(part);
  if (part.wasm === "i32") e.op(W.i64_extend_i32_s);
}

/** A static alloca's address; a dynamic one moves the stack pointer down and opens its bytes. */
export function emitAlloca(e: FunctionEmitter, i: Instruction): void {
  if (i.op !== "alloca") return;
  const offset = e.frame.offsetOf.get(i);
  if (offset !== undefined) {
    e.get(e.frame.pointerLocal);
    e.i32(offset);
    e.op(W.i32_add);
    e.op(W.i64_extend_i32_u);
    return;
  }
  const type = lowerType(i.extra.allocated);
  const unit = e.module.layout.sizeOf(type);
  const align = Math.max(i.extra.align, 16);
  // Who accesses it wants to know how large it is.
  const size = e.newLocal("i64");
  e.allocated.set(i, { bytes: -1, bytesLocal: size });
  const count = i.operands[0];
  pushIndex(e, count, count.type.kind === "int" ? count.type.bits : 64);
  e.i64(BigInt(unit));
  e.op(W.i64_mul);
  e.set(size);
  // A size beyond the stack (or negative) overflows it.
  e.get(size);
  e.i64(0x100_0000n);
  e.op(W.i64_gt_u);
  e.ifUnlikely();
  emitStackOverflowTest(e, null);
  e.end();
  // 32 bytes of redzone above, then the object, aligned; 16 below, so that frames below never touch it.
  const address = e.temp("i32");
  e.globalGet(GLOBAL_STACK_POINTER);
  e.get(size);
  e.op(W.i32_wrap_i64);
  e.i32(32);
  e.op(W.i32_add);
  e.op(W.i32_sub);
  e.i32(-align);
  e.op(W.i32_and);
  e.tee(address);
  e.i32(16);
  e.op(W.i32_sub);
  e.globalSet(GLOBAL_STACK_POINTER);
  emitStackOverflowTest(e, address);
  e.get(address);
  e.get(size);
  e.op(W.i32_wrap_i64);
  e.callRuntime("__tangent_state_allow");
  e.get(address);
  e.op(W.i64_extend_i32_u);
}

// ---------------------------------------------------------------- atomics

const ATOMIC_INT: Partial<Record<AtomicOp, { readonly i32: number; readonly i64: number }>> = {
  add: { i32: W.i32_add, i64: W.i64_add },
  sub: { i32: W.i32_sub, i64: W.i64_sub },
  and: { i32: W.i32_and, i64: W.i64_and },
  or: { i32: W.i32_or, i64: W.i64_or },
  xor: { i32: W.i32_xor, i64: W.i64_xor },
  nand: { i32: W.i32_and, i64: W.i64_and },
};
const ATOMIC_CHOICE: Partial<
  Record<AtomicOp, { readonly i32: number; readonly i64: number; readonly signed: boolean }>
> = {
  max: { i32: W.i32_gt_s, i64: W.i64_gt_s, signed: true },
  min: { i32: W.i32_lt_s, i64: W.i64_lt_s, signed: true },
  umax: { i32: W.i32_gt_u, i64: W.i64_gt_u, signed: false },
  umin: { i32: W.i32_lt_u, i64: W.i64_lt_u, signed: false },
};

export function emitAtomicReadModifyWrite(e: FunctionEmitter, i: Instruction): void {
  if (i.op !== "atomicrmw") return;
  const [pointer, operand] = i.operands;
  const parts = memoryPartsOf(i.type, e.module.layout);
  const part = parts[0];
  if (parts.length !== 1 || !isPlain(part)) throw new ShapeError("an atomic operation on more than 64 bits");
  const address = e.temp("i32");
  const offset = pushAddress(e, pointer);
  e.set(address);
  const old = e.temp(part.wasm);
  emitLoadAt(e, address, part, offset);
  e.set(old);
  emitStoreAt(e, address, part, offset, () => {
    const operation = i.extra.operation;
    const simple = ATOMIC_INT[operation];
    const choice = ATOMIC_CHOICE[operation];
    const wide = part.wasm === "i64";
    if (operation === "xchg") e.push(operand);
    else if (simple !== undefined && (part.wasm === "i32" || wide)) {
      e.get(old);
      e.push(operand);
      e.op(wide ? simple.i64 : simple.i32);
      if (operation === "nand") {
        if (wide) e.i64(-1n);
        else e.i32(-1);
        e.op(wide ? W.i64_xor : W.i32_xor);
      }
      e.mask(part);
    } else if (choice !== undefined) {
      const other = e.local(operand);
      e.get(old);
      e.get(other);
      for (const local of [old, other]) {
        e.get(local);
        if (choice.signed) e.signExtend(part);
      }
      e.op(wide ? choice.i64 : choice.i32);
      e.op(W.select);
    } else if ((operation === "fadd" || operation === "fsub") && (part.wasm === "f32" || part.wasm === "f64")) {
      e.get(old);
      e.push(operand);
      const single = part.wasm === "f32";
      if (operation === "fadd") e.op(single ? W.f32_add : W.f64_add);
      else e.op(single ? W.f32_sub : W.f64_sub);
    } else throw new ShapeError(`atomicrmw ${operation}`);
  });
  e.get(old);
}

export function emitCompareExchange(e: FunctionEmitter, i: Instruction): void {
  if (i.op !== "cmpxchg") return;
  const [pointer, expected, replacement] = i.operands;
  const parts = memoryPartsOf(expected.type, e.module.layout);
  const address = e.temp("i32");
  const offset = pushAddress(e, pointer);
  e.set(address);
  const old = parts.map((part) => {
    const local = e.temp(part.wasm);
    emitLoadAt(e, address, part, offset);
    e.set(local);
    return local;
  });
  const equal = e.temp("i32");
  parts.forEach((part, k) => {
    e.get(old[k]);
    e.push(expected, k);
    e.op(part.wasm === "i64" ? W.i64_eq : W.i32_eq);
    if (k > 0) e.op(W.i32_and);
  });
  e.tee(equal);
  e.op(W.if);
  e.op(0x40);
  parts.forEach((part, k) => {
    emitStoreAt(e, address, part, offset, () => e.push(replacement, k));
  });
  e.end();
  for (const local of old) e.get(local);
  e.get(equal);
}
