// Where the code under test hands a format that somebody gave it on to printf or scanf, together with values: whoever gives the format has to
// know what values there are, so a test whose format was changed is wrong itself (techniques/failures-of-tests.ts). A text that is handed on as
// a format *without* values is taken for one by mistake, and what happens then is a bug of the code under test: such calls are not among these.

import { calledFunction } from "../ir/analysis/call-graph.js";
import type { LinkedProgram } from "../ir/link.js";
import type { IrFunction } from "../ir/module.js";
import type { Instruction } from "../ir/values.js";
import { FORMATTING } from "../support/formatting.js";
import { bodyOf, instructionsOf, placeOf } from "./code-places.js";
import type { TestFunctions } from "./test-functions.js";

/** file:line:column of each such call. */
export function givenFormats(program: LinkedProgram, { own, isTestFunction }: TestFunctions): readonly string[] {
  const places = new Set<string>();
  for (const fn of own) {
    if (isTestFunction(fn) || !mentionsFormatting(program, fn)) continue;
    const body = bodyOf(fn);
    for (const one of body === null ? [] : instructionsOf(body)) {
      const place = isGivenFormat(one) ? placeOf(one) : null;
      if (place !== null) places.add(place);
    }
  }
  return [...places];
}

/** Bodies are parsed only where there can be such a call: of libc, or of a function like those that the program has itself. */
function mentionsFormatting(program: LinkedProgram, fn: IrFunction): boolean {
  return (program.references.get(fn) ?? []).some(({ name, resolved }) => {
    if (FORMATTING.test(name)) return true;
    return resolved?.kind === "function" && resolved.type.variadic;
  });
}

function isGivenFormat({ op, operands, extra }: Instruction): boolean {
  if (op !== "call" || extra.fnType?.variadic !== true) return false;
  const callee = calledFunction(operands[0]);
  if (callee === null || (callee.module.origin !== "program" && !FORMATTING.test(callee.name))) return false;
  const fixed = extra.fnType.params.length;
  const format = operands[fixed];
  const hasValues = operands.length - 1 > fixed;
  return hasValues && format?.type.kind === "ptr" && format.kind !== "global" && format.kind !== "constexpr";
}
