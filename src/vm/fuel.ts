// The budget of instructions. Generated code counts an i32 down and asks for more when it is used up; this is also where
// a run notices the wall clock and a wish to stop. A portion is small enough to notice within some ten milliseconds and
// large enough that asking costs nothing.

import { RunStop } from "./run-end.js";
import type { RunLimits } from "./run-options.js";

const PORTION = 10_000_000;

export class FuelMeter {
  private readonly limits: RunLimits;
  private readonly cancel: Int32Array | null;
  private readonly deadline: number;
  private global: WebAssembly.Global<number> | null = null;
  private granted = 0;
  /** Called at every portion, for what has to happen while the program computes (timers). */
  onRefuel: (() => void) | null = null;
  /** A signal came from outside. */
  onSignal: ((signal: number) => void) | null = null;

  constructor(limits: RunLimits, cancel: Int32Array | null) {
    this.limits = limits;
    this.cancel = cancel;
    this.deadline = performance.now() + limits.milliseconds;
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
    if (performance.now() > this.deadline) throw new RunStop({ kind: "limit", limit: "time" });
    this.granted = used;
    if (this.global !== null) this.global.value = 0;
    const message = this.cancel === null ? 0 : Atomics.exchange(this.cancel, 0, 0);
    if (message < 0) throw new RunStop({ kind: "limit", limit: "cancelled" });
    if (message > 0) this.onSignal?.(message);
    this.onRefuel?.();
    return this.portion();
  }

  private portion(): number {
    const portion = Math.max(1, Math.min(PORTION, this.limits.instructions - this.granted));
    this.granted += portion;
    return portion;
  }
}
