// Runs that took another path than the engine had predicted. They are our own mistakes, and what lies behind them was not
// looked at, so every report says how many there were, in the same words.

import type { CampaignResult } from "./campaign-result.js";
import { counted } from "./finding-view.js";

/** Null if there were none. */
export function divergencesInWords({ totals: { divergences } }: Pick<CampaignResult, "totals">): string | null {
  if (divergences === 0) return null;
  const runs = counted(divergences, "run");
  return `${runs} took another path than predicted (divergences): a fault of Tangent, which may have missed something there`;
}
