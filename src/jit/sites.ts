// The static identities of decisions: a number for each branch, switch, access, division and pin of the program that may
// see a symbolic value, with what the host and the reports need to know about it.

import type { DebugLoc } from "../ir/debug-info.js";
import type { LineTable } from "./line-table.js";
import type { Site } from "./symbolic-boundary.js";

export type SiteDraft = Omit<Site, "location"> & { readonly loc: DebugLoc | null };

export class SiteTable {
  private readonly drafts: SiteDraft[] = [];

  get count(): number {
    return this.drafts.length;
  }

  add(draft: SiteDraft): number {
    return this.drafts.push(draft) - 1;
  }

  /** Those from this number on. */
  since(first: number): readonly SiteDraft[] {
    return this.drafts.slice(first);
  }

  finish(lines: LineTable): Site[] {
    return this.drafts.map(({ loc, ...site }) => ({ ...site, location: loc === null ? -1 : lines.indexOf(loc) }));
  }
}
