// Puts an explicit `check` before every load, store and atomic access of untrusted code, so that later passes can reason
// about checks as about any other instruction and the code generator needs to know nothing. An access that cannot fail
// (a constant offset inside a variable of known size) is marked `unchecked` instead.
// Invariant: a check stands directly before its access and has its location, so that a failure is reported at its line.

import type { DataLayout } from "./data-layout.js";
import { addressOf } from "./gep.js";
import type { GlobalValue } from "./module.js";
import { type Type, VOID } from "./types.js";
import { type Body, type Instruction, instruction, intValue, type ParamAttributes, type Value } from "./values.js";

/** Returns the number of checks inserted. `params`: the attributes of the function's parameters. */
export function instrument(body: Body, layout: DataLayout, params: readonly ParamAttributes[]): number {
  let inserted = 0;
  for (const block of body.blocks) {
    const old = block.instructions;
    let fresh: Instruction[] | null = null;
    for (let k = 0; k < old.length; k++) {
      const i = old[k];
      const check = checkFor(i, layout, params);
      if (check !== null) {
        fresh ??= old.slice(0, k);
        fresh.push(check);
        inserted++;
      }
      fresh?.push(i);
    }
    if (fresh !== null) block.instructions = fresh;
  }
  return inserted;
}

function checkFor(i: Instruction, layout: DataLayout, params: readonly ParamAttributes[]): Instruction | null {
  let pointer: Value;
  let write: boolean;
  switch (i.op) {
    case "load":
      pointer = i.operands[0];
      write = false;
      break;
    case "store":
      pointer = i.operands[1];
      write = true;
      break;
    case "atomicrmw":
    case "cmpxchg":
      pointer = i.operands[0];
      write = true;
      break;
    default:
      return null;
  }
  const { extra } = i;
  if (extra.unchecked) return null;
  const size = layout.storeSize(extra.accessType);
  if (size === 0) return null;
  if (provablySafe(pointer, size, write, layout, params)) {
    extra.unchecked = true;
    return null;
  }
  return instruction("check", VOID, [pointer], { size, write, align: extra.align }, undefined, i.loc);
}

function provablySafe(
  pointer: Value,
  size: number,
  write: boolean,
  layout: DataLayout,
  params: readonly ParamAttributes[],
): boolean {
  const { base, offset } = addressOf(layout, pointer);
  if (offset < 0) return false;
  if (base.kind === "argument") {
    // The caller has made a copy of its own for us.
    const copied = params[base.index]?.byval ?? null;
    return copied !== null && offset + size <= layout.sizeOf(copied);
  }
  if (base.kind === "instruction" && base.op === "alloca") {
    const count = intValue(base.operands[0]);
    return count !== null && offset + size <= Number(count) * layout.sizeOf(base.extra.allocated);
  }
  if (base.kind === "global") return offset + size <= sizeOfDefinition(base.target, write, layout);
  return false;
}

/** 0 if the definition is unknown, or constant and to be written. */
function sizeOfDefinition(value: GlobalValue, write: boolean, layout: DataLayout): number {
  const definition = value.resolved;
  if (definition === null || definition.kind !== "variable" || definition.isDeclaration) return 0;
  if (write && definition.constant) return 0;
  const type: Type = definition.valueType;
  return layout.sizeOf(type);
}
