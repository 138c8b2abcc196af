// How many branches lie between a side of a decision and code that no run has covered, over the whole program's control
// flow: into callees, and back to whoever calls a function when it returns (to all of its callers, not only to the one
// on the stack, so it is an estimate from below). One search backwards from everything uncovered gives all distances; it is
// repeated when coverage has grown, and costs a fraction of a millisecond per ten thousand blocks.

import type { ProgramImage } from "../jit/image.js";

const UNREACHED = 0x7fff_ffff;

export class CoverageDistance {
  /** By block; UNREACHED if nothing uncovered can follow. */
  private readonly distances: Int32Array;
  /** Edges backwards: predecessors of block b are at edges[offsets[b]] up to offsets[b + 1]. */
  private readonly offsets: Int32Array;
  private readonly edges: Int32Array;
  /** 1 if leaving the block is a branch. */
  private readonly cost: Uint8Array;
  private covered = -1;

  constructor(
    private readonly image: ProgramImage,
    private readonly coverage: Uint8Array,
  ) {
    const { coverage: blocks } = image;
    this.distances = new Int32Array(blocks.length);
    this.cost = Uint8Array.from(blocks, ({ successors }) => (successors.length > 1 ? 1 : 0));
    const pairs = edgesOf(image);
    this.offsets = new Int32Array(blocks.length + 1);
    for (let i = 1; i < pairs.length; i += 2) this.offsets[pairs[i] + 1]++;
    for (let b = 0; b < blocks.length; b++) this.offsets[b + 1] += this.offsets[b];
    this.edges = new Int32Array(pairs.length / 2);
    const next = this.offsets.slice();
    for (let i = 0; i < pairs.length; i += 2) this.edges[next[pairs[i + 1]]++] = pairs[i];
  }

  /** `covered`: how many blocks are, to know when the answers are old. */
  of(site: number, side: number, covered: number): number {
    if (covered !== this.covered) {
      this.covered = covered;
      this.search();
    }
    const known = this.image.sites[site];
    if (known === undefined) return Number.POSITIVE_INFINITY;
    // A branch's successors are (then, else), and its sides (false, true).
    const block = known.successors[known.kind === "branch" ? 1 - side : side] ?? -1;
    const distance = block < 0 ? UNREACHED : this.distances[block];
    return distance === UNREACHED ? Number.POSITIVE_INFINITY : distance + 1;
  }

  /** Edges cost 0 or 1, so two queues in turn do what a priority queue would. */
  private search(): void {
    const { distances, offsets, edges, cost, coverage } = this;
    distances.fill(UNREACHED);
    let now: number[] = [];
    for (let block = 0; block < distances.length; block++) {
      if (coverage[block] !== 0) continue;
      distances[block] = 0;
      now.push(block);
    }
    for (let distance = 0; now.length > 0; distance++) {
      const later: number[] = [];
      for (let at = 0; at < now.length; at++) {
        const block = now[at];
        if (distances[block] !== distance) continue;
        for (let e = offsets[block]; e < offsets[block + 1]; e++) {
          const from = edges[e];
          const through = distance + cost[from];
          if (through >= distances[from]) continue;
          distances[from] = through;
          (through === distance ? now : later).push(from);
        }
      }
      now = later;
    }
  }
}

/** (from, to) pairs: to successors, into callees, and from a callee's returns to what follows the call. */
function edgesOf(image: ProgramImage): number[] {
  const { coverage: blocks } = image;
  const entry = new Map<number, number>();
  const returns = new Map<number, number[]>();
  blocks.forEach(({ functionIndex, successors }, block) => {
    if (!entry.has(functionIndex)) entry.set(functionIndex, block);
    if (successors.length > 0) return;
    const list = returns.get(functionIndex);
    if (list === undefined) returns.set(functionIndex, [block]);
    else list.push(block);
  });
  const pairs: number[] = [];
  blocks.forEach(({ successors, calls, choices }, block) => {
    for (const to of successors) pairs.push(block, to);
    for (const side of choices) pairs.push(block, side);
    for (const callee of calls) {
      const start = entry.get(callee);
      if (start === undefined) continue;
      pairs.push(block, start);
      for (const back of returns.get(callee) ?? []) for (const to of successors) pairs.push(back, to);
    }
  });
  return pairs;
}
