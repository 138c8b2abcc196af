// Correct twins of programs with errors are there to show false alarms, and hundreds of them take minutes; so do other options for the same
// program. Every third is tried each day; all of them with TANGENT_ALL_TWINS=1, before a release and after a change to the detectors.

const ONE_IN = 3;

export function isTriedDaily(index: number): boolean {
  return process.env.TANGENT_ALL_TWINS === "1" || index % ONE_IN === 0;
}
