// What every solver is: one method with a closed verdict. "Unknown" is never folded into "unsatisfiable": a caller
// that drops a path because of it must count it.

import type { ExprRef } from "../expr/ops.js";

/** The value of each input byte, by variable index. Bytes beyond its end are 0. */
export type Model = Uint8Array;

export interface Query {
  /** Each of width 1; all must hold. */
  readonly constraints: readonly ExprRef[];
  /** An input to stay close to (the parent's): unconstrained bytes keep its values, and search starts from them. */
  readonly hint: Model;
  /** By the clock of `performance.now`: when whoever asks has no more use for an answer. Missing: never. */
  readonly deadlineMs?: number;
}

export type UnknownReason = "time" | "conflicts" | "unsupported" | "external";

export type Verdict =
  /** The model has at least the length of the hint, and agrees with it outside of the constraints' input bytes. */
  | { readonly kind: "sat"; readonly model: Model }
  /** Positions in `constraints` that contradict each other. */
  | { readonly kind: "unsat"; readonly core: readonly number[] }
  | { readonly kind: "unknown"; readonly reason: UnknownReason };

export interface Solver {
  solve(query: Query): Verdict;
  /** Memory is short: gives back what it keeps between questions, if that is much. */
  giveBack?(): void;
}
