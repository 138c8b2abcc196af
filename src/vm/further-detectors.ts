// Detectors that a program has only if its environment asks for them, as ASAN_OPTIONS does: TANGENT_DETECTORS=NAME,NAME... They tell
// of what correct programs do too, or cost too much. The variable belongs to the program's environment and so to every test that was
// recorded with it: a confirmation, a replay and an exploration have the same detectors.

import { variableOf } from "./heap-fill.js";

/** By name: the bit of CONTROL.detectors, which libc reads (runtime/include/tangent/machine.h has the same). */
export const FURTHER_DETECTORS = {
  /** qsort and bsearch ask the comparator more, and compare its answers. */
  comparators: 1,
  /** strcmp and its like look at all of both strings, not only up to what decides. */
  "strict-strings": 2,
  /** A descriptor is used, or closed again, that the program has closed. */
  "closed-descriptors": 4,
} as const;
type DetectorName = keyof typeof FURTHER_DETECTORS;

/** Names that nobody knows say nothing: another version may. */
export function furtherDetectors(environment: readonly (string | Uint8Array)[]): number {
  let detectors = 0;
  for (const name of (variableOf(environment, "TANGENT_DETECTORS") ?? "").split(",")) {
    detectors |= FURTHER_DETECTORS[name.trim() as DetectorName] ?? 0;
  }
  return detectors;
}
