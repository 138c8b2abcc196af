// What work costs that is no loop and no call, and asking for more when all is spent. Bytes that are copied or filled in bulk cost
// fuel too: a copy of a gigabyte is one instruction to a loop around it, and no limit would ever be looked at.
//
// Bulk operations happen in the runtime, while the heap may be in between two states; so they only pay, and the runtime
// asks for more where it is in order (`__tangent_settle`): asking may run a signal handler of the program.

import type { Value } from "../ir/values.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { GLOBAL_FUEL } from "./module-globals.js";
import { W } from "./wasm.js";

/** Bytes that cost as much as one instruction, as a power of two: a word each. */
const BULK_SHIFT = 3;

/** `size`: an i32. */
export function emitBulkCost(e: FunctionEmitter, size: Value): void {
  e.globalGet(GLOBAL_FUEL);
  e.push(size);
  e.i32(BULK_SHIFT);
  e.op(W.i32_shr_u);
  e.op(W.i32_sub);
  e.globalSet(GLOBAL_FUEL);
}

/** When the fuel is used up the host decides. */
export function emitRefuel(e: FunctionEmitter): void {
  e.globalGet(GLOBAL_FUEL);
  e.i32(0);
  e.op(W.i32_lt_s);
  e.ifUnlikely();
  e.call(e.module.host("refuel"));
  e.globalSet(GLOBAL_FUEL);
  e.end();
}
