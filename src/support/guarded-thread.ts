// The way to run something in a thread of its own (but for report/threaded-writer.ts, whose caller blocks and so could not
// hear of a message). Generated code needs a native stack that only a worker can have, and
// a program under test may do anything but end: so whoever waits for a thread also says how long, and is told of every
// way it can end. A thread that is asked to stop and does not is terminated; nobody waits for ever.
//
// A thread inside of a system call that blocks cannot be terminated, nor while V8 compiles a large module for it, and Node would
// wait for it at the end of the process. If one is not gone after a while, the process leaves without waiting when everything else is
// done (leave.ts): only then, because V8's own threads may still be at work, and to leave beside these crashes now and then.

import { type TransferListItem, Worker } from "node:worker_threads";
import { leaveWithoutWaiting } from "./leave.js";
import { workerStart } from "./worker-start.js";

/** Enough for a guest's 8 MiB of frames at their smallest, measured; pages not used cost nothing. */
const STACK_MB = 512;
/** What is terminated is gone within some milliseconds, unless it hangs; within some hundred on a busy machine. */
const TERMINATION_MS = 1000;

export interface ThreadOptions {
  /** Megabytes for new objects; V8's own choice if missing. */
  readonly youngMb?: number;
  /** Megabytes for old objects; V8's own choice if missing. */
  readonly oldMb?: number;
}

export interface ThreadLimits {
  /** From the moment the task is sent; Infinity: as long as it takes. `extend` changes it. */
  readonly timeMs: number;
  /** Between asking it to stop, through its cell, and terminating it. */
  readonly graceMs: number;
  /** What the cell says then; 1 if missing. */
  readonly word?: number;
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

export function newCell(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4));
}

/** A task that is under way. */
interface Watch {
  readonly cell: Int32Array;
  readonly limits: ThreadLimits;
  readonly end: (end: ThreadEnd) => void;
  timer: NodeJS.Timeout | undefined;
}

export class GuardedThread<Task extends ThreadTask, Message> {
  private worker: Worker | null;
  private watch: Watch | null = null;
  private lastWords: string | null = null;

  /** The thread starts at once, so that it loads its code while the caller prepares the task. */
  constructor(script: URL, { youngMb, oldMb }: ThreadOptions = {}) {
    const { script: file, argv } = workerStart(script);
    this.worker = new Worker(file, {
      argv,
      resourceLimits: {
        stackSizeMb: STACK_MB,
        ...(youngMb === undefined ? {} : { maxYoungGenerationSizeMb: youngMb }),
        ...(oldMb === undefined ? {} : { maxOldGenerationSizeMb: oldMb }),
      },
      stdin: false,
    });
    // A thread may die before it gets its first task; `run` then finds it gone.
    this.worker.once("error", (error) => this.died(error.message));
    this.worker.once("exit", (code) => this.died(`the thread ended by itself with code ${code}`));
  }

  get isAlive(): boolean {
    return this.worker !== null;
  }

  /** It lives and has no task. */
  get isIdle(): boolean {
    return this.worker !== null && this.watch === null;
  }

  /** The process need not wait for it while it has nothing to do; `resume` before its next task. */
  park(): void {
    this.worker?.unref();
  }

  resume(): void {
    this.worker?.ref();
  }

  /** Sends a task, which may be one of several, one after the other; `listen` says true to its last message. */
  async run(
    task: Task,
    limits: ThreadLimits,
    listen: (message: Message) => boolean,
    transfer: readonly TransferListItem[] = [],
  ): Promise<ThreadEnd> {
    const { worker } = this;
    if (worker === null) return { kind: "died", message: this.lastWords ?? "the thread had ended before" };
    let onMessage: (message: Message) => void = () => {};
    try {
      return await new Promise<ThreadEnd>((end, fail) => {
        this.watch = { cell: task.cell, limits, end, timer: undefined };
        onMessage = (message) => {
          try {
            if (listen(message)) end({ kind: "done" });
          } catch (error) {
            fail(error);
          }
        };
        worker.on("message", onMessage);
        this.extend(limits.timeMs);
        worker.postMessage(task, transfer);
      });
    } finally {
      clearTimeout(this.watch?.timer);
      this.watch = null;
      worker.off("message", onMessage);
    }
  }

  /** The task under way has so much time from now on, whatever was said before. */
  extend(timeMs: number): void {
    const { watch } = this;
    if (watch === null) return;
    clearTimeout(watch.timer);
    // Timers forget fractions, and to be asked before the time is up would leave time for the next task.
    watch.timer = timeMs <= LONGEST_MS ? setTimeout(() => this.stop(), Math.ceil(timeMs)) : undefined;
  }

  /** Asks the task under way to stop; it is terminated if it has not after its grace, or the one given. */
  stop(graceMs = this.watch?.limits.graceMs ?? 0): void {
    const { watch } = this;
    if (watch === null) return;
    clearTimeout(watch.timer);
    Atomics.store(watch.cell, 0, watch.limits.word ?? 1);
    Atomics.notify(watch.cell, 0);
    watch.timer = setTimeout(() => this.discard(), graceMs);
  }

  /** Ends the thread, whatever it does; a task under way is overdue. */
  discard(): void {
    const { watch } = this;
    this.terminate();
    if (watch === null) return;
    clearTimeout(watch.timer);
    watch.end({ kind: "overdue" });
  }

  private terminate(): void {
    const { worker } = this;
    this.worker = null;
    if (worker === null) return;
    const giveUp = setTimeout(() => {
      worker.unref();
      process.on("exit", leaveWithoutWaiting);
    }, TERMINATION_MS);
    void worker.terminate().then(() => {
      clearTimeout(giveUp);
      process.off("exit", leaveWithoutWaiting);
    });
  }

  private died(message: string): void {
    if (this.worker === null) return;
    this.lastWords = message;
    this.terminate();
    // What it said before it died is still on its way.
    setImmediate(() => this.watch?.end({ kind: "died", message }));
  }
}

/** Timers know no longer ones; nobody waits for three weeks. */
const LONGEST_MS = 2 ** 31 - 1;
