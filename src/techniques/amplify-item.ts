// One work item of amplification, as a worker thread does it: one recorded test at one distance. What the engine finds is run
// for itself, with nothing symbolic, before anybody hears of it. All that goes in and comes out is plain data.

import type { ItemContext, ItemOutcome, ItemRunner } from "../campaign/technique.js";
import type { TestInput } from "../inputs/test-input.js";
import type { Seed } from "../project/seed.js";
import { blocksOf, packedBlocks } from "../project/seed-order.js";
import { Amplification, type AmplifyReport } from "./amplify.js";
import { FindingTeller, type FoundEvent } from "./tell-finding.js";
import type { TestLimits } from "./test-limits.js";
import { testOfSeed } from "./test-of-seed.js";

export interface AmplifyWork {
  readonly seed: Seed;
  readonly distance: number;
  /** The seed was not recorded but made, and never ran natively. */
  readonly isMade?: boolean;
}

/** The same for all items of a campaign. */
export interface AmplifySetup extends TestLimits {
  /** The project's directory: where the tests' files are kept. */
  readonly root: string;
}

export interface AmplifyResult extends Omit<AmplifyReport, "testEnd"> {
  /** What tells the test's path from others; tests with the same one have the same places to look at. */
  readonly path: string;
  /** What the test covers, at distance 0: the bits of seed-order.ts in base64. */
  readonly blocks: string | null;
}

export const AMPLIFY_RUNNER: ItemRunner<AmplifyWork, AmplifyResult, AmplifySetup> = {
  run(work, setup, context) {
    const made = testOfSeed(work.seed, setup);
    if (made.kind === "broken") return { kind: "skipped", why: made.problem };
    return new AmplifyItem(work, setup, context, made.test).run();
  },
};

class AmplifyItem {
  private readonly amplification: Amplification;
  private readonly teller: FindingTeller;

  constructor(
    private readonly work: AmplifyWork,
    setup: AmplifySetup,
    private readonly context: ItemContext,
    test: TestInput,
  ) {
    this.teller = new FindingTeller(context, { seed: work.seed, test, isMade: work.isMade === true }, setup);
    const { instructionsPerPath, memoryBytes, heapBytes, randomSeed, solverQueryMs } = setup;
    const { image, module, timeMs, abort } = context;
    const options = {
      distance: work.distance,
      limits: { timeMs, memoryBytes, instructionsPerPath, timePerRunMs: timeMs },
      checkTimeMs: timeMs,
      heapBytes,
      randomSeed,
      solver: { timeMs: solverQueryMs },
      abort,
    };
    this.amplification = new Amplification(image, test, options, module);
  }

  run(): ItemOutcome<AmplifyResult> {
    const { timeMs, abort, tell } = this.context;
    const events = this.amplification.run();
    for (;;) {
      const next = events.next();
      if (next.done !== true) {
        if (next.value.kind === "finding-confirmed") this.believe(next.value);
        continue;
      }
      const { testEnd, ...report } = next.value;
      const isOwn = this.work.distance === 0;
      const { coverage } = this.amplification.executor;
      const own = this.amplification.testCoverage ?? coverage;
      if (isOwn) tell({ kind: "covered", coverage: own, byTests: true });
      tell({ kind: "covered", coverage, byTests: false });
      // A path that was cut short is nobody else's.
      const path = testEnd === null || testEnd.kind === "stopped" ? this.work.seed.id : String(report.pathHash);
      const blocks = isOwn ? packedBlocks(blocksOf(own)) : null;
      const isComplete = report.statistics.timeMs < timeMs && !abort.aborted;
      return { kind: "report", report: { isComplete, result: { ...report, path, blocks } } };
    }
  }

  private believe(event: FoundEvent): void {
    const { amplification, teller } = this;
    const found = teller.tell(event, (input) => amplification.valuesOf(input, event.outcome.objects));
    // Another witness of the same place may be a good one.
    if (found === null) amplification.exploration.withdraw(event.finding);
  }
}
