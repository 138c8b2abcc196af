// A changed number may make the test misuse the library: a length that is larger than its buffer, an index behind the end, a capacity that is
// smaller than what is put in. No library is wrong because of that, and nothing in the program says which numbers are lengths. What
// the library does with *other* values says it: where it looks at a number before it trusts it, it copes with nearly all values, and a
// bug is an exception, such as the one value that a test of the range lets through. Where it trusts its caller, most other values fail as well.
//
// So a failure on a changed number is told only if it is an exception: the test is run with the number at small and large values of all sizes
// (the probes), and each of them must come through without a failure of the library. Not told either: assertions, which state what
// the caller must not do, and failures around the tests' own objects, which are theirs to size.
//
// Bugs that every large value shows (a missing test of a range) are missed by this, on purpose. Negative values are no probes: a library
// that copes with all others looks at the number, and forgot these.

import type { Finding } from "../findings/finding.js";
import type { InputValue } from "../inputs/input-value.js";
import type { ProgramImage } from "../jit/image.js";
import { NUMBER_FORMS, type NumberForm, numberOfLiteral } from "../support/literal-names.js";
import { bytesOfNumber, numberIn } from "../support/literal-numbers.js";
import { Random } from "../support/random.js";

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

/** Random ones between the number and the largest. */
const BEYOND = 4;

/**
 * Other values that the library must cope with: 1, 2, half of the number, one of each size above it, some beyond. 0 only where what
 * is missed may have a size of its own: 0 of something is often not allowed, but an array of fixed size does not care.
 */
export function probesOf(form: NumberForm, own: Uint8Array, isFixedObject: boolean): readonly Uint8Array[] {
  const random = new Random(1);
  const value = numberIn(form, own);
  const values: readonly (bigint | number)[] =
    typeof value === "number"
      ? floatProbes(value, random)
      : integerProbes(value, BigInt(8 * NUMBER_FORMS[form]), random);
  const before = Buffer.from(own);
  return values
    .filter((one) => !isFixedObject || Number(one) !== 0)
    .map((one) => bytesOfNumber(form, one))
    .filter((one) => !before.equals(one));
}

function integerProbes(own: bigint, bits: bigint, random: Random): readonly bigint[] {
  const last = 1n << (bits - 1n);
  const from = own > 0n && own < last ? own : 0n;
  // Any from 0 to `most`, but for the very last ones: the largest number is an exception of its own.
  const upTo = (most: bigint): bigint => (BigInt(random.next()) * most) >> 32n;
  const values = [0n, 1n, 2n, from / 2n];
  for (let power = 2n; power < last; power *= 2n) if (power > from) values.push(power + upTo(power));
  for (let n = 0; n < BEYOND; n++) values.push(from + upTo(last - 1n - from));
  return [...new Set(values)];
}

function floatProbes(own: number, random: Random): readonly number[] {
  const values = [0, 1, 2, 0.5, own / 2];
  for (const power of [-300, -100, -30, -9, -1, 1, 2, 3, 5, 9, 12, 18, 25, 37, 100, 300]) {
    values.push((1 + random.next() / 2 ** 32) * 10 ** power);
  }
  return [...new Set(values.filter((value) => Number.isFinite(value)))];
}
