// Work items of composition, as a worker thread does them.

import type { ItemContext, ItemOutcome, ItemRunner } from "../../campaign/technique.js";
import type { Seed } from "../../project/seed.js";
import { testOfSeed } from "../test-of-seed.js";
import { approachConditions } from "./approach-conditions.js";
import { ProgramCalls } from "./call-profile.js";
import { carryTexts } from "./carry-texts.js";
import type { ComposeItemResult, ComposeSetup, ComposeWork, UnitSeed } from "./compose-work.js";
import { codeFactsOf, groundOf, linkedOf } from "./linked-types.js";
import { profiled } from "./profile-item.js";
import { recordContexts } from "./record-contexts.js";
import { runUnit } from "./unit-item.js";
import { runWhole } from "./whole-run.js";

export const COMPOSE_RUNNER: ItemRunner<ComposeWork, ComposeItemResult, ComposeSetup> = {
  run(work, setup, context): ItemOutcome<ComposeItemResult> {
    switch (work.kind) {
      case "profile":
        return profiled(work, setup, context, {
          calls: new ProgramCalls(context.image, codeFactsOf(context).indirect),
          contextsOf: setup.without.includes("unit-seeds")
            ? null
            : (seed, timeMs) => contextsOf(seed, timeMs, setup, context),
          words: linkedOf(context).words,
        });
      case "unit":
        return runUnit(work, setup, context);
      case "carry":
        return carryTexts(work, setup, context);
      case "approach":
        return approachConditions(work, setup, context, linkedOf(context).words);
      case "whole":
        return runWhole(work, setup, context);
    }
  },
} satisfies { run(work: ComposeWork, setup: ComposeSetup, context: ItemContext): ItemOutcome<ComposeItemResult> };

/** The calls that a run of a test makes, as contexts of their functions. */
function contextsOf(seed: Seed, timeMs: number, setup: ComposeSetup, context: ItemContext): readonly UnitSeed[] {
  const made = testOfSeed(seed, setup);
  if (made.kind === "broken") return [];
  const { heapBytes, randomSeed, instructionsPerPath: instructions } = setup;
  const recorded = recordContexts(groundOf(context), made.test, {
    execution: { heapBytes, seed: randomSeed },
    limits: { instructions, timeMs, abort: context.abort },
  });
  return "kind" in recorded ? [] : recorded.contexts.map((one) => ({ ...one, seed }));
}
