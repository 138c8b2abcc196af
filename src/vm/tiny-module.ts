// For tests: assembles by hand the smallest module that looks to the VM like a translated program, so that the machine
// can be tested without the translator. The body of `start` is given as bytes.

import { EXPORTS, HOST_FUNCTIONS, type HostName, IMPORT_MODULE, MEMORY_IMPORT } from "../jit/boundary.js";
import type { ProgramImage, Signature, WasmValueType } from "../jit/image.js";
import { GLOBALS_BASE, STACK_TOP } from "../jit/memory-layout.js";

const TYPE_CODES = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c } as const satisfies Record<WasmValueType, number>;

export interface TinyFunction {
  readonly name: string;
  readonly signature: Signature;
  readonly body: readonly number[];
}

export const NO_VALUES: Signature = { params: [], results: [] };

/** Unsigned and signed LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (;;) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    if ((rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0)) {
      bytes.push(low);
      return bytes;
    }
    bytes.push(low | 0x80);
  }
}

export const i32const = (value: number): number[] => [0x41, ...signed(value | 0)];
/** i64.store at a constant address. */
export const store64 = (address: number, value: number): number[] => [
  ...i32const(address),
  0x42,
  ...signed(value),
  0x37,
  3,
  0,
];
/** Calls a host function with constants. */
export const callHost = (name: HostName, ...values: number[]): number[] => [
  ...values.flatMap(i32const),
  0x10,
  ...unsigned(Object.keys(HOST_FUNCTIONS).indexOf(name)),
];

const section = (id: number, content: readonly number[]): number[] => [id, ...unsigned(content.length), ...content];
const vector = (items: readonly (readonly number[])[]): number[] => [...unsigned(items.length), ...items.flat()];
const text = (value: string): number[] => [...unsigned(Buffer.byteLength(value)), ...Buffer.from(value)];
const functionType = (signature: Signature): number[] => [
  0x60,
  ...vector(signature.params.map((type) => [TYPE_CODES[type]])),
  ...vector(signature.results.map((type) => [TYPE_CODES[type]])),
];

/** A program of these functions; the first is `start`, and function i has table index i. */
export function tinyImage(functions: readonly TinyFunction[], more: Partial<ProgramImage> = {}): ProgramImage {
  const hosts = Object.values(HOST_FUNCTIONS);
  const imports = Object.keys(HOST_FUNCTIONS).map((name, index) => [
    ...text(IMPORT_MODULE),
    ...text(name),
    0,
    ...unsigned(index),
  ]);
  const hostTypes = hosts.map((host) =>
    functionType({ params: Array(host.params).fill("i32"), results: host.result ? ["i32"] : [] }),
  );
  const first = hosts.length;
  const bodies = functions.map(({ body }) => {
    const code = [0, ...body, 0x0b];
    return [...unsigned(code.length), ...code];
  });
  const mutable = (value: number): number[] => [0x7f, 1, ...i32const(value), 0x0b];
  const wasm = Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector([...hostTypes, ...functions.map(({ signature }) => functionType(signature))])),
    ...section(
      2,
      vector([...imports, [...text(IMPORT_MODULE), ...text(MEMORY_IMPORT), 2, 1, 1, ...unsigned(0x1_0000)]]),
    ),
    ...section(3, vector(functions.map((_, index) => unsigned(first + index)))),
    ...section(4, vector([[0x70, 0, ...unsigned(functions.length)]])),
    ...section(6, vector([mutable(0), mutable(STACK_TOP)])),
    ...section(
      7,
      vector([
        [...text(EXPORTS.start), 0, ...unsigned(first)],
        [...text(EXPORTS.table), 1, 0],
        [...text(EXPORTS.fuel), 3, 0],
        [...text(EXPORTS.stackPointer), 3, 1],
        [...text(EXPORTS.lowestStack), 3, 1],
      ]),
    ),
    ...section(9, vector([[0, ...i32const(0), 0x0b, ...vector(functions.map((_, index) => unsigned(first + index)))]])),
    ...section(10, vector(bodies)),
  ]);
  return {
    wasm,
    importCount: first,
    functions: functions.map(({ name }) => ({ name, origin: "program", file: null, line: 0 })),
    codeOffsets: new Uint32Array(0),
    codeLocations: new Uint32Array(0),
    locations: [],
    globals: [],
    frames: [],
    coverage: [],
    unsupported: [],
    sites: [],
    mismatchSites: [],
    tableSignatures: functions.map(({ signature }) => signature),
    tableFunctions: functions.map((_, index) => index),
    shapes: [],
    programGlobals: [],
    globalsEnd: GLOBALS_BASE + 0x1000,
    statistics: {
      irInstructions: 0,
      functionsTranslated: functions.length,
      functionsTooLarge: 0,
      checks: 0,
      checksRemoved: 0,
    },
    ...more,
  };
}
