// One work item of amplification, as a worker thread does it: one recorded test at one distance. What the engine finds is run
// for itself, with nothing symbolic, before anybody hears of it. All that goes in and comes out is plain data.

import type { ItemContext, ItemOutcome, ItemRunner } from "../campaign/technique.js";
import type { EngineEvent } from "../engine/events.js";
import { type ConfirmationOptions, confirm, confirmSmaller } from "../findings/confirmation.js";
import type { Finding } from "../findings/finding.js";
import { GeneralHelpers } from "../findings/general-helpers.js";
import { type FindingIdentity, identify } from "../findings/identity.js";
import type { InputValue } from "../inputs/input-value.js";
import { seenFrom, surroundingsOf, type TestInput, withValues } from "../inputs/test-input.js";
import type { ProgramImage } from "../jit/image.js";
import { BlobStore } from "../project/blob-store.js";
import { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { blocksOf, packedBlocks } from "../project/seed-order.js";
import { testOf } from "../project/seed-test.js";
import { sourcesBelow } from "../project/sources.js";
import type { Model } from "../solver/solver.js";
import { DEFAULT_LIMITS } from "../vm/run-options.js";
import { Amplification, type AmplifyReport } from "./amplify.js";
import type { TestLimits } from "./test-limits.js";

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

/** However little is left of the time, a finding is worth this much more. */
const LEAST_CONFIRMATION_MS = 400;

export const AMPLIFY_RUNNER: ItemRunner<AmplifyWork, AmplifyResult, AmplifySetup> = {
  run(work, setup, context) {
    const made = testOf(work.seed, new BlobStore(new ProjectFolder(setup.root)), setup.root);
    if (made.kind === "broken") return { kind: "skipped", why: made.problem };
    const test = seenFrom(made.test, setup.roots);
    return new AmplifyItem(work, setup, context, test).run();
  },
};

class AmplifyItem {
  private readonly amplification: Amplification;
  private readonly startedMs = performance.now();

  constructor(
    private readonly work: AmplifyWork,
    private readonly setup: AmplifySetup,
    private readonly context: ItemContext,
    private readonly test: TestInput,
  ) {
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

  /** Runs the witness for itself, with nothing symbolic: only what fails again is told. */
  private believe(event: FoundEvent): void {
    const { test, context, amplification } = this;
    const valuesOf = (input: Model): readonly InputValue[] => amplification.valuesOf(input, event.outcome.objects);
    const { confirmation, witness } = confirmSmaller(
      (values) => confirm(context, test, values, this.confirmationOptions()),
      (finding) => this.identityOf(finding).id,
      valuesOf(event.input),
      event.smaller === null ? null : valuesOf(event.smaller),
    );
    if (confirmation.kind !== "confirmed") {
      // Another witness of the same place may be a good one.
      amplification.exploration.withdraw(event.finding);
      return context.tell(
        confirmation.kind === "machine-made"
          ? { kind: "machine-made", id: this.identityOf(confirmation.finding).id, why: confirmation.why }
          : { kind: "unconfirmed", what: event.finding.kind },
      );
    }
    const { finding } = confirmation;
    const { words } = surroundingsOf(withValues(test, witness));
    const name = this.work.seed.arguments[0] ?? test.program;
    const witnessCommand = [name, ...words.map(({ bytes }) => Buffer.from(bytes).toString("latin1"))];
    const identity = this.identityOf(finding);
    const found = { finding, identity, witness, seedValues: test.values, witnessCommand, depth: event.depth };
    context.tell({ kind: "finding", found });
  }

  private confirmationOptions(): ConfirmationOptions {
    const { randomSeed, instructionsPerPath, heapBytes } = this.setup;
    const { seed, isMade } = this.work;
    const leftMs = this.context.timeMs - (performance.now() - this.startedMs);
    const milliseconds = Math.max(LEAST_CONFIRMATION_MS, leftMs);
    const limits = { ...DEFAULT_LIMITS, heapBytes, instructions: instructionsPerPath, milliseconds };
    return { seed: randomSeed, limits, nativeEnd: isMade === true ? { kind: "never-ran" } : seed.end };
  }

  private identityOf(finding: Finding): FindingIdentity {
    const helpers = helpersOf(this.context.image);
    return identify(finding, {
      program: this.work.seed.program,
      root: this.setup.root,
      isHelper: (frame) => helpers.isHelper(frame),
      readSource: sourcesBelow([this.setup.root]),
    });
  }
}

type FoundEvent = Extract<EngineEvent, { readonly kind: "finding-confirmed" }>;

const knownHelpers = new WeakMap<ProgramImage, GeneralHelpers>();

/** Counting a program's calls takes a while, and a thread keeps its programs. */
function helpersOf(image: ProgramImage): GeneralHelpers {
  const helpers = knownHelpers.get(image) ?? new GeneralHelpers(image);
  knownHelpers.set(image, helpers);
  return helpers;
}
