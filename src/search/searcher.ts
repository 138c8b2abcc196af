// A searcher orders what is pending: `add` and `take`. It holds ids; what it wants to know about one (site, depth, side) it
// reads from the execution tree. `remove` is there because a path may be gone before it was chosen: another run came along it, memory
// ran short, or a second searcher was faster. Every searcher takes everything sooner or later; only the order differs.

import type { SiteId } from "../path/observer.js";
import type { PendingId } from "../path/pending-table.js";
import type { ExecutionTree } from "../path/tree.js";
import type { Random } from "../support/random.js";

export interface Searcher {
  readonly size: number;
  readonly bytes: number;
  add(id: PendingId): void;
  /** The one to explore next, no longer held; NO_PENDING if there is none. */
  take(): PendingId;
  /** It is held and is to be forgotten. */
  remove(id: PendingId): void;
  /** A path that was taken, and put off then by somebody else, has its turn now. */
  retaken?(id: PendingId): void;
  /** Some run covered code that none had covered before. */
  coverageGrew?(): void;
}

/**
 * How far a side of a site is from code that no run has covered; Infinity if there is none. Side: of a branch 1 if its
 * condition is true there, else the position among the other sides.
 */
export type Distance = (site: SiteId, side: number) => number;

export interface SearcherParts {
  readonly tree: ExecutionTree;
  readonly random: Random;
  readonly distance: Distance;
  /** How many times as likely a site is chosen as its distance alone would have it. */
  readonly weight: (site: SiteId) => number;
}
