// How long this thread has waited for a processor although it had work: limits by the clock are too short then, and what they cut short
// is not slow. Linux counts it for every thread.

import { readFileSync } from "node:fs";

const NANOSECONDS_PER_MS = 1_000_000;

/** An object, so that tests can put another in its place. */
export const PROCESSOR = {
  /** Since the thread began; 0 where nobody counts it. To ask takes some hundredths of a millisecond. */
  waitMs(): number {
    try {
      const [, waited] = readFileSync("/proc/thread-self/schedstat", "latin1").split(" ");
      const milliseconds = Number(waited) / NANOSECONDS_PER_MS;
      return Number.isFinite(milliseconds) ? milliseconds : 0;
    } catch {
      return 0;
    }
  },
};
