// A function failed with a text in the place of the one that a test's call gives it. Most texts come to a function as they stand in what the
// program reads, so the other one is put there, at each place where the first one stands, and the whole program is run. This makes inputs
// grow, which no formula over a test's bytes can say.

import type { ItemContext, ItemOutcome } from "../../campaign/technique.js";
import type { Invocation } from "../../inputs/invocation.js";
import { problemOf } from "../../inputs/moves/invocation-key.js";
import { withOtherTexts } from "../../inputs/mutations/other-texts.js";
import { asksTheMachine } from "../../inputs/system-files.js";
import { BlobStore } from "../../project/blob-store.js";
import { seedOfInvocation } from "../../project/made-seed.js";
import { ProjectFolder } from "../../project/project-folder.js";
import type { Seed } from "../../project/seed.js";
import { placeKeyOf } from "../../vm/place-key.js";
import { sourceFrames } from "../../vm/stack-trace.js";
import type { ConcreteRun } from "../reach/concrete-runner.js";
import { GivenTests } from "../reach/given-tests.js";
import type { CarryResult, CarryWork, ComposeSetup } from "./compose-work.js";

const RUN_MS = 1000;
/** Failures at other lines that are told. */
const MOST_OTHERS = 4;

export function carryTexts(work: CarryWork, setup: ComposeSetup, context: ItemContext): ItemOutcome<CarryResult> {
  return new Carrying(work, setup, context).run();
}

type FaultEnd = Extract<ConcreteRun["end"], { kind: "fault" }>;

class Carrying {
  private readonly tests: GivenTests;
  private readonly others = new Map<string, Seed>();
  private readonly startedMs = performance.now();

  constructor(
    private readonly work: CarryWork,
    private readonly setup: ComposeSetup,
    private readonly context: ItemContext,
  ) {
    this.tests = new GivenTests(setup, context);
  }

  run(): ItemOutcome<CarryResult> {
    const carried = this.carried();
    this.tests.release();
    const milliseconds = performance.now() - this.startedMs;
    const result = { kind: "carry", carried, failed: [...this.others.values()], milliseconds } as const;
    return { kind: "report", report: { isComplete: !this.context.abort.aborted, result } };
  }

  /** The first input on which the whole program fails where the function did. */
  private carried(): Seed | null {
    const { work, tests, context } = this;
    const endsMs = this.startedMs + Math.min(work.timeMs, context.timeMs);
    for (const seed of work.seeds) {
      const given = tests.invocationOf(seed);
      if (given.kind === "broken") continue;
      for (const invocation of withOtherTexts(given.invocation, work.condition.texts)) {
        if (context.abort.aborted || performance.now() >= endsMs) return null;
        if (problemOf(invocation, given.invocation) !== null || asksTheMachine(invocation, given.invocation)) continue;
        const { end } = tests.lend(invocation, RUN_MS);
        if (end.kind !== "fault") continue;
        if (this.isThere(end)) return this.seedOf(invocation, seed);
        this.failsElsewhere(end, invocation, seed);
      }
    }
    return null;
  }

  private isThere({ trace }: FaultEnd): boolean {
    const { target } = this.work.condition;
    const own = sourceFrames(this.context.image, trace).find(({ origin }) => origin === "program");
    return own !== undefined && own.file === target.file && own.line === target.line;
  }

  private failsElsewhere(end: FaultEnd, invocation: Invocation, seed: Seed): void {
    const place = placeKeyOf(sourceFrames(this.context.image, end.trace));
    if (this.others.size < MOST_OTHERS && !this.others.has(place))
      this.others.set(place, this.seedOf(invocation, seed));
  }

  private seedOf(invocation: Invocation, seed: Seed): Seed {
    return seedOfInvocation(invocation, seed, new BlobStore(new ProjectFolder(this.setup.root)));
  }
}
