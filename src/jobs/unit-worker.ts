// The thread that a unit is explored in: generated code needs a large native stack, and the main thread stays free for Ctrl-C.

import { parentPort } from "node:worker_threads";
import { type ImageSource, imageOf } from "../program/stored-image.js";
import type { ThreadTask } from "../support/guarded-thread.js";
import { memoryGauge } from "../support/memory-gauge.js";
import { useV8Flags } from "../support/v8-flags.js";
import {
  ExploredStarts,
  type StartsEvent,
  type StartsSummary,
  type StartsTask,
} from "../techniques/compose/explore-starts.js";

export interface UnitTask extends ThreadTask {
  readonly source: ImageSource;
  readonly starts: StartsTask;
}

export type UnitMessage =
  /** The program is loaded, and its time begins. */
  | { readonly kind: "begun" }
  /** What would be the end if it ended now. */
  | { readonly kind: "so-far"; readonly summary: StartsSummary }
  | Exclude<StartsEvent, { readonly kind: "run" }>;

const STATUS_MS = 250;

parentPort?.once("message", ({ source, starts, cell }: UnitTask) => {
  useV8Flags();
  const post = (message: UnitMessage): void => parentPort?.postMessage(message);
  const abort = {
    get aborted(): boolean {
      return Atomics.load(cell, 0) !== 0;
    },
  };
  try {
    const exploration = new ExploredStarts(imageOf(source), starts, { abort, memoryUsed: memoryGauge() });
    post({ kind: "begun" });
    let nextMs = 0;
    for (const event of exploration.events()) {
      if (event.kind !== "run") post(event);
      else if (performance.now() >= nextMs) {
        nextMs = performance.now() + STATUS_MS;
        post({ kind: "so-far", summary: exploration.summary() });
      }
    }
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    post({ kind: "failed", message: `the exploration ended: ${why}` });
  }
});
