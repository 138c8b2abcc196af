// What composition came to, as one versioned value from which every report of `tangent compose` is made. Plain JSON. Fields are added,
// never given another meaning. What of it is the technique's own is in techniques/compose/compose-outcome.ts.

import type { ComposeFunction, ComposeTarget, ComposeTotals } from "../techniques/compose/compose-outcome.js";
import type { AmplifyCampaignResult, CommonResult, CommonTotals } from "./campaign-result.js";

/** Tests that could not be run, or only in part, for one reason. */
export interface UnfinishedTests {
  readonly why: string;
  readonly tests: number;
  /** The command of one of them. */
  readonly example: string;
}

export interface ComposeCampaignResult extends CommonResult {
  readonly technique: "compose";
  readonly totals: CommonTotals & ComposeTotals;
  /** Failing lines of units, each once: those that were lifted to `main` first. */
  readonly targets: readonly ComposeTarget[];
  readonly functions: readonly ComposeFunction[];
  /** Tests that did not come to their end, by reason, the commonest first; absent if all did, and in earlier results. */
  readonly unfinished?: readonly UnfinishedTests[];
  /** What `tangent test --deep` did before; its findings are among the others. */
  readonly amplified?: Pick<AmplifyCampaignResult, "totals" | "seeds">;
}
