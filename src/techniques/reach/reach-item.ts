// One work item of patch testing, as a worker thread does it: a survey (what some tests execute, and how far they are from the targets),
// a search for one target from the inputs at hand, a look at what both versions do with inputs, or amplification around one. Plain
// data goes in and comes out.

import type { Found, ItemContext, ItemOutcome, ItemRunner } from "../../campaign/technique.js";
import type { LoadedImage } from "../../findings/confirmation.js";
import type { Invocation } from "../../inputs/invocation.js";
import { seenFrom, type TestInput, withValues } from "../../inputs/test-input.js";
import { UNREACHED } from "../../program/graph/graph-queries.js";
import type { ProgramGraph } from "../../program/graph/program-graph.js";
import { BlobStore } from "../../project/blob-store.js";
import { testOfInvocation } from "../../project/invocation-test.js";
import { ProjectFolder } from "../../project/project-folder.js";
import type { Seed } from "../../project/seed.js";
import { invocationOf, testOf } from "../../project/seed-test.js";
import { DEFAULT_LIMITS, type RunLimits } from "../../vm/run-options.js";
import { AMPLIFY_RUNNER, type AmplifyResult } from "../amplify-item.js";
import { compareInput, type ProgramVersion } from "../behaviour/behaviour-item.js";
import type { BehaviourDifference, BehaviourSeverity } from "../behaviour/compare.js";
import { type ObservedRun, OTHER_WORLD, runForBehaviour, type World } from "../behaviour/observe.js";
import { endInWords, type PatchObserved, patchObserved } from "../behaviour/observed-output.js";
import type { TestLimits } from "../test-limits.js";
import { ConcreteRunner } from "./concrete-runner.js";
import { groundOf, type ReachGround } from "./reach-ground.js";
import { blockList, distanceOf, type ReachInput, ReachPool } from "./reach-pool.js";
import { type SearchAccounts, STRATEGIES, type Strategy, TargetSearch } from "./target-search.js";
import type { TargetPlace, Wanted } from "./targets.js";
import { type WhyNot, whyNotReached, whyUnreachable } from "./why-not.js";

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

export interface SurveyResult {
  readonly kind: "survey";
  readonly targets: readonly TargetPlace[];
  readonly unreachable: readonly (string | null)[];
  /** By seed; null: it could not be run. */
  readonly standings: readonly (Standing | null)[];
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
  readonly amplified: AmplifyResult;
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

export type ReachResult = SurveyResult | SearchResult | AmplifiedResult | ComparedResult;

/** What the technique's programs have besides their images. */
export interface ReachExtra {
  readonly graph: ProgramGraph;
  /** The same program before the patch; null if there is none. */
  readonly old: LoadedImage | null;
}

const SURVEY_MS = 10_000;
const COMPARED_MS = 5_000;
const MOST_MADE = 12;
const MOST_FAILED = 8;

export const REACH_RUNNER: ItemRunner<ReachWork, ReachResult, ReachSetup> = {
  run(work, setup, context) {
    if (work.kind === "amplify") return amplified(work, setup, context);
    const { graph } = context.extra as ReachExtra;
    const without = new Set(setup.without.filter((name) => STRATEGIES.includes(name)));
    const isPrecise = !without.has("preconditions");
    const ground = groundOf(context.image, context.module, graph, setup.wanted, isPrecise);
    const item = new ReachItem(ground, setup, without, context);
    if (work.kind === "compare") return item.compare(work);
    return work.kind === "survey" ? item.survey(work.seeds) : item.search(work);
  },
};

function amplified(
  { seed, distance, isMade }: Extract<ReachWork, { readonly kind: "amplify" }>,
  setup: ReachSetup,
  context: ItemContext,
): ItemOutcome<ReachResult> {
  const known = new Set<string>();
  const outcome = AMPLIFY_RUNNER.run({ seed, distance, isMade }, setup, {
    ...context,
    tell(event) {
      context.tell(event);
      if (event.kind !== "finding" || known.has(event.found.identity.id)) return;
      known.add(event.found.identity.id);
      const value = witnessCompared(seed, event.found, setup, context);
      if (value !== null) context.tell({ kind: "own", value });
    },
  });
  if (outcome.kind === "skipped") return outcome;
  const { isComplete, result } = outcome.report;
  return { kind: "report", report: { isComplete, result: { kind: "amplify", amplified: result } } };
}

function versionsOf(
  { root, newRoots, oldRoots }: ReachSetup,
  old: LoadedImage,
  current: LoadedImage,
): { readonly before: ProgramVersion; readonly after: ProgramVersion } {
  return { before: { ...old, roots: oldRoots }, after: { ...current, roots: [root, ...newRoots] } };
}

/** Whether it is the patch that makes it fail. Null if nobody can tell. */
function witnessCompared(
  seed: Seed,
  { identity, witness, witnessCommand }: Found,
  setup: ReachSetup,
  { image, module, extra }: ItemContext,
): ComparedWitness | null {
  const { old } = extra as ReachExtra;
  const made = old === null ? null : testOf(seed, new BlobStore(new ProjectFolder(setup.root)), setup.root);
  if (old === null || made === null || made.kind === "broken") return null;
  const test = seenFrom(made.test, setup.roots);
  const { before, after } = versionsOf(setup, old, { image, module });
  const outcome = compareInput(before, after, withValues(test, witness), compareLimits(setup));
  if (outcome.kind === "unknown") return null;
  const change = outcome.kind === "changed" ? outcome : null;
  return {
    finding: identity.id,
    command: witnessCommand,
    change: change === null ? null : { severity: change.severity, differences: change.differences },
  };
}

function compareLimits({ instructionsPerPath: instructions, heapBytes }: ReachSetup): RunLimits {
  return { ...DEFAULT_LIMITS, instructions, milliseconds: COMPARED_MS, heapBytes };
}

class ReachItem {
  private readonly blobs: BlobStore;
  private readonly runner: ConcreteRunner;

  constructor(
    private readonly ground: ReachGround,
    private readonly setup: ReachSetup,
    private readonly without: ReadonlySet<Strategy>,
    private readonly context: ItemContext,
  ) {
    this.blobs = new BlobStore(new ProjectFolder(setup.root));
    this.runner = new ConcreteRunner(ground.image, ground.module, setup.randomSeed);
  }

  survey(seeds: readonly Seed[]): ItemOutcome<ReachResult> {
    const { ground, context } = this;
    const covered = new Uint8Array(ground.image.coverage.length);
    const standings: (Standing | null)[] = [];
    const endsMs = performance.now() + context.timeMs;
    let isComplete = true;
    for (const seed of seeds) {
      if (context.abort.aborted || performance.now() >= endsMs) {
        isComplete = false;
        standings.push(null);
        continue;
      }
      const made = invocationOf(seed, this.blobs);
      if (made.kind === "broken") {
        context.tell({ kind: "note", text: `${seed.arguments.join(" ")}: ${made.problem}` });
        standings.push(null);
        continue;
      }
      const { coverage, instructions, end } = this.run(made.invocation, SURVEY_MS);
      for (let block = 0; block < coverage.length; block++) if (coverage[block] !== 0) covered[block] = 1;
      standings.push(this.standing(blockList(coverage), instructions, end.kind));
    }
    context.tell({ kind: "covered", coverage: covered, byTests: true });
    const targets = ground.targets.map(({ blocks: _, ...target }) => target);
    const unreachable = ground.targets.map(({ blocks }) => whyUnreachable(ground, blocks));
    return { kind: "report", report: { isComplete, result: { kind: "survey", targets, unreachable, standings } } };
  }

  search(work: Extract<ReachWork, { readonly kind: "search" }>): ItemOutcome<ReachResult> {
    const { ground, setup, context } = this;
    const target = ground.indexOf(work.target);
    if (target < 0) return { kind: "skipped", why: `${work.target} is not in this program` };
    const startedMs = performance.now();
    const timeMs = Math.min(work.timeMs, context.timeMs);
    const done = new Set(work.done.map((id) => ground.indexOf(id)));
    const open = new Set(ground.targets.keys());
    for (const one of done) open.delete(one);
    const pool = new ReachPool();
    const reached: { readonly target: string; readonly input: ReachInput; readonly milliseconds: number }[] = [];
    const failed = new Map<string, ReachInput>();
    const covered = new Uint8Array(ground.image.coverage.length);
    const search = new TargetSearch(
      ground,
      pool,
      this.runner,
      open,
      { ...setup, without: this.without, abort: context.abort },
      ({ target: index, input }) => {
        const milliseconds = Math.round(performance.now() - startedMs);
        reached.push({ target: ground.targets[index].id, input, milliseconds });
      },
      (place, input) => {
        if (failed.size < MOST_FAILED && !failed.has(place)) failed.set(place, input);
      },
    );
    for (const given of work.inputs) {
      const input = this.inputOf(given);
      if (input === null || performance.now() - startedMs > timeMs / 2) continue;
      pool.add(search.tryInput(input, 0));
    }
    const given = pool.entries.length;
    const attempt = open.has(target) ? search.search(target, startedMs + timeMs - performance.now()) : null;
    const why = attempt === null ? null : whyNotReached(ground, target, attempt);
    for (const { blocks } of pool.entries) for (const block of blocks) covered[block] = 1;
    context.tell({ kind: "covered", coverage: covered, byTests: false });
    const made = pool.entries
      .slice(given)
      .filter(({ input }) => input.by !== "test")
      .slice(-MOST_MADE)
      .map(({ input, blocks, instructions }) => ({ input, standing: this.standing(blocks, instructions, "made") }));
    const isComplete = !context.abort.aborted;
    const { accounts } = search;
    const result: SearchResult = { kind: "search", reached, made, failed: [...failed.values()], why, accounts };
    return { kind: "report", report: { isComplete, result } };
  }

  compare(work: Extract<ReachWork, { readonly kind: "compare" }>): ItemOutcome<ReachResult> {
    const { ground, setup, context } = this;
    const { old } = context.extra as ReachExtra;
    const { image, module } = ground;
    const versions = old === null ? null : versionsOf(setup, old, ground);
    const endsMs = performance.now() + context.timeMs;
    const limits = compareLimits(setup);
    const changes: ComparedResult["changes"][number][] = [];
    const observed: ComparedResult["observed"][number][] = [];
    let compared = 0;
    for (const seed of work.seeds) {
      if (context.abort.aborted || performance.now() >= endsMs) break;
      const isObserved = work.observed.includes(seed.id);
      if (versions === null && !isObserved) continue;
      const made = invocationOf(seed, this.blobs);
      if (made.kind === "broken") continue;
      const test = this.testFor(made.invocation);
      const run = (world?: World): ObservedRun => runForBehaviour(image, module, test, limits, world);
      const outcome = versions === null ? null : compareInput(versions.before, versions.after, test, limits);
      if (isObserved) {
        const first = outcome?.run ?? run();
        observed.push({ seedId: seed.id, end: endInWords(first), output: patchObserved(first, run(OTHER_WORLD)) });
      }
      if (outcome === null || outcome.kind === "unknown") continue;
      compared++;
      if (outcome.kind !== "changed") continue;
      const { severity, differences } = outcome;
      changes.push({ seedId: seed.id, severity, differences });
    }
    const isComplete = !context.abort.aborted;
    return { kind: "report", report: { isComplete, result: { kind: "compare", compared, changes, observed } } };
  }

  private inputOf(given: GivenInput): ReachInput | null {
    if (given.kind === "made") return given.input;
    const made = invocationOf(given.seed, this.blobs);
    if (made.kind === "broken") return null;
    return { invocation: made.invocation, seedId: given.seed.id, steps: [], by: "test" };
  }

  private run(invocation: Invocation, milliseconds: number): ReturnType<ConcreteRunner["run"]> {
    const { heapBytes, instructionsPerPath } = this.setup;
    return this.runner.run(this.testFor(invocation), { instructions: instructionsPerPath, milliseconds, heapBytes });
  }

  private testFor(invocation: Invocation): TestInput {
    const { root, roots } = this.setup;
    return seenFrom(testOfInvocation(invocation, root), roots);
  }

  private standing(blocks: Int32Array, instructions: number, end: string): Standing {
    const { ground } = this;
    const distances = ground.targets.map((_, target) => {
      const distance = distanceOf(blocks, ground.distancesTo(target));
      return distance === UNREACHED ? null : distance;
    });
    return { distances, instructions, end };
  }
}
