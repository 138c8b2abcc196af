// Which input is run next where tests are edited: in turns the next single edit of a test, as long as there are any, and several edits at once
// of an input that did something new. What becomes of it is told by `offer`, so that the next ones go on from there. Some are run where
// malloc fills new memory; whoever finds a failure so tries it without (unperturbed), because most do not need it.

import type { Invocation } from "../inputs/invocation.js";
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

export class MutationTurns<T extends Edited> {
  private readonly kept: KeptInputs<T>;
  private readonly singles = new SingleEditTurns<T>();
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

  /** True if it did something new. */
  offer(input: T, { coverage, instructions }: Ran): boolean {
    return this.kept.offer(input, coverage, mutationCost(input.invocation, instructions));
  }

  /** Null if nothing new came of it; another try may do. */
  next(mutator: SeedMutator): { readonly from: T; readonly invocation: Invocation } | null {
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
}
