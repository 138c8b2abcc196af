// The one way to run something in a thread of its own. Generated code needs a native stack that only a worker can have, and
// a program under test may do anything but end: so whoever waits for a thread also says how long, and is told of every
// way it can end. A thread that is asked to stop and does not is terminated; nobody waits for ever.

import { Worker } from "node:worker_threads";

/** Enough for a guest's 8 MiB of frames at their smallest, measured; pages not used cost nothing. */
const STACK_MB = 512;

export interface ThreadOptions {
  /** Megabytes for new objects; V8's own choice if missing. */
  readonly youngMb?: number;
}

export interface ThreadLimits {
  /** From the moment the task is sent; Infinity: as long as it takes. */
  readonly timeMs: number;
  /** Between asking it to stop, through its cell, and terminating it. */
  readonly graceMs: number;
}

export type ThreadEnd =
  /** It said its last message. */
  | { readonly kind: "done" }
  /** It threw, ran out of memory, or ended without a last message. */
  | { readonly kind: "died"; readonly message: string }
  /** It did not stop in time and was terminated. */
  | { readonly kind: "overdue" };

/** Every task carries the cell: one shared word; not 0 asks the thread to stop soon. */
export interface ThreadTask {
  readonly cell: Int32Array;
}

export class GuardedThread<Task extends ThreadTask, Message> {
  private worker: Worker | null;

  /** The thread starts at once, so that it loads its code while the caller prepares the task. */
  constructor(script: URL, { youngMb }: ThreadOptions = {}) {
    this.worker = new Worker(script, {
      resourceLimits: {
        stackSizeMb: STACK_MB,
        ...(youngMb === undefined ? {} : { maxYoungGenerationSizeMb: youngMb }),
      },
      stdin: false,
    });
    // A thread may die before it gets its first task; `run` then finds it gone.
    this.worker.once("error", () => this.discard());
    this.worker.once("exit", () => this.discard());
  }

  get isAlive(): boolean {
    return this.worker !== null;
  }

  /** Sends a task, which may be one of several; `listen` says true to its last message. */
  async run(task: Task, limits: ThreadLimits, listen: (message: Message) => boolean): Promise<ThreadEnd> {
    const { worker } = this;
    if (worker === null) return { kind: "died", message: "the thread had ended before" };
    let timer: NodeJS.Timeout | undefined;
    let onMessage: (message: Message) => void = () => {};
    let onError: (error: Error) => void = () => {};
    let onExit: (code: number) => void = () => {};
    try {
      return await new Promise<ThreadEnd>((resolve) => {
        onMessage = (message) => {
          if (listen(message)) resolve({ kind: "done" });
        };
        onError = (error) => resolve({ kind: "died", message: error.message });
        onExit = (code) => resolve({ kind: "died", message: `the thread ended by itself with code ${code}` });
        worker.on("message", onMessage);
        worker.once("error", onError);
        worker.once("exit", onExit);
        if (limits.timeMs !== Number.POSITIVE_INFINITY) {
          timer = setTimeout(() => {
            Atomics.store(task.cell, 0, 1);
            timer = setTimeout(() => {
              this.discard();
              resolve({ kind: "overdue" });
            }, limits.graceMs);
          }, limits.timeMs);
        }
        worker.postMessage(task);
      });
    } finally {
      clearTimeout(timer);
      worker.off("message", onMessage);
      worker.off("error", onError);
      worker.off("exit", onExit);
    }
  }

  /** Ends the thread, whatever it does. */
  discard(): void {
    const { worker } = this;
    this.worker = null;
    void worker?.terminate();
  }
}
