// The question before an access: may these bytes be touched? In line, for 1, 2, 4 or 8 bytes:
//
//   t = rotate p right by log2(size)         t = p >> 3 for one byte
//   if (t >= 2^32 >> log2(size) || !(state[p >> 3] & 8)) slow(p, size)        state == 8 for stores
//
// The rotation brings the bits that must be zero for an aligned access to the top, beside p's high half, which must be
// zero too, so one comparison with a small constant answers "is it an address" and "does it stay in its granule" (a
// mask of 64 bits would have to be loaded each time). The slow path, in the C runtime, handles partial granules and
// straddling accesses and faults if it must. The branches are hinted as unlikely, so that V8 keeps the call and the
// registers it spills off the hot path. Longer ranges (structures) are probed in steps shorter than a redzone.
//
// Where it is known which object is meant, and how large it is, the access must lie in that one: p - object <= its size - size. If
// the object is alive as well, this is all that is asked.

import type { Instruction, Value } from "../ir/values.js";
import { baseOfAccess, keepBase, markBase, pushLeaves, pushObject } from "./access-base.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { GRANULE, STATE_FULL, STATE_READABLE, STATE_SHIFT, STATE_SYMBOLIC } from "./memory-layout.js";
import { W } from "./wasm.js";

/** Objects lie at least this far apart (frame.ts, globals.ts, the heap's headers), so a shorter gap hides no redzone. */
const LEAST_REDZONE = 16;
/** Longer ranges are left to the runtime's loop. */
const MAX_INLINE = 64;

export function emitCheck(e: FunctionEmitter, i: Instruction): void {
  if (i.op !== "check") return;
  const { size, write, align, alive } = i.extra;
  emitRangeCheck(e, i.operands[0], size, write, align, alive);
}

/** Gives the local that holds the address. `alive`: so is the object that is meant, if that is known. */
export function emitRangeCheck(
  e: FunctionEmitter,
  address: Value,
  size: number,
  write: boolean,
  align: number,
  alive = false,
): number {
  const pointer = e.local(address);
  const base = baseOfAccess(e, address, size);
  const object = base?.object ?? null;
  e.module.statistics.checks++;
  const isEnough = alive && object !== null;
  const probes = isEnough ? null : probesOf(size, align);
  if (isEnough || probes !== null) e.block();
  if (isEnough) {
    pushLeaves(e, pointer, 0, size, object, false);
    e.op(W.i32_eqz);
    e.brIfLikely(0);
  } else if (probes !== null) {
    e.block();
    if (object !== null) {
      pushLeaves(e, pointer, 0, size, object, true);
      e.brIfUnlikely(0);
    }
    probes.offsets.forEach((offset, n) => {
      emitProbe(e, pointer, offset, probes.size, write, n === probes.offsets.length - 1);
    });
    e.end();
  }
  const start = e.code.length;
  keepBase(e, base);
  e.get(pointer);
  e.i32(size);
  if (object !== null) pushObject(e, object);
  e.callRuntime(`__tangent_check_${write ? "write" : "read"}${object === null ? "" : "_of"}`);
  markBase(e, start, write ? null : base, write ? base : null);
  if (isEnough || probes !== null) e.end();
  return pointer;
}

/** Where to look so that nothing in between can be forbidden, and how many bytes at each place; null: do not try. */
export function probesOf(
  size: number,
  align: number,
): { readonly size: number; readonly offsets: readonly number[] } | null {
  if (size === 1 || size === 2 || size === 4 || size === 8) return { size, offsets: [0] };
  if (size > MAX_INLINE) return null;
  const unit = align >= 8 ? 8 : align >= 4 ? 4 : align >= 2 ? 2 : 1;
  const step = Math.floor((unit + LEAST_REDZONE - 1) / unit) * unit;
  const offsets: number[] = [];
  for (let at = 0; at < size - unit; at += step) offsets.push(at);
  offsets.push(size - unit);
  // The last probe must be aligned as the others are.
  return (size - unit) % unit === 0 ? { size: unit, offsets } : null;
}

/** Label 0 is the slow path, label 1 what comes after the check. */
export function emitProbe(
  e: FunctionEmitter,
  pointer: number,
  offset: number,
  size: number,
  write: boolean,
  last: boolean,
): void {
  const alignShift = Math.log2(size);
  const index = e.temp("i64");
  e.get(pointer);
  if (offset !== 0) {
    e.i64(BigInt(offset));
    e.op(W.i64_add);
  }
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
  const state = last ? e.temp("i32") : -1;
  if (last) e.tee(state);
  if (write) {
    e.i32(STATE_FULL);
    e.op(last ? W.i32_eq : W.i32_ne);
  } else {
    e.i32(STATE_READABLE);
    e.op(W.i32_and);
    if (!last) e.op(W.i32_eqz);
  }
  if (!last) {
    e.brIfUnlikely(0);
    return;
  }
  e.brIfLikely(1);
  emitPartialProbe(e, pointer, offset, size, state, write);
}

/** The last field of a structure often lies in a partial granule: its states 1 to 7 are understood in line as well. */
function emitPartialProbe(
  e: FunctionEmitter,
  pointer: number,
  offset: number,
  size: number,
  state: number,
  write: boolean,
): void {
  e.get(pointer);
  e.op(W.i32_wrap_i64);
  if (offset % GRANULE !== 0) {
    e.i32(offset);
    e.op(W.i32_add);
  }
  e.i32(GRANULE - 1);
  e.op(W.i32_and);
  e.i32(size);
  e.op(W.i32_add);
  e.get(state);
  if (write) {
    // Read-only memory has larger states.
    e.op(W.i32_le_u);
    e.get(state);
    e.i32(STATE_FULL);
    e.op(W.i32_lt_u);
    e.op(W.i32_and);
  } else {
    e.i32(GRANULE - 1);
    e.op(W.i32_and);
    e.op(W.i32_le_u);
    if (e.module.definedness) {
      // There a symbolic granule's low bits mean something else.
      e.get(state);
      e.i32(STATE_SYMBOLIC);
      e.op(W.i32_lt_u);
      e.op(W.i32_and);
    }
  }
  e.brIf(1);
}
