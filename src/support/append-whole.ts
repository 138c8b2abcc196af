// Appending a line to a file that others will read: all of it or nothing. A disk that is full takes the beginning of a line, and what is
// appended later, when there is room again, would end that line and be lost with it.

import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { PRIVATE_FILE } from "./private-modes.js";

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

/**
 * To the file of that name, which is made if it is not there. Somebody else may have put a link there, or a named pipe, for whose reader
 * one would wait: both are refused. Throws what the system says.
 */
export function appendToFile(path: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, PRIVATE_FILE);
  try {
    appendWhole(file, text);
  } finally {
    closeSync(file);
  }
}
