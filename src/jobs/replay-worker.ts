// The thread that `tangent replay` runs tests in, one after the other: it has the large stack that generated code needs, and
// compiles the program once for all of them.

import { parentPort } from "node:worker_threads";
import { runDefined } from "../definedness/run-defined.js";
import type { CheckedRun } from "../findings/check.js";
import { type LoadedImage, runTest, type TestRunOptions } from "../findings/confirmation.js";
import { runOptionsOf, type TestInput } from "../inputs/test-input.js";
import { loadModule } from "../jit/load-module.js";
import { type ImageSource, imageOf } from "../program/stored-image.js";
import type { ThreadTask } from "../support/guarded-thread.js";
import { useV8Flags } from "../support/v8-flags.js";
import { readHeap } from "../vm/heap.js";

/** A test, and how it is to be run: each has limits of its own. */
export interface ReplayTest {
  readonly test: TestInput;
  readonly options: TestRunOptions;
}

export interface ReplayTask extends ThreadTask {
  readonly source: ImageSource;
  /** It is translated to follow what was set, and uses of what was not end a test as findings do. */
  readonly definedness: boolean;
  readonly tests: readonly ReplayTest[];
}

/** Position among the task's tests; that it begins, how it went, and at last that there are no more. */
export type ReplayAnswer =
  | { readonly kind: "begun"; readonly index: number }
  | { readonly kind: "ran"; readonly index: number; readonly run: CheckedRun }
  | { readonly kind: "over" };

parentPort?.once("message", ({ source, tests, definedness }: ReplayTask) => {
  useV8Flags();
  const post = (answer: ReplayAnswer): void => parentPort?.postMessage(answer);
  const image = imageOf(source);
  const module = loadModule(image);
  tests.forEach(({ test, options }, index) => {
    post({ kind: "begun", index });
    const run = definedness
      ? runDefinedTest({ image, module }, test, options)
      : runTest({ image, module }, test, [], options);
    post({ kind: "ran", index, run });
  });
  post({ kind: "over" });
});

/** A use of what was never set counts as the finding, if nothing else ended the run. */
function runDefinedTest({ image, module }: LoadedImage, test: TestInput, options: TestRunOptions): CheckedRun {
  const { seed, limits, output } = options;
  const run = { ...runOptionsOf(test), seed, limits, stdout: output, stderr: output };
  const ran = runDefined(image, run, { repeat: "always", leaks: false, heap: readHeap }, module);
  return { ...ran, finding: ran.finding ?? ran.uninitialised.at(0) ?? null };
}
