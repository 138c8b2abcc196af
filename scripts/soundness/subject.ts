// One program to be examined, and what came of it: plain data, since each is examined in a thread of its own.

import type { InputValue } from "../../src/inputs/input-value.js";
import type { SymbolicInputs } from "../../src/inputs/symbolic-inputs.js";
import { NO_QUERIES, type QueryCounts } from "./judge-queries.js";

export const GROUPS = ["csmith", "arithmetic", "floats", "language", "explore", "bench"] as const;
export type Group = (typeof GROUPS)[number];

/** How a program ended natively. */
export interface NativeEnd {
  readonly stdout: string;
  readonly code: number;
}

export interface Subject {
  readonly group: Group;
  readonly name: string;
  readonly source: string;
  readonly flags: readonly string[];
  readonly workingDirectory: string;
  readonly inputs: SymbolicInputs;
  /** The program's variables are input as well, with their initial values in the seed. */
  readonly globals: boolean;
  readonly seed: readonly InputValue[];
  /** How the program ends natively with the seed, if that is known. */
  readonly expected: NativeEnd | null;
  /** To run other inputs natively. */
  readonly executable: string | null;
  readonly randomInputs: number;
  readonly exploreMs: number;
  readonly explorePaths: number;
  /** Queries to show to z3, at most. */
  readonly queries: number;
  readonly z3Ms: number;
  readonly randomSeed: number;
}

export interface Report {
  readonly group: Group;
  readonly name: string;
  /** Everything that must not be. */
  readonly wrong: readonly string[];
  /** Why nothing could be examined. */
  readonly skipped: string | null;
  /** Decisions whose condition was evaluated on the run's input. */
  readonly conditions: number;
  readonly runs: number;
  readonly paths: number;
  /** Runs that were to follow a predicted path: revived, witnesses of checks, satisfied assumptions. */
  readonly revived: number;
  readonly divergences: number;
  /** Questions of the exploration, and those that got no answer. */
  readonly asked: number;
  readonly unknown: number;
  readonly queries: QueryCounts;
  /** Runs whose end and output were compared with the native program's. */
  readonly native: number;
  readonly losses: Readonly<Record<string, number>>;
  readonly milliseconds: number;
}

export const NOTHING_EXAMINED: Omit<Report, "group" | "name"> = {
  wrong: [],
  skipped: null,
  conditions: 0,
  runs: 0,
  paths: 0,
  revived: 0,
  divergences: 0,
  asked: 0,
  unknown: 0,
  queries: NO_QUERIES,
  native: 0,
  losses: {},
  milliseconds: 0,
};
