// Uniformly at random among everything pending.

import { grownInts } from "../path/growth.js";
import { grownIds, idColumn } from "../path/id-column.js";
import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import type { Random } from "../support/random.js";
import type { Searcher } from "./searcher.js";

export class UniformRandom implements Searcher {
  size = 0;
  private ids = idColumn<PendingId>(64);
  /** Where an id is in `ids`. */
  private places = new Int32Array(64);

  constructor(private readonly random: Random) {}

  get bytes(): number {
    return this.ids.byteLength + this.places.byteLength;
  }

  add(id: PendingId): void {
    if (this.size >= this.ids.length) this.ids = grownIds(this.ids, 0);
    if (id >= this.places.length) this.places = grownInts(this.places, id + 1);
    this.places[id] = this.size;
    this.ids[this.size++] = id;
  }

  take(): PendingId {
    if (this.size === 0) return NO_PENDING;
    const id = this.ids[this.random.next() % this.size];
    this.remove(id);
    return id;
  }

  remove(id: PendingId): void {
    const place = this.places[id];
    const last = this.ids[--this.size];
    this.ids[place] = last;
    this.places[last] = place;
  }
}
