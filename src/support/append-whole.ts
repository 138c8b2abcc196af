// Appending a line to a file that others will read: all of it or nothing. A disk that is full takes the beginning of a line, and what is
// appended later, when there is room again, would end that line and be lost with it.

import { fstatSync, ftruncateSync, writeSync } from "node:fs";

/** `file` is open for appending. Throws what the system says. */
export function appendWhole(file: number, text: string): void {
  const before = fstatSync(file).size;
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } catch (error) {
    try {
      ftruncateSync(file, before);
    } catch {
      // The error that is told is the first one.
    }
    throw error;
  }
}
