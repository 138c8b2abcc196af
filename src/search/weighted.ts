// Weighted random choice over ids: a tree of sums, so that adding, removing and choosing each take as many steps as the
// number of ids has binary digits. An id is its own leaf.
//
// Invariant: a sum is that of its two children, up to rounding; a leaf that is not held is exactly 0.

import { grownDoubles } from "../path/growth.js";
import type { Random } from "../support/random.js";

/** Nothing is held. */
export const NO_ID = -1;

/** Ids of any kind: pending paths, groups of them. */
export class WeightedIds<Id extends number> {
  size = 0;
  private leaves = 64;
  /** Node i has the children 2i and 2i + 1; leaf of id is leaves + id. */
  private sums = new Float64Array(128);

  get bytes(): number {
    return this.sums.byteLength;
  }

  /** The weight must be positive. */
  add(id: Id, weight: number): void {
    if (id >= this.leaves) this.grow(id + 1);
    this.put(id, weight);
    this.size++;
  }

  remove(id: Id): void {
    this.put(id, 0);
    this.size--;
  }

  /** It is held. */
  change(id: Id, weight: number): void {
    this.put(id, weight);
  }

  choose(random: Random): Id | typeof NO_ID {
    if (this.size === 0) return NO_ID;
    const { sums } = this;
    let left = (random.next() / 0x1_0000_0000) * sums[1];
    let node = 1;
    while (node < this.leaves) {
      node *= 2;
      // Rounding may point into an empty half; the other one is then right.
      if ((left >= sums[node] && sums[node + 1] > 0) || sums[node] === 0) left -= sums[node++];
    }
    return (node - this.leaves) as Id;
  }

  /** Computes every weight anew. */
  reweigh(weight: (id: Id) => number): void {
    const { sums, leaves } = this;
    for (let id = 0; id < leaves; id++) if (sums[leaves + id] > 0) sums[leaves + id] = weight(id as Id);
    for (let node = leaves - 1; node > 0; node--) sums[node] = sums[2 * node] + sums[2 * node + 1];
  }

  private put(id: Id, weight: number): void {
    const { sums } = this;
    let node = this.leaves + id;
    sums[node] = weight;
    for (node >>= 1; node > 0; node >>= 1) sums[node] = sums[2 * node] + sums[2 * node + 1];
  }

  private grow(atLeast: number): void {
    const old = this.sums.subarray(this.leaves, 2 * this.leaves);
    let leaves = this.leaves;
    while (leaves < atLeast) leaves *= 2;
    const sums = grownDoubles(new Float64Array(0), 2 * leaves);
    sums.set(old, leaves);
    for (let node = leaves - 1; node > 0; node--) sums[node] = sums[2 * node] + sums[2 * node + 1];
    this.sums = sums;
    this.leaves = leaves;
  }
}
