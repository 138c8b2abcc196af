// Everything a campaign says while it goes on, as one closed union. Views and results listen to it.

import type { LoadProgress } from "../program/warm.js";
import type { PlacedFinding } from "./found-once.js";
import type { ItemEvent, ItemReport, WorkItem } from "./technique.js";
import type { ProgramPlace } from "./work-messages.js";

/** complete: nothing more to do; failed: no thread could do anything. */
export type CampaignReason = "complete" | "time" | "aborted" | "failed";

export type CampaignEvent<Work, Result> =
  | {
      readonly kind: "item-begins";
      readonly item: WorkItem<Work>;
      readonly round: number;
      /** How many of the round's items have begun before it. */
      readonly index: number;
      readonly count: number;
    }
  /** An earlier campaign has done it, and this is what its technique recalls of it. */
  | { readonly kind: "item-known"; readonly item: WorkItem<Work>; readonly memory?: unknown }
  /** In the order of the items: told when those before it have ended too. */
  | { readonly kind: "item-ended"; readonly item: WorkItem<Work>; readonly report: ItemReport<Result> }
  | { readonly kind: "item-skipped"; readonly item: WorkItem<Work>; readonly why: string }
  /** overdue: it did not end and its thread was terminated; died: it threw, or its thread ran out of memory. */
  | {
      readonly kind: "item-lost";
      readonly item: WorkItem<Work>;
      readonly why: "overdue" | "died";
      readonly message: string;
    }
  /** It was at it when the campaign was stopped, and did not come to an end. */
  | { readonly kind: "item-cut"; readonly item: WorkItem<Work> }
  | {
      readonly kind: "item-event";
      readonly item: WorkItem<Work>;
      readonly event: Exclude<ItemEvent, { readonly kind: "finding" }>;
    }
  /** The first time that it was found; `FoundOnce` has the one that stands. */
  | { readonly kind: "finding"; readonly placed: PlacedFinding }
  | { readonly kind: "program-progress"; readonly program: ProgramPlace; readonly progress: LoadProgress }
  | { readonly kind: "program-ready"; readonly program: ProgramPlace; readonly description: unknown }
  | { readonly kind: "program-failed"; readonly program: ProgramPlace; readonly message: string }
  | { readonly kind: "note"; readonly text: string };
