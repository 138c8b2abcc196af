// memcpy, memmove and memset. Copies of structures have a small constant size: they are checked and copied in line, all
// loads before all stores, so that overlapping is harmless. Everything else goes to the runtime, which checks the ranges;
// trusted code uses the bulk instructions directly.

import { addressOf } from "../ir/analysis/gep.js";
import { lowerType } from "../ir/passes/lower.js";
import { type InstructionOf, intValue, type Value } from "../ir/values.js";
import { type AccessBase, baseOfAccess, markBase, pushLeaves, pushObject } from "./access-base.js";
import { emitRangeCheck } from "./emit-check.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { partsOf } from "./shape.js";
import { W, WX } from "./wasm.js";

type Call = InstructionOf<"call">;

const MAX_INLINE = 64;

export function memoryOperation(
  runtime: string,
  bulk: typeof WX.memory_copy | typeof WX.memory_fill,
): (e: FunctionEmitter, i: Call) => void {
  return (e, i) => {
    const [, destination, source, size] = i.operands;
    const known = intValue(size);
    if (known === 0n) return;
    // In line the shadows would be left behind.
    if (known !== null && known <= MAX_INLINE && !e.hasShadows) {
      if (bulk === WX.memory_copy) return emitCopy(e, i, Number(known), runtime);
      const byte = intValue(source);
      if (byte !== null) return emitFill(e, i, Number(known), byte);
    }
    const wideSize = partsOf(size.type)[0].wasm === "i64";
    const from = bulk === WX.memory_copy ? baseOfRange(e, source, size, false) : null;
    const to = baseOfRange(e, destination, size, true);
    e.push(destination);
    if (e.trusted) e.op(W.i32_wrap_i64);
    e.push(source);
    if (e.trusted && bulk === WX.memory_copy) e.op(W.i32_wrap_i64);
    e.push(size);
    if (e.trusted) {
      if (wideSize) e.op(W.i32_wrap_i64);
      e.extended(bulk);
      e.op(0);
      if (bulk === WX.memory_copy) e.op(0);
      return;
    }
    if (!wideSize) e.op(W.i64_extend_i32_u);
    const start = e.code.length;
    e.callRuntime(runtime);
    markBase(e, start, from, to);
  };
}

/**
 * What the range begins in must be the object that is meant: the runtime sees to it that all of it is one object. An empty one may
 * be anywhere.
 */
function baseOfRange(e: FunctionEmitter, pointer: Value, size: Value, write: boolean): AccessBase | null {
  const base = baseOfAccess(e, pointer, 1, { allowsPointer: false });
  if (base === null || base.object === null) return base;
  const address = e.local(pointer);
  pushLeaves(e, address, 0, 1, base.object, false);
  e.ifUnlikely();
  const start = e.code.length;
  e.get(address);
  e.push(size);
  if (partsOf(size.type)[0].wasm === "i64") e.op(W.i32_wrap_i64);
  pushObject(e, base.object);
  e.callRuntime(`__tangent_check_${write ? "write" : "read"}_of`);
  markBase(e, start, write ? null : base, write ? base : null);
  e.end();
  return base;
}

interface Piece {
  readonly offset: number;
  readonly bytes: 1 | 2 | 4 | 8;
}
/** As few accesses as there can be. */
function piecesOf(size: number): Piece[] {
  const pieces: Piece[] = [];
  let offset = 0;
  for (const bytes of [8, 4, 2, 1] as const) {
    for (; size - offset >= bytes; offset += bytes) pieces.push({ offset, bytes });
  }
  return pieces;
}

function emitCopy(e: FunctionEmitter, i: Call, size: number, runtime: string): void {
  const from = address(e, i, 2, size, false);
  const to = address(e, i, 1, size, true);
  if (runtime === "__tangent_memcpy" && !e.trusted && mayOverlap(e, i)) emitOverlapTest(e, from, to, size);
  const values = piecesOf(size).map((piece) => {
    const value = e.temp(piece.bytes === 8 ? "i64" : "i32");
    e.get(from);
    e.op(W.i32_wrap_i64);
    const load = { 8: W.i64_load, 4: W.i32_load, 2: W.i32_load16_u, 1: W.i32_load8_u }[piece.bytes];
    e.memory(load, piece.offset);
    e.set(value);
    return { ...piece, value };
  });
  for (const { offset, bytes, value } of values) {
    e.get(to);
    e.op(W.i32_wrap_i64);
    e.get(value);
    e.memory(STORE[bytes], offset);
  }
}

/** Two variables do not overlap. */
function mayOverlap(e: FunctionEmitter, i: Call): boolean {
  const [a, b] = [1, 2].map((argument) => addressOf(e.module.layout, i.operands[argument]).base);
  const isVariable = (value: Value): boolean =>
    value.kind === "global" || (value.kind === "instruction" && value.op === "alloca");
  return !(isVariable(a) && isVariable(b) && a !== b);
}

/** memcpy onto itself is harmless and compilers rely on it; onto a part of itself is an error, which the runtime reports. */
function emitOverlapTest(e: FunctionEmitter, from: number, to: number, size: number): void {
  const distance = e.temp("i64");
  e.get(to);
  e.get(from);
  e.op(W.i64_sub);
  e.tee(distance);
  e.i64(BigInt(size - 1));
  e.op(W.i64_add);
  e.i64(BigInt(2 * size - 1));
  e.op(W.i64_lt_u);
  e.ifUnlikely();
  e.get(distance);
  e.i64(0n);
  e.op(W.i64_ne);
  e.ifUnlikely();
  e.get(to);
  e.get(from);
  e.i64(BigInt(size));
  e.callRuntime("__tangent_memcpy");
  e.end();
  e.end();
}

const STORE = { 8: W.i64_store, 4: W.i32_store, 2: W.i32_store16, 1: W.i32_store8 } as const;

function emitFill(e: FunctionEmitter, i: Call, size: number, byte: bigint): void {
  const to = address(e, i, 1, size, true);
  for (const { offset, bytes } of piecesOf(size)) {
    e.get(to);
    e.op(W.i32_wrap_i64);
    const pattern = (byte & 0xffn) * (0x0101_0101_0101_0101n >> BigInt(64 - 8 * bytes));
    if (bytes === 8) e.i64(pattern);
    else e.i32(Number(BigInt.asIntN(32, pattern)));
    e.memory(STORE[bytes], offset);
  }
}

/** A local with the argument's address, checked unless the whole range is known to be inside its variable. */
function address(e: FunctionEmitter, i: Call, argument: number, size: number, write: boolean): number {
  const pointer = i.operands[argument];
  if (e.trusted || isInside(e, pointer, size, write)) return e.local(pointer);
  return emitRangeCheck(e, pointer, size, write, i.extra.paramAttributes[argument - 1]?.align ?? 1);
}

function isInside(e: FunctionEmitter, pointer: Value, size: number, write: boolean): boolean {
  const { layout } = e.module;
  const { base, offset } = addressOf(layout, pointer);
  if (offset < 0) return false;
  if (base.kind === "instruction" && base.op === "alloca" && e.frame.offsetOf.has(base)) {
    const count = Number(intValue(base.operands[0]) ?? 0n);
    return offset + size <= layout.sizeOf(lowerType(base.extra.allocated)) * count;
  }
  if (base.kind !== "global") return false;
  const variable = base.target.resolved;
  if (variable?.kind !== "variable" || (write && variable.constant)) return false;
  return offset + size <= layout.sizeOf(variable.valueType);
}
