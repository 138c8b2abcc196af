// Everything the engine says while it explores, as one closed union. Reporters, progress displays, test writers and tests
// listen to it; nothing else comes out of the engine.

import type { Divergence } from "../path/follower.js";
import type { SiteId } from "../path/observer.js";
import type { PendingId } from "../path/pending-table.js";
import type { Model, UnknownReason } from "../solver/solver.js";
import type { DetectedFinding, RunOutcome } from "./executor.js";

const DONE_REASONS = ["exhausted", "time", "paths", "solver-time", "memory", "first-finding", "aborted"] as const;
/** Exhausted: nothing is pending any more; complete only if nothing was unknown, dropped or cut. */
export type DoneReason = (typeof DONE_REASONS)[number];

/**
 * Where the input of a run came from. Guessed: from a question without pins, so that nothing is predicted. Tried: an edit of
 * another input (input-tries.ts).
 */
export type RunOrigin = "seed" | "revived" | "witness" | "assumption" | "set-aside" | "journal" | "guessed" | "tried";

export type EngineEvent =
  | {
      readonly kind: "run-finished";
      readonly input: Model;
      readonly outcome: RunOutcome;
      readonly origin: RunOrigin;
      /** Decisions on the path. */
      readonly depth: number;
      /** A path of its own to the end: neither set aside nor stopped, and not explored before. */
      readonly isPath: boolean;
    }
  | { readonly kind: "revived"; readonly pending: PendingId; readonly site: SiteId }
  /** Of these two, the pending path is no more: its id may be given to another. */
  | { readonly kind: "infeasible"; readonly pending: PendingId; readonly site: SiteId; readonly depth: number }
  /** "run-limit": an input is known, but its run did not get there in the time a run may take. */
  | {
      readonly kind: "unknown";
      readonly pending: PendingId;
      readonly site: SiteId;
      readonly depth: number;
      readonly reason: UnknownReason | "run-limit";
    }
  | { readonly kind: "finding-candidate"; readonly finding: DetectedFinding; readonly input: Model }
  | {
      readonly kind: "finding-confirmed";
      readonly finding: DetectedFinding;
      readonly input: Model;
      /** An input for the same path, with less changed, that failed at the same place; null if there is none. */
      readonly smaller: Model | null;
      readonly outcome: RunOutcome;
      readonly depth: number;
    }
  | { readonly kind: "finding-not-reproduced"; readonly finding: DetectedFinding; readonly input: Model }
  /** There was no time for the second run. */
  | {
      readonly kind: "finding-unconfirmed";
      readonly finding: DetectedFinding;
      readonly input: Model;
      readonly objects: RunOutcome["objects"];
    }
  /** The input that was to fail a check did not fail there. */
  | { readonly kind: "witness-missed"; readonly site: SiteId; readonly input: Model }
  | { readonly kind: "coverage-grew"; readonly blocks: readonly number[]; readonly covered: number }
  | {
      readonly kind: "divergence";
      readonly divergence: Divergence;
      readonly input: Model;
      readonly objects: RunOutcome["objects"];
    }
  | { readonly kind: "memory-trimmed"; readonly infeasible: number; readonly dropped: number; readonly bytes: number }
  | { readonly kind: "done"; readonly reason: DoneReason; readonly complete: boolean };
