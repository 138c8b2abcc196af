// A test of a library gets its inputs from literals in its own source: strings, arrays and numbers that it hands to the library. Here they become
// input of the recorded test, beside what else it has. Only those that the test's own run comes by: what it never looks at only costs.

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
  /** Numbers that the run comes by and that are the size of something beside them. */
  readonly sizesLeftOut: number;
}

/** `coverage`: of the test's own run, one byte a block. */
export function chooseLiterals(image: ProgramImage, coverage: Uint8Array): ChosenLiterals {
  const chosen: LiteralInfo[] = [];
  let bytes = 0;
  let leftOut = 0;
  const lines = reachedLines(image, coverage);
  for (const literal of image.tests?.literals ?? []) {
    if (!literal.uses.some((use) => lines.has(lineOf(use)))) continue;
    const size = literal.bytes.length;
    if (bytes + size > MOST_BYTES) leftOut += size;
    else {
      bytes += size;
      chosen.push(literal);
    }
  }
  const sizesLeftOut = (image.tests?.sizes ?? []).filter((place) => lines.has(lineOf(place))).length;
  return { chosen, leftOut, sizesLeftOut };
}

/** The test with these literals as input besides. */
export function withChosen(test: TestInput, chosen: readonly LiteralInfo[]): TestInput {
  if (chosen.length === 0) return test;
  const literals = chosen.map(({ name, bytes: { length: size } }) => ({ name, size }));
  const values = chosen.map(({ name, bytes }) => ({ name, occurrence: 0, bytes: Uint8Array.from(bytes) }));
  return { ...test, inputs: { ...test.inputs, literals }, values: [...test.values, ...values] };
}

interface Place {
  readonly file: string;
  readonly line: number;
}

function lineOf({ file, line }: Place): string {
  return `${file}:${line}`;
}

function reachedLines({ coverage: blocks, locations }: ProgramImage, coverage: Uint8Array): ReadonlySet<string> {
  const lines = new Set<string>();
  blocks.forEach((block, n) => {
    if (coverage[n] === 0) return;
    for (const index of block.locations) lines.add(lineOf(locations[index]));
  });
  return lines;
}

/** Without the literals that are as they are in the source: a witness is what changed. */
export function changedLiteralsOnly(witness: readonly InputValue[], own: readonly InputValue[]): readonly InputValue[] {
  const known = new Map(own.map(({ name, bytes }) => [name, bytes]));
  return witness.filter(({ name, bytes }) => {
    const before = isLiteralName(name) ? known.get(name) : undefined;
    return before === undefined || Buffer.compare(before, bytes) !== 0;
  });
}
