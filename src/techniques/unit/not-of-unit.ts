// Failures on a unit's way that say nothing of the unit. They are counted, not told.
//
// The tests' own code: a library's function calls back into the program that tests it, and what is checked there (`assert(p == &parser)`)
// holds in those tests only.
//
// Further arguments: a function like printf is explored with a free format and no further arguments, or with those of one call, so a format
// that asks for others is always found. Callers choose the two together. What is written too far in a buffer of the function's own is
// told: a long text in the format alone does that too.

import { type Finding, userFrameOf } from "../../findings/finding.js";
import type { ProgramImage } from "../../jit/image.js";
import { FORMATTING, FORMATTING_LISTS } from "../../support/formatting.js";
import type { DescribedUnit } from "./unit-inputs.js";

export type NotOfUnit = "tests" | "arguments";

/** Null if it is the unit's. */
export function notOfUnit(
  { tests }: Pick<ProgramImage, "tests">,
  { file, function: { variadic } }: Pick<DescribedUnit, "file" | "function">,
  finding: Finding,
): NotOfUnit | null {
  const ofTests = new Set(tests == null || tests.named === "no" ? [] : tests.files);
  const own = userFrameOf(finding)?.file ?? null;
  // A function of the tests that somebody wants to see explored is the code under test.
  if (own !== null && ofTests.has(own) && (file === null || !ofTests.has(file))) return "tests";
  return variadic && asksForArguments(finding) ? "arguments" : null;
}

/** Also in another function of libc that is given a list: `verr`, `vsyslog`. */
const LIST = /^v/;

function asksForArguments({ kind, access, object, stack, userFrame }: Finding): boolean {
  const inLibc = stack.slice(0, Math.max(0, userFrame));
  const called = inLibc.at(-1)?.functionName ?? null;
  // The program takes them itself.
  if (called === null) return kind === "missing-argument";
  const takesList = FORMATTING_LISTS.test(called) || LIST.test(called);
  // What is given its values one by one has nothing of the unit's.
  if (!takesList || !inLibc.some(({ functionName }) => FORMATTING.test(functionName))) return false;
  return access !== "write" || object === null;
}
