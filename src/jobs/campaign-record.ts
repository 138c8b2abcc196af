// What every campaign's results hold, whichever the technique: lines covered, the curve over time, what was left out and how
// often, and what the user was told.

import type { Campaign } from "../campaign/campaign.js";
import { type CoverageMap, FileCoverage } from "../report/file-coverage.js";

interface TimelinePoint {
  readonly ms: number;
  readonly blocks: number;
  readonly findings: number;
}

/** A suite may have lost a file that each of its thousands of tests reads. */
const MOST_NOTES = 1000;

export class CampaignRecord {
  readonly startedAt = new Date().toISOString();
  readonly timeline: TimelinePoint[] = [];
  /** How often, by reason. */
  readonly notExplored: Record<string, number> = {};
  readonly notes: string[] = [];
  /** Inputs of failures that there was no time to confirm. */
  readonly seen = new Set<string>();
  private readonly coverage = new Map<string, FileCoverage>();
  /** What would have been findings, by their ids. */
  private readonly machineMade = new Set<string>();

  constructor(private readonly campaign: () => Pick<Campaign<unknown, unknown>, "elapsedMs" | "found">) {}

  note(text: string): void {
    if (this.notes.length < MOST_NOTES) this.notes.push(text);
  }

  count(reason: string, count: number): void {
    if (count > 0) this.notExplored[reason] = (this.notExplored[reason] ?? 0) + count;
  }

  programReady(content: string, description: unknown): void {
    // A program that is ready a second time has covered what it has.
    if (!this.coverage.has(content)) this.coverage.set(content, new FileCoverage(description as CoverageMap));
  }

  covered(content: string, blocks: Uint8Array, byTests: boolean): void {
    this.coverage.get(content)?.add(blocks, byTests);
  }

  /** Of some programs, or of all. */
  files(contents: ReadonlySet<string> | null = null): ReturnType<typeof FileCoverage.merged> {
    const wanted = [...this.coverage].filter(([content]) => contents?.has(content) ?? true);
    return FileCoverage.merged(wanted.map(([, coverage]) => coverage));
  }

  /** Gives what is to be told of it: only the first of its kind. */
  metMachineMade(id: string, place: string, why: string): string | null {
    const isFirst = !this.machineMade.has(id) && !this.campaign().found.has(id);
    this.machineMade.add(id);
    return isFirst ? `not reported: ${place}: ${why}` : null;
  }

  /** Those that no finding explains. */
  get unreported(): number {
    const { found } = this.campaign();
    return [...this.machineMade].filter((id) => !found.has(id)).length;
  }

  /** Something has ended: the curve goes on. */
  pass(): void {
    let blocks = 0;
    for (const coverage of this.coverage.values()) blocks += coverage.blocks;
    const campaign = this.campaign();
    this.timeline.push({ ms: Math.round(campaign.elapsedMs()), blocks, findings: campaign.found.count });
  }
}

/** Most messages begin with the program already. */
export function failureOfProgram(name: string, message: string): string {
  return message.startsWith(name) ? message : `${name}: ${message}`;
}
