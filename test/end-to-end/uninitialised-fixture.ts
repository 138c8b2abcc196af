// The programs of test/programs/uninitialised, each in two: as it stands, with one error, and with -DFIXED, without any. The
// lines that use what was never set end in `// use`.

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type DefinedRun, runDefined } from "../../src/definedness/run-defined.js";
import { DEFINEDNESS_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { loadProgram } from "../../src/program/load.js";
import { readHeap } from "../../src/vm/heap.js";
import { DEFAULT_OPTIONS } from "../../src/vm/run-options.js";

export const FOLDER = join(resolve(import.meta.dirname, "../../.."), "test/programs/uninitialised");

export function programNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(".c"))
    .map((file) => file.slice(0, -2))
    .sort();
}

/** Numbers of the lines that may be reported. */
export function markedLines(name: string): number[] {
  const lines = readFileSync(join(FOLDER, `${name}.c`), "utf8").split("\n");
  return lines.flatMap((line, n) => (line.endsWith("// use") ? [n + 1] : []));
}

/** One run in this process. */
export async function runUninitialised(file: string, flags: readonly string[]): Promise<DefinedRun> {
  const options = { env: process.env, clang: null, flags, compile: DEFINEDNESS_COMPILE_OPTIONS };
  const loaded = await loadProgram([file], options);
  if (loaded.kind === "failed") throw new Error(loaded.message);
  return runDefined(loaded.image, DEFAULT_OPTIONS, { repeat: "always", leaks: false, heap: readHeap });
}

/** Where a run's findings are, in the program's own lines; 0 for one that has none. */
export function reportedLines({ uninitialised = [] }: Partial<DefinedRun>): number[] {
  return uninitialised.map(({ stack, userFrame }) => stack[userFrame]?.line ?? 0);
}
