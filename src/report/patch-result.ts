// What patch testing came to, as one versioned value from which every report of `tangent patch` and `tangent reach` is made. Plain
// JSON: bytes are base64. Fields are added, never given another meaning.

import type { Changes } from "../project/patch/changes.js";
import type { BehaviourDifference } from "../techniques/behaviour/compare.js";
import type { PatchObserved } from "../techniques/behaviour/observed-output.js";
import type { TargetPlace } from "../techniques/reach/targets.js";
import type { WhyNot } from "../techniques/reach/why-not.js";
import type { CommonResult, CommonTotals } from "./campaign-result.js";

/** `tangent patch`; and `tangent reach`, whose changes are empty and whose targets the user named. */
export interface PatchCampaignResult extends CommonResult {
  readonly technique: "patch";
  readonly changes: Changes;
  readonly totals: CommonTotals & PatchTotals;
  readonly targets: readonly PatchTarget[];
  /** Inputs that reach targets, each once. */
  readonly inputs: readonly PatchInput[];
  /** Executable changed lines of each file, with what is known of them. */
  readonly lines: readonly PatchLine[];
  readonly behaviour: readonly BehaviourChange[];
  /** Inputs that were run by both versions; 0 if there is no old version. */
  readonly compared: number;
}

export interface PatchTotals {
  readonly seeds: number;
  readonly targets: number;
  readonly coveredByTests: number;
  readonly reached: number;
  readonly unreachable: number;
}

export interface PatchTarget extends TargetPlace {
  readonly programs: readonly string[];
  /** Branches from the nearest test at the start; null if no way leads there. */
  readonly distance: number | null;
  readonly state: TargetState;
}

export type TargetState =
  | { readonly kind: "covered"; readonly seedId: string }
  /** `input`: index into `inputs`; `by`: what found it. */
  | { readonly kind: "reached"; readonly input: number; readonly by: ReachedBy; readonly milliseconds: number }
  /** Nothing can lead there: proven without running. */
  | { readonly kind: "unreachable"; readonly why: string }
  | { readonly kind: "not-reached"; readonly why: WhyNot };

export type ReachedBy = "greedy" | "regeneration" | "definition" | "move" | "luck";

/** Commands, variables and paths are strings of one character a byte, as in an invocation. */
export interface PatchInput {
  /** Of its content: the same in every campaign. */
  readonly id: string;
  readonly program: string;
  /** The test it was made from. */
  readonly seedId: string;
  readonly seedCommand: readonly string[];
  readonly command: readonly string[];
  /** What was done to the test, in words, in order. */
  readonly steps: readonly string[];
  readonly workingDirectory: string;
  readonly environment: readonly string[];
  /** Base64; null: nothing is there to be read. */
  readonly stdin: string | null;
  /** pipe: what it holds comes through one; closed: there is none. Otherwise it is a file. */
  readonly stdinKind?: "pipe" | "closed";
  readonly tree: readonly ResultTreeEntry[];
  /** How the new version ended with it; empty if nobody looked. */
  readonly end: string;
  /** How far it was confirmed that it executes the target. */
  readonly confirmed: "vm" | "native";
  /** What the new version did with it; absent if nobody looked. */
  readonly observed?: PatchObserved;
}

export interface ResultTreeEntry {
  readonly kind: "file" | "sized" | "directory" | "link" | "fifo" | "socket" | "character" | "block" | "missing";
  readonly path: string;
  /** Of a file of which no more is known. */
  readonly size?: number;
  /** Of a file, base64. */
  readonly bytes?: string;
  readonly mode?: number;
  /** Seconds since 1970, if it matters. */
  readonly modified?: number;
  readonly to?: string;
}

export interface PatchLine {
  readonly file: string;
  readonly line: number;
  /** white-space: nothing else of it was changed, so that it is no changed line. */
  readonly state: "covered" | "reached" | "not-reached" | "unreachable" | "not-executable" | "white-space";
  /** The targets it belongs to: indices into `targets`. */
  readonly targets: readonly number[];
}

/** An input that the two versions do different things with. */
export interface BehaviourChange {
  /** The command, and where the input comes from: a test, `inputs` or a finding. */
  readonly command: readonly string[];
  readonly program: string;
  readonly source:
    | { readonly kind: "test"; readonly seedId: string }
    | { readonly kind: "input"; readonly input: number }
    /** The witness of one of the findings, by its id. */
    | { readonly kind: "finding"; readonly id: string };
  /** crash: the new version fails where the old one did not. */
  readonly severity: "crash" | "fixed" | "different";
  readonly differences: readonly BehaviourDifference[];
}

export type { BehaviourDifference, PatchObserved };
