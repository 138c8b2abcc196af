// A test says what is right for its own input. When that changes, the test itself no longer means anything: that it says so, or trips over
// literals of its own that are other ones now, is no finding. What the code under test does is.

import { type Finding, userFrameOf } from "../findings/finding.js";
import { type InputValue, isUnchanged } from "../inputs/input-value.js";
import type { ProgramImage } from "../jit/image.js";
import { isLiteralName } from "../support/literal-names.js";

/**
 * A failure of the tests' own code, on literals that are no longer what the tests were written for; or an assertion of theirs, on any input that
 * is not what they were written for. `own`: the test's input.
 */
export function isOfTests(
  { tests }: Pick<ProgramImage, "tests">,
  finding: Finding,
  witness: readonly InputValue[],
  own: readonly InputValue[],
): boolean {
  const hasChangedLiteral = witness.some(({ name }) => isLiteralName(name));
  const isVerdict = tests?.named === "surely" && /^(assertion-failure|abort)$/.test(finding.kind);
  if (!hasChangedLiteral && !(isVerdict && !isUnchanged(witness, own))) return false;
  const file = userFrameOf(finding)?.file ?? null;
  return file === null || (tests?.files ?? []).includes(file);
}

/** By site: 1 where the code is the tests' own. */
export function sitesOfTests({ sites, locations, tests }: ProgramImage): Uint8Array {
  const files = new Set(tests?.files ?? []);
  return Uint8Array.from(sites, ({ location }) => (files.has(locations[location]?.file ?? "") ? 1 : 0));
}
