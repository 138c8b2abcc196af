// An exploration that can be killed at any moment and gone on with: the engine's events pass through, and on the way finished
// paths go to the journal and now and then everything to a snapshot. Resuming restores the snapshot and runs what the
// journal has beyond it.

import type { Engine } from "./engine.js";
import type { EngineEvent } from "./events.js";
import type { ExplorationFiles } from "./exploration-files.js";
import { DamagedFile } from "./packing.js";
import { type RestoreReport, restoreSnapshot, takeSnapshot } from "./snapshot.js";
import type { EngineStatistics } from "./statistics.js";

export interface ResumableOptions {
  /** Identifies the program and how its input is made; a snapshot of another is refused. */
  readonly program: string;
  readonly snapshotEveryMs: number;
  /** Journal records are written at the latest after this time. */
  readonly flushEveryMs: number;
}

export type ResumeResult =
  | { readonly kind: "nothing-saved" }
  | { readonly kind: "other-program" }
  /** Saved by another version of this program. */
  | { readonly kind: "other-version" }
  | {
      readonly kind: "resumed";
      /** Null if there was no snapshot, or none that could be read. */
      readonly report: RestoreReport | null;
      readonly journaled: number;
      /** What was wrong with the files, in words. */
      readonly problems: readonly string[];
    };

/** A snapshot of a large tree takes long; it is not to take more than this share of all time. */
const SNAPSHOT_SHARE = 0.05;

export class ResumableExploration {
  private savedMs: number;
  private flushedMs: number;
  private snapshotCostMs = 0;
  /** Why the files could not be written, the last time that was tried; exploring goes on without them. */
  failure: string | null = null;

  constructor(
    readonly engine: Engine,
    private readonly files: ExplorationFiles,
    private readonly options: ResumableOptions,
  ) {
    this.savedMs = engine.timeMs;
    this.flushedMs = engine.timeMs;
  }

  /** Goes back to where the saved exploration was; before `explore`. */
  resume(): ResumeResult {
    const { snapshot, journal } = this.files.saved;
    const problems = [...this.files.saved.problems];
    if (snapshot === null && journal.length === 0 && problems.length === 0) return { kind: "nothing-saved" };
    const report = snapshot === null ? null : this.restore(snapshot, problems);
    if (typeof report === "string") return { kind: report };
    const from = report?.journal ?? 0;
    const later = journal.filter(({ offset }) => offset >= from);
    for (const { input } of later) this.engine.addSeed(input, "journal");
    return { kind: "resumed", report, journaled: later.length, problems };
  }

  *explore(): Generator<EngineEvent, EngineStatistics> {
    const exploration = this.engine.explore();
    let complete = false;
    for (;;) {
      const next = exploration.next();
      if (next.done === true) {
        // Of what is explored to its end nothing is left to go on with.
        if (!complete) this.save();
        else this.attempt(() => this.files.flush());
        return next.value;
      }
      // A path from the journal is there already.
      const event = next.value;
      if (event.kind === "run-finished") {
        if (event.isPath && event.origin !== "journal") this.attempt(() => this.files.append(event.input));
        this.saveIfDue();
      } else if (event.kind === "done") complete = event.complete;
      yield event;
    }
  }

  save(): void {
    const began = this.engine.timeMs;
    this.attempt(() => {
      this.files.flush();
      this.files.save(takeSnapshot(this.engine, this.options.program, this.files.journalBytes));
    });
    this.savedMs = this.engine.timeMs;
    this.snapshotCostMs = this.savedMs - began;
  }

  private saveIfDue(): void {
    const now = this.engine.timeMs;
    const pause = Math.max(this.options.snapshotEveryMs, this.snapshotCostMs / SNAPSHOT_SHARE);
    if (now - this.savedMs >= pause) this.save();
    else if (now - this.flushedMs >= this.options.flushEveryMs) {
      this.attempt(() => this.files.flush());
      this.flushedMs = now;
    }
  }

  /** A full disk must not end the exploration: the next attempt may succeed, and the user is told. */
  private attempt(action: () => void): void {
    try {
      action();
      this.failure = null;
    } catch (error) {
      if (!(error instanceof Error) || !("syscall" in error)) throw error;
      this.failure = error.message;
    }
  }

  /** A snapshot that cannot be read is as good as none: the journal has all paths. */
  private restore(snapshot: Uint8Array, problems: string[]): ReturnType<typeof restoreSnapshot> | null {
    try {
      return restoreSnapshot(this.engine, snapshot, this.options.program);
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      problems.push(`the snapshot is damaged (${error.message}); the journal is used instead`);
      return null;
    }
  }
}
