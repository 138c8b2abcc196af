// Whether a function fits a call through a pointer, by what is passed: how many arguments, and in which kind of register each. Results
// are not looked at (`free` is called for what `int fclose(FILE *)` does). A call that does not fit works in this machine, as it
// does on x86-64, so it is a hint and no proof: points-to.ts takes functions that fit, and others only where none does.

import type { IrFunction } from "../module.js";
import type { Type } from "../types.js";
import type { InstructionOf } from "../values.js";

export function fits(call: InstructionOf<"call">, fn: IrFunction): boolean {
  const wanted = fn.type.params.flatMap(kindsOf);
  const given = call.operands.slice(1).flatMap(({ type }) => kindsOf(type));
  if (given.length < wanted.length || (given.length > wanted.length && !fn.type.variadic)) return false;
  return wanted.every((kind, index) => kind === given[index]);
}

/** The registers that a value takes: i (up to 32 bits), l (64 bits or a pointer), or a kind of float. */
function kindsOf(type: Type): readonly string[] {
  switch (type.kind) {
    case "int":
      return type.bits <= 32 ? ["i"] : Array.from({ length: Math.ceil(type.bits / 64) }, () => "l");
    case "ptr":
      return ["l"];
    case "float":
      // Lowered to integers (lower-float80.ts), one in the caller and perhaps not yet in the callee's type.
      return type.name === "x86_fp80" || type.name === "fp128" ? ["l", "l"] : [type.name];
    case "struct":
      return type.fields.flatMap(kindsOf);
    case "array":
    case "vector": {
      const element = kindsOf(type.element);
      return Array.from({ length: type.count }, () => element).flat();
    }
    default:
      return [];
  }
}
