// How often a piece of the input is repeated where it becomes many: as likely a few bytes altogether as a few thousand, because buffers and
// tables of every size have an end.

import type { Random } from "../../support/random.js";

/** Bytes altogether: from 16, eight times doubled, and anything between. */
const LEAST = 16;
const DOUBLINGS = 8;

export function manyTimes(length: number, random: Random): number {
  const least = LEAST << (random.next() % DOUBLINGS);
  const wanted = least + (random.next() % least);
  return Math.max(2, Math.round(wanted / Math.max(1, length)));
}
