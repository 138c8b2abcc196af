// A test of a library gets its inputs from literals in its own source: strings, arrays and numbers that it hands to the library. Here they become
// input of the recorded test, beside what else it has. Only those that the test's own run comes by: what it never looks at only costs.

import type { InputValue } from "../inputs/input-value.js";
import type { Invocation, InvocationLiteral } from "../inputs/invocation.js";
import type { TestInput } from "../inputs/test-input.js";
import type { LiteralInfo, ProgramImage } from "../jit/image.js";
import type { BlobName, Seed } from "../project/seed.js";
import { isLiteralName, type LiteralChoice, numberOfLiteral } from "../support/literal-names.js";

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

/** Programs, by path, to which some test gives arguments or standard input. `sizeOf`: of a content. */
export function givenPrograms(seeds: readonly Seed[], sizeOf: (content: BlobName) => number): ReadonlySet<string> {
  const given = seeds.filter(
    ({ arguments: words, stdin }) => words.length > 1 || (stdin.kind === "bytes" && sizeOf(stdin.content) > 0),
  );
  return new Set(given.map(({ program }) => program));
}

/** All texts of the tests together, as many as can be: for a single run, of which nothing is known before. */
export function allTexts({ tests }: Pick<ProgramImage, "tests">): readonly LiteralInfo[] {
  let bytes = 0;
  return (tests?.literals ?? []).filter(({ name, bytes: own }) => {
    if (numberOfLiteral(name) !== null || bytes + own.length > MOST_BYTES) return false;
    bytes += own.length;
    return true;
  });
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

/**
 * The literals in groups, each to vary by itself: with all of them symbolic at once every run is slow from its start to its end. Those that
 * follow each other in the source are together, numbers are left out.
 */
function literalGroups({ chosen }: Pick<ChosenLiterals, "chosen">): readonly (readonly LiteralInfo[])[] {
  const texts = chosen.filter(({ name }) => numberOfLiteral(name) === null);
  const bytes = texts.reduce((sum, literal) => sum + literal.bytes.length, 0);
  const most = Math.max(GROUP_BYTES, Math.ceil(bytes / MOST_GROUPS));
  const groups: LiteralInfo[][] = [];
  let size = 0;
  for (const literal of texts) {
    const group = groups.at(-1);
    if (group === undefined || size + literal.bytes.length > most) {
      groups.push([literal]);
      size = literal.bytes.length;
    } else {
      group.push(literal);
      size += literal.bytes.length;
    }
  }
  return groups;
}
const GROUP_BYTES = 64;
const MOST_GROUPS = 12;

/** Of a library's test that has run: the test with some of the literals that its run came by each time, and nothing else that varies. */
export function withLiteralGroups(
  image: ProgramImage,
  { invocation, coverage }: { readonly invocation: Invocation; readonly coverage: Uint8Array },
): readonly Invocation[] {
  const groups = literalGroups(chooseLiterals(image, coverage));
  return groups.map((group) => ({ ...invocation, literals: group.map(invocationLiteral) }));
}

function invocationLiteral({ name, bytes, room }: LiteralInfo): InvocationLiteral {
  const own = { name, bytes: Uint8Array.from(bytes) };
  return room === undefined ? own : { ...own, least: bytes.length, most: bytes.length + room };
}

/** The test with its literals as they stand in the source. */
export function withOwnLiterals({ tests }: Pick<ProgramImage, "tests">, test: TestInput): TestInput {
  const own = new Map((tests?.literals ?? []).map(({ name, bytes }) => [name, bytes]));
  const values = test.values.map((value) => {
    const bytes = isLiteralName(value.name) ? own.get(value.name) : undefined;
    return bytes === undefined ? value : { ...value, bytes: Uint8Array.from(bytes) };
  });
  return { ...test, values };
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
    // Of what was inlined, the places of the calls too: all that a test does may be a call of something small.
    for (let index of block.locations)
      for (; index >= 0; index = locations[index].inlinedAt) lines.add(lineOf(locations[index]));
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
