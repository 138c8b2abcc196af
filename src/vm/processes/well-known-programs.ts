// Programs that nobody builds with `tangent cc` and that many programs start: what they do is so simple that it is done here.
// They are taken by their names, wherever they lie.

import { basename } from "node:path";

/** Gives the exit status. */
export type WellKnownProgram = (words: readonly Uint8Array[], write: (bytes: Uint8Array) => void) => number;

const PROGRAMS: ReadonlyMap<string, WellKnownProgram> = new Map<string, WellKnownProgram>([
  ["true", () => 0],
  ["false", () => 1],
  ["echo", echo],
]);

export function wellKnownProgram(path: string): WellKnownProgram | null {
  return PROGRAMS.get(basename(path)) ?? null;
}

/** As GNU's without its escapes, which only -e turns on. */
function echo(words: readonly Uint8Array[], write: (bytes: Uint8Array) => void): number {
  const given = words.slice(1).map((word) => Buffer.from(word).toString("latin1"));
  let endsLine = true;
  while (given.length > 0 && /^-[nE]+$/.test(given[0])) {
    if (given[0].includes("n")) endsLine = false;
    given.shift();
  }
  write(Buffer.from(given.join(" ") + (endsLine ? "\n" : ""), "latin1"));
  return 0;
}
