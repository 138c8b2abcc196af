// `tangent unit --export c`: the C file is compiled with the sources that were named, by the system's compiler with its sanitizers, and
// run before it is offered. Of an executable there are no sources to compile: then it is said that the file was not tried.

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { runScript } from "../jobs/run-script.js";
import { reportInWords, sanitizerReports } from "../jobs/sanitizer-report.js";
import { runChild } from "../support/child-process.js";
import { visible } from "../support/visible-text.js";
import { sanitizingCompiler } from "./asan-build.js";

/** Words for people. */
export interface TriedUnit {
  readonly kind: "fails" | "survives" | "not-tried";
  readonly words: string;
}

const LONGEST_COMPILE_MS = 120_000;
const SANITIZERS = "ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=0";

/** `text`: the C file. `inputs`, `flags`: what the unit was explored of. */
export function tryUnit(
  text: string,
  inputs: readonly string[],
  flags: readonly string[],
  env: NodeJS.ProcessEnv,
): TriedUnit {
  const not = (words: string): TriedUnit => ({ kind: "not-tried", words: visible(words) });
  if (!inputs.every((input) => input.endsWith(".c"))) return not("it needs the program's objects");
  const compiler = sanitizingCompiler(env);
  if (compiler.kind === "none") return not(compiler.why === "" ? "there is no C compiler here" : compiler.why);
  const folder = mkdtempSync(join(tmpdir(), "tangent-unit-"));
  try {
    const made = join(folder, "made.c");
    writeFileSync(made, text);
    const words = compiler.words.split(" ");
    const compile = (...rest: readonly string[]) => {
      const options = { env, encoding: "utf8", timeout: LONGEST_COMPILE_MS } as const;
      return runChild(words[0], [...words.slice(1), "-g", "-w", ...flags, ...rest], options);
    };
    const included = new Set(Array.from(text.matchAll(/^#include "(.*)"$/gm), ([, path]) => placeOf(path)));
    const objects: string[] = [];
    for (const [at, input] of inputs.entries()) {
      if (included.has(placeOf(input))) continue;
      const object = join(folder, `${at}.o`);
      const { status, stderr } = compile("-Dmain=program_main", "-c", "-o", object, resolve(input));
      if (status !== 0) return not(`${input} could not be compiled for it: ${firstLine(stderr)}`);
      objects.push(object);
    }
    const program = join(folder, "made");
    const { status, stderr } = compile("-iquote", dirname(resolve(inputs[0])), "-o", program, made, ...objects, "-lm");
    if (status !== 0) return not(`it could not be compiled: ${firstLine(stderr)}`);
    const script = { text: `${SANITIZERS} "$PROGRAM"\n` };
    const end = runScript(script, { directory: folder, settings: { PROGRAM: program } }, env);
    if (end.kind !== "ended") return { kind: "survives", words: end.kind === "limit" ? end.words : end.why };
    const report = sanitizerReports(end.output, dirname(resolve(inputs[0]))).at(-1);
    if (report !== undefined) return { kind: "fails", words: reportInWords(report) };
    if (end.status > 128) return { kind: "fails", words: `it dies of signal ${end.status - 128}` };
    return { kind: "survives", words: `it ends with status ${end.status}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function placeOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function firstLine(text: string): string {
  return text.split("\n").find((line) => /error|undefined/.test(line)) ?? text.split("\n")[0];
}
