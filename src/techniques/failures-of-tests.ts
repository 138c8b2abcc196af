// A test says what is right for its own input. When that changes, the test itself no longer means anything: that it says so, or trips over
// literals of its own that are other ones now, is no finding. What the code under test does is.

import { type Finding, userFrameOf } from "../findings/finding.js";
import { type InputValue, isUnchanged } from "../inputs/input-value.js";
import type { ProgramImage } from "../jit/image.js";
import { FORMATTING, FORMATTING_LISTS } from "../support/formatting.js";
import { isLiteralName } from "../support/literal-names.js";
import type { SourceFrame } from "../vm/stack-trace.js";

/** What a test does that looks at nothing but what it expects: it asserts, or uses what a call gave that has failed now. */
const VERDICTS = /^(assertion-failure|abort|null-dereference)$/;
/** A literal like this one is meant to be a format, whoever it is handed to; a text that is taken for one is a bug. */
const FORMAT = /%[-+ #0-9.*hlLqjzt]*[diouxXeEfFgGaAcspn]/;

/**
 * A failure of the tests' own code, on literals that are no longer what the tests were written for; or a verdict of theirs, on any input that
 * is not what they were written for; or a format of theirs that now wants other arguments. `own`: the test's input; `isMade`: it is already
 * another one than the test was written for.
 */
export function isOfTests(
  { tests }: Pick<ProgramImage, "tests">,
  finding: Finding,
  witness: readonly InputValue[],
  own: readonly InputValue[],
  isMade = false,
): boolean {
  const hasChangedLiteral = witness.some(({ name }) => isLiteralName(name));
  if (hasChangedLiteral && isInFormatting(finding) && (hasFormat(witness, own) || isGivenFormat(tests, finding)))
    return true;
  const isVerdict = tests?.named === "surely" && VERDICTS.test(finding.kind);
  if (!hasChangedLiteral && !(isVerdict && (isMade || !isUnchanged(witness, own)))) return false;
  const file = userFrameOf(finding)?.file ?? null;
  return file === null || (tests?.files ?? []).includes(file);
}

/** What a format asks for is not there, or is something else. */
function isInFormatting({ kind, stack, userFrame }: Finding): boolean {
  return kind === "missing-argument" || stack.slice(0, userFrame).some((frame) => FORMATTING.test(frame.functionName));
}

/**
 * Whether the format is one that the code under test was given, to be used with values (program/given-formats.ts). Where it goes on as a list of
 * values, it came to the function there, or to one that called it.
 */
function isGivenFormat(tests: ProgramImage["tests"], { stack, userFrame }: Finding): boolean {
  const places = new Set(tests?.formats ?? []);
  const takesList = FORMATTING_LISTS.test(stack[userFrame - 1]?.functionName ?? "");
  const frames = stack.slice(userFrame, userFrame + (takesList ? MOST_HANDING_ON : 1));
  return frames.some(({ file, line, column }) => places.has(`${file}:${line}:${column}`));
}
/** Functions that hand a list of values on to the next, one after the other. */
const MOST_HANDING_ON = 4;

/**
 * An assertion of the function that a test calls, about what it is given: that says what callers must not do. One further down is about the
 * library itself.
 */
export function isRefusedByLibrary(
  { tests }: Pick<ProgramImage, "tests">,
  { kind, stack, userFrame }: Finding,
): boolean {
  if (tests?.named !== "surely" || kind !== "assertion-failure") return false;
  const [asserting, caller] = stack.slice(userFrame).filter(({ origin }) => origin === "program");
  const isOfTests = (file: string | null | undefined): boolean => file != null && tests.files.includes(file);
  return !isOfTests(asserting?.file) && isOfTests(caller?.file);
}

/** Whether a fault is in the tests' own code: what calls into libc is whose. */
export function failsInTests({ tests }: Pick<ProgramImage, "tests">, frames: readonly SourceFrame[]): boolean {
  const own = frames.find(({ origin }) => origin === "program");
  return own?.file != null && (tests?.files ?? []).includes(own.file);
}

/** Whether a literal that was changed had been a format. */
function hasFormat(witness: readonly InputValue[], own: readonly InputValue[]): boolean {
  const changed = new Set(witness.filter(({ name }) => isLiteralName(name)).map(({ name }) => name));
  return own.some(({ name, bytes }) => changed.has(name) && FORMAT.test(Buffer.from(bytes).toString("latin1")));
}

/** By site: 1 where the code is the tests' own. */
export function sitesOfTests({ sites, locations, tests }: ProgramImage): Uint8Array {
  const files = new Set(tests?.files ?? []);
  return Uint8Array.from(sites, ({ location }) => (files.has(locations[location]?.file ?? "") ? 1 : 0));
}
