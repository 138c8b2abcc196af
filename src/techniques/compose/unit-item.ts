// One function as a unit, as a worker thread does it: started in each of the ways that the item names. Each is a stage (unit-stage.ts);
// what they find is put together, each line's conditions once.

import type { ItemContext, ItemOutcome } from "../../campaign/technique.js";
import { memoryGauge } from "../../support/memory-gauge.js";
import { DEFAULT_UNIT_PLAN } from "../unit/explore-unit.js";
import type {
  CallCondition,
  ComposeSetup,
  UnitAccounts,
  UnitResultOfItem,
  UnitWork,
  UnmetCondition,
  UnmetState,
} from "./compose-work.js";
import { NO_ACCOUNTS, NO_TIME_LEFT } from "./compose-work.js";
import { functionAt, storeOf } from "./linked-types.js";
import { possibleStages } from "./stage-starts.js";
import { runStage, type StageOutcome } from "./unit-stage.js";

/** One run of a unit: most units take far less, and one that loops is cut. */
const INSTRUCTIONS_A_RUN = 5e6;
const STUDY_MS = 400;
const LEAST_STAGE_MS = 50;

export function runUnit(work: UnitWork, setup: ComposeSetup, context: ItemContext): ItemOutcome<UnitResultOfItem> {
  const startedMs = performance.now();
  const { image, abort } = context;
  const fn = functionAt(context, work.function);
  if (fn === null) return report(failed("its code is not there", startedMs));
  const store = storeOf(context, setup);
  const key = store?.keyOf(work, settingsOf(setup)) ?? null;
  const kept = key === null ? null : (store?.load(key, work.timeMs) ?? null);
  if (kept !== null) return report(kept);
  const stages = possibleStages(fn, work, setup, context);
  const merged = new MergedStages(work.conditions);
  const endsMs = startedMs + Math.min(work.timeMs, context.timeMs);
  let problem: string | null = null;
  for (const [n, stage] of stages.entries()) {
    const leftMs = endsMs - performance.now();
    if (leftMs < LEAST_STAGE_MS || abort.aborted || merged.isMet) break;
    const start = stage.start();
    if ("kind" in start) {
      problem ??= start.message;
      continue;
    }
    const plan = {
      ...DEFAULT_UNIT_PLAN,
      // What others leave is for those that come after them.
      timeMs: (leftMs * stage.share) / stages.slice(n).reduce((sum, { share }) => sum + share, 0),
      studyMs: STUDY_MS,
      instructions: INSTRUCTIONS_A_RUN,
      memoryBytes: setup.memoryBytes,
      randomSeed: setup.randomSeed,
      refines: !setup.without.includes("interpolants"),
      leads: !setup.without.includes("goals"),
      verify: false,
    };
    const outcome = runStage(
      image,
      start,
      work.conditions,
      { ...plan, realism: stage.realism },
      { abort, memoryUsed: memoryGauge() },
    );
    if ("kind" in outcome) problem ??= outcome.message;
    else merged.add(outcome);
  }
  if (merged.stages === 0 && problem !== null) return report(failed(problem, startedMs));
  if (merged.stages === 0 && stages.length === 0) return report(failed("it cannot be started", startedMs));
  // Nothing is known of it: to say that it cannot be tested would be wrong, and remembered.
  if (merged.stages === 0) return { kind: "skipped", why: NO_TIME_LEFT };
  const result = merged.result(work, startedMs);
  // What was cut short is not what the same time would give again.
  const isWhole = !abort.aborted && context.timeMs >= work.timeMs;
  if (key !== null && isWhole) store?.save(key, result, work.timeMs);
  return report(result, !abort.aborted && (result.accounts.isComplete || isWhole));
}

/** Whatever changes what an exploration finds, besides the item itself. */
function settingsOf({ without, randomSeed, heapBytes, instructionsPerPath, memoryBytes }: ComposeSetup): string[] {
  return [without.join(" "), ...[randomSeed, heapBytes, instructionsPerPath, memoryBytes].map(String)];
}

function report(result: UnitResultOfItem, isComplete = true): ItemOutcome<UnitResultOfItem> {
  return { kind: "report", report: { isComplete, result } };
}

class MergedStages {
  stages = 0;
  private readonly failures = new Map<string, CallCondition>();
  private readonly unmet: (UnmetState | null)[];
  private isComplete = true;
  private blocks = 0;
  private covered = 0;
  private first = 0;
  private readonly sums = { paths: 0, runs: 0, solverMs: 0, interpolants: 0, interpolantsUsed: 0, interpolationMs: 0 };

  constructor(conditions: readonly CallCondition[]) {
    this.unmet = conditions.map(() => ({ kind: "not-called" }));
  }

  /** There were goals, and all of them are met. */
  get isMet(): boolean {
    return this.unmet.length > 0 && this.unmet.every((state) => state === null);
  }

  add({ failures, unmet, accounts, first, coverage, isComplete }: StageOutcome): void {
    this.stages++;
    for (const failure of failures) {
      const key = `${failure.target.id}\n${failure.parts.map(({ text }) => text).join("\n")}`;
      if (!this.failures.has(key)) this.failures.set(key, failure);
    }
    unmet.forEach((state, n) => {
      const known = this.unmet[n];
      if (known !== null && (state === null || rank(state) >= rank(known))) this.unmet[n] = state;
    });
    this.isComplete &&= isComplete;
    this.blocks = coverage.blocks;
    this.covered = Math.max(this.covered, coverage.coveredBlocks);
    this.first = Math.max(this.first, first.coveredBlocks);
    for (const name of Object.keys(this.sums) as (keyof typeof this.sums)[]) this.sums[name] += accounts[name];
  }

  result({ contexts }: UnitWork, startedMs: number): UnitResultOfItem {
    const unmet = this.unmet.flatMap((state, condition): UnmetCondition[] =>
      state === null ? [] : [{ condition, state }],
    );
    const accounts: UnitAccounts = {
      ...NO_ACCOUNTS,
      ...this.sums,
      milliseconds: performance.now() - startedMs,
      isComplete: this.isComplete,
      blocks: this.blocks,
      coveredBlocks: this.covered,
      coveredFirst: this.first,
      contexts: contexts.length,
    };
    return { kind: "unit", problem: null, failures: [...this.failures.values()], unmet, accounts };
  }
}

/** The more is known, the higher. */
function rank({ kind }: UnmetState): number {
  return ["not-called", "other-shape", "unknown", "contradicted", "not-failing"].indexOf(kind);
}

function failed(problem: string, startedMs: number): UnitResultOfItem {
  const accounts = { ...NO_ACCOUNTS, milliseconds: performance.now() - startedMs };
  return { kind: "unit", problem, failures: [], unmet: [], accounts };
}
