// What composition wants to know of a program's bodies, gathered in one go, since bodies are parsed for it and then let go. Plain data.

import type { LinkedProgram } from "../../ir/link.js";
import type { IndirectCallees } from "./call-profile.js";
import { indirectCallees } from "./indirect-calls.js";
import { neverReturning } from "./never-returning.js";
import { ProgramCode } from "./program-code.js";
import { type WrittenParameters, writtenParameters } from "./written-parameters.js";

/** Functions are indices into `image.functions` of an image that was made of the same linked program. */
export interface CodeFacts {
  readonly indirect: IndirectCallees;
  readonly neverReturning: ReadonlySet<number>;
  readonly written: WrittenParameters;
}

export function codeFacts(program: LinkedProgram): CodeFacts {
  const code = new ProgramCode(program);
  return { indirect: indirectCallees(code), neverReturning: neverReturning(code), written: writtenParameters(code) };
}
