// Depth-biased: at random, a path being the likelier the more decisions lie before it (KLEE's random state search weighted by
// depth). Good after seeds, whose ends it explores first; the paper advises to combine it with a wide searcher.

import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import type { ExecutionTree } from "../path/tree.js";
import type { Random } from "../support/random.js";
import type { Searcher } from "./searcher.js";
import { NO_ID, WeightedIds } from "./weighted.js";

export class DepthBiased implements Searcher {
  private readonly ids = new WeightedIds<PendingId>();

  constructor(
    private readonly tree: ExecutionTree,
    private readonly random: Random,
  ) {}

  get size(): number {
    return this.ids.size;
  }

  get bytes(): number {
    return this.ids.bytes;
  }

  add(id: PendingId): void {
    this.ids.add(id, this.tree.pending.depth[id] + 1);
  }

  take(): PendingId {
    const id = this.ids.choose(this.random);
    if (id === NO_ID) return NO_PENDING;
    this.ids.remove(id);
    return id;
  }

  remove(id: PendingId): void {
    this.ids.remove(id);
  }
}
