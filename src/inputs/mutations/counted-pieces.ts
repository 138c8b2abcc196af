// Pieces whose length stands before them, as most formats that are no text have them (chunks, sections, records, strings): a number of one, two
// or four bytes, either order, and as many bytes behind it. If one of the two is changed without the other, all that follows is read out of
// step and mostly refused; changed together, the rest is read as before, with a piece that is shorter or longer than a program thinks.
//
// What looks like such a piece may be none; an edit more is cheap.

import { joinedBytes } from "./joined-bytes.js";

export interface CountedPiece {
  /** Of its count. */
  readonly at: number;
  readonly width: 1 | 2 | 4;
  readonly isLittle: boolean;
  readonly count: number;
}

/** The pieces whose counts begin at `at`: as many as there are ways to read one. */
export function countedPiecesAt(bytes: Uint8Array, at: number): readonly CountedPiece[] {
  const found: CountedPiece[] = [];
  for (const width of [1, 2, 4] as const) {
    for (const isLittle of width === 1 ? [true] : [true, false]) {
      const rest = bytes.length - at - width;
      if (rest <= 0) continue;
      const count = countAt(bytes, at, width, isLittle);
      // The wider ones only where the narrower are not the same.
      const isWide = width === 1 || count > 0xff || (!isLittle && count > 0);
      if (count > 0 && count <= rest && isWide) found.push({ at, width, isLittle, count });
    }
  }
  return found;
}

/** The piece with another count, and with as many bytes fewer at its end, or more: its last ones again. Null if the count has no room for it. */
export function recounted(bytes: Uint8Array, piece: CountedPiece, count: number): Uint8Array | null {
  const { at, width, isLittle } = piece;
  if (count < 0 || count >= 256 ** width || count === piece.count) return null;
  const from = at + width;
  const end = from + piece.count;
  const number = new Uint8Array(width);
  for (let n = 0; n < width; n++) number[isLittle ? n : width - 1 - n] = Math.floor(count / 256 ** n) & 255;
  const kept = bytes.subarray(from, Math.min(end, from + count));
  const more = new Uint8Array(Math.max(0, count - piece.count)).fill(bytes[end - 1]);
  return joinedBytes(bytes.subarray(0, at), number, kept, more, bytes.subarray(end));
}

function countAt(bytes: Uint8Array, at: number, width: number, isLittle: boolean): number {
  let count = 0;
  for (let n = 0; n < width; n++) count = count * 256 + bytes[isLittle ? at + width - 1 - n : at + n];
  return count;
}
