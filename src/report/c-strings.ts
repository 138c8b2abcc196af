// Strings as C writes them: bytes to a literal, and the literals of a source with the bytes they stand for.

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

/** Adjacent strings are one, as for the compiler. */
export interface SourceString {
  /** In the source's text: from the first quote to behind the last. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly bytes: Uint8Array;
  /** It initialises an array: `char x[] = "…"`. */
  readonly isArray: boolean;
}

/** Comments and quotes that nothing ends reach to the end: whatever a source holds, each of its characters is looked at once. */
const TOKEN =
  /\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\/\/[^\n]*|'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?|\s+|[^\s"'/]+|[\s\S]/g;
const STRING = /^"(?:[^"\\\n]|\\[\s\S])*"$/;
const PREFIX = /(?:^|\W)(?:L|u8?|U)?R?$/;

/** So much of what stands before a string says what it is. */
const CONTEXT = 40;

/** Plain ones only: L"…", u8R"(…)" and their like are left out. */
export function stringsIn(source: string): readonly SourceString[] {
  const found: SourceString[] = [];
  let line = 1;
  let open: { readonly start: number; end: number; readonly line: number; readonly bytes: Buffer[] } | null = null;
  let isArray = false;
  const close = (): void => {
    if (open !== null) found.push({ ...open, bytes: Buffer.concat(open.bytes), isArray });
    open = null;
  };
  let before = "";
  let wasGap = true;
  for (const { 0: text, index } of source.matchAll(TOKEN)) {
    const isGap = /^\s/.test(text) || text.startsWith("/*") || text.startsWith("//");
    const isString = STRING.test(text);
    const isPlain = wasGap || before === "" || /[^\w]$/.test(before) || !PREFIX.test(before);
    if (isString && isPlain) {
      if (open === null) {
        isArray = /\]\s*=\s*\{?\s*$/.test(before);
        open = { start: index, end: index + text.length, line, bytes: [] };
      }
      open.bytes.push(bytesOf(text.slice(1, -1)));
      open.end = index + text.length;
    } else if (!isGap) close();
    if (!isGap) before = `${before}${text}`.slice(-CONTEXT);
    wasGap = isGap;
    line += text.split("\n").length - 1;
  }
  close();
  return found;
}

function bytesOf(text: string): Buffer {
  const parts: Buffer[] = [];
  for (const [whole, octal, hex, other] of text.matchAll(/\\([0-7]{1,3})|\\x([0-9a-fA-F]+)|\\([\s\S])|[^\\]+/g)) {
    if (octal !== undefined) parts.push(Buffer.from([Number.parseInt(octal, 8) & 0xff]));
    else if (hex !== undefined) parts.push(Buffer.from([Number.parseInt(hex, 16) & 0xff]));
    // A line that goes on after a backslash.
    else if (other === "\n") continue;
    else if (other !== undefined)
      parts.push(MEANINGS[other] === undefined ? Buffer.from(other) : Buffer.from([MEANINGS[other]]));
    else parts.push(Buffer.from(whole));
  }
  return Buffer.concat(parts);
}
