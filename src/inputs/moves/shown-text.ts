// Arguments, names and contents inside of moves: strings of one character a byte, and how they are shown to people.

import { visible } from "../../support/visible-text.js";

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

export function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "latin1"));
}

/** More of a text is not shown. */
const LONGEST_SHOWN = 48;

/** A text in backquotes, on one line and not too long. */
export function shown(text: string): string {
  const readable = visible(Buffer.from(text, "latin1").toString("utf8"));
  return `\`${readable.length > LONGEST_SHOWN ? `${readable.slice(0, LONGEST_SHOWN)}...` : readable}\``;
}

/** "1st", "2nd", "3rd", ... from 0. */
export function ordinal(index: number): string {
  const number = index + 1;
  const tens = Math.floor(number / 10) % 10;
  const suffix = tens === 1 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${suffix}`;
}
