// Runs of one program in the VM in a thread that is kept for some of them: compiling the program takes longer than most tests do.

import type { StartableProgram } from "../../src/campaign/work-messages.js";
import type { CompileOptions } from "../../src/jit/options.js";
import type { ImageSource } from "../../src/program/stored-image.js";
import { GuardedThread, newCell } from "../../src/support/guarded-thread.js";
import type { RunOptions } from "../../src/vm/run-options.js";
import type { VmRun, VmTask } from "./vm-worker.js";

/** Each run reserves gigabytes of address space until its memory is collected. */
const RUNS_PER_THREAD = 40;
/** Loading the program, and what a run takes beyond its own limit. */
const ALLOWANCE_MS = 60_000;

export type ThreadedVmRun =
  | { readonly kind: "ran"; readonly run: VmRun }
  | { readonly kind: "died"; readonly message: string };

export class VmThread {
  private thread: GuardedThread<VmTask, VmRun> | null = null;
  private runs = 0;

  constructor(
    private readonly source: ImageSource,
    private readonly startable: readonly StartableProgram[],
    private readonly compile: CompileOptions,
  ) {}

  async run(options: RunOptions): Promise<ThreadedVmRun> {
    if (this.thread === null || this.runs >= RUNS_PER_THREAD) {
      this.close();
      this.thread = new GuardedThread<VmTask, VmRun>(new URL("./vm-worker.js", import.meta.url));
    }
    this.runs++;
    const { source, startable, compile } = this;
    const cell = newCell();
    let run: VmRun | null = null;
    const limits = { timeMs: options.limits.milliseconds + ALLOWANCE_MS, graceMs: 1000, word: -1 };
    const task = { cell, source, startable, compile, options: { ...options, cancel: cell } };
    const end = await this.thread.run(task, limits, (message) => {
      run = message;
      return true;
    });
    if (run !== null) return { kind: "ran", run };
    this.close();
    return { kind: "died", message: end.kind === "died" ? end.message : "it did not end" };
  }

  close(): void {
    this.thread?.discard();
    this.thread = null;
    this.runs = 0;
  }
}
