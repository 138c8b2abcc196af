// What of a program's surroundings is input: the words of its command line, standard input, files, environment. One
// description serves the exploration (these bytes are symbolic), the reports (these bytes are the test) and a replay
// (these bytes are given): `surroundings` turns it and the bytes of each object into what the program is started with.
//
// An object's name and size depend on the description alone, never on a run, so that the same byte is the same
// variable in every run. That is why --sym-args numbers all the arguments it may ever make, present or not: KLEE numbers
// those that are present, which renames later ones when an earlier one vanishes. Departure from KLEE's model of files: only
// contents are symbolic, not what stat says.

export type ArgumentWord =
  | { readonly kind: "fixed"; readonly bytes: Uint8Array }
  /** --sym-arg N: one argument of at most N bytes. */
  | { readonly kind: "symbolic"; readonly length: number }
  /** --sym-args MIN MAX N: so many arguments of at most N bytes. */
  | { readonly kind: "several"; readonly least: number; readonly most: number; readonly length: number };

export interface SymbolicInputs {
  /** After the program's name. */
  readonly words: readonly ArgumentWord[];
  /** Bytes of standard input before its end; null: not input, and empty. */
  readonly stdin: number | null;
  /** Files, by the name that the program opens; each has that many bytes. */
  readonly files: readonly { readonly name: string; readonly size: number }[];
  /** Environment variables with a value of at most that many bytes. */
  readonly environment: readonly { readonly name: string; readonly length: number }[];
  /** Literals of the program's own source, by their names (support/literal-names.ts); absent if none are input. */
  readonly literals?: readonly { readonly name: string; readonly size: number }[];
  /** Only literals vary: everything else has the bytes that it has, and keeps them. */
  readonly onlyLiterals?: boolean;
}

export const NO_INPUTS: SymbolicInputs = { words: [], stdin: null, files: [], environment: [] };

/** An object as the description knows it, before any run. */
export interface InputSlot {
  readonly name: string;
  readonly size: number;
  readonly kind: "argument" | "count" | "stdin" | "file" | "environment" | "literal";
  /** count: what values it may have (32 bits, little-endian). */
  readonly least: number;
  readonly most: number;
}

/** KLEE's files have these names, in this order; nobody has asked for a 27th yet. */
export const MAX_SYMBOLIC_FILES = 26;
export function symbolicFileName(index: number): string {
  return String.fromCharCode(0x41 + index);
}

export const STDIN_NAME = "stdin";
export const argumentName = (number: number): string => `arg${number}`;
/** Of the n-th --sym-args; KLEE calls them all n_args. */
export const countName = (number: number): string => (number === 0 ? "n_args" : `n_args_${number}`);
export const fileObjectName = (name: string): string => `file:${name}`;
export const environmentName = (name: string): string => `env:${name}`;

/** Bytes of a count. */
const COUNT_SIZE = 4;

/** All objects that the description makes, in the order in which KLEE makes them. */
export function slotsOf(inputs: SymbolicInputs): readonly InputSlot[] {
  const slots: InputSlot[] = [];
  const add = (kind: InputSlot["kind"], name: string, size: number, least = 0, most = 0): void => {
    slots.push({ kind, name, size, least, most });
  };
  let argument = 0;
  let count = 0;
  for (const word of inputs.words) {
    if (word.kind === "fixed") continue;
    // The byte after the last is the string's end: it is there for a program that reads it, and never anything but 0.
    if (word.kind === "symbolic") add("argument", argumentName(argument++), word.length);
    else {
      if (word.least < word.most) add("count", countName(count++), COUNT_SIZE, word.least, word.most);
      for (let i = 0; i < word.most; i++) add("argument", argumentName(argument++), word.length);
    }
  }
  for (const { name, size } of inputs.files) add("file", fileObjectName(name), size);
  if (inputs.stdin !== null) add("stdin", STDIN_NAME, inputs.stdin);
  for (const { name, length } of inputs.environment) add("environment", environmentName(name), length);
  for (const { name, size } of inputs.literals ?? []) add("literal", name, size);
  return slots;
}

/** What all objects together may have; more is nobody's test, and a description that was sent may ask for any amount. */
export const MOST_INPUT_BYTES = 0x400_0000;
/** An object costs something even if it is empty. */
const OBJECT_COST = 64;

/** About what the objects of a description take, found without making them. */
export function costOf(inputs: SymbolicInputs): number {
  const words = inputs.words.reduce((sum, word) => {
    if (word.kind === "fixed") return sum + word.bytes.length;
    return sum + (word.length + OBJECT_COST) * (word.kind === "several" ? word.most : 1);
  }, 0);
  const files = inputs.files.reduce((sum, { size }) => sum + size + OBJECT_COST, 0);
  const variables = inputs.environment.reduce((sum, { length }) => sum + length + OBJECT_COST, 0);
  const literals = (inputs.literals ?? []).reduce((sum, { size }) => sum + size + OBJECT_COST, 0);
  return words + files + variables + literals + (inputs.stdin ?? 0);
}

/** What a program is started with, all of it concrete. */
export interface Surroundings {
  /** After the program's name; without their final 0. */
  readonly words: readonly { readonly bytes: Uint8Array; readonly name: string | null }[];
  readonly stdin: Uint8Array | null;
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** To be added to the environment, or to replace what is there. */
  readonly environment: readonly { readonly name: string; readonly value: Uint8Array }[];
}

/** Gives the bytes of an object; bytes that are missing are 0. */
export type ReadObject = (name: string, size: number) => Uint8Array;

export function surroundings(inputs: SymbolicInputs, read: ReadObject): Surroundings {
  const words: Surroundings["words"][number][] = [];
  let argument = 0;
  let count = 0;
  const addArgument = (length: number): void => {
    const name = argumentName(argument++);
    words.push({ bytes: upToZero(read(name, length)), name });
  };
  for (const word of inputs.words) {
    if (word.kind === "fixed") words.push({ bytes: word.bytes, name: null });
    else if (word.kind === "symbolic") addArgument(word.length);
    else {
      const after = argument + word.most;
      const present = word.least < word.most ? countOf(read(countName(count++), COUNT_SIZE), word) : word.least;
      for (let i = 0; i < present; i++) addArgument(word.length);
      argument = after;
    }
  }
  return {
    words,
    stdin: inputs.stdin === null ? null : read(STDIN_NAME, inputs.stdin),
    files: inputs.files.map(({ name, size }) => ({ name, bytes: read(fileObjectName(name), size) })),
    environment: inputs.environment.map(({ name, length }) => ({
      name,
      value: upToZero(read(environmentName(name), length)),
    })),
  };
}

/** The count in its object; what is outside of its range counts as the nearest in it. */
export function countOf(bytes: Uint8Array, range: { readonly least: number; readonly most: number }): number {
  const value = bytes[0] | (bytes[1] << 8) | (bytes[2] << 16) | (bytes[3] << 24);
  return Math.min(range.most, Math.max(range.least, value));
}

function upToZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}
