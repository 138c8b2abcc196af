// How many threads work at the same time if the user says nothing: one for each core that this process may use, but no more than the memory
// is good for.

import { availableParallelism, totalmem } from "node:os";

/** What a thread may take: its expressions and pending paths, the program's heap, and V8's own. */
const JOB_BYTES = 2 * 2 ** 30;

export function defaultJobs(cores = availableParallelism(), memoryBytes = totalmem()): number {
  return Math.max(1, Math.min(cores, Math.floor(memoryBytes / JOB_BYTES)));
}
