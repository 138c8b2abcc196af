// What runs of tests and of edited tests may take, where many are tried out one after the other.

import type { TestLimits } from "../test-limits.js";

/** Milliseconds of a test's own run, and of an edited one's. */
export const TEST_RUN_MS = 10_000;
export const EDITED_RUN_MS = 1_000;
/** An edited test may run so many times as long as the longest test, and so much longer in any case. */
const TIMES_LONGER = 4;
const INSTRUCTIONS_MORE = 1_000_000;

/** `longest`: the instructions of a test at most. */
export function instructionsOfEdited(
  longest: number,
  { instructionsPerPath }: Pick<TestLimits, "instructionsPerPath">,
): number {
  return Math.min(instructionsPerPath, TIMES_LONGER * longest + INSTRUCTIONS_MORE);
}
