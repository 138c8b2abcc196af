// Random path (KLEE; Pending Constraints, section 2): walk from the root of the execution tree and at each decision go either way
// with the same probability, as long as something is pending on both. Favours paths near the root without forgetting
// deep ones, and is not fooled by loops that make thousands of pending paths in one place.
//
// The tree is the data structure; the list is only for the case that the walk ends at a path that is being run.

import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import type { ExecutionTree } from "../path/tree.js";
import type { Random } from "../support/random.js";
import { UniformRandom } from "./random.js";
import type { Searcher } from "./searcher.js";

const WALKS = 16;

export class RandomPath implements Searcher {
  private readonly all: UniformRandom;

  constructor(
    private readonly tree: ExecutionTree,
    private readonly random: Random,
  ) {
    this.all = new UniformRandom(random);
  }

  get size(): number {
    return this.all.size;
  }

  get bytes(): number {
    return this.all.bytes;
  }

  add(id: PendingId): void {
    this.all.add(id);
  }

  take(): PendingId {
    if (this.all.size === 0) return NO_PENDING;
    for (let walk = 0; walk < WALKS; walk++) {
      const id = this.tree.randomWalk(this.random);
      if (id === NO_PENDING) continue;
      this.all.remove(id);
      return id;
    }
    return this.all.take();
  }

  remove(id: PendingId): void {
    this.all.remove(id);
  }
}
