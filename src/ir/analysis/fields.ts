// Which array field of a structure an address was made from. Where the structure itself came from does not matter: the types in
// the getelementptr say where the field is. Of a variable's constant addresses clang writes only bytes, and the variable's own type says
// which field they are in; at offset 0 it may be the structure that is meant, and none is known.

import type { DataLayout } from "../data-layout.js";
import type { ArrayType, StructType, Type } from "../types.js";
import { intValue, type Value } from "../values.js";
import { addressOf } from "./gep.js";
import { rootOf, staticVariable } from "./root.js";

export interface Field {
  /** Where it begins, computed by the program. */
  readonly address: Value;
  readonly type: ArrayType;
  readonly bytes: number;
  /** Its address is the structure's. */
  readonly isFirst: boolean;
}

/** How many steps between an address and its field are looked at. */
const MOST_STEPS = 16;

/** Null if the address was made from no array field, or from one that need not be stayed in. */
export function fieldOf(layout: DataLayout, pointer: Value): Field | null {
  const root = rootOf(pointer, (value) => held(layout, value) !== null);
  const found = root === null ? null : held(layout, root);
  if (root === null || found === null) return null;
  const field = { address: root, ...found.place, bytes: layout.sizeOf(found.place.type) };
  return goesBack(layout, pointer, root, found.holder) ? null : field;
}

interface Held {
  readonly holder: StructType;
  readonly place: Pick<Field, "type" | "isFirst">;
}

function held(layout: DataLayout, value: Value): Held | null {
  if (value.kind === "instruction" && value.op === "getelementptr") {
    const { sourceType } = value.extra;
    return sourceType.kind === "struct" ? written(sourceType, value.operands) : null;
  }
  if (value.kind !== "constexpr" || value.op !== "getelementptr" || value.sourceType === null) return null;
  if (value.sourceType.kind === "struct") return written(value.sourceType, value.operands);
  const { base, offset } = addressOf(layout, value);
  const variable = staticVariable(base);
  return variable === null || offset === 0 ? null : lying(layout, variable.valueType, offset);
}

/** By a structure's indices. */
function written(struct: StructType, operands: readonly Value[]): Held | null {
  let holder = struct;
  let type: Type = struct;
  let isLast = true;
  let isFirst = true;
  for (const operand of operands.slice(2)) {
    const index = intValue(operand);
    if (type.kind !== "struct" || index === null || isUnion(type)) return null;
    holder = type;
    isLast &&= Number(index) === type.fields.length - 1;
    isFirst &&= index === 0n;
    type = type.fields[Number(index)];
  }
  return type.kind !== "array" || isLast ? null : { holder, place: { type, isFirst } };
}

/** By a variable's type: an array field that begins so many bytes behind the variable. */
function lying(layout: DataLayout, whole: Type, offset: number): Held | null {
  let type = whole;
  let left = offset;
  for (;;) {
    if (type.kind === "array") {
      const size = layout.sizeOf(type.element);
      if (size === 0) return null;
      left %= size;
      type = type.element;
    } else if (type.kind === "struct" && !isUnion(type)) {
      const { offsets } = layout.structLayout(type);
      const index = offsets.findLastIndex((start) => start <= left);
      if (index < 0) return null;
      left -= offsets[index];
      const field = type.fields[index];
      if (left === 0 && field.kind === "array") {
        if (index === type.fields.length - 1) return null;
        return { holder: type, place: { type: field, isFirst: index === 0 } };
      }
      type = field;
    } else return null;
  }
}

function isUnion({ name }: StructType): boolean {
  return name?.startsWith("union.") ?? false;
}

/** Whether the address is another part of the structure that holds the field, or before the field. */
function goesBack(layout: DataLayout, pointer: Value, root: Value, holder: StructType): boolean {
  const { base, offset } = addressOf(layout, pointer);
  const start = addressOf(layout, root);
  if (base === start.base && offset < start.offset) return true;
  let at = pointer;
  for (let steps = 0; steps < MOST_STEPS && at !== root; steps++) {
    if (at.kind !== "instruction" || at.op !== "getelementptr") return false;
    if (at.extra.sourceType === holder) return true;
    at = at.operands[0];
  }
  return false;
}
