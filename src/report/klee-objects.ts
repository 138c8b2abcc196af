// Our input objects as KLEE's POSIX model has them, and back. klee-replay runs KLEE's own start-up code over a .ktest, taking
// one object after the other, so order and sizes must be KLEE's:
//
//   for each --sym-args: n_args (if it can vary), then arg00, arg01, ... of those present, each one byte longer for its 0;
//   for each file: A_data and A_data_stat (a struct stat64); stdin and stdin_stat; model_version (1);
//   then what the program made symbolic itself, a name's second use as name_1, and ours that KLEE has no model of (env:NAME).
//
// The names are those of KLEE 3 (underscores; A-data before): its tools look at none of them but model_version, so we
// write the new ones and read both. A run without symbolic surroundings has only the program's own objects.

import { type InputValue, objectName } from "../inputs/input-value.js";
import {
  argumentName,
  countName,
  countOf,
  environmentName,
  fileObjectName,
  NO_INPUTS,
  STDIN_NAME,
  type SymbolicInputs,
  slotsOf,
} from "../inputs/symbolic-inputs.js";
import { hasSymbolicInputs, isVariableName, mergeInputs, parseKleeWords, printKleeWords } from "./klee-words.js";
import type { KTest, KTestObject } from "./ktest.js";

const MODEL_VERSION = "model_version";
/** struct stat64 of x86-64. */
const STAT_SIZE = 144;
const REGULAR_FILE = 0o100644;

/** The .ktest's arguments and objects for a run with these input objects (ours by name; the rest are the program's own). */
export function toKlee(
  program: Uint8Array,
  inputs: SymbolicInputs,
  objects: readonly InputValue[],
): { readonly args: readonly Uint8Array[]; readonly objects: readonly KTestObject[] } {
  const args = [program, ...printKleeWords(inputs)];
  const slots = slotsOf(inputs);
  const ours = new Set(slots.map(({ name }) => name));
  const bytesOf = (name: string, size: number): Uint8Array =>
    resized(objects.find((object) => object.name === name)?.bytes ?? new Uint8Array(0), size);
  const result: KTestObject[] = [];
  let serial = 0;
  const addArgument = (slot: number, length: number): void => {
    const bytes = resized(bytesOf(argumentName(slot), length), length + 1);
    result.push({ name: `arg${String(serial++).padStart(2, "0")}`, bytes });
  };
  let slot = 0;
  let count = 0;
  for (const word of inputs.words) {
    if (word.kind === "symbolic") addArgument(slot++, word.length);
    if (word.kind !== "several") continue;
    let present = word.least;
    if (word.least < word.most) {
      const name = countName(count++);
      present = countOf(bytesOf(name, 4), word);
      result.push({ name, bytes: Uint8Array.of(present & 0xff, present >> 8, 0, 0) });
    }
    for (let i = 0; i < present; i++) addArgument(slot + i, word.length);
    slot += word.most;
  }
  inputs.files.forEach(({ name, size }, index) => {
    result.push({ name: `${name}_data`, bytes: bytesOf(fileObjectName(name), size) });
    result.push({ name: `${name}_data_stat`, bytes: statOf(size, index + 1) });
  });
  if (inputs.stdin !== null) {
    result.push({ name: STDIN_NAME, bytes: bytesOf(STDIN_NAME, inputs.stdin) });
    result.push({ name: `${STDIN_NAME}_stat`, bytes: statOf(inputs.stdin, inputs.files.length + 1) });
  }
  if (hasSymbolicInputs(inputs)) result.push({ name: MODEL_VERSION, bytes: Uint8Array.of(1, 0, 0, 0) });
  for (const object of objects) {
    if (!ours.has(object.name)) result.push({ name: objectName(object), bytes: object.bytes });
  }
  for (const { name, length } of inputs.environment) {
    const object = environmentName(name);
    result.push({ name: object, bytes: bytesOf(object, length) });
  }
  return { args, objects: result };
}

export type FromKlee =
  | {
      readonly kind: "inputs";
      readonly program: Uint8Array;
      readonly inputs: SymbolicInputs;
      /** Under our names; the program's own in the order in which it will ask for them. */
      readonly objects: readonly InputValue[];
    }
  | { readonly kind: "wrong"; readonly problem: string };

/** What a .ktest of ours or of KLEE's means. */
export function fromKlee(ktest: KTest): FromKlee {
  const [program = Buffer.from("program"), ...words] = ktest.args;
  const parsed = parseKleeWords(words);
  if (parsed.kind === "wrong") return parsed;
  const rest = [...ktest.objects];
  const objects: InputValue[] = [];
  const take = (...names: readonly string[]): KTestObject | null => {
    const at = rest.findIndex(({ name }) => names.includes(name));
    return at < 0 ? null : rest.splice(at, 1)[0];
  };
  let serial = 0;
  const takeArgument = (slot: number, length: number): void => {
    const number = serial++;
    // KLEE wrote one digit before it wrote two.
    const found = take(`arg${String(number).padStart(2, "0")}`, `arg${number}`);
    if (found !== null)
      objects.push({ name: argumentName(slot), occurrence: 0, bytes: found.bytes.subarray(0, length) });
  };
  let slot = 0;
  let count = 0;
  for (const word of parsed.inputs.words) {
    if (word.kind === "symbolic") takeArgument(slot++, word.length);
    if (word.kind !== "several") continue;
    let present = word.least;
    if (word.least < word.most) {
      const found = take(countName(count), countName(0));
      const name = countName(count++);
      if (found !== null) {
        present = countOf(resized(found.bytes, 4), word);
        objects.push({ name, occurrence: 0, bytes: found.bytes });
      }
    }
    for (let i = 0; i < present; i++) takeArgument(slot + i, word.length);
    slot += word.most;
  }
  const files = filesIn(ktest.objects, parsed.inputs.files);
  for (const { name } of files) {
    const found = take(`${name}_data`, `${name}-data`);
    take(`${name}_data_stat`, `${name}-data-stat`);
    if (found !== null) objects.push({ name: fileObjectName(name), occurrence: 0, bytes: found.bytes });
  }
  if (parsed.inputs.stdin !== null) {
    const found = take(STDIN_NAME);
    take(`${STDIN_NAME}_stat`, `${STDIN_NAME}-stat`);
    if (found !== null) objects.push({ name: STDIN_NAME, occurrence: 0, bytes: found.bytes });
  }
  take("stdout");
  take("stdout_stat", "stdout-stat");
  take(MODEL_VERSION);
  const environment: SymbolicInputs["environment"][number][] = [];
  const seen = new Map<string, number>();
  for (const { name, bytes } of rest) {
    objects.push({ ...identityOf(name, seen), bytes });
    if (!name.startsWith("env:")) continue;
    if (!isVariableName(name.slice(4))) {
      return { kind: "wrong", problem: `${JSON.stringify(name.slice(4))} cannot be the name of a variable` };
    }
    environment.push({ name: name.slice(4), length: bytes.length });
  }
  const inputs = { ...parsed.inputs, files };
  return { kind: "inputs", program, inputs: mergeInputs(inputs, { ...NO_INPUTS, environment }), objects };
}

/** Of a folder's own files, since a .ktest may come from anybody. */
const FILE_NAME = /^(?!\.{1,2}$)[^/\0]+$/;

/** KLEE's files are A, B, ...; explorations of recorded tests have theirs under their own names, each of its own size. */
function filesIn(objects: readonly KTestObject[], said: SymbolicInputs["files"]): SymbolicInputs["files"] {
  if (said.length === 0) return said;
  const names = new Set(objects.map(({ name }) => name));
  const named = objects.flatMap(({ name, bytes }) => {
    const match = /^(.+)[_-]data$/s.exec(name);
    if (match === null || !names.has(`${name}${name.endsWith("_data") ? "_" : "-"}stat`)) return [];
    return FILE_NAME.test(match[1]) ? [{ name: match[1], size: bytes.length }] : [];
  });
  return named.length === said.length ? named : said;
}

/** x_2 is the third x if there were two before; otherwise it is a name like any other. */
function identityOf(name: string, seen: Map<string, number>): { readonly name: string; readonly occurrence: number } {
  const match = /^(.*)_(\d+)$/s.exec(name);
  if (match !== null && seen.get(match[1]) === Number(match[2])) {
    seen.set(match[1], Number(match[2]) + 1);
    return { name: match[1], occurrence: Number(match[2]) };
  }
  const occurrence = seen.get(name) ?? 0;
  seen.set(name, occurrence + 1);
  return { name, occurrence };
}

function resized(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length === size) return bytes;
  const result = new Uint8Array(size);
  result.set(bytes.subarray(0, size));
  return result;
}

/** What stat says of a plain file of that size; klee-replay makes the file by it. */
function statOf(size: number, inode: number): Uint8Array {
  const stat = Buffer.alloc(STAT_SIZE);
  stat.writeBigUInt64LE(BigInt(inode), 8);
  stat.writeBigUInt64LE(1n, 16);
  stat.writeUInt32LE(REGULAR_FILE, 24);
  stat.writeBigUInt64LE(BigInt(size), 48);
  stat.writeBigUInt64LE(4096n, 56);
  stat.writeBigUInt64LE(8n, 64);
  return stat;
}
