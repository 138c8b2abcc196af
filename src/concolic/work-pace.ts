// When to look at the clock next. The symbolic host does work that takes anything from a tenth of a microsecond to a second, and
// nobody knows before; reading the clock each time would cost more than most of it. So work is counted in rough units, and
// how many of them go between two looks follows from how long the last ones took.

/** Time between two looks that is aimed at; a run's end is noticed that late. */
const AIM_MS = 2;
const FIRST_UNITS = 64;
/** Not more, because the next unit may cost a thousand times as much as the last one. */
const MOST_UNITS = 4096;

export class WorkPace {
  private left = FIRST_UNITS;
  private units = FIRST_UNITS;
  private lastMs = 0;

  /** `look` gives the time, or throws when it is over. */
  constructor(private readonly look: () => number) {}

  spend(units: number): void {
    this.left -= units;
    if (this.left <= 0) this.lookNow();
  }

  private lookNow(): void {
    const nowMs = this.look();
    const tookMs = nowMs - this.lastMs;
    this.lastMs = nowMs;
    if (tookMs > AIM_MS) this.units = Math.max(1, this.units >> 2);
    else if (tookMs < AIM_MS / 4) this.units = Math.min(MOST_UNITS, this.units * 2);
    this.left = this.units;
  }
}
