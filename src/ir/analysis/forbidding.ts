// Which calls may make memory unaddressable, bottom-up over the program: `free` does, `strlen` does not. The removal of
// checks forgets everything at a call that may, so that knowing the harmless ones keeps checks out of loops with calls.
// A function may forbid if it calls one that may, or one that is not known (through a pointer, undefined, recursive), or
// is trusted code that writes memory: the states themselves are memory. The end of a frame forbids only the frame.

import type { IrFunction } from "../module.js";
import type { Forbids } from "../passes/check-elimination.js";
import type { Body, Instruction } from "../values.js";
import { memoryCopy } from "./alloca-uses.js";
import { calledFunction } from "./call-graph.js";

/** Trusted functions that only ever make memory addressable, or write no states at all. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...["__tangent_check_read", "__tangent_check_write", "__tangent_check_read_of", "__tangent_check_write_of"],
  ...["__tangent_read_range", "__tangent_read_string", "__tangent_state_allow"],
  ...["__tangent_memcpy", "__tangent_memmove", "__tangent_memset", "__tangent_try_copy", "__tangent_try_fill"],
  ...["malloc", "calloc", "memalign", "aligned_alloc", "posix_memalign", "valloc", "malloc_usable_size"],
]);

/** Trusted code that does may write the states of addresses, which are memory like any other to it. */
export function writesMemory(i: Instruction): boolean {
  if (i.op === "call") return memoryCopy(i) !== null;
  return i.op === "store" || i.op === "atomicrmw" || i.op === "cmpxchg";
}

export class Forbidding {
  private readonly harmless = new Set<IrFunction>();

  /** To be asked for finished bodies only, callees first. */
  learn(fn: IrFunction, body: Body): void {
    const trusted = fn.module.origin === "trusted";
    if (!trusted || !HARMLESS.has(fn.name)) {
      for (const block of body.blocks) {
        for (const i of block.instructions) {
          if (trusted && writesMemory(i)) return;
          if (i.op === "call" && this.endsAddressability(i, fn)) return;
        }
      }
    }
    this.harmless.add(fn);
  }

  private endsAddressability(i: Instruction, self: IrFunction): boolean {
    const callee = calledFunction(i.operands[0]);
    return callee !== self && this.forbids(i) === "anything";
  }

  /** What may be unaddressable after this call that was addressable before? */
  readonly forbids = (i: Instruction): Forbids => {
    if (i.op !== "call" || i.extra.noreturn) return "nothing";
    const callee = calledFunction(i.operands[0]);
    if (callee === null) return "anything";
    if (callee.name.startsWith("llvm.")) {
      const endsScope = callee.name.startsWith("llvm.lifetime.end") || callee.name.startsWith("llvm.stackrestore");
      return endsScope ? "locals" : "nothing";
    }
    return callee.attributes.noreturn || this.harmless.has(callee) ? "nothing" : "anything";
  };
}
