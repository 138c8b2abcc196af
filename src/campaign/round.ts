// A round in progress: which of its items have begun, and what came of each. A hand stays with one program as long as the next items are of
// it, and looks a little ahead for one that no other hand is at: to get a program ready takes as long as dozens of its items, and two
// hands at the same one would both do it, the second only when the first has. A single hand takes the items in their order.

import type { ItemReport, WorkItem } from "./technique.js";

/** Items that a hand looks at to find a program that nobody is at. */
const MOST_AHEAD = 2048;

/** Items of one program, one after the other, that a hand is at. */
export interface Run {
  readonly program: string;
  next: number;
  readonly end: number;
}

export class Round<Work, Result> {
  /** What came of each item, until it is absorbed; null: nothing to absorb. */
  readonly reports: (ItemReport<Result> | null | undefined)[] = [];
  absorbed = 0;
  /** How many items have begun. */
  begun = 0;
  private readonly hasBegun: Uint8Array;
  /** All before it have begun. */
  private first = 0;

  constructor(
    readonly index: number,
    readonly items: readonly WorkItem<Work>[],
  ) {
    this.hasBegun = new Uint8Array(items.length);
  }

  get hasMore(): boolean {
    return this.begun < this.items.length;
  }

  /** Begins an item that is there: the next of the run, or the first of another one, better of a program that nobody is at. */
  take(run: Run | null, isTaken: (program: string) => boolean): { readonly index: number; readonly run: Run } {
    while (run !== null && run.next < run.end && this.hasBegun[run.next] !== 0) run.next++;
    const goesOn = run !== null && run.next < run.end ? run : this.nextRun(isTaken);
    const index = goesOn.next++;
    this.hasBegun[index] = 1;
    this.begun++;
    while (this.first < this.items.length && this.hasBegun[this.first] !== 0) this.first++;
    return { index, run: goesOn };
  }

  private nextRun(isTaken: (program: string) => boolean): Run {
    const { items, first } = this;
    const most = Math.min(items.length, first + MOST_AHEAD);
    let at = first;
    while (at < most && (this.hasBegun[at] !== 0 || isTaken(items[at].program))) at++;
    const next = at < most ? at : first;
    const { program } = items[next];
    let end = next + 1;
    while (end < items.length && items[end].program === program) end++;
    return { program, next, end };
  }
}
