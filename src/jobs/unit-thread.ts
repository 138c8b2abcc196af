// Explores a unit in its thread, and ends it when its time is over or the user wants it: what was found until then is kept.

import { GuardedThread, newCell } from "../support/guarded-thread.js";
import { onStopSignal } from "../support/stop-signal.js";
import type { StartsEvent, StartsSummary } from "../techniques/compose/explore-starts.js";
import type { UnitMessage, UnitTask } from "./unit-worker.js";

/** Beyond its limit: for a run that ends, and a failure that is looked into. */
const ALLOWANCE_MS = 3000;
/** For tests that are run up to the call, where a path of the function may be short and the way there long. */
const TESTS_ALLOWANCE_MS = 5000;
const GRACE_MS = 1000;
/** From a wish to stop to force: the solver may be in the middle of a question. */
const USERS_GRACE_MS = 1500;

type Told = Extract<StartsEvent, { readonly kind: "calls" | "failure" | "again" }>;

export interface UnitListener {
  told(event: Told): void;
  soFar(summary: StartsSummary): void;
  /** The user has asked to stop, for the first time. */
  stopping(): void;
}

export type UnitEnd =
  /** `wasEnded`: from outside, because it did not stop in time; the summary is of a moment before. */
  | { readonly kind: "done"; readonly summary: StartsSummary; readonly wasEnded: boolean }
  /** By the user, before anything was run. */
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly message: string };

export async function exploreUnitInThread(task: Omit<UnitTask, "cell">, listener: UnitListener): Promise<UnitEnd> {
  const thread = new GuardedThread<UnitTask, UnitMessage>(new URL("./unit-worker.js", import.meta.url));
  let isUsersWish = false;
  const removeListeners = onStopSignal(() => {
    isUsersWish = true;
    listener.stopping();
    thread.stop(USERS_GRACE_MS);
  });
  let last: StartsSummary | null = null;
  let failure: string | null = null;
  try {
    const limits = { timeMs: Number.POSITIVE_INFINITY, graceMs: GRACE_MS };
    const end = await thread.run({ ...task, cell: newCell() }, limits, (message) => {
      switch (message.kind) {
        case "begun":
          if (!isUsersWish) thread.extend(longestMs(task.starts));
          return false;
        case "calls":
        case "failure":
        case "again":
          listener.told(message);
          return false;
        case "so-far":
          last = message.summary;
          listener.soFar(message.summary);
          return false;
        case "done":
          last = message.summary;
          return true;
        case "failed":
          failure = message.message;
          return true;
      }
    });
    if (failure !== null) return { kind: "failed", message: failure };
    if (end.kind === "died") return { kind: "failed", message: `the thread that runs the unit died: ${end.message}` };
    if (last === null && isUsersWish) return { kind: "stopped" };
    if (last === null) return { kind: "failed", message: "its first run did not end in time" };
    const summary: StartsSummary = last;
    const isOurs = summary.reason === "aborted" && !isUsersWish;
    return { kind: "done", summary: isOurs ? { ...summary, reason: "time" } : summary, wasEnded: end.kind !== "done" };
  } finally {
    removeListeners();
    thread.discard();
  }
}

function longestMs({ plan, tests }: UnitTask["starts"]): number {
  return plan.timeMs + plan.studyMs + ALLOWANCE_MS + (tests === null ? 0 : TESTS_ALLOWANCE_MS);
}
