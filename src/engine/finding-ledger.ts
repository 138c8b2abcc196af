// Which findings are known, and which sites have shown theirs often enough. A finding is reported only after a second run of
// its input ended the same way: same kind, same place. What does not is counted, because it is our bug; the next witness of the same
// place is tried all the same, a few times (findings/identity-ledger.ts).

import { IdentityLedger } from "../findings/identity-ledger.js";
import type { PathObserver, SiteId } from "../path/observer.js";
import { RunStopped } from "../path/run-stopped.js";
import type { Model } from "../solver/solver.js";
import type { EngineEvent } from "./events.js";
import type { DetectedFinding, Executor, RunLimits, RunOutcome } from "./executor.js";

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

/** For the second run of a finding: an assumption that is violated there is one that every input of the path violates. */
const SECOND: PathObserver = {
  ...QUIET,
  assume(_site, _condition, holds) {
    if (!holds) throw new RunStopped("contradiction");
  },
};

export class FindingLedger {
  private readonly places = new IdentityLedger();
  private readonly fruitless = new Map<SiteId, number>();

  constructor(private readonly witnessesPerSite: number) {}

  get keys(): readonly string[] {
    return this.places.keys;
  }

  restore(keys: readonly string[]): void {
    for (const key of keys) this.places.reported(key);
  }

  /** Whether a witness of it is wanted. */
  isOpen(finding: DetectedFinding): boolean {
    return this.places.isOpen(placeOf(finding));
  }

  reported(finding: DetectedFinding): void {
    this.places.reported(placeOf(finding));
  }

  failed(finding: DetectedFinding): void {
    this.places.failed(placeOf(finding));
  }

  /** Whoever looked closer did not believe it: the next witness is wanted. */
  withdraw(finding: DetectedFinding): void {
    this.places.withdraw(placeOf(finding));
  }

  /** A witness of this check was run. */
  witnessed(site: SiteId, foundSomethingNew: boolean): void {
    this.fruitless.set(site, foundSomethingNew ? 0 : (this.fruitless.get(site) ?? 0) + 1);
  }

  isExhausted(site: SiteId): boolean {
    if (this.fruitless.size === 0) return false;
    return (this.fruitless.get(site) ?? 0) >= this.witnessesPerSite;
  }

  /** Runs the input a second time. */
  confirm(executor: Executor, input: Model, finding: DetectedFinding, limits: RunLimits): SecondRun {
    const { end } = executor.run(input, SECOND, limits);
    if (end.kind === "finding" && placeOf(end.finding) === placeOf(finding)) return "again";
    return isOutOfTime(end) ? "no-time" : "otherwise";
  }

  /** What is to be told of a failure that did not come a second time. */
  notAgain(why: Exclude<SecondRun, "again">, { finding, input, objects }: FailedWitness): EngineEvent {
    this.failed(finding);
    if (why === "no-time") return { kind: "finding-unconfirmed", finding, input, objects };
    return { kind: "finding-not-reproduced", finding, input };
  }

  /** The second run of an input that went on behind findings: whether it did so again, behind each. */
  passedAgain(executor: Executor, input: Model, limits: RunLimits): (finding: DetectedFinding) => SecondRun {
    const { passed = [], end } = executor.run(input, QUIET, limits);
    const places = new Set(passed.map(placeOf));
    return (finding) => (places.has(placeOf(finding)) ? "again" : isOutOfTime(end) ? "no-time" : "otherwise");
  }
}

export interface FailedWitness {
  readonly finding: DetectedFinding;
  readonly input: Model;
  readonly objects: RunOutcome["objects"];
}

/** How a second run ended, compared with the first: `no-time` says nothing about the finding. */
export type SecondRun = "again" | "otherwise" | "no-time";

function isOutOfTime(end: RunOutcome["end"]): boolean {
  return end.kind === "limit" && (end.limit === "time" || end.limit === "cancelled");
}

/** What the engine tells findings apart by. */
export function placeOf({ kind, stackKey }: Pick<DetectedFinding, "kind" | "stackKey">): string {
  return `${kind} ${stackKey}`;
}
