// The scalars an aggregate type is made of, with their offsets and how `extractvalue` would reach them.

import type { DataLayout } from "../data-layout.js";
import type { Type } from "../types.js";

export interface AggregatePart {
  readonly offset: number;
  readonly type: Type;
  readonly path: readonly number[];
}

/** More parts than this are not worth naming one by one. */
const MAX_PARTS = 16;

/** A scalar is its own only part. Null if there are too many. */
export function aggregateParts(type: Type, layout: DataLayout): readonly AggregatePart[] | null {
  const parts: AggregatePart[] = [];
  return addParts(type, 0, [], layout, parts) ? parts : null;
}

/** Recursion is as deep as the type is nested in the source. */
function addParts(
  type: Type,
  offset: number,
  path: readonly number[],
  layout: DataLayout,
  parts: AggregatePart[],
): boolean {
  switch (type.kind) {
    case "struct": {
      const { offsets } = layout.structLayout(type);
      return type.fields.every((field, k) => addParts(field, offset + offsets[k], [...path, k], layout, parts));
    }
    case "array":
    case "vector": {
      if (type.count > MAX_PARTS) return false;
      // Elements of a vector lie without gaps; those of fewer than 8 bits share bytes.
      if (type.kind === "vector" && layout.bitsOf(type.element) % 8 !== 0) return false;
      const step = type.kind === "array" ? layout.sizeOf(type.element) : layout.bitsOf(type.element) / 8;
      for (let k = 0; k < type.count; k++) {
        if (!addParts(type.element, offset + k * step, [...path, k], layout, parts)) return false;
      }
      return true;
    }
    default:
      parts.push({ offset, type, path });
      return parts.length <= MAX_PARTS;
  }
}
