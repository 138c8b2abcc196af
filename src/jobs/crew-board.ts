// What the threads of a parallel exploration say to each other: a few shared words, and messages over ports. Threads that
// explore do not return to their event loops, so whoever has a message to read is told by a change of its word.

import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { RunOrigin } from "../engine/events.js";
import type { DetectedFinding, PathEnd } from "../engine/executor.js";
import type { EngineStatistics } from "../engine/statistics.js";
import type { InputValue } from "../inputs/input-value.js";
import type { Divergence } from "../path/follower.js";
import type { ImageSource } from "../program/stored-image.js";
import type { SolverStats } from "../solver/chain.js";
import type { ThreadTask } from "../support/guarded-thread.js";
import type { ExplorePlan } from "../techniques/explore.js";

/** Shared words. */
export const BOARD = {
  /** Changes whenever the coordinator has something to read. */
  activity: 0,
  /** Threads without work. */
  idle: 1,
  /** Not 0: end after the current path. */
  stop: 2,
  paths: 3,
  /** Tests of ordinary paths that are still wanted. */
  plainLeft: 4,
  /** From here on one per thread: changes when it has something to read. After those one per thread again: see goneWord. */
  mail: 5,
} as const;

export function newBoard(threads: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * (BOARD.mail + 2 * threads)));
}

/** Not 0: the thread is no more. */
export function goneWord(board: Int32Array, index: number): number {
  return BOARD.mail + (board.length - BOARD.mail) / 2 + index;
}

/** A part of the execution tree; its input by name, since every thread numbers variables for itself. */
export interface SubtreeOffer {
  readonly values: readonly InputValue[];
  readonly depth: number;
  readonly instructions: number;
}

export interface CrewSetup extends ThreadTask {
  readonly source: ImageSource;
  readonly plan: ExplorePlan;
  /** Shared: what any of them has covered. */
  readonly coverage: Uint8Array;
  readonly board: Int32Array;
  readonly port: MessagePort;
  readonly index: number;
  /** Every path is reported, not only those that are wanted as tests. */
  readonly all: boolean;
}

/** To a thread. A part that is null is the whole tree, from the plan's seeds. */
export type CrewOrder = { readonly kind: "work"; readonly part: SubtreeOffer | null } | { readonly kind: "end" };

export interface CrewPath {
  readonly values: readonly InputValue[];
  readonly newBlocks: readonly number[];
  readonly end: PathEnd;
  readonly instructions: number;
  readonly origin: RunOrigin;
  readonly depth: number;
  /** What it ends in, if that is new to its thread and was confirmed. */
  readonly finding: DetectedFinding | null;
  /** An input for the same path, with less changed, that shows the finding too. */
  readonly smaller: readonly InputValue[] | null;
  /** A run that did not follow its prediction is none; it is told for its finding. */
  readonly isPath: boolean;
}

/** A run that took another path than predicted. */
export interface CrewDivergence {
  readonly divergence: Divergence;
  readonly values: readonly InputValue[];
}

/** From a thread. */
export interface CrewReport {
  readonly paths: readonly CrewPath[];
  readonly diverged: readonly CrewDivergence[];
  /** Parts that it gives away. */
  readonly parts: readonly SubtreeOffer[];
  /** Of everything it has done so far. */
  readonly statistics: EngineStatistics;
  readonly solver: SolverStats;
  /** What the program wanted printed (klee_print_expr). */
  readonly printed: readonly string[];
  /** Its part is done, completely or not; null: it is still at work. */
  readonly finished: boolean | null;
}

export function tell(board: Int32Array, word: number): void {
  Atomics.add(board, word, 1);
  Atomics.notify(board, word);
}

/** The next message; waits for it, at most so long. */
export function receive<T>(port: MessagePort, board: Int32Array, word: number, waitMs: number): T | null {
  const seen = Atomics.load(board, word);
  let message = receiveMessageOnPort(port);
  if (message === undefined && waitMs > 0) {
    Atomics.wait(board, word, seen, waitMs);
    message = receiveMessageOnPort(port);
  }
  return message === undefined ? null : (message.message as T);
}
