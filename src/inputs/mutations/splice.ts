// Two inputs become one: each of them did something new, and what neither does alone may take both. Texts are cut at the ends of lines.

import type { Random } from "../../support/random.js";
import { joinedBytes } from "./joined-bytes.js";

const NEWLINE = 0x0a;
/** Lines, or bytes, of the other that are put in between. */
const MOST_LINES = 4;
const MOST_BYTES = 64;
/** What has a zero here is no text. */
const LOOKED_AT = 4096;

/** The beginning of one and the end of the other, or a part of the other put in, in the place of something or not. */
export function spliced(one: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  const [own, others] = [cutsOf(one), cutsOf(other)];
  const at = random.next() % own.count;
  const from = random.next() % others.count;
  const before = one.subarray(0, own.at(at));
  if (random.next() % 3 === 0) return joinedBytes(before, other.subarray(others.at(from)));
  const count = 1 + (random.next() % (others.areLines ? MOST_LINES : MOST_BYTES));
  const piece = other.subarray(others.at(from), others.at(from + count));
  const behind = random.next() % 2 === 0 ? at : at + count;
  return joinedBytes(before, piece, one.subarray(own.at(behind)));
}

/** Where it may be cut, ascending, with both ends. */
interface Cuts {
  readonly count: number;
  readonly areLines: boolean;
  /** The end, for all numbers beyond the last. */
  at(index: number): number;
}

/** At lines, or anywhere if it has none. */
function cutsOf(bytes: Uint8Array): Cuts {
  const { length } = bytes;
  const ends = [0];
  if (!bytes.subarray(0, LOOKED_AT).includes(0))
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) ends.push(at + 1);
  if (ends.length === 1) return { count: length + 1, areLines: false, at: (index) => Math.min(index, length) };
  if (ends[ends.length - 1] !== length) ends.push(length);
  return { count: ends.length, areLines: true, at: (index) => ends[index] ?? length };
}
