// What is left to do when a run has ended: files are written and closed, processes that it has left behind run to their end.

import type { Kernel } from "./kernel.js";
import { type RunEnd, RunStop } from "./run-end.js";

/** What it had open is open no more. */
export function finish(kernel: Kernel): void {
  kernel.files.finish();
  kernel.life.finish();
}

/** Runs the processes that are left when the first one has ended. */
export function outlived(kernel: Kernel, end: RunEnd): RunEnd {
  if (!kernel.life.isFirst) return end;
  try {
    kernel.life.outlive();
    return end;
  } catch (error) {
    if (!(error instanceof RunStop) || error.reason.kind !== "limit") return end;
    return end.kind === "exit" ? { ...error.reason, trace: [] } : end;
  } finally {
    kernel.life.finish();
  }
}

/** Writes and closes what is open. What is in shared mappings may be more than a run may write, and it has ended already. */
export function closed(kernel: Kernel, end: RunEnd): RunEnd {
  try {
    kernel.mappings.finish();
    return end;
  } catch (error) {
    if (!(error instanceof RunStop) || error.reason.kind !== "limit") throw error;
    return end.kind === "exit" ? { ...error.reason, trace: [] } : end;
  } finally {
    kernel.files.finish();
  }
}
