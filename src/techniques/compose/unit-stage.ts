// One function explored as a unit, started in one way (in a real context, or by its types), with the conditions of its callees as goals. What
// fails is told as conditions of this function. For goals that were not met, what stands against them is found out, and interpolants are
// assumed at the entry, one more each time, until the goal is met or coverage has not grown three times in a row.

import type { UnitExecutor } from "../../engine/unit-executor.js";
import type { ExprRef } from "../../expr/ops.js";
import { importExpressions, type PortableExprs } from "../../expr/portable.js";
import type { ProgramImage } from "../../jit/image.js";
import { assembleSolver } from "../../solver/chain.js";
import type { Model } from "../../solver/solver.js";
import { ConditionWords } from "../unit/condition-words.js";
import {
  type ConditionInWords,
  conditionsInWords,
  StudiedUnit,
  type UnitCoverage,
  UnitExploration,
  type UnitHost,
  type UnitPlan,
} from "../unit/explore-unit.js";
import type { DescribedUnit } from "../unit/unit-inputs.js";
import type { RunnerOptions, UnitRunner } from "../unit/unit-run.js";
import { conditionOf, leafIn } from "./call-condition.js";
import { CallGoals } from "./call-goals.js";
import type { CallCondition, Realism, UnmetState } from "./compose-work.js";
import { GoalGuidance, sameInput } from "./explore-goals.js";
import { type Conflict, conflictOf } from "./goal-conflict.js";

/** A way to start the function. */
export interface StageStart {
  readonly unit: DescribedUnit;
  make(options: Omit<RunnerOptions, "module">): UnitRunner;
}

export interface StagePlan extends UnitPlan {
  /** Interpolants are used. */
  readonly refines: boolean;
  /** Conditions of callees lead the search. */
  readonly leads: boolean;
  readonly realism: Realism;
  /** Interpolants are checked by another solver; for tests. */
  readonly verify: boolean;
}

export interface StageAccounts {
  paths: number;
  runs: number;
  solverMs: number;
  interpolants: number;
  interpolantsUsed: number;
  interpolationMs: number;
}

export interface StageOutcome {
  readonly failures: readonly CallCondition[];
  /** By goal; null: its failure was found. */
  readonly unmet: readonly (UnmetState | null)[];
  readonly accounts: StageAccounts;
  /** Before refinement, and after it. */
  readonly first: UnitCoverage;
  readonly coverage: UnitCoverage;
  readonly isComplete: boolean;
}

/** Of a stage's time, for the first exploration, if there are goals that may need more. */
const FIRST_SHARE = 0.6;
const LEAST_SLICE_MS = 100;
/** Refinements in a row that cover nothing new. */
const FRUITLESS = 3;
const MOST_REFINEMENTS = 12;
const INTERPOLATION_MS = 500;

export function runStage(
  image: ProgramImage,
  start: StageStart,
  conditions: readonly CallCondition[],
  plan: StagePlan,
  host: UnitHost,
): StageOutcome | { readonly kind: "failed"; readonly message: string } {
  const stage = new Stage(image, start, conditions, plan, host);
  const problem = stage.make();
  if (problem !== null) return { kind: "failed", message: problem };
  const outcome = stage.run();
  stage.release();
  return outcome;
}

class Stage {
  private readonly endsMs: number;
  private readonly goals: CallGoals;
  private readonly studiedGoals: CallGoals;
  private readonly guidance: GoalGuidance;
  private readonly failures: CallCondition[] = [];
  private readonly told = new Set<string>();
  /** Targets that failed, by id. */
  private readonly failed = new Set<string>();
  private readonly accounts: StageAccounts = {
    paths: 0,
    runs: 0,
    solverMs: 0,
    interpolants: 0,
    interpolantsUsed: 0,
    interpolationMs: 0,
  };
  /** Learned from conflicts; all of them are assumed. */
  private assumed: PortableExprs[] = [];
  private readonly conflicts: (Conflict | null)[];
  private explorer!: UnitExecutor;
  private second!: StudiedUnit;
  private isComplete = true;

  constructor(
    private readonly image: ProgramImage,
    private readonly start: StageStart,
    private readonly conditions: readonly CallCondition[],
    private readonly plan: StagePlan,
    private readonly host: UnitHost,
  ) {
    this.endsMs = performance.now() + plan.timeMs;
    this.goals = new CallGoals(image, conditions);
    this.studiedGoals = new CallGoals(image, conditions);
    this.guidance = new GoalGuidance(image, this.goals, plan.leads);
    this.conflicts = conditions.map(() => null);
  }

  /** Null, or why the unit cannot be made. */
  make(): string | null {
    const assumptions = (executor: UnitExecutor): readonly ExprRef[] => this.assumptions(executor);
    const explorer = this.start.make({ summaries: false, hooks: this.goals.hooks, assumptions });
    if (explorer.kind === "failed") return explorer.message;
    this.explorer = explorer.executor;
    this.second = new StudiedUnit(() =>
      this.start.make({ summaries: true, hooks: this.studiedGoals.hooks, assumptions }),
    );
    return null;
  }

  run(): StageOutcome {
    const { plan } = this;
    const refines = plan.refines && this.conditions.length > 0;
    const first = this.explore(refines ? plan.timeMs * FIRST_SHARE : plan.timeMs, []);
    let coverage = first;
    if (refines) coverage = this.refine(first);
    return {
      failures: this.failures,
      unmet: this.conditions.map((_, goal) => this.unmet(goal)),
      accounts: this.accounts,
      first,
      coverage,
      isComplete: this.isComplete,
    };
  }

  /** What it says is plain data. */
  release(): void {
    this.explorer.release();
    this.second.release();
  }

  private get leftMs(): number {
    return this.endsMs - performance.now();
  }

  private explore(timeMs: number, seeds: readonly Model[]): UnitCoverage {
    const { start, plan, host, explorer, second, guidance } = this;
    const exploration = new UnitExploration(start.unit, { ...plan, timeMs }, host, explorer, second, guidance, seeds);
    let complete = false;
    guidance.begin(timeMs);
    for (const event of exploration.events()) {
      if (event.kind === "done") complete = event.summary.complete;
      const study = exploration.lastStudy;
      if (event.kind !== "failure" || study === null) continue;
      const condition = conditionOf({
        ...{ unit: start.unit, executor: second.executor, failure: event.failure, study },
        given: this.conditions,
        realism: plan.realism,
      });
      if (condition !== null) this.failing(condition);
      // Whoever gives goals wants to know about them; the function's own failures are another item's.
      if (this.conditions.length > 0 && !this.conditions.some((_, goal) => this.isOpen(goal))) break;
    }
    const { statistics } = exploration.summary("exhausted", complete);
    this.accounts.paths += statistics.paths;
    this.accounts.runs += statistics.runs;
    this.accounts.solverMs += statistics.solver.timeMs;
    this.isComplete &&= complete;
    return exploration.coverage();
  }

  private failing(condition: CallCondition): void {
    // Farther out of bounds than any object is: the same line says it in a better way.
    if (condition.target.kind === "wild-access" && this.failed.has(condition.target.id)) return;
    this.failed.add(condition.target.id);
    const key = `${condition.target.id}\n${condition.parts.map(({ text }) => text).join("\n")}`;
    if (this.told.has(key)) return;
    this.told.add(key);
    this.failures.push(condition);
  }

  private isOpen(goal: number): boolean {
    return !this.failed.has(this.conditions[goal].target.id);
  }

  // ---- refinement

  private refine(first: UnitCoverage): UnitCoverage {
    let coverage = first;
    for (const goal of this.conditions.keys()) {
      if (!this.isOpen(goal) || this.leftMs < LEAST_SLICE_MS) continue;
      this.assumed = [];
      let fruitless = 0;
      for (let turn = 0; turn < MOST_REFINEMENTS && fruitless < FRUITLESS && this.leftMs >= LEAST_SLICE_MS; turn++) {
        const learned = this.learn(goal);
        if (learned === null) break;
        this.assumed.push(learned.interpolant);
        const before = coverage.coveredBlocks;
        this.guidance.conflicts[goal].length = 0;
        coverage = this.explore(this.leftMs / 2, learned.seeds);
        if (!this.isOpen(goal)) {
          this.accounts.interpolantsUsed++;
          break;
        }
        fruitless = coverage.coveredBlocks > before ? 0 : fruitless + 1;
      }
    }
    this.assumed = [];
    return coverage;
  }

  /** An interpolant from a run that asked for the goal in vain, and an input that it allows. */
  private learn(goal: number): { readonly interpolant: PortableExprs; readonly seeds: readonly Model[] } | null {
    const { second, explorer, studiedGoals } = this;
    for (const input of this.guidance.conflicts[goal].splice(0)) {
      const conflict = this.conflictOn(goal, sameInput(explorer, second.executor, input), studiedGoals);
      if (conflict?.interpolant == null) continue;
      this.accounts.interpolants++;
      const seed = this.seedFor([...this.assumed, conflict.interpolant], input);
      if (seed === null) continue;
      const around = conflict.around === null ? [] : [sameInput(second.executor, explorer, conflict.around)];
      return { interpolant: conflict.interpolant, seeds: [seed, ...around] };
    }
    return null;
  }

  private conflictOn(goal: number, input: Model, goals: CallGoals): Conflict | null {
    const { plan, host } = this;
    const { executor: studied, solver } = this.second;
    const startedMs = performance.now();
    const conflict = conflictOf(studied, goals, goal, input, solver, {
      run: { instructions: plan.instructions, timeMs: plan.studyMs, abort: host.abort },
      interpolationMs: Math.min(INTERPOLATION_MS, Math.max(0, this.leftMs)),
      verify: plan.verify,
    });
    this.accounts.interpolationMs += performance.now() - startedMs;
    if (conflict !== null) this.conflicts[goal] = conflict;
    return conflict;
  }

  private seedFor(assumed: readonly PortableExprs[], hint: Model): Model | null {
    const { explorer } = this;
    const constraints = assumed.flatMap((one) => this.imported(explorer, one));
    const solver = assembleSolver(explorer.arena, {});
    const verdict = solver.solve({ constraints, hint, deadlineMs: performance.now() + INTERPOLATION_MS });
    return verdict.kind === "sat" ? verdict.model : null;
  }

  private assumptions(executor: UnitExecutor): readonly ExprRef[] {
    return this.assumed.flatMap((one) => this.imported(executor, one));
  }

  /** Conditions on objects that this executor has not met yet are left out. */
  private imported(executor: UnitExecutor, portable: PortableExprs): ExprRef[] {
    const roots = importExpressions(executor.arena, portable, (leaf) => leafIn(executor, leaf));
    return roots.filter((root): root is ExprRef => root !== null);
  }

  // ---- what stands against a goal

  private unmet(goal: number): UnmetState | null {
    if (!this.isOpen(goal)) return null;
    const { calls, otherShape, excluded, excludedBy, met } = this.goals.states[goal];
    if (calls === 0) return otherShape === 0 ? { kind: "not-called" } : { kind: "other-shape", calls: otherShape };
    if (met > 0) return { kind: "not-failing", calls };
    const conflict = this.conflicts[goal] ?? this.lastConflict(goal);
    const isContradicted = this.guidance.contradicted[goal] > 0 || excluded === calls;
    if (!isContradicted) return { kind: "unknown", calls };
    const needed = (conflict?.needed ?? excludedBy).map((part) => this.conditions[goal].parts[part]);
    return {
      kind: "contradicted",
      calls,
      needed: needed.filter((part) => part !== undefined),
      against: conflict === null ? [] : this.inWords(conflict),
    };
  }

  private lastConflict(goal: number): Conflict | null {
    for (const input of this.guidance.conflicts[goal]) {
      const conflict = this.conflictOn(goal, sameInput(this.explorer, this.second.executor, input), this.studiedGoals);
      if (conflict !== null) return conflict;
    }
    return null;
  }

  private inWords({ against }: Conflict): readonly ConditionInWords[] {
    const { start, image } = this;
    const { executor: studied } = this.second;
    const words = ConditionWords.ofRun(start.unit, studied);
    return conditionsInWords(image, against, words);
  }
}
