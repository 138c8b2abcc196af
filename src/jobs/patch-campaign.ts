// A patch-testing campaign as commands start one: the technique, its threads, a journal of its own, Ctrl-C, and the results. Whoever
// watches gets a few kinds of messages.

import { Campaign } from "../campaign/campaign.js";
import type { ProgramPlace } from "../campaign/work-messages.js";
import { Causes } from "../findings/causes.js";
import type { Finding } from "../findings/finding.js";
import type { LoadProgress } from "../program/warm.js";
import { BlobStore } from "../project/blob-store.js";
import { seedOfInvocation } from "../project/made-seed.js";
import type { Changes } from "../project/patch/changes.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import type { ResultFinding } from "../report/campaign-result.js";
import type { PatchCampaignResult } from "../report/patch-result.js";
import { onStopSignal } from "../support/stop-signal.js";
import type { ReachResult, ReachWork } from "../techniques/reach/reach-item.js";
import type { ReachInput } from "../techniques/reach/reach-pool.js";
import { DEFAULT_REACH_PLAN, type ReachPlan, ReachTechnique } from "../techniques/reach/reach-technique.js";
import type { Wanted } from "../techniques/reach/targets.js";
import { addedLines, type PatchEvent, PatchResults, patchFinding } from "./patch-results.js";

export interface PatchCampaignOptions {
  readonly folder: ProjectFolder;
  readonly seeds: readonly Seed[];
  readonly programs: readonly ProgramPlace[];
  /** The same programs before the patch, by the names of the new ones; empty: nothing is compared. */
  readonly oldPrograms: readonly { readonly name: string; readonly path: string }[];
  /** What is wanted: what a patch changes, or places that the user named. */
  readonly changes: Changes | null;
  readonly places: readonly Wanted[];
  readonly env: NodeJS.ProcessEnv;
  readonly budgetMs?: number;
  readonly plan?: Partial<Omit<ReachPlan, "wanted">>;
  readonly workers?: number;
  readonly again: boolean;
}

/** How far it is, while it goes on. */
export interface PatchStatus {
  readonly elapsedMs: number;
  readonly doing: ReachWork["kind"];
  readonly label: string;
  readonly targets: number;
  readonly covered: number;
  readonly reached: number;
  readonly findings: number;
}

export type PatchMessage =
  | { readonly kind: "status"; readonly status: PatchStatus }
  | { readonly kind: "loading"; readonly program: ProgramPlace; readonly progress: LoadProgress }
  | { readonly kind: "loaded" }
  | {
      readonly kind: "reached";
      readonly target: string;
      readonly command: readonly string[];
      readonly steps: readonly string[];
    }
  | { readonly kind: "finding"; readonly found: ResultFinding; readonly finding: Finding }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "failed"; readonly message: string };

/** Of the whole time, what searches may take: the rest is for amplifying and comparing. */
const SEARCH_SHARE = 0.7;
const DEFAULT_BUDGET_MS = 5 * 60_000;

export async function runPatchCampaign(
  options: PatchCampaignOptions,
  listen: (message: PatchMessage) => void,
): Promise<{ readonly result: PatchCampaignResult | null }> {
  const { folder, seeds, programs, env, changes } = options;
  const budgetMs = options.budgetMs ?? DEFAULT_BUDGET_MS;
  const workers = options.workers ?? 1;
  const wanted = changes === null ? options.places : wantedOf(changes);
  const kept = new KeptInputs(folder, seeds);
  const plan = { ...DEFAULT_REACH_PLAN, searchMs: budgetMs * SEARCH_SHARE, workers, ...options.plan, wanted };
  const technique = new ReachTechnique(seeds, plan, (input, program) => kept.keep(input, program));
  const causes = new Causes();
  let failed = 0;
  const told = new Set<string>();
  const programNames = new Map(programs.map(({ content, name }) => [content, name]));
  const results: PatchResults = new PatchResults({
    root: folder.root,
    seeds,
    changes,
    technique,
    campaign: () => campaign,
    programNames,
  });
  const take = (event: PatchEvent): void => {
    const note = results.take(event);
    if (note !== null) listen({ kind: "note", text: note });
    if (event.kind === "item-begins") listen({ kind: "status", status: statusOf(event) });
    else if (event.kind === "program-progress") {
      listen({ kind: "loading", program: event.program, progress: event.progress });
    } else if (event.kind === "program-ready") listen({ kind: "loaded" });
    else if (event.kind === "program-failed") failed++;
    else if (event.kind === "finding") {
      listen({ kind: "finding", found: patchFinding(event.placed, causes), finding: event.placed.found.finding });
    } else if (event.kind === "item-ended" && event.report.result.kind === "search") {
      for (const { target, input } of event.report.result.reached) {
        if (told.has(target)) continue;
        told.add(target);
        const { program, arguments: words } = input.invocation;
        const command = [program, ...words.map((bytes) => Buffer.from(bytes).toString("latin1"))];
        listen({ kind: "reached", target, command, steps: input.steps });
      }
    }
  };
  const statusOf = ({ item }: Extract<PatchEvent, { readonly kind: "item-begins" }>): PatchStatus => {
    const records = [...technique.records.values()];
    return {
      elapsedMs: campaign.elapsedMs(),
      doing: item.work.kind,
      label: item.label,
      targets: records.length,
      covered: records.filter(({ coveredBy }) => coveredBy !== null).length,
      reached: records.filter(({ coveredBy, reached }) => coveredBy === null && reached !== null).length,
      findings: campaign.found.count,
    };
  };
  const campaign: Campaign<ReachWork, ReachResult> = new Campaign(
    {
      technique,
      programs,
      script: new URL("./campaign-worker.js", import.meta.url),
      setup: { technique: technique.name, setup: technique.setup(folder.root), env: { ...env } },
      journalPath: folder.file("patch.journal"),
      listen: take,
    },
    { budgetMs, itemMs: Math.max(30_000, plan.targetMs), workers, again: options.again },
  );
  const removeListeners = onStopSignal(() => campaign.stop());
  const end = await campaign.run().finally(removeListeners);
  const hasNoProgram = failed > 0 && failed === programs.length;
  if (hasNoProgram || end.reason === "failed") {
    const message = hasNoProgram ? "none of the programs could be loaded; build and record again" : end.message;
    listen({ kind: "failed", message });
    return { result: null };
  }
  return { result: results.result(end.reason, end.durationMs) };
}

/** Inputs that were made are seeds from now on. */
class KeptInputs {
  private readonly blobs: BlobStore;
  private readonly store: SeedStore;
  private readonly byProgram: ReadonlyMap<string, Seed>;

  constructor(folder: ProjectFolder, seeds: readonly Seed[]) {
    this.blobs = new BlobStore(folder);
    this.store = new SeedStore(folder, "made");
    this.byProgram = new Map(seeds.map((seed) => [seed.programContent, seed]));
  }

  keep({ invocation }: ReachInput, program: string): Seed | null {
    const like = this.byProgram.get(program);
    if (like === undefined) return null;
    try {
      const seed = seedOfInvocation(invocation, like, this.blobs);
      this.store.add(seed);
      return seed;
    } catch {
      return null;
    }
  }
}

/** Only what a C compiler reads: lines of other files are in no program. */
const SOURCE = /\.(c|h|y|l|inc|def|re|gperf|in|cc|tab)$/i;

function wantedOf(changes: Changes): Wanted[] {
  return changes.files.flatMap((file) => {
    const lines = file.newPath !== null && SOURCE.test(file.newPath) ? addedLines(file) : [];
    return file.newPath === null || lines.length === 0 ? [] : [{ file: file.newPath, lines }];
  });
}
