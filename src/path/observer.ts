// What a concolic run tells about its path, in order. The run decides nothing: it follows its concrete input, and the
// observer (the engine's recorder) compares with the prediction, makes pending paths, asks the solver. Any method may
// throw to end the run.
//
// A decision is told only when its condition is symbolic. The same program on the same input tells the same decisions
// in the same order; that is what makes re-running a path possible.

import type { ExprRef } from "../expr/ops.js";

/** The static identity of a decision: an index into the translated program's table of sites. */
export type SiteId = number & { readonly brand: "SiteId" };
/** The site of what happens in the runtime's own code: intrinsics and runs that are cut short have none. */
export const NO_SITE = -1 as SiteId;

/** Why a value was pinned to what it is on this run. The alternatives stay pending; each is counted. */
export const PIN_REASONS = [
  "store-address",
  "load-address",
  "allocation-size",
  "copy-size",
  "floating-point",
  "system-call",
  "call-target",
  "vector",
  "runtime",
  "get-value",
] as const;
export type PinReason = (typeof PIN_REASONS)[number];

/** What a check guards against; findings use the same names. */
export type CheckKind =
  | "out-of-bounds-read"
  | "out-of-bounds-write"
  | "division-by-zero"
  | "division-overflow"
  | "assertion"
  | "allocation-size";

export interface PathObserver {
  /** A two-way branch. `condition` (width 1) is true on this run if and only if `taken`. */
  branch(site: SiteId, condition: ExprRef, taken: boolean): void;
  /**
   * A branch that was joined with its other sides (jit/join-branches.ts) did not enter this block of the coverage table; under the
   * condition it does. No decision: the path goes on as it would have.
   */
  side?(block: number, condition: ExprRef): void;
  /**
   * A choice among many: `taken` holds on this run; the `others` are the alternatives' conditions (exclusive, possibly
   * infeasible). Together they cover everything. Used for switches, and for pointers that may reach several objects.
   */
  choose(site: SiteId, taken: ExprRef, others: readonly ExprRef[]): void;
  /** A dangerous operation: `bad` does not hold on this run; an input that makes it hold is a finding. */
  check(site: SiteId, kind: CheckKind, bad: ExprRef): void;
  /**
   * A dangerous operation that fails on this run, which ends: `bad` holds. Its negation is where the path goes on, and
   * stays pending. An executor that does not tell it loses everything behind an operation that its input happens to fail.
   */
  failing?(site: SiteId, kind: CheckKind, bad: ExprRef): void;
  /** A symbolic value was made concrete: `equals` holds on this run; its negation stays pending. */
  pin(site: SiteId, reason: PinReason, equals: ExprRef): void;
  /**
   * The program assumes `condition`; `holds` says whether this run's input satisfies it. If it does not, the observer
   * must end the run (it may look for an input that does). No pending path comes of an assumption.
   */
  assume(site: SiteId, condition: ExprRef, holds: boolean): void;
}
