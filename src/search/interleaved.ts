// Several searchers in turn: each holds everything, and what one takes the others forget.

import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import type { Searcher } from "./searcher.js";

export class Interleaved implements Searcher {
  private turn = 0;

  constructor(private readonly searchers: readonly Searcher[]) {}

  get size(): number {
    return this.searchers[0].size;
  }

  get bytes(): number {
    return this.searchers.reduce((sum, searcher) => sum + searcher.bytes, 0);
  }

  add(id: PendingId): void {
    for (const searcher of this.searchers) searcher.add(id);
  }

  take(): PendingId {
    const chosen = this.searchers[this.turn];
    this.turn = (this.turn + 1) % this.searchers.length;
    const id = chosen.take();
    if (id === NO_PENDING) return id;
    for (const searcher of this.searchers) if (searcher !== chosen) searcher.remove(id);
    return id;
  }

  remove(id: PendingId): void {
    for (const searcher of this.searchers) searcher.remove(id);
  }

  coverageGrew(): void {
    for (const searcher of this.searchers) searcher.coverageGrew?.();
  }
}
