// Runs tests again in a thread of their own, one after the other. A test that does not end at its limit is ended from here,
// with its thread, and the others go on in a new one.

import type { CheckedRun } from "../findings/check.js";
import { REPETITION_MS } from "../findings/replay.js";
import { GuardedThread, newCell } from "../support/guarded-thread.js";
import type { ReplayAnswer, ReplayTask, ReplayTest } from "./replay-worker.js";
import { overdueRun } from "./run-thread.js";

/** Beyond a test's own limit: its finding is run once more. */
const ALLOWANCE_MS = REPETITION_MS + 200;
const GRACE_MS = 300;

/** Null, or why not all were run. */
export async function replayAll(
  { source, definedness = false }: Pick<ReplayTask, "source"> & Partial<Pick<ReplayTask, "definedness">>,
  tests: readonly ReplayTest[],
  take: (index: number, run: CheckedRun) => void,
): Promise<string | null> {
  for (let first = 0; first < tests.length; ) {
    const thread = new GuardedThread<ReplayTask, ReplayAnswer>(new URL("./replay-worker.js", import.meta.url));
    let current = first;
    const limits = { timeMs: Number.POSITIVE_INFINITY, graceMs: GRACE_MS };
    const task = { source, definedness, tests: tests.slice(first), cell: newCell() };
    const end = await thread.run(task, limits, (answer) => {
      if (answer.kind === "over") return true;
      current = first + answer.index;
      if (answer.kind === "ran") take(current, answer.run);
      else thread.extend(tests[current].options.limits.milliseconds + ALLOWANCE_MS);
      return false;
    });
    thread.discard();
    if (end.kind === "done") return null;
    if (end.kind === "died") return `the thread that runs the tests died: ${end.message}`;
    take(current, overdueRun(tests[current].options.limits.milliseconds));
    first = current + 1;
  }
  return null;
}
