// One work item of amplification, as a worker thread does it: one test at one distance (or the moves of some: moved/). What the engine finds is run
// for itself, with nothing symbolic, before anybody hears of it. All that goes in and comes out is plain data.

import type { Found, ItemContext, ItemOutcome, ItemRunner } from "../campaign/technique.js";
import { goneOf, lossInWords } from "../concolic/losses.js";
import type { InputValue } from "../inputs/input-value.js";
import type { TestInput } from "../inputs/test-input.js";
import type { ProgramImage } from "../jit/image.js";
import type { Seed } from "../project/seed.js";
import { blocksOf, packedBlocks } from "../project/seed-order.js";
import type { LiteralChoice } from "../support/literal-names.js";
import { PROCESSOR } from "../support/processor-wait.js";
import type { RunEnd } from "../vm/run-end.js";
import { Amplification, type AmplifyReport } from "./amplify.js";
import { accountOf, type Checked, checkedOf, type OwnPath, placesOfPins } from "./amplify-account.js";
import { joinedReport, partsOf, shareOf } from "./amplify-parts.js";
import { type AroundPath, DEFAULT_AROUND_PATH } from "./around-path.js";
import { sitesOfTests } from "./failures-of-tests.js";
import {
  type ChosenLiterals,
  changedLiteralsOnly,
  chooseLiterals,
  usesLiterals,
  withChosen,
} from "./literal-inputs.js";
import { moved } from "./moved/move-item.js";
import type { MovedInput, MovesResult, MovesWork } from "./moved/moved-input.js";
import { type PlainSummary, runPlainly, summaryOfPlain } from "./plain-run.js";
import { type AmplifyOwn, FindingTeller, type FoundEvent, toldTest } from "./tell-finding.js";
import type { TestLimits } from "./test-limits.js";
import { testOfSeed } from "./test-of-seed.js";
import { ToldCoverage } from "./told-coverage.js";
import { UnsetUses } from "./unset-uses.js";

export type AmplifyWork = TestWork | MovesWork;

/** What a worker elsewhere has found in a test, to be run again here before it is believed. */
export interface AgainWork {
  readonly test: TestWork;
  readonly found: Pick<Found, "finding" | "witness" | "depth">;
}

/** One test at one distance. */
export interface TestWork {
  readonly seed: Seed;
  /** PLAIN: it is only run, with nothing symbolic, for what it covers. */
  readonly distance: number;
  /** At distance 0: a short look, by its number in LOOKS. What is slow is put off, to be done later in an item of its own. */
  readonly look?: Look;
  /** The seed was not recorded but made, and never ran natively. */
  readonly isMade?: boolean;
  /** How it was made, if a move did. */
  readonly moved?: Omit<MovedInput, "seed" | "fails">;
  /** It failed with nothing symbolic: questions on its way there would only take the time for it. */
  readonly hasFailed?: boolean;
  /** None of the program's tests gives it arguments or standard input. */
  readonly isOnlyPlain?: boolean;
}

/** The same for all items of a campaign. */
export interface AmplifySetup extends TestLimits, Partial<AroundPath> {
  /** The project's directory: where the tests' files are kept. */
  readonly root: string;
  /** Whether literals of the tests' own sources are input; auto if nothing is said. */
  readonly literals?: LiteralChoice;
  /** Which moves there are (support/move-names.ts). */
  readonly moves?: string;
}

/** In the place of a distance. */
export const PLAIN = -1;

export interface PlainResult {
  readonly isPlain: true;
  readonly isMoves?: false;
  readonly plain: PlainSummary;
}

export interface ExploredResult extends Omit<AmplifyReport, "testEnd" | "pins"> {
  readonly isPlain?: false;
  readonly isMoves?: false;
  /** What tells the test's path from others; tests with the same one have the same places to look at. */
  readonly path: string;
  /** What the test covers, at distance 0: the bits of seed-order.ts in base64. */
  readonly blocks: string | null;
  /** What was checked of the test's own path, at distance 0; and the plain run that came before. */
  readonly checked: Checked | null;
  readonly plain: PlainSummary | null;
  /** Some checks were slow, or the run was, and are to be made another time. */
  readonly isPutOff?: boolean;
  /** Then: the next look that may be enough; null: none is. */
  readonly nextLook?: Look | null;
}

export type AmplifyResult = ExploredResult | PlainResult | MovesResult;

/** Of an item's time, what the plain run before it may take. */
const PLAIN_SHARE = 0.5;
export type Look = 0 | 1;

const NO_CHECKS = -1;
/**
 * Of a short look: for one run, for all checks of the test, and for one question. Most tests need a few milliseconds; one in twenty has nine
 * tenths of all the time, if it is let (measured). So all tests get a first look, and then those that need it a second.
 */
const LOOKS: readonly { readonly runMs: number; readonly checksMs: number; readonly queryMs: number }[] = [
  { runMs: 100, checksMs: 40, queryMs: 20 },
  { runMs: 1500, checksMs: 300, queryMs: 50 },
];
const LAST_LOOK: Look = 1;
/** Of a look's time: whoever has waited longer for a processor was cut by the machine's other work, and is looked at again. */
const MOST_WAIT_SHARE = 0.2;
/** Of a short look: for a run with nothing symbolic. */
const PLAIN_LOOK_MS = 1000;
/** Of a short look at a test with literals, of which there may be hundreds: for all of its parts. */
const LITERALS_LOOK_MS = 2000;

export const AMPLIFY_RUNNER: ItemRunner<AmplifyWork | AgainWork, AmplifyResult, AmplifySetup> = {
  run(work, setup, context) {
    if ("bases" in work) return moved(work, setup, context);
    if ("found" in work) return runAgain(work, setup, context);
    const made = testOfSeed(work.seed, setup);
    if (made.kind === "broken") return { kind: "skipped", why: made.problem };
    if (work.distance !== PLAIN) return new AmplifyItem(work, setup, context, made.test).run();
    const plain = plainRun(made.test, setup, context, context.timeMs).summary;
    // The next campaign wants to know what the tests cover, too.
    return { kind: "report", report: { isComplete: false, result: { isPlain: true, plain } } };
  },
};

/** Nothing but events comes of it. */
function runAgain({ test, found }: AgainWork, setup: AmplifySetup, context: ItemContext): ItemOutcome<AmplifyResult> {
  const made = testOfSeed(test.seed, setup);
  if (made.kind === "broken") return { kind: "skipped", why: made.problem };
  // At distance 0 the test itself would be looked at.
  new AmplifyItem({ ...test, distance: Math.max(1, test.distance) }, setup, context, made.test).tellAgain(found);
  return { kind: "skipped", why: "only run again" };
}

interface OwnRun {
  readonly summary: PlainSummary;
  readonly coverage: Uint8Array;
  /** It had no time to come to its end. */
  readonly isCut: boolean;
}

const COVERAGE = new ToldCoverage();

/** Tells what the test covers. */
function plainRun(
  test: TestInput,
  { heapBytes, randomSeed: seed, tellsAll }: AmplifySetup,
  { image, module, tell }: ItemContext,
  milliseconds: number,
): OwnRun {
  const run = runPlainly(image, module, test, { milliseconds, heapBytes, seed });
  if (tellsAll === true || COVERAGE.isNew(image, run.coverage, "tests"))
    tell({ kind: "covered", coverage: run.coverage, byTests: true });
  const isCut = run.end.kind === "limit" && run.end.limit === "time";
  return { summary: summaryOfPlain(run.end), coverage: run.coverage, isCut };
}

/** By seed: a thread keeps its programs, and does a test at one distance after the other. */
const KNOWN_LITERALS = new WeakMap<ProgramImage, Map<string, ChosenLiterals>>();

class AmplifyItem {
  private readonly teller: FindingTeller;
  private readonly test: TestInput;
  /** The test's run with nothing symbolic, if it had to be known before. */
  private readonly plain: OwnRun | null;
  private readonly timeMs: number;
  private readonly startedMs = performance.now();
  private readonly waitMs: number;
  /** Made when it is first needed. */
  private sitesOfTests: Uint8Array | null = null;
  /** Of all parts together. */
  private readonly coverage: Uint8Array;
  private testCoverage: Uint8Array | null = null;
  private testRunEnd: RunEnd | null = null;
  private readonly readInputs = new Set<string>();
  private isCut = false;
  /** Null unless uses of what was never set are looked for. */
  private readonly unset: UnsetUses | null;
  /** Kinds and places of what was found. */
  private readonly told = new Set<string>();

  constructor(
    private readonly work: TestWork,
    private readonly setup: AmplifySetup,
    private readonly context: ItemContext,
    recorded: TestInput,
  ) {
    this.waitMs = work.look === undefined ? 0 : PROCESSOR.waitMs();
    const hasLiterals = usesLiterals(context.image, recorded, setup.literals ?? "auto", work.isOnlyPlain === true);
    this.plain = hasLiterals && this.isOwn ? this.runPlainly(recorded) : null;
    const test = hasLiterals ? this.withLiterals(recorded) : recorded;
    this.test = test;
    const told = toldTest(context.image, { seed: work.seed, test, isMade: work.isMade === true });
    this.teller = new FindingTeller(context, told, setup);
    this.unset = UnsetUses.in(context, setup);
    if (work.distance === 0) this.lookForUnset([], 0);
    this.timeMs = Math.max(1, context.timeMs - (performance.now() - this.startedMs));
    this.coverage = new Uint8Array(context.image.coverage.length);
  }

  /** A recorded test at distance 0. */
  private get isOwn(): boolean {
    return this.work.distance === 0 && this.work.isMade !== true;
  }

  /** In a short look it may be cut, and the test is put off; natively it takes seconds then. */
  private runPlainly(test: TestInput): OwnRun {
    return plainRun(test, this.setup, this.context, this.plainMs);
  }

  private get plainMs(): number {
    const most = PLAIN_SHARE * this.context.timeMs;
    return this.work.look === undefined ? most : Math.min(most, PLAIN_LOOK_MS);
  }

  /**
   * What the test's own run covers and how it ends. A symbolic run that came to its end by itself says as much as one with nothing
   * symbolic, which is made only if there is none; if the run was cut and there is another look, then: seconds of one test are hundreds of
   * others.
   */
  private ownRun(waitsForLook: boolean): OwnRun | null {
    const { plain, testRunEnd: end, testCoverage: coverage } = this;
    if (plain !== null) return plain;
    if (waitsForLook) return null;
    const { tell, image, abort } = this.context;
    if (end === null || coverage === null) return abort.aborted ? null : this.runPlainly(this.test);
    if (this.isNew(image, coverage, "tests")) tell({ kind: "covered", coverage, byTests: true });
    return { summary: summaryOfPlain(end), coverage, isCut: false };
  }

  private isNew(image: ProgramImage, coverage: Uint8Array, by: "tests" | "runs"): boolean {
    return this.setup.tellsAll === true || COVERAGE.isNew(image, coverage, by);
  }

  tellAgain(found: AgainWork["found"]): void {
    if (found.finding.kind === "uninitialised") this.lookForUnset(found.witness, found.depth);
    else this.teller.tellAgain(found);
  }

  /** The test, with those of its program's literals that its run comes by as input. */
  private withLiterals(test: TestInput): TestInput {
    const { work, setup, context } = this;
    const { image, module } = context;
    if (work.moved !== undefined) return test;
    const known = KNOWN_LITERALS.get(image) ?? new Map<string, ChosenLiterals>();
    KNOWN_LITERALS.set(image, known);
    let made = known.get(work.seed.id);
    if (made === undefined) {
      const limits = { milliseconds: this.plainMs, heapBytes: setup.heapBytes, seed: setup.randomSeed };
      made = chooseLiterals(image, this.plain?.coverage ?? runPlainly(image, module, test, limits).coverage);
      // What a run that was cut came by is not all.
      if (this.plain?.isCut !== true) known.set(work.seed.id, made);
    }
    const { leftOut: literalBytesLeftOut, sizesLeftOut } = made;
    if (work.distance === 0 && literalBytesLeftOut + sizesLeftOut > 0) {
      context.tell({ kind: "own", value: { literalBytesLeftOut, sizesLeftOut } satisfies AmplifyOwn });
    }
    return withChosen(test, made.chosen);
  }

  run(): ItemOutcome<AmplifyResult> {
    const { tell, image } = this.context;
    const joined = joinedReport(this.reports());
    const { testEnd, pins, ...report } = joined;
    const isOwn = this.work.distance === 0;
    const { coverage } = this;
    const isCutByTime = testEnd?.kind === "limit" && testEnd.limit === "time";
    // Also of checks: what was not answered was not checked.
    const unknown = Math.max(report.statistics.unknown, report.statistics.solver.unknown);
    const nextLook = this.nextLook(unknown + report.checksSkipped < report.checks);
    const plainly = this.isOwn ? this.ownRun(isCutByTime && nextLook !== null) : null;
    const own = plainly?.coverage ?? this.testCoverage ?? coverage;
    if (isOwn && plainly === null) tell({ kind: "covered", coverage: own, byTests: true });
    if (this.isNew(image, coverage, "runs")) tell({ kind: "covered", coverage, byTests: false });
    // A path that was cut short is nobody else's.
    const isWhole = testEnd !== null && testEnd.kind !== "stopped" && !isCutByTime;
    const path = isWhole ? report.pathName : this.work.seed.id;
    const blocks = isOwn ? packedBlocks(blocksOf(own)) : null;
    const isCutByLook = this.isCutByLook || plainly?.isCut === true;
    const isPutOff = this.work.look !== undefined && (isCutByTime || isCutByLook || unknown + report.checksSkipped > 0);
    // A look that was not enough has come to its end.
    const isComplete = isPutOff ? !this.context.abort.aborted : !this.isCut;
    const checked = isOwn ? this.checked(image, { ...joined, isComplete: !this.isCut, unknown }) : null;
    const plain = plainly?.summary ?? null;
    const result = { ...report, path, blocks, checked, plain, ...(isPutOff ? { isPutOff, nextLook } : {}) };
    return { kind: "report", report: { isComplete, result } };
  }

  /** Of each part of the test, as far as the time goes: of one at least. */
  private reports(): readonly AmplifyReport[] {
    const parts = partsOf(this.test, this.work.distance);
    const allMs = this.isShortLook ? Math.min(this.timeMs, LITERALS_LOOK_MS) : this.timeMs;
    const startedMs = performance.now();
    const reports: AmplifyReport[] = [];
    for (const [index, part] of parts.entries()) {
      const leftMs = allMs - (performance.now() - startedMs);
      if (index > 0 && (leftMs <= 0 || this.context.abort.aborted)) {
        this.isCut = true;
        break;
      }
      reports.push(this.explore(part, shareOf(leftMs, parts.length - index, part)));
    }
    return reports;
  }

  private get hasLiterals(): boolean {
    return (this.test.inputs.literals ?? []).length > 0;
  }

  /**
   * What is put off by this one may be done by that. The last one is worth taking again if most checks were made, since V8 has optimised
   * more of our own code by then, or if there was no processor for it.
   */
  private nextLook(isMostDone: boolean): Look | null {
    const { look } = this.work;
    if (look === undefined || this.hasLiterals) return null;
    return look < LAST_LOOK || isMostDone || this.wasKeptWaiting ? LAST_LOOK : null;
  }

  private get wasKeptWaiting(): boolean {
    return PROCESSOR.waitMs() - this.waitMs > MOST_WAIT_SHARE * (performance.now() - this.startedMs);
  }

  private get isShortLook(): boolean {
    return this.work.look !== undefined && this.hasLiterals;
  }

  private get isCutByLook(): boolean {
    return this.isShortLook && this.isCut;
  }

  /** Of a test with literals each part is a small run: it has the time of the last look at once, and its run is not cut. */
  private limitsOfLook(timeMs: number): (typeof LOOKS)[number] {
    const { look, hasFailed } = this.work;
    const { solverQueryMs: queryMs } = this.setup;
    if (hasFailed === true) return { runMs: timeMs, checksMs: NO_CHECKS, queryMs };
    if (look === undefined) return { runMs: timeMs, checksMs: timeMs, queryMs };
    const most = LOOKS[this.hasLiterals ? LAST_LOOK : look];
    return {
      runMs: this.hasLiterals ? timeMs : Math.min(timeMs, most.runMs),
      checksMs: Math.min(timeMs, most.checksMs),
      queryMs: Math.min(queryMs, most.queryMs),
    };
  }

  private explore(test: TestInput, timeMs: number): AmplifyReport {
    const { work } = this;
    const { instructionsPerPath, memoryBytes, heapBytes, randomSeed } = this.setup;
    const { runMs, checksMs, queryMs } = this.limitsOfLook(timeMs);
    const { image, module, abort } = this.context;
    const options = {
      ...aroundOf(this.setup),
      distance: work.distance,
      limits: { timeMs, memoryBytes, instructionsPerPath, timePerRunMs: runMs },
      checkTimeMs: checksMs,
      heapBytes,
      randomSeed,
      solver: { timeMs: queryMs },
      abort,
      ...(test.inputs.onlyLiterals === true ? { uncheckedSites: this.uncheckedSites() } : {}),
    };
    const amplification = new Amplification(image, test, options, module);
    const { executor } = amplification;
    const events = amplification.run();
    for (;;) {
      const next = events.next();
      if (next.done !== true) {
        const event = next.value;
        if (event.kind === "finding-confirmed") this.believe(event, amplification);
        if (event.kind === "run-finished" && event.isPath && event.origin !== "seed" && this.unset !== null) {
          this.lookForUnset(amplification.valuesOf(event.input, event.outcome.objects), event.depth);
        }
        continue;
      }
      const report = next.value;
      executor.coverage.forEach((covered, block) => {
        if (covered !== 0) this.coverage[block] = covered;
      });
      this.testCoverage ??= amplification.testCoverage;
      this.testRunEnd ??= amplification.testRunEnd;
      for (const name of executor.readInputs) this.readInputs.add(name);
      if (report.statistics.timeMs >= timeMs || abort.aborted) this.isCut = true;
      // Making memories anew for every test would cost more than all of the rest.
      executor.release();
      return report;
    }
  }

  private uncheckedSites(): Uint8Array {
    this.sitesOfTests ??= sitesOfTests(this.context.image);
    return this.sitesOfTests;
  }

  private checked(
    image: ProgramImage,
    path: Omit<OwnPath, "input"> & Pick<AmplifyReport, "pins" | "statistics">,
  ): Checked {
    const account = accountOf(this.test, this.setup.root, this.readInputs);
    const lost = goneOf(path.statistics.losses).map(lossInWords);
    return checkedOf({ ...path, input: { ...account, lost, pins: placesOfPins(image, path.pins) } });
  }

  /** What the test with these values uses although it was never set. */
  private lookForUnset(values: readonly InputValue[], depth: number): void {
    const witness = changedLiteralsOnly(values, this.test.values);
    for (const finding of this.unset?.of(this.test, witness) ?? []) this.teller.tellConfirmed(finding, witness, depth);
  }

  private believe(event: FoundEvent, amplification: Amplification): void {
    // Each part of a test comes by what fails on the test's own path.
    const key = `${event.finding.kind} ${event.finding.stackKey}`;
    if (this.told.has(key)) return;
    const found = this.teller.tell(event, (input) => amplification.valuesOf(input, event.outcome.objects));
    // Another witness of the same place may be a good one.
    if (found === "rejected") amplification.exploration.withdraw(event.finding);
    // Literals of another part may fail there for a reason of their own.
    else if (found !== "misuse") this.told.add(key);
  }
}

function aroundOf(setup: AmplifySetup): AroundPath {
  const { metric, sensitive, anchorEnd, bound, order, branchMs } = { ...DEFAULT_AROUND_PATH, ...setup };
  return { metric, sensitive, anchorEnd, bound, order, branchMs };
}
