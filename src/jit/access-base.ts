// What an address was computed from: the root of its chain of getelementptrs, known when code is made. It is a variable, whose place
// is noted in a table beside the code; or a pointer, which the slow path of the check leaves in the control block before it asks.
// A finding names it: an index that runs out of its array may land next to another variable, and the nearest object is then the
// wrong one.
//
// If the root's size is known too (a variable, a copy passed by value, a block allocated in the same function), that is the object
// which is meant, and the access is held to it: a far index lands in another object, whose states allow it.

import { calledFunction } from "../ir/analysis/call-graph.js";
import { addressOf } from "../ir/analysis/gep.js";
import { rootOf, sizeOfAlloca, staticVariable } from "../ir/analysis/root.js";
import { type Instruction, intValue, type Value } from "../ir/values.js";
import { NO_BASE, POINTER_BASE } from "./base-codes.js";
import type { Ask } from "./function-draft.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { CONTROL } from "./memory-layout.js";
import { W } from "./wasm.js";

export interface AccessBase {
  readonly code: number | Ask;
  /** Of POINTER_BASE: the local that holds it. */
  readonly local: number;
  readonly object: MeantObject | null;
}

/** Not one that the access is known to stay in. */
export interface MeantObject {
  readonly root: Value;
  /** How many bytes it has; -1 if `bytesLocal` says it. */
  readonly bytes: number;
  readonly bytesLocal: number;
}

/** Where in a function's code which access is made, and what its address was computed from. */
export interface BaseMark<Question = Ask> {
  readonly start: number;
  readonly end: number;
  readonly read: number | Question;
  readonly write: number | Question;
}

/** `size`: of the access, which begins so many bytes behind the pointer. */
export function baseOfAccess(
  e: FunctionEmitter,
  pointer: Value,
  size: number,
  { offset = 0, allowsPointer = true } = {},
): AccessBase | null {
  if (e.trusted) return null;
  const root = rootOf(pointer);
  if (root === null) return null;
  const objectOf = (bytes: number, bytesLocal = -1): MeantObject | null =>
    bytesLocal < 0 && staysInside(e, pointer, root, offset, size, bytes) ? null : { root, bytes, bytesLocal };
  if (root.kind === "global") {
    if (root.target.resolved?.kind !== "variable") return null;
    const variable = staticVariable(root);
    const object = variable === null ? null : objectOf(e.module.layout.sizeOf(variable.valueType));
    return { code: { kind: "address", ref: root }, local: -1, object };
  }
  if (root.kind === "instruction" && root.op === "alloca") {
    const place = e.frame.offsetOf.get(root);
    if (place !== undefined) {
      return { code: place, local: -1, object: objectOf(sizeOfAlloca(root, e.module.layout) ?? 0) };
    }
  }
  if (!allowsPointer || root === pointer) return null;
  if (root.kind === "argument") {
    const copied = e.params[root.index]?.byval ?? null;
    const object = copied === null ? null : objectOf(e.module.layout.sizeOf(copied));
    return { code: POINTER_BASE, local: e.local(root), object };
  }
  if (root.kind !== "instruction" || e.placement.isKept[root.id] === 0) return null;
  const known = e.allocated.get(root);
  const object = known === undefined ? null : objectOf(known.bytes, known.bytesLocal);
  return { code: POINTER_BASE, local: e.local(root), object };
}

function staysInside(
  e: FunctionEmitter,
  pointer: Value,
  root: Value,
  behind: number,
  size: number,
  bytes: number,
): boolean {
  const { base, offset } = addressOf(e.module.layout, pointer);
  return base === root && offset + behind >= 0 && offset + behind + size <= bytes;
}

/**
 * Puts 1 on the stack if the access, at the pointer in the local and so many bytes behind it, leaves the object; else 0. `isLow`: that
 * the pointer has no more than 32 bits is asked elsewhere, if it does not leave.
 */
export function pushLeaves(
  e: FunctionEmitter,
  pointer: number,
  offset: number,
  size: number,
  object: MeantObject,
  isLow: boolean,
): void {
  const { root, bytes, bytesLocal } = object;
  if (bytesLocal < 0 && bytes < size) return e.i32(1);
  const isShort = isLow && bytesLocal < 0;
  const number = (value: number): void => (isShort ? e.i32(value | 0) : e.i64(BigInt(value)));
  e.get(pointer);
  if (isShort) e.op(W.i32_wrap_i64);
  const slot = root.kind === "instruction" && root.op === "alloca" ? e.frame.offsetOf.get(root) : undefined;
  if (slot !== undefined) {
    e.get(e.frame.pointerLocal);
    if (!isShort) e.op(W.i64_extend_i32_u);
  } else {
    e.push(root);
    if (isShort) e.op(W.i32_wrap_i64);
  }
  e.op(isShort ? W.i32_sub : W.i64_sub);
  // A dynamic size may be smaller than the access. What that lets pass, just before the object, its redzone stops.
  const distance = offset - (slot ?? 0) + (bytesLocal < 0 ? 0 : size);
  if (distance !== 0) {
    number(distance);
    e.op(isShort ? W.i32_add : W.i64_add);
  }
  if (bytesLocal < 0) number(bytes - size);
  else e.get(bytesLocal);
  e.op(isShort ? W.i32_gt_u : W.i64_gt_u);
}

/** Puts the object's address and size on the stack, for the slow path. */
export function pushObject(e: FunctionEmitter, { root, bytes, bytesLocal }: MeantObject): void {
  e.push(root);
  if (bytesLocal < 0) e.i64(BigInt(bytes));
  else e.get(bytesLocal);
}

/** In the slow path, before the access is asked for. */
export function keepBase(e: FunctionEmitter, base: AccessBase | null): void {
  if (base === null || base.code !== POINTER_BASE) return;
  e.i32(0);
  e.get(base.local);
  e.memory(W.i64_store, CONTROL.accessBase);
}

export function markBase(e: FunctionEmitter, start: number, read: AccessBase | null, write: AccessBase | null): void {
  if (read === null && write === null) return;
  e.bases.push({ start, end: e.code.length, read: read?.code ?? NO_BASE, write: write?.code ?? NO_BASE });
}

// ---------------------------------------------------------------- blocks allocated in the function

/** By name: which arguments say how many bytes there are, their product. */
const ALLOCATORS: Readonly<Record<string, readonly number[]>> = {
  malloc: [1],
  calloc: [1, 2],
  realloc: [2],
  aligned_alloc: [2],
  memalign: [2],
};

/** Before a call: how many bytes it allocates, if it does, is kept for accesses to the block. */
export function noteAllocation(e: FunctionEmitter, call: Instruction): void {
  const callee = e.trusted || call.op !== "call" ? null : calledFunction(call.operands[0]);
  if (callee === null || callee.module.origin !== "trusted" || e.placement.isKept[call.id] === 0) return;
  const factors = ALLOCATORS[callee.name]?.map((n) => call.operands[n]) ?? [];
  if (factors.length === 0 || !factors.every((factor) => isWord(factor))) return;
  const known = factors.reduce((product, factor) => product * Number(intValue(factor) ?? Number.NaN), 1);
  if (Number.isSafeInteger(known)) {
    e.allocated.set(call, { bytes: known, bytesLocal: -1 });
    return;
  }
  const bytesLocal = e.newLocal("i64");
  factors.forEach((factor, n) => {
    e.push(factor);
    if (n > 0) e.op(W.i64_mul);
  });
  e.set(bytesLocal);
  e.allocated.set(call, { bytes: -1, bytesLocal });
}

function isWord(value: Value | undefined): boolean {
  return value?.type.kind === "int" && value.type.bits === 64;
}

/** Whether noteAllocation may want the block's address for as long as there are accesses to it. */
export function isAllocation(i: Instruction): boolean {
  const callee = i.op === "call" ? calledFunction(i.operands[0]) : null;
  return callee !== null && callee.module.origin === "trusted" && callee.name in ALLOCATORS;
}
