// The thread a program runs in. Generated code recurses on the native stack, and only a worker's can be made large
// enough for a guest's whole 8 MiB stack of small frames. The thread is started before the task is known, so that it
// loads its code while the program is looked up; the image comes as the name of a cache entry where it can, so that
// nothing large is copied between threads.

import { parentPort } from "node:worker_threads";
import { type CheckedRun, type CheckOptions, runChecked } from "../findings/check.js";
import { type ImageSource, imageOf } from "../program/stored-image.js";
import type { ThreadTask } from "../support/guarded-thread.js";
import { useV8Flags } from "../support/v8-flags.js";
import { readHeap } from "../vm/heap.js";
import type { RunOptions } from "../vm/run-options.js";

export interface WorkerTask extends ThreadTask {
  readonly source: ImageSource;
  readonly options: RunOptions;
  readonly check: Omit<CheckOptions, "heap">;
}

/** The program is loaded, and its time begins; and how it went. */
export type RunMessage = "begun" | CheckedRun;

parentPort?.once("message", (task: WorkerTask) => {
  useV8Flags();
  const image = imageOf(task.source);
  const post = (message: RunMessage): void => parentPort?.postMessage(message);
  post("begun");
  post(runChecked(image, task.options, { ...task.check, heap: readHeap }));
});
