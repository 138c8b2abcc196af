// Towards uncovered code, fairly among decisions. What is pending is grouped by the decision it is a side of (site and side), and a
// group is chosen at random: the likelier the fewer branches lie between it and code that no run has covered (after KLEE's
// nurs:covnew; the weight is the inverse square of the distance, as there), the less likely the more often it was chosen in vain. Within the
// group any path is as good as another.
//
// Why groups: a loop over the input has a thousand times the pending paths of the option that is read once, and chosen path by path it
// would be explored a thousand times as often. Why in vain counts: distances follow the control flow alone and promise what
// the data does not keep. Groups from which nothing new can be reached keep a small weight, because distances are
// estimates and searchers are to be complete.

import { grownInts } from "../path/growth.js";
import type { SiteId } from "../path/observer.js";
import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import type { ExecutionTree } from "../path/tree.js";
import type { Random } from "../support/random.js";
import type { Distance, Searcher } from "./searcher.js";
import { NO_ID, WeightedIds } from "./weighted.js";

/** A distance that stands for none. */
const FAR = 1000;

interface Group {
  readonly site: SiteId;
  readonly side: number;
  /** Held paths, in no order. */
  readonly ids: PendingId[];
  /** Choices since one of its paths led to new code. */
  vain: number;
}

export class CoverNew implements Searcher {
  size = 0;
  private readonly groups: Group[] = [];
  private readonly numbers = new Map<number, number>();
  /** Over the groups that hold a path. */
  private readonly weights = new WeightedIds<number>();
  /** By id: the number of its group, and its place there. */
  private groupOf = new Int32Array(64);
  private places = new Int32Array(64);
  private outdated = false;
  private latest: Group | null = null;

  constructor(
    private readonly tree: ExecutionTree,
    private readonly random: Random,
    private readonly distance: Distance,
    private readonly ownWeight: (site: SiteId) => number,
  ) {}

  get bytes(): number {
    return (
      this.groupOf.byteLength + this.places.byteLength + this.weights.bytes + 8 * this.size + 64 * this.groups.length
    );
  }

  add(id: PendingId): void {
    if (id >= this.groupOf.length) {
      this.groupOf = grownInts(this.groupOf, id + 1);
      this.places = grownInts(this.places, id + 1);
    }
    const number = this.groupNumber(this.tree.siteOf(id), this.tree.sideOf(id));
    const group = this.groups[number];
    this.groupOf[id] = number;
    this.places[id] = group.ids.length;
    if (group.ids.push(id) === 1) this.weights.add(number, this.weight(group));
    this.size++;
  }

  take(): PendingId {
    if (this.outdated) this.refresh();
    const number = this.weights.choose(this.random);
    if (number === NO_ID) return NO_PENDING;
    const group = this.groups[number];
    const id = group.ids[this.random.next() % group.ids.length];
    this.remove(id);
    group.vain++;
    this.latest = group;
    if (group.ids.length > 0) this.weights.change(number, this.weight(group));
    return id;
  }

  remove(id: PendingId): void {
    const number = this.groupOf[id];
    const { ids } = this.groups[number];
    const last = ids.pop() as PendingId;
    if (last !== id) {
      ids[this.places[id]] = last;
      this.places[last] = this.places[id];
    }
    if (ids.length === 0) this.weights.remove(number);
    this.size--;
  }

  coverageGrew(): void {
    this.outdated = true;
    if (this.latest !== null) this.latest.vain = 0;
  }

  private refresh(): void {
    this.outdated = false;
    this.weights.reweigh((number) => this.weight(this.groups[number]));
  }

  private weight({ site, side, vain }: Group): number {
    const distance = Math.min(this.distance(site, side), FAR);
    return this.ownWeight(site) / ((distance + 1) ** 2 * (1 + vain));
  }

  private groupNumber(site: SiteId, side: number): number {
    const key = site * 0x1_0000 + side;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.groups.push({ site, side, ids: [], vain: 0 }) - 1;
    this.numbers.set(key, number);
    return number;
  }
}
