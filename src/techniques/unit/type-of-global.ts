// The type of a variable of the program in C, by the name that the image has for it.

import type { DebugTypes, TypeRef } from "../../ir/debug-types.js";
import type { LinkedProgram } from "../../ir/link.js";

/** Null if nothing says so. */
export function typeOfGlobal(
  program: LinkedProgram,
  debug: DebugTypes,
  name: string,
  file: string | null,
): TypeRef | null {
  for (const variable of program.variables) {
    if (variable.module.origin !== "program" || variable.debugId < 0) continue;
    const frame = variable.module.debug.variable(variable.debugId);
    const isIt = variable.name === name || frame?.functionName === name;
    if (isIt && (file === null || frame === null || file.endsWith(frame.file))) return debug.variableOf(variable);
  }
  return null;
}
