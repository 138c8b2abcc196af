// va_list as x86-64 has it: { gp_offset, fp_offset, overflow_arg_area, reg_save_area }. Our callers put variadic arguments
// where the calling convention would: into an area laid out as the register save area followed by the stack (frame.ts), so
// that the code clang made for va_arg finds them. Putting all into the overflow area is simpler, but a 128-bit integer,
// which clang passes as two 64-bit ones, is aligned there and not in registers.

import type { IrFunction } from "../ir/module.js";
import { VOID } from "../ir/types.js";
import { type Instruction, instruction, type Value } from "../ir/values.js";
import { emitCheck } from "./emit-check.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { GRANULE, NO_ARGUMENTS, SPARE_ARGUMENTS, STATE_FULL, STATE_SHIFT } from "./memory-layout.js";
import { GLOBAL_STACK_POINTER } from "./module-globals.js";
import { GENERAL_REGISTERS, VARIADIC_OVERFLOW } from "./variadic-area.js";
import { W } from "./wasm.js";

const VA_LIST_BYTES = 24;

/**
 * Functions of libc that read arguments which their callers need not pass; natively they get what a register holds. KLEE's function reads
 * a number, and may be given a vector.
 */
const READ_MORE_THAN_PASSED: ReadonlySet<string> = new Set([
  ...["fcntl", "ioctl", "prctl", "ptrace", "syscall"],
  "klee_print_expr",
]);

/** gnulib's replacements of them (`rpl_fcntl`) are part of the program, and read an argument before they know whether there is one. */
export function readsMoreThanPassed({ name, module }: IrFunction): boolean {
  if (module.origin !== "program") return READ_MORE_THAN_PASSED.has(name);
  return READ_MORE_THAN_PASSED.has(name.replace(/^rpl_/, ""));
}

function check(e: FunctionEmitter, pointer: Value, write: boolean): void {
  if (e.trusted) return;
  const question: Instruction = instruction("check", VOID, [pointer], { size: VA_LIST_BYTES, write, align: 8 });
  emitCheck(e, question);
}

export function emitVaStart(e: FunctionEmitter, list: Value): void {
  check(e, list, true);
  const address = e.local(list);
  if (e.variadic.readsMore) emitSpareArguments(e, e.variadic.local);
  const store = (push: () => void, code: number, offset: number): void => {
    e.get(address);
    e.op(W.i32_wrap_i64);
    push();
    e.memory(code, offset);
  };
  store(() => e.i32(e.variadic.general), W.i32_store, 0);
  store(() => e.i32(e.variadic.vector), W.i32_store, 4);
  const area = (offset: number): void => {
    if (e.variadic.local < 0) e.i32(NO_ARGUMENTS);
    else e.get(e.variadic.local);
    e.i32(offset);
    e.op(W.i32_add);
    e.op(W.i64_extend_i32_u);
  };
  store(() => (e.variadic.readsMore ? pushOverflow(e, e.variadic.local) : area(VARIADIC_OVERFLOW)), W.i64_store, 8);
  store(() => area(0), W.i64_store, 16);
}

/** Makes every general register's place readable; those that were passed stay as they are. */
function emitSpareArguments(e: FunctionEmitter, area: number): void {
  e.i32(SPARE_ARGUMENTS);
  e.get(area);
  e.get(area);
  e.i32(NO_ARGUMENTS);
  e.op(W.i32_eq);
  e.op(W.select);
  e.set(area);
  for (let n = 0; n < GENERAL_REGISTERS; n++) {
    const state = e.temp("i32");
    e.get(area);
    e.i32(n * GRANULE);
    e.op(W.i32_add);
    e.i32(STATE_SHIFT);
    e.op(W.i32_shr_u);
    e.tee(state);
    e.memory(W.i32_load8_u, 0);
    e.op(W.i32_eqz);
    e.ifUnlikely();
    e.get(state);
    e.i32(STATE_FULL);
    e.memory(W.i32_store8, 0);
    e.end();
  }
}

/** Where the arguments without a register are: if none were passed (`syscall` reads six of any), the spare ones. */
function pushOverflow(e: FunctionEmitter, area: number): void {
  const passed = e.temp("i32");
  e.get(area);
  e.i32(VARIADIC_OVERFLOW);
  e.op(W.i32_add);
  e.tee(passed);
  e.i32(SPARE_ARGUMENTS + VARIADIC_OVERFLOW);
  e.get(passed);
  e.i32(STATE_SHIFT);
  e.op(W.i32_shr_u);
  e.memory(W.i32_load8_u, 0);
  e.op(W.select);
  e.op(W.i64_extend_i32_u);
}

export function emitVaCopy(e: FunctionEmitter, destination: Value, source: Value): void {
  check(e, source, false);
  check(e, destination, true);
  const to = e.local(destination);
  const from = e.local(source);
  for (let offset = 0; offset < VA_LIST_BYTES; offset += 8) {
    e.get(to);
    e.op(W.i32_wrap_i64);
    e.get(from);
    e.op(W.i32_wrap_i64);
    e.memory(W.i64_load, offset);
    e.memory(W.i64_store, offset);
  }
}

export function emitStackSave(e: FunctionEmitter): void {
  e.globalGet(GLOBAL_STACK_POINTER);
  e.op(W.i64_extend_i32_u);
}

/** Everything allocated since the save becomes unaddressable. */
export function emitStackRestore(e: FunctionEmitter, saved: Value): void {
  const to = e.local(saved);
  e.globalGet(GLOBAL_STACK_POINTER);
  e.get(to);
  e.op(W.i32_wrap_i64);
  e.globalGet(GLOBAL_STACK_POINTER);
  e.op(W.i32_sub);
  e.callRuntime("__tangent_state_forbid");
  e.get(to);
  e.op(W.i32_wrap_i64);
  e.globalSet(GLOBAL_STACK_POINTER);
}
