// Which conditions have been told on this run. A condition that is on the path already says nothing new: a loop that reads a
// table a thousand times makes the same bounds check a thousand times. One stamp per expression, the number of the run that
// told it last, so that a new run begins with nothing told at no cost.

import type { ExprRef } from "../expr/ops.js";

export class ToldOnce {
  private stamps = new Int32Array(4096);
  private run = 1;

  begin(): void {
    this.run++;
    if (this.run < 0x7fff_ffff) return;
    this.stamps.fill(0);
    this.run = 1;
  }

  /** True the first time it is asked on a run. */
  first(ref: ExprRef): boolean {
    if (ref >= this.stamps.length) this.grow(ref);
    if (this.stamps[ref] === this.run) return false;
    this.stamps[ref] = this.run;
    return true;
  }

  private grow(ref: number): void {
    const grown = new Int32Array(Math.max(ref + 1, this.stamps.length * 2));
    grown.set(this.stamps);
    this.stamps = grown;
  }
}
