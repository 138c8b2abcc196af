// How far a side of a decision is from code that no run has covered, as far as the image can tell: 1 if the block on that
// side is itself uncovered; 2 if something else in the same function is; 3 if a function further out is (one that the
// program's own code has and no run has finished covering); Infinity if everything is covered.
// An estimate on purpose: exact distances need the whole control-flow graph, which is not kept in the image, and the
// searcher only weighs by them.

import type { ProgramImage } from "../jit/image.js";

const HERE = 1;
const SAME_FUNCTION = 2;
const ELSEWHERE = 3;
/** Counting is linear in the blocks; between counts the answers are a little old. */
const QUERIES_BETWEEN_COUNTS = 4096;

export class CoverageDistance {
  /** By function: blocks not covered. */
  private readonly uncovered: Int32Array;
  private total = 0;
  private queries = 0;

  constructor(
    private readonly image: ProgramImage,
    private readonly coverage: Uint8Array,
  ) {
    this.uncovered = new Int32Array(image.functions.length);
    this.count();
  }

  of(site: number, side: number): number {
    if (++this.queries >= QUERIES_BETWEEN_COUNTS) this.count();
    const known = this.image.sites[site];
    if (known === undefined) return ELSEWHERE;
    // A branch's successors are (then, else), and its sides (false, true).
    const block = known.successors[known.kind === "branch" ? 1 - side : side] ?? -1;
    if (block >= 0 && this.coverage[block] === 0) return HERE;
    if (this.uncovered[known.functionIndex] > 0) return SAME_FUNCTION;
    return this.total > 0 ? ELSEWHERE : Number.POSITIVE_INFINITY;
  }

  private count(): void {
    this.queries = 0;
    this.total = 0;
    this.uncovered.fill(0);
    const { coverage } = this.image;
    for (let block = 0; block < coverage.length; block++) {
      if (this.coverage[block] !== 0) continue;
      this.uncovered[coverage[block].functionIndex]++;
      this.total++;
    }
  }
}
