// Breadth first: the fewest decisions first, among equals the oldest. A plain queue would not do: one run adds paths of all
// depths at once. One list per depth.

import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import type { ExecutionTree } from "../path/tree.js";
import { IdLists } from "./id-list.js";
import type { Searcher } from "./searcher.js";

export class BreadthFirst implements Searcher {
  size = 0;
  private readonly ids = new IdLists(64);
  /** No list before this one has anything. */
  private shallowest = 0;

  constructor(private readonly tree: ExecutionTree) {}

  get bytes(): number {
    return this.ids.bytes;
  }

  add(id: PendingId): void {
    const depth = this.tree.pending.depth[id];
    this.ids.append(depth, id);
    if (depth < this.shallowest) this.shallowest = depth;
    this.size++;
  }

  take(): PendingId {
    if (this.size === 0) return NO_PENDING;
    while (this.ids.first(this.shallowest) === NO_PENDING) this.shallowest++;
    const id = this.ids.first(this.shallowest);
    this.remove(id);
    return id;
  }

  remove(id: PendingId): void {
    this.ids.remove(id);
    this.size--;
  }
}
