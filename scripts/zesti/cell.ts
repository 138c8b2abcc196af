// What is measured of ZESTI, as plain data that is kept between runs: one test of one program at one distance with one set of
// choices is a cell. Times are of the processor, so that what else the machine does changes little.

import type { AroundPath } from "../../src/techniques/around-path.js";

/** The choices that are compared. The first are ours. */
export const CHOICES: Readonly<Record<string, Partial<AroundPath>>> = {
  ours: {},
  "sensitive paper": { sensitive: "paper" },
  "anchor end": { anchorEnd: true },
  breadth: { order: "breadth" },
  "f(d) = d": { bound: 1 },
  "f(d) = 4d": { bound: 4 },
  "metric paper": { metric: "paper" },
};

/** A known bug that was found in a cell. */
export interface Hit {
  readonly bug: string;
  /** Decisions on the input before it, from the start of the program. */
  readonly depth: number;
  /** Until then. */
  readonly paths: number;
  readonly milliseconds: number;
}

export interface Cell {
  readonly program: string;
  readonly choice: string;
  readonly seed: string;
  readonly command: string;
  readonly distance: number;
  /** Its time was not over before all was explored. */
  readonly isWhole: boolean;
  readonly milliseconds: number;
  readonly paths: number;
  readonly departures: number;
  readonly decisions: number;
  readonly checks: number;
  /** Lines of the program's own sources with a check on the test's own path: `file:line`; of distance 0 alone. */
  readonly lines: readonly string[];
  readonly hits: readonly Hit[];
}

export function keyOf({
  program,
  choice,
  seed,
  distance,
}: Pick<Cell, "program" | "choice" | "seed" | "distance">): string {
  return [program, choice, seed, distance].join("\t");
}
