// The thread that a unit is explored in: generated code needs a large native stack, and the main thread stays free for Ctrl-C.

import { parentPort } from "node:worker_threads";
import { type ImageSource, imageOf } from "../program/stored-image.js";
import type { ThreadTask } from "../support/guarded-thread.js";
import { memoryGauge } from "../support/memory-gauge.js";
import { useV8Flags } from "../support/v8-flags.js";
import { type UnitFailure, type UnitPlan, type UnitSummary, unitExploration } from "../techniques/unit/explore-unit.js";
import type { DescribedUnit } from "../techniques/unit/unit-inputs.js";

export interface UnitTask extends ThreadTask {
  readonly source: ImageSource;
  readonly unit: DescribedUnit;
  readonly plan: UnitPlan;
}

export type UnitMessage =
  /** The program is loaded, and its time begins. */
  | { readonly kind: "begun" }
  | { readonly kind: "failure"; readonly failure: UnitFailure }
  /** What would be the end if it ended now. */
  | { readonly kind: "so-far"; readonly summary: UnitSummary }
  | { readonly kind: "done"; readonly summary: UnitSummary }
  | { readonly kind: "failed"; readonly message: string };

const STATUS_MS = 250;

parentPort?.once("message", ({ source, unit, plan, cell }: UnitTask) => {
  useV8Flags();
  const post = (message: UnitMessage): void => parentPort?.postMessage(message);
  const abort = {
    get aborted(): boolean {
      return Atomics.load(cell, 0) !== 0;
    },
  };
  try {
    const made = unitExploration(imageOf(source), unit, plan, { abort, memoryUsed: memoryGauge() });
    if (made.kind === "failed") {
      post(made);
      return;
    }
    const { exploration } = made;
    post({ kind: "begun" });
    let nextMs = 0;
    for (const event of exploration.events()) {
      if (event.kind === "failure") post(event);
      if (event.kind === "done") post(event);
      if (event.kind !== "run" || performance.now() < nextMs) continue;
      nextMs = performance.now() + STATUS_MS;
      post({ kind: "so-far", summary: exploration.summary("aborted", false) });
    }
  } catch (error) {
    post({ kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
