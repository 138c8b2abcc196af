// The thread that `tangent replay` runs tests in, one after the other: it has the large stack that generated code needs, and
// compiles the program once for all of them.

import { parentPort } from "node:worker_threads";
import type { CheckedRun } from "../findings/check.js";
import { runTest, type TestRunOptions } from "../findings/confirmation.js";
import type { ImageSource } from "../findings/run-worker.js";
import type { TestInput } from "../inputs/test-input.js";
import { loadImage } from "../program/stored-image.js";

export interface ReplayTask {
  readonly source: ImageSource;
  readonly tests: readonly TestInput[];
  readonly options: TestRunOptions;
}

/** Position among the task's tests, and how it went. */
export interface ReplayAnswer {
  readonly index: number;
  readonly run: CheckedRun;
}

parentPort?.once("message", ({ source, tests, options }: ReplayTask) => {
  const image = source.kind === "image" ? source.image : loadImage(source.name);
  const module = new WebAssembly.Module(image.wasm);
  tests.forEach((test, index) => {
    const run = runTest({ image, module }, test, [], options);
    parentPort?.postMessage({ index, run } satisfies ReplayAnswer);
  });
});
