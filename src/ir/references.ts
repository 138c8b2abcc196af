// Which globals a piece of IR mentions: what the linker follows from definition to definition. Constants nest (an
// initialiser's structure of arrays of addresses plus offsets), so they are walked with an explicit stack.

import type { GlobalValue, GlobalVariable, IrFunction } from "./module.js";
import type { Body, Constant, Value } from "./values.js";

/** Adds every global that `constant` mentions to `found`. */
export function collectConstant(constant: Constant, found: Set<GlobalValue>): void {
  const stack: Constant[] = [constant];
  while (stack.length > 0) {
    const at = stack.pop() as Constant;
    if (at.kind === "global" || at.kind === "blockaddress") found.add(at.target);
    else if (at.kind === "aggregate") for (const element of at.elements) stack.push(element);
    else if (at.kind === "constexpr") for (const operand of at.operands) stack.push(operand);
  }
}

function collectValue(value: Value, found: Set<GlobalValue>): void {
  switch (value.kind) {
    case "global":
      found.add(value.target);
      return;
    case "blockaddress":
    case "aggregate":
    case "constexpr":
      collectConstant(value, found);
      return;
    default:
      return;
  }
}

export function collectBody(body: Body, found: Set<GlobalValue>): void {
  for (const block of body.blocks) {
    for (const i of block.instructions) for (const operand of i.operands) collectValue(operand, found);
  }
}

export function referencesOfFunction(fn: IrFunction): readonly GlobalValue[] {
  if (fn.references !== undefined) return fn.references();
  const found = new Set<GlobalValue>();
  const body = fn.parseBody();
  if (body !== null) collectBody(body, found);
  return [...found];
}

export function referencesOfVariable(variable: GlobalVariable): readonly GlobalValue[] {
  const found = new Set<GlobalValue>();
  const initializer = variable.initializer();
  if (initializer !== null) collectConstant(initializer, found);
  return [...found];
}
