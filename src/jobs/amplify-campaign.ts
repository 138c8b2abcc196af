// An amplification campaign as commands start one: the technique, its threads, the journal in the project's folder, Ctrl-C, and
// the results. Whoever watches gets a few kinds of messages.

import { Campaign } from "../campaign/campaign.js";
import type { Crew } from "../campaign/crew.js";
import type { ProgramPlace } from "../campaign/work-messages.js";
import { Causes } from "../findings/causes.js";
import { BlobStore } from "../project/blob-store.js";
import { type FindingsJournal, forgetFindings } from "../project/earlier-findings.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import type { AmplifyCampaignResult, ResultFinding } from "../report/campaign-result.js";
import { onStopSignal } from "../support/stop-signal.js";
import type { AmplifyResult, AmplifyWork } from "../techniques/amplify-item.js";
import { type AmplifyPlan, AmplifyTechnique, DEFAULT_AMPLIFY_PLAN } from "../techniques/amplify-technique.js";
import type { MovedInput } from "../techniques/moved/moved-input.js";
import type { MadeSeeds } from "../techniques/moved/moved-plan.js";
import { type AmplifyEvent, AmplifyResults, type AmplifyStatus, findingResult } from "./amplify-results.js";
import {
  type CampaignMessage,
  keepForNextTime,
  loadingMessage,
  ToldEarlier,
  workMessage,
} from "./campaign-messages.js";
import { LoadTally } from "./load-tally.js";

export interface AmplifyCampaignOptions {
  readonly folder: ProjectFolder;
  readonly seeds: readonly Seed[];
  readonly programs: readonly ProgramPlace[];
  readonly env: NodeJS.ProcessEnv;
  readonly plan?: Partial<AmplifyPlan>;
  readonly budgetMs?: number;
  readonly itemMs?: number;
  readonly workers?: number;
  /** Who does the items; that many threads, if nobody is named. */
  readonly crew?: Crew;
  readonly again: boolean;
  /** See CampaignOptions. */
  readonly beganMs: number;
  /** Told of inputs that were made of a test and kept. */
  readonly onMade?: (made: Seed, from: Seed) => void;
  /** Stops when this says so, asked after each finding. */
  readonly until: (findings: readonly ResultFinding[]) => boolean;
}

export type AmplifyMessage = { readonly kind: "status"; readonly status: AmplifyStatus } | CampaignMessage;

export const AMPLIFY_FINDINGS: FindingsJournal = "findings.journal";

export interface EndedAmplification {
  /** Null if nothing could be done, which has been told. */
  readonly result: AmplifyCampaignResult | null;
  /** Items that an earlier campaign had done. */
  readonly known: number;
  /** Nothing of an earlier campaign stands. */
  readonly isBegunAnew: boolean;
}

/** Of the time, what runs of inputs that moves make may take. */
const MOVES_SHARE = 0.1;

/** Inputs that grew are seeds from now on. */
class MovedSeeds implements MadeSeeds {
  private readonly store: SeedStore;
  private readonly byId: ReadonlyMap<string, Seed>;
  private known: ReadonlyMap<string, Seed> | null = null;

  constructor(
    folder: ProjectFolder,
    seeds: readonly Seed[],
    private readonly onMade: (made: Seed, from: Seed) => void,
  ) {
    this.store = new SeedStore(folder, "made");
    this.byId = new Map(seeds.map((seed) => [seed.id, seed]));
  }

  keep({ seed, from }: MovedInput): boolean {
    try {
      this.store.add(seed);
    } catch {
      return false;
    }
    const base = this.byId.get(from);
    if (base !== undefined) this.onMade(seed, base);
    return true;
  }

  find(id: string): Seed | null {
    this.known ??= new Map(this.store.list().map((seed) => [seed.id, seed]));
    return this.known.get(id) ?? null;
  }
}

export async function runAmplifyCampaign(
  options: AmplifyCampaignOptions,
  listen: (message: AmplifyMessage) => void,
): Promise<EndedAmplification> {
  const { folder, seeds, programs, env, until } = options;
  const blobs = new BlobStore(folder);
  const moveMs = options.budgetMs === undefined ? {} : { moveMs: Math.round(options.budgetMs * MOVES_SHARE) };
  const plan = { ...DEFAULT_AMPLIFY_PLAN, ...moveMs, ...options.plan };
  const made = new MovedSeeds(folder, seeds, (seed, from) => options.onMade?.(seed, from));
  const technique = new AmplifyTechnique(seeds, plan, (content) => blobs.sizeOf(content), made);
  const shown: ResultFinding[] = [];
  const causes = new Causes();
  const loaded = new LoadTally();
  const results: AmplifyResults = new AmplifyResults(folder.root, seeds, blobs, () => campaign);
  const take = (event: AmplifyEvent): void => {
    loaded.take(event);
    const note = results.take(event);
    if (note !== null) listen({ kind: "note", text: note });
    const loading = loadingMessage(event);
    if (loading !== null) listen(loading);
    const work = workMessage(event, results);
    if (work !== null) listen(work);
    if (event.kind === "item-begins") listen({ kind: "status", status: results.status(event) });
    else if (event.kind === "finding") {
      const found = earlier.asTold(findingResult(event.placed, causes, results.madeOf));
      shown.push(found);
      const finding = event.placed.found.finding;
      const isEarlier = earlier.has(found);
      const text = isEarlier
        ? null
        : keepForNextTime({ folder, journal: AMPLIFY_FINDINGS }, campaign, event.placed.item.key, found);
      if (text !== null) {
        results.note(text);
        listen({ kind: "note", text });
      }
      listen({ kind: "finding", found, finding, isEarlier });
      if (until(shown)) campaign.stop();
    }
  };
  const campaign: Campaign<AmplifyWork, AmplifyResult> = new Campaign(
    {
      technique,
      programs,
      script: new URL("./campaign-worker.js", import.meta.url),
      setup: {
        technique: technique.name,
        setup: technique.setup(folder.root),
        env: { ...env },
        startable: programs.map(({ name, path }) => ({ name, path })),
      },
      journalPath: folder.file("campaign.journal"),
      ...(options.crew === undefined ? {} : { crew: options.crew }),
      listen: take,
    },
    {
      ...(options.budgetMs === undefined ? {} : { budgetMs: options.budgetMs }),
      ...(options.itemMs === undefined ? {} : { itemMs: options.itemMs }),
      ...(options.workers === undefined ? {} : { workers: options.workers }),
      again: options.again,
      beganMs: options.beganMs,
    },
  );
  const { isBegunAnew } = campaign.journal;
  if (isBegunAnew) forgetFindings(folder, AMPLIFY_FINDINGS);
  const earlier = new ToldEarlier(folder, AMPLIFY_FINDINGS, options.again ? [] : seeds);
  const removeListeners = onStopSignal(() => campaign.stop());
  const end = await campaign.run().finally(removeListeners);
  const why = loaded.noneOf(programs.length);
  const { reason, known } = end;
  if (why !== null || reason === "failed") {
    const message =
      why === null ? end.message : `none of the tests' programs could be loaded (${why}); record the tests again`;
    listen({ kind: "failed", message });
    return { result: null, known, isBegunAnew };
  }
  const result = results.result(reason, end.durationMs);
  const findings = result.findings.map((found) => earlier.asTold(found));
  return { result: { ...result, findings }, known, isBegunAnew };
}
