// The budget of instructions, and the clock of a run. Generated code counts an i32 down and asks for more when it is used up;
// this is also where a run notices the time and a wish to stop.
//
// How long a portion takes depends on what the program does: ten million instructions take ten milliseconds where nothing is
// symbolic, and a minute where every one of them is. So a portion is as large as what the last one took says, the first one is
// small, and those who spend long for one instruction (system calls, the symbolic host) look at the clock themselves.
// Invariant: what the program can see (its timers) does not depend on that, but on the number of instructions alone.

import { RunStop } from "./run-end.js";
import type { RunLimits } from "./run-options.js";

/** Where nothing is symbolic this takes some ten milliseconds. Timers are looked at that often. */
const MOST = 10_000_000;
/** Enough for most runs of an exploration, which then never ask. */
const FIRST = 1_000_000;
const LEAST = 20_000;
/** A portion that took longer is followed by a smaller one, one that took less than a quarter of it by a larger one. */
const PORTION_MS = 20;

export class FuelMeter {
  private readonly limits: RunLimits;
  private readonly cancel: Int32Array | null;
  private readonly isCancelled: (() => boolean) | null;
  /** By performance.now(). */
  readonly deadlineMs: number;
  private global: WebAssembly.Global<number> | null = null;
  private granted = 0;
  private size = FIRST;
  private timerAt: number;
  private grantedMs: number;
  /** Called every so many instructions, for what has to happen while the program computes (timers). */
  onRefuel: (() => void) | null = null;
  /** A signal came from outside. */
  onSignal: ((signal: number) => void) | null = null;

  /** `isCancelled`: whether whoever explores wants no more of this run; `before`: units that count as used already. */
  constructor(limits: RunLimits, cancel: Int32Array | null, isCancelled: (() => boolean) | null = null, before = 0) {
    this.granted = before;
    this.timerAt = before + MOST;
    this.limits = limits;
    this.cancel = cancel;
    this.isCancelled = isCancelled;
    this.grantedMs = performance.now();
    this.deadlineMs = this.grantedMs + limits.milliseconds;
  }

  attach(global: WebAssembly.Global<number>): void {
    this.global = global;
    global.value = this.portion();
  }

  /** Units used so far. */
  used(): number {
    return this.granted - (this.global?.value ?? 0);
  }

  /** A new portion, or the end of the run. */
  refuel(): number {
    const used = this.used();
    if (used >= this.limits.instructions) throw new RunStop({ kind: "limit", limit: "instructions" });
    const nowMs = this.look();
    const tookMs = nowMs - this.grantedMs;
    this.grantedMs = nowMs;
    if (tookMs > PORTION_MS) this.size = Math.max(LEAST, this.size >> 1);
    else if (tookMs < PORTION_MS / 4) this.size = Math.min(MOST, this.size * 2);
    this.granted = used;
    if (this.global !== null) this.global.value = 0;
    const signal = this.cancel === null ? 0 : Atomics.exchange(this.cancel, 0, 0);
    if (signal < 0) throw new RunStop({ kind: "limit", limit: "cancelled" });
    if (signal > 0) this.onSignal?.(signal);
    if (used > this.timerAt) {
      this.timerAt = used + MOST;
      this.onRefuel?.();
    }
    return this.portion();
  }

  /** Ends the run if its time is over or nobody wants it any more; gives the time. */
  look(): number {
    const nowMs = performance.now();
    if (nowMs > this.deadlineMs) throw new RunStop({ kind: "limit", limit: "time" });
    const isUnwanted = this.isCancelled?.() === true || (this.cancel !== null && Atomics.load(this.cancel, 0) < 0);
    if (isUnwanted) throw new RunStop({ kind: "limit", limit: "cancelled" });
    return nowMs;
  }

  private portion(): number {
    const room = Math.max(1, this.limits.instructions - this.granted);
    const portion = Math.min(this.size, room, Math.max(1, this.timerAt - this.granted));
    this.granted += portion;
    return portion;
  }
}
