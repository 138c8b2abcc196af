// Turns the events of an amplification campaign into the value that every report is made from.

import type { Campaign } from "../campaign/campaign.js";
import type { CampaignEvent } from "../campaign/events.js";
import type { PlacedFinding } from "../campaign/found-once.js";
import { Causes } from "../findings/causes.js";
import type { BlobStore } from "../project/blob-store.js";
import type { Seed } from "../project/seed.js";
import {
  type AmplifyCampaignResult,
  RESULT_VERSION,
  type ResultFinding,
  type ResultSeed,
  resultFinding,
} from "../report/campaign-result.js";
import { version } from "../support/version.js";
import type { AmplifyResult, AmplifyWork } from "../techniques/amplify-item.js";
import { CampaignRecord, failureOfProgram } from "./campaign-record.js";

export type AmplifyEvent = CampaignEvent<AmplifyWork, AmplifyResult>;

/** How far it is, while it goes on. */
export interface AmplifyStatus {
  readonly elapsedMs: number;
  readonly distance: number;
  readonly seed: number;
  readonly seeds: number;
  readonly command: string;
  readonly checks: number;
  readonly paths: number;
  readonly findings: number;
}

export class AmplifyResults {
  private readonly record: CampaignRecord;
  private readonly seeds = new Map<string, ResultSeed>();
  /** Told once, not for each of their tests. */
  private readonly failedPrograms = new Set<string>();
  private readonly totals = {
    distance: 0,
    checks: 0,
    paths: 0,
    queries: 0,
    solverMs: 0,
    divergences: 0,
    unconfirmed: 0,
  };

  constructor(
    private readonly root: string,
    private readonly all: readonly Seed[],
    blobs: BlobStore,
    private readonly campaign: () => Campaign<AmplifyWork, AmplifyResult>,
  ) {
    this.record = new CampaignRecord(campaign);
    for (const seed of all) this.seeds.set(seed.id, seedResult(seed, blobs));
  }

  /** Gives what the user is to be told of the event, if anything; the results have it too. */
  take(event: AmplifyEvent): string | null {
    const note = this.noteOf(event);
    if (note !== null) this.note(note);
    return note;
  }

  note(text: string): void {
    this.record.note(text);
  }

  private noteOf(event: AmplifyEvent): string | null {
    switch (event.kind) {
      case "item-begins":
        this.totals.distance = Math.max(this.totals.distance, event.item.work.distance);
        return null;
      case "item-known":
        this.known(event.item.work);
        return null;
      case "item-ended":
        this.ended(event.item.work, event.report.result);
        if (!event.report.isComplete) this.count("tests at a distance that took all of their time (limit)", 1);
        return null;
      case "item-skipped": {
        const note = this.skipped(event.item.work.seed, event.why);
        return this.failedPrograms.has(event.item.program) ? null : note;
      }
      case "item-lost":
        return this.lost(event);
      case "item-event":
        return this.told(event);
      case "program-ready":
        this.record.programReady(event.program.content, event.description);
        return null;
      case "program-failed":
        this.failedPrograms.add(event.program.content);
        return failureOfProgram(event.program.name, event.message);
      case "note":
        return event.text;
      case "finding":
      case "program-progress":
        return null;
    }
  }

  status({ item, index, count }: Extract<AmplifyEvent, { readonly kind: "item-begins" }>): AmplifyStatus {
    const { checks, paths } = this.totals;
    return {
      elapsedMs: this.campaign().elapsedMs(),
      distance: item.work.distance,
      seed: index + 1,
      seeds: count,
      command: item.label,
      checks,
      paths,
      findings: this.campaign().found.count,
    };
  }

  result(reason: AmplifyCampaignResult["reason"], durationMs: number): AmplifyCampaignResult {
    const { found } = this.campaign();
    const { record } = this;
    this.count("failures that are the virtual machine's own doing", record.unreported);
    const causes = new Causes();
    return {
      version: RESULT_VERSION,
      technique: "amplify",
      tool: `tangent ${version()}`,
      project: this.root,
      startedAt: record.startedAt,
      durationMs: Math.round(durationMs),
      reason,
      totals: {
        seeds: this.all.length,
        invocations: this.all.reduce((sum, { recorded }) => sum + recorded.times, 0),
        ...this.totals,
        solverMs: Math.round(this.totals.solverMs),
      },
      findings: found.list().map((placed) => findingResult(placed, causes)),
      seeds: [...this.seeds.values()],
      files: record.files(),
      timeline: record.timeline,
      notExplored: record.notExplored,
      notes: record.notes,
    };
  }

  /** Done by an earlier campaign that this one goes on with. */
  private known({ seed, distance }: AmplifyWork): void {
    this.update(seed, (known) => ({ distance: Math.max(known.distance, distance) }));
    this.totals.distance = Math.max(this.totals.distance, distance);
  }

  private ended({ seed, distance }: AmplifyWork, result: AmplifyResult): void {
    const { statistics, checksAsked, checksSkipped, passedOver } = result;
    const { totals } = this;
    totals.checks += checksAsked;
    totals.paths += statistics.paths;
    totals.queries += statistics.solver.queries;
    totals.solverMs += statistics.solver.timeMs;
    totals.divergences += statistics.divergences;
    this.update(seed, (known) => ({
      distance,
      checks: known.checks + checksAsked,
      paths: known.paths + statistics.paths,
      milliseconds: known.milliseconds + Math.round(statistics.timeMs),
    }));
    this.count("checks left out: too costly, or asked before beyond the distance's bound", checksSkipped);
    this.count("paths beyond the distance's bound", passedOver);
    this.count("solver gave up", statistics.unknown);
    this.count("paths dropped for want of memory", statistics.dropped);
    for (const [loss, count] of Object.entries(statistics.losses)) this.count(`made concrete: ${loss}`, count);
    for (const [end, count] of Object.entries(statistics.ends)) {
      if (end === "limit" || end === "unsupported") this.count(`paths that ended in ${end}`, count ?? 0);
    }
    this.record.pass();
  }

  private told({ item, event }: Extract<AmplifyEvent, { readonly kind: "item-event" }>): string | null {
    switch (event.kind) {
      case "covered":
        this.record.covered(item.program, event.coverage, event.byTests);
        return null;
      case "unconfirmed":
        this.totals.unconfirmed++;
        return null;
      case "machine-made":
        return this.record.metMachineMade(event.id, item.label, event.why);
      case "note":
        return event.text;
      case "own":
        return null;
    }
  }

  private lost({ item, why, message }: Extract<AmplifyEvent, { readonly kind: "item-lost" }>): string {
    const place = `${item.label} at distance ${item.work.distance}`;
    if (why === "overdue") {
      this.count("tests at a distance that did not end by themselves and were terminated (limit)", 1);
      return `${place}: it did not end in its time, and was terminated; the campaign goes on without it`;
    }
    this.count("tests at a distance that were lost because of an error of tangent's own", 1);
    return `${place}: lost because of an error of tangent's own: ${message.split("\n", 1)[0]}`;
  }

  private skipped(seed: Seed, why: string): string | null {
    if (this.seeds.get(seed.id)?.skipped !== null) return null;
    this.update(seed, () => ({ skipped: why }));
    return `${seed.arguments.join(" ")}: ${why}`;
  }

  private update(seed: Seed, change: (known: ResultSeed) => Partial<ResultSeed>): void {
    const known = this.seeds.get(seed.id);
    if (known !== undefined) this.seeds.set(seed.id, { ...known, ...change(known) });
  }

  private count(reason: string, count: number): void {
    this.record.count(reason, count);
  }
}

export function findingResult({ found, item, atMs }: PlacedFinding, causes: Causes): ResultFinding {
  const { seed, distance } = item.work as AmplifyWork;
  return resultFinding({
    ...found,
    identity: causes.joined(found.finding.kind, found.identity),
    distance,
    atMs,
    program: seed.program,
    seedId: seed.id,
    seedCommand: seed.arguments,
    workingDirectory: seed.workingDirectory,
  });
}

function seedResult(seed: Seed, blobs: BlobStore): ResultSeed {
  return {
    id: seed.id,
    program: seed.program,
    command: seed.arguments,
    stdinBytes: seed.stdin.kind === "bytes" ? (blobs.get(seed.stdin.content)?.length ?? 0) : null,
    files: seed.files.filter(({ content }) => content !== null).map(({ path }) => path),
    end:
      seed.end.kind === "exit"
        ? `exit ${seed.end.code}`
        : seed.end.kind === "signal"
          ? `signal ${seed.end.signal}`
          : "unknown",
    distance: -1,
    checks: 0,
    paths: 0,
    milliseconds: 0,
    skipped: null,
  };
}
