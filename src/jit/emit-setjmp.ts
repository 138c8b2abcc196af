// setjmp and longjmp through WebAssembly exceptions. Each execution of setjmp draws a number, keeps it in a local of its
// frame and in the jump buffer; longjmp throws (number, value); a frame that has setjmp calls catches, compares the
// number with its own, and either resumes after that setjmp with the value as its result or throws on. A number that no
// frame owns reaches the host: a longjmp to a frame that has returned.
// Locals keep what they held at the throw, and such functions keep their variables in memory (no mem2reg), so that
// variables have their latest values, as native code without optimisation gives.
// sigsetjmp keeps the signal mask in the buffer, where both libcs have a place for it, and whoever jumps there sets it again.

import { VOID } from "../ir/types.js";
import { Block, type Body, type Instruction, instruction, type Value } from "../ir/values.js";
import { emitCheck } from "./emit-check.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { CONTROL } from "./memory-layout.js";
import { GLOBAL_SETJMP, GLOBAL_STACK_POINTER, TAG_LONGJMP } from "./module-globals.js";
import { NOWHERE } from "./placement.js";
import { W } from "./wasm.js";

/** __builtin_setjmp; what clang itself keeps in the buffer, which has five words, is written before the call. */
const BUILTIN = "llvm.eh.sjlj.setjmp";
const SETJMP_NAMES: ReadonlySet<string> = new Set(["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", BUILTIN]);

/** Where a jump buffer says whether it holds a mask, and where the mask is: the same in musl and glibc. */
const MASK_FLAG = 64;
const MASK = 72;
const MASK_BYTES = 8;
const RT_SIGPROCMASK = 14n;
const SIG_BLOCK = 0n;
const SIG_SETMASK = 2n;

export interface SetjmpSite {
  readonly call: Instruction;
  /** The block that begins right after the call. */
  readonly resumeAt: Block;
  numberLocal: number;
  stackLocal: number;
}

export function isSetjmp(i: Instruction): boolean {
  if (i.op !== "call") return false;
  const callee = i.operands[0];
  return callee.kind === "global" && SETJMP_NAMES.has(callee.target.name) && callee.target.resolved === null;
}

/** Splits blocks so that every setjmp is followed by a jump to a block of its own. The order must be renewed after. */
export function splitAtSetjmp(body: Body): SetjmpSite[] {
  const sites: SetjmpSite[] = [];
  for (let b = 0; b < body.blocks.length; b++) {
    const block = body.blocks[b];
    const at = block.instructions.findIndex((i) => isSetjmp(i));
    if (at < 0) continue;
    const rest = new Block(`${block.name}.setjmp${sites.length}`);
    rest.instructions = block.instructions.splice(at + 1);
    block.instructions.push(instruction("br", VOID, [], null, [rest]));
    body.blocks.push(rest);
    for (const target of new Set(rest.terminator.blocks)) {
      for (const phi of target.instructions) {
        if (phi.op !== "phi") break;
        phi.blocks = phi.blocks.map((from) => (from === block ? rest : from));
      }
    }
    sites.push({ call: block.instructions[at], resumeAt: rest, numberLocal: -1, stackLocal: -1 });
  }
  return sites;
}

/** The call itself: returns 0 and remembers the place. */
export function emitSetjmp(e: FunctionEmitter, i: Instruction): void {
  const site = e.setjmpSites.find((s) => s.call === i);
  if (site === undefined) throw new Error("a setjmp that was not prepared");
  if (site.numberLocal < 0) {
    site.numberLocal = e.newLocal("i32");
    site.stackLocal = e.newLocal("i32");
  }
  const buffer = i.operands[1];
  emitKeepMask(e, i);
  e.globalGet(GLOBAL_SETJMP);
  e.i32(1);
  e.op(W.i32_add);
  e.globalSet(GLOBAL_SETJMP);
  e.push(buffer);
  e.op(W.i32_wrap_i64);
  e.globalGet(GLOBAL_SETJMP);
  e.tee(site.numberLocal);
  e.memory(W.i32_store, 0);
  e.globalGet(GLOBAL_STACK_POINTER);
  e.set(site.stackLocal);
  e.i32(0);
}

/** Checks the buffer, and keeps the mask in it if the program says so. */
function emitKeepMask(e: FunctionEmitter, i: Instruction): void {
  const [callee, buffer, keeps] = i.operands;
  const check = (size: number): void =>
    emitCheck(e, instruction("check", VOID, [buffer], { size, write: true, align: 8 }));
  if (callee.kind === "global" && callee.target.name === BUILTIN) return check(8);
  if (keeps === undefined) {
    check(MASK);
    e.push(buffer);
    e.op(W.i32_wrap_i64);
    e.i32(0);
    e.memory(W.i32_store, MASK_FLAG);
    return;
  }
  const flag = e.temp("i32");
  check(MASK + MASK_BYTES);
  e.push(keeps);
  e.op(W.i32_eqz);
  e.op(W.i32_eqz);
  e.set(flag);
  e.push(buffer);
  e.op(W.i32_wrap_i64);
  e.get(flag);
  e.memory(W.i32_store, MASK_FLAG);
  e.get(flag);
  e.ifUnlikely();
  emitMaskCall(e, SIG_BLOCK, buffer, "to");
  e.end();
}

/** Before a jump: the mask that the buffer holds, if it does. */
export function emitRestoreMask(e: FunctionEmitter, buffer: Value): void {
  emitCheck(e, instruction("check", VOID, [buffer], { size: MASK, write: false, align: 8 }));
  e.push(buffer);
  e.op(W.i32_wrap_i64);
  e.memory(W.i32_load, MASK_FLAG);
  e.ifUnlikely();
  emitCheck(e, instruction("check", VOID, [buffer], { size: MASK + MASK_BYTES, write: false, align: 8 }));
  emitMaskCall(e, SIG_SETMASK, buffer, "from");
  e.end();
}

/** rt_sigprocmask, with the mask in the buffer: where it goes to, or comes from. */
function emitMaskCall(e: FunctionEmitter, how: bigint, buffer: Value, way: "to" | "from"): void {
  const given = (slot: number, value: () => void): void => {
    e.i32(CONTROL.syscall + 8 * slot);
    value();
    e.memory(W.i64_store, 0);
  };
  const mask = (): void => {
    e.push(buffer);
    e.i64(BigInt(MASK));
    e.op(W.i64_add);
  };
  const none = (): void => e.i64(0n);
  given(0, () => e.i64(RT_SIGPROCMASK));
  given(1, () => e.i64(how));
  given(2, way === "from" ? mask : none);
  given(3, way === "to" ? mask : none);
  given(4, () => e.i64(BigInt(MASK_BYTES)));
  e.call(e.module.host("syscall"));
}

/** The `catch` part; the caller has opened the `try` and closes it. `resume` jumps to a site's continuation. */
export function emitLongjmpHandler(
  e: FunctionEmitter,
  sites: readonly SetjmpSite[],
  resume: (site: SetjmpSite) => void,
): void {
  e.op(W.catch);
  e.code.u32(TAG_LONGJMP);
  const value = e.temp("i32");
  const number = e.temp("i32");
  e.set(value);
  e.set(number);
  for (const site of sites) {
    if (site.numberLocal < 0) continue;
    e.get(number);
    e.get(site.numberLocal);
    e.op(W.i32_eq);
    e.op(W.if);
    e.op(0x40);
    e.labels.push(-1);
    // The frames in between are gone.
    e.globalGet(GLOBAL_STACK_POINTER);
    e.get(site.stackLocal);
    e.globalGet(GLOBAL_STACK_POINTER);
    e.op(W.i32_sub);
    e.callRuntime("__tangent_state_forbid");
    e.get(site.stackLocal);
    e.globalSet(GLOBAL_STACK_POINTER);
    const result = e.placement.local[site.call.id];
    if (result !== NOWHERE) {
      e.get(value);
      e.set(result);
    }
    resume(site);
    e.end();
    e.labels.pop();
  }
  e.op(W.rethrow);
  e.code.u32(0);
  e.releaseTemps();
}
