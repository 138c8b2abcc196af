// Tokens of textual LLVM IR, produced one at a time over a range of the module's text. The token's text is not cut out
// of the module until someone asks for it: most tokens are recognised by their first characters (types, numbered
// values, punctuation), and making a string for each would cost more than all the rest of parsing. A generated or
// regular-expression lexer was the alternative; both make those strings.
// Invariant: after `next()`, [start, end) is the token and `position` is the first character not looked at; every call
// of `next()` advances until the end of the range.

import { IrError } from "../module.js";

// Punctuation is its own character code; the other kinds of token lie above all characters we accept.
export const END: number = 0;
export const WORD: number = 256;
/** `name:`, `7:` or `"a b":`. */
export const LABEL: number = 257;
/** `%name`, `%7`, `%"a b"`. */
export const LOCAL: number = 258;
/** `@name`, `@7`, `@"a b"`. */
export const GLOBAL: number = 259;
/** `!7` or `!name`; a `!` before anything else is punctuation. */
export const METADATA_ID: number = 260;
/** `#7` or `#dbg_value`. */
export const HASH: number = 261;
export const INTEGER: number = 262;
export const FLOAT_LITERAL: number = 263;
/** `"..."`. */
export const STRING: number = 264;
/** `c"..."`. */
export const BYTES: number = 265;
/** `$name`. */
export const COMDAT: number = 266;
export const ELLIPSIS: number = 267;

export const COMMA: number = 0x2c;
export const OPEN_PAREN: number = 0x28;
export const CLOSE_PAREN: number = 0x29;
export const OPEN_BRACKET: number = 0x5b;
export const CLOSE_BRACKET: number = 0x5d;
export const OPEN_BRACE: number = 0x7b;
export const CLOSE_BRACE: number = 0x7d;
export const LESS: number = 0x3c;
export const GREATER: number = 0x3e;
export const EQUALS: number = 0x3d;
export const STAR: number = 0x2a;
export const BANG: number = 0x21;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

// What a character may begin or continue.
const SPACE = 1;
const NAME_PART = 2;
const DIGIT = 4;
const PUNCTUATION = 8;
const NAME_START = 16;

function classify(): Uint8Array {
  const classes = new Uint8Array(128);
  for (const c of " \t\r\n") classes[c.charCodeAt(0)] = SPACE;
  for (const c of "()[]{}<>,=*|:/+") classes[c.charCodeAt(0)] = PUNCTUATION;
  for (let c = 0; c < 128; c++) {
    const letter = (c >= 0x41 && c <= 0x5a) || (c >= 0x61 && c <= 0x7a) || c === 0x5f || c === 0x2e || c === 0x24;
    if (letter) classes[c] |= NAME_PART | NAME_START;
    if (c === 0x2d) classes[c] |= NAME_PART;
    if (c >= 0x30 && c <= 0x39) classes[c] |= NAME_PART | DIGIT;
  }
  return classes;
}
const CLASSES = classify();

/** More digits than this do not fit a JavaScript number exactly. */
const MAX_EXACT_DIGITS = 15;
/** How deep types and constants may nest: clang's own limit on brackets is 256. */
const MAX_DEPTH = 400;

/** Thrown for what the parser understands the extent of but has no meaning for; never leaves the parser. */
export class Unsupported {
  constructor(readonly what: string) {}
}

export class Lexer {
  token = END;
  start = 0;
  end = 0;
  position: number;
  /** The value of `%7`, `@7`, `!7`, `#7`, `7` or `7:`; -1 for a name; NaN for an integer too long to be exact. */
  number = Number.NaN;
  /** Does the current token begin a line (or the range)? */
  firstOnLine = true;
  /** The first type or construct without meaning seen since this was last reset. */
  unsupported: string | null = "";
  private depth = 0;

  constructor(
    readonly text: string,
    start: number,
    readonly limit: number,
    readonly moduleName: string,
  ) {
    this.position = start;
    // V8 notes what kinds of value a field has held, and throws optimised code away whenever a new kind arrives. Both
    // kinds of these two fields are shown to it here, before there is any such code: without this, --trace-deopt shows
    // nearly every method of this class optimised twice. How much time it saves was too noisy to tell.
    this.number = -1;
    this.unsupported = null;
  }

  // -------------------------------------------------------------- errors

  fail(problem: string): never {
    throw new IrError(this.moduleName, this.lineOf(this.start), problem);
  }
  failAt(offset: number, problem: string): never {
    throw new IrError(this.moduleName, this.lineOf(offset), problem);
  }
  unexpected(expected: string): never {
    this.fail(`expected ${expected}, found ${this.describe()}`);
  }
  describe(): string {
    if (this.token === END) return "the end";
    const text = this.text.slice(this.start, Math.min(this.end, this.start + 40));
    return `'${text}'`;
  }
  lineOf(offset: number): number {
    let line = 1;
    const { text } = this;
    for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
    return line;
  }

  /** Every recursive rule of the grammar goes through these two, so that no input exhausts the stack. */
  enter(): void {
    if (++this.depth > MAX_DEPTH) this.fail(`types or constants nest deeper than ${MAX_DEPTH} levels`);
  }
  leave(): void {
    this.depth--;
  }

  // -------------------------------------------------------------- reading tokens

  next(): number {
    const { text, limit } = this;
    let at = this.position;
    let c: number;
    let kind: number;
    this.firstOnLine = false;
    for (;;) {
      if (at >= limit) {
        this.firstOnLine = true;
        this.start = this.end = this.position = limit;
        this.token = END;
        return END;
      }
      c = text.charCodeAt(at);
      if (c === 0x20) {
        at++;
        continue;
      }
      kind = c < 128 ? CLASSES[c] : 0;
      if (kind === SPACE) {
        if (c === 0x0a) this.firstOnLine = true;
        at++;
      } else if (c === 0x3b) at = this.endOfLine(at);
      else break;
    }
    this.start = at;
    this.number = -1;
    if (kind === PUNCTUATION) return this.finish(c, at + 1);
    if ((kind & NAME_START) !== 0) return this.word(c, at);
    if ((kind & DIGIT) !== 0 || c === 0x2d) return this.numeral(at);
    switch (c) {
      case 0x25:
        return this.name(LOCAL, at + 1);
      case 0x40:
        return this.name(GLOBAL, at + 1);
      case BANG: {
        const after = text.charCodeAt(at + 1);
        if (after < 128 && (CLASSES[after] & NAME_PART) !== 0) return this.name(METADATA_ID, at + 1);
        return this.finish(BANG, at + 1);
      }
      case 0x23:
        return this.name(HASH, at + 1);
      case QUOTE:
        return this.quoted(STRING, at);
      default:
        this.end = at + 1;
        return this.fail(`unexpected character ${JSON.stringify(text[at])}`);
    }
  }

  private finish(token: number, end: number): number {
    this.end = end;
    this.position = end;
    this.token = token;
    return token;
  }

  private word(c: number, start: number): number {
    const { text } = this;
    if (c === 0x63 && text.charCodeAt(start + 1) === QUOTE) return this.quoted(BYTES, start + 1);
    if (c === 0x2e && text.startsWith("...", start)) return this.finish(ELLIPSIS, start + 3);
    if (c === 0x24 && text.charCodeAt(start + 1) === QUOTE) return this.quoted(COMDAT, start + 1);
    const end = this.endOfName(start + 1);
    if (text.charCodeAt(end) === 0x3a && end < this.limit) {
      this.position = end + 1;
      this.end = end;
      this.token = LABEL;
      return LABEL;
    }
    if (c === 0x24) return this.finish(COMDAT, end);
    // Hexadecimal integers: u0x7F, s0xFF.
    if ((c === 0x75 || c === 0x73) && text.startsWith("0x", start + 1)) {
      this.number = Number.NaN;
      return this.finish(INTEGER, end);
    }
    return this.finish(WORD, end);
  }

  private endOfName(from: number): number {
    const { text, limit } = this;
    let at = from;
    while (at < limit) {
      const c = text.charCodeAt(at);
      if (c >= 128 || (CLASSES[c] & NAME_PART) === 0) break;
      at++;
    }
    return at;
  }

  private name(token: number, from: number): number {
    const { text, limit } = this;
    let at = from;
    let value = 0;
    let c = at < limit ? text.charCodeAt(at) : 0;
    while (c >= 0x30 && c <= 0x39) {
      value = value * 10 + (c - 0x30);
      c = ++at < limit ? text.charCodeAt(at) : 0;
    }
    if (at > from) {
      this.number = at - from <= MAX_EXACT_DIGITS ? value : this.fail("a number this large names nothing");
      return this.finish(token, at);
    }
    if (c === QUOTE) return this.quoted(token, from);
    at = this.endOfName(from);
    if (at === from) {
      this.end = at;
      this.fail(`a name must follow '${text[this.start]}'`);
    }
    return this.finish(token, at);
  }

  private numeral(start: number): number {
    const { text, limit } = this;
    let at = text.charCodeAt(start) === 0x2d ? start + 1 : start;
    const digits = at;
    let value = 0;
    let c = at < limit ? text.charCodeAt(at) : 0;
    while (c >= 0x30 && c <= 0x39) {
      value = value * 10 + (c - 0x30);
      c = ++at < limit ? text.charCodeAt(at) : 0;
    }
    if (c === 0x2e) return this.fraction(at);
    if (c < 128 && (CLASSES[c] & NAME_PART) !== 0) {
      const end = this.endOfName(at);
      if (text.charCodeAt(end) === 0x3a && end < limit) return this.label(end);
      if (at === digits + 1 && c === 0x78 && text.charCodeAt(digits) === 0x30) return this.finish(FLOAT_LITERAL, end);
      this.end = end;
      this.fail(`malformed number ${this.describe()}`);
    }
    if (at === digits) {
      this.end = at;
      this.fail("a number must follow '-'");
    }
    this.number = at - digits <= MAX_EXACT_DIGITS ? (digits > start ? -value : value) : Number.NaN;
    if (c === 0x3a && at < limit) return this.label(at);
    return this.finish(INTEGER, at);
  }

  private label(end: number): number {
    this.finish(LABEL, end);
    this.position = end + 1;
    return LABEL;
  }

  private fraction(dot: number): number {
    const { text } = this;
    let at = this.endOfDigits(dot + 1);
    if ((text.charCodeAt(at) | 0x20) === 0x65) {
      const sign = text.charCodeAt(at + 1);
      const digits = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
      const end = this.endOfDigits(digits);
      if (end > digits) at = end;
    }
    return this.finish(FLOAT_LITERAL, Math.min(at, this.limit));
  }

  private endOfDigits(from: number): number {
    let at = from;
    for (let c = this.text.charCodeAt(at); c >= 0x30 && c <= 0x39; c = this.text.charCodeAt(at)) at++;
    return at;
  }

  private quoted(token: number, quote: number): number {
    const close = this.text.indexOf('"', quote + 1);
    if (close === -1 || close >= this.limit) this.fail("a quotation mark is never closed");
    if (token === STRING && this.text.charCodeAt(close + 1) === 0x3a) return this.label(close + 1);
    return this.finish(token, close + 1);
  }

  endOfLine(from: number): number {
    const at = this.text.indexOf("\n", from);
    return at === -1 || at > this.limit ? this.limit : at;
  }

  /** Makes the first token of the next line current. */
  skipLine(): void {
    this.position = this.endOfLine(this.start);
    this.next();
  }

  /** Continues at an offset found otherwise, outside of any type or constant. */
  seek(offset: number): void {
    this.depth = 0;
    this.position = offset;
    this.next();
  }

  // -------------------------------------------------------------- asking about the current token

  /** The token's text. */
  raw(): string {
    return this.text.slice(this.start, this.end);
  }

  /** Is the current token this very word? */
  is(word: string): boolean {
    return this.token === WORD && this.end - this.start === word.length && this.text.startsWith(word, this.start);
  }

  /** The first character after the current token that is not white space; 0 at the end. */
  peek(): number {
    for (let at = this.position; at < this.limit; at++) {
      const c = this.text.charCodeAt(at);
      if (c >= 128 || CLASSES[c] !== SPACE) return c;
    }
    return 0;
  }

  /** The name in a LOCAL, GLOBAL, LABEL, METADATA_ID, HASH or COMDAT token, unescaped. */
  decodedName(): string {
    const from = this.token === LABEL ? this.start : this.start + 1;
    return this.text.charCodeAt(from) === QUOTE
      ? unescapeText(this.text, from + 1, this.end - 1)
      : this.text.slice(from, this.end);
  }

  /** The contents of a STRING or BYTES token, one character (0 to 255) per byte. */
  decodedString(): string {
    return unescapeBytes(this.text, this.token === BYTES ? this.start + 2 : this.start + 1, this.end - 1);
  }

  /** The contents of a BYTES token. */
  decodedBytes(): Uint8Array {
    const { text } = this;
    const bytes = new Uint8Array(this.end - this.start - 3);
    let length = 0;
    for (let at = this.start + 2; at < this.end - 1; at++) {
      const c = text.charCodeAt(at);
      const escaped = c === BACKSLASH ? escapedCharacter(text, at, this.end - 1) : -1;
      if (escaped >= 0) at += text.charCodeAt(at + 1) === BACKSLASH ? 1 : 2;
      bytes[length++] = escaped >= 0 ? escaped : c;
    }
    return bytes.subarray(0, length);
  }

  // -------------------------------------------------------------- small rules

  expect(token: number): void {
    if (this.token !== token) this.unexpected(`'${String.fromCharCode(token)}'`);
    this.next();
  }
  expectWord(word: string): void {
    if (!this.is(word)) this.unexpected(`'${word}'`);
    this.next();
  }
  accept(token: number): boolean {
    if (this.token !== token) return false;
    this.next();
    return true;
  }
  acceptWord(word: string): boolean {
    if (!this.is(word)) return false;
    this.next();
    return true;
  }
  /** A non-negative integer such as an alignment or an index. */
  expectCount(what: string): number {
    if (this.token !== INTEGER || !(this.number >= 0)) this.unexpected(what);
    const value = this.number;
    this.next();
    return value;
  }

  /** From an opening bracket to after its closing one, whatever lies between. */
  skipBrackets(): void {
    let depth = 0;
    do {
      switch (this.token) {
        case OPEN_PAREN:
        case OPEN_BRACKET:
        case OPEN_BRACE:
          depth++;
          break;
        case CLOSE_PAREN:
        case CLOSE_BRACKET:
        case CLOSE_BRACE:
          depth--;
          break;
        case END:
          this.unexpected("a closing bracket");
      }
      this.next();
    } while (depth > 0);
  }
}

function hexDigit(c: number): number {
  if (c >= 0x30 && c <= 0x39) return c - 0x30;
  const lower = c | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}
/** The character behind `\\` or `\XX` at `at`, or -1 if the backslash stands for itself. */
function escapedCharacter(text: string, at: number, limit: number): number {
  if (at + 1 < limit && text.charCodeAt(at + 1) === BACKSLASH) return BACKSLASH;
  if (at + 2 >= limit) return -1;
  const high = hexDigit(text.charCodeAt(at + 1));
  const low = hexDigit(text.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}
/** Undoes LLVM's escapes in text[from, to): one character (0 to 255) per byte. */
function unescapeBytes(text: string, from: number, to: number): string {
  const escaped = text.slice(from, to);
  let at = escaped.indexOf("\\");
  if (at === -1) return escaped;
  let result = "";
  let copied = 0;
  while (at !== -1) {
    const c = escapedCharacter(escaped, at, escaped.length);
    if (c < 0) {
      at = escaped.indexOf("\\", at + 1);
      continue;
    }
    result += escaped.slice(copied, at) + String.fromCharCode(c);
    copied = at + (escaped.charCodeAt(at + 1) === BACKSLASH ? 2 : 3);
    at = escaped.indexOf("\\", copied);
  }
  return result + escaped.slice(copied);
}
/** The same for names and messages, which are UTF-8 in every source that has more than ASCII. */
export function unescapeText(text: string, from: number, to: number): string {
  const bytes = unescapeBytes(text, from, to);
  for (let i = 0; i < bytes.length; i++) {
    const c = bytes.charCodeAt(i);
    if (c > 0xff) return bytes;
    if (c >= 0x80) return decodeUtf8(bytes);
  }
  return bytes;
}
function decodeUtf8(bytes: string): string {
  const decoded = Buffer.from(bytes, "latin1").toString("utf8");
  return decoded.includes("\ufffd") ? bytes : decoded;
}
