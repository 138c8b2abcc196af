// The findings of a campaign, each once. Several threads may find the same one; which of them was faster must not show in the
// results, so the one that stands is the one that came first in the order of the work; but what a technique ranks lower than others
// gives way to them.

import type { Found, WorkItem } from "./technique.js";

/** Where in a campaign something happened: the item's rank, round, item in the round, what it was within the item. */
export type WorkPlace = readonly [rank: number, round: number, item: number, event: number];

export interface PlacedFinding {
  readonly found: Found;
  readonly item: WorkItem;
  readonly place: WorkPlace;
  /** Since the campaign's start. */
  readonly atMs: number;
}

export class FoundOnce {
  private readonly byId = new Map<string, PlacedFinding>();

  /** True if it was not known. */
  add(one: PlacedFinding): boolean {
    const { id } = one.found.identity;
    const known = this.byId.get(id);
    if (known === undefined || isBefore(one.place, known.place)) this.byId.set(id, one);
    return known === undefined;
  }

  /** Whether one that was found there would stand. */
  wants(id: string, place: WorkPlace): boolean {
    const known = this.byId.get(id);
    return known === undefined || isBefore(place, known.place);
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }

  get count(): number {
    return this.byId.size;
  }

  /** In the order of the work. */
  list(): readonly PlacedFinding[] {
    return [...this.byId.values()].sort((a, b) => (isBefore(a.place, b.place) ? -1 : 1));
  }
}

function isBefore(a: WorkPlace, b: WorkPlace): boolean {
  const differs = a.findIndex((part, index) => part !== b[index]);
  return differs >= 0 && a[differs] < b[differs];
}
