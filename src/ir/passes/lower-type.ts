// WebAssembly has no 80-bit floats, so after lowering an x86_fp80 is an i80 with the same bits, in every place a value's
// type shows: loads and stores, calls, signatures, aggregates. Both have 16 bytes at an alignment of 16 in memory, so
// that layouts (alloca, getelementptr, byval) need no change and keep the type as written.

import { functionType, I80, structType, type Type } from "../types.js";

/** Structures in structures, each named twice in the next, would be looked at more often than anybody has time for. */
const LOWERED = new WeakMap<Type, Type>();

/** The type with i80 for x86_fp80; the same object if there is none in it. */
export function lowerType(type: Type): Type {
  switch (type.kind) {
    case "float":
      return type.name === "x86_fp80" ? I80 : type;
    case "array":
    case "vector": {
      const element = lowerType(type.element);
      return element === type.element ? type : { ...type, element };
    }
    case "struct": {
      const known = LOWERED.get(type);
      if (known !== undefined) return known;
      const fields = lowerTypes(type.fields);
      const lowered = fields === type.fields ? type : structType(fields, type.packed, type.name);
      LOWERED.set(type, lowered);
      return lowered;
    }
    case "function": {
      const result = lowerType(type.result);
      const params = lowerTypes(type.params);
      if (result === type.result && params === type.params) return type;
      return functionType(result, params, type.variadic);
    }
    default:
      return type;
  }
}

function lowerTypes(types: readonly Type[]): readonly Type[] {
  for (let k = 0; k < types.length; k++) if (lowerType(types[k]) !== types[k]) return types.map(lowerType);
  return types;
}
