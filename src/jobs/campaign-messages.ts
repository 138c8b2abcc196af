// What every campaign tells whoever watches it, whichever the technique, and how a finding is kept as soon as it is there.

import type { Campaign } from "../campaign/campaign.js";
import type { CampaignEvent } from "../campaign/events.js";
import type { ProgramPlace } from "../campaign/work-messages.js";
import type { Finding } from "../findings/finding.js";
import type { LoadProgress } from "../program/warm.js";
import { type FindingsJournal, keepFinding } from "../project/earlier-findings.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { ResultFinding } from "../report/campaign-result.js";

export type CampaignMessage =
  | { readonly kind: "loading"; readonly program: ProgramPlace; readonly progress: LoadProgress }
  | { readonly kind: "loaded" }
  | { readonly kind: "finding"; readonly found: ResultFinding; readonly finding: Finding }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "failed"; readonly message: string };

/** What an event says of the loading of programs, if it does. */
export function loadingMessage(event: CampaignEvent<unknown, unknown>): CampaignMessage | null {
  if (event.kind === "program-ready") return { kind: "loaded" };
  if (event.kind !== "program-progress") return null;
  return { kind: "loading", program: event.program, progress: event.progress };
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
