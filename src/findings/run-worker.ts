// The thread a program runs in. Generated code recurses on the native stack, and only a worker's can be made large
// enough for a guest's whole 8 MiB stack of small frames. The image comes as data or, better, as the path of a cache
// entry with the module that can load it, so that nothing large is copied between threads.

import { parentPort, workerData } from "node:worker_threads";
import type { ProgramImage } from "../jit/image.js";
import type { HeapReader } from "../vm/heap-reader.js";
import type { Machine } from "../vm/machine.js";
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
  /** URL of the module whose `readHeap(machine)` reads the heap. */
  readonly heapModule: string;
}

interface ImageLoader {
  loadImage(argument: string): ProgramImage;
}
interface HeapModule {
  readHeap(machine: Machine): HeapReader;
}

async function main(task: WorkerTask): Promise<void> {
  const { source } = task;
  const heap = ((await import(task.heapModule)) as HeapModule).readHeap;
  const image =
    source.kind === "image" ? source.image : ((await import(source.module)) as ImageLoader).loadImage(source.argument);
  const checked = runChecked(image, task.options, { ...task.check, heap });
  parentPort?.postMessage(checked);
}

if (parentPort !== null) await main(workerData as WorkerTask);
