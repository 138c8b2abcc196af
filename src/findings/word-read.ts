// Reading a whole word of which a part lies behind the object's end: fast string and hash functions do so deliberately, because an
// aligned word never leaves its page. It is undefined all the same, and a mistake where it is not meant. Whatever object such a
// read leaves, the cause is the function that reads, so all of its over-reads are one group.

import type { Finding } from "./finding.js";
import { isOutOfBounds } from "./severity.js";

/** What the cause of one begins with. */
export const WORD_READ = "word-sized over-read";

const WORDS: readonly number[] = [2, 4, 8, 16, 32, 64];

export function isWordRead({ kind, access, size, address, object }: Finding): boolean {
  if (access !== "read" || object === null || address === null || !isOutOfBounds(kind)) return false;
  const begins = object.offset >= 0 && object.offset < object.size;
  return WORDS.includes(size) && address % size === 0 && begins && object.offset + size > object.size;
}
