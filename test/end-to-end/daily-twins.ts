// Correct twins of programs with errors are there to show false alarms, and hundreds of them take minutes; so do other options for the same
// program. Every third is tried each day, and of programs of a kind that seldom breaks every second; all of them with TANGENT_ALL_TWINS=1,
// before a release and after a change to the detectors.

export const TRIES_ALL = process.env.TANGENT_ALL_TWINS === "1";

export function isTriedDaily(index: number, oneIn = 3): boolean {
  return TRIES_ALL || index % oneIn === 0;
}
