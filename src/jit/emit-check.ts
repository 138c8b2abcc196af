// The question before an access: may these bytes be touched? In line, for up to 8 bytes:
//
//   if ((p & MASK) != 0 || !(state[p >> 3] & 8)) slow(p, size)        state == 8 for stores
//
// MASK holds p's high half, which must be zero, and the bits that would let the access leave its granule, so one test
// answers "is it an address" and "is it aligned". The slow path, in the C runtime, handles partial granules and
// straddling accesses and faults if it must. Both branches are hinted as unlikely, so that V8 keeps the call and the
// registers it spills off the hot path.

import type { Instruction } from "../ir/values.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { STATE_FULL, STATE_READABLE, STATE_SHIFT } from "./memory-layout.js";
import { W } from "./wasm.js";

export function emitCheck(e: FunctionEmitter, i: Instruction): void {
  if (i.op !== "check") return;
  const { size, write } = i.extra;
  const pointer = e.local(i.operands[0]);
  e.module.statistics.checks++;
  const slow = e.module.runtime(write ? "__tangent_check_write" : "__tangent_check_read");
  if (size !== 1 && size !== 2 && size !== 4 && size !== 8) {
    e.get(pointer);
    e.i32(size);
    e.call(slow);
    return;
  }
  e.block();
  e.block();
  e.get(pointer);
  e.i64(-(1n << 32n) | BigInt(size - 1));
  e.op(W.i64_and);
  e.i64(0n);
  e.op(W.i64_ne);
  e.brIfUnlikely(0);
  e.get(pointer);
  e.i64(BigInt(STATE_SHIFT));
  e.op(W.i64_shr_u);
  e.op(W.i32_wrap_i64);
  e.memory(W.i32_load8_u, 0);
  if (write) {
    e.i32(STATE_FULL);
    e.op(W.i32_eq);
  } else {
    e.i32(STATE_READABLE);
    e.op(W.i32_and);
  }
  e.brIf(1);
  e.end();
  e.get(pointer);
  e.i32(size);
  e.call(slow);
  e.end();
}
