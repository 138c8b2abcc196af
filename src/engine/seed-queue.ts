// Inputs to be run before anything is asked: what the user gives, and what comes up on the way without a predicted path.

import type { Model } from "../solver/solver.js";
import type { RunOrigin } from "./events.js";

export interface Seed {
  readonly input: Model;
  readonly origin: RunOrigin;
  /** The instructions that it is known to need. What the user gives is run to its end. */
  readonly needed: number;
}

export class SeedQueue {
  private seeds: Seed[];
  private next = 0;

  constructor(given: readonly Model[]) {
    this.seeds = given.map((input) => ({ input, origin: "seed", needed: Number.POSITIVE_INFINITY }));
  }

  /** Those that were not run yet. */
  get waiting(): readonly Model[] {
    return this.seeds.slice(this.next).map(({ input }) => input);
  }

  get isEmpty(): boolean {
    return this.next === this.seeds.length;
  }

  add(input: Model, origin: RunOrigin, needed: number): void {
    this.seeds.push({ input, origin, needed });
  }

  take(): Seed | null {
    return this.isEmpty ? null : this.seeds[this.next++];
  }

  replace(inputs: readonly Model[], needed = Number.POSITIVE_INFINITY): void {
    this.seeds = inputs.map((input) => ({ input, origin: "seed", needed }));
    this.next = 0;
  }
}
