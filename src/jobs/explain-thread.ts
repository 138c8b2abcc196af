// Compares a test's run with a finding's in a thread of its own, and ends it if it takes longer than it may.

import { GuardedThread, newCell } from "../support/guarded-thread.js";
import type { ExplainAnswer, ExplainTask } from "./explain-worker.js";

/** Each of the two inputs is run once, and each run has the task's time. */
const RUNS = 2;
const ALLOWANCE_MS = 1000;
const GRACE_MS = 500;

export type ExplainOutcome = Exclude<ExplainAnswer, { readonly kind: "begun" }>;

export async function explainInThread(task: Omit<ExplainTask, "cell">): Promise<ExplainOutcome> {
  const thread = new GuardedThread<ExplainTask, ExplainAnswer>(new URL("./explain-worker.js", import.meta.url));
  const limits = { timeMs: Number.POSITIVE_INFINITY, graceMs: GRACE_MS };
  let outcome: ExplainOutcome | null = null;
  const end = await thread.run({ ...task, cell: newCell() }, limits, (answer) => {
    if (answer.kind === "begun") {
      thread.extend(RUNS * task.timeMs + ALLOWANCE_MS);
      return false;
    }
    outcome = answer;
    return true;
  });
  thread.discard();
  if (outcome !== null) return outcome;
  const seconds = Math.round((RUNS * task.timeMs) / 1000);
  const message =
    end.kind === "died"
      ? `the thread that runs the program died: ${end.message}`
      : `the program did not end within ${seconds} s; its paths cannot be compared`;
  return { kind: "failed", message };
}
