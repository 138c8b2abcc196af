// One work item of amplification, as a worker thread does it: one recorded test at one distance. What the engine finds is run
// for itself, with nothing symbolic, before anybody hears of it. All that goes in and comes out is plain data.

import type { ItemContext, ItemOutcome, ItemRunner } from "../campaign/technique.js";
import type { TestInput } from "../inputs/test-input.js";
import type { Seed } from "../project/seed.js";
import { blocksOf, packedBlocks } from "../project/seed-order.js";
import { Amplification, type AmplifyReport } from "./amplify.js";
import { accountOf, type Checked, checkedOf, type OwnPath, placesOfPins } from "./amplify-account.js";
import type { DecisionMetric } from "./decision-metric.js";
import { type PlainSummary, runPlainly, summaryOfPlain } from "./plain-run.js";
import { FindingTeller, type FoundEvent } from "./tell-finding.js";
import type { TestLimits } from "./test-limits.js";
import { testOfSeed } from "./test-of-seed.js";

export interface AmplifyWork {
  readonly seed: Seed;
  /** PLAIN: it is only run, with nothing symbolic, for what it covers. */
  readonly distance: number;
  /** At distance 0: checks that are slow are put off, to be made later in an item of their own. */
  readonly isQuick?: boolean;
  /** The seed was not recorded but made, and never ran natively. */
  readonly isMade?: boolean;
}

/** The same for all items of a campaign. */
export interface AmplifySetup extends TestLimits {
  /** The project's directory: where the tests' files are kept. */
  readonly root: string;
  readonly metric?: DecisionMetric;
}

/** In the place of a distance. */
export const PLAIN = -1;

export interface PlainResult {
  readonly isPlain: true;
  readonly plain: PlainSummary;
}

export interface ExploredResult extends Omit<AmplifyReport, "testEnd" | "pins"> {
  readonly isPlain?: false;
  /** What tells the test's path from others; tests with the same one have the same places to look at. */
  readonly path: string;
  /** What the test covers, at distance 0: the bits of seed-order.ts in base64. */
  readonly blocks: string | null;
  /** What was checked of the test's own path, at distance 0; and the plain run that came before. */
  readonly checked: Checked | null;
  readonly plain: PlainSummary | null;
  /** Some checks were slow, and are to be made another time. */
  readonly isPutOff?: boolean;
}

export type AmplifyResult = ExploredResult | PlainResult;

/** Of an item's time, what the plain run before it may take. */
const PLAIN_SHARE = 0.5;
/** Of a quick item: for one question, and for all checks of the test. */
const QUICK_QUERY_MS = 50;
const QUICK_CHECKS_MS = 300;

export const AMPLIFY_RUNNER: ItemRunner<AmplifyWork, AmplifyResult, AmplifySetup> = {
  run(work, setup, context) {
    const made = testOfSeed(work.seed, setup);
    if (made.kind === "broken") return { kind: "skipped", why: made.problem };
    if (work.distance !== PLAIN) return new AmplifyItem(work, setup, context, made.test).run();
    const plain = plainRun(made.test, setup, context, context.timeMs).summary;
    // The next campaign wants to know what the tests cover, too.
    return { kind: "report", report: { isComplete: false, result: { isPlain: true, plain } } };
  },
};

/** Tells what the test covers. */
function plainRun(
  test: TestInput,
  { heapBytes, randomSeed: seed }: AmplifySetup,
  { image, module, tell }: ItemContext,
  milliseconds: number,
): { readonly summary: PlainSummary; readonly coverage: Uint8Array } {
  const run = runPlainly(image, module, test, { milliseconds, heapBytes, seed });
  tell({ kind: "covered", coverage: run.coverage, byTests: true });
  return { summary: summaryOfPlain(run), coverage: run.coverage };
}

class AmplifyItem {
  private readonly amplification: Amplification;
  private readonly teller: FindingTeller;
  private readonly plain: { readonly summary: PlainSummary; readonly coverage: Uint8Array } | null;
  private readonly timeMs: number;

  constructor(
    private readonly work: AmplifyWork,
    private readonly setup: AmplifySetup,
    private readonly context: ItemContext,
    private readonly test: TestInput,
  ) {
    const isOwn = work.distance === 0 && work.isMade !== true;
    this.plain = isOwn ? plainRun(test, setup, context, PLAIN_SHARE * context.timeMs) : null;
    this.teller = new FindingTeller(context, { seed: work.seed, test, isMade: work.isMade === true }, setup);
    const { instructionsPerPath, memoryBytes, heapBytes, randomSeed, solverQueryMs, metric = "reader" } = setup;
    const { image, module, abort } = context;
    const timeMs = Math.max(1, context.timeMs - (this.plain?.summary.milliseconds ?? 0));
    this.timeMs = timeMs;
    const options = {
      distance: work.distance,
      metric,
      limits: { timeMs, memoryBytes, instructionsPerPath, timePerRunMs: timeMs },
      checkTimeMs: work.isQuick === true ? Math.min(timeMs, QUICK_CHECKS_MS) : timeMs,
      heapBytes,
      randomSeed,
      solver: { timeMs: work.isQuick === true ? Math.min(solverQueryMs, QUICK_QUERY_MS) : solverQueryMs },
      abort,
    };
    this.amplification = new Amplification(image, test, options, module);
  }

  run(): ItemOutcome<AmplifyResult> {
    const { timeMs } = this;
    const { abort, tell } = this.context;
    const events = this.amplification.run();
    for (;;) {
      const next = events.next();
      if (next.done !== true) {
        if (next.value.kind === "finding-confirmed") this.believe(next.value);
        continue;
      }
      const { testEnd, pins, ...report } = next.value;
      const isOwn = this.work.distance === 0;
      const { coverage } = this.amplification.executor;
      const own = this.plain?.coverage ?? this.amplification.testCoverage ?? coverage;
      if (isOwn && this.plain === null) tell({ kind: "covered", coverage: own, byTests: true });
      tell({ kind: "covered", coverage, byTests: false });
      // A path that was cut short is nobody else's.
      const path = testEnd === null || testEnd.kind === "stopped" ? this.work.seed.id : String(report.pathHash);
      const blocks = isOwn ? packedBlocks(blocksOf(own)) : null;
      const isInTime = report.statistics.timeMs < timeMs && !abort.aborted;
      // Also of checks: what was not answered was not checked.
      const unknown = Math.max(report.statistics.unknown, report.statistics.solver.unknown);
      const isPutOff = this.work.isQuick === true && unknown + report.checksSkipped > 0;
      const isComplete = isInTime && !isPutOff;
      const checked = isOwn ? this.checked({ ...next.value, isComplete: isInTime, unknown }) : null;
      const plain = this.plain?.summary ?? null;
      const result = { ...report, path, blocks, checked, plain, ...(isPutOff ? { isPutOff } : {}) };
      return { kind: "report", report: { isComplete, result } };
    }
  }

  private checked(path: Omit<OwnPath, "input"> & Pick<AmplifyReport, "pins">): Checked {
    const { executor } = this.amplification;
    const account = accountOf(this.test, this.setup.root, executor.readInputs);
    return checkedOf({ ...path, input: { ...account, pins: placesOfPins(executor.image, path.pins) } });
  }

  private believe(event: FoundEvent): void {
    const { amplification, teller } = this;
    const found = teller.tell(event, (input) => amplification.valuesOf(input, event.outcome.objects));
    // Another witness of the same place may be a good one.
    if (found === null) amplification.exploration.withdraw(event.finding);
  }
}
