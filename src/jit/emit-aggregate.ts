// Values made of several parts: structures and arrays in registers, vectors. Taking apart and putting together only
// chooses among parts; nothing is computed, except where a vector is indexed by a variable.

import { type Instruction, intValue, type Value } from "../ir/values.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { partsOf, ShapeError } from "./shape.js";
import { W } from "./wasm.js";

export function emitExtractValue(e: FunctionEmitter, i: Instruction): void {
  if (i.op !== "extractvalue") return;
  const { first, count } = e.memberParts(i.operands[0], i.extra.indices);
  for (let k = 0; k < count; k++) e.push(i.operands[0], first + k);
}

export function emitInsertValue(e: FunctionEmitter, i: Instruction): void {
  if (i.op !== "insertvalue") return;
  const [aggregate, inserted] = i.operands;
  const { first, count } = e.memberParts(aggregate, i.extra.indices);
  pushReplaced(e, aggregate, inserted, first, count);
}

/** The parts of a value with `count` of them, from `first` on, taken from another one. */
function pushReplaced(e: FunctionEmitter, value: Value, inserted: Value, first: number, count: number): void {
  const total = partsOf(value.type).length;
  for (let k = 0; k < total; k++) {
    if (k >= first && k < first + count) e.push(inserted, k - first);
    else e.push(value, k);
  }
}

export function emitExtractElement(e: FunctionEmitter, i: Instruction): void {
  const [vector, index] = i.operands;
  const size = partsOf(i.type).length;
  const lanes = partsOf(vector.type).length / size;
  const known = intValue(index);
  if (known !== null) {
    const lane = known < BigInt(lanes) ? Number(known) : 0;
    for (let k = 0; k < size; k++) e.push(vector, lane * size + k);
    return;
  }
  const at = e.local(index);
  for (let k = 0; k < size; k++) {
    e.push(vector, k);
    for (let lane = 1; lane < lanes; lane++) {
      // The lane so far, unless the index says this one.
      e.push(vector, lane * size + k);
      pushIndexDiffers(e, index, at, lane);
      e.op(W.select);
    }
  }
}

export function emitInsertElement(e: FunctionEmitter, i: Instruction): void {
  const [vector, element, index] = i.operands;
  const size = partsOf(element.type).length;
  const lanes = partsOf(vector.type).length / size;
  const known = intValue(index);
  if (known !== null) {
    const lane = known < BigInt(lanes) ? Number(known) : 0;
    pushReplaced(e, vector, element, lane * size, size);
    return;
  }
  const at = e.local(index);
  for (let lane = 0; lane < lanes; lane++) {
    for (let k = 0; k < size; k++) {
      e.push(vector, lane * size + k);
      e.push(element, k);
      pushIndexDiffers(e, index, at, lane);
      e.op(W.select);
    }
  }
}

function pushIndexDiffers(e: FunctionEmitter, index: Value, local: number, lane: number): void {
  e.get(local);
  if (partsOf(index.type)[0].wasm === "i64") {
    e.i64(BigInt(lane));
    e.op(W.i64_ne);
  } else {
    e.i32(lane);
    e.op(W.i32_ne);
  }
}

export function emitShuffle(e: FunctionEmitter, i: Instruction): void {
  if (i.op !== "shufflevector") return;
  const [a, b] = i.operands;
  if (a.type.kind !== "vector") throw new ShapeError("a shuffle of scalars");
  const size = partsOf(a.type.element).length;
  const lanes = a.type.count;
  for (const from of i.extra.mask) {
    const source = from >= lanes ? b : a;
    const lane = from < 0 ? 0 : from % lanes;
    for (let k = 0; k < size; k++) e.push(source, lane * size + k);
  }
}

export function emitSelect(e: FunctionEmitter, i: Instruction): void {
  const [condition, yes, no] = i.operands;
  const total = partsOf(i.type).length;
  if (condition.type.kind === "vector") {
    const size = total / condition.type.count;
    for (let k = 0; k < total; k++) {
      e.push(yes, k);
      e.push(no, k);
      e.push(condition, Math.floor(k / size));
      e.op(W.select);
    }
    return;
  }
  if (total === 1) {
    e.push(yes);
    e.push(no);
    e.push(condition);
    e.op(W.select);
    return;
  }
  const test = e.local(condition);
  for (let k = 0; k < total; k++) {
    e.push(yes, k);
    e.push(no, k);
    e.get(test);
    e.op(W.select);
  }
}

export function emitCopy(e: FunctionEmitter, i: Instruction): void {
  e.pushAll(i.operands[0]);
}
