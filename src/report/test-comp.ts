// Test-Comp's exchange format for test suites: metadata.xml says of which program, testcase-N.xml has the values that the
// calls of __VERIFIER_nondet_* return, in order. A value's type is in its object's name (nondet_int, see
// runtime/symbolic/verifier.c). Other input has no place in the format; it is written all the same, each object as one input with
// its bytes in hexadecimal, so that a suite of an ordinary program loses nothing.

import { type InputValue, objectName } from "../inputs/input-value.js";

export interface SuiteInfo {
  readonly producer: string;
  readonly programFile: string;
  /** SHA-256 of the program's file, hexadecimal. */
  readonly programHash: string;
  readonly createdAt: Date;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>';
const doctype = (root: string): string =>
  `<!DOCTYPE ${root} PUBLIC "+//IDN sosy-lab.org//DTD test-format ${root} 1.1//EN" "https://sosy-lab.org/test-format/${root}-1.1.dtd">`;
/** Coverage of branches: the one goal every exploration has. */
const SPECIFICATION = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";

export function renderSuiteMetadata(info: SuiteInfo): string {
  const fields: readonly (readonly [string, string])[] = [
    ["sourcecodelang", "C"],
    ["producer", info.producer],
    ["specification", SPECIFICATION],
    ["programfile", info.programFile],
    ["programhash", info.programHash],
    ["entryfunction", "main"],
    ["architecture", "64bit"],
    ["creationtime", info.createdAt.toISOString().replace(/\.\d+Z$/, "Z")],
  ];
  const lines = fields.map(([name, text]) => `  <${name}>${xml(text)}</${name}>`);
  return [DECLARATION, doctype("test-metadata"), "<test-metadata>", ...lines, "</test-metadata>", ""].join("\n");
}

/** `coversError`: the test calls reach_error, which is what the other half of the competition looks for. */
export function renderTestCase(objects: readonly InputValue[], coversError: boolean): string {
  const attribute = coversError ? ' coversError="true"' : "";
  const inputs = objects.map((object) => `  ${renderInput(object)}`);
  return [DECLARATION, doctype("testcase"), `<testcase${attribute}>`, ...inputs, "</testcase>", ""].join("\n");
}

interface ValueType {
  readonly type: string;
  readonly signed: boolean;
  readonly float?: true;
}

const TYPES: { readonly [name: string]: ValueType } = {
  bool: { type: "bool", signed: false },
  char: { type: "char", signed: true },
  schar: { type: "signed char", signed: true },
  uchar: { type: "unsigned char", signed: false },
  unsigned_char: { type: "unsigned char", signed: false },
  short: { type: "short", signed: true },
  ushort: { type: "unsigned short", signed: false },
  int: { type: "int", signed: true },
  uint: { type: "unsigned int", signed: false },
  unsigned: { type: "unsigned int", signed: false },
  unsigned_int: { type: "unsigned int", signed: false },
  long: { type: "long", signed: true },
  ulong: { type: "unsigned long", signed: false },
  longlong: { type: "long long", signed: true },
  ulonglong: { type: "unsigned long long", signed: false },
  int128: { type: "__int128", signed: true },
  uint128: { type: "unsigned __int128", signed: false },
  loff_t: { type: "long long", signed: true },
  float: { type: "float", signed: true, float: true },
  double: { type: "double", signed: true, float: true },
};

function renderInput(object: InputValue): string {
  const variable = xml(objectName(object));
  const nondet = /^nondet_(\w+)$/.exec(object.name)?.[1];
  if (nondet === undefined || nondet === "memory") {
    return `<input variable="${variable}" type="char[${object.bytes.length}]">0x${Buffer.from(object.bytes).toString("hex")}</input>`;
  }
  // S8, S16, ... are signed; u8, U8, size_t, pointers and whatever else there is are not.
  const known = TYPES[nondet] ?? { type: nondet, signed: /^S\d/.test(nondet) };
  return `<input variable="${variable}" type="${xml(known.type)}">${numberText(object.bytes, known)}</input>`;
}

function numberText(bytes: Uint8Array, { signed, float }: ValueType): string {
  if (float) return floatOf(bytes);
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]);
  return (signed ? BigInt.asIntN(bytes.length * 8, value) : value).toString();
}

/** In words that strtod reads. */
function floatOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes);
  const value = bytes.length === 4 ? buffer.readFloatLE() : buffer.readDoubleLE();
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  return Object.is(value, -0) ? "-0.0" : String(value);
}

const ENTITIES: { readonly [char: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** XML 1.0 has no way at all to write most control characters; they become question marks. */
function xml(text: string): string {
  // Nearly every name; there may be a hundred thousand of them.
  if (/^[\w .:-]*$/.test(text)) return text;
  const writable = Array.from(text, (char) => (char < " " && !"\t\n\r".includes(char) ? "?" : char)).join("");
  return writable.replace(/[&<>"]/g, (char) => ENTITIES[char]);
}
