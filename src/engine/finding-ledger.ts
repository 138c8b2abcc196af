// Which findings are known, and which sites have shown theirs often enough. A finding is reported only after a second run of
// its input ended the same way: same kind, same place. What does not is counted, because it is our bug.

import type { PathObserver, SiteId } from "../path/observer.js";
import { RunStopped } from "../path/run-stopped.js";
import type { Model } from "../solver/solver.js";
import type { DetectedFinding, Executor, RunLimits } from "./executor.js";

/** An observer that wants to know nothing, for a run that is only to be repeated. */
export const QUIET: PathObserver = {
  branch() {},
  choose() {},
  check() {},
  pin() {},
  assume(_site, _condition, holds) {
    if (!holds) throw new RunStopped("assumption");
  },
};

export class FindingLedger {
  private readonly known = new Set<string>();
  private readonly fruitless = new Map<SiteId, number>();

  constructor(private readonly witnessesPerSite: number) {}

  get keys(): readonly string[] {
    return [...this.known];
  }

  restore(keys: readonly string[]): void {
    for (const key of keys) this.known.add(key);
  }

  /** True the first time. */
  add(finding: DetectedFinding): boolean {
    const key = `${finding.kind} ${finding.stackKey}`;
    if (this.known.has(key)) return false;
    this.known.add(key);
    return true;
  }

  /** A witness of this check was run. */
  witnessed(site: SiteId, foundSomethingNew: boolean): void {
    this.fruitless.set(site, foundSomethingNew ? 0 : (this.fruitless.get(site) ?? 0) + 1);
  }

  isExhausted(site: SiteId): boolean {
    if (this.fruitless.size === 0) return false;
    return (this.fruitless.get(site) ?? 0) >= this.witnessesPerSite;
  }

  confirm(executor: Executor, input: Model, finding: DetectedFinding, limits: RunLimits): boolean {
    const { end } = executor.run(input, QUIET, limits);
    return end.kind === "finding" && end.finding.kind === finding.kind && end.finding.stackKey === finding.stackKey;
  }
}
