// A function failed with a text in the place of the one that a test's call gives it. Most texts come to a function as they stand in what the
// program reads, so the other one is put there, at each place where the first one stands, and the whole program is run. This makes inputs
// grow, which no formula over a test's bytes can say.

import type { ItemContext, ItemOutcome } from "../../campaign/technique.js";
import { problemOf } from "../../inputs/moves/invocation-key.js";
import { withOtherTexts } from "../../inputs/mutations/other-texts.js";
import { asksTheMachine } from "../../inputs/system-files.js";
import type { Seed } from "../../project/seed.js";
import { GivenTests } from "../reach/given-tests.js";
import type { CarryResult, CarryWork, ComposeSetup } from "./compose-work.js";
import { EDITED_RUN_MS } from "./edit-limits.js";
import { MadeFailures } from "./made-failures.js";

export function carryTexts(work: CarryWork, setup: ComposeSetup, context: ItemContext): ItemOutcome<CarryResult> {
  const startedMs = performance.now();
  const tests = new GivenTests(setup, context);
  const failures = new MadeFailures(setup, context);
  const carried = carriedTo(work, context, tests, failures);
  tests.release();
  const milliseconds = performance.now() - startedMs;
  const result = { kind: "carry", carried, failed: failures.elsewhere, milliseconds } as const;
  return { kind: "report", report: { isComplete: !context.abort.aborted, result } };
}

/** The first input on which the whole program fails where the function did. */
function carriedTo(work: CarryWork, context: ItemContext, tests: GivenTests, failures: MadeFailures): Seed | null {
  const { condition, seeds, timeMs } = work;
  const endsMs = performance.now() + Math.min(timeMs, context.timeMs);
  for (const seed of seeds) {
    const given = tests.invocationOf(seed);
    if (given.kind === "broken") continue;
    for (const invocation of withOtherTexts(given.invocation, condition.texts)) {
      if (context.abort.aborted || performance.now() >= endsMs) return null;
      if (problemOf(invocation, given.invocation) !== null || asksTheMachine(invocation, given.invocation)) continue;
      const { end } = tests.lend(invocation, EDITED_RUN_MS);
      if (end.kind !== "fault") continue;
      if (failures.isAt(condition.target, end)) return failures.seedOf(invocation, seed);
      failures.addElsewhere(end, invocation, seed);
    }
  }
  return null;
}
