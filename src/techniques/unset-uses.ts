// Uses of what was never set in a campaign's runs: what an input does to the program is told as a finding, if a second run
// in the translation that follows definedness does it again. A thread keeps what it knows of a program, so a place is
// told once by each.

import type { ItemContext } from "../campaign/technique.js";
import { UnsetSearch } from "../definedness/unset-search.js";
import type { LoadedImage } from "../findings/confirmation.js";
import type { Finding } from "../findings/finding.js";
import type { InputValue } from "../inputs/input-value.js";
import { runOptionsOf, type TestInput } from "../inputs/test-input.js";
import { DEFAULT_LIMITS } from "../vm/run-options.js";
import type { TestLimits } from "./test-limits.js";

/** How items name the translation that they need for it (jobs/campaign-worker.ts). */
export const DEFINEDNESS_NEED = "definedness";

/** However little is left of an item's time, one look is worth this much. */
const LEAST_LOOK_MS = 400;

const searches = new WeakMap<object, UnsetSearch>();

export class UnsetUses {
  private readonly search: UnsetSearch;
  private readonly endsMs: number;

  private constructor(
    loaded: LoadedImage,
    private readonly limits: TestLimits,
    timeMs: number,
  ) {
    const known = limits.tellsAll === true ? undefined : searches.get(loaded.image);
    this.search = known ?? new UnsetSearch(loaded);
    searches.set(loaded.image, this.search);
    this.endsMs = performance.now() + timeMs;
  }

  /** Null if it is not wanted. */
  static in({ extra, timeMs }: ItemContext, limits: TestLimits): UnsetUses | null {
    const loaded = extra[DEFINEDNESS_NEED] as LoadedImage | undefined;
    return loaded === undefined ? null : new UnsetUses(loaded, limits, timeMs);
  }

  /** New ones, on a run of the test with these values. */
  of(test: TestInput, witness: readonly InputValue[]): readonly Finding[] {
    const { randomSeed: seed, heapBytes, instructionsPerPath: instructions } = this.limits;
    const milliseconds = Math.max(LEAST_LOOK_MS, this.endsMs - performance.now());
    const limits = { ...DEFAULT_LIMITS, heapBytes, instructions, milliseconds };
    return this.search.look({ ...runOptionsOf(test, witness), seed, limits });
  }
}
