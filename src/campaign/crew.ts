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
  /** The campaign has no more tasks for it. */
  dismiss(hand: WorkHand): void;
}

/** Each takes hundreds of megabytes. */
export const MOST_WORKERS = 64;

type WorkThread = GuardedThread<WorkTask, WorkMessage>;

/**
 * Threads whose campaign is over, by script, for the next campaign of this process: what V8 has optimised and what was translated for other
 * programs is worth a second or two. A campaign's first task makes a thread forget the one before (work-server.ts).
 */
const parked = new Map<string, WorkThread[]>();

function hireThread(script: URL): WorkThread {
  const waiting = parked.get(script.href) ?? [];
  for (let thread = waiting.shift(); thread !== undefined; thread = waiting.shift()) {
    if (!thread.isIdle) continue;
    thread.resume();
    return thread;
  }
  return new GuardedThread<WorkTask, WorkMessage>(script);
}

function parkThread(script: URL, thread: WorkThread): void {
  if (!thread.isIdle) {
    thread.discard();
    return;
  }
  thread.park();
  parked.set(script.href, [...(parked.get(script.href) ?? []), thread]);
}

export function threadCrew(workers: number): Crew {
  const count = Math.min(Math.max(1, workers), MOST_WORKERS);
  const hired = new Map<WorkHand, { readonly script: URL; readonly thread: WorkThread }>();
  return {
    most: count,
    room: () => count,
    hands: () => count,
    hire(script) {
      const thread = hireThread(script);
      hired.set(thread, { script, thread });
      return thread;
    },
    dismiss(hand) {
      const known = hired.get(hand);
      if (known !== undefined) parkThread(known.script, known.thread);
    },
  };
}
