// The processes of one run: who was begun by whom, who waits to be run, how each ended.
//
// There is one thread, so one process runs at a time. A child is not run when it is made, but when somebody waits: its
// parent for its end, anybody for bytes of a pipe or for time to pass. Then the next one in the row runs to its end, and
// the waiting one looks again. A process that waits for bytes which only its waiting parent could write would wait for
// ever: that ends the whole run, which says so.

import type { FileSystem } from "../files/file-system.js";
import type { SharedMapping } from "../mappings.js";
import type { RunMemory } from "../run-memory.js";
import type { CallLog } from "./call-log.js";

/** Of a whole run, so that no program can make them without end. */
const MOST_PROCESSES = 256;
/** At work at once, one waiting for the other: each has its memory, and its part of the thread's stack. */
const MOST_AT_WORK = 8;

/** As wait() tells it. */
export type ProcessEnd =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "signal"; readonly signal: number };

export interface Child {
  readonly id: number;
  readonly parentId: number;
  /** As they were at its birth; descriptions are shared with its parent, as always. */
  readonly files: FileSystem;
  /** Memory that it has together with others. */
  readonly shared: readonly SharedMapping[];
  /** Its parent's life, its birth being the last call. */
  readonly log: CallLog;
  /** Null: it has not ended. */
  end: ProcessEnd | null;
  isAwaited: boolean;
}

export class ProcessTable {
  private readonly waiting: { readonly child: Child; readonly run: () => ProcessEnd }[] = [];
  private made = 0;
  private atWork = 0;

  constructor(
    private readonly firstId: number,
    /** Of the whole run, by performance.now(). */
    readonly deadlineMs: number,
    /** What was refused to any of them. */
    readonly denied: Map<string, number>,
    /** What all of them may have. */
    readonly memory: RunMemory,
  ) {}

  get isFull(): boolean {
    return this.made >= MOST_PROCESSES;
  }

  newId(): number {
    this.made++;
    return this.firstId + this.made;
  }

  /** `run` runs it to its end. */
  add(child: Child, run: () => ProcessEnd): void {
    this.waiting.push({ child, run });
  }

  /** It is not to be run any more. */
  kill(child: Child, signal: number): void {
    const index = this.waiting.findIndex((other) => other.child === child);
    if (index < 0) return;
    this.waiting.splice(index, 1);
    child.files.finish();
    child.end = { kind: "signal", signal };
  }

  /** Runs the next one to its end; null: there is none that can run. */
  runNext(): Child | null {
    if (!this.hasRoom) return null;
    const next = this.waiting.shift();
    if (next === undefined) return null;
    try {
      next.child.end = this.within(next.run);
    } finally {
      // It may have been stopped before it was born.
      next.child.files.finish();
    }
    return next.child;
  }

  /** Whether another machine can be at work while those that wait for it are. */
  get hasRoom(): boolean {
    return this.atWork < MOST_AT_WORK;
  }

  /** The run is over: whoever waits will never run. */
  finish(): void {
    for (const { child } of this.waiting.splice(0)) child.files.finish();
  }

  within<T>(run: () => T): T {
    this.atWork++;
    try {
      return run();
    } finally {
      this.atWork--;
    }
  }
}

/** The children of one process, in the order of their birth. */
export class Children {
  private readonly list: Child[] = [];

  add(child: Child): void {
    this.list.push(child);
  }

  get hasAny(): boolean {
    return this.list.some(({ isAwaited }) => !isAwaited);
  }

  withId(id: number): Child | null {
    return this.list.find((child) => child.id === id && !child.isAwaited) ?? null;
  }

  /** One that has ended and was not waited for yet. */
  ended(id: number | null): Child | null {
    return (
      this.list.find((child) => !child.isAwaited && child.end !== null && (id === null || child.id === id)) ?? null
    );
  }
}
