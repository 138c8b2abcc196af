// How many threads a command works in: `--jobs N`, or `--workers N` as it was called first.

import { MOST_WORKERS } from "../campaign/crew.js";
import { defaultJobs } from "../support/default-jobs.js";

const COUNT = { kind: "number", integer: true, least: 1, value: "N" } as const;

export const JOBS_OPTIONS = {
  jobs: {
    ...COUNT,
    short: "j",
    help: `threads that work at the same time (default: one for each core, as far as memory goes; at most ${MOST_WORKERS})`,
  },
  workers: { ...COUNT, help: "the same as --jobs" },
} as const;

export interface JobsChoice {
  readonly jobs?: number | undefined;
  readonly workers?: number | undefined;
}

export function jobsOf({ jobs, workers }: JobsChoice): number {
  return jobs ?? workers ?? defaultJobs();
}

/** In words, or null. */
export function wrongJobs({ jobs, workers }: JobsChoice): string | null {
  if ((jobs ?? 1) > MOST_WORKERS) return `--jobs: at most ${MOST_WORKERS}`;
  return (workers ?? 1) > MOST_WORKERS ? `--workers: at most ${MOST_WORKERS}` : null;
}
