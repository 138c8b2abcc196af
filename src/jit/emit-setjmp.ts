// setjmp and longjmp through WebAssembly exceptions. Each execution of setjmp draws a number, keeps it in a local of its
// frame and in the jump buffer; longjmp throws (number, value); a frame that has setjmp calls catches, compares the
// number with its own, and either resumes after that setjmp with the value as its result or throws on. A number that no
// frame owns reaches the host: a longjmp to a frame that has returned.
// Locals keep what they held at the throw, and such functions keep their variables in memory (no mem2reg), so that
// variables have their latest values, as native code without optimisation gives.

import { VOID } from "../ir/types.js";
import { Block, type Body, type Instruction, instruction } from "../ir/values.js";
import { emitCheck } from "./emit-check.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { GLOBAL_SETJMP, GLOBAL_STACK_POINTER, TAG_LONGJMP } from "./module-globals.js";
import { NOWHERE } from "./placement.js";
import { W } from "./wasm.js";

const SETJMP_NAMES: ReadonlySet<string> = new Set([
  ...["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"],
  // __builtin_setjmp; what clang itself keeps in the buffer is written before the call.
  "llvm.eh.sjlj.setjmp",
]);

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
  emitCheck(e, instruction("check", VOID, [buffer], { size: 8, write: true, align: 8 }));
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
