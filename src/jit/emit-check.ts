// The question before an access: may these bytes be touched? In line, for 1, 2, 4 or 8 bytes:
//
//   t = rotate p right by log2(size)         t = p >> 3 for one byte
//   if (t >= 2^32 >> log2(size) || !(state[p >> 3] & 8)) slow(p, size)        state == 8 for stores
//
// The rotation brings the bits that must be zero for an aligned access to the top, beside p's high half, which must be
// zero too, so one comparison with a small constant answers "is it an address" and "does it stay in its granule" (a
// mask of 64 bits would have to be loaded each time). The slow path, in the C runtime, handles partial granules and
// straddling accesses and faults if it must. The branches are hinted as unlikely, so that V8 keeps the call and the
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
  const alignShift = Math.log2(size);
  const index = e.temp("i64");
  e.block();
  e.block();
  e.get(pointer);
  e.i64(BigInt(size === 1 ? STATE_SHIFT : alignShift));
  e.op(size === 1 ? W.i64_shr_u : W.i64_rotr);
  e.tee(index);
  e.i64(1n << BigInt(32 - (size === 1 ? STATE_SHIFT : alignShift)));
  e.op(W.i64_ge_u);
  e.brIfUnlikely(0);
  e.get(index);
  e.op(W.i32_wrap_i64);
  if (size === 2 || size === 4) {
    e.i32(STATE_SHIFT - alignShift);
    e.op(W.i32_shr_u);
  }
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
