// How much of the time is given to inputs that are tried out (input-tries.ts): what they earn. One that covers something new earns some
// hundred further tries, for which they have up to a third of all time. Where nothing comes of them they get a small share as
// long as the search lasts, so that a search that needs none of them loses next to nothing. Tries are counted, not
// milliseconds: a program whose runs take a hundred times as long needs as many of them until one succeeds.
//
// They are run in bursts. One that stands alone between two symbolic runs takes twice as long, and makes these slower.

const MOST_SHARE = 0.34;
/** Whatever comes of them, beside what they earn. */
const LEAST_SHARE = 0.02;
const FIRST_TRIES = 200;
const EARNED_TRIES = 400;
const BURST_MS = 10;

export class TryShare {
  private spentMs = 0;
  /** Without having been earned. */
  private givenMs = 0;
  private unspentTries = FIRST_TRIES;
  private isBurst = false;

  /** Is it time for one, so long after the search began? */
  isDue(timeMs: number): boolean {
    const mostMs = MOST_SHARE * timeMs - this.spentMs;
    const leftMs = this.unspentTries > 0 ? mostMs : Math.min(mostMs, LEAST_SHARE * timeMs - this.givenMs);
    this.isBurst = leftMs > (this.isBurst ? 0 : BURST_MS);
    return this.isBurst;
  }

  tried(tookMs: number, isSuccess: boolean): void {
    this.spentMs += tookMs;
    if (this.unspentTries > 0) this.unspentTries--;
    else this.givenMs += tookMs;
    if (isSuccess) this.unspentTries += EARNED_TRIES;
  }

  /** An input that is known was run once more, to learn about it: nothing can come of that. */
  learnt(tookMs: number): void {
    this.spentMs += tookMs;
  }
}
