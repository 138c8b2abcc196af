// A finding: a bug in the user's program, with everything a report needs. Plain data, so that it can cross threads and be
// printed as JSON.

import type { SourceFrame } from "../vm/stack-trace.js";
import type { KindName } from "./kinds.js";

const OBJECT_KINDS = ["heap", "stack", "global", "argument", "mapping"] as const;

/** The object next to, or inside, which the access was. */
export interface FindingObject {
  readonly kind: (typeof OBJECT_KINDS)[number];
  /** The variable's name; null for heap blocks and nameless temporaries. */
  readonly name: string | null;
  readonly address: number;
  readonly size: number;
  /** Of the access from the object's start; negative before it. */
  readonly offset: number;
  /** Where it is declared; the function of a local variable. */
  readonly file: string | null;
  readonly line: number;
  readonly functionName: string | null;
  readonly allocationStack: readonly SourceFrame[] | null;
  readonly freeStack: readonly SourceFrame[] | null;
}

export interface Finding {
  readonly kind: KindName;
  readonly access: "read" | "write" | null;
  /** Bytes of the access; 0 if there was none. */
  readonly size: number;
  /** Address of the access, and of its first byte that was not allowed; null if the kind has none. */
  readonly address: number | null;
  readonly firstBadAddress: number | null;
  /** Innermost first; the runtime's own helpers are left out. */
  readonly stack: readonly SourceFrame[];
  /** Index in `stack` of the line a user should look at first: the innermost one of the program's own; -1 if none. */
  readonly userFrame: number;
  readonly object: FindingObject | null;
  /** One line that says what happened. */
  readonly message: string;
  /** UBSan's name of the check, for undefined-behaviour. */
  readonly check: string | null;
  /** null: not tried; true: happened again when the run was repeated; false: did not (our bug, counted). */
  readonly confirmed: boolean | null;
  /** Of a read: what comes behind it, worse, if the run goes on (what-follows.ts); absent if nothing does. */
  readonly follows?: FollowingFailure;
  /** Reads that were not allowed and came first on the same run, which went on behind them; absent if there were none. */
  readonly behind?: readonly EarlierRead[];
}

export type FollowingFailure = Pick<Finding, "kind" | "access" | "address" | "size" | "object"> & {
  readonly frame: SourceFrame | null;
};

/** A finding that another one lies behind: its identity, and its place as runs know it (vm/place-key.ts). */
export interface EarlierRead {
  readonly id: string;
  readonly place: string;
}

/** The frame a user should look at first. */
export function userFrameOf(finding: Finding): SourceFrame | null {
  return finding.stack[finding.userFrame] ?? null;
}

/** Whether two findings are the same event, as far as a repetition can tell. */
export function sameEvent(a: Finding, b: Finding): boolean {
  if (a.kind !== b.kind || a.address !== b.address || a.size !== b.size) return false;
  if (a.stack.length !== b.stack.length) return false;
  return a.stack.every((frame, index) => frame.file === b.stack[index].file && frame.line === b.stack[index].line);
}
