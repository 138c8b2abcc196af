// Entry to and exit from a function's stack frame; the layout is in frame.ts.

import { FAULTS } from "./boundary.js";
import type { FunctionEmitter } from "./function-emitter.js";
import type { FrameSlot } from "./image.js";
import { GRANULE, STACK_LIMIT, STATE_FULL, STATE_SHIFT } from "./memory-layout.js";
import { GLOBAL_LOWEST_STACK, GLOBAL_STACK_POINTER } from "./module-globals.js";
import { W, WX } from "./wasm.js";

/** A run of at least this many full granules is set by memory.fill; shorter ones by stores of 8 states at once. */
const FILL_STATES = 64;

/** Faults if the address (a local) lies below the stack; with null, faults at once. The fault's size is in KiB, if known. */
export function emitStackOverflowTest(e: FunctionEmitter, address: number | null, neededBytes = 0): void {
  if (address !== null) {
    // Only a new low can be too low, so one test serves both.
    e.get(address);
    e.globalGet(GLOBAL_LOWEST_STACK);
    e.op(W.i32_lt_u);
    e.ifUnlikely();
    e.get(address);
    e.globalSet(GLOBAL_LOWEST_STACK);
    e.get(address);
    e.i32(STACK_LIMIT);
    e.op(W.i32_lt_u);
    e.ifUnlikely();
  }
  e.i32(FAULTS["stack-overflow"]);
  if (address !== null) e.get(address);
  else e.i32(0);
  e.i32(0);
  e.i32(Math.min(Math.ceil(neededBytes / 1024), 0xffff_ffff) | 0);
  e.call(e.module.host("fault"));
  e.op(W.unreachable);
  if (address !== null) {
    e.end();
    e.end();
  }
}

export function emitFrameEntry(e: FunctionEmitter, frameIndex: number): void {
  const frame = e.frame;
  if (frame.size === 0) return;
  frame.pointerLocal = e.newLocal("i32");
  if (frame.hugeBytes > 0) emitStackOverflowTest(e, null, frame.hugeBytes);
  e.globalGet(GLOBAL_STACK_POINTER);
  e.i32(frame.size);
  e.op(W.i32_sub);
  if (frame.align > 16) {
    e.i32(-frame.align);
    e.op(W.i32_and);
  }
  e.set(frame.pointerLocal);
  if (frame.align > 16) {
    // Alignment makes the frame's size vary, so the caller's stack pointer is kept.
    e.savedStackPointer = e.newLocal("i32");
    e.globalGet(GLOBAL_STACK_POINTER);
    e.set(e.savedStackPointer);
  }
  emitStackOverflowTest(e, frame.pointerLocal);
  e.get(frame.pointerLocal);
  e.globalSet(GLOBAL_STACK_POINTER);
  e.get(frame.pointerLocal);
  e.i64Asked({ kind: "frame", frame: frameIndex });
  e.memory(W.i64_store, 0);
  const { variadicOffset } = frame;
  emitStateRange(e, 0, variadicOffset > 0 ? variadicOffset / GRANULE : frame.states.length, true);
}

/** Leaves the frame: its bytes become unaddressable, the stack pointer moves back. */
export function emitFrameExit(e: FunctionEmitter): void {
  const frame = e.frame;
  if (frame.size === 0) return;
  if (frame.hasDynamicAlloca) {
    e.globalGet(GLOBAL_STACK_POINTER);
    e.get(frame.pointerLocal);
    e.globalGet(GLOBAL_STACK_POINTER);
    e.op(W.i32_sub);
    e.callRuntime("__tangent_state_forbid");
  }
  emitStateRange(e, 0, frame.states.length, false);
  if (e.savedStackPointer >= 0) e.get(e.savedStackPointer);
  else {
    e.get(frame.pointerLocal);
    e.i32(frame.size);
    e.op(W.i32_add);
  }
  e.globalSet(GLOBAL_STACK_POINTER);
}

/** Sets or clears the states of one slot. */
export function emitSlotStates(e: FunctionEmitter, slot: FrameSlot, set: boolean): void {
  emitStateRange(e, slot.offset / GRANULE, Math.ceil((slot.offset + slot.size) / GRANULE), set);
}

/**
 * Before a call: of the area for variadic arguments, exactly these granules are addressable. What another call left there
 * is forgotten.
 */
export function emitVariadicStates(e: FunctionEmitter, passed: (granule: number) => boolean): void {
  const { variadicOffset, variadicSize, pointerLocal } = e.frame;
  const first = variadicOffset / GRANULE;
  const count = variadicSize / GRANULE;
  const address = e.temp("i32");
  e.get(pointerLocal);
  e.i32(STATE_SHIFT);
  e.op(W.i32_shr_u);
  e.set(address);
  for (let at = 0; at < count; ) {
    const bytes = [8, 4, 2, 1].find((size) => at + size <= count) ?? 1;
    let value = 0n;
    for (let n = bytes - 1; n >= 0; n--) value = (value << 8n) | (passed(at + n) ? BigInt(STATE_FULL) : 0n);
    e.get(address);
    if (bytes === 8) e.i64(value);
    else e.i32(Number(value));
    const store = { 8: W.i64_store, 4: W.i32_store, 2: W.i32_store16, 1: W.i32_store8 }[bytes] ?? W.i32_store8;
    e.memory(store, first + at);
    at += bytes;
  }
}

/** Sets (or clears) the states of slots. Everything else in the frame is zero already, and stays so. */
function emitStateRange(e: FunctionEmitter, from: number, to: number, set: boolean): void {
  const states = e.frame.states;
  let address = -1;
  const pushStateAddress = (): void => {
    if (address < 0) {
      address = e.temp("i32");
      e.get(e.frame.pointerLocal);
      e.i32(STATE_SHIFT);
      e.op(W.i32_shr_u);
      e.tee(address);
    } else e.get(address);
  };
  let at = from;
  while (at < to) {
    if (states[at] === 0) {
      at++;
      continue;
    }
    let run = at;
    while (run < to && states[run] === states[at]) run++;
    if (run - at >= FILL_STATES) {
      pushStateAddress();
      e.i32(at);
      e.op(W.i32_add);
      e.i32(set ? states[at] : 0);
      e.i32(run - at);
      e.extended(WX.memory_fill);
      e.op(0);
      at = run;
      continue;
    }
    const width = Math.min(8, to - at);
    const bytes = width >= 8 ? 8 : width >= 4 ? 4 : width >= 2 ? 2 : 1;
    let value = 0n;
    for (let n = bytes - 1; n >= 0; n--) value = (value << 8n) | BigInt(states[at + n]);
    pushStateAddress();
    if (bytes === 8) {
      e.i64(set ? value : 0n);
      e.memory(W.i64_store, at);
    } else {
      e.i32(set ? Number(BigInt.asIntN(32, value)) : 0);
      e.memory(bytes === 4 ? W.i32_store : bytes === 2 ? W.i32_store16 : W.i32_store8, at);
    }
    at += bytes;
  }
}
