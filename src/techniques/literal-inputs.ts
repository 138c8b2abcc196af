// A test of a library gets its inputs from literals in its own source: strings and byte arrays that it hands to the library. Here they become
// input of the recorded test, beside what else it has. Only those that the test's own run comes by: what it never looks at only costs.
//
// When literals change, the test itself no longer means anything: that it says so, or trips over them, is no finding. What the code under
// test does is.

import { type Finding, userFrameOf } from "../findings/finding.js";
import type { InputValue } from "../inputs/input-value.js";
import type { TestInput } from "../inputs/test-input.js";
import type { LiteralInfo, ProgramImage } from "../jit/image.js";
import { isLiteralName, type LiteralChoice } from "../support/literal-names.js";

/** Of all literals of a test together. */
const MOST_BYTES = 0x4000;

/** Whether literals are input of this test. `isOnlyPlain`: none of the program's tests gives it arguments or standard input. */
export function usesLiterals(
  { tests }: Pick<ProgramImage, "tests">,
  { inputs }: Pick<TestInput, "inputs">,
  choice: LiteralChoice,
  isOnlyPlain: boolean,
): boolean {
  if (choice === "off" || tests === null || tests === undefined || tests.literals.length === 0) return false;
  if (choice === "on" || tests.named === "surely") return true;
  return isOnlyPlain && inputs.words.length === 0 && inputs.files.length === 0 && (inputs.stdin ?? 0) === 0;
}

export interface ChosenLiterals {
  readonly chosen: readonly LiteralInfo[];
  /** Bytes that the run comes by and that stay as they are, because there are too many. */
  readonly leftOut: number;
}

/** `coverage`: of the test's own run, one byte a block. */
export function chooseLiterals(image: ProgramImage, coverage: Uint8Array): ChosenLiterals {
  const chosen: LiteralInfo[] = [];
  let bytes = 0;
  let leftOut = 0;
  for (const literal of reached(image, coverage)) {
    const size = literal.bytes.length;
    if (bytes + size > MOST_BYTES) leftOut += size;
    else {
      bytes += size;
      chosen.push(literal);
    }
  }
  return { chosen, leftOut };
}

/** The test with these literals as input besides. */
export function withChosen(test: TestInput, chosen: readonly LiteralInfo[]): TestInput {
  if (chosen.length === 0) return test;
  const literals = chosen.map(({ name, bytes: { length: size } }) => ({ name, size }));
  const values = chosen.map(({ name, bytes }) => ({ name, occurrence: 0, bytes: Uint8Array.from(bytes) }));
  return { ...test, inputs: { ...test.inputs, literals }, values: [...test.values, ...values] };
}

function reached({ tests, coverage: blocks, locations }: ProgramImage, coverage: Uint8Array): LiteralInfo[] {
  const lines = new Set<string>();
  blocks.forEach((block, n) => {
    if (coverage[n] === 0) return;
    for (const index of block.locations) lines.add(`${locations[index].file}:${locations[index].line}`);
  });
  return (tests?.literals ?? []).filter(({ uses }) => uses.some(({ file, line }) => lines.has(`${file}:${line}`)));
}

/** Without the literals that are as they are in the source: a witness is what changed. */
export function changedLiteralsOnly(witness: readonly InputValue[], own: readonly InputValue[]): readonly InputValue[] {
  const known = new Map(own.map(({ name, bytes }) => [name, bytes]));
  return witness.filter(({ name, bytes }) => {
    const before = isLiteralName(name) ? known.get(name) : undefined;
    return before === undefined || Buffer.compare(before, bytes) !== 0;
  });
}

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
  if (!hasChangedLiteral && !(isVerdict && isChanged(witness, own))) return false;
  const file = userFrameOf(finding)?.file ?? null;
  return file === null || (tests?.files ?? []).includes(file);
}

function isChanged(witness: readonly InputValue[], own: readonly InputValue[]): boolean {
  return witness.some(({ name, occurrence, bytes }) => {
    const before = own.find((value) => value.name === name && value.occurrence === occurrence);
    return before === undefined || Buffer.compare(before.bytes, bytes) !== 0;
  });
}

/** By site: 1 where the code is the tests' own. */
export function sitesOfTests({ sites, locations, tests }: ProgramImage): Uint8Array {
  const files = new Set(tests?.files ?? []);
  return Uint8Array.from(sites, ({ location }) => (files.has(locations[location]?.file ?? "") ? 1 : 0));
}
