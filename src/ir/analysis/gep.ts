// The arithmetic of getelementptr with constant indices, and what an address is relative to. The passes that reason about
// memory (promotion, instrumentation, removal of checks) all ask the same question: which object, at which offset?

import type { DataLayout } from "../data-layout.js";
import type { Type } from "../types.js";
import { intValue, type Value } from "../values.js";

/** The byte offset of constant indices from the base pointer; null if one is not constant or nothing an array has. */
export function constantOffset(
  layout: DataLayout,
  sourceType: Type,
  operands: readonly Value[],
  firstIndex: number,
): number | null {
  let type = sourceType;
  let offset = 0;
  for (let k = firstIndex; k < operands.length; k++) {
    const index = signedIndex(operands[k]);
    if (index === null) return null;
    if (k === firstIndex) offset += index * layout.sizeOf(type);
    else if (type.kind === "struct") {
      offset += layout.structLayout(type).offsets[index];
      type = type.fields[index];
    } else if (type.kind === "array" || type.kind === "vector") {
      type = type.element;
      offset += index * layout.sizeOf(type);
    } else return null;
  }
  return Number.isSafeInteger(offset) ? offset : null;
}

/** A constant index as a signed number, null if it is not a constant or absurdly large. */
export function signedIndex(value: Value): number | null {
  const raw = intValue(value);
  if (raw === null) return null;
  const bits = value.type.kind === "int" ? value.type.bits : 64;
  const signed = Number(BigInt.asIntN(bits, raw));
  return Number.isSafeInteger(signed) ? signed : null;
}

/** `base` plus `offset` bytes; `base` is no getelementptr with constant indices. */
export interface Address {
  readonly base: Value;
  readonly offset: number;
}

/** Longest chain of getelementptrs followed: real code has two or three, generated code must not cost more. */
const MAX_CHAIN = 64;

export function addressOf(layout: DataLayout, pointer: Value): Address {
  let base = pointer;
  let offset = 0;
  for (let steps = 0; steps < MAX_CHAIN; steps++) {
    let step: number | null;
    let next: Value;
    if (base.kind === "instruction" && base.op === "getelementptr") {
      step = constantOffset(layout, base.extra.sourceType, base.operands, 1);
      next = base.operands[0];
    } else if (base.kind === "constexpr" && base.op === "getelementptr" && base.sourceType !== null) {
      step = constantOffset(layout, base.sourceType, base.operands, 1);
      next = base.operands[0];
    } else break;
    if (step === null || base.type.kind !== "ptr") break;
    offset += step;
    base = next;
  }
  return { base, offset };
}
