// The thread a program runs in. Generated code recurses on the native stack, and only a worker's can be made large
// enough for a guest's whole 8 MiB stack of small frames. The image comes as data or, better, as the path of a cache
// entry with the module that can load it, so that nothing large is copied between threads.

import { parentPort, workerData } from "node:worker_threads";
import type { ProgramImage } from "../jit/image.js";
import { readHeap } from "../vm/heap.js";
import type { RunOptions } from "../vm/run-options.js";
import { type CheckOptions, runChecked } from "./check.js";

/** The image itself, or a module (by URL) whose `loadImage(argument)` gives it. */
export type ImageSource =
  | { readonly kind: "image"; readonly image: ProgramImage }
  | { readonly kind: "loader"; readonly module: string; readonly argument: string };

export interface WorkerTask {
  readonly source: ImageSource;
  readonly options: RunOptions;
  readonly check: Omit<CheckOptions, "heap">;
}

interface ImageLoader {
  loadImage(argument: string): ProgramImage;
}

async function main(task: WorkerTask): Promise<void> {
  const { source } = task;
  const image =
    source.kind === "image" ? source.image : ((await import(source.module)) as ImageLoader).loadImage(source.argument);
  const checked = runChecked(image, task.options, { ...task.check, heap: readHeap });
  parentPort?.postMessage(checked);
}

if (parentPort !== null) await main(workerData as WorkerTask);
