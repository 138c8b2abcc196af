// Work items of composition, as a worker thread does them.

import type { ItemContext, ItemOutcome, ItemRunner } from "../../campaign/technique.js";
import { ProgramCalls } from "./call-profile.js";
import type { ComposeItemResult, ComposeSetup, ComposeWork } from "./compose-work.js";
import { codeFactsOf } from "./linked-types.js";
import { profiled } from "./profile-item.js";
import { runUnit } from "./unit-item.js";
import { runWhole } from "./whole-run.js";

export const COMPOSE_RUNNER: ItemRunner<ComposeWork, ComposeItemResult, ComposeSetup> = {
  run(work, setup, context): ItemOutcome<ComposeItemResult> {
    switch (work.kind) {
      case "profile":
        return profiled(work, setup, context, {
          calls: new ProgramCalls(context.image, codeFactsOf(context).indirect),
          contextsOf: null,
        });
      case "unit":
        return runUnit(work, setup, context);
      case "whole":
        return runWhole(work, setup, context);
    }
  },
} satisfies { run(work: ComposeWork, setup: ComposeSetup, context: ItemContext): ItemOutcome<ComposeItemResult> };
