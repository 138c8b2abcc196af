// The decisions that make a pending path infeasible, named so that they mean something outside of this process: a site of the
// program and how many times that site was decided before on the path. Patch testing goes back to the latest of them and
// takes its other side.

import { type IdColumn, idColumn } from "../path/id-column.js";
import type { SiteId } from "../path/observer.js";
import type { PendingId } from "../path/pending-table.js";
import { type ExecutionTree, NO_SEGMENT, ROW } from "../path/tree.js";
import type { BranchPlace } from "./options.js";

/** The places of decisions, given by their positions in ascending order, on the way to a pending path and at it. */
export function placesOf(tree: ExecutionTree, id: PendingId, positions: readonly number[]): BranchPlace[] {
  const sites = sitesTo(tree, id);
  const counts = new Map<number, number>();
  const places: BranchPlace[] = [];
  let next = 0;
  for (let position = 0; position < sites.length && next < positions.length; position++) {
    const site = sites[position];
    const occurrence = counts.get(site) ?? 0;
    counts.set(site, occurrence + 1);
    if (positions[next] !== position) continue;
    places.push({ site, occurrence, position });
    next++;
  }
  return places;
}

/** The sites of all decisions on the way to a pending path, its own last. */
export function sitesTo(tree: ExecutionTree, id: PendingId): IdColumn<SiteId> {
  const sites = idColumn<SiteId>(tree.pending.depth[id] + 1);
  let end = sites.length;
  let segment = tree.pending.segment[id];
  let row = tree.pending.row[id];
  while (segment !== NO_SEGMENT) {
    const start = tree.start[segment];
    for (let at: number = tree.decisionRow(tree.at(segment, row)); at >= start; at--) {
      if (tree.kind[at] !== ROW.alternative) sites[--end] = tree.site[at];
    }
    row = tree.parentRow[segment];
    segment = tree.parent[segment];
  }
  return sites;
}
