// Whom the functions of a program may call otherwise than by name: through a pointer, every function of that type whose address is taken;
// through libc, the functions that are handed to it (qsort's comparison). Coarse, and cheap: whoever counts calls of an execution keeps only
// candidates that were entered.

import { calledFunction } from "../../ir/analysis/call-graph.js";
import { collectConstant } from "../../ir/analysis/references.js";
import type { GlobalValue, IrFunction } from "../../ir/module.js";
import { typeToString } from "../../ir/types.js";
import { isConstant } from "../../ir/values.js";
import type { IndirectCallees } from "./call-profile.js";
import type { ProgramCode } from "./program-code.js";

export function indirectCallees(code: ProgramCode): IndirectCallees {
  const byType = new Map<string, number[]>();
  for (const fn of code.taken()) {
    const index = code.indexOf(fn);
    if (index === undefined || fn.module.origin !== "program") continue;
    const type = typeToString(fn.type);
    const own = byType.get(type) ?? [];
    own.push(index);
    byType.set(type, own);
  }
  const found = new Map<number, readonly number[]>();
  for (const { functionIndex, body } of code.bodies) {
    const callees = new Set<number>();
    for (const { instructions } of body.blocks) {
      for (const { op, operands, extra } of instructions) {
        if (op !== "call") continue;
        const direct = calledFunction(operands[0]);
        if (direct === null) for (const one of byType.get(typeToString(extra.fnType)) ?? []) callees.add(one);
        else if (direct.module.origin !== "program" || direct.isDeclaration) {
          for (const fn of functionsIn(operands.slice(1))) {
            const index = fn.module.origin === "program" ? code.indexOf(fn) : undefined;
            if (index !== undefined) callees.add(index);
          }
        }
      }
    }
    if (callees.size > 0)
      found.set(
        functionIndex,
        [...callees].sort((a, b) => a - b),
      );
  }
  return found;
}

function functionsIn(values: readonly Parameters<typeof isConstant>[0][]): readonly IrFunction[] {
  const mentioned = new Set<GlobalValue>();
  for (const value of values) if (isConstant(value)) collectConstant(value, mentioned);
  return [...mentioned].flatMap((value) => {
    const target = value.resolved ?? value;
    return target.kind === "function" ? [target] : [];
  });
}
