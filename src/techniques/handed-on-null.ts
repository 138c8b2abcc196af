// A test whose input was changed may go on after a call of the library that failed, as it rightly does on its own input, and hand a null
// pointer to the next one, or a structure that the failed call has left with one. That the library uses it is the test's fault: its functions
// ask for something that is there. It is known from the stack, and from where pointers of the tests are only handed on
// (program/handed-pointers.ts). Of structures only those count that some call was to fill whose result the test does not look at: a test that
// looks at all results and still comes to a null pointer has found a bug.

import type { Finding } from "../findings/finding.js";
import type { HandedPointer, ProgramImage } from "../jit/image.js";

/** Parameters of a function that the null pointer is, or stands behind. */
interface Suspects {
  readonly direct: readonly number[];
  readonly within: readonly number[];
}

export function isHandedOnNull({ tests }: Pick<ProgramImage, "tests">, { kind, stack, userFrame }: Finding): boolean {
  if (tests == null || tests.named !== "surely" || kind !== "null-dereference") return false;
  const places = new Map((tests.handed ?? []).map((one) => [one.place, one]));
  const isOfTests = new Set(tests.files);
  /** Of the function that the last frame has called; null before the first. */
  let suspects: Suspects | null = null;
  for (const { file, line, column } of stack.slice(userFrame)) {
    const here: HandedPointer | undefined = places.get(`${file}:${line}:${column}`);
    if (file !== null && isOfTests.has(file)) {
      if (suspects === null) return false;
      return suspects.direct.length > 0 || suspects.within.some((argument) => here?.unasked?.includes(argument));
    }
    suspects = suspects === null ? usedAt(here) : passedAt(here, suspects);
    if (suspects.direct.length + suspects.within.length === 0) return false;
  }
  return false;
}

function usedAt(here: HandedPointer | undefined): Suspects {
  return { direct: here?.uses ?? [], within: here?.usesWithin ?? [] };
}

function passedAt(here: HandedPointer | undefined, { direct, within }: Suspects): Suspects {
  const parameters = (pairs: HandedPointer["passes"] | undefined, among: readonly number[]): number[] =>
    (pairs ?? []).flatMap(([argument, parameter]) => (among.includes(argument) ? [parameter] : []));
  return {
    direct: parameters(here?.passes, direct),
    within: [...parameters(here?.passes, within), ...parameters(here?.passesWithin, direct)],
  };
}
