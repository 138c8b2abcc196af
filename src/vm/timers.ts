// Timers that raise signals when the virtual clock has passed them: the one of alarm and setitimer, and those that timer_create
// makes. They are looked at where time passes: while the program sleeps, waits or computes.

import { SIGNAL } from "./signals.js";

/** As many as a process may have pending by RLIMIT_SIGPENDING, roughly. */
const MOST_TIMERS = 4096;

export class Timer {
  /** In nanoseconds of the virtual clock. */
  dueAt = Number.POSITIVE_INFINITY;
  /** How often after that; 0: never. */
  intervalNs = 0;

  /** `signal`: 0 for one that nobody hears of. */
  constructor(
    readonly signal: number,
    readonly clock = 0,
  ) {}

  /** Nanoseconds; 0 takes it back. */
  set(now: number, delayNs: number, intervalNs: number): void {
    this.dueAt = delayNs === 0 ? Number.POSITIVE_INFINITY : now + delayNs;
    this.intervalNs = intervalNs;
  }

  /** What is left, 0 if it is not set. One that is due is told of as having a little left. */
  leftNs(now: number): number {
    if (this.dueAt === Number.POSITIVE_INFINITY) return 0;
    if (this.signal === 0 && this.dueAt <= now && this.intervalNs === 0) return 0;
    return Math.max(1000, this.dueAt - now);
  }

  /** It has rung. */
  goOn(now: number): void {
    this.dueAt = this.intervalNs > 0 ? now + this.intervalNs : Number.POSITIVE_INFINITY;
  }
}

export class Timers {
  readonly alarm = new Timer(SIGNAL.SIGALRM);
  private readonly made = new Map<number, Timer>();
  private nextId = 0;

  /** Null: there are too many. */
  create(signal: number, clock: number): number | null {
    if (this.made.size >= MOST_TIMERS) return null;
    const id = this.nextId++;
    this.made.set(id, new Timer(signal, clock));
    return id;
  }

  get(id: number): Timer | null {
    return this.made.get(id) ?? null;
  }

  remove(id: number): boolean {
    return this.made.delete(id);
  }

  /** When the next signal is due. */
  get nextAt(): number {
    let next = this.alarm.dueAt;
    for (const { signal, dueAt } of this.made.values()) if (signal !== 0) next = Math.min(next, dueAt);
    return next;
  }

  /** Those whose signal is due, as far as they have not rung. */
  due(now: number): readonly Timer[] {
    return [this.alarm, ...this.made.values()].filter(({ signal, dueAt }) => signal !== 0 && dueAt <= now);
  }
}
