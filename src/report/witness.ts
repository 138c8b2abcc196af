// The input that shows a finding, for people: the command to type, and the bytes of everything else. Text is shown as
// text; bytes that are none as a dump, the beginning of it where it is long (the files beside the report have it all).

import { type InputValue, objectName } from "../inputs/input-value.js";
import { ownObjects, type ShownTest, surroundingsOf } from "../inputs/test-input.js";
import { visibleLines } from "../support/visible-text.js";
import { escaped, isPrintable, quoted, shownWord } from "./shell-words.js";

/** Longer ones are cut. */
const SHOWN_BYTES = 256;
const ROW = 16;
/** Of the program's own objects. */
const SHOWN_OBJECTS = 100;

/** Lines of text, each ended by a newline. */
export function renderWitness(test: ShownTest): string {
  const around = surroundingsOf(test);
  const command = [
    ...around.environment.map(({ name, value }) => `${name}=${shownWord(value)}`),
    quoted(test.program),
    ...around.words.map(({ bytes }) => shownWord(bytes)),
    ...(around.stdin === null ? [] : ["<stdin"]),
  ].join(" ");
  const lines = [`input: ${command}`];
  if (around.stdin !== null) lines.push(...renderObject("stdin", around.stdin));
  for (const { name, bytes } of around.files) lines.push(...renderObject(`file ${name}`, bytes));
  lines.push(...renderOwn(ownObjects(test)));
  return visibleLines(lines);
}

/** Where there are very many, as many as can be read of those that are not all zeros, which are what the input is about. */
function renderOwn(objects: readonly InputValue[]): string[] {
  const telling = objects.length <= SHOWN_OBJECTS ? objects : objects.filter(({ bytes }) => bytes.some((byte) => byte));
  const shown = telling.slice(0, SHOWN_OBJECTS);
  const lines = shown.flatMap((object) => renderObject(objectName(object), object.bytes, true));
  const zeros = objects.length - telling.length;
  if (telling.length > shown.length) lines.push(`  ... ${telling.length - shown.length} more objects`);
  if (zeros > 0) lines.push(`  and ${zeros} objects of zeros`);
  return lines;
}

/** An object of the program's own may be a number; bytes from a file never are. */
function renderObject(name: string, bytes: Uint8Array, isOwn = false): string[] {
  const count = bytes.length === 1 ? "1 byte" : `${bytes.length} bytes`;
  const title = `  ${name} (${count}):`;
  if (bytes.length === 0) return [title];
  const number = isOwn ? numberOf(bytes) : null;
  if (number !== null) {
    const text = isPrintable(bytes) ? `  "${escapedText(bytes)}"` : "";
    return [`${title} ${hexBytes(bytes)}  = ${number}${text}`];
  }
  if (looksLikeText(bytes)) return [`${title} "${escapedText(bytes.subarray(0, SHOWN_BYTES))}"${rest(bytes)}`];
  if (bytes.length <= 8) return [`${title} ${hexBytes(bytes)}`];
  return [
    title,
    ...dump(bytes.subarray(0, SHOWN_BYTES)),
    ...(bytes.length > SHOWN_BYTES ? [`    ${rest(bytes)}`] : []),
  ];
}

function rest(bytes: Uint8Array): string {
  return bytes.length > SHOWN_BYTES ? ` ... ${bytes.length - SHOWN_BYTES} more` : "";
}

/** Mostly printable, besides the ends of lines and strings. */
function looksLikeText(bytes: Uint8Array): boolean {
  let plain = 0;
  let other = 0;
  for (const byte of bytes) {
    if ((byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x09) plain++;
    else if (byte !== 0) other++;
  }
  return plain > 0 && other * 4 <= plain;
}

function escapedText(bytes: Uint8Array): string {
  return escaped(bytes).replaceAll("\\'", "'").replaceAll('"', '\\"').replaceAll("\\x00", "\\0");
}

function hexBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}

/** What a C integer of that size would be, signed, little-endian. */
function numberOf(bytes: Uint8Array): string | null {
  if (![1, 2, 4, 8].includes(bytes.length)) return null;
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]);
  return BigInt.asIntN(bytes.length * 8, value).toString();
}

function dump(bytes: Uint8Array): string[] {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += ROW) {
    const row = bytes.subarray(at, at + ROW);
    const text = Array.from(row, (byte) => (isPrintable(Uint8Array.of(byte)) ? String.fromCharCode(byte) : ".")).join(
      "",
    );
    lines.push(`    ${at.toString(16).padStart(4, "0")}  ${hexBytes(row).padEnd(ROW * 3 - 1)}  ${text}`);
  }
  return lines;
}
