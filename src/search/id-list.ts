// Lists of pending ids, linked through two columns: any id can be put at the end of a list and taken out of the middle in
// constant time. One pool holds many lists; a list is its head and tail.
//
// Invariant: an id is in at most one list of a pool.

import { grownInts } from "../path/growth.js";
import { grownIds, type IdColumn, idColumn } from "../path/id-column.js";
import { NO_PENDING, type PendingId } from "../path/pending-table.js";

export class IdLists {
  private next = idColumn<PendingId>(64);
  private previous = idColumn<PendingId>(64);
  private list = new Int32Array(64);
  private heads: IdColumn<PendingId>;
  private tails: IdColumn<PendingId>;

  constructor(lists: number) {
    this.heads = idColumn<PendingId>(lists);
    this.tails = idColumn<PendingId>(lists);
    this.heads.fill(NO_PENDING);
    this.tails.fill(NO_PENDING);
  }

  get lists(): number {
    return this.heads.length;
  }

  get bytes(): number {
    return 12 * this.next.length + 8 * this.heads.length;
  }

  first(list: number): PendingId {
    return this.heads[list];
  }

  last(list: number): PendingId {
    return this.tails[list];
  }

  append(list: number, id: PendingId): void {
    if (id >= this.next.length) {
      this.next = grownIds(this.next, id + 1);
      this.previous = grownIds(this.previous, id + 1);
      this.list = grownInts(this.list, id + 1);
    }
    if (list >= this.heads.length) this.growLists(list + 1);
    const tail = this.tails[list];
    this.next[id] = NO_PENDING;
    this.previous[id] = tail;
    this.list[id] = list;
    if (tail === NO_PENDING) this.heads[list] = id;
    else this.next[tail] = id;
    this.tails[list] = id;
  }

  remove(id: PendingId): void {
    const list = this.list[id];
    const next = this.next[id];
    const previous = this.previous[id];
    if (previous === NO_PENDING) this.heads[list] = next;
    else this.next[previous] = next;
    if (next === NO_PENDING) this.tails[list] = previous;
    else this.previous[next] = previous;
  }

  private growLists(size: number): void {
    const from = this.heads.length;
    this.heads = grownIds(this.heads, size);
    this.tails = grownIds(this.tails, size);
    this.heads.fill(NO_PENDING, from);
    this.tails.fill(NO_PENDING, from);
  }
}
