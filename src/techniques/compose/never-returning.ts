// Functions that never return to their caller: declared so, or every way to a `return` calls one that does not. Answering such a call with a
// value would go on where the program ends.

import { calledFunction } from "../../ir/analysis/call-graph.js";
import type { IrFunction } from "../../ir/module.js";
import type { Body } from "../../ir/values.js";
import type { ProgramCode } from "./program-code.js";

/** Indices into `image.functions`. */
export function neverReturning({ bodies }: Pick<ProgramCode, "bodies">): ReadonlySet<number> {
  const stopping = new Set<IrFunction>();
  for (const { fn } of bodies) if (fn.attributes.noreturn) stopping.add(fn);
  // Callers of what was found now are looked at again.
  for (let before = -1; before !== stopping.size; ) {
    before = stopping.size;
    for (const { fn, body } of bodies) if (!stopping.has(fn) && !mayReturn(body, stopping)) stopping.add(fn);
  }
  return new Set(bodies.flatMap(({ fn, functionIndex }) => (stopping.has(fn) ? [functionIndex] : [])));
}

function mayReturn({ blocks }: Body, stopping: ReadonlySet<IrFunction>): boolean {
  if (blocks.length === 0) return true;
  const reached = new Set([blocks[0]]);
  // A set is walked as it grows.
  for (const { instructions, terminator } of reached) {
    const isLast = instructions.some(({ op, operands, extra }) => {
      if (op !== "call") return false;
      const callee = calledFunction(operands[0]);
      return extra.noreturn || (callee !== null && stopping.has(callee));
    });
    if (isLast) continue;
    if (terminator.op === "ret") return true;
    for (const next of terminator.blocks) reached.add(next);
  }
  return false;
}
