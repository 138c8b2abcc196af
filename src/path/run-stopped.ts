// How an observer ends a run from inside: it throws this. Not an Error, because capturing a stack costs more than the
// rest of a short run, and nobody reads it. An executor lets it pass through the generated code and returns "stopped".

const STOP_REASONS = ["diverged", "depth", "assumption", "contradiction", "set-aside", "long", "restored"] as const;
/**
 * diverged: did not follow its predicted prefix. depth: too many decisions. assumption: the input violates one.
 * contradiction: so does every input of this path.
 * set-aside: the searcher prefers another path. long: it goes on too long for now. restored: what was saved of it is in place again.
 */
export type StopReason = (typeof STOP_REASONS)[number];

export class RunStopped {
  constructor(readonly reason: StopReason) {}
}
