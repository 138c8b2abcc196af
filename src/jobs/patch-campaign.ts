// A patch testing campaign as commands start one. NOT YET: this module has only the interface that src/cli/patch.ts and src/cli/reach.ts
// are written against; the campaign itself comes with the integration.

import type { ProgramPlace } from "../campaign/work-messages.js";
import type { Finding } from "../findings/finding.js";
import type { LoadProgress } from "../program/warm.js";
import type { Changes } from "../project/patch/changes.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import type { ResultFinding } from "../report/campaign-result.js";
import type { PatchCampaignResult } from "../report/patch-result.js";

/** Parts that can be left out, to see what they are good for. */
export const PATCH_PARTS = ["regeneration", "definitions", "moves", "preconditions", "points-to"] as const;

export interface PatchCampaignOptions {
  readonly folder: ProjectFolder;
  readonly seeds: readonly Seed[];
  readonly programs: readonly ProgramPlace[];
  /** The same programs of the old version, by the names of `programs`; empty: nothing to compare with. */
  readonly oldPrograms: readonly { readonly name: string; readonly path: string }[];
  /** Null: the places and functions are the targets. */
  readonly changes: Changes | null;
  readonly places: readonly { readonly file: string; readonly line: number }[];
  readonly functions: readonly string[];
  /** Debugging information of both versions names files below this folder; `changes` and `places` are relative to it. */
  readonly sourceRoot: string;
  readonly env: NodeJS.ProcessEnv;
  readonly budgetMs: number;
  readonly targetMs: number;
  readonly workers: number;
  /** Of PATCH_PARTS. */
  readonly without: readonly string[];
  readonly again: boolean;
}

export type PatchMessage =
  | {
      readonly kind: "progress";
      readonly elapsedMs: number;
      /** Targets that are done, of so many; reached ones among them. */
      readonly done: number;
      readonly targets: number;
      readonly reached: number;
      readonly findings: number;
      /** What is worked at: `src/diff.c:410`. */
      readonly at: string;
    }
  | { readonly kind: "loading"; readonly program: ProgramPlace; readonly progress: LoadProgress }
  | { readonly kind: "loaded" }
  | { readonly kind: "finding"; readonly found: ResultFinding; readonly finding: Finding }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "failed"; readonly message: string };

export interface EndedPatchCampaign {
  /** Null if nothing could be done, which has been told. */
  readonly result: PatchCampaignResult | null;
}

export async function runPatchCampaign(
  _options: PatchCampaignOptions,
  _listen: (message: PatchMessage) => void,
): Promise<EndedPatchCampaign> {
  throw new Error("not yet: src/jobs/patch-campaign.ts has no campaign in this version");
}
