// Work items of patch testing and what comes of them, as plain data: it crosses threads. reach-technique.ts plans them, reach-item.ts
// does them.

import type { LoadedImage } from "../../findings/confirmation.js";
import type { ProgramGraph } from "../../program/graph/program-graph.js";
import type { Seed } from "../../project/seed.js";
import type { ExploredResult } from "../amplify-item.js";
import type { BehaviourDifference, BehaviourSeverity } from "../behaviour/compare.js";
import type { PatchObserved } from "../behaviour/observed-output.js";
import type { TestLimits } from "../test-limits.js";
import type { ReachInput } from "./reach-pool.js";
import type { SearchAccounts, Strategy } from "./target-search.js";
import type { TargetPlace, Wanted } from "./targets.js";
import type { WhyNot } from "./why-not.js";

/** The same for all items of a campaign. */
export interface ReachSetup extends TestLimits {
  readonly root: string;
  readonly wanted: readonly Wanted[];
  readonly without: readonly Strategy[];
  /** Where the two versions' sources and builds lie: their names are no difference. */
  readonly newRoots: readonly string[];
  readonly oldRoots: readonly string[];
  /** By the new program's path: that of the old one. */
  readonly oldPrograms: Readonly<Record<string, string>>;
}

/** An input as an item is given it. */
export type GivenInput =
  | { readonly kind: "seed"; readonly seed: Seed }
  | { readonly kind: "made"; readonly input: ReachInput };

export type ReachWork =
  | { readonly kind: "survey"; readonly seeds: readonly Seed[] }
  /** How far runs of a survey are from the targets that are left. */
  | { readonly kind: "measure"; readonly runs: readonly SurveyedRun[] }
  | {
      readonly kind: "search";
      readonly target: string;
      readonly inputs: readonly GivenInput[];
      /** Targets that were reached already. */
      readonly done: readonly string[];
      readonly timeMs: number;
    }
  /** Amplification of an input that executes targets, as ZESTI does it. */
  | { readonly kind: "amplify"; readonly seed: Seed; readonly distance: number; readonly isMade: boolean }
  /** Inputs that execute targets, run by both versions if there are two; those named by `observed` are looked at in the new one. */
  | { readonly kind: "compare"; readonly seeds: readonly Seed[]; readonly observed: readonly string[] };

/** How an input stands to the targets, in their order. */
export interface Standing {
  /** Branches from what it executes; 0: it executes the target; null: no way leads there. */
  readonly distances: readonly (number | null)[];
  readonly instructions: number;
  readonly end: string;
}

/** What a test did. */
export interface SurveyedRun {
  /** Numbers of the blocks that it executed, ascending. */
  readonly blocks: Int32Array;
  readonly instructions: number;
  readonly end: string;
}

/** Made without the program's graph. Targets may be among them that the graph takes away again: code that nothing calls any more. */
export interface SurveyResult {
  readonly kind: "survey";
  readonly targets: readonly TargetPlace[];
  /** By seed; null: it could not be run. `executed`: targets, as indices. */
  readonly runs: readonly ((SurveyedRun & { readonly executed: readonly number[] }) | null)[];
}

export interface MeasuredResult {
  readonly kind: "measure";
  readonly targets: readonly TargetPlace[];
  readonly unreachable: readonly (string | null)[];
  /** In the order of the runs. */
  readonly standings: readonly Standing[];
}

export interface SearchResult {
  readonly kind: "search";
  readonly reached: readonly { readonly target: string; readonly input: ReachInput; readonly milliseconds: number }[];
  /** Inputs that are of use for further searches, with how they stand. */
  readonly made: readonly { readonly input: ReachInput; readonly standing: Standing }[];
  /** Inputs on which the program failed, one for each place. */
  readonly failed: readonly ReachInput[];
  /** Null: it was reached. */
  readonly why: WhyNot | null;
  readonly accounts: SearchAccounts;
}

export interface AmplifiedResult {
  readonly kind: "amplify";
  readonly amplified: ExploredResult;
}

/** A finding's input, run by both versions; told as the technique's own event. */
export interface ComparedWitness {
  /** The finding's id. */
  readonly finding: string;
  readonly command: readonly string[];
  /** Null: both do the same, so they fail both. */
  readonly change: {
    readonly severity: BehaviourSeverity;
    readonly differences: readonly BehaviourDifference[];
  } | null;
}

export interface ComparedResult {
  readonly kind: "compare";
  readonly compared: number;
  readonly changes: readonly {
    readonly seedId: string;
    readonly severity: BehaviourSeverity;
    readonly differences: readonly BehaviourDifference[];
  }[];
  /** What the new version did with the inputs that were made. */
  readonly observed: readonly { readonly seedId: string; readonly end: string; readonly output: PatchObserved }[];
}

export type ReachResult = SurveyResult | MeasuredResult | SearchResult | AmplifiedResult | ComparedResult;

/** What items need of their programs besides the images. */
export interface ReachExtra {
  readonly graph: ProgramGraph;
  /** The same program before the patch; null if there is none. */
  readonly old: LoadedImage | null;
}
export type ReachNeed = keyof ReachExtra;
