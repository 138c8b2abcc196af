// Starts a checked run in a thread of its own, and passes on the signals that the user sends meanwhile. A program that
// computes notices at its next portion of fuel; one that waits for input notices nothing, so a signal it has not taken
// within GRACE_MS ends the whole process as that signal natively would. A run that outlives its time limit, whatever it
// does, is ended here: it counts as one that has reached the limit. Its time is what the command has: what came before the run counts.

import type { CheckedRun } from "../findings/check.js";
import { REPETITION_MS } from "../findings/replay.js";
import { commandMs } from "../support/command-clock.js";
import { GuardedThread, newCell } from "../support/guarded-thread.js";
import type { RunResult } from "../vm/run-options.js";
import { SIGNAL } from "../vm/signals.js";
import type { WorkerTask } from "./run-worker.js";

const GRACE_MS = 300;
/** Beyond the limit: the repetition of a finding. */
const ALLOWANCE_MS = REPETITION_MS + 200;
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;
/** To a running program: end (RunOptions.cancel). */
const STOP = -1;

export type ThreadedRun =
  | { readonly kind: "ran"; readonly run: CheckedRun }
  /** Not the program's fault: our thread has died. */
  | { readonly kind: "died"; readonly message: string };

export class RunThread {
  private readonly thread = new GuardedThread<WorkerTask, CheckedRun>(new URL("./run-worker.js", import.meta.url));

  /** Gives up a thread that got no task. */
  discard(): void {
    this.thread.discard();
  }

  async run(task: Omit<WorkerTask, "cell">): Promise<ThreadedRun> {
    const { thread } = this;
    const cell = newCell();
    const stopForwarding = forwardSignals(cell);
    const limits = { timeMs: task.untilMs - commandMs() + ALLOWANCE_MS, graceMs: GRACE_MS, word: STOP };
    let run: CheckedRun | null = null;
    try {
      const end = await thread.run({ ...task, cell, options: { ...task.options, cancel: cell } }, limits, (message) => {
        run = message;
        return true;
      });
      if (end.kind === "died") return end;
      return { kind: "ran", run: run ?? overdueRun(commandMs()) };
    } finally {
      stopForwarding();
      // The result is here; what is left of the thread would only delay the end of the process.
      thread.discard();
    }
  }
}

/** Gives the function that ends it. */
function forwardSignals(cell: Int32Array): () => void {
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
  return removeListeners;
}

/** What is known of a run that had to be ended from outside. */
export function overdueRun(elapsedMs: number): CheckedRun {
  const nothing = new Uint8Array(0);
  const result: RunResult = {
    end: { kind: "limit", limit: "time", trace: [] },
    instructions: 0,
    elapsedMs,
    cpuMs: 0,
    memoryPeakBytes: 0,
    memoryExhausted: false,
    syscalls: {},
    denied: {},
    stdout: nothing,
    stderr: nothing,
    filesRead: [],
    coverage: nothing,
    watched: { allocation: null, free: null, longjmp: null },
  };
  return { result, finding: null, leaks: [], leaksSkipped: null };
}
