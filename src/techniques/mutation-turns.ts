// Which input is run next where tests are edited: in turns the next single edit of a test, as long as there are any, and several edits at once
// of an input that did something new. What becomes of it is told by `offer`, so that the next ones go on from there. Some are run where
// malloc fills new memory; whoever finds a failure so tries it without (unperturbed), because most do not need it. Where something long
// executed what nothing did before, the length from which on it does so is looked for (length-search.ts).

import type { Invocation } from "../inputs/invocation.js";
import { LengthSearch } from "../inputs/mutations/length-search.js";
import type { SeedMutator } from "../inputs/mutations/mutate-seed.js";
import { mutationCost } from "../inputs/mutations/mutation-cost.js";
import { perturbed } from "../inputs/mutations/perturbed.js";
import { SingleEditTurns } from "../inputs/mutations/single-edits.js";
import { KeptInputs } from "../search/kept-inputs.js";
import type { Random } from "../support/random.js";

interface Edited {
  readonly invocation: Invocation;
}

/** What a run of it was like. */
interface Ran {
  readonly coverage: Uint8Array;
  readonly instructions: number;
}

/** Inputs that are edited. */
const MOST_KEPT = 1024;
/** One of so many is a single edit. */
const SINGLE_EVERY = 2;
/** One of so many finds memory filled. */
const FILLED_EVERY = 4;

/** Searches that wait; the newest are done. */
const MOST_WAITING = 16;

/** Of an input, and the block it is about. */
interface Searched<T> {
  readonly from: T;
  readonly search: LengthSearch;
  readonly block: number;
}

export class MutationTurns<T extends Edited> {
  private readonly kept: KeptInputs<T>;
  private readonly singles = new SingleEditTurns<T>();
  private readonly searches: Searched<T>[] = [];
  /** The search that what is run now belongs to, as long as nothing was told of it. */
  private asking: Searched<T> | null = null;
  private turn = 0;

  constructor(
    blocks: number,
    private readonly random: Random,
  ) {
    this.kept = new KeptInputs(blocks, random, MOST_KEPT);
  }

  get isEmpty(): boolean {
    return this.kept.size === 0;
  }

  addTest(test: T, ran: Ran): void {
    this.offer(test, ran);
    this.singles.add(test);
  }

  /** Of the input that was made last, if it did not fail. True if it did something new. */
  offer(input: T, { coverage, instructions }: Ran): boolean {
    const { kept, asking, searches } = this;
    const isNew = kept.offer(input, coverage, mutationCost(input.invocation, instructions));
    if (asking !== null) {
      asking.search.told(coverage[asking.block] !== 0);
      searches.push(asking);
      this.asking = null;
    } else if (isNew && kept.firstMet !== null) {
      const search = LengthSearch.of(input.invocation);
      if (search !== null) searches.push({ from: input, search, block: kept.firstMet });
      if (searches.length > MOST_WAITING) searches.shift();
    }
    return isNew;
  }

  /** Null if nothing new came of it; another try may do. */
  next(mutator: SeedMutator): { readonly from: T; readonly invocation: Invocation } | null {
    const length = this.nextLength();
    if (length !== null) return length;
    const single = this.turn++ % SINGLE_EVERY === 0 ? this.singles.next() : null;
    const from = single?.from ?? this.kept.choose();
    if (from === null) return null;
    const invocation =
      single === null
        ? mutator.mutate(from.invocation, this.kept.choose()?.invocation)
        : mutator.accepted(single.invocation, from.invocation);
    if (invocation === null) return null;
    const filled = this.random.next() % FILLED_EVERY === 0 ? perturbed(invocation) : null;
    return { from, invocation: filled ?? invocation };
  }

  private nextLength(): { readonly from: T; readonly invocation: Invocation } | null {
    // What was not told of has failed: that is what was looked for.
    this.asking = null;
    for (let searched = this.searches.pop(); searched !== undefined; searched = this.searches.pop()) {
      const invocation = searched.search.next();
      if (invocation === null) continue;
      this.asking = searched;
      return { from: searched.from, invocation };
    }
    return null;
  }
}
