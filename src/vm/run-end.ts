// How a run can end, as a closed set. The end travels as an exception from the host function that met it to the one
// place that catches it (machine.ts): generated code cannot catch it, since it catches only its own longjmp tag.
//
// A fault is what a detector saw, in the machine's words; findings/classify.ts turns it into a finding. It lives here
// and not there because this layer knows nothing of kinds and severities.

import type { FaultName } from "../jit/boundary.js";

/** A frame of generated code: index of the function in the module (imports included), byte offset in the module. */
export interface WasmFrame {
  readonly functionIndex: number;
  readonly offset: number;
}

export interface Fault {
  /** What fired; "abort" is SIGABRT raised by the program itself, "reported" an error it reported by klee_report_error. */
  readonly name: FaultName | "abort" | "reported" | "closed-descriptor";
  /** 64 bits as a number: exact where it matters (below 2^53). */
  readonly address: number;
  readonly size: number;
  readonly stackPointer: number;
  /** The system call that touched the memory, if one did. */
  readonly syscall: string | null;
  /** What the program said of it, if it did. */
  readonly detail?: string;
}

const LIMITS = ["instructions", "time", "output", "cancelled", "blocked", "memory", "symbolic-memory"] as const;
export type LimitName = (typeof LIMITS)[number];
export type SilentEnd = "silent-exit" | "assumption";

export type RunEnd =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "signal"; readonly signal: number }
  /** The program asked for an end that is no test: klee_silent_exit, or an assumption that does not hold. */
  | { readonly kind: "silent"; readonly why: SilentEnd }
  | { readonly kind: "fault"; readonly fault: Fault; readonly trace: readonly WasmFrame[] }
  | {
      readonly kind: "unsupported";
      readonly what: string;
      readonly functionName: string;
      readonly trace: readonly WasmFrame[];
    }
  | { readonly kind: "limit"; readonly limit: LimitName; readonly trace: readonly WasmFrame[] };

/** An end without the trace, which is read from the exception that carries it. */
export type RunStopReason =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "signal"; readonly signal: number }
  | { readonly kind: "silent"; readonly why: SilentEnd }
  | { readonly kind: "fault"; readonly fault: Fault }
  | { readonly kind: "unsupported"; readonly what: string; readonly functionName: string }
  | { readonly kind: "limit"; readonly limit: LimitName };

/** Those of which one wants to know where. */
export type PlacedStop = Exclude<RunStopReason, { readonly kind: "exit" | "signal" | "silent" }>;

export class RunStop extends Error {
  readonly reason: RunStopReason;

  constructor(reason: RunStopReason) {
    super(reason.kind);
    this.reason = reason;
  }
}

/** The exit of a run whose stack nobody will ask for: an exploration makes thousands a second, and an Error is slow to make. */
export class QuietExit {
  constructor(readonly code: number) {}
}

/** What a klee_assume that cannot hold is reported as. */
export const FALSE_ASSUMPTION = "invalid klee_assume call: the condition is false";
