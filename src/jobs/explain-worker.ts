// The thread that `tangent explain` runs both inputs in: generated code needs a large native stack.

import { parentPort } from "node:worker_threads";
import type { InputValue } from "../inputs/input-value.js";
import type { TestInput } from "../inputs/test-input.js";
import { type ImageSource, imageOf } from "../program/stored-image.js";
import { type Explanation, explanation } from "../report/explanation.js";
import type { ThreadTask } from "../support/guarded-thread.js";
import { useV8Flags } from "../support/v8-flags.js";
import { comparePaths } from "../techniques/compare-paths.js";

export interface ExplainTask extends ThreadTask {
  readonly source: ImageSource;
  readonly test: TestInput;
  readonly witness: readonly InputValue[];
  readonly instructions: number;
  readonly timeMs: number;
  readonly goOnAt: readonly string[];
}

export type ExplainAnswer =
  /** The program is loaded, and the time of its two runs begins. */
  | { readonly kind: "begun" }
  | { readonly kind: "explained"; readonly explanation: Explanation }
  | { readonly kind: "failed"; readonly message: string };

parentPort?.once("message", ({ source, test, witness, instructions, timeMs, goOnAt }: ExplainTask) => {
  useV8Flags();
  const post = (answer: ExplainAnswer): void => parentPort?.postMessage(answer);
  try {
    const image = imageOf(source);
    post({ kind: "begun" });
    const comparison = comparePaths(image, test, test.values, witness, { instructions, timeMs }, goOnAt);
    post({ kind: "explained", explanation: explanation(image, comparison) });
  } catch (error) {
    post({ kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
