// What ZESTI can be asked to do otherwise around a test's path: from where it departs, how far, in which order, how long. The
// defaults are what found the most known bugs here (docs/results/zesti.md); the paper's own choices are the other ones.

import type { DecisionMetric } from "./decision-metric.js";

/**
 * Which operations departures are chosen by. `computed`: accesses at computed addresses (an index, a field behind a pointer);
 * `paper`: all through pointers, so also `*p`, the first field of a structure, and copies.
 */
export const SENSITIVITIES = ["computed", "paper"] as const;
export type SensitivityChoice = (typeof SENSITIVITIES)[number];

/** Of what lies below a departure: the newest first, or what is the fewest decisions away from it, as the paper has it. */
export const ORDERS = ["newest", "breadth"] as const;
export type OrderChoice = (typeof ORDERS)[number];

export interface AroundPath {
  /** What a distance counts. */
  readonly metric: DecisionMetric;
  readonly sensitive: SensitivityChoice;
  /** The end of the run counts as a sensitive operation (VII of the paper). */
  readonly anchorEnd: boolean;
  /** f(d): so many times the distance are explored beyond a departure, in decisions. */
  readonly bound: number;
  readonly order: OrderChoice;
  /** What lies below one departure is explored no longer than this, and one run there takes no longer. */
  readonly branchMs: number;
}

export const DEFAULT_AROUND_PATH: AroundPath = {
  metric: "reader",
  sensitive: "computed",
  anchorEnd: false,
  bound: 2,
  order: "newest",
  branchMs: Number.MAX_SAFE_INTEGER,
};
