// Values of all sizes that are tried in the place of a number of a test, to see whether the library copes with them (number-misuse.ts).
// Negative ones and the largest of all are none of them: these are where a library that looks at its numbers makes its mistakes.

import { NUMBER_FORMS, type NumberForm } from "../support/literal-names.js";
import { bytesOfNumber, numberIn } from "../support/literal-numbers.js";
import { Random } from "../support/random.js";

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
