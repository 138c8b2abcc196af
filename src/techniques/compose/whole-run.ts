// Conditions of functions asked for in whole runs of a recorded test: its own input is symbolic, and at each call of such a function the
// condition is a decision of the path. An input that meets one runs on into the function; if it fails there, and fails again by itself, the
// unit's failure is a finding of the program.

import type { ItemContext, ItemOutcome } from "../../campaign/technique.js";
import type { RunLimits } from "../../engine/executor.js";
import { GuidedExploration } from "../../engine/guided-exploration.js";
import { type HookedProgram, hookedTest } from "../../engine/hooked-program.js";
import type { TestInput } from "../../inputs/test-input.js";
import { EXPLORING_SHARE } from "../../path/check-patience.js";
import type { SiteId } from "../../path/observer.js";
import { assembleSolver } from "../../solver/chain.js";
import type { Model, Solver } from "../../solver/solver.js";
import { memoryGauge } from "../../support/memory-gauge.js";
import { Random } from "../../support/random.js";
import { CoverageDistance } from "../coverage-distance.js";
import { sitesOfTests } from "../failures-of-tests.js";
import { FindingTeller, type FoundEvent, toldTest } from "../tell-finding.js";
import { testOfSeed } from "../test-of-seed.js";
import type { ConditionInWords } from "../unit/explore-unit.js";
import { targetOf } from "./call-condition.js";
import { CallGoals } from "./call-goals.js";
import type { ComposedFinding, ComposeSetup, UnmetState, WholeResult, WholeWork } from "./compose-work.js";
import { NO_ACCOUNTS } from "./compose-work.js";
import { GoalGuidance, sameInput } from "./explore-goals.js";
import { type Conflict, conflictOf } from "./goal-conflict.js";

export function runWhole(work: WholeWork, setup: ComposeSetup, context: ItemContext): ItemOutcome<WholeResult> {
  const made = testOfSeed(work.seed, setup);
  if (made.kind === "broken") return { kind: "skipped", why: made.problem };
  const { test } = made;
  const { image, module } = context;
  const goals = new CallGoals(image, work.conditions);
  const { heapBytes, randomSeed: seed } = setup;
  const hooked = hookedTest(image, test, { heapBytes, seed }, { hooks: goals.hooks }, module);
  if (hooked.kind === "failed") return { kind: "skipped", why: hooked.message };
  const second = (): StudiedProgram | null => {
    const own = new CallGoals(image, work.conditions);
    const made = hookedTest(image, test, { heapBytes, seed }, { hooks: own.hooks, summaries: true }, module);
    if (made.kind === "failed") return null;
    return { executor: made.executor, goals: own, solver: assembleSolver(made.executor.arena, {}) };
  };
  const run = new WholeRun(work, setup, context, test, goals, hooked.executor, second);
  const outcome = run.run();
  run.release();
  return outcome;
}

/** A second machine, in which runs that asked for a condition in vain are looked at. */
interface StudiedProgram {
  readonly executor: HookedProgram;
  readonly goals: CallGoals;
  readonly solver: Solver;
}

/** Of one condition: conflicts that are looked into. */
const MOST_LEARNED = 4;
const LEARNING_MS = 300;

/** Where paths are explored, checks that never fail must not take all of the time; a test's own path is checked to its end. */
function checkShareOf({ explores }: Pick<WholeWork, "explores">): number {
  return explores ? EXPLORING_SHARE : Number.POSITIVE_INFINITY;
}

/** Of the time for `main`, for one question: a hard one on a test's own path must leave time for the rest of it. */
const QUERY_SHARE = 0.05;
const LEAST_QUERY_MS = 50;

/** A question that meets a condition is what the run is for: it may take as long as any. */
export function queryMsOf(
  { conditions, timeMs }: Pick<WholeWork, "conditions" | "timeMs">,
  { solverQueryMs }: Pick<ComposeSetup, "solverQueryMs">,
): number {
  if (conditions.length > 0) return solverQueryMs;
  return Math.min(solverQueryMs, Math.max(LEAST_QUERY_MS, QUERY_SHARE * timeMs));
}

/** An input that has failed with nothing symbolic: questions on its way there would only take the time for it. */
function isToFail({ isMade, explores, conditions }: WholeWork): boolean {
  return isMade && !explores && conditions.length === 0;
}

class WholeRun {
  private studied: StudiedProgram | null = null;
  /** By condition: conflicts that were looked into. */
  private readonly learned: number[];
  private readonly conflicts: (Conflict | null)[];
  /** By condition: inputs that go around what stands against it. */
  private readonly made: number[];
  private interpolationMs = 0;
  private readonly startedMs = performance.now();
  private readonly guided: GuidedExploration;
  private readonly guidance: GoalGuidance;
  private readonly teller: FindingTeller;
  /** By condition: the finding that shows it. */
  private readonly validated = new Map<number, string>();
  private isOver = false;
  /** Inputs that the engine was given and has not run: the test's own is one. */
  private seedsToRun = 1;
  private readonly refines: boolean;
  private readonly runLimits: RunLimits;

  constructor(
    private readonly work: WholeWork,
    setup: ComposeSetup,
    private readonly context: ItemContext,
    test: TestInput,
    private readonly goals: CallGoals,
    private readonly executor: HookedProgram,
    private readonly second: () => StudiedProgram | null,
  ) {
    this.learned = work.conditions.map(() => 0);
    this.made = work.conditions.map(() => 0);
    this.conflicts = work.conditions.map(() => null);
    this.refines = !setup.without.includes("interpolants");
    this.runLimits = { instructions: setup.instructionsPerPath, timeMs: work.timeMs, abort: context.abort };
    const { image, abort } = context;
    const { instructionsPerPath, memoryBytes, randomSeed } = setup;
    const timeMs = Math.min(work.timeMs, context.timeMs);
    const guidance = new GoalGuidance(image, goals, !setup.without.includes("goals"));
    guidance.begin(timeMs);
    this.guidance = guidance;
    const { seed, isMade } = work;
    this.teller = new FindingTeller(context, toldTest(image, { seed, test, isMade }), setup);
    const ofTests = seed.literals === undefined ? null : sitesOfTests(image);
    const near = new Set(work.conditions.flatMap(({ chain }) => chain.map((link) => link.function)));
    const uncovered = new CoverageDistance(image, executor.coverage);
    const isOver = (): boolean => this.isOver;
    this.guided = new GuidedExploration(
      executor,
      {
        solver: assembleSolver(executor.arena, { timeMs: queryMsOf(work, setup) }),
        random: new Random(randomSeed),
        limits: { timeMs, instructionsPerPath, memoryBytes, timePerRunMs: timeMs },
        seeds: [executor.firstInput],
        distance: (site, side) => {
          const wanted = guidance.distance(site, side);
          return wanted < Number.POSITIVE_INFINITY
            ? wanted
            : uncovered.of(site, side, this.guided.engine.counters.coveredBlocks);
        },
        // What fails elsewhere is amplification's business; but `main` is a unit too, and this is how it is tested.
        checks: (site) => {
          if (isToFail(work) || ofTests?.[site] === 1) return "off";
          return near.size === 0 || near.has(image.sites[site]?.functionIndex ?? -1) ? "eager" : "off";
        },
        checkShare: checkShareOf(work),
        listeners: [{ infeasible: guidance.infeasible.bind(guidance) }],
        memoryUsed: memoryGauge(),
        abort: {
          get aborted(): boolean {
            return abort.aborted || isOver();
          },
        },
      },
      { keepsRuns: true },
    );
  }

  run(): ItemOutcome<WholeResult> {
    const { guided, guidance, work } = this;
    let isExhausted = false;
    for (const event of guided.explore()) {
      if (event.kind === "done") isExhausted = event.reason === "exhausted";
      guidance.happened(event);
      if (event.kind === "run-finished") {
        guidance.runFinished(guided);
        if (event.origin === "seed") this.seedsToRun--;
      }
      if (event.kind === "finding-confirmed") this.found(event);
      if (!guidance.isWaiting && event.kind === "infeasible") this.goAround();
      this.isOver = this.isDone();
    }
    const statistics = guided.engine.statistics();
    const unmet = work.conditions.flatMap((_, condition) => {
      const state = this.validated.has(condition) ? null : this.unmet(condition);
      return state === null ? [] : [{ condition, state }];
    });
    const validated = [...this.validated].map(([condition, finding]) => ({ condition, finding }));
    const result: WholeResult = {
      kind: "whole",
      validated,
      unmet,
      accounts: {
        ...NO_ACCOUNTS,
        paths: statistics.paths,
        runs: statistics.runs,
        solverMs: statistics.solver.timeMs,
        milliseconds: performance.now() - this.startedMs,
        isComplete: isExhausted,
        interpolants: this.made.reduce((sum, count) => sum + count, 0),
        interpolantsUsed: this.interpolantsUsed(),
        interpolationMs: this.interpolationMs,
      },
    };
    // With less time than it was to have, it is not done.
    const { abort, timeMs } = this.context;
    const isEnded = this.isOver || isExhausted || timeMs >= work.timeMs;
    return { kind: "report", report: { isComplete: !abort.aborted && isEnded, result } };
  }

  /**
   * Nothing that was run meets some conditions: what stands against them is found out, and inputs that go another way from there on are
   * run next (the refinement of `main`).
   */
  private goAround(): void {
    if (!this.refines) return;
    for (const [goal, inputs] of this.guidance.conflicts.entries()) {
      if (this.goals.states[goal].met > 0 || this.validated.has(goal)) continue;
      for (const input of inputs.splice(0)) {
        if (this.learned[goal] >= MOST_LEARNED) break;
        this.learned[goal]++;
        const conflict = this.conflictOn(goal, input);
        if (conflict?.around == null || this.studied === null) continue;
        this.made[goal]++;
        this.seedsToRun++;
        this.guided.engine.addSeed(sameInput(this.studied.executor, this.executor, conflict.around));
      }
    }
  }

  private conflictOn(goal: number, input: Model): Conflict | null {
    this.studied ??= this.second();
    if (this.studied === null) return null;
    const startedMs = performance.now();
    const { executor, goals, solver } = this.studied;
    const conflict = conflictOf(executor, goals, goal, sameInput(this.executor, executor, input), solver, {
      run: this.runLimits,
      interpolationMs: LEARNING_MS,
      verify: false,
    });
    this.interpolationMs += performance.now() - startedMs;
    if (conflict !== null) this.conflicts[goal] = conflict;
    return conflict;
  }

  /** The machines are for the next item. */
  release(): void {
    this.executor.release();
    this.studied?.executor.release();
  }

  /** Everything is shown; or the test's own path was all that was wanted, and no condition waits for an answer. */
  private isDone(): boolean {
    const { work, guidance, goals, validated } = this;
    if (validated.size === work.conditions.length && (work.conditions.length > 0 || !work.explores)) return true;
    if (work.explores || guidance.isWaiting || this.seedsToRun > 0) return false;
    // One that was met should fail: what is near is looked at as long as there is time.
    return !work.conditions.some((_, n) => goals.states[n].met > 0 && !validated.has(n));
  }

  private interpolantsUsed(): number {
    return [...this.validated.keys()].filter((goal) => this.made[goal] > 0).length;
  }

  private found(event: FoundEvent): void {
    const { executor, guided, work, context } = this;
    const told = this.teller.tell(event, (input) => executor.space.valuesOfRun(input, event.outcome.objects));
    if (typeof told === "string") {
      guided.withdraw(event.finding);
      return;
    }
    const target = targetOf(told.finding);
    work.conditions.forEach((condition, n) => {
      if (condition.target.id !== target.id || this.validated.has(n)) return;
      this.validated.set(n, told.identity.id);
      // The line may have failed in another way than this condition's.
      const isMet = this.goals.met.has(n);
      const chain = isMet
        ? condition.chain
        : condition.chain.map((link) => ({ ...link, condition: [], arguments: [] }));
      const composed: ComposedFinding = { finding: told.identity.id, target, chain };
      context.tell({ kind: "own", value: composed });
    });
  }

  private unmet(goal: number): UnmetState {
    const { calls, otherShape, excluded, excludedBy, met } = this.goals.states[goal];
    if (calls === 0) return otherShape === 0 ? { kind: "not-called" } : { kind: "other-shape", calls: otherShape };
    if (met > 0) return { kind: "not-failing", calls };
    if (this.guidance.contradicted[goal] === 0 && excluded < calls) return { kind: "unknown", calls };
    const { parts } = this.work.conditions[goal];
    const conflict = this.conflicts[goal];
    const needed = (conflict?.needed ?? excludedBy).flatMap((part) => parts[part] ?? []);
    const against = conflict?.against.map(({ site }) => site) ?? this.guidance.against[goal];
    return { kind: "contradicted", calls, needed, against: this.places(against) };
  }

  /** Where it was decided; what, the source says there. */
  private places(sites: readonly SiteId[]): readonly ConditionInWords[] {
    const { image } = this.context;
    const told = new Set<string>();
    return sites.flatMap((site): ConditionInWords[] => {
      const location = image.locations[image.sites[site]?.location ?? -1];
      if (location === undefined || location.origin !== "program" || location.file === "") return [];
      const place = `${location.file}:${location.line}`;
      if (told.has(place)) return [];
      told.add(place);
      return [{ text: "", kind: "branch", file: location.file, line: location.line }];
    });
  }
}
