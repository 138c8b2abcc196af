// The type of a variable of the program in C, by the name that the image has for it. What variables there are is read once for a program:
// many units of it may be described one after the other.

import type { DebugTypes, TypeRef } from "../../ir/debug-types.js";
import type { LinkedProgram } from "../../ir/link.js";
import type { GlobalVariable } from "../../ir/module.js";

interface NamedVariable {
  readonly variable: GlobalVariable;
  /** As its debug information has it; null if that says nothing. */
  readonly file: string | null;
}

const knownNames = new WeakMap<LinkedProgram, ReadonlyMap<string, readonly NamedVariable[]>>();

/** Null if nothing says so. */
export function typeOfGlobal(
  program: LinkedProgram,
  debug: DebugTypes,
  name: string,
  file: string | null,
): TypeRef | null {
  for (const { variable, file: own } of namesOf(program).get(name) ?? []) {
    if (file === null || own === null || file.endsWith(own)) return debug.variableOf(variable);
  }
  return null;
}

function namesOf(program: LinkedProgram): ReadonlyMap<string, readonly NamedVariable[]> {
  const known = knownNames.get(program);
  if (known !== undefined) return known;
  const names = new Map<string, NamedVariable[]>();
  for (const variable of program.variables) {
    if (variable.module.origin !== "program" || variable.debugId < 0) continue;
    const frame = variable.module.debug.variable(variable.debugId);
    const entry = { variable, file: frame?.file ?? null };
    for (const name of new Set([variable.name, frame?.functionName ?? variable.name])) {
      const list = names.get(name);
      if (list === undefined) names.set(name, [entry]);
      else list.push(entry);
    }
  }
  knownNames.set(program, names);
  return names;
}
