// Work items of composition (FOCAL) and what comes of them, as plain data: it crosses threads and files. compose-technique.ts plans them,
// compose-item.ts does them.
//
// Functions are named by their index into `ProgramImage.functions`: all threads of a campaign have the same image.

import type { PortableExprs } from "../../expr/portable.js";
import type { OtherText } from "../../inputs/mutations/other-texts.js";
import type { Seed } from "../../project/seed.js";
import type { LiteralChoice } from "../../support/literal-names.js";
import type { TestLimits } from "../test-limits.js";
import type { ConditionInWords } from "../unit/explore-unit.js";
import type { ValueInWords } from "../unit/value-words.js";

/**
 * What can be left out, for ablations. random-units: units of functions chosen at random instead of by relevance; units: no function is tested
 * by itself, so that nothing is lifted.
 */
export const COMPOSE_PARTS = [
  "interpolants",
  "extended-units",
  "unit-seeds",
  "random-units",
  "goals",
  "mutations",
  "approach",
  "main",
  "units",
] as const;
export type ComposePart = (typeof COMPOSE_PARTS)[number];

/** The same for all items of a campaign. */
export interface ComposeSetup extends TestLimits {
  readonly root: string;
  readonly without: readonly ComposePart[];
  /** Whether literals of the tests' own sources are input. */
  readonly literals: LiteralChoice;
  /** Programs, by path, to which some test gives arguments or standard input. */
  readonly givenPrograms: readonly string[];
  /** The directory of the cache in which results of units are kept; null: nowhere. */
  readonly cache: string | null;
}

/** A call of a function in a run of a recorded test: a real context, in which it is tested as a unit. */
export interface UnitSeed {
  readonly function: number;
  readonly seed: Seed;
  /** The how-manieth call of the function in that run, from 0. */
  readonly call: number;
  /** The functions that had not returned then, `main` first, the caller last. */
  readonly chain: readonly number[];
  /** Bytes of its input that depend on the program's input. */
  readonly dependent: number;
}

/** A failing line, whoever's unit it was found in: one target. */
export interface TargetRef {
  /** Kind, file, line and function: the same in every campaign. */
  readonly id: string;
  readonly kind: string;
  readonly file: string | null;
  readonly line: number;
  readonly functionName: string;
}

/**
 * What must hold of a function's input for a target's failure to happen: a conjunction over the function's input objects, by the names that
 * the engine's units give them (`param:0`, `*param:0`, `*(*param:0+8)`, `null:param:0`, `global:NAME`, `stub:NAME`).
 */
export interface CallCondition {
  readonly function: number;
  readonly target: TargetRef;
  /** Its roots are the conjuncts, in the order of `parts`. */
  readonly formula: PortableExprs;
  readonly parts: readonly ConditionInWords[];
  /** All conditions of the path, for where those that seemed to matter are met and nothing fails; null if it is the same, or too long. */
  readonly exact: ExactCondition | null;
  readonly realism: Realism;
  /** What it failed with in the place of texts of a test's call; none if it was not started with other texts. */
  readonly texts: readonly OtherText[];
  /** The failure is an access that leaves this object, of so many bytes: where it has more, the condition says nothing. */
  readonly within: ObjectExtent | null;
  /** From the function down to the one that fails: `function` first. */
  readonly chain: readonly ChainLink[];
  /** Inputs that meet it and were run, and how many of them failed there. */
  readonly tried: number;
  readonly failed: number;
}

export type ExactCondition = Pick<CallCondition, "formula" | "parts">;

/**
 * How the function was started. input: by a call of a test, with what depends on the program's input free; texts: so too, with other texts in
 * the place of those that do; context: with all that the call shows free; types: made by its types. The more is free, the less likely it
 * is that a caller can pass it.
 */
export const REALISMS = ["input", "texts", "context", "types"] as const;
export type Realism = (typeof REALISMS)[number];

/** Bytes from where a pointer leads to the end of what is there, by the name of the input object. */
export interface ObjectExtent {
  readonly object: string;
  readonly bytes: number;
}

export interface ChainLink {
  /** -1 in results: only its place is known. */
  readonly function: number;
  readonly name: string;
  readonly file: string | null;
  readonly line: number;
  readonly condition: readonly ConditionInWords[];
  readonly arguments: readonly ValueInWords[];
}

/** Which functions ran in an execution, and which of them called which: what relevance is counted from. */
export interface CallProfile {
  /**
   * By execution: the pairs (caller, callee) of direct calls that were seen, each as caller * functions + callee, ascending. A function with
   * itself: it ran.
   */
  readonly executions: readonly Float64Array[];
  /** By execution: how many executions were alike; 1 if nothing is said. */
  readonly times?: readonly number[];
}

/** What a plan must know of a function without having the program. */
export interface FunctionFacts {
  readonly index: number;
  readonly name: string;
  readonly file: string | null;
  readonly line: number;
  readonly blocks: number;
  /** Operations that may fail: accesses, divisions, and the like. */
  readonly dangerous: number;
  /** Functions of the program that it calls by name. */
  readonly callees: readonly number[];
  /** Its file is the tests' own, not code under test. */
  readonly isOfTests: boolean;
}

export interface ProgramFacts {
  /** Of program origin, with blocks. */
  readonly functions: readonly FunctionFacts[];
  /** Of the image, libc's among them. */
  readonly functionCount: number;
  readonly main: number;
}

export type ComposeWork =
  /** The tests as they are: contexts of all functions, coverage; and mutations of them, for relevance. */
  | {
      readonly kind: "profile";
      /** The facts are wanted too. */
      readonly facts: boolean;
      readonly seeds: readonly Seed[];
      readonly mutations: number;
      /** Mutations alone, once more: from those that earlier turns kept too. Null the first time. */
      readonly again: MutationTurn | null;
      readonly timeMs: number;
    }
  /** One function as a unit. `stubs`: callees that are not real. `conditions`: of callees, to be met at their calls. */
  | {
      readonly kind: "unit";
      readonly function: number;
      readonly contexts: readonly UnitSeed[];
      /** How it is started. */
      readonly starts: readonly Realism[];
      readonly stubs: readonly number[];
      readonly conditions: readonly CallCondition[];
      readonly timeMs: number;
    }
  /** What a function failed with in the place of a text is put into tests, where that text stands. */
  | {
      readonly kind: "carry";
      readonly condition: CallCondition;
      readonly seeds: readonly Seed[];
      readonly timeMs: number;
    }
  /** Tests are edited, and what comes nearer to the conditions of functions is edited further. */
  | {
      readonly kind: "approach";
      readonly conditions: readonly CallCondition[];
      readonly seeds: readonly Seed[];
      /** From 0: other random numbers each time. */
      readonly turn: number;
      readonly timeMs: number;
    }
  /** Whole runs of a test in which the conditions of functions are to be met. */
  | {
      readonly kind: "whole";
      readonly seed: Seed;
      /** The seed was not recorded but made, and never ran natively. */
      readonly isMade: boolean;
      /** What edited a seed that failed, if it was not chance. */
      readonly editedBy?: "approach";
      readonly conditions: readonly CallCondition[];
      /** Beyond the test's own path: towards the functions, as long as there is time. */
      readonly explores: boolean;
      readonly timeMs: number;
    };

export interface MutationTurn {
  /** From 1: other random numbers each time. */
  readonly turn: number;
  /** Mutations that have covered something new, as seeds. */
  readonly made: readonly Seed[];
}

export type ProfileWork = Extract<ComposeWork, { readonly kind: "profile" }>;
export type UnitWork = Extract<ComposeWork, { readonly kind: "unit" }>;
export type CarryWork = Extract<ComposeWork, { readonly kind: "carry" }>;
export type ApproachWork = Extract<ComposeWork, { readonly kind: "approach" }>;
export type WholeWork = Extract<ComposeWork, { readonly kind: "whole" }>;

export interface ProfileResult {
  readonly kind: "profile";
  readonly facts: ProgramFacts | null;
  readonly profile: CallProfile;
  readonly contexts: readonly UnitSeed[];
  /** Mutations on which the program failed, one for each place, as seeds. */
  readonly failed: readonly Seed[];
  /** Mutations that have covered something new: what the next turn goes on from. */
  readonly made: readonly Seed[];
  /** The tests with some of their literals as input each. */
  readonly literalTests: readonly Seed[];
  /** By seed: why it could not be run, or null. */
  readonly problems: readonly (string | null)[];
  readonly milliseconds: number;
}

export interface CarryResult {
  readonly kind: "carry";
  /** On which the whole program failed at the condition's line, as a seed; null if it failed on none. */
  readonly carried: Seed | null;
  /** On which it failed elsewhere, one for each place. */
  readonly failed: readonly Seed[];
  readonly milliseconds: number;
}

export interface ApproachResult {
  readonly kind: "approach";
  /** On which the whole program failed at a condition's line, as a seed. */
  readonly found: readonly { readonly condition: number; readonly seed: Seed }[];
  /** By condition: how near a call came to it; infinite if its function was not called. */
  readonly nearest: readonly number[];
  /** On which it failed elsewhere, one for each place. */
  readonly failed: readonly Seed[];
  readonly runs: number;
  readonly milliseconds: number;
}

export interface UnitResultOfItem {
  readonly kind: "unit";
  /** Why the function cannot be a unit; then everything else is empty. */
  readonly problem: string | null;
  /** Failures of its own, and conditions of callees that it can meet: both are conditions of this function. */
  readonly failures: readonly CallCondition[];
  /** Of conditions that were given and not met. */
  readonly unmet: readonly UnmetCondition[];
  readonly accounts: UnitAccounts;
}

export interface UnmetCondition {
  /** Index into the item's conditions. */
  readonly condition: number;
  readonly state: UnmetState;
}

export type UnmetState =
  /** No path that was explored calls the function. */
  | { readonly kind: "not-called" }
  /** What is said of memory is not there at the call: a pointer is null, an object is smaller. */
  | { readonly kind: "other-shape"; readonly calls: number }
  /** Every explored path to the call contradicts it: by these conditions on the way, and this of what is needed. */
  | {
      readonly kind: "contradicted";
      readonly calls: number;
      readonly needed: readonly ConditionInWords[];
      readonly against: readonly ConditionInWords[];
    }
  /** Met at the call, but the failure did not come (whole runs). */
  | { readonly kind: "not-failing"; readonly calls: number }
  | { readonly kind: "unknown"; readonly calls: number };

export interface UnitAccounts {
  readonly paths: number;
  readonly runs: number;
  readonly solverMs: number;
  /** Of the solver; and runs that left their predicted path. */
  readonly queries?: number;
  readonly divergences?: number;
  readonly milliseconds: number;
  readonly isComplete: boolean;
  readonly blocks: number;
  readonly coveredBlocks: number;
  /** Before refinement. */
  readonly coveredFirst: number;
  readonly contexts: number;
  readonly interpolants: number;
  /** Refinements after which the condition was met. */
  readonly interpolantsUsed: number;
  readonly interpolationMs: number;
  /** Taken from the cache, not explored. */
  readonly isCached: boolean;
}

/** Of an item that has done nothing. */
export const NO_ACCOUNTS: UnitAccounts = {
  ...{ paths: 0, runs: 0, solverMs: 0, milliseconds: 0, isComplete: true, isCached: false },
  ...{ blocks: 0, coveredBlocks: 0, coveredFirst: 0, contexts: 0 },
  ...{ interpolants: 0, interpolantsUsed: 0, interpolationMs: 0 },
};

export interface WholeResult {
  readonly kind: "whole";
  /** Conditions whose failure was shown by a whole run; each was told as a finding, by its id. */
  readonly validated: readonly { readonly condition: number; readonly finding: string }[];
  readonly unmet: readonly UnmetCondition[];
  readonly accounts: UnitAccounts;
}

/** Why a test says not all: it would have gone on, so what it did until then is like any other test. The limit follows. */
export const CUT_SHORT_BY = "it was cut short by the limit of";

/** Why an item was skipped at the end of a campaign: the next one may do it. */
export const NO_TIME_LEFT = "there was no time left";

export type ComposeItemResult = ProfileResult | UnitResultOfItem | CarryResult | ApproachResult | WholeResult;

/** Told as the technique's own event when a finding is: which target it proves, and by which chain from `main`. */
export interface ComposedFinding {
  readonly finding: string;
  readonly target: TargetRef;
  readonly chain: readonly ChainLink[];
}
