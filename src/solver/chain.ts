// The one place that assembles the solver. A query enters at the last line of `assembleSolver` and leaves at the first layer
// that can answer; cheap layers come first, so that a query costs as little as its difficulty.

import { join } from "node:path";
import type { ExprArena } from "../expr/arena.js";
import { BlastingSolver, DEFAULT_BLASTING_LIMITS } from "./blast/blasting-solver.js";
import { type ExternalCommand, ExternalSolver } from "./external.js";
import { ByteDomainLayer } from "./layers/byte-domain-layer.js";
import { ByteDomains } from "./layers/byte-domains.js";
import { ByteSearchLayer } from "./layers/byte-search.js";
import { ContradictionLayer } from "./layers/contradictions.js";
import { CrossCheckSolver } from "./layers/cross-check.js";
import { ExpensiveNodes } from "./layers/expensive-nodes.js";
import { FloatSearchLayer } from "./layers/float-search.js";
import { IndependenceLayer } from "./layers/independence.js";
import { LoadedModel } from "./layers/loaded-model.js";
import { Meter, type Tally } from "./layers/meter.js";
import { ModelCheckLayer } from "./layers/model-check.js";
import { ModelReuseLayer } from "./layers/model-reuse.js";
import { NearContradictionLayer } from "./layers/near-contradiction.js";
import { QueryCacheLayer } from "./layers/query-cache.js";
import { QueryLog, QueryLogLayer } from "./layers/query-log.js";
import { SubstitutionLayer } from "./layers/substitution.js";
import { TimeLimitLayer } from "./layers/time-limit.js";
import type { Model, Query, Solver, Verdict } from "./solver.js";

export interface SolverOptions {
  /** Per query. */
  readonly timeMs?: number;
  /** Of the SAT solver, per query. */
  readonly conflicts?: number;
  /** Of the small SAT solver, before CaDiCaL takes over. */
  readonly quickConflicts?: number;
  /** Recent models tried on each query that is not trivial; each costs about a microsecond. */
  readonly maxModels?: number;
  readonly cacheEntries?: number;
  /** Answers instead of our own core. */
  readonly external?: ExternalCommand;
  /** Asked as well, for every query that reaches the core; a disagreement throws. */
  readonly crossCheck?: ExternalCommand;
  /** Where queries that reach the core are written (disputed ones always are, below `query-log` if nothing is said). */
  readonly logDirectory?: string;
  /** Log every query as it comes in, also those that a layer before the core answers. */
  readonly logEverything?: boolean;
}

/** Counts of one layer; times are its own, without the layers behind it. */
export interface LayerStats {
  readonly name: string;
  readonly asked: number;
  readonly answered: number;
  readonly timeMs: number;
}

export interface SolverStats {
  /** All queries, by verdict, with times. */
  readonly total: Readonly<Tally>;
  /** Share of the time spent on unsatisfiable queries, 0 to 1. */
  readonly unsatShare: number;
  readonly layers: readonly LayerStats[];
  /** How the layers answered, in their own words. */
  readonly details: Readonly<Record<string, number>>;
}

export interface ChainedSolver extends Solver {
  readonly stats: SolverStats;
  /** A model worth trying on later queries, such as a seed. */
  offer(model: Model): void;
}

const DEFAULT_MAX_MODELS = 12;
const DEFAULT_LOG_DIRECTORY = "query-log";
const DEFAULT_CACHE_ENTRIES = 1 << 15;

export function assembleSolver(arena: ExprArena, options: SolverOptions = {}): ChainedSolver {
  const loaded = new LoadedModel(arena);
  const limits = {
    quickConflicts: options.quickConflicts ?? DEFAULT_BLASTING_LIMITS.quickConflicts,
    conflicts: options.conflicts ?? DEFAULT_BLASTING_LIMITS.conflicts,
    timeMs: options.timeMs ?? DEFAULT_BLASTING_LIMITS.timeMs,
  };
  const domains = new ByteDomains(arena, limits.timeMs);
  const blasting = new BlastingSolver(arena, limits, domains);
  let answering: Solver = blasting;
  if (options.external !== undefined) answering = new ExternalSolver(arena, options.external, limits.timeMs);
  let crossCheck: CrossCheckSolver | null = null;
  if (options.crossCheck !== undefined) {
    const second = new ExternalSolver(arena, options.crossCheck, limits.timeMs);
    const disputes = new QueryLog(arena, join(options.logDirectory ?? DEFAULT_LOG_DIRECTORY, "disputed"));
    crossCheck = new CrossCheckSolver(answering, second, disputes);
    answering = crossCheck;
  }
  const log = options.logDirectory === undefined ? null : new QueryLog(arena, options.logDirectory);
  if (log !== null && options.logEverything !== true) answering = new QueryLogLayer(log, answering);
  const core = new Meter(answering);
  // Another solver's answers are to be its own.
  const near = answering === blasting ? new NearContradictionLayer(arena, blasting, core) : null;
  const beforeNear = near === null ? null : new Meter(near);
  const nodes = new ExpensiveNodes(arena);
  const floats =
    answering === blasting
      ? new FloatSearchLayer(arena, loaded, nodes, blasting, limits.timeMs, beforeNear ?? core)
      : null;
  const beforeFloats = floats === null ? null : new Meter(floats);
  const substitution = new SubstitutionLayer(arena, nodes, beforeFloats ?? core);
  const beforeSubstitution = new Meter(substitution);
  const limited = new TimeLimitLayer(limits.timeMs, beforeSubstitution);
  const reuse = new ModelReuseLayer(arena, loaded, limited, options.maxModels ?? DEFAULT_MAX_MODELS);
  const beforeReuse = new Meter(reuse);
  const search = new ByteSearchLayer(arena, domains, loaded, beforeReuse);
  const beforeSearch = new Meter(search);
  const cache = new QueryCacheLayer(arena, beforeSearch, options.cacheEntries ?? DEFAULT_CACHE_ENTRIES);
  const beforeCache = new Meter(cache);
  const contradictions = new ContradictionLayer(arena, beforeCache);
  const beforeContradictions = new Meter(contradictions);
  const independence = new IndependenceLayer(arena, loaded, beforeContradictions);
  const check = new ModelCheckLayer(loaded, independence);
  const beforeIndependence = new Meter(check);
  const bytes = new ByteDomainLayer(arena, domains, beforeIndependence);
  substitution.front = bytes;
  const entry = new Meter(log !== null && options.logEverything === true ? new QueryLogLayer(log, bytes) : bytes);

  const stages: readonly (readonly [string, Meter])[] = [
    ["byte domains", entry],
    ["independence and hint", beforeIndependence],
    ["known contradictions", beforeContradictions],
    ["query cache", beforeCache],
    ["byte search", beforeSearch],
    ["model reuse", beforeReuse],
    ["substitution", beforeSubstitution],
    ...(beforeFloats === null ? [] : ([["floating-point search", beforeFloats]] as const)),
    ...(beforeNear === null ? [] : ([["near contradictions", beforeNear]] as const)),
    ["core", core],
  ];
  return {
    solve: (query: Query): Verdict => entry.solve(query),
    giveBack: (): void => blasting.giveBack(),
    offer: (model: Model): void => reuse.offer(model),
    get stats(): SolverStats {
      return {
        total: entry.tally,
        unsatShare: entry.tally.timeMs === 0 ? 0 : entry.tally.unsatMs / entry.tally.timeMs,
        layers: stages.map(([name, { tally }], i) => {
          const behind = stages[i + 1]?.[1].tally;
          // Rewritten queries start again at the first layer, but not at the meter before it; and their time inside of
          // substitution is counted by earlier layers as well.
          const answered = i === 0 ? bytes.sat + bytes.unsat : tally.calls - (behind?.calls ?? 0);
          return {
            name,
            asked: answered + (behind?.calls ?? 0),
            answered,
            timeMs: Math.max(0, tally.timeMs - (behind?.timeMs ?? 0)),
          };
        }),
        details: {
          "byte domains, sat": bytes.sat,
          "byte domains, unsat": bytes.unsat,
          "parts that the hint satisfies": independence.byHint,
          "cached queries": cache.hits,
          "models by byte search": search.found,
          "reused models": reuse.reused,
          "reused contradictions": contradictions.reused,
          "queries rewritten": substitution.rewritten,
          "contradictions by rewriting": substitution.contradictions,
          "contradictions nearby": near?.found ?? 0,
          "models by floating-point search": floats?.found ?? 0,
          "floating-point queries the core answered at once": floats?.between ?? 0,
          "models checked": check.checked,
          "queries cross-checked": crossCheck?.compared ?? 0,
          "answers of the small SAT solver": blasting.counts.quick,
          "answers of CaDiCaL": blasting.counts.cadical,
          conflicts: blasting.counts.conflicts,
          variables: blasting.counts.variables,
        },
      };
    },
  };
}
