// A test run for itself, with nothing symbolic: the program gets the test's bytes as arguments, standard input, files and
// objects, and all detectors watch. A finding of an exploration is run so before it is shown, which confirms it without
// the symbolic half of the machine and brings the stacks of its memory block; `tangent replay` does the same.

import { resolve } from "node:path";
import { type CheckedRun, runChecked } from "../findings/check.js";
import type { ProgramImage } from "../jit/image.js";
import { ownObjects, surroundingsOf, type TestInput } from "../report/witness.js";
import { readHeap } from "../vm/heap.js";
import { DEFAULT_OPTIONS, type RunLimits, type RunOptions } from "../vm/run-options.js";

export interface ConcreteRunOptions {
  readonly workingDirectory: string;
  readonly environment: readonly string[];
  readonly roots?: readonly string[];
  readonly seed: number;
  readonly limits: RunLimits;
  /** "inherit" shows what the program prints. */
  readonly output: "inherit" | "capture";
}

export function runConcretely(
  image: ProgramImage,
  test: TestInput,
  options: ConcreteRunOptions,
  module?: WebAssembly.Module,
): CheckedRun {
  return runChecked(image, optionsOf(test, options), { repeat: "always", leaks: false, heap: readHeap }, module);
}

export function optionsOf(test: TestInput, options: ConcreteRunOptions): RunOptions {
  const around = surroundingsOf(test);
  const { workingDirectory } = options;
  const replaced = new Set(around.environment.map(({ name }) => name));
  const rest = options.environment.filter((variable) => !replaced.has(variable.slice(0, variable.indexOf("="))));
  const own = around.environment.map(({ name, value }) => Buffer.concat([Buffer.from(`${name}=`), value]));
  return {
    ...DEFAULT_OPTIONS,
    arguments: [test.program, ...around.words.map(({ bytes }) => bytes)],
    environment: [...rest, ...own],
    executable: test.program,
    workingDirectory,
    ...(options.roots === undefined ? {} : { roots: options.roots }),
    stdin: around.stdin ?? new Uint8Array(0),
    files: around.files.map(({ name, bytes }) => ({ path: resolve(workingDirectory, name), bytes })),
    objects: ownObjects(test),
    stdout: options.output,
    stderr: options.output,
    seed: options.seed,
    limits: options.limits,
  };
}
