// The limits of a recorded test wherever it runs again: amplified, confirmed, explained or replayed. With another heap another malloc would
// fail, and what one run predicts the next would not show.

export const TEST_HEAP_BYTES = 0x4000_0000;
/** A test that takes more is cut there. */
export const TEST_INSTRUCTIONS = 500_000_000;
