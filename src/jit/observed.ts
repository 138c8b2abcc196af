// Calls and accesses that tell the host where their pointers lead, so that what a static analysis says of pointers can be compared with runs.
// A place has a number: its position among all such places, functions in the optimizer's order and instructions in their blocks'. Whoever
// makes the same bodies again (program/counted-bodies.ts) counts the same.

import { calledFunction } from "../ir/analysis/call-graph.js";
import type { Body, Instruction, Value } from "../ir/values.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { W } from "./wasm.js";

/** The instructions of a body that are observed. Those of the trusted runtime are not. */
export function* observedPlaces(body: Body): Generator<Instruction> {
  for (const { instructions } of body.blocks) for (const i of instructions) if (observedPointer(i) !== null) yield i;
}

/** The pointer that an instruction calls or accesses, if it is computed; null otherwise. */
export function observedPointer(i: Instruction): Value | null {
  switch (i.op) {
    case "call": {
      const [callee] = i.operands;
      return callee.kind === "asm" || calledFunction(callee) !== null ? null : callee;
    }
    case "load":
      return computed(i.operands[0]);
    case "store":
      return computed(i.operands[1]);
    default:
      return null;
  }
}

function computed(pointer: Value): Value | null {
  if (pointer.kind === "argument") return pointer;
  return pointer.kind === "instruction" && pointer.op !== "alloca" ? pointer : null;
}

/** Before the instruction itself; nothing, if it is not observed. */
export function emitObserved(e: FunctionEmitter, i: Instruction): void {
  const place = e.module.places.get(i);
  const pointer = place === undefined ? null : observedPointer(i);
  if (place === undefined || pointer === null) return;
  e.i32(place);
  e.push(pointer);
  e.op(W.i32_wrap_i64);
  e.call(e.module.observer);
}
