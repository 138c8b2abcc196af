// An exploration from its first event to its last: listens to the engine, writes the run's folder, and tells whoever shows
// it (another thread) how it goes. Nothing here decides what is explored. The engine is behind an interface, so that tests
// put events of their own in its place.
//
// A path that ends in a finding is written only after the finding was run once more without anything symbolic: the test
// then has its error text, and the report its stacks.

import type { EngineEvent } from "../engine/events.js";
import type { DetectedFinding, RunOutcome } from "../engine/executor.js";
import { placeOf } from "../engine/finding-ledger.js";
import type { EngineStatistics } from "../engine/statistics.js";
import { Causes } from "../findings/causes.js";
import { type Confirmation, confirmSmaller } from "../findings/confirmation.js";
import { type Finding, userFrameOf } from "../findings/finding.js";
import type { FindingIdentity } from "../findings/identity.js";
import { IdentityLedger } from "../findings/identity-ledger.js";
import type { KindName } from "../findings/kinds.js";
import type { InputValue } from "../inputs/input-value.js";
import { NO_SITE, type SiteId } from "../path/observer.js";
import { eventJson, inputJson } from "../report/event-json.js";
import { type ExploreSummary, statisticsJson } from "../report/explore-summary.js";
import { findingJson } from "../report/json.js";
import { count, type ExploreStatus } from "../report/live-view.js";
import { isSetAside, LIKE, pathEnd, SET_ASIDE } from "../report/path-end.js";
import type { PathRecord, RunFolder } from "../report/run-folder.js";
import { renderWitness } from "../report/witness.js";
import type { SolverStats } from "../solver/chain.js";
import type { Model } from "../solver/solver.js";
import type { ResumeOutcome } from "../techniques/explore.js";
import type { CrewSetup } from "./crew-board.js";

/** What a session needs of an exploration. */
export interface Explorer {
  events(): Generator<EngineEvent, EngineStatistics>;
  valuesOf(input: Model, objects: RunOutcome["objects"]): readonly InputValue[];
  statistics(): EngineStatistics;
  solverStats(): SolverStats;
  /** Runs the input for itself, with nothing symbolic. */
  confirm(values: readonly InputValue[]): Confirmation;
  /** What the input uses although it was never set, confirmed, each place once; absent if that is not looked for. */
  uninitialised?(values: readonly InputValue[]): readonly Finding[];
  identify(finding: Finding): FindingIdentity;
  /** Where a decision is in the source, in words. */
  placeOfSite(site: SiteId): string;
  /** A finding that it told was not confirmed: another witness of it is wanted. */
  withdraw(finding: DetectedFinding): void;
  /** No more is wanted: it ends as soon as it can. */
  stop(): void;
  /** Instructions of the blocks, of all of them or of those covered so far. */
  coverage(): { readonly coveredInstructions: number; readonly totalBlocks: number };
  lcov(): string;
  /** Why what a later --resume needs could not be written; null if it could. */
  keepFailure(): string | null;
}

export type SessionMessage =
  /** One more thread is wanted, to explore with this one. */
  | { readonly kind: "hire"; readonly setup: CrewSetup }
  /** What would be the end if it ended now; every few seconds. */
  | { readonly kind: "so-far"; readonly summary: ExploreSummary }
  /** Nothing more is explored; what is left is to write it. */
  | { readonly kind: "ending" }
  | { readonly kind: "status"; readonly status: ExploreStatus }
  | {
      readonly kind: "finding";
      readonly finding: Finding;
      readonly witness: string;
      readonly folder: string;
      /** The folder of an earlier finding of the same cause; null if it is the first. */
      readonly sameCause: string | null;
    }
  /** Lines of JSON, each ended by a newline. */
  | { readonly kind: "events"; readonly text: string }
  /** An input failed and is being confirmed, until it is judged; should that be cut short, it is to be kept. */
  | { readonly kind: "seen"; readonly name: string; readonly bytes: Uint8Array }
  | { readonly kind: "judged" }
  | { readonly kind: "printed"; readonly text: string }
  | Extract<ResumeOutcome, { kind: "resumed" }>
  /** It could not even begin. */
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "done"; readonly summary: ExploreSummary };

export interface SessionOptions {
  readonly program: string;
  readonly limitMs: number | null;
  /** The first finding of this kind is the last thing that is wanted. */
  readonly stopAt: KindName | null;
  readonly json: boolean;
  readonly now: () => number;
  readonly memoryBytes: () => number;
}

const STATUS_INTERVAL_MS = 100;
/** Different things that paths ended at, kept by name. */
const MOST_UNSUPPORTED = 100;
const FILES_INTERVAL_MS = 2000;
/** Each costs two runs of as many instructions as the limit allows. */
const MOST_CUTS_ASKED = 16;
/** Events are sent on in portions of about this size. */
const EVENTS_PORTION = 1 << 16;

export class ExploreSession {
  private readonly startedMs: number;
  private lastNewMs: number;
  private nextStatusMs = 0;
  private nextFilesMs = 0;
  private held: PathRecord | null = null;
  private readonly findings: string[] = [];
  /** The kinds of known findings: the engine knows them by what the machine saw. */
  private readonly kinds = new Map<string, string>();
  private unconfirmed = 0;
  /** By place: failures that there was no time to confirm. */
  private readonly seen = new Set<string>();
  private readonly unsupported = new Map<string, number>();
  private isStopped = false;
  private cutsAsked = 0;
  /** What was reported, by identity: the engine knows places, of which one finding may have several. */
  private readonly ledger = new IdentityLedger();
  /** The folder of the first finding of each cause. */
  private readonly groups = new Map<string, string>();
  private readonly causes = new Causes();
  private lines: string[] = [];
  private linesLength = 0;

  constructor(
    private readonly explorer: Explorer,
    private readonly folder: RunFolder,
    private readonly options: SessionOptions,
    private readonly post: (message: SessionMessage) => void,
  ) {
    this.startedMs = options.now();
    this.lastNewMs = this.startedMs;
  }

  run(): ExploreSummary {
    const events = this.explorer.events();
    let reason: ExploreSummary["reason"] = "exhausted";
    let complete = false;
    this.post({ kind: "so-far", summary: this.summaryOf(this.explorer.statistics(), "aborted", false) });
    for (const event of events) {
      if (event.kind === "done") ({ reason, complete } = event);
      if (event.kind === "done" && this.isStopped && reason === "aborted") reason = "first-finding";
      this.take(event);
    }
    this.post({ kind: "ending" });
    this.release(null);
    return this.finish(reason, complete);
  }

  private take(event: EngineEvent): void {
    if (this.options.json) this.tell(eventJson(event, (input, objects) => this.explorer.valuesOf(input, objects)));
    switch (event.kind) {
      case "run-finished":
        this.release(null);
        this.addRun(event);
        this.tick();
        break;
      case "finding-confirmed":
        this.addFinding(event);
        break;
      case "finding-unconfirmed":
        this.addUnconfirmed(event.finding, this.explorer.valuesOf(event.input, event.objects));
        break;
      case "divergence":
        this.addDivergence(event);
        break;
      default:
        break;
    }
  }

  private addRun({ input, outcome, isPath, origin }: Extract<EngineEvent, { kind: "run-finished" }>): void {
    const coversNew = outcome.newBlocks.length > 0;
    if (isPath && outcome.end.kind === "unsupported") this.noteUnsupported(outcome.end.what);
    if (coversNew) this.lastNewMs = this.options.now();
    // A run that was set aside is no path yet; but nobody knows whether it will ever be one, and what it covered counts.
    const isAside = !isPath && coversNew && isSetAside(outcome.end);
    // A path that is known, entered by the other side of a joined branch; or an input that was tried out.
    const isSide = !isPath && coversNew && (origin === "guessed" || origin === "tried");
    if (!(isPath || isAside || isSide) || outcome.end.kind === "silent") return;
    const valuesOf = (): readonly InputValue[] => this.explorer.valuesOf(input, outcome.objects);
    // Run again after a kill: unless it was killed just then, it had its test before.
    if (origin === "journal" && !this.folder.isMissing(valuesOf(), coversNew)) return;
    const { end } = outcome;
    const isFinding = end.kind === "finding";
    if (!isFinding && !this.folder.wants(coversNew)) return;
    const path: PathRecord = {
      objects: valuesOf(),
      coversNew,
      finding: null,
      end: isFinding ? this.repeatedEnd(end.finding) : isAside ? SET_ASIDE : pathEnd(end),
      instructions: outcome.instructions,
      elapsedMs: this.options.now() - this.startedMs,
    };
    // Whether its finding is a new one, the next events tell.
    if (isFinding) this.held = path;
    else if (isPath && end.kind === "limit" && end.limit === "instructions") this.addCut(path);
    else this.folder.addPath(path);
    for (const finding of this.explorer.uninitialised?.(path.objects) ?? []) {
      const identity = this.explorer.identify(finding);
      if (!this.ledger.isReported(identity.id)) this.report(finding, identity, path.objects);
    }
  }

  private noteUnsupported(what: string): void {
    const { unsupported } = this;
    if (unsupported.size < MOST_UNSUPPORTED || unsupported.has(what)) {
      unsupported.set(what, (unsupported.get(what) ?? 0) + 1);
    }
  }

  /** Of a path that ends like one before: at the same place, but not necessarily in the same kind of error. */
  private repeatedEnd(finding: DetectedFinding): string {
    return `${LIKE}${this.kinds.get(placeOf(finding)) ?? finding.kind}`;
  }

  /** A path that used up its instructions does not get on, as far as one can tell: a finding, once per function. */
  private addCut(path: PathRecord): void {
    const answer = this.cutsAsked++ < MOST_CUTS_ASKED ? this.explorer.confirm(path.objects) : null;
    const finding = answer?.kind === "confirmed" && answer.finding.kind === "no-progress" ? answer.finding : null;
    const identity = finding === null ? null : this.explorer.identify(finding);
    if (finding === null || identity === null || this.ledger.isReported(identity.id)) {
      this.folder.addPath(path);
      return;
    }
    this.folder.addPath({ ...path, finding, end: finding.kind });
    this.report(finding, identity, path.objects);
  }

  private addFinding(event: Extract<EngineEvent, { kind: "finding-confirmed" }>): void {
    const { explorer } = this;
    const { input, smaller, outcome, finding: detected } = event;
    const valuesOf = (model: Model): readonly InputValue[] => explorer.valuesOf(model, outcome.objects);
    this.post({ kind: "seen", ...this.folder.asUnconfirmed(valuesOf(input)) });
    const { confirmation, witness } = confirmSmaller(
      (values) => explorer.confirm(values),
      (finding) => explorer.identify(finding).id,
      valuesOf(input),
      smaller === null ? null : valuesOf(smaller),
    );
    this.post({ kind: "judged" });
    if (confirmation.kind !== "confirmed") {
      if (confirmation.kind === "limit") this.addUnconfirmed(detected, valuesOf(input));
      else this.unconfirmed++;
      explorer.withdraw(detected);
      this.release(null);
      return;
    }
    this.seen.delete(placeOf(detected));
    const { finding } = confirmation;
    this.kinds.set(placeOf(detected), finding.kind);
    const identity = explorer.identify(finding);
    if (this.ledger.isReported(identity.id)) {
      this.release(null);
      return;
    }
    this.release(finding, witness);
    this.report(finding, identity, witness);
  }

  private addUnconfirmed(finding: DetectedFinding, values: readonly InputValue[]): void {
    const place = placeOf(finding);
    if (this.seen.has(place) || this.kinds.has(place)) return;
    this.seen.add(place);
    this.folder.addUnconfirmed(values);
  }

  /** A mistake of ours: what it takes to look into it is kept. */
  private addDivergence({ divergence, input, objects }: Extract<EngineEvent, { kind: "divergence" }>): void {
    const { position, reason, expectedSite, site } = divergence;
    const placeOf = (at: SiteId): string => (at === NO_SITE ? "none" : this.explorer.placeOfSite(at));
    this.folder.addDivergence(this.explorer.valuesOf(input, objects), [
      `reason: ${reason}`,
      `decision: ${position}`,
      `expected: ${placeOf(expectedSite)}`,
      `seen: ${placeOf(site)}`,
    ]);
  }

  private report(finding: Finding, own: FindingIdentity, values: readonly InputValue[]): void {
    const identity = this.causes.joined(finding.kind, own);
    this.ledger.reported(identity.id);
    if (finding.kind === this.options.stopAt) this.stop();
    if (this.folder.isKnown(identity)) return;
    const folder = this.folder.addFinding(finding, identity, values);
    const sameCause = this.groups.get(identity.group) ?? null;
    if (sameCause === null) this.groups.set(identity.group, folder);
    const user = userFrameOf(finding);
    const place =
      user === null ? "" : ` in ${user.functionName}${user.file === null ? "" : ` ${user.file}:${user.line}`}`;
    this.findings.push(`${finding.kind}${place}`);
    if (this.options.json)
      this.tell({ event: "finding", ...findingJson(finding, identity), folder, input: inputJson(values) });
    const witness = renderWitness(this.folder.testOf(values));
    this.post({ kind: "finding", finding, witness, folder, sameCause });
  }

  private stop(): void {
    this.isStopped = true;
    this.explorer.stop();
  }

  /** Writes the path that was held back, with the finding it turned out to end in. */
  private release(finding: Finding | null, witness: readonly InputValue[] | null = null): void {
    const { held } = this;
    this.held = null;
    if (held === null) return;
    if (finding === null && !this.folder.wants(held.coversNew)) return;
    const objects = witness ?? held.objects;
    this.folder.addPath({ ...held, objects, finding, end: finding?.kind ?? held.end });
  }

  private tick(): void {
    const now = this.options.now();
    if (now < this.nextStatusMs) return;
    this.nextStatusMs = now + STATUS_INTERVAL_MS;
    const statistics = this.explorer.statistics();
    this.sample(statistics);
    const status = this.statusOf(statistics, now);
    this.post({ kind: "status", status });
    if (now >= this.nextFilesMs) {
      this.nextFilesMs = now + FILES_INTERVAL_MS;
      this.tell({ event: "progress", ...status });
      const summary = this.summaryOf(statistics, "aborted", false);
      this.folder.update(statisticsJson(summary));
      this.post({ kind: "so-far", summary });
    }
    this.flushLines();
  }

  private sample(statistics: EngineStatistics): void {
    this.folder.addSample({
      elapsedMs: statistics.timeMs,
      coveredInstructions: this.explorer.coverage().coveredInstructions,
      coveredBlocks: statistics.coveredBlocks,
      paths: statistics.paths,
      pending: statistics.pending,
      // Those that were told: the engine takes back what a run of the same program does not show.
      findings: this.findings.length,
      solverMs: statistics.solver.timeMs,
    });
  }

  private statusOf(statistics: EngineStatistics, now: number): ExploreStatus {
    return {
      elapsedMs: statistics.timeMs,
      limitMs: this.options.limitMs,
      paths: statistics.paths,
      pathsPerSecond: statistics.pathsPerSecond,
      pending: statistics.pending,
      coveredBlocks: statistics.coveredBlocks,
      totalBlocks: this.explorer.coverage().totalBlocks,
      sinceNewMs: now - this.lastNewMs,
      solverShare: statistics.solverShare,
      unsatisfiableShare: statistics.unsatisfiableShare,
      instructions: statistics.instructions,
      memoryBytes: this.options.memoryBytes(),
      findings: this.findings,
      troubles: this.troublesOf(statistics),
    };
  }

  private troublesOf({ divergences, findingsNotReproduced, unknown, dropped }: EngineStatistics): string[] {
    const troubles: string[] = [];
    if (divergences > 0) troubles.push(`${count(divergences)} paths diverged from their prediction`);
    const unseen = findingsNotReproduced + this.unconfirmed;
    if (unseen > 0) troubles.push(`${count(unseen)} findings did not happen again`);
    if (unknown > 0) troubles.push(`${count(unknown)} times the solver gave up`);
    if (dropped > 0) troubles.push(`${count(dropped)} pending paths dropped for want of memory`);
    const failure = this.folder.files.failure ?? this.explorer.keepFailure();
    if (failure !== null) troubles.push(`the folder cannot be written: ${failure}`);
    return troubles;
  }

  private finish(reason: ExploreSummary["reason"], complete: boolean): ExploreSummary {
    const statistics = this.explorer.statistics();
    this.sample(statistics);
    this.folder.files.write("coverage.lcov", this.explorer.lcov());
    this.folder.update(statisticsJson(this.summaryOf(statistics, reason, complete)));
    this.folder.files.finish();
    const summary = this.summaryOf(statistics, reason, complete);
    this.tell({ event: "summary", ...statisticsJson(summary) });
    this.flushLines(true);
    this.post({ kind: "done", summary });
    return summary;
  }

  private summaryOf(statistics: EngineStatistics, reason: ExploreSummary["reason"], complete: boolean): ExploreSummary {
    const { files } = this.folder;
    const failures: string[] = [];
    if (files.waiting + files.lost > 0) failures.push(`${count(files.waiting + files.lost)} files (${files.failure})`);
    const keepFailure = this.explorer.keepFailure();
    if (keepFailure !== null) failures.push(`what --resume needs (${keepFailure})`);
    return {
      program: this.options.program,
      reason,
      complete,
      statistics,
      solver: this.explorer.solverStats(),
      coveredBlocks: statistics.coveredBlocks,
      totalBlocks: this.explorer.coverage().totalBlocks,
      testsWritten: this.folder.testsWritten,
      // Paths that were never offered have no test either.
      testsSkipped: Math.max(this.folder.testsSkipped, statistics.paths - this.folder.testsWritten),
      folder: files.folder,
      findings: this.folder.findingsWritten,
      unconfirmed: this.unconfirmed,
      seen: this.seen.size,
      unsupported: Object.fromEntries(this.unsupported),
      writeFailure: failures.length === 0 ? null : failures.join("; "),
    };
  }

  private tell(line: Record<string, unknown> | null): void {
    if (line === null || !this.options.json) return;
    const seconds = Math.round(this.options.now() - this.startedMs) / 1000;
    const text = `${JSON.stringify({ event: line.event, seconds, ...line })}\n`;
    this.lines.push(text);
    this.linesLength += text.length;
    if (this.linesLength > EVENTS_PORTION) this.flushLines();
  }

  private flushLines(all = false): void {
    if (this.lines.length === 0 || (!all && !this.options.json)) return;
    this.post({ kind: "events", text: this.lines.join("") });
    this.lines = [];
    this.linesLength = 0;
  }
}
