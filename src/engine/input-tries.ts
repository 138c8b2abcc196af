// Inputs that are tried out: edits of inputs that did something new (search/kept-inputs.ts), run with nothing symbolic, which takes a
// fraction of what a symbolic run takes. One that covers new code is then run like a seed, so that the search goes on from
// there; of the others nothing is kept.
//
// How much time they get is decided by what comes of them (try-share.ts). When everything is covered, or nothing is left to
// explore, there are none.

import { KeptInputs } from "../search/kept-inputs.js";
import type { Model } from "../solver/solver.js";
import type { Random } from "../support/random.js";
import type { Executor, RunLimits, RunOutcome } from "./executor.js";
import { TryShare } from "./try-share.js";

/** Small programs are explored before it is over, and each time in the same way. */
const NONE_BEFORE_MS = 500;
const MOST_KEPT = 1024;
const MOST_WAITING = 256;
/** What a run costs beside its instructions. */
const EACH_RUN = 50_000;

/** Makes inputs of others; null if it cannot. */
export interface InputMaker {
  edited(from: Model, other: Model): Model | null;
}

interface TriedInput {
  readonly input: Model;
  readonly outcome: RunOutcome;
}

export class InputTries {
  private kept: KeptInputs<Model> | null = null;
  /** Inputs of runs of which it is not known how often they executed what. */
  private readonly waiting: Model[] = [];
  private readonly share = new TryShare();

  constructor(
    private readonly executor: Pick<Executor, "tryOut">,
    private readonly maker: InputMaker,
    private readonly random: Random,
  ) {}

  /** A run of this input covered something new. */
  covered(input: Model): void {
    this.waiting.push(input.slice());
    if (this.waiting.length > MOST_WAITING) this.waiting.shift();
  }

  /** Runs an edited input, or one that covered something; null if it is not time for one. */
  tryOne(clock: { readonly timeMs: number }, limits: () => RunLimits): TriedInput | null {
    const begunMs = clock.timeMs;
    if (begunMs < NONE_BEFORE_MS || !this.share.isDue(begunMs)) return null;
    const known = this.waiting.shift();
    const input = known ?? this.edited();
    const tried = input === null ? undefined : this.executor.tryOut?.(input, limits());
    if (input === null || tried === undefined) return null;
    const { hits, ...outcome } = tried;
    this.kept ??= new KeptInputs(hits.length, this.random, MOST_KEPT);
    this.kept.offer(input, hits, EACH_RUN + outcome.instructions);
    const tookMs = clock.timeMs - begunMs;
    if (known === undefined) this.share.tried(tookMs, outcome.newBlocks.length > 0);
    else this.share.learnt(tookMs);
    return { input, outcome };
  }

  private edited(): Model | null {
    const from = this.kept?.choose() ?? null;
    const other = this.kept?.choose() ?? null;
    return from === null || other === null ? null : this.maker.edited(from, other);
  }
}
