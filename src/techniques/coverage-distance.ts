// How many branches lie between a side of a decision and code that no run has covered, over the whole program's control
// flow: into callees, and back to whoever calls a function when it returns (to all of its callers, not only to the one
// on the stack, so it is an estimate from below). One search backwards from everything uncovered gives all distances; it is
// repeated when coverage has grown, and costs a fraction of a millisecond per ten thousand blocks.

import type { ProgramImage } from "../jit/image.js";

const UNREACHED = 0x7fff_ffff;

export class CoverageDistance {
  /** By block; UNREACHED if nothing uncovered can follow. */
  private readonly distances: Int32Array;
  private readonly ways: Ways;
  private covered = -1;

  constructor(
    private readonly image: ProgramImage,
    private readonly coverage: Uint8Array,
  ) {
    this.distances = new Int32Array(image.coverage.length);
    this.ways = waysOf(image);
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
    const { distances, coverage } = this;
    const { offsets, edges, cost } = this.ways;
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

interface Ways {
  /** Edges backwards: predecessors of block b are at edges[offsets[b]] up to offsets[b + 1]. */
  readonly offsets: Int32Array;
  readonly edges: Int32Array;
  /** 1 if leaving the block is a branch. */
  readonly cost: Uint8Array;
}

const knownWays = new WeakMap<ProgramImage, Ways>();

/** Made once for a program: many functions of it may be explored one after the other. */
function waysOf(image: ProgramImage): Ways {
  const known = knownWays.get(image);
  if (known !== undefined) return known;
  const { coverage: blocks } = image;
  const cost = Uint8Array.from(blocks, ({ successors }) => (successors.length > 1 ? 1 : 0));
  const pairs = edgesOf(image);
  const offsets = new Int32Array(blocks.length + 1);
  for (let i = 1; i < pairs.length; i += 2) offsets[pairs[i] + 1]++;
  for (let b = 0; b < blocks.length; b++) offsets[b + 1] += offsets[b];
  const edges = new Int32Array(pairs.length / 2);
  const next = offsets.slice();
  for (let i = 0; i < pairs.length; i += 2) edges[next[pairs[i + 1]]++] = pairs[i];
  const ways = { offsets, edges, cost };
  knownWays.set(image, ways);
  return ways;
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
