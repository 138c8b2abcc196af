// Checks are asked at once, so that a failure on the path at hand is found first of all. But most of them cannot fail, and
// to prove that again on every path may take most of the time (of make more than half), at places where the answer was the
// same on each path before. So these questions get a share of the time. Once it is used up, the failing side of a check
// that was refuted often, and is not cheap to ask, becomes a pending path like any other; the rest is asked as before.
//
// So it is with a check whose witnesses do not fail, one after the other: the pointer that leaves its object gets into another
// one, which is a path and no failure. m4 reads a table of pointers so, and nine of ten runs were such witnesses.
//
// And with a question that takes long: the run waits for its answer, and everything else with it.
//
// Nothing is lost by it: what is pending is asked when the searcher chooses it.

import type { SiteId } from "./observer.js";

/** What an exploration of many paths gives them. */
export const EXPLORING_SHARE = 0.2;

/** Refuted so often in a row, a check is taken for one that does not fail. */
const REFUTATIONS = 8;
/** So many witnesses in a row that did not fail. */
const MISSES = 16;
/** In milliseconds, of one question: cheaper ones are always asked. */
const CHEAP_MS = 0.05;
/** Of one question that is asked at once, while the run waits: the whole run may have thousands. */
const AT_ONCE_MS = 500;
/** How fast the mean of a site follows its last answers. */
const NEWEST = 0.125;
/** Milliseconds before the share counts. */
const FREE_MS = 500;

export class CheckPatience {
  private refuted = new Uint8Array(256);
  private misses = new Uint8Array(256);
  private meanMs = new Float64Array(256);
  private spentMs = 0;
  private readonly beganMs: number;

  constructor(
    /** Of all time; Infinity: every check is asked at once. */
    private readonly share: number,
    private readonly now: () => number,
    /** In milliseconds: what the search gives one question at first. */
    private readonly questionMs = AT_ONCE_MS,
  ) {
    this.beganMs = now();
  }

  /** What a check that is asked at once may take; one that takes longer is left for later. */
  get mostMs(): number {
    return this.share === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : Math.min(AT_ONCE_MS, this.questionMs);
  }

  /** Whether the check is left for later. */
  isOver(site: SiteId): boolean {
    if (this.share === Number.POSITIVE_INFINITY || site < 0 || site >= this.refuted.length) return false;
    if (this.misses[site] >= MISSES) return true;
    if (this.refuted[site] < REFUTATIONS || this.meanMs[site] < CHEAP_MS) return false;
    return this.spentMs > FREE_MS + this.share * (this.now() - this.beganMs);
  }

  /** A check was asked; whether it cannot fail here. */
  asked(site: SiteId, isRefuted: boolean, tookMs: number): void {
    if (this.share === Number.POSITIVE_INFINITY || site < 0) return;
    this.spentMs += tookMs;
    if (site >= this.refuted.length) this.grow(site);
    this.refuted[site] = isRefuted ? Math.min(REFUTATIONS, this.refuted[site] + 1) : 0;
    this.meanMs[site] += NEWEST * (tookMs - this.meanMs[site]);
  }

  /** An input that was to fail the check was run; whether it did. */
  witnessed(site: SiteId, failed: boolean): void {
    if (this.share === Number.POSITIVE_INFINITY || site < 0) return;
    if (site >= this.refuted.length) this.grow(site);
    this.misses[site] = failed ? 0 : Math.min(MISSES, this.misses[site] + 1);
  }

  private grow(site: number): void {
    const size = Math.max(site + 1, 2 * this.refuted.length);
    const refuted = new Uint8Array(size);
    const meanMs = new Float64Array(size);
    const misses = new Uint8Array(size);
    refuted.set(this.refuted);
    misses.set(this.misses);
    meanMs.set(this.meanMs);
    this.refuted = refuted;
    this.misses = misses;
    this.meanMs = meanMs;
  }
}
