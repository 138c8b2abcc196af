// Recorded tests as seeds of an exploration (`tangent explore --seed tests`). An exploration has one description of its input, so all
// tests of a program are put into one that holds each of them: as many arguments as the longest has, each as long as the longest, the
// most bytes of standard input, and the files that they read in their working directory, by name. Departure that the user is told of:
// standard input and files have one size in all runs, so that shorter ones end in zeros.

import { posix } from "node:path";
import type { InputValue } from "../inputs/input-value.js";
import type { Invocation } from "../inputs/invocation.js";
import { argumentName, countName, fileObjectName, STDIN_NAME, type SymbolicInputs } from "../inputs/symbolic-inputs.js";
import type { GivenSeed } from "./seeds.js";

export interface NamedInvocation {
  readonly id: string;
  readonly invocation: Invocation;
}

/** A test that has more of something is left out: all others would be as large. */
const TEST_SEED_LIMITS = {
  arguments: 16,
  argumentBytes: 256,
  stdinBytes: 1 << 16,
  files: 8,
  fileBytes: 1 << 16,
};

export function testsAsSeeds(tests: readonly NamedInvocation[]): {
  readonly seeds: GivenSeed[];
  readonly left: number;
} {
  const fitting = tests.filter(({ invocation }) => fits(invocation));
  const inputs = inputsOf(fitting.map(({ invocation }) => invocation));
  const seeds = fitting.map(({ id, invocation }) => ({
    path: `test ${id}`,
    content: { kind: "ktest" as const, program: invocation.program, inputs, objects: objectsOf(invocation, inputs) },
  }));
  return { seeds, left: tests.length - fitting.length };
}

function fits(invocation: Invocation): boolean {
  const { arguments: words, stdin } = invocation;
  const files = filesOf(invocation);
  return (
    words.length <= TEST_SEED_LIMITS.arguments &&
    words.every(({ length }) => length <= TEST_SEED_LIMITS.argumentBytes) &&
    (stdin.kind !== "bytes" || stdin.bytes.length <= TEST_SEED_LIMITS.stdinBytes) &&
    files.length <= TEST_SEED_LIMITS.files &&
    files.every(({ bytes }) => bytes.length <= TEST_SEED_LIMITS.fileBytes)
  );
}

/** What it read in its working directory: the others are as the disk has them. */
function filesOf({ tree, workingDirectory }: Invocation): { readonly name: string; readonly bytes: Uint8Array }[] {
  return tree.flatMap((entry) => {
    if (entry.kind !== "file" || posix.dirname(entry.path) !== workingDirectory) return [];
    return [{ name: posix.basename(entry.path), bytes: entry.bytes }];
  });
}

function inputsOf(tests: readonly Invocation[]): SymbolicInputs {
  const most = Math.max(0, ...tests.map(({ arguments: words }) => words.length));
  const least = Math.min(most, ...tests.map(({ arguments: words }) => words.length));
  const length = Math.max(0, ...tests.flatMap(({ arguments: words }) => words.map((word) => word.length)));
  const stdin = Math.max(0, ...tests.map(({ stdin: given }) => (given.kind === "bytes" ? given.bytes.length : 0)));
  const sizes = new Map<string, number>();
  for (const { name, bytes } of tests.flatMap(filesOf)) {
    if (sizes.size < TEST_SEED_LIMITS.files || sizes.has(name)) {
      sizes.set(name, Math.max(sizes.get(name) ?? 0, bytes.length));
    }
  }
  return {
    words: most === 0 ? [] : [{ kind: "several", least, most, length }],
    stdin: stdin === 0 ? null : stdin,
    files: [...sizes].map(([name, size]) => ({ name, size })),
    environment: [],
  };
}

function objectsOf(invocation: Invocation, inputs: SymbolicInputs): InputValue[] {
  const { arguments: words, stdin } = invocation;
  const objects: InputValue[] = [];
  const add = (name: string, bytes: Uint8Array): void => {
    objects.push({ name, occurrence: 0, bytes });
  };
  const [several] = inputs.words;
  if (several?.kind === "several") {
    if (several.least < several.most) add(countName(0), Uint8Array.of(words.length, 0, 0, 0));
    for (let n = 0; n < several.most; n++) add(argumentName(n), padded(words[n] ?? new Uint8Array(0), several.length));
  }
  for (const { name, size } of inputs.files) {
    const own = filesOf(invocation).find((file) => file.name === name);
    add(fileObjectName(name), padded(own?.bytes ?? new Uint8Array(0), size));
  }
  if (inputs.stdin !== null) {
    add(STDIN_NAME, padded(stdin.kind === "bytes" ? stdin.bytes : new Uint8Array(0), inputs.stdin));
  }
  return objects;
}

function padded(bytes: Uint8Array, size: number): Uint8Array {
  const result = new Uint8Array(size);
  result.set(bytes.subarray(0, size));
  return result;
}
