// What every campaign tells whoever watches it, whichever the technique, and how a finding is kept as soon as it is there.

import type { Campaign } from "../campaign/campaign.js";
import type { CampaignEvent } from "../campaign/events.js";
import type { ProgramPlace } from "../campaign/work-messages.js";
import type { Finding } from "../findings/finding.js";
import type { LoadProgress } from "../program/warm.js";
import { earlierFindings, type FindingsJournal, keepFinding } from "../project/earlier-findings.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { isResultFinding } from "../report/result-shape.js";

export type CampaignMessage =
  | { readonly kind: "loading"; readonly program: ProgramPlace; readonly progress: LoadProgress }
  | { readonly kind: "loaded" }
  /** `isEarlier`: the campaign that this one goes on with has told it; `found` is what it told. */
  | { readonly kind: "finding"; readonly found: ResultFinding; readonly finding: Finding; readonly isEarlier?: boolean }
  | { readonly kind: "note"; readonly text: string }
  | WorkDone
  | { readonly kind: "failed"; readonly message: string };

/** What a campaign has come to so far; null where a technique does not count such things. */
export interface SoFar {
  readonly elapsedMs: number;
  readonly checks: number | null;
  readonly paths: number;
  /** Blocks of code that were reached. */
  readonly blocks: number;
  /** How often something was left out, by reason. */
  readonly notExplored: Readonly<Record<string, number>>;
}

/** One item of work. known: an earlier campaign has done it; lost: it did not end, or died. */
export interface WorkDone {
  readonly kind: "work";
  readonly what: "begins" | "ended" | "known" | "skipped" | "lost";
  readonly key: string;
  /** Its program's content. */
  readonly program: string;
  readonly label: string;
  readonly soFar: SoFar;
}

const WORK = {
  "item-begins": "begins",
  "item-ended": "ended",
  "item-known": "known",
  "item-skipped": "skipped",
  "item-lost": "lost",
} as const;

/** What an event says of an item's beginning or end, if it does; told after the results have taken it. */
export function workMessage(
  event: CampaignEvent<unknown, unknown>,
  results: { readonly soFar: SoFar },
): WorkDone | null {
  switch (event.kind) {
    case "item-begins":
    case "item-ended":
    case "item-known":
    case "item-skipped":
    case "item-lost": {
      const { key, program, label } = event.item;
      return { kind: "work", what: WORK[event.kind], key, program, label, soFar: results.soFar };
    }
    default:
      return null;
  }
}

/** What an event says of the loading of programs, if it does. */
export function loadingMessage(event: CampaignEvent<unknown, unknown>): CampaignMessage | null {
  if (event.kind === "program-ready") return { kind: "loaded" };
  if (event.kind !== "program-progress") return null;
  return { kind: "loading", program: event.program, progress: event.progress };
}

/** What earlier campaigns with these tests have told, by id: it is not new, wherever it is found again. */
export class ToldEarlier {
  private readonly findings: ReadonlyMap<string, ResultFinding>;

  constructor(folder: ProjectFolder, journal: FindingsJournal, seeds: readonly Seed[]) {
    const earlier = earlierFindings(folder, journal, seeds, [], isResultFinding);
    this.findings = new Map(earlier.map((finding) => [finding.id, finding]));
  }

  has({ id }: ResultFinding): boolean {
    return this.findings.has(id);
  }

  /** As it was told. */
  asTold(found: ResultFinding): ResultFinding {
    return this.findings.get(found.id) ?? found;
  }
}

/** Before its item is marked as done. Gives a note if the disk refused it: then the item is done again next time. */
export function keepForNextTime(
  { folder, journal }: { readonly folder: ProjectFolder; readonly journal: FindingsJournal },
  campaign: Pick<Campaign<unknown, unknown>, "doAgainNextTime">,
  key: string,
  found: ResultFinding,
): string | null {
  if (keepFinding(folder, journal, found)) return null;
  campaign.doAgainNextTime(key);
  return `${found.id} could not be written down: the next campaign looks for it again`;
}
