// Depth first: the newest first. A run adds its pending paths from the shallowest to the deepest, so the newest is the
// deepest one of the latest run, and everything below it is explored before what lies above. Keeps the execution tree small
// and shares the longest prefixes with the run before.

import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import { IdLists } from "./id-list.js";
import type { Searcher } from "./searcher.js";

export class DepthFirst implements Searcher {
  size = 0;
  private readonly ids = new IdLists(1);

  get bytes(): number {
    return this.ids.bytes;
  }

  add(id: PendingId): void {
    this.ids.append(0, id);
    this.size++;
  }

  take(): PendingId {
    const id = this.ids.last(0);
    if (id !== NO_PENDING) this.remove(id);
    return id;
  }

  remove(id: PendingId): void {
    this.ids.remove(id);
    this.size--;
  }
}
