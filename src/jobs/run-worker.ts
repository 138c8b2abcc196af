// The thread a program runs in. Generated code recurses on the native stack, and only a worker's can be made large
// enough for a guest's whole 8 MiB stack of small frames. The thread is started before the task is known, so that it
// loads its code while the program is looked up; the image comes as the name of a cache entry where it can, so that
// nothing large is copied between threads.

import { parentPort } from "node:worker_threads";
import type { StartableProgram } from "../campaign/work-messages.js";
import { runDefined } from "../definedness/run-defined.js";
import { type CheckedRun, type CheckOptions, runChecked } from "../findings/check.js";
import { runComparing } from "../findings/unrelated-pointers.js";
import type { CompileOptions } from "../jit/options.js";
import { type ImageSource, imageOf } from "../program/stored-image.js";
import { commandMs } from "../support/command-clock.js";
import type { ThreadTask } from "../support/guarded-thread.js";
import { useV8Flags } from "../support/v8-flags.js";
import { readHeap } from "../vm/heap.js";
import type { RunOptions } from "../vm/run-options.js";
import { useBuiltPrograms } from "./built-programs.js";

export interface WorkerTask extends ThreadTask {
  readonly source: ImageSource;
  readonly options: RunOptions;
  readonly check: Omit<CheckOptions, "heap">;
  /** What it may start, besides what has been translated like it. */
  readonly startable: readonly StartableProgram[];
  /** How it was translated. */
  readonly compile: CompileOptions;
  /** When its time is over, by the command's clock. */
  readonly untilMs: number;
}

parentPort?.once("message", (task: WorkerTask) => {
  useV8Flags();
  const image = imageOf(task.source);
  useBuiltPrograms(task.startable, { env: process.env, clang: null, flags: [], compile: task.compile });
  const check = { ...task.check, heap: readHeap };
  const { definedness, pointerPairs } = task.compile;
  const run = definedness ? runDefined : pointerPairs ? runComparing : runChecked;
  const milliseconds = Math.max(1, task.untilMs - commandMs());
  const options = { ...task.options, limits: { ...task.options.limits, milliseconds } };
  parentPort?.postMessage(run(image, options, check) satisfies CheckedRun);
});
