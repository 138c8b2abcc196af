// Which pending path comes next when a target is to be reached (KATCH, greedy exploration): that whose other side is closest to the target
// by the control-flow graph; before it, those that somebody asked for (informed path regeneration). What is pending is grouped by
// the decision it is a side of: a group that was tried in vain many times loses to one that is a little farther away, because
// distances promise what the data may not keep.

import { grownInts } from "../../path/growth.js";
import { NO_PENDING, type PendingId } from "../../path/pending-table.js";
import type { ExecutionTree } from "../../path/tree.js";
import type { BlockNumber } from "../../program/graph/program-graph.js";
import type { Searcher } from "../../search/searcher.js";
import type { Random } from "../../support/random.js";

/** The block that a pending path enters, -1 if it has no number. */
export type EnteredBlock = (id: PendingId) => BlockNumber;
/** Branches from a block to the target; Infinity if no way leads there. */
export type BlockDistance = (block: BlockNumber) => number;

/** For sides of which the graph knows nothing: behind everything that it knows to be near. */
const FAR = 64;

interface Group {
  readonly distance: number;
  readonly ids: PendingId[];
  vain: number;
}

export class TargetSearcher implements Searcher {
  private readonly groups = new Map<number, Group>();
  private readonly held = new Map<PendingId, Group>();
  /** By id: its place in its group. */
  private places = new Int32Array(64);
  private readonly preferred: PendingId[] = [];
  /** What was taken last, until a run or an answer says what became of it. */
  latest: PendingId = NO_PENDING;
  /** Whether that was one somebody asked for. */
  latestWasPreferred = false;

  constructor(
    readonly tree: ExecutionTree,
    private readonly random: Random,
    private readonly entered: EnteredBlock,
    private readonly distance: BlockDistance,
  ) {}

  get size(): number {
    return this.held.size;
  }
  get bytes(): number {
    return 64 * this.held.size;
  }

  add(id: PendingId): void {
    const block = this.entered(id);
    // Code without numbers is libc's: its sites tell decisions apart.
    const key = block >= 0 ? block : -1 - (this.tree.siteOf(id) * 0x1_0000 + this.tree.sideOf(id));
    let group = this.groups.get(key);
    if (group === undefined) {
      group = { distance: block < 0 ? FAR : Math.min(FAR, this.distance(block)), ids: [], vain: 0 };
      this.groups.set(key, group);
    }
    if (id >= this.places.length) this.places = grownInts(this.places, id + 1);
    this.places[id] = group.ids.push(id) - 1;
    this.held.set(id, group);
  }

  /** To be taken next, if it is held; the last one asked for goes first. */
  prefer(id: PendingId): boolean {
    if (!this.held.has(id)) return false;
    this.preferred.push(id);
    return true;
  }

  take(): PendingId {
    this.latestWasPreferred = false;
    for (let id = this.preferred.pop(); id !== undefined; id = this.preferred.pop()) {
      const group = this.held.get(id);
      if (group === undefined) continue;
      this.latestWasPreferred = true;
      return this.taken(id, group);
    }
    let best: Group | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const group of this.groups.values()) {
      if (group.ids.length === 0) continue;
      const cost = group.distance + Math.log2(1 + group.vain);
      if (cost >= least) continue;
      least = cost;
      best = group;
    }
    if (best === null) return NO_PENDING;
    // The newest first, since it is where the last run came closest; then any.
    const { ids, vain } = best;
    const at = vain === 0 ? ids.length - 1 : this.random.next() % ids.length;
    return this.taken(ids[at], best);
  }

  remove(id: PendingId): void {
    const group = this.held.get(id);
    if (group === undefined) return;
    this.held.delete(id);
    const last = group.ids.pop() as PendingId;
    if (last === id) return;
    group.ids[this.places[id]] = last;
    this.places[last] = this.places[id];
  }

  private taken(id: PendingId, group: Group): PendingId {
    this.remove(id);
    group.vain++;
    this.latest = id;
    return id;
  }
}
