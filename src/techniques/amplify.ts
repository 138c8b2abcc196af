// ZESTI on one test (make test-zesti, IV): run it as it was recorded, with its arguments, standard input and files
// symbolic and their recorded bytes as the input. At distance 0 every sensitive operation on its path is checked for all inputs
// that take the same path. At distance d >= 1 the paths that leave it d decisions before a sensitive operation are explored,
// 2d decisions far, with all checks on (decision-metric.ts: what counts as one). Which tests, which distances and how long is the campaign's business.
//
// Departure: each distance is an exploration of its own that runs the test again, instead of one that is kept in memory
// between distances; running a test costs milliseconds, keeping a hundred of them would cost gigabytes.

import type { EngineEvent } from "../engine/events.js";
import type { InputObject, PathEnd } from "../engine/executor.js";
import { GuidedExploration } from "../engine/guided-exploration.js";
import { FIRST_QUESTION_MS } from "../engine/hard-questions.js";
import type { EngineLimits } from "../engine/options.js";
import { executorOfTest, type ProgramExecutor } from "../engine/program-executor.js";
import type { EngineStatistics } from "../engine/statistics.js";
import type { InputValue } from "../inputs/input-value.js";
import type { TestInput } from "../inputs/test-input.js";
import type { ProgramImage } from "../jit/image.js";
import type { CheckPolicy } from "../path/frontier.js";
import type { SiteId } from "../path/observer.js";
import { isBranching, KIND_MASK, NO_ROW, ROW } from "../path/tree.js";
import { assembleSolver, type ChainedSolver, type SolverOptions } from "../solver/chain.js";
import type { Model } from "../solver/solver.js";
import { Random } from "../support/random.js";
import type { RunEnd } from "../vm/run-end.js";
import { AmplifySearcher } from "./amplify-searcher.js";
import { type AroundPath, DEFAULT_AROUND_PATH } from "./around-path.js";
import { DecisionCounter } from "./decision-metric.js";
import { PathName } from "./path-name.js";
import { TEST_HEAP_BYTES } from "./test-limits.js";

export interface AmplifyOptions extends AroundPath {
  readonly distance: number;
  readonly limits: Partial<EngineLimits>;
  /** The checks of one test may take this much of the solver's time; what comes after it is skipped and counted. */
  readonly checkTimeMs: number;
  readonly heapBytes: number;
  readonly randomSeed: number;
  readonly solver: SolverOptions;
  readonly abort: { readonly aborted: boolean };
  /** Milliseconds; only differences count. */
  readonly now?: () => number;
  /** By site: not 0 where nothing is to be checked. */
  readonly uncheckedSites?: Uint8Array;
}

const DEFAULT_AMPLIFY_OPTIONS: AmplifyOptions = {
  ...DEFAULT_AROUND_PATH,
  distance: 0,
  limits: {},
  checkTimeMs: 60_000,
  heapBytes: TEST_HEAP_BYTES,
  randomSeed: 1,
  solver: {},
  abort: { aborted: false },
};

/** Beyond the bound, a place is asked so many times. */
const ASKED_BEYOND = 3;

/** What came of one test at one distance. */
export interface AmplifyReport {
  readonly distance: number;
  /** How the test itself ended; null if it never did. */
  readonly testEnd: PathEnd | null;
  readonly testInstructions: number;
  /** Decisions on the test's path, branches among them, and places with sensitive operations. */
  readonly decisions: number;
  readonly branches: number;
  readonly sensitive: number;
  /** Names the test's path: tests with the same one have the same departures. */
  readonly pathName: string;
  /** Asked, or settled without a question on the test's own path. */
  readonly checks: number;
  readonly checksSkipped: number;
  /** Branches where the test's path was left on purpose. */
  readonly departures: number;
  /** Of these, what was left below them when their time was over. */
  readonly departuresCut: number;
  readonly passedOver: number;
  readonly pins: ReadonlyMap<SiteId, number>;
  readonly statistics: EngineStatistics;
}

export class Amplification {
  readonly executor: ProgramExecutor;
  readonly solver: ChainedSolver;
  readonly exploration: GuidedExploration;
  readonly options: AmplifyOptions;
  /** What the test itself covered; null until it has ended. */
  testCoverage: Uint8Array | null = null;
  /** At distance 0: where the test's own path was checked, whether or not a question was needed; by site. */
  readonly checkedSites = new Set<number>();
  /** How the machine says that it ended, if it came to an end of its own. */
  testRunEnd: RunEnd | null = null;
  private readonly searcher: AmplifySearcher;
  private readonly counter: DecisionCounter;
  /** The test's path: its decisions, and what lies between them. */
  private readonly branchesBefore: number[] = [];
  private readonly sensitive = new Set<number>();
  private branches = 0;
  private readonly pathName = new PathName();
  private onTest = true;
  private skipped = 0;
  /** On the test's path: how often something was made concrete, by site. */
  private readonly pins = new Map<SiteId, number>();
  /** On new ground, since the last run ended. */
  private checksOfRun = 0;
  private newBranches = 0;
  /** Checks beyond the bound, by site. */
  private readonly askedBeyond = new Map<number, number>();

  constructor(
    image: ProgramImage,
    test: TestInput,
    options: Partial<AmplifyOptions> = {},
    module?: WebAssembly.Module,
  ) {
    this.options = { ...DEFAULT_AMPLIFY_OPTIONS, ...options };
    const { heapBytes, randomSeed, limits, abort, metric, order, branchMs, now } = this.options;
    this.counter = new DecisionCounter(image, metric);
    this.executor = executorOfTest(image, test, { heapBytes, seed: randomSeed }, module);
    // A small over-read on the test's own path hides nothing behind it; where it is, the other runs go on too.
    this.executor.goOnBehindReads(true);
    const { arena, space } = this.executor;
    this.solver = assembleSolver(arena, this.options.solver);
    const seed = space.seed(test.values);
    this.solver.offer(seed);
    let searcher: AmplifySearcher | null = null;
    this.exploration = new GuidedExploration(this.executor, {
      solver: this.solver,
      searcher: ({ tree }) => {
        searcher = new AmplifySearcher(tree, new DecisionCounter(image, metric), { order, branchMs }, now);
        return searcher;
      },
      checks: (site) => this.policy(site),
      seeds: [seed],
      limits: { ...limits, timePerRevivedMs: branchMs },
      firstQuestionMs: FIRST_QUESTION_MS,
      random: new Random(randomSeed),
      abort,
      ...(now === undefined ? {} : { now }),
      listeners: [
        {
          decision: (site, kind, _holds, position, row, isNew) => this.decision(site, kind, position, row, isNew),
        },
      ],
    });
    this.searcher = searcher as unknown as AmplifySearcher;
  }

  *run(): Generator<EngineEvent, AmplifyReport> {
    const { distance, anchorEnd } = this.options;
    const events = this.exploration.explore();
    this.runEnded();
    let testEnd: PathEnd | null = null;
    let testInstructions = 0;
    let settled = 0;
    let decisions = 0;
    for (;;) {
      const next = events.next();
      if (next.done === true) {
        return {
          distance,
          testEnd,
          testInstructions,
          decisions,
          branches: this.branchesBefore.length === 0 ? 0 : this.branches,
          sensitive: this.sensitive.size,
          pathName: this.pathName.text,
          checks: this.exploration.checks.asked + settled,
          checksSkipped: this.exploration.checks.skipped + this.skipped,
          departures: this.searcher.departures,
          departuresCut: this.searcher.departuresCut,
          passedOver: this.searcher.passedOver,
          pins: this.pins,
          statistics: next.value,
        };
      }
      const event = next.value;
      if (event.kind === "run-finished") this.runEnded();
      if (event.kind === "run-finished" && this.onTest) {
        this.onTest = false;
        this.executor.goOnBehindReads(false);
        testEnd = event.outcome.end;
        testInstructions = event.outcome.instructions;
        if (distance === 0) {
          settled = this.executor.settledPlaces;
          for (const site of this.executor.settledSites()) this.checkedSites.add(site);
        }
        this.testCoverage = this.executor.coverage.slice();
        this.testRunEnd = testEnd.kind === "exit" ? this.executor.lastEnd : null;
        decisions = this.branchesBefore.length;
        if (this.takeSensitive() || anchorEnd) this.sensitive.add(this.branches);
        if (distance > 0) {
          const branchesBefore = Int32Array.from(this.branchesBefore);
          this.searcher.begin({ branchesBefore, sensitive: this.sensitive, distance, bound: this.bound });
        }
      }
      yield event;
    }
  }

  /** f(d): how many decisions beyond a departure are explored. */
  private get bound(): number {
    return this.options.bound * this.options.distance;
  }

  private takeSensitive(): boolean {
    return this.executor.takeSensitive(this.options.sensitive === "paper");
  }

  /** The input of a run, as the objects it used. */
  valuesOf(input: Model, objects: readonly InputObject[]): readonly InputValue[] {
    return this.executor.space.valuesOfRun(input, objects);
  }

  /**
   * Which checks are asked. On the test's own path all of them, at distance 0, and never again. Off it those within the
   * bound; beyond it each place a few times, because a loop there could ask for ever. An input that was to fail may land in
   * another object instead: then the same operation is asked once more, away from both objects.
   */
  private policy(site: number): CheckPolicy {
    const { distance, checkTimeMs, uncheckedSites } = this.options;
    if (uncheckedSites?.[site] === 1) return "off";
    const first = this.checksOfRun++ === 0;
    if (this.onTest ? distance > 0 : distance === 0 && !first) return "off";
    const isNear = this.searcher.takenBeyond + this.newBranches <= this.bound;
    if (!this.onTest && !first && !isNear) {
      const asked = this.askedBeyond.get(site) ?? 0;
      if (asked >= ASKED_BEYOND) return this.skip();
      this.askedBeyond.set(site, asked + 1);
    }
    if (this.exploration.solver.timeMs > checkTimeMs) return this.skip();
    if (this.onTest) this.checkedSites.add(site);
    return "eager";
  }
  private skip(): CheckPolicy {
    this.skipped++;
    return "off";
  }

  private runEnded(): void {
    this.checksOfRun = 0;
    this.newBranches = 0;
    this.counter.begin();
    this.searcher.takenBeyond = Number.POSITIVE_INFINITY;
  }

  private decision(site: SiteId, kind: number, position: number, row: number, isNew: boolean): void {
    if (!this.onTest) {
      if (isNew && this.counter.counts(site, kind)) this.newBranches++;
      return;
    }
    if (this.takeSensitive() || (kind & KIND_MASK) === ROW.check) this.sensitive.add(this.branches);
    if ((kind & KIND_MASK) === ROW.pin) this.pins.set(site, (this.pins.get(site) ?? 0) + 1);
    // A condition that held already decides nothing.
    if (row === NO_ROW) return;
    this.pathName.add(site * 256 + kind);
    const counts = this.counter.counts(site, kind);
    // What does not count is one with the decision before it.
    const before = counts || !isBranching(kind) ? this.branches : Math.max(0, this.branches - 1);
    while (this.branchesBefore.length <= position) this.branchesBefore.push(before);
    if (counts) this.branches++;
  }
}
