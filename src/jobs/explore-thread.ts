// Starts an exploration in its thread, and tells it to stop when the user wants that: the first Ctrl-C lets the current path
// end and everything be written, the second ends the process at once. Whatever kills the thread is an answer too.

import { Worker } from "node:worker_threads";
import type { ExploreSummary } from "../report/explore-summary.js";
import type { SessionMessage } from "./explore-session.js";
import type { ExploreTask } from "./explore-worker.js";

/** Enough for a guest's 8 MiB of frames at their smallest, as in findings/run-in-worker.ts. */
const STACK_MB = 512;
/** For new objects V8 would take 20 MB more, which saves 3 % of the time and makes small memory limits hard to keep (measured). */
const YOUNG_MB = 12;
const STOPPING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** What a shell shows for a process that was interrupted. */
const INTERRUPTED_STATUS = 130;

export interface ThreadListener {
  message(message: SessionMessage): void;
  /** The user has asked to stop, for the first time. */
  stopping(): void;
}

export async function runExploration(
  task: Omit<ExploreTask, "cell">,
  listener: ThreadListener,
): Promise<ExploreSummary> {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("./explore-worker.js", import.meta.url), {
    resourceLimits: { stackSizeMb: STACK_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    stdin: false,
  });
  const onSignal = (): void => {
    if (Atomics.load(cell, 0) !== 0) process.exit(INTERRUPTED_STATUS);
    Atomics.store(cell, 0, 1);
    listener.stopping();
  };
  for (const name of STOPPING) process.on(name, onSignal);
  try {
    return await new Promise<ExploreSummary>((resolve, reject) => {
      worker.on("message", (message: SessionMessage) => {
        listener.message(message);
        if (message.kind === "done") resolve(message.summary);
        else if (message.kind === "failed") reject(new Error(message.message));
      });
      worker.once("error", reject);
      worker.once("exit", (code) => reject(new Error(`the exploration's thread ended by itself with code ${code}`)));
      worker.postMessage({ ...task, cell } satisfies ExploreTask);
    });
  } finally {
    for (const name of STOPPING) process.removeListener(name, onSignal);
    void worker.terminate();
  }
}
