// Inputs that are worth editing: each did something that none before it did. That is to execute a block, or to execute one more often, by steps
// (once, twice, three times, 4, 8, 16, 32 and 128 times): a list that grows goes through one loop more and more often, and covers nothing
// new on its way to the end of the buffer.
//
// Of two inputs that execute a block equally often the cheaper one is its keeper. Keepers are edited three times of four, those that were
// edited least before the others, so that a long test which does what short ones do hardly costs anything.

import type { Random } from "../support/random.js";

const MOST_KEPT = 4096;
/** One in so many times it is any input, one in so many the newest. */
const OTHERS_ONE_IN = 8;
const NEWEST = 16;
/** Drawn, to take the one that was edited least. */
const DRAWN = 3;
const STEPS = [1, 2, 3, 4, 8, 16, 32, 128];
/** Of a count: one bit, that of the highest step it comes to. */
const STEP_OF = Uint8Array.from({ length: 256 }, (_, count) => {
  const step = STEPS.findLastIndex((least) => count >= least);
  return step < 0 ? 0 : 1 << step;
});

interface Entry<T> {
  readonly input: T;
  readonly cost: number;
  /** Steps of blocks that it is the keeper of. */
  keeps: number;
  edits: number;
}

export class KeptInputs<T> {
  private entries: Entry<T>[] = [];
  private keepers: Entry<T>[] = [];
  private areKeepersKnown = true;
  /** By block: the steps that were met, a bit each. */
  private readonly met: Uint8Array;
  /** A block that the last input was the first to execute; null if it executed none. */
  firstMet: number | null = null;
  /** Of each step of each block. */
  private readonly keeperOf = new Map<number, Entry<T>>();

  constructor(
    blocks: number,
    private readonly random: Random,
    private readonly most = MOST_KEPT,
  ) {
    this.met = new Uint8Array(blocks);
  }

  get size(): number {
    return this.entries.length;
  }

  /** `hits`: how often each block was executed, 255 for more; `cost` of a run. Says whether there was anything new. */
  offer(input: T, hits: Uint8Array, cost: number): boolean {
    this.firstMet = null;
    const isNew = this.meets(hits);
    if (isNew) {
      if (this.entries.length >= this.most) this.forgetSome();
      this.keep({ input, cost, keeps: 0, edits: 0 }, hits);
    }
    return isNew;
  }

  /** Null if there is none. */
  choose(): T | null {
    const { entries, random } = this;
    if (entries.length === 0) return null;
    const kind = random.next() % OTHERS_ONE_IN;
    if (kind === 0) return this.least(entries, 0);
    if (kind === 1) return this.least(entries, Math.max(0, entries.length - NEWEST));
    return this.least(this.allKeepers(), 0);
  }

  private least(among: readonly Entry<T>[], from: number): T {
    let best = among[from + (this.random.next() % (among.length - from))];
    for (let drawn = 1; drawn < DRAWN; drawn++) {
      const other = among[from + (this.random.next() % (among.length - from))];
      if (other.edits * other.cost < best.edits * best.cost) best = other;
    }
    best.edits++;
    return best.input;
  }

  private allKeepers(): readonly Entry<T>[] {
    if (!this.areKeepersKnown) {
      this.keepers = this.entries.filter(({ keeps }) => keeps > 0);
      this.areKeepersKnown = true;
    }
    return this.keepers.length > 0 ? this.keepers : this.entries;
  }

  private meets(hits: Uint8Array): boolean {
    const { met } = this;
    let isNew = false;
    forEachHit(hits, (block, count) => {
      const step = STEP_OF[count];
      if ((met[block] & step) !== 0) return;
      if (met[block] === 0) this.firstMet ??= block;
      met[block] |= step;
      isNew = true;
    });
    return isNew;
  }

  /** Half of them: those that keep least, and of these the oldest. */
  private forgetSome(): void {
    const wanted = this.entries
      .map((entry, at) => ({ entry, at }))
      .sort((a, b) => b.entry.keeps - a.entry.keeps || b.at - a.at);
    const left = wanted.slice(0, this.most >> 1).sort((a, b) => a.at - b.at);
    const isLeft = new Set(left.map(({ entry }) => entry));
    for (const [place, entry] of this.keeperOf) if (!isLeft.has(entry)) this.keeperOf.delete(place);
    this.entries = left.map(({ entry }) => entry);
    this.areKeepersKnown = false;
  }

  private keep(entry: Entry<T>, hits: Uint8Array): void {
    const { keeperOf } = this;
    forEachHit(hits, (block, count) => {
      const place = block * 256 + STEP_OF[count];
      const before = keeperOf.get(place);
      if (before !== undefined && before.cost <= entry.cost) return;
      if (before !== undefined) before.keeps--;
      keeperOf.set(place, entry);
      entry.keeps++;
    });
    this.entries.push(entry);
    this.areKeepersKnown = false;
  }
}

/** Four blocks at a time: most were not executed, and it is asked of every run. */
function forEachHit(hits: Uint8Array, each: (block: number, count: number) => void): void {
  const words = new DataView(hits.buffer, hits.byteOffset, hits.length);
  let block = 0;
  for (; block + 4 <= hits.length; block += 4) {
    if (words.getUint32(block, true) === 0) continue;
    for (let n = block; n < block + 4; n++) if (hits[n] !== 0) each(n, hits[n]);
  }
  for (; block < hits.length; block++) if (hits[block] !== 0) each(block, hits[block]);
}
