// Inputs that are tried out: edits of inputs that covered something new, run with nothing symbolic, which takes a
// fraction of what a symbolic run takes. One that covers new code is then run like a seed, so that the search goes on from
// there; of the others nothing is kept.
//
// How much time they get is decided by what comes of them. They begin with a third of it; the longer nothing comes of
// them, the less they get, so that a search that needs none of them loses a few seconds of a minute at the most, and
// when everything is covered, or nothing is left to explore, there are none.

import type { Model } from "../solver/solver.js";
import type { Random } from "../support/random.js";
import type { Executor, RunLimits, RunOutcome } from "./executor.js";

/** Small programs are explored before it is over, and each time in the same way. */
const NONE_BEFORE_MS = 500;
const MOST_SHARE = 0.34;
/** After so long in vain the share is a quarter of what it was. */
const PATIENCE_MS = 1500;
/** What a success leaves of the time spent in vain. */
const FORGIVEN = 0.25;
const MOST_KEPT = 512;
/** Half of the inputs that are edited are among so many of the newest. */
const NEWEST = 12;

/** Makes inputs of others; null if it cannot. */
export interface InputMaker {
  edited(from: Model, other: Model): Model | null;
}

interface TriedInput {
  readonly input: Model;
  readonly outcome: RunOutcome;
}

export class InputTries {
  private readonly kept: Model[] = [];
  private replaced = 0;
  private spentMs = 0;
  private vainMs = 0;

  constructor(
    private readonly executor: Pick<Executor, "tryOut">,
    private readonly maker: InputMaker,
    private readonly random: Random,
  ) {}

  /** A run of this input covered something new. */
  covered(input: Model): void {
    const copy = input.slice();
    if (this.kept.length < MOST_KEPT) this.kept.push(copy);
    else {
      // The newest stay at the end.
      this.kept.splice(this.replaced++ % (MOST_KEPT - NEWEST), 1);
      this.kept.push(copy);
    }
  }

  /** Runs an edited input; null if it is not time for one. */
  tryOne(clock: { readonly timeMs: number }, limits: () => RunLimits): TriedInput | null {
    const begunMs = clock.timeMs;
    if (this.kept.length === 0 || begunMs < NONE_BEFORE_MS || this.spentMs > this.share * begunMs) return null;
    const input = this.maker.edited(this.choose(), this.choose());
    const outcome = input === null ? undefined : this.executor.tryOut?.(input, limits());
    if (input === null || outcome === undefined) return null;
    const tookMs = clock.timeMs - begunMs;
    this.spentMs += tookMs;
    if (outcome.newBlocks.length > 0) this.vainMs *= FORGIVEN;
    else this.vainMs += tookMs;
    return { input, outcome };
  }

  /** Of all time. */
  private get share(): number {
    return MOST_SHARE / (1 + this.vainMs / PATIENCE_MS) ** 2;
  }

  private choose(): Model {
    const { kept, random } = this;
    const from = random.next() % 2 === 0 ? Math.max(0, kept.length - NEWEST) : 0;
    return kept[from + (random.next() % (kept.length - from))];
  }
}
