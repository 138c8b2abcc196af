// The thread a program runs in. Generated code recurses on the native stack, and only a worker's can be made large
// enough for a guest's whole 8 MiB stack of small frames. The thread is started before the task is known, so that it
// loads its code while the program is looked up; the image comes as the name of a cache entry where it can, so that
// nothing large is copied between threads.

import { setFlagsFromString } from "node:v8";
import { parentPort } from "node:worker_threads";
import type { ProgramImage } from "../jit/image.js";
import { loadImage } from "../program/stored-image.js";
import { readHeap } from "../vm/heap.js";
import type { RunOptions } from "../vm/run-options.js";
import { type CheckOptions, runChecked } from "./check.js";

/** The image itself, or the name of its cache entry (program/stored-image.ts). */
export type ImageSource =
  | { readonly kind: "image"; readonly image: ProgramImage }
  | { readonly kind: "stored"; readonly name: string };

export interface WorkerTask {
  readonly source: ImageSource;
  readonly options: RunOptions;
  readonly check: Omit<CheckOptions, "heap">;
}

/**
 * Measured: hints take the slow path of checks off the hot path (a sieve runs 1.5x faster); a large module whose
 * functions are compiled when they are first called starts at once.
 */
function useV8Flags(): void {
  setFlagsFromString("--experimental-wasm-branch-hinting");
  setFlagsFromString("--wasm-lazy-compilation");
  setFlagsFromString("--experimental-wasm-compilation-hints");
}

parentPort?.once("message", (task: WorkerTask) => {
  useV8Flags();
  const { source } = task;
  const image = source.kind === "image" ? source.image : loadImage(source.name);
  parentPort?.postMessage(runChecked(image, task.options, { ...task.check, heap: readHeap }));
});
