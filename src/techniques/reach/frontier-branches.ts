// Where an input turned away from a target: the branches that it executed, of which it did not take a side that leads there. The nearest
// are where to go on: if the branch decides by input it is a question for the solver, otherwise for its definitions; and if nothing helps,
// they are what the user is told.

import type { ProgramImage } from "../../jit/image.js";
import { UNREACHED } from "../../program/graph/graph-queries.js";
import type { BlockNumber } from "../../program/graph/program-graph.js";

export interface TurnedAway {
  readonly block: BlockNumber;
  /** Index into its successors. */
  readonly side: number;
  readonly entered: BlockNumber;
  /** Branches from there to the target. */
  readonly distance: number;
}

/** Nearest first. */
export function turnedAway(image: ProgramImage, blocks: Int32Array, distances: Int32Array): TurnedAway[] {
  const executed = new Set<number>(blocks);
  const found: TurnedAway[] = [];
  for (const block of blocks) {
    const { successors } = image.coverage[block];
    if (successors.length < 2) continue;
    successors.forEach((entered, side) => {
      const distance = distances[entered];
      if (distance === UNREACHED || executed.has(entered)) return;
      found.push({ block, side, entered, distance });
    });
  }
  return found.sort((a, b) => a.distance - b.distance);
}
