// A composition campaign as commands start one: the technique, its threads, a journal of its own, Ctrl-C, and the results. Whoever watches
// gets a few kinds of messages.

import { Campaign } from "../campaign/campaign.js";
import type { ProgramPlace } from "../campaign/work-messages.js";
import { Causes } from "../findings/causes.js";
import { cacheDirectory } from "../frontend/cache.js";
import { BlobStore } from "../project/blob-store.js";
import { type FindingsJournal, forgetFindings } from "../project/earlier-findings.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import type { ComposeCampaignResult } from "../report/compose-result.js";
import { onStopSignal } from "../support/stop-signal.js";
import { type ComposePlan, ComposeTechnique, DEFAULT_COMPOSE_PLAN } from "../techniques/compose/compose-technique.js";
import {
  type ComposedFinding,
  type ComposeItemResult,
  type ComposeWork,
  NO_TIME_LEFT,
} from "../techniques/compose/compose-work.js";
import {
  type CampaignMessage,
  keepForNextTime,
  loadingMessage,
  ToldEarlier,
  workMessage,
} from "./campaign-messages.js";
import { type ComposeEvent, ComposeResults, composedIn, composeFinding, isMadeSeed } from "./compose-results.js";
import { LoadTally } from "./load-tally.js";
import { type MadeOf, madeOfTest } from "./made-of-test.js";

export interface ComposeCampaignOptions {
  readonly folder: ProjectFolder;
  readonly seeds: readonly Seed[];
  readonly programs: readonly ProgramPlace[];
  readonly env: NodeJS.ProcessEnv;
  readonly plan?: Partial<ComposePlan>;
  readonly budgetMs: number;
  /** See CampaignOptions. */
  readonly beganMs: number;
  readonly workers: number;
  readonly again: boolean;
}

export type ComposeMessage =
  | {
      readonly kind: "progress";
      readonly elapsedMs: number;
      /** "profiling the tests", "functions 123 of 900", "lifting". */
      readonly phase: string;
      /** Failing lines of functions so far, and those that whole inputs show. */
      readonly targets: number;
      readonly lifted: number;
      readonly findings: number;
      /** What is worked at: a function, or a test's command. */
      readonly at: string;
    }
  /** Comes with a finding: how the program gets there. */
  | { readonly kind: "composed"; readonly composed: ComposedFinding }
  | CampaignMessage;

export interface EndedComposition {
  /** Null if nothing could be done, which has been told. */
  readonly result: ComposeCampaignResult | null;
  /** Items that an earlier campaign had done. */
  readonly known: number;
  /** Nothing of an earlier campaign stands. */
  readonly isBegunAnew: boolean;
}

export const COMPOSE_FINDINGS: FindingsJournal = "compose-findings.journal";
/** Items keep their own time (ComposeWork); this is for those that are given more, later. */
const LEAST_ITEM_MS = 30_000;
/** As often as a function's time in the first round. */
const LATER_ROUNDS = 10;

export async function runComposeCampaign(
  options: ComposeCampaignOptions,
  listen: (message: ComposeMessage) => void,
): Promise<EndedComposition> {
  const { folder, seeds, programs, env, budgetMs, workers, again } = options;
  const plan: ComposePlan = { ...DEFAULT_COMPOSE_PLAN, ...options.plan, budgetMs, workers };
  const blobs = new BlobStore(folder);
  const made = new SeedStore(folder, "made");
  const technique = new ComposeTechnique(seeds, programs, plan, (content) => blobs.sizeOf(content));
  const causes = new Causes();
  const loaded = new LoadTally();
  /** Something was left for the next time, because the time was almost up. */
  let isCut = false;
  const told = new Set<string>();
  const madeOf: MadeOf = (made) => madeOfTest(made, seeds, (content) => blobs.get(content));
  const results = new ComposeResults({
    root: folder.root,
    technique,
    campaign: () => campaign,
    madeOf,
    programNames: new Map(programs.map(({ content, name }) => [content, name])),
  });
  const take = (event: ComposeEvent): void => {
    loaded.take(event);
    const note = results.take(event);
    if (note !== null) listen({ kind: "note", text: note });
    const loading = loadingMessage(event);
    if (loading !== null) listen(loading);
    const work = workMessage(event, results);
    if (work !== null) listen(work);
    if (event.kind === "item-begins") listen(progressOf(event.item.label));
    else if (event.kind === "item-ended") isCut ||= !event.report.isComplete;
    else if (event.kind === "item-skipped") isCut ||= event.why === NO_TIME_LEFT;
    else if (event.kind === "item-event" && event.event.kind === "own") {
      const composed = composedIn(event.event.value);
      // Several items may come to the same finding, by chains of different lengths.
      if (composed !== null && !told.has(composed.finding)) listen({ kind: "composed", composed });
      if (composed !== null) told.add(composed.finding);
    } else if (event.kind === "finding") {
      const found = composeFinding(event.placed, causes, madeOf);
      keepMade(folder, event.placed.item.work as ComposeWork);
      const finding = event.placed.found.finding;
      const isEarlier = earlier.has(found);
      // What is kept may know less of the way to it than what was found now.
      const text = keepForNextTime({ folder, journal: COMPOSE_FINDINGS }, campaign, event.placed.item.key, found);
      if (text !== null) {
        results.note(text);
        listen({ kind: "note", text });
      }
      listen({ kind: "finding", found, finding, isEarlier });
    }
  };
  const progressOf = (at: string): ComposeMessage => {
    const { targets, lifted } = technique.failingLines();
    const { count: findings } = campaign.found;
    return {
      ...{ kind: "progress", elapsedMs: campaign.elapsedMs(), phase: technique.phase() },
      ...{ targets, lifted, findings, at },
    };
  };
  const campaign: Campaign<ComposeWork, ComposeItemResult> = new Campaign(
    {
      technique,
      programs,
      script: new URL("./campaign-worker.js", import.meta.url),
      setup: {
        technique: technique.name,
        setup: technique.setup(folder.root, cacheDirectory(env)),
        env: { ...env },
        startable: programs.map(({ name, path }) => ({ name, path })),
      },
      journalPath: folder.file("compose.journal"),
      listen: take,
    },
    { budgetMs, itemMs: Math.max(LEAST_ITEM_MS, plan.unitMs * LATER_ROUNDS), workers, again, beganMs: options.beganMs },
  );
  const { isBegunAnew } = campaign.journal;
  if (isBegunAnew) forgetFindings(folder, COMPOSE_FINDINGS);
  const earlier = new ToldEarlier(folder, COMPOSE_FINDINGS, again ? [] : [...seeds, ...made.list()]);
  const removeListeners = onStopSignal(() => campaign.stop());
  const end = await campaign.run().finally(removeListeners);
  // Of two witnesses of one finding the first in the order of the work stands, which may have been told second, or not at all.
  for (const { item } of campaign.found.list()) keepMade(folder, item.work as ComposeWork);
  const { known } = end;
  const reason = end.reason === "complete" && isCut ? "time" : end.reason;
  const why = loaded.noneOf(programs.length);
  if (why !== null || reason === "failed") {
    const message =
      why === null ? end.message : `none of the tests' programs could be loaded (${why}); record the tests again`;
    listen({ kind: "failed", message });
    return { result: null, known, isBegunAnew };
  }
  for (const name of unknownFunctions(plan.functions, technique)) {
    results.note(`${name}: there is no such function in the programs under test`);
  }
  return { result: results.result(reason, end.durationMs), known, isBegunAnew };
}

/** A finding of an input that was made is shown and replayed from it as from a recorded test. */
function keepMade(folder: ProjectFolder, work: ComposeWork): void {
  if (!isMadeSeed(work)) return;
  try {
    new SeedStore(folder, "made").add(work.seed);
  } catch {
    // The finding's own witness has all bytes; only the test it came from is not at hand.
  }
}

/** Those that somebody named and no program has; none as long as no function is known. */
function unknownFunctions(names: readonly string[], technique: ComposeTechnique): readonly string[] {
  const known = new Set(technique.functions().map(({ name }) => name));
  return known.size === 0 ? [] : names.filter((name) => !known.has(name));
}
