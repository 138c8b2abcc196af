// Two inputs become one: each of them did something new, and what neither does alone may take both. Texts are cut at the ends of lines.

import type { Random } from "../../support/random.js";

const NEWLINE = 0x0a;
/** Lines, or bytes, of the other that are put in between. */
const MOST_LINES = 4;
const MOST_BYTES = 64;

/** The beginning of one and the end of the other, or a part of the other put in, in the place of something or not. */
export function spliced(one: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  const cuts = cutsOf(one);
  const otherCuts = cutsOf(other);
  const at = pick(cuts, random);
  if (random.next() % 3 === 0) return joined(one.subarray(0, at), other.subarray(pick(otherCuts, random)));
  const isText = otherCuts.length < other.length + 1;
  const from = random.next() % otherCuts.length;
  const count = 1 + (random.next() % (isText ? MOST_LINES : MOST_BYTES));
  const piece = other.subarray(otherCuts[from], otherCuts[Math.min(from + count, otherCuts.length - 1)]);
  const behind = random.next() % 2 === 0 ? at : (cuts[cuts.indexOf(at) + count] ?? one.length);
  return joined(one.subarray(0, at), piece, one.subarray(behind));
}

/** Where it may be cut, ascending, with both ends: at lines, or anywhere if it has none. */
function cutsOf(bytes: Uint8Array): readonly number[] {
  const cuts = [0];
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) cuts.push(at + 1);
  if (cuts.length > 1 && !bytes.subarray(0, MOST_LOOKED_AT).includes(0)) {
    if (cuts[cuts.length - 1] !== bytes.length) cuts.push(bytes.length);
    return cuts;
  }
  return Array.from({ length: bytes.length + 1 }, (_, at) => at);
}
/** What has a zero here is no text. */
const MOST_LOOKED_AT = 4096;

function pick(places: readonly number[], random: Random): number {
  return places[random.next() % places.length];
}

function joined(...pieces: readonly Uint8Array[]): Uint8Array {
  const made = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    made.set(piece, at);
    at += piece.length;
  }
  return made;
}
