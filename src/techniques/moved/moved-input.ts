// An input that grew, or got a further option: made of a recorded test by a move, kept as a made seed, and then amplified like a test.
// Each move counts as one decision, so what is found on such an input's own path is at distance 1 from its test.

import type { Seed } from "../../project/seed.js";

/** What is said of an input, where the edits that made it say nothing. */
export const RANDOM_STEP = "edit at random";

/** Plain data: it crosses threads. */
export interface MovedInput {
  /** As which it was kept. */
  readonly seed: Seed;
  /** The recorded test that it was made from, and that one's argv. */
  readonly from: string;
  readonly command: readonly string[];
  /** What was done to it, in words. */
  readonly steps: readonly string[];
  /** Its own run, with nothing symbolic, ends in a failure. */
  readonly fails: boolean;
}

/** What the moves of some tests of one program come to: plain data. */
export interface MovesWork {
  /** Those to be moved, the most promising first. */
  readonly bases: readonly Seed[];
  /** Only edits by chance, and only what fails is kept: nothing is known yet of what the tests cover. */
  readonly isByChance?: boolean;
  /** None of the program's tests gives it arguments or standard input. */
  readonly isOnlyPlain?: boolean;
  /** What the program's tests cover: the bits of seed-order.ts in base64. */
  readonly known: string;
  /** For all runs together. */
  readonly timeMs: number;
  /** Inputs that are kept. */
  readonly most: number;
  readonly mostOfSeed: number;
}

export interface MovesResult {
  readonly isMoves: true;
  readonly isPlain?: false;
  readonly plain?: null;
  readonly moved: readonly MovedInput[];
  /** Inputs that were run. */
  readonly tried: number;
  /** Promising ones beyond the limits. */
  readonly leftOut: number;
  /** Its time was not over before everything was tried. */
  readonly isWhole: boolean;
}
