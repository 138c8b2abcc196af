// The inputs at hand for reaching targets: the tests, and what was made of them, each with the blocks it executes. The distance of an
// input from a target is the least number of branches from any block that it executes (KATCH, seed selection).

import type { Invocation } from "../../inputs/invocation.js";
import { UNREACHED } from "../../program/graph/graph-queries.js";

/** How an input came to be. */
export type MadeBy = "test" | "greedy" | "regeneration" | "definition" | "move" | "luck";

/** Plain data: it crosses threads. */
export interface ReachInput {
  readonly invocation: Invocation;
  /** The test it was made from. */
  readonly seedId: string;
  /** What was done to it, in words. */
  readonly steps: readonly string[];
  readonly by: MadeBy;
}

export interface PoolEntry {
  readonly input: ReachInput;
  /** Numbers of the blocks that it executes, ascending. */
  readonly blocks: Int32Array;
  readonly instructions: number;
  /** What the machine refused it. */
  readonly refused: readonly string[];
  readonly hasStartedOthers: boolean;
  /** It ended in a failure: whatever is behind that is further away than it seems. */
  readonly failed: boolean;
}

export function blockList(coverage: Uint8Array): Int32Array {
  let count = 0;
  for (let block = 0; block < coverage.length; block++) if (coverage[block] !== 0) count++;
  const blocks = new Int32Array(count);
  let at = 0;
  for (let block = 0; block < coverage.length; block++) if (coverage[block] !== 0) blocks[at++] = block;
  return blocks;
}

export function distanceOf(blocks: Int32Array, distances: Int32Array): number {
  let least = UNREACHED;
  for (let i = 0; i < blocks.length; i++) {
    const distance = distances[blocks[i]];
    if (distance < least) least = distance;
  }
  return least;
}

export class ReachPool {
  private readonly all: PoolEntry[] = [];
  private readonly keys = new Set<string>();

  get entries(): readonly PoolEntry[] {
    return this.all;
  }

  /** False if an entry with the same blocks is there already, and this one is no better. */
  add(entry: PoolEntry): boolean {
    const key = keyOf(entry.blocks);
    if (this.keys.has(key)) return false;
    this.keys.add(key);
    this.all.push(entry);
    return true;
  }

  /** The nearest ones; of equal ones those with fewer instructions, and different ways of being near before more of the same. */
  nearest(distances: Int32Array, count: number): { readonly entry: PoolEntry; readonly distance: number }[] {
    const ranked = this.all
      .map((entry) => ({ entry, distance: distanceOf(entry.blocks, distances), near: 0 }))
      .filter(({ distance }) => distance !== UNREACHED)
      .sort((a, b) => rank(a) - rank(b) || a.entry.instructions - b.entry.instructions);
    if (ranked.length <= count) return ranked;
    // Two inputs that come near through the same blocks have the same chances.
    const chosen: typeof ranked = [];
    const seen = new Set<string>();
    for (const one of ranked) {
      const ways = nearBlocks(one.entry.blocks, distances, one.distance);
      if (seen.has(ways)) continue;
      seen.add(ways);
      if (chosen.push(one) === count) return chosen;
    }
    for (const one of ranked) {
      if (chosen.length === count) break;
      if (!chosen.includes(one)) chosen.push(one);
    }
    return chosen;
  }
}

function rank({ entry, distance }: { readonly entry: PoolEntry; readonly distance: number }): number {
  return entry.failed ? distance + 1 : distance;
}

function nearBlocks(blocks: Int32Array, distances: Int32Array, distance: number): string {
  const near: number[] = [];
  for (const block of blocks) if (distances[block] === distance) near.push(block);
  return near.join(" ");
}

function keyOf(blocks: Int32Array): string {
  let low = 0x811c_9dc5;
  let high = 0x1234_5678;
  for (const block of blocks) {
    low = Math.imul(low ^ block, 0x0100_0193);
    high = Math.imul(high ^ (block + 0x9e37), 0x85eb_ca6b) ^ (high >>> 13);
  }
  return `${blocks.length} ${low} ${high}`;
}
