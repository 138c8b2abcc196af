// Starts a checked run in a thread of its own, and passes on the signals that the user sends meanwhile. A program that
// computes notices at its next portion of fuel; one that waits for input notices nothing, so a signal it has not taken
// within GRACE_MS ends the whole process as that signal natively would.

import { Worker } from "node:worker_threads";
import { SIGNAL } from "../vm/signals.js";
import type { CheckedRun } from "./check.js";
import type { WorkerTask } from "./run-worker.js";

/** Enough for a guest's 8 MiB of frames at their smallest, measured; pages not used cost nothing. */
const STACK_MB = 512;
const GRACE_MS = 300;
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;

export class RunThread {
  private readonly worker = new Worker(new URL("./run-worker.js", import.meta.url), {
    resourceLimits: { stackSizeMb: STACK_MB },
    stdin: false,
  });

  /** Gives up a thread that got no task. */
  discard(): void {
    void this.worker.terminate();
  }

  async run(task: WorkerTask): Promise<CheckedRun> {
    const { worker } = this;
    const cell = new Int32Array(new SharedArrayBuffer(4));
    const listeners = FORWARDED.map((name) => {
      const listener = (): void => {
        Atomics.store(cell, 0, SIGNAL[name]);
        setTimeout(() => {
          if (Atomics.load(cell, 0) === 0) return;
          removeListeners();
          process.kill(process.pid, name);
        }, GRACE_MS).unref();
      };
      process.on(name, listener);
      return { name, listener };
    });
    const removeListeners = (): void => {
      for (const { name, listener } of listeners) process.removeListener(name, listener);
    };
    try {
      return await new Promise<CheckedRun>((resolve, reject) => {
        worker.once("message", resolve);
        worker.once("error", reject);
        worker.once("exit", (code) => reject(new Error(`the run's thread ended by itself with code ${code}`)));
        worker.postMessage({ ...task, options: { ...task.options, cancel: cell } } satisfies WorkerTask);
      });
    } finally {
      removeListeners();
      // The result is here; what is left of the thread would only delay the end of the process.
      void worker.terminate();
    }
  }
}
