// Which functions of a program a pointer may lead to, by type: those of the same result and parameters whose address stands somewhere
// else than in a call of them. Coarser than points-to sets, and there without them; computed when a unit first wants one.

import type { UnitName } from "../../engine/unit-description.js";
import { type DebugTypes, resolvedType, type TypeRef, typeText } from "../../ir/debug-types.js";
import type { LinkedProgram } from "../../ir/link.js";
import type { IrFunction } from "../../ir/module.js";
import { addressTaken } from "../../program/graph/calls.js";
import type { FunctionsOfType } from "./describe-values.js";

export function functionsByType(debug: DebugTypes, taken: () => readonly IrFunction[]): FunctionsOfType {
  return (type) => {
    const wanted = shapeText(debug, type);
    if (wanted === null) return [];
    return taken().flatMap((fn): UnitName[] => {
      const own = debug.functionOf(fn);
      if (own === null) return [];
      const text = listText(
        debug,
        own.result,
        own.parameters.map((one) => one.type),
        own.variadic,
      );
      if (text !== wanted) return [];
      const file = fn.module.debug.subprogram(fn.debugId)?.file ?? "";
      return [file === "" ? fn.name : { name: fn.name, file }];
    });
  };
}

/** Functions of the program whose addresses stand somewhere else than in a call of them. */
export function functionsTaken(program: LinkedProgram): readonly IrFunction[] {
  const own = program.functions.filter(({ module }) => module.origin === "program");
  const bodies = own.flatMap((fn) => {
    const body = fn.parseBody();
    return body === null ? [] : [{ fn, functionIndex: -1, firstBlock: -1, body }];
  });
  const taken = addressTaken(program, bodies);
  return own.filter((fn) => taken.has(fn));
}

function shapeText(debug: DebugTypes, ref: TypeRef): string | null {
  const type = resolvedType(debug.types, ref);
  return type.kind === "function" ? listText(debug, type.result, type.parameters, type.variadic) : null;
}

function listText(debug: DebugTypes, result: TypeRef, parameters: readonly TypeRef[], variadic: boolean): string {
  const one = (ref: TypeRef): string => typeText(debug.types, ref).replace(/\b(?:const|restrict|volatile) ?/g, "");
  return `${one(result)}(${[...parameters.map(one), ...(variadic ? ["..."] : [])].join(", ")})`;
}
