// A changed number may make the test misuse the library: a length that is larger than its buffer, an index behind the end, a capacity that is
// smaller than what is put in. No library is wrong because of that, and nothing in the program says which numbers are lengths. What
// the library does with *other* values says it: where it looks at a number before it trusts it, it copes with nearly all values, and a
// bug is an exception, such as the one value that a test of the range lets through. Where it trusts its caller, most other values fail as well.
//
// So a failure on a changed number is told only if it is an exception: the test is run with the number at small and large values of all sizes
// (the probes), and each of them must come through without a failure of the library. Not told either: assertions, which state what
// the caller must not do, and failures around the tests' own objects, which are theirs to size.
//
// Nor is what fails only if several numbers are huge at once (each was tried as it was): a function that adds or multiplies them without a look is
// wrong for very few pairs, so that the probes, which change one of them, find nothing.
//
// Bugs that every large value shows (a missing test of a range) are missed by this, on purpose. Negative values are no probes: a library
// that copes with all others looks at the number, and forgot these.

import type { Finding } from "../findings/finding.js";
import type { InputValue } from "../inputs/input-value.js";
import type { ProgramImage } from "../jit/image.js";
import { numberOfLiteral } from "../support/literal-names.js";
import { numberIn } from "../support/literal-numbers.js";
import { probesOf } from "./number-probes.js";

/** What a run with other values came to. */
export type ProbeEnd = "survives" | "fails" | "unknown";

/**
 * Why a failure on changed numbers is not told; null if it is. `own`: the test's values. `run`: the test with these literals and all
 * others as they are.
 */
export function misuseOf(
  image: Pick<ProgramImage, "functions" | "tests">,
  finding: Finding,
  witness: readonly InputValue[],
  own: readonly InputValue[],
  run: (witness: readonly InputValue[]) => ProbeEnd,
): string | null {
  const numbers = witness.filter(({ name }) => numberOfLiteral(name) !== null);
  if (numbers.length === 0) return null;
  if (numbers.filter(isHuge).length > 1) return "several huge numbers at once";
  if (/^(assertion-failure|abort)$/.test(finding.kind)) return "an assertion";
  if (isOfTests(finding, image)) return "the tests' own object";
  const { object } = finding;
  const isFixedObject = object?.kind === "global" || (object?.kind === "stack" && object.name !== null);
  const others = (number: InputValue): readonly (readonly InputValue[])[] =>
    witness.length === 1 ? [[]] : [witness.filter((one) => one !== number), []];
  for (const number of numbers) {
    const form = numberOfLiteral(number.name)?.form ?? "i32";
    const before = own.find(({ name }) => name === number.name)?.bytes ?? number.bytes;
    for (const bytes of probesOf(form, before, isFixedObject)) {
      for (const rest of others(number)) {
        if (run([...rest, { ...number, bytes }]) !== "survives") return "other values fail, too";
      }
    }
  }
  return null;
}

/** As a size, or far below zero. */
function isHuge({ name, bytes }: InputValue): boolean {
  const value = Number(numberIn(numberOfLiteral(name)?.form ?? "i32", bytes));
  return Number.isNaN(value) || Math.abs(value) >= HUGE;
}
const HUGE = 2 ** 30;

/** The object that was missed is declared or allocated by the tests, or nobody knows by whom. */
function isOfTests({ object }: Finding, { functions, tests }: Pick<ProgramImage, "functions" | "tests">): boolean {
  if (object === null) return false;
  const ofTests = new Set(tests?.files ?? []);
  const files =
    object.kind === "heap"
      ? [object.allocationStack?.find(({ origin }) => origin === "program")?.file]
      : object.kind === "stack"
        ? functions.filter(({ name }) => name === object.functionName).map(({ file }) => file)
        : [object.file];
  return files.length === 0 || files.some((file) => file == null || ofTests.has(file));
}
