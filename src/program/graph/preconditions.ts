// Weakest preconditions (KATCH): what must hold at a block so that a way from it can lead to a target.
import type { BlockNumber, ProgramGraph } from "./program-graph.js";

export function uselessEdges(
  _graph: ProgramGraph,
  _distances: Int32Array,
  _targets: readonly BlockNumber[],
): ReadonlySet<number> {
  return new Set();
}
