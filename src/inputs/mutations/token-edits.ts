// Edits of text as its reader sees it: by words, numbers, signs and lines. A random byte in a program or a document mostly makes an error of
// syntax; one word in another's place mostly makes something that is read to its end, and means something else.

import type { Random } from "../../support/random.js";
import { bytesOf, textOf } from "../moves/shown-text.js";
import { manyTimes } from "./many-times.js";
import { isText, replacedToken, type Token, tokensIn } from "./tokens.js";

const LONGEST_LINE = 512;
/** One token alone, or what lies between it and one of the next. */
const MOST_REPEATED_TOKENS = 4;
const MOST_PHRASE_TOKENS = 6;
export class TokenEdits {
  private readonly lines: readonly string[];
  private readonly known = new WeakMap<Uint8Array, readonly Token[]>();

  /** `words`: of all tests; `texts`: what lines are taken from. */
  constructor(
    private readonly words: readonly string[],
    texts: readonly Uint8Array[],
    private readonly random: Random,
  ) {
    this.lines = texts.filter(isText).flatMap((bytes) =>
      textOf(bytes)
        .split("\n")
        .filter((line) => line.trim() !== "" && line.length <= LONGEST_LINE),
    );
  }

  /** Null if it is no text, or has no words. */
  edit(bytes: Uint8Array): Uint8Array | null {
    const tokens = this.tokensOf(bytes);
    if (tokens.length === 0) return null;
    const text = textOf(bytes);
    const made = this.random.next() % 4 === 0 ? this.editLine(text) : this.editToken(text, tokens);
    return made === null ? null : bytesOf(made);
  }

  private tokensOf(bytes: Uint8Array): readonly Token[] {
    let tokens = this.known.get(bytes);
    if (tokens === undefined) {
      tokens = isText(bytes) ? tokensIn(textOf(bytes)) : [];
      this.known.set(bytes, tokens);
    }
    return tokens;
  }

  private editToken(text: string, tokens: readonly Token[]): string | null {
    const { random } = this;
    const token = tokens[random.next() % tokens.length];
    const own = text.slice(token.from, token.to);
    switch (random.next() % 11) {
      case 0:
      case 1:
      case 2: {
        // What the text says elsewhere.
        const same = tokens.filter(({ kind }) => kind === token.kind);
        const { from, to } = same[random.next() % same.length];
        return replacedToken(text, token, text.slice(from, to));
      }
      case 3:
      case 4:
        return replacedToken(text, token, this.word());
      case 5:
        return replacedToken(text, token, "");
      case 6:
        return replacedToken(text, token, `${own} ${own}`);
      case 7:
        return this.many(text, tokens, token);
      case 8:
      case 9:
        return this.phrase(text, tokens, token);
      default:
        return replacedToken(text, token, `${own} ${this.word()}`);
    }
  }

  /** Some words in a row, from elsewhere in the text, put in or in the place of as many. */
  private phrase(text: string, tokens: readonly Token[], token: Token): string {
    const { random } = this;
    const from = random.next() % tokens.length;
    const count = 1 + (random.next() % MOST_PHRASE_TOKENS);
    const last = tokens[Math.min(from + count, tokens.length) - 1];
    const words = text.slice(tokens[from].from, last.to);
    if (random.next() % 2 === 0) return replacedToken(text, { ...token, to: token.from }, `${words} `);
    const first = tokens.indexOf(token);
    return replacedToken(text, { ...token, to: tokens[Math.min(first + count, tokens.length) - 1].to }, words);
  }

  /** A longer name or number, or what begins there and goes on for a few words once more and once more: a longer list. */
  private many(text: string, tokens: readonly Token[], token: Token): string {
    const { random } = this;
    const first = tokens.indexOf(token);
    const count = random.next() % MOST_REPEATED_TOKENS;
    const to = count === 0 ? token.to : (tokens[first + count]?.from ?? token.to);
    const piece = text.slice(token.from, to);
    return replacedToken(text, { ...token, to: token.from }, piece.repeat(manyTimes(piece.length, random)));
  }

  private editLine(text: string): string | null {
    const { random } = this;
    const lines = text.split("\n");
    const at = random.next() % lines.length;
    const other = random.next() % lines.length;
    switch (random.next() % 4) {
      case 0:
        lines.splice(at, 1);
        break;
      case 1:
        lines.splice(other, 0, lines[at]);
        break;
      case 2:
        [lines[at], lines[other]] = [lines[other], lines[at]];
        break;
      default: {
        if (this.lines.length === 0) return null;
        lines.splice(at, random.next() % 2, this.lines[random.next() % this.lines.length]);
      }
    }
    return lines.join("\n");
  }

  private word(): string {
    const { words, random } = this;
    return words.length === 0 ? "" : words[random.next() % words.length];
  }
}
