// Everything that can be asked of an exploration, with the defaults and their reasons. A technique is a set of these.

import type { ExprRef } from "../expr/ops.js";
import type { CheckPolicy, ExplorationMode, FrontierOptions } from "../path/frontier.js";
import type { SiteId } from "../path/observer.js";
import type { DecisionListener } from "../path/recorder.js";
import type { SearcherName } from "../search/registry.js";
import type { Distance, Searcher, SearcherParts } from "../search/searcher.js";
import type { Model, Solver } from "../solver/solver.js";
import { Random } from "../support/random.js";
import type { InputMaker } from "./input-tries.js";

export interface EngineLimits {
  readonly timeMs: number;
  readonly paths: number;
  /** Decisions on one path. */
  readonly depth: number;
  readonly solverTimeMs: number;
  readonly memoryBytes: number;
  /** The exploration ends if it stays above this whatever is dropped; without it, `memoryBytes`. */
  readonly memoryEndBytes?: number;
  readonly instructionsPerPath: number;
  readonly timePerRunMs: number;
  /** Of a run that leaves a path which was run before; without it, `timePerRunMs`. */
  readonly timePerRevivedMs?: number;
}

export const NO_LIMITS: EngineLimits = {
  timeMs: Number.POSITIVE_INFINITY,
  paths: Number.POSITIVE_INFINITY,
  depth: Number.POSITIVE_INFINITY,
  solverTimeMs: Number.POSITIVE_INFINITY,
  memoryBytes: Number.POSITIVE_INFINITY,
  instructionsPerPath: Number.POSITIVE_INFINITY,
  timePerRunMs: Number.POSITIVE_INFINITY,
};

export interface EngineOptions {
  readonly mode: ExplorationMode;
  readonly checks: CheckPolicy | FrontierOptions["checks"];
  /** Of all time, for checks that are asked at once; then those that always hold are left pending (path/check-patience.ts). */
  readonly checkShare: number;
  /** A name of the table of searchers, several joined by "+", or a searcher of one's own. */
  readonly searcher: SearcherName | (string & {}) | ((parts: SearcherParts) => Searcher);
  /** Inputs to run first. Without any, the empty input: all bytes 0. */
  readonly seeds: readonly Model[];
  readonly limits: Partial<EngineLimits>;
  readonly stopAtFirstFinding: boolean;
  /** Runs that take so many instructions more than they are known to need are set aside for later; see long-runs.ts. */
  readonly setAsideAfter: number;
  /**
   * In milliseconds: what the first question for a pending path may take. If it is not answered, the path is asked again later with more
   * time (hard-questions.ts). Infinity: every question is asked to its end at once.
   */
  readonly firstQuestionMs: number;
  /** After so many witnesses in a row from one check that showed nothing new, it is not asked again; that is a loss, and counted. */
  readonly witnessesPerSite: number;
  /** Makes inputs to be tried out beside the search; null: none are. */
  readonly inputMaker: InputMaker | null;
  readonly random: Random;
  /** Milliseconds; only differences count. */
  readonly now: () => number;
  readonly distance: Distance;
  /** Of a site's pending paths, for searchers that choose by distance; see SearcherParts. */
  readonly weight: SearcherParts["weight"];
  /** Bytes in use, if more than the engine's own accounts are to be limited; on request, what nobody needs is freed before. */
  readonly memoryUsed: ((collectFirst?: boolean) => number) | null;
  /** Expressions that no pending path needs are collected when all of them take more than this. */
  readonly expressionBytes: number;
  /** Checked between runs; an AbortSignal will do. */
  readonly abort: { readonly aborted: boolean };
  readonly listeners: readonly EngineListener[];
  readonly solver: Solver;
}

/** What a technique may want to see beyond the events; all are optional. */
export interface EngineListener {
  readonly decision?: DecisionListener["decision"];
  /** A pending path is infeasible because of these earlier decisions. Computed only if someone asks. */
  readonly infeasible?: (goal: BranchPlace, core: readonly BranchPlace[]) => void;
  /** Expressions to keep when unused ones are collected, and word of their new references, by the old ones. */
  readonly keeps?: () => readonly ExprRef[];
  readonly moved?: (to: Int32Array) => void;
}

/** A decision on a path by its static identity: the occurrence counts the decisions at that site before it. */
export interface BranchPlace {
  readonly site: SiteId;
  readonly occurrence: number;
  /** Decisions before it. */
  readonly position: number;
}

export function defaultOptions(solver: Solver): EngineOptions {
  return {
    mode: "pending",
    checks: "eager",
    checkShare: Number.POSITIVE_INFINITY,
    searcher: "interleaved",
    seeds: [],
    limits: {},
    stopAtFirstFinding: false,
    setAsideAfter: Number.POSITIVE_INFINITY,
    firstQuestionMs: Number.POSITIVE_INFINITY,
    witnessesPerSite: Number.POSITIVE_INFINITY,
    inputMaker: null,
    random: new Random(1),
    now: () => performance.now(),
    distance: () => 0,
    weight: () => 1,
    memoryUsed: null,
    expressionBytes: 256 * 1024 * 1024,
    abort: { aborted: false },
    listeners: [],
    solver,
  };
}
