// The words in a program's constants, for edits of inputs: texts without a blank stand for themselves, longer ones are
// taken apart (messages and built-in statements name what the program knows). Read from memory after the first run, which costs
// milliseconds; the words of program/graph say more, but need the whole IR of the program.

import type { KnownWords } from "../engine/input-edits.js";
import type { GlobalInfo } from "../jit/image.js";

const LONGEST_WORD = 24;
const SHORTEST_PART = 3;
const MOST_WORDS = 4096;
/** A larger constant is a table of numbers, not of texts. */
const LARGEST_CONSTANT = 1 << 16;
const TEXT = /[\t\n\r -~]{2,}/g;
const BLANKS = /[\t\n\r ]+/;
/** Of a message: a name, perhaps with a dot, a hash or a dollar before it. */
const NAMES = /[.#$%&<!@-]*[A-Za-z_][A-Za-z0-9_-]*/g;
const DIRECTIVE = /%[-+ #0-9.*]*(?:hh|h|ll|l|z|j|t|L)?[a-zA-Z]/g;

export function constantWords(globals: readonly GlobalInfo[], memory: Uint8Array): KnownWords {
  const whole = new Set<string>();
  const parts = new Set<string>();
  for (const { address, size, constant } of globals) {
    if (!constant || size > LARGEST_CONSTANT || address + size > memory.length) continue;
    const content = Buffer.from(memory.buffer, memory.byteOffset + address, size).toString("latin1");
    for (const [text] of content.matchAll(TEXT)) addText(text, whole, parts);
  }
  for (const word of whole) parts.delete(word);
  return { whole: encoded(whole), parts: encoded(parts) };
}

function addText(text: string, whole: Set<string>, parts: Set<string>): void {
  if (!BLANKS.test(text) && text.length <= LONGEST_WORD && text.search(DIRECTIVE) < 0) {
    if (whole.size < MOST_WORDS) whole.add(text);
    return;
  }
  for (const [name] of text.replaceAll(DIRECTIVE, " ").matchAll(NAMES)) {
    if (name.length >= SHORTEST_PART && name.length <= LONGEST_WORD && parts.size < MOST_WORDS) parts.add(name);
  }
}

function encoded(words: ReadonlySet<string>): readonly Uint8Array[] {
  return [...words].map((word) => Buffer.from(word, "latin1"));
}
