// One value of a type of C as the source would write it: 65, -1, 'a', GREEN, 1.5, "ab\xff". What has no such form is shown by its bytes.

import { type CType, type CTypes, resolvedType, sizeOfType, type TypeRef } from "../../ir/debug-types.js";

/** A number of a type: by an enumerator's name, as a character, with its sign. `bits`: how many of it there are. */
export function numberText(type: CType | null, value: bigint, bits: number): string {
  const signed = BigInt.asIntN(bits, value);
  const unsigned = BigInt.asUintN(bits, value);
  switch (type?.kind) {
    case "enum": {
      const own = type.signed ? signed : unsigned;
      return type.values.find((one) => one.value === own.toString())?.name ?? plainNumber(own);
    }
    case "integer": {
      const own = type.signed ? signed : unsigned;
      if (type.character === "no" || bits !== 8) return plainNumber(own);
      return characterText(Number(unsigned)) ?? own.toString();
    }
    case "float":
      return `bits 0x${unsigned.toString(16)}`;
    default:
      return plainNumber(unsigned);
  }
}

/** Powers of two and what is next to them are read more easily in hexadecimal, if they are large. */
function plainNumber(value: bigint): string {
  const size = value < 0n ? -value : value;
  if (size < 1_000_000n) return value.toString();
  return `${value < 0n ? "-" : ""}0x${size.toString(16)}`;
}

/** `'a'`, `'\n'`; null for what has no such form. */
function characterText(byte: number): string | null {
  const short = SHORT_ESCAPES.get(byte);
  if (short !== undefined) return `'${short}'`;
  if (byte === 0x27 || byte === 0x5c) return `'\\${String.fromCharCode(byte)}'`;
  return byte >= 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}'` : null;
}

const SHORT_ESCAPES = new Map([
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0d, "\\r"],
]);

/** A literal of C. A hexadecimal escape goes on as long as digits follow, so one ends before such a digit. */
export function stringText(bytes: Uint8Array): string {
  let text = "";
  let isOpen = false;
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    const short = SHORT_ESCAPES.get(byte);
    if (short !== undefined) text += short;
    else if (byte === 0x22 || byte === 0x5c) text += `\\${char}`;
    else if (byte >= 0x20 && byte < 0x7f) text += isOpen && /[0-9a-fA-F]/.test(char) ? `""${char}` : char;
    else {
      text += `\\x${byte.toString(16).padStart(2, "0")}`;
      isOpen = true;
      continue;
    }
    isOpen = false;
  }
  return `"${text}"`;
}

export function littleEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let n = bytes.length - 1; n >= 0; n--) value = (value << 8n) | BigInt(bytes[n]);
  return value;
}

/** A value of a type that has no parts with names. */
export function scalarText(types: CTypes, ref: TypeRef, bytes: Uint8Array): string {
  return scalarTextOf(resolvedType(types, ref), bytes);
}

export function scalarTextOf(type: CType, bytes: Uint8Array): string {
  if (type.kind === "float" && (bytes.length === 4 || bytes.length === 8)) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    return floatText(bytes.length === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true));
  }
  if (type.kind === "bool") return littleEndian(bytes) === 0n ? "0" : "1";
  if (type.kind === "integer" || type.kind === "enum") return numberText(type, littleEndian(bytes), 8 * bytes.length);
  if (bytes.every((byte) => byte === 0)) return "0";
  return `{${Array.from(bytes, (byte) => `0x${byte.toString(16)}`).join(", ")}}`;
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return "NAN";
  if (!Number.isFinite(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  return Object.is(value, -0) ? "-0.0" : Number.isInteger(value) && Math.abs(value) < 1e15 ? `${value}.0` : `${value}`;
}

const SHOWN_ELEMENTS = 16;

/** Elements of an array: `"text"` for characters, `{1, 2, 0 ...}` for numbers. Zeros at the end are not repeated. */
export function arrayText(types: CTypes, element: TypeRef, bytes: Uint8Array): string {
  const type = resolvedType(types, element);
  if (type.kind === "void" || (type.kind === "integer" && type.character !== "no")) {
    if (type.kind === "void") return bytes.every((byte) => byte === 0) ? "{0 ...}" : hexText(bytes);
    const end = bytes.indexOf(0);
    if (end >= 0) return stringText(bytes.subarray(0, end));
    return `${stringText(bytes)} (${bytes.length} bytes, no zero among them)`;
  }
  const size = Math.max(1, sizeOfType(types, element));
  const count = Math.floor(bytes.length / size);
  let used = bytes.length;
  while (used > 0 && bytes[used - 1] === 0) used--;
  const filled = Math.ceil(used / size);
  const shown = Math.min(filled, SHOWN_ELEMENTS);
  const list: string[] = [];
  for (let n = 0; n < shown; n++) list.push(scalarText(types, element, bytes.subarray(n * size, (n + 1) * size)));
  if (filled > shown) list.push(`... ${filled - shown} more`);
  else if (filled < count) list.push("0 ...");
  return `{${list.join(", ")}}`;
}

function hexText(bytes: Uint8Array): string {
  return `{${Array.from(bytes, (byte) => (byte === 0 ? "0" : `0x${byte.toString(16)}`)).join(", ")}}`;
}
