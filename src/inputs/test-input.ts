// A test: a program with everything it is started with, and which of those bytes are input. Plain data that crosses threads and
// files; exploration, amplification, replay, explanation and every report mean this one type by "test". A *witness* is the same test with
// other values: only the bytes of its input objects differ, so it is passed as a list of values beside the test.

import { resolve } from "node:path";
import { isLiteralName } from "../support/literal-names.js";
import { DEFAULT_OPTIONS, type RunOptions } from "../vm/run-options.js";
import type { InputValue } from "./input-value.js";
import { type Surroundings, type SymbolicInputs, slotsOf, surroundings } from "./symbolic-inputs.js";

/** What exists besides the input: files that are no input, what lies where, and other things of a recorded test. */
export type GivenSurroundings = Partial<
  Pick<
    RunOptions,
    | "files"
    | "missing"
    | "directories"
    | "tree"
    | "roots"
    | "umask"
    | "stdinKind"
    | "outputs"
    | "startTimeMs"
    | "executable"
  >
>;

export interface TestInput {
  /** argv[0]. */
  readonly program: string;
  readonly workingDirectory: string;
  /** NAME=value each. */
  readonly environment: readonly string[];
  /** Which of its bytes are input. */
  readonly inputs: SymbolicInputs;
  /** The bytes of each input object. Objects that `inputs` does not know are the program's own (klee_make_symbolic). */
  readonly values: readonly InputValue[];
  readonly given: GivenSurroundings;
}

/** As much of a test as can be shown, or written down as a script: its words and bytes, wherever it runs. */
export type ShownTest = Pick<TestInput, "program" | "inputs" | "values">;

/** What the program is started with. An object without a value is all zeros, one that is too short is filled up with them. */
export function surroundingsOf({ inputs, values }: Pick<TestInput, "inputs" | "values">): Surroundings {
  const bytesOf = new Map<string, Uint8Array>();
  // The first of a name: further ones are objects that the program makes itself.
  for (const { name, bytes } of values) if (!bytesOf.has(name)) bytesOf.set(name, bytes);
  return surroundings(inputs, (name, size) => {
    const bytes = bytesOf.get(name);
    if (bytes?.length === size) return bytes;
    const filled = new Uint8Array(size);
    if (bytes !== undefined) filled.set(bytes.subarray(0, size));
    return filled;
  });
}

/** The objects that the program made symbolic itself, in order. */
export function ownObjects({ inputs, values }: Pick<TestInput, "inputs" | "values">): readonly InputValue[] {
  const ours = new Set(slotsOf(inputs).map(({ name }) => name));
  return values.filter(({ name }) => !ours.has(name) && !isLiteralName(name));
}

/** The test with a witness's bytes; objects of which the witness says nothing keep theirs. */
export function withValues<T extends Pick<TestInput, "values">>(test: T, witness: readonly InputValue[]): T {
  // In place, because objects of one name are told apart by their order.
  const said = new Map(witness.map((value) => [keyOf(value), value]));
  const values = test.values.map((value) => {
    const other = said.get(keyOf(value));
    said.delete(keyOf(value));
    return other ?? value;
  });
  return { ...test, values: [...values, ...said.values()] };
}

/** The test where only these directories of the real disk are seen; all of it, if nothing is said. */
export function seenFrom(test: TestInput, roots: readonly string[] | undefined): TestInput {
  return roots === undefined ? test : { ...test, given: { ...test.given, roots } };
}

/** A run of the test with a witness's bytes, nothing of it symbolic. Limits, seed and output are the caller's to choose. */
export function runOptionsOf(test: TestInput, witness: readonly InputValue[] = []): RunOptions {
  const whole = withValues(test, witness);
  const around = surroundingsOf(whole);
  const { workingDirectory, environment, program, given } = test;
  const replaced = new Set(around.environment.map(({ name }) => name));
  const literals = whole.values.filter(({ name }) => isLiteralName(name));
  const kept = environment.filter((variable) => !replaced.has(variable.slice(0, variable.indexOf("="))));
  return {
    ...DEFAULT_OPTIONS,
    ...given,
    arguments: [program, ...around.words.map(({ bytes }) => bytes)],
    environment: [
      ...kept,
      ...around.environment.map(({ name, value }) => Buffer.concat([Buffer.from(`${name}=`), value])),
    ],
    executable: given.executable ?? program,
    workingDirectory,
    stdin: around.stdin ?? new Uint8Array(0),
    files: [
      ...(given.files ?? []),
      ...around.files.map(({ name, bytes }) => ({ path: resolve(workingDirectory, name), bytes })),
    ],
    objects: ownObjects(whole),
    ...(literals.length === 0 ? {} : { literals }),
  };
}

function keyOf({ name, occurrence }: InputValue): string {
  return `${occurrence} ${name}`;
}
