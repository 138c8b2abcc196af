// Which functions of the program the code behind a function may call, by a graph whose pointers were looked up by
// points-to sets. Of the functions that fit a pointer by its type these are the ones that the program itself may put
// there.

import type { LinkedProgram } from "../../ir/link.js";
import type { IrFunction } from "../../ir/module.js";
import { SignatureTable } from "../../jit/signature-table.js";
import type { ProgramGraph } from "../../program/graph/program-graph.js";

/** Null: nothing is known of it. */
export type FunctionsBehind = (fn: IrFunction) => ReadonlySet<IrFunction> | null;

/** `graph`: of an image made of `program`. */
export function functionsBehind(program: LinkedProgram, graph: ProgramGraph): FunctionsBehind {
  // Types alone have been asked already.
  if (graph.precision !== "points-to") return () => null;
  const table = new SignatureTable(program.functions);
  const callees = new Map<number, Set<number>>();
  for (const { functionNumber, callees: called } of graph.blocks) {
    const own = callees.get(functionNumber) ?? new Set();
    callees.set(functionNumber, own);
    for (const callee of called) own.add(callee);
  }
  return (fn) => {
    const start = table.indexOf(fn);
    if (start === undefined) return null;
    const seen = new Set<number>();
    const work = [start];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      for (const callee of callees.get(at) ?? []) {
        if (seen.has(callee)) continue;
        seen.add(callee);
        work.push(callee);
      }
    }
    return new Set([...seen].map((index) => table.functions[index]));
  };
}
