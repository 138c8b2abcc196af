// What items of a composition are set up with in tests: nothing left out, nothing kept.

import { DEFAULT_TEST_LIMITS } from "../test-limits.js";
import type { ComposeSetup } from "./compose-work.js";

export function composeSetup(root: string): ComposeSetup {
  return { ...DEFAULT_TEST_LIMITS, root, without: [], literals: "auto", givenPrograms: [], cache: null };
}
