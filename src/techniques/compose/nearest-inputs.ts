// The inputs that came nearest to a goal: what a search goes on from. Of those that are as near the shorter ones are better: an input that
// grows at random has more and more in it that has nothing to do with the goal.

import type { Random } from "../../support/random.js";

const MOST = 8;
/** One of so many that are no better than the last one takes its place, so that the search does not stand still. */
const DRIFT_EVERY = 4;

interface Kept<T> {
  readonly input: T;
  readonly distance: number;
  readonly size: number;
}

export class NearestInputs<T> {
  /** The nearest first. */
  private readonly kept: Kept<T>[] = [];

  constructor(private readonly random: Random) {}

  /** Infinite if there is none. */
  get least(): number {
    return this.kept[0]?.distance ?? Number.POSITIVE_INFINITY;
  }

  offer(input: T, distance: number, size: number): void {
    const { kept } = this;
    if (distance === Number.POSITIVE_INFINITY) return;
    const offered = { input, distance, size };
    if (kept.length >= MOST) {
      const order = compare(offered, kept[kept.length - 1]);
      if (order > 0 || (order === 0 && this.random.next() % DRIFT_EVERY !== 0)) return;
      kept.pop();
    }
    const place = kept.findIndex((one) => compare(offered, one) <= 0);
    kept.splice(place < 0 ? kept.length : place, 0, offered);
  }

  /** The nearer, the likelier. */
  choose(): T | null {
    const { kept, random } = this;
    if (kept.length === 0) return null;
    return kept[Math.min(random.next() % kept.length, random.next() % kept.length)].input;
  }
}

function compare(one: Kept<unknown>, other: Kept<unknown>): number {
  return one.distance - other.distance || one.size - other.size;
}
