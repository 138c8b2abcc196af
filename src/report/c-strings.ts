// Strings as C writes them: bytes to a literal, and the literals of a source with the bytes they stand for; wide ones, too.

import { WIDE_FORMS, type WideForm } from "../support/literal-names.js";

const NAMED: { readonly [byte: number]: string } = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};
/** As in `NAMED`, and those that need not be escaped in a string. */
const MEANINGS: { readonly [letter: string]: number } = {
  ...Object.fromEntries(Object.entries(NAMED).map(([byte, text]) => [text[1], Number(byte)])),
  "'": 39,
  "?": 63,
  e: 27,
};

/** With its quotes. Other bytes are octal: such an escape ends after three digits, a hexadecimal one never. */
export function cString(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    if (NAMED[byte] !== undefined) text += NAMED[byte];
    // Two question marks may begin a trigraph.
    else if (byte === 63) text += text.endsWith("?") ? "\\?" : "?";
    else if (byte >= 0x20 && byte < 0x7f) text += String.fromCharCode(byte);
    else text += `\\${byte.toString(8).padStart(3, "0")}`;
  }
  return `"${text}"`;
}

/**
 * A wide string, little endian. Only what has no meaning of its own in C is written as it is; an escape of hexadecimal digits ends where the
 * string does, so another one follows.
 */
export function wideCString(
  bytes: Uint8Array,
  form: WideForm,
  prefix: WidePrefix = form === "w16" ? "u" : "L",
): string {
  let text = "";
  let isOpen = false;
  for (const unit of unitsIn(bytes, WIDE_FORMS[form])) {
    if (isOpen) text += `" ${prefix}"`;
    isOpen = false;
    if (unit < 0xa0) text += cString(Uint8Array.of(unit)).slice(1, -1);
    else if ((unit & 0xffff_f800) !== 0xd800 && unit <= 0x10_ffff) {
      text += unit > 0xffff ? `\\U${hex(unit, 8)}` : `\\u${hex(unit, 4)}`;
    } else {
      text += `\\x${hex(unit, 1)}`;
      isOpen = true;
    }
  }
  return `${prefix}"${text}"`;
}

function hex(unit: number, digits: number): string {
  return (unit >>> 0).toString(16).padStart(digits, "0");
}

function unitsIn(bytes: Uint8Array, size: number): readonly number[] {
  const buffer = Buffer.from(bytes);
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, n) => buffer.readUIntLE(n * size, size));
}

type WidePrefix = "L" | "u" | "U";

/** Adjacent strings are one, as for the compiler. */
export interface SourceString {
  /** In the source's text: from the first quote, or what stands before it, to behind the last. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly bytes: Uint8Array;
  /** It initialises an array: `char x[] = "…"`. */
  readonly isArray: boolean;
  /** Of a wide string. */
  readonly prefix: WidePrefix | null;
}

/** Comments and quotes that nothing ends reach to the end: whatever a source holds, each of its characters is looked at once. */
const TOKEN =
  /\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\/\/[^\n]*|'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?|\s+|[^\s"'/]+|[\s\S]/g;
const STRING = /^"(?:[^"\\\n]|\\[\s\S])*"$/;
const PREFIX = /(?:^|\W)(?:L|u8?|U)?R?$/;
const WIDE = /(?:^|\W)([LuU])$/;

/** So much of what stands before a string says what it is. */
const CONTEXT = 40;

/** Plain and wide ones; u8"…", R"(…)" and their like are left out. Of wide ones the first alone says so: L"a" "b". */
export function stringsIn(source: string): readonly SourceString[] {
  const found: SourceString[] = [];
  let line = 1;
  let open: (Omit<SourceString, "bytes" | "end"> & { end: number; readonly bytes: Buffer[] }) | null = null;
  const close = (): void => {
    if (open !== null) found.push({ ...open, bytes: Buffer.concat(open.bytes) });
    open = null;
  };
  let before = "";
  let wasGap = true;
  for (const { 0: text, index } of source.matchAll(TOKEN)) {
    const isGap = /^\s/.test(text) || text.startsWith("/*") || text.startsWith("//");
    const isString = STRING.test(text);
    const isPlain = wasGap || before === "" || /[^\w]$/.test(before) || !PREFIX.test(before);
    const prefix = wasGap ? null : ((WIDE.exec(before)?.[1] as WidePrefix | undefined) ?? null);
    if (isString && (isPlain || prefix !== null)) {
      if (open === null) {
        const start = index - (prefix === null ? 0 : 1);
        const isArray = /\]\s*=\s*\{?\s*$/.test(prefix === null ? before : before.slice(0, -1));
        open = { start, end: index + text.length, line, bytes: [], isArray, prefix };
      }
      open.bytes.push(bytesOf(text.slice(1, -1), open.prefix));
      open.end = index + text.length;
    } else if (!isGap) close();
    if (!isGap) before = `${before}${text}`.slice(-CONTEXT);
    wasGap = isGap;
    line += text.split("\n").length - 1;
  }
  close();
  return found;
}

function bytesOf(text: string, prefix: WidePrefix | null): Buffer {
  const parts: Buffer[] = [];
  const add = (value: number): void => {
    if (prefix === null) parts.push(Buffer.from([value & 0xff]));
    else if (prefix === "u" && value > 0xffff) for (const unit of pairOf(value)) add(unit);
    else parts.push(unitBytes(value, prefix === "u" ? 2 : 4));
  };
  const addText = (plain: string): void => {
    if (prefix === null) parts.push(Buffer.from(plain));
    else for (const character of plain) add(character.codePointAt(0) ?? 0);
  };
  for (const [whole, octal, hexadecimal, name, other] of text.matchAll(ESCAPE)) {
    if (octal !== undefined) add(Number.parseInt(octal, 8));
    else if (hexadecimal !== undefined) add(Number.parseInt(hexadecimal, 16));
    else if (name !== undefined) {
      const value = Number.parseInt(name.slice(1), 16);
      if (value <= 0x10_ffff) addText(String.fromCodePoint(value));
    }
    // A line that goes on after a backslash.
    else if (other === "\n") continue;
    else if (other !== undefined) {
      if (MEANINGS[other] === undefined) addText(other);
      else add(MEANINGS[other]);
    } else addText(whole);
  }
  return Buffer.concat(parts);
}
const ESCAPE = /\\([0-7]{1,3})|\\x([0-9a-fA-F]+)|\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|\\([\s\S])|[^\\]+/g;

function pairOf(value: number): readonly number[] {
  const text = String.fromCodePoint(value);
  return [text.charCodeAt(0), text.charCodeAt(1)];
}

function unitBytes(value: number, size: 2 | 4): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntLE(size === 2 ? value & 0xffff : value % 2 ** 32, 0, size);
  return bytes;
}
