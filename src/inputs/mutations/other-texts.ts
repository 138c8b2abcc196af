// Texts of an input exchanged for others, wherever they stand in what the program reads and in its arguments.

import type { Invocation } from "../invocation.js";
import { argumentsOf, contentsOf, type EditedPart } from "./edited-parts.js";
import { joinedBytes } from "./joined-bytes.js";

/** Both without a zero at their end. */
export interface OtherText {
  readonly was: readonly number[];
  readonly is: readonly number[];
}

/** Places of one part of the input. */
const MOST_PLACES = 24;

/** With one of the texts exchanged at one place, then everywhere; and with all of them exchanged. */
export function* withOtherTexts(from: Invocation, texts: readonly OtherText[]): Generator<Invocation> {
  for (const text of texts) {
    for (const part of partsOf(from)) {
      const places = placesOf(part.bytes, text);
      const sets = places.length > 1 ? [...places.map((at) => [at]), places] : places.map((at) => [at]);
      for (const some of sets) {
        const made = exchanged(part.bytes, text, some);
        if (made.length <= part.longest) yield part.with(made);
      }
    }
  }
  if (texts.length < 2) return;
  let all: Invocation = from;
  for (const text of texts) {
    // What was made of one part has all others: they are looked up again.
    for (let n = 0; n < partsOf(all).length; n++) {
      const part = partsOf(all)[n];
      const made = exchanged(part.bytes, text, placesOf(part.bytes, text));
      if (made.length <= part.longest) all = part.with(made);
    }
  }
  yield all;
}

function partsOf(from: Invocation): readonly EditedPart[] {
  return [...contentsOf(from), ...argumentsOf(from)];
}

/** Ascending; none overlaps another. */
function placesOf(bytes: Uint8Array, { was }: OtherText): readonly number[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wanted = Uint8Array.from(was);
  const places: number[] = [];
  if (wanted.length === 0) return places;
  for (
    let at = text.indexOf(wanted);
    at >= 0 && places.length < MOST_PLACES;
    at = text.indexOf(wanted, at + wanted.length)
  )
    places.push(at);
  return places;
}

function exchanged(bytes: Uint8Array, { was, is }: OtherText, places: readonly number[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const at of places) {
    pieces.push(bytes.subarray(from, at), Uint8Array.from(is));
    from = at + was.length;
  }
  return joinedBytes(...pieces, bytes.subarray(from));
}
