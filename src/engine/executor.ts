// What the engine needs of whatever runs the program: run it on an input, tell the observer every symbolic decision,
// say how it ended. The engine knows nothing of WebAssembly, memory or C; a test runs a function instead.

import type { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import type { PathObserver, SiteId } from "../path/observer.js";
import type { StopReason } from "../path/run-stopped.js";
import type { Model } from "../solver/solver.js";

export interface RunLimits {
  readonly instructions: number;
  readonly timeMs: number;
  /** Asked now and then during a run; once it says so the run ends, cut by the limit "cancelled". */
  readonly abort?: { readonly aborted: boolean };
}

/** What a detector saw, as far as the engine must know it. `detail` is the executor's own and is passed on. */
export interface DetectedFinding {
  readonly kind: string;
  /** Same place, same key: the innermost frames of the stack, say. */
  readonly stackKey: string;
  /** The site of the check that failed, if one did. */
  readonly site: SiteId | null;
  readonly detail: unknown;
  /** Places of reads that were not allowed and that the run went on behind before this one (vm/going-on.ts). */
  readonly behind?: readonly string[];
}

export type PathEnd =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "finding"; readonly finding: DetectedFinding }
  | { readonly kind: "limit"; readonly limit: string }
  | { readonly kind: "unsupported"; readonly what: string }
  /** The program ended its path silently, or asked not to be counted. */
  | { readonly kind: "silent" }
  | { readonly kind: "stopped"; readonly reason: StopReason };

/** A part of the input: consecutive variables with a name. */
export interface InputObject {
  readonly name: string;
  readonly size: number;
  readonly firstVariable: number;
}

export interface RunOutcome {
  readonly end: PathEnd;
  readonly instructions: number;
  /** Blocks that no run before had covered. */
  readonly newBlocks: readonly number[];
  readonly objects: readonly InputObject[];
  /** What was lost on this run, by reason: "floating-point": 3. */
  readonly losses: Readonly<Record<string, number>>;
  /** Findings that did not end the run: reads that were carried out although they are not allowed. */
  readonly passed?: readonly DetectedFinding[];
}

export interface TriedOutcome extends RunOutcome {
  /** How often each block was executed, 255 for more. Of use until the next run. */
  readonly hits: Uint8Array;
}

export interface Executor {
  readonly arena: ExprArena;
  /** One byte a block: not 0 if some run has covered it. The engine saves and restores it. */
  readonly coverage: Uint8Array;
  /**
   * Runs the program on the input to its end, telling the observer every symbolic decision. The observer ends a run by
   * throwing RunStopped: the run is over, its end is "stopped". Whatever else it throws is passed on.
   */
  run(input: Model, observer: PathObserver, limits: RunLimits): RunOutcome;
  /** As `run`, but nothing of the input is symbolic: only what is covered is of interest, and how the run ends. */
  tryOut?(input: Model, limits: RunLimits): TriedOutcome;
  /** What is run first if no input is given; all bytes 0 without it. */
  readonly firstInput?: Model;
  /** Conditions that the program wished for on the last run (klee_prefer_cex), most wanted first. */
  readonly preferences?: readonly ExprRef[];
  /** The blocks that the last run executed, new or not, in ascending order. */
  blocksOfRun(): readonly number[];
  /** Instructions of the run in progress; asked from within the observer. May lag behind a little. */
  instructionsSoFar(): number;
}
