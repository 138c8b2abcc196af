// What a technique sees of an exploration. The engine runs and decides what comes next; a technique looks at each run that is
// over (its decisions with the pending path on the other side of each, the blocks it executed), chooses a pending path to
// pursue, asks why one is infeasible, and reads the accounts. Nobody outside of the engine need know recorder, frontier or tree.

import type { SolverAccounts } from "../path/feasibility.js";
import type { PendingId } from "../path/pending-table.js";
import type { Model } from "../solver/solver.js";
import { Engine } from "./engine.js";
import type { EngineEvent } from "./events.js";
import type { DetectedFinding, Executor, RunOutcome } from "./executor.js";
import type { BranchPlace, EngineOptions } from "./options.js";
import { type Decision, RunLog } from "./run-log.js";
import type { EngineStatistics } from "./statistics.js";

export interface FinishedRun {
  readonly input: Model;
  readonly outcome: RunOutcome;
  /** In order, also those on ground that earlier runs have been on. What is said of other sides is as things are now. */
  readonly decisions: readonly Decision[];
  /** Numbers of the image's coverage table, ascending. */
  readonly blocks: readonly number[];
}

export interface GuidanceOptions {
  /** Whether decisions and blocks of the last run are kept for `finishedRun`; it costs a little of every run. */
  readonly keepsRuns: boolean;
}

export class GuidedExploration {
  readonly engine: Engine;
  private readonly log: RunLog | null = null;
  private last: { readonly input: Model; readonly outcome: RunOutcome } | null = null;

  constructor(
    readonly executor: Executor,
    options: Partial<EngineOptions> & Pick<EngineOptions, "solver">,
    { keepsRuns }: Partial<GuidanceOptions> = {},
  ) {
    this.engine = new Engine(executor, options);
    if (keepsRuns !== true) return;
    this.log = new RunLog(this.engine.tree, this.engine.recorder, executor);
    this.engine.recorder.listeners.push(this.log);
  }

  *explore(): Generator<EngineEvent, EngineStatistics> {
    const events = this.engine.explore();
    for (;;) {
      const next = events.next();
      if (next.done === true) return next.value;
      if (next.value.kind === "run-finished") this.last = { input: next.value.input, outcome: next.value.outcome };
      yield next.value;
    }
  }

  /** The run that was finished last, until the exploration's next step; null if there was none, or runs are not kept. */
  finishedRun(): FinishedRun | null {
    if (this.last === null || this.log === null) return null;
    return { ...this.last, decisions: this.log.decisions(), blocks: this.log.blocks };
  }

  /** This pending path is taken next. False if it is not pending any more. */
  pursue(id: PendingId): boolean {
    return this.engine.pursue(id);
  }

  /** The earlier decisions that make a pending path infeasible; null if it is not, or that is not known. It stays pending. */
  whyInfeasible(id: PendingId): readonly BranchPlace[] | null {
    return this.engine.whyInfeasible(id);
  }

  /** Whoever was told of a finding did not believe it after all: another witness of it is wanted. */
  withdraw(finding: DetectedFinding): void {
    this.engine.withdraw(finding);
  }

  /** An input that is known to take a pending path, or that of the run that saw it. */
  inputTowards(id: PendingId): Model {
    return this.engine.tree.hint(id);
  }

  get solver(): Readonly<SolverAccounts> {
    return this.engine.recorder.feasibility.accounts;
  }

  get checks(): { readonly asked: number; readonly skipped: number } {
    const { checksAsked: asked, checksSkipped: skipped } = this.engine.recorder.frontier;
    return { asked, skipped };
  }
}
