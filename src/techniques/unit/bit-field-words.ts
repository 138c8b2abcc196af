// Comparisons of bit-fields in words of the source. A bit-field need not begin or end with a byte, so the bits of one are compared piece by
// piece, and what is compared at once may be pieces of several: each field gets its own comparison, of all its bits or of those under a mask.

import type { ByteNames } from "./byte-names.js";
import { numberText } from "./scalar-words.js";

/** Bits of the input, numbered through all of its bytes, and what they are equal to. */
export interface ComparedBits {
  readonly from: number;
  readonly width: number;
  readonly value: bigint;
}

/** Null if anything else than bit-fields is compared. */
export function fieldsEqual(names: ByteNames, pieces: readonly ComparedBits[], sign: "==" | "!="): string | null {
  const fields = new Map<number, { mask: bigint; value: bigint }>();
  for (const piece of pieces) {
    for (let at = 0; at < piece.width; ) {
      const from = piece.from + at;
      const field = names.bitFieldAt(from, 1);
      if (field === null) return null;
      const width = Math.min(piece.width - at, field.bits - field.at);
      const ones = (1n << BigInt(width)) - 1n;
      const known = fields.get(from - field.at) ?? { mask: 0n, value: 0n };
      known.mask |= ones << BigInt(field.at);
      known.value |= ((piece.value >> BigInt(at)) & ones) << BigInt(field.at);
      fields.set(from - field.at, known);
      at += width;
    }
  }
  const texts = [...fields].map(([start, { mask, value }]): string | null => {
    const field = names.bitFieldAt(start, 1);
    if (field === null) return null;
    const { words, type, bits } = field;
    names.mentioned.add(words);
    if (mask !== (1n << BigInt(bits)) - 1n)
      return `(${words} & 0x${mask.toString(16)}) ${sign} 0x${value.toString(16)}`;
    if (type.kind === "bool") return (value === 0n) === (sign === "==") ? `!${words}` : words;
    return `${words} ${sign} ${numberText(type, value, bits)}`;
  });
  return texts.includes(null) ? null : texts.join(sign === "==" ? " && " : " || ");
}
