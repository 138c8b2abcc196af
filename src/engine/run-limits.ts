// What one run may take: of instructions its own allowance, never more than the user lets a path have; of time what is left
// of all, at the most. And what it means if a run was cut: it was the last limit of its path, or it is to go on later.

import type { PathEnd, RunLimits } from "./executor.js";
import type { EngineLimits, EngineOptions } from "./options.js";

/** A run that begins at the last moment gets this much. */
const LEAST_RUN_MS = 50;
/** A finding of the last moment is still confirmed, if that can be done in this time; else it is told as not confirmed. */
const LEAST_CONFIRMATION_MS = 600;

export class LimitsOfRuns {
  /** Of the run in progress, or the last one. One object, because the executor keeps what it made for it. */
  readonly current: { instructions: number; timeMs: number; readonly abort: EngineOptions["abort"] };
  /** The most time that this run may ever have. */
  private mostMs: number;

  constructor(
    private readonly limits: EngineLimits,
    private readonly abort: EngineOptions["abort"],
    /** How long the exploration has taken so far. */
    private readonly timeMs: () => number,
  ) {
    this.mostMs = limits.timePerRunMs;
    this.current = { instructions: limits.instructionsPerPath, timeMs: this.mostMs, abort };
  }

  /** A run begins that may take so many instructions before it is set aside. */
  begin(allowance: number, isRevived = false): RunLimits {
    const { timeMs, timePerRunMs, timePerRevivedMs = timePerRunMs, instructionsPerPath } = this.limits;
    this.current.instructions = Math.min(instructionsPerPath, allowance);
    this.mostMs = isRevived ? Math.min(timePerRunMs, Math.max(LEAST_RUN_MS, timePerRevivedMs)) : timePerRunMs;
    this.current.timeMs = this.mostMs;
    if (timeMs === Number.POSITIVE_INFINITY) return this.current;
    const left = Math.max(LEAST_RUN_MS, Math.ceil(timeMs - this.timeMs()));
    // Rounded, because the executor keeps what it made for a limit.
    this.current.timeMs = Math.min(this.mostMs, left > 2000 ? left - (left % 1000) : left);
    return this.current;
  }

  ofConfirmation(): RunLimits {
    const { instructionsPerPath: instructions, timePerRunMs, timeMs } = this.limits;
    return { instructions, timeMs: Math.min(timePerRunMs, Math.max(LEAST_CONFIRMATION_MS, timeMs - this.timeMs())) };
  }

  /** All of the time is over, or nobody wants more. */
  get isOverdue(): boolean {
    return this.timeMs() >= this.limits.timeMs || this.abort.aborted;
  }

  /** Whether the run used up its allowance, which is not the most that a path may have. */
  isSetAside(end: PathEnd): boolean {
    if (end.kind === "stopped") return end.reason === "long";
    const isUsedUp = end.kind === "limit" && end.limit === "instructions";
    return isUsedUp && this.current.instructions < this.limits.instructionsPerPath;
  }

  /** Whether not its own last limit cut the run, but its allowance or the end of all time: then it is to go on later. */
  isToGoOn(end: PathEnd): boolean {
    if (this.isSetAside(end)) return true;
    if (end.kind !== "limit") return false;
    if (end.limit === "cancelled") return true;
    return end.limit === "time" && (this.current.timeMs < this.mostMs || this.isOverdue);
  }
}

/** Whether a limit ended the run, wherever it was. */
export function isCut(end: PathEnd): boolean {
  return end.kind === "limit" || (end.kind === "stopped" && (end.reason === "depth" || end.reason === "long"));
}
