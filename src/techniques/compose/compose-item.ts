// PLACEHOLDER: does no item. The integrator replaces it.

import type { ItemRunner } from "../../campaign/technique.js";
import type { ComposeItemResult, ComposeSetup, ComposeWork } from "./compose-work.js";

export const COMPOSE_RUNNER: ItemRunner<ComposeWork, ComposeItemResult, ComposeSetup> = {
  run: () => ({ kind: "skipped", why: "composition is not there yet" }),
};
