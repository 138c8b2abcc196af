// Who does a campaign's items: threads of this process, or workers elsewhere. A campaign gives its tasks to hands, one task at a time each, and
// does not know where they are. How many hands there are may change while it goes on.

import { GuardedThread, type ThreadEnd, type ThreadLimits } from "../support/guarded-thread.js";
import type { WorkMessage, WorkTask } from "./work-messages.js";

export interface HandLimits extends ThreadLimits {
  /** Until the campaign ends: what waits for a worker elsewhere is not waited for any longer. */
  readonly leftMs: number;
  /** Whether a finding of that id, if the task tells it, makes a difference. */
  readonly wants: (id: string) => boolean;
}

export type HandEnd =
  | ThreadEnd
  /** Nobody has begun it, and now nobody will. */
  | { readonly kind: "unbegun" };

export interface WorkHand {
  readonly isAlive: boolean;
  /** `listen` says true to the task's last message. */
  run(task: WorkTask, limits: HandLimits, listen: (message: WorkMessage) => boolean): Promise<HandEnd>;
  /** Asks the task under way to stop; it is over at the latest after that time. */
  stop(graceMs?: number): void;
  discard(): void;
}

export interface Crew {
  /** Tasks that are ever under way at the same time. */
  readonly most: number;
  /** Tasks that should be under way now, so that no hand is idle. */
  room(): number;
  /** How many of them are done at the same time. */
  hands(): number;
  hire(script: URL): WorkHand;
}

/** Each takes hundreds of megabytes. */
export const MOST_WORKERS = 64;

export function threadCrew(workers: number): Crew {
  const count = Math.min(Math.max(1, workers), MOST_WORKERS);
  return {
    most: count,
    room: () => count,
    hands: () => count,
    hire: (script) => new GuardedThread<WorkTask, WorkMessage>(script),
  };
}
