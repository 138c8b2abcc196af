// What an exported test expects of a run: what was the same each time that its own script was run. What differs from run to run (times,
// process ids, addresses) is left out line by line; a stream of which nobody can say what it will be is not compared at all.
//
// Names of the program and of the fresh directory are written as PROGRAM_NAME and DIRECTORY_NAME: on another machine they are others.

import { NOISE } from "../techniques/behaviour/normalise.js";
import type { PatchObserved } from "../techniques/behaviour/observed-output.js";

export const PROGRAM_NAME = "<program>";
export const DIRECTORY_NAME = "<directory>";
/** In the place of a line that is not compared. */
export const LEFT_OUT = "<not compared>";

export const STREAMS = ["stdout", "stderr"] as const;

export type ExpectedStream =
  /** `leftOut`: numbers of lines, from 1, that are LEFT_OUT. */
  | { readonly kind: "bytes"; readonly bytes: Buffer; readonly leftOut: readonly number[] }
  | { readonly kind: "not-compared"; readonly why: string };

export interface ExpectedRun {
  readonly status: number;
  readonly stdout: ExpectedStream;
  readonly stderr: ExpectedStream;
}

/** One run of a script, with the names above. */
export interface ScriptOutput {
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** Longer output is nothing that a test should hold. */
const LONGEST_OUTPUT = 64 * 1024;
const MANY_LINES = 50;

/** `runs`: of another time and in another directory each. `observed`: what tangent's machine says of the same input. */
export function expectedRun(runs: readonly ScriptOutput[], observed: PatchObserved | undefined): ExpectedRun {
  const stream = (name: (typeof STREAMS)[number]): ExpectedStream =>
    expectedStream(
      runs.map((run) => run[name]),
      observed?.varies.includes(name) === true,
    );
  return { status: runs[0].status, stdout: stream("stdout"), stderr: stream("stderr") };
}

/** `hasChance`: in tangent's machine it was another one on another day. */
function expectedStream(outputs: readonly Buffer[], hasChance: boolean): ExpectedStream {
  if (outputs.some(({ length }) => length > LONGEST_OUTPUT)) return { kind: "not-compared", why: "is very long" };
  const [lines, ...others] = outputs.map((bytes) => bytes.toString("latin1").split("\n"));
  const varies: ExpectedStream = { kind: "not-compared", why: "is not the same each time" };
  if (others.some(({ length }) => length !== lines.length)) return varies;
  const leftOut: number[] = [];
  for (const [at, line] of lines.entries()) {
    // A day or a minute is the same in runs that follow each other.
    if (others.some((other) => other[at] !== line) || (hasChance && isOfChance(line))) leftOut.push(at + 1);
  }
  const told = lines.filter((line, at) => line !== "" && !leftOut.includes(at + 1)).length;
  const isPartOnly = leftOut.length > 0 && (told === 0 || leftOut.length > MANY_LINES);
  if (isPartOnly || (hasChance && leftOut.length === 0)) return varies;
  const kept = lines.map((line, at) => (leftOut.includes(at + 1) ? LEFT_OUT : line)).join("\n");
  return { kind: "bytes", bytes: Buffer.from(kept, "latin1"), leftOut };
}

function isOfChance(line: string): boolean {
  return NOISE.some(({ name, pattern }) => OF_CHANCE.test(name) && line.search(pattern) >= 0);
}

/** Versions, and lines of the source, are the same as long as the program is. */
const OF_CHANCE = /^(dates|process ids|names of temporary|addresses)/;

/** Of an input that is not run natively: what tangent's machine did. `base`: the directory that became the fresh one. */
export function expectedInMachine(observed: PatchObserved, base: string): ExpectedRun | null {
  if (observed.status === null) return null;
  const text = Buffer.from(observed.stdout, "base64").toString("latin1");
  const named = base === "/" ? text : text.replaceAll(base, DIRECTORY_NAME);
  const stdout: ExpectedStream = observed.varies.includes("stdout")
    ? { kind: "not-compared", why: "is not the same each time" }
    : { kind: "bytes", bytes: Buffer.from(named, "latin1"), leftOut: [] };
  return { status: observed.status, stdout, stderr: { kind: "not-compared", why: "has what tangent says too" } };
}
