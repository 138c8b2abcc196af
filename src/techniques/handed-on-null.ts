// A test whose input was changed may go on after a call of the library that failed, as it rightly does on its own input, and hand a null
// pointer to the next one. That the library uses it is the test's fault: its functions ask for something that is there. It is known from
// the stack, and from where pointers of the tests are only handed on (program/handed-pointers.ts).

import type { Finding } from "../findings/finding.js";
import type { HandedPointer, ProgramImage } from "../jit/image.js";

export function isHandedOnNull({ tests }: Pick<ProgramImage, "tests">, { kind, stack, userFrame }: Finding): boolean {
  if (tests == null || tests.named !== "surely" || kind !== "null-dereference") return false;
  const places = new Map((tests.handed ?? []).map((one) => [one.place, one]));
  const isOfTests = new Set(tests.files);
  /** Of the function that the last frame has called; empty before the first. */
  let parameters: readonly number[] = [];
  for (const { file, line, column } of stack.slice(userFrame)) {
    if (file !== null && isOfTests.has(file)) return parameters.length > 0;
    const here: HandedPointer | undefined = places.get(`${file}:${line}:${column}`);
    const given = parameters;
    parameters =
      given.length === 0
        ? (here?.uses ?? [])
        : (here?.passes ?? []).flatMap(([argument, parameter]) => (given.includes(argument) ? [parameter] : []));
    if (parameters.length === 0) return false;
  }
  return false;
}
