// What composition knows at the end, or so far: each failing line of a unit and what became of it, every function, and where the time went.
// Plain data; report/compose-result.ts makes a campaign's result of it.

import type { ChainLink, TargetRef, UnmetState } from "./compose-work.js";

export interface ComposeTotals {
  readonly seeds: number;
  /** Functions of the programs; those that were tested as units; those that no test calls. */
  readonly functions: number;
  readonly units: number;
  readonly uncalled: number;
  readonly targets: number;
  readonly lifted: number;
  /** Whole inputs that met a condition at the call and did not fail. */
  readonly notFailing: number;
  readonly interpolants: number;
  readonly interpolantsUsed: number;
  readonly cached: number;
  /** Of functions that were explored again after an interpolant: blocks, and how many were covered before and after. Missing in earlier results. */
  readonly refined?: RefinedCoverage;
  /** Where the time went, by step. */
  readonly milliseconds: {
    readonly profile: number;
    readonly units: number;
    readonly lifting: number;
    /** Missing in results of earlier versions. */
    readonly approach?: number;
    readonly interpolation: number;
    readonly whole: number;
  };
}

export interface RefinedCoverage {
  readonly functions: number;
  readonly blocks: number;
  readonly before: number;
  readonly after: number;
}

export interface ComposeTarget extends TargetRef {
  readonly program: string;
  readonly message: string;
  /** The longest chain that was shown, `main` or the highest caller first, the failing function last. */
  readonly chain: readonly ChainLink[];
  readonly state: ComposeTargetState;
}

export type ComposeTargetState =
  /** A whole run fails there; `finding` is its id among the findings. */
  | { readonly kind: "lifted"; readonly finding: string }
  /** No caller could be shown to allow it: what each of those that were tried has against it. */
  | { readonly kind: "not-lifted"; readonly callers: readonly ComposeObstacle[] }
  /** There was no time to try. */
  | { readonly kind: "open" };

export interface ComposeObstacle {
  /** The caller, or the test's command where it was the whole program. */
  readonly caller: string;
  readonly file: string | null;
  readonly line: number;
  readonly state: UnmetState;
}

export interface ComposeFunction {
  readonly name: string;
  readonly file: string | null;
  readonly line: number;
  readonly program: string;
  readonly blocks: number;
  readonly coveredBlocks: number;
  readonly failures: number;
  readonly contexts: number;
  readonly milliseconds: number;
  /** Why it could not be a unit; null if it could. */
  readonly problem: string | null;
}
