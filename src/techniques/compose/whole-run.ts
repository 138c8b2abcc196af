// Conditions of functions asked for in whole runs of a recorded test: its own input is symbolic, and at each call of such a function the
// condition is a decision of the path. An input that meets one runs on into the function; if it fails there, and fails again by itself, the
// unit's failure is a finding of the program.

import type { ItemContext, ItemOutcome } from "../../campaign/technique.js";
import { GuidedExploration } from "../../engine/guided-exploration.js";
import { type HookedProgram, hookedTest } from "../../engine/hooked-program.js";
import { seenFrom, type TestInput } from "../../inputs/test-input.js";
import type { SiteId } from "../../path/observer.js";
import { BlobStore } from "../../project/blob-store.js";
import { ProjectFolder } from "../../project/project-folder.js";
import { testOf } from "../../project/seed-test.js";
import { assembleSolver } from "../../solver/chain.js";
import { memoryGauge } from "../../support/memory-gauge.js";
import { Random } from "../../support/random.js";
import { FindingTeller, type FoundEvent } from "../tell-finding.js";
import type { ConditionInWords } from "../unit/explore-unit.js";
import { targetOf } from "./call-condition.js";
import { CallGoals } from "./call-goals.js";
import type { ComposedFinding, ComposeSetup, ComposeWork, UnmetState, WholeResult } from "./compose-work.js";
import { GoalGuidance } from "./explore-goals.js";

type WholeWork = Extract<ComposeWork, { readonly kind: "whole" }>;

export function runWhole(work: WholeWork, setup: ComposeSetup, context: ItemContext): ItemOutcome<WholeResult> {
  const made = testOf(work.seed, new BlobStore(new ProjectFolder(setup.root)), setup.root);
  if (made.kind === "broken") return { kind: "skipped", why: made.problem };
  const test = seenFrom(made.test, setup.roots);
  const { image, module } = context;
  const goals = new CallGoals(image, work.conditions);
  const { heapBytes, randomSeed: seed } = setup;
  const hooked = hookedTest(image, test, { heapBytes, seed }, { hooks: goals.hooks }, module);
  if (hooked.kind === "failed") return { kind: "skipped", why: hooked.message };
  return new WholeRun(work, setup, context, test, goals, hooked.executor).run();
}

class WholeRun {
  private readonly startedMs = performance.now();
  private readonly guided: GuidedExploration;
  private readonly guidance: GoalGuidance;
  private readonly teller: FindingTeller;
  /** By condition: the finding that shows it. */
  private readonly validated = new Map<number, string>();
  private isOver = false;

  constructor(
    private readonly work: WholeWork,
    setup: ComposeSetup,
    private readonly context: ItemContext,
    test: TestInput,
    private readonly goals: CallGoals,
    private readonly executor: HookedProgram,
  ) {
    const { image, abort } = context;
    const { instructionsPerPath, memoryBytes, randomSeed, solverQueryMs } = setup;
    const timeMs = Math.min(work.timeMs, context.timeMs);
    const guidance = new GoalGuidance(image, goals);
    this.guidance = guidance;
    this.teller = new FindingTeller(context, { seed: work.seed, test, isMade: work.isMade }, setup);
    const near = new Set(work.conditions.flatMap(({ chain }) => chain.map((link) => link.function)));
    const isOver = (): boolean => this.isOver;
    this.guided = new GuidedExploration(
      executor,
      {
        solver: assembleSolver(executor.arena, { timeMs: solverQueryMs }),
        random: new Random(randomSeed),
        limits: { timeMs, instructionsPerPath, memoryBytes, timePerRunMs: timeMs },
        seeds: [executor.firstInput],
        distance: (site, side) => guidance.distance(site, side),
        // What fails elsewhere is amplification's business.
        checks: (site) => (near.has(image.sites[site]?.functionIndex ?? -1) ? "eager" : "off"),
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
      if (event.kind === "run-finished") guidance.runFinished(guided);
      if (event.kind === "finding-confirmed") this.found(event);
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
        paths: statistics.paths,
        runs: statistics.runs,
        solverMs: statistics.solver.timeMs,
        milliseconds: performance.now() - this.startedMs,
        isComplete: isExhausted,
        blocks: 0,
        coveredBlocks: 0,
        coveredFirst: 0,
        dangerous: 0,
        contexts: 0,
        interpolants: 0,
        interpolantsUsed: 0,
        interpolationMs: 0,
        isCached: false,
      },
    };
    // With less time than it was to have, it is not done.
    const { abort, timeMs } = this.context;
    const isEnded = this.isOver || isExhausted || timeMs >= work.timeMs;
    return { kind: "report", report: { isComplete: !abort.aborted && isEnded, result } };
  }

  /** Everything is shown; or the test's own path was all that was wanted, and no condition waits for an answer. */
  private isDone(): boolean {
    const { work, guidance, goals, validated } = this;
    if (validated.size === work.conditions.length) return true;
    if (work.explores || guidance.isWaiting || guidance.runs === 0) return false;
    // One that was met should fail: what is near is looked at as long as there is time.
    return !work.conditions.some((_, n) => goals.states[n].met > 0 && !validated.has(n));
  }

  private found(event: FoundEvent): void {
    const { executor, guided, work, context } = this;
    const told = this.teller.tell(event, (input) => executor.space.valuesOfRun(input, event.outcome.objects));
    if (told === null) {
      guided.withdraw(event.finding);
      return;
    }
    const target = targetOf(told.finding);
    work.conditions.forEach((condition, n) => {
      if (condition.target.id !== target.id || this.validated.has(n)) return;
      this.validated.set(n, told.identity.id);
      const composed: ComposedFinding = { finding: told.identity.id, target, chain: condition.chain };
      context.tell({ kind: "own", value: composed });
    });
  }

  private unmet(goal: number): UnmetState {
    const { calls, otherShape, excluded, excludedBy, met } = this.goals.states[goal];
    if (calls === 0) return otherShape === 0 ? { kind: "not-called" } : { kind: "other-shape", calls: otherShape };
    if (met > 0) return { kind: "not-failing", calls };
    if (this.guidance.contradicted[goal] === 0 && excluded < calls) return { kind: "unknown", calls };
    const { parts } = this.work.conditions[goal];
    const needed = excludedBy.flatMap((part) => parts[part] ?? []);
    return { kind: "contradicted", calls, needed, against: this.places(this.guidance.against[goal]) };
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
