// Towards uncovered code: at random, a path being the likelier the fewer branches lie between its side of the decision and
// code that no run has covered (after KLEE's nurs:covnew; the weight is the inverse square of the distance, as there). Paths from
// which nothing new can be reached keep a small weight, because distances are estimates and searchers are to be complete.
//
// Distances change when coverage grows. Then all weights are computed again, but at most once in a while: with a
// hundred thousand pending paths it costs some milliseconds.

import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import type { ExecutionTree } from "../path/tree.js";
import type { Random } from "../support/random.js";
import type { Distance, Searcher } from "./searcher.js";
import { WeightedIds } from "./weighted.js";

const HOPELESS = 1e-9;
/** Weights are refreshed after this many choices per held path, so that the refresh costs no more than the choices. */
const CHOICES_PER_HELD = 1 / 64;

export class CoverNew implements Searcher {
  private readonly ids = new WeightedIds();
  private outdated = false;
  private choices = 0;

  constructor(
    private readonly tree: ExecutionTree,
    private readonly random: Random,
    private readonly distance: Distance,
  ) {}

  get size(): number {
    return this.ids.size;
  }

  get bytes(): number {
    return this.ids.bytes;
  }

  add(id: PendingId): void {
    this.ids.add(id, this.weight(id));
  }

  take(): PendingId {
    this.choices++;
    if (this.outdated && this.choices > this.ids.size * CHOICES_PER_HELD) this.refresh();
    const id = this.ids.choose(this.random);
    if (id !== NO_PENDING) this.ids.remove(id);
    return id;
  }

  remove(id: PendingId): void {
    this.ids.remove(id);
  }

  coverageGrew(): void {
    this.outdated = true;
  }

  private refresh(): void {
    this.outdated = false;
    this.choices = 0;
    this.ids.reweigh((id) => this.weight(id));
  }

  private weight(id: PendingId): number {
    const distance = this.distance(this.tree.siteOf(id), this.tree.sideOf(id));
    return Number.isFinite(distance) ? 1 / (distance + 1) ** 2 : HOPELESS;
  }
}
