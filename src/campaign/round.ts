// A round in progress: which of its items have begun, and what came of each. It may get more items while some are in progress. A hand stays with one program as long as the next items are of
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
  /** How many items have begun, and of how many nobody waits for anything any more. */
  begun = 0;
  ended = 0;
  readonly items: WorkItem<Work>[];
  private readonly hasBegun: boolean[];
  /** All before it have begun. */
  private first = 0;

  constructor(
    readonly index: number,
    items: readonly WorkItem<Work>[],
  ) {
    this.items = [...items];
    this.hasBegun = this.items.map(() => false);
  }

  add(items: readonly WorkItem<Work>[]): void {
    this.items.push(...items);
    this.hasBegun.push(...items.map(() => false));
  }

  get notBegun(): readonly WorkItem<Work>[] {
    return this.items.filter((_, index) => !this.hasBegun[index]);
  }

  get isInProgress(): boolean {
    return this.begun > this.ended;
  }

  get hasMore(): boolean {
    return this.begun < this.items.length;
  }

  /** Begins an item that is there: the next of the run, or the first of another one, better of a program that nobody is at. */
  take(run: Run | null, isTaken: (program: string) => boolean): { readonly index: number; readonly run: Run } {
    while (run !== null && run.next < run.end && this.hasBegun[run.next]) run.next++;
    const goesOn = run !== null && run.next < run.end ? run : this.nextRun(isTaken);
    const index = goesOn.next++;
    this.hasBegun[index] = true;
    this.begun++;
    while (this.first < this.items.length && this.hasBegun[this.first]) this.first++;
    return { index, run: goesOn };
  }

  private nextRun(isTaken: (program: string) => boolean): Run {
    const { items, first } = this;
    const most = Math.min(items.length, first + MOST_AHEAD);
    let at = first;
    while (at < most && (this.hasBegun[at] || isTaken(items[at].program))) at++;
    const next = at < most ? at : first;
    const { program } = items[next];
    let end = next + 1;
    while (end < items.length && items[end].program === program) end++;
    return { program, next, end };
  }
}
