// A text as its reader sees it: words, numbers and signs.

import { textOf } from "../moves/shown-text.js";

export interface Token {
  readonly from: number;
  readonly to: number;
  readonly kind: "word" | "number" | "signs";
}

const LONGEST_TEXT = 16_384;
/** Bytes that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NO_TEXT = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;

export function isText(bytes: Uint8Array): boolean {
  return bytes.length > 0 && bytes.length <= LONGEST_TEXT && !NO_TEXT.test(textOf(bytes));
}

export function tokensIn(text: string): readonly Token[] {
  return Array.from(
    text.matchAll(/([A-Za-z_][\w]*)|(\d[\d.]*)|[^\s\w]+/g),
    ({ 0: all, 1: word, 2: number, index }) => ({
      from: index,
      to: index + all.length,
      kind: word !== undefined ? "word" : number !== undefined ? "number" : "signs",
    }),
  );
}

export function replacedToken(text: string, { from, to }: Token, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}
