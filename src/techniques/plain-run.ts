// A test's own run with nothing symbolic and to its end: what it really covers, whatever a symbolic run of it comes to within
// its limits. It goes on behind bad reads, as the symbolic run does. The same translated program, so that the numbers of
// blocks are the same.

import { runOptionsOf, type TestInput } from "../inputs/test-input.js";
import type { ProgramImage } from "../jit/image.js";
import { pipeShape, STANDARD_FLAGS } from "../vm/files/standard-streams.js";
import { GoingOn } from "../vm/going-on.js";
import { Machine } from "../vm/machine.js";
import type { RunEnd } from "../vm/run-end.js";
import { DEFAULT_LIMITS, type RunOptions } from "../vm/run-options.js";

export interface PlainRun {
  readonly end: RunEnd;
  readonly milliseconds: number;
  /** One byte a block, not 0 if it was executed. The caller's own. */
  readonly coverage: Uint8Array;
}

/** What is told of it. */
export interface PlainSummary {
  /** exit 0, signal 6, unsupported, … */
  readonly end: string;
  /** It came to an end of its own: what it covers is all that the test covers. */
  readonly isWhole: boolean;
}

export interface PlainLimits {
  readonly milliseconds: number;
  readonly heapBytes: number;
  readonly seed: number;
}

const DISCARD = pipeShape(STANDARD_FLAGS.output, 2);
/** A machine whose heap has grown larger is not kept for the next test. */
const MOST_HEAP_BYTES = 0x400_0000;
const machines = new WeakMap<ProgramImage, Machine>();

export function runPlainly(
  image: ProgramImage,
  module: WebAssembly.Module,
  test: TestInput,
  { milliseconds, heapBytes, seed }: PlainLimits,
): PlainRun {
  const options: RunOptions = {
    ...runOptionsOf(test),
    stdout: DISCARD,
    stderr: DISCARD,
    seed,
    limits: { ...DEFAULT_LIMITS, milliseconds, heapBytes },
  };
  const kept = machines.get(image);
  const machine = kept ?? new Machine(image, options, null, true);
  machines.set(image, machine);
  machine.goingOn = new GoingOn(image, []);
  machine.goingOn.learns = true;
  if (kept !== undefined) machine.prepare(options);
  const startedMs = performance.now();
  const end = machine.runToEnd(module);
  const coverage = machine.coverage.slice();
  if (machine.memory.heapBytes > MOST_HEAP_BYTES) machines.delete(image);
  return { end, milliseconds: performance.now() - startedMs, coverage };
}

/** The program will not be run again. */
export function scrapPlainMachine(image: ProgramImage): void {
  machines.get(image)?.scrap();
  machines.delete(image);
}

export function summaryOfPlain(end: RunEnd): PlainSummary {
  return { end: wordsOf(end), isWhole: end.kind !== "limit" };
}

function wordsOf(end: RunEnd): string {
  switch (end.kind) {
    case "exit":
      return `exit ${end.code}`;
    case "signal":
      return `signal ${end.signal}`;
    case "fault":
      return end.fault.name;
    case "limit":
      return `limit of ${end.limit}`;
    case "unsupported":
      return `unsupported: ${end.what}`;
    case "silent":
      return "silent";
  }
}
