// How far a campaign came, in words that claim no more than was done: with too little time, not even every test's own path
// has been checked.

import type { AmplifyCampaignResult } from "./campaign-result.js";
import { counted } from "./finding-view.js";

type Done = Pick<AmplifyCampaignResult, "totals" | "seeds">;

/** Tests whose own path has been checked at least, and those that could have been. */
export function testsDone({ seeds }: Pick<Done, "seeds">): { readonly done: number; readonly usable: number } {
  return {
    done: seeds.filter(({ distance }) => distance >= 0).length,
    usable: seeds.filter(({ distance, skipped }) => distance >= 0 || skipped === null).length,
  };
}

/** "27 tests up to distance 2", "134 of 307 tests, only on their own paths". */
export function extent(result: Done): string {
  const { done, usable } = testsDone(result);
  if (done === usable) return `${counted(done, "test")} up to distance ${result.totals.distance}`;
  return `${done} of ${counted(usable, "test")}, only on their own paths`;
}
