// The limits of a recorded test wherever it runs again: amplified, confirmed, explained or replayed. With another heap another malloc would
// fail, and what one run predicts the next would not show.

export const TEST_HEAP_BYTES = 0x4000_0000;
/** A test that takes more is cut there. */
export const TEST_INSTRUCTIONS = 500_000_000;

/** How tests of a campaign are explored; the same for all of its items. */
export interface TestLimits {
  readonly instructionsPerPath: number;
  readonly solverQueryMs: number;
  readonly memoryBytes: number;
  /** The program's own heap. */
  readonly heapBytes: number;
  readonly randomSeed: number;
  /** The directories of the real disk that the programs see; all if nothing is said. */
  readonly roots?: readonly string[];
  /** Where tests' contents are, if not in the project's folder: on another machine, which then has not the project's sources either. */
  readonly store?: string;
  /** Where the version lies whose build is tested, if that is not the project's own; and where its files are said to lie. */
  readonly versionTree?: string;
  readonly versionShownAs?: string;
  /** Where contents that come into being are put, if not there. */
  readonly made?: string;
  /** Whoever hears of an item may not have heard what was told of those before it: all is told. */
  readonly tellsAll?: boolean;
}

export const DEFAULT_TEST_LIMITS: TestLimits = {
  instructionsPerPath: TEST_INSTRUCTIONS,
  solverQueryMs: 5_000,
  memoryBytes: 0x4000_0000,
  heapBytes: TEST_HEAP_BYTES,
  randomSeed: 1,
};
