// Waiting for what only another process can do: a lock, a message, a semaphore. The others run, one after the other; when
// none is left, only a signal of a timer can end the wait, and without one the run ends there.

import { ERRNO } from "../errno.js";
import type { Kernel } from "../kernel.js";
import { RunStop } from "../run-end.js";

/** 0 when it is so, -EINTR if a signal came first, -EAGAIN if that much time has passed. */
export function waitUntil(kernel: Kernel, isReady: () => boolean, mostNs = Number.POSITIVE_INFINITY): number {
  while (!isReady()) {
    if (kernel.life.runAnother()) continue;
    if (mostNs < Number.POSITIVE_INFINITY) return kernel.sleep(mostNs) < 0 ? -ERRNO.EAGAIN : -ERRNO.EINTR;
    const { nextAt } = kernel.timers;
    if (nextAt === Number.POSITIVE_INFINITY) throw new RunStop({ kind: "limit", limit: "blocked" });
    kernel.sleep(Math.max(0, nextAt - kernel.clock.peek()));
    return -ERRNO.EINTR;
  }
  return 0;
}
