// Running a run again: the same program, arguments, clock and randomness, what standard input delivered, and the files,
// which the overlay has left as they were. A finding that happens again is confirmed, and on the way the stacks of the
// allocation and the free are captured, which normal runs therefore need not remember. What does not happen again shows
// a hole in our repeatability, and says so.

import type { ProgramImage } from "../jit/image.js";
import { Machine } from "../vm/machine.js";
import type { WasmFrame } from "../vm/run-end.js";
import type { Recording, RunOptions, RunResult } from "../vm/run-options.js";
import { sourceFrames, visibleFrames } from "../vm/stack-trace.js";
import { userFrameIndex } from "./classify.js";
import type { Finding } from "./finding.js";

/** A finished run, as far as a repetition needs it. */
export interface FirstRun {
  readonly image: ProgramImage;
  readonly module: WebAssembly.Module;
  readonly options: RunOptions;
  readonly recording: Recording;
  readonly instructions: number;
  readonly elapsedMs: number;
}

export interface Repetition {
  readonly machine: Machine;
  readonly result: RunResult;
}

/** Whether the run can be repeated: nothing it did has changed the world, and all it took in is known. */
export function isRepeatable(options: RunOptions, recording: Recording): boolean {
  return !options.writeThrough && recording.stdin.complete;
}

/** What a repetition may take beyond the time that its run was given. */
export const REPETITION_MS = 1000;

/** Repeats a run with an eye on one block; its output is thrown away. */
export function repeatRun(
  first: FirstRun,
  watch: RunOptions["watch"],
  machineFor = (image: ProgramImage, options: RunOptions): Machine => new Machine(image, options),
): Repetition {
  const machine = machineFor(first.image, repetitionOptions(first, watch));
  return { machine, result: machine.run(first.module) };
}

export function repetitionOptions(
  first: Pick<FirstRun, "options" | "recording" | "instructions" | "elapsedMs">,
  watch: RunOptions["watch"],
): RunOptions {
  const { options, recording } = first;
  // A repetition that goes astray must end too, and one of a run that has a limit soon after it.
  const instructions = Math.min(options.limits.instructions, first.instructions * 2 + 10_000_000);
  const leftMs = options.limits.milliseconds - first.elapsedMs + REPETITION_MS;
  const milliseconds = Math.min(Math.max(REPETITION_MS, leftMs), first.elapsedMs * 10 + 10_000);
  return {
    ...options,
    stdin: recording.stdin,
    stdout: recording.stdout,
    stderr: recording.stderr,
    limits: { ...options.limits, instructions, milliseconds },
    watch,
  };
}

/** The finding with the stacks that a repetition saw. */
export function withStacks(finding: Finding, image: ProgramImage, repetition: Repetition): Finding {
  const { watched } = repetition.result;
  const stackOf = (frames: readonly WasmFrame[] | null): Finding["stack"] | null =>
    frames === null ? null : visibleFrames(sourceFrames(image, frames));
  const jump = stackOf(watched.longjmp);
  if (jump !== null) return { ...finding, confirmed: true, stack: jump, userFrame: userFrameIndex(jump) };
  if (finding.object === null) return { ...finding, confirmed: true };
  return {
    ...finding,
    confirmed: true,
    object: { ...finding.object, allocationStack: stackOf(watched.allocation), freeStack: stackOf(watched.free) },
  };
}
