// A patch-testing campaign as commands start one: the technique, its threads, a journal of its own, Ctrl-C, and the results. Whoever
// watches gets a few kinds of messages.

import { rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Campaign } from "../campaign/campaign.js";
import type { ProgramPlace } from "../campaign/work-messages.js";
import { Causes } from "../findings/causes.js";
import { BlobStore } from "../project/blob-store.js";
import { seedOfInvocation } from "../project/made-seed.js";
import { placesOf } from "../project/patch/changed-places.js";
import type { Changes } from "../project/patch/changes.js";
import { statementStarts } from "../project/patch/statement-lines.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import type { ResultFinding } from "../report/campaign-result.js";
import type { PatchCampaignResult } from "../report/patch-result.js";
import { readRegularFile } from "../support/regular-file.js";
import { onStopSignal } from "../support/stop-signal.js";
import type { ReachInput } from "../techniques/reach/reach-pool.js";
import {
  DEFAULT_REACH_PLAN,
  type ReachPlan,
  ReachTechnique,
  type TargetRecord,
} from "../techniques/reach/reach-technique.js";
import type { ReachResult, ReachWork } from "../techniques/reach/reach-work.js";
import { STRATEGIES } from "../techniques/reach/target-search.js";
import type { Wanted } from "../techniques/reach/targets.js";
import { type CampaignMessage, loadingMessage, workMessage } from "./campaign-messages.js";
import { LoadTally } from "./load-tally.js";
import { below, type PatchEvent, PatchResults, patchFinding } from "./patch-results.js";

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
  /** See CampaignOptions. */
  readonly beganMs?: number;
  readonly targetMs: number;
  readonly workers: number;
  /** Of STRATEGIES. */
  readonly without: readonly string[];
  /** Asked after each finding: whether that was all somebody wanted. */
  readonly until?: (findings: readonly ResultFinding[]) => boolean;
  readonly plan?: Partial<ReachPlan>;
}

export interface EndedPatchCampaign {
  /** Null if nothing could be done, which has been told. */
  readonly result: PatchCampaignResult | null;
  /** Inputs that were made and kept as seeds. */
  readonly made: readonly Seed[];
}

export type PatchMessage =
  | {
      readonly kind: "progress";
      readonly elapsedMs: number;
      /** Targets that are covered, reached or given up, of so many; reached ones among them. */
      readonly done: number;
      readonly targets: number;
      readonly reached: number;
      readonly findings: number;
      /** What is worked at: `src/diff.c:410`. */
      readonly at: string;
    }
  | {
      readonly kind: "reached";
      readonly target: string;
      readonly command: readonly string[];
      readonly steps: readonly string[];
    }
  | CampaignMessage;

const MOST_SOURCE_BYTES = 0x1000_0000;
/** Of the whole time, what searches may take: the rest is for amplifying and comparing. */
const SEARCH_SHARE = 0.7;
/** Where nothing is amplified. */
const LARGER_SEARCH_SHARE = 0.9;

export async function runPatchCampaign(
  options: PatchCampaignOptions,
  listen: (message: PatchMessage) => void,
): Promise<EndedPatchCampaign> {
  const { folder, env, changes, budgetMs, targetMs, workers } = options;
  const { wanted, programs, seeds } = subjectOf(options);
  const kept = new KeptInputs(folder, seeds);
  const plan: ReachPlan = {
    ...DEFAULT_REACH_PLAN,
    searchMs: budgetMs * SEARCH_SHARE,
    targetMs,
    workers,
    without: STRATEGIES.filter((part) => options.without.includes(part)),
    newRoots: [options.sourceRoot, ...rootsOf(programs)],
    oldRoots: [options.sourceRoot, ...rootsOf(options.oldPrograms)],
    oldPrograms: oldPathsOf(programs, options.oldPrograms),
    ...options.plan,
    wanted,
  };
  const technique = new ReachTechnique(
    seeds,
    plan,
    (input, program) => kept.keep(input, program),
    () => campaign.elapsedMs() < budgetMs * (plan.amplifyDistance < 0 ? LARGER_SEARCH_SHARE : SEARCH_SHARE),
  );
  const causes = new Causes();
  const soFar: ResultFinding[] = [];
  const loaded = new LoadTally();
  const told = new Set<string>();
  const programNames = new Map(programs.map(({ content, name }) => [content, name]));
  const results: PatchResults = new PatchResults({
    root: folder.root,
    sourceRoot: options.sourceRoot,
    seeds,
    changes,
    technique,
    campaign: () => campaign,
    programNames,
  });
  const take = (event: PatchEvent): void => {
    loaded.take(event);
    const note = results.take(event);
    if (note !== null) listen({ kind: "note", text: note });
    const loading = loadingMessage(event);
    if (loading !== null) listen(loading);
    const work = workMessage(event, results);
    if (work !== null) listen(work);
    if (event.kind === "item-begins") listen(progressOf(event));
    else if (event.kind === "finding") {
      const { finding } = event.placed.found;
      const found = patchFinding(event.placed, causes);
      listen({ kind: "finding", found, finding });
      soFar.push(found);
      if (options.until?.(soFar) === true) campaign.stop();
    } else if (event.kind === "item-ended" && event.report.result.kind === "search") {
      for (const { target, input } of event.report.result.reached) {
        if (told.has(target)) continue;
        told.add(target);
        const { program, arguments: words } = input.invocation;
        const command = [program, ...words.map((bytes) => Buffer.from(bytes).toString("latin1"))];
        listen({ kind: "reached", target: below(options.sourceRoot, target), command, steps: input.steps });
      }
    }
  };
  const progressOf = ({ item }: Extract<PatchEvent, { readonly kind: "item-begins" }>): PatchMessage => {
    const records = [...technique.records.values()];
    return {
      kind: "progress",
      elapsedMs: campaign.elapsedMs(),
      done: records.filter((record) => !technique.isOpen(record) || record.isGivenUp).length,
      targets: records.length,
      reached: records.filter(({ coveredBy, reached }) => coveredBy === null && reached !== null).length,
      findings: campaign.found.count,
      at: item.label,
    };
  };
  const journalPath = folder.file("patch.journal");
  const versionTree = folder.known("patch", "new");
  // Inputs are not in the journal, so nothing of an earlier one is of use.
  rmSync(journalPath, { force: true });
  const campaign: Campaign<ReachWork, ReachResult> = new Campaign(
    {
      technique,
      programs,
      script: new URL("./campaign-worker.js", import.meta.url),
      setup: {
        technique: technique.name,
        setup: { ...technique.setup(folder.root), versionTree, versionShownAs: options.sourceRoot },
        env: { ...env },
        startable: options.programs.map(({ name, path }) => ({ name, path })),
      },
      journalPath,
      listen: take,
    },
    { budgetMs, itemMs: Math.max(30_000, plan.targetMs), workers, beganMs: options.beganMs ?? null },
  );
  const removeListeners = onStopSignal(() => campaign.stop());
  const end = await campaign.run().finally(removeListeners);
  const why = loaded.noneOf(programs.length);
  if (why !== null || end.reason === "failed") {
    const message =
      why === null ? end.message : `none of the programs could be loaded (${why}); build and record again`;
    listen({ kind: "failed", message });
    return { result: null, made: [] };
  }
  for (const note of notFound(options, [...technique.records.values()])) {
    results.note(note);
    listen({ kind: "note", text: note });
  }
  const made = technique.madeSeeds().map(({ seed }) => seed);
  return { result: results.result(end.reason, end.durationMs), made };
}

/** What is wanted, the programs that can have it, and their tests. */
export function subjectOf(
  options: Pick<PatchCampaignOptions, "seeds" | "programs" | "changes" | "places" | "functions" | "sourceRoot">,
): { readonly wanted: readonly Wanted[]; readonly programs: readonly ProgramPlace[]; readonly seeds: readonly Seed[] } {
  const { changes, sourceRoot } = options;
  const asked = changes === null ? wantedPlaces(options) : wantedOf(changes);
  const wanted = asked.map((place) => withStarts(place, sourceRoot));
  const programs = concerned(options.programs, wanted);
  const contents = new Set(programs.map(({ content }) => content));
  return { wanted, programs, seeds: options.seeds.filter(({ programContent }) => contents.has(programContent)) };
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

/** Lines in the middle of a statement have no code of their own. */
function withStarts(place: Wanted, root: string): Wanted {
  if (!("file" in place)) return place;
  try {
    const source = readRegularFile(join(root, place.file), { mostBytes: MOST_SOURCE_BYTES }).toString("latin1");
    return { ...place, starts: [...statementStarts(source, place.lines)] };
  } catch {
    return place;
  }
}

/**
 * Programs that can have what is wanted: their debugging information names the file, or their symbols the function. Getting a program
 * ready takes seconds, and a change of one tool of a package concerns no other. All of them, if that would be none.
 */
function concerned(programs: readonly ProgramPlace[], wanted: readonly Wanted[]): readonly ProgramPlace[] {
  const names = wanted.map((place) => ("file" in place ? basename(place.file) : place.function));
  const some = programs.filter(({ path }) => {
    try {
      const bytes = readRegularFile(path);
      return names.some((name) => bytes.includes(name));
    } catch {
      return true;
    }
  });
  return some.length === 0 ? programs : some;
}

function rootsOf(programs: readonly { readonly path: string }[]): string[] {
  return [...new Set(programs.map(({ path }) => dirname(path)))];
}

function oldPathsOf(
  programs: readonly ProgramPlace[],
  old: PatchCampaignOptions["oldPrograms"],
): Record<string, string> {
  const paths: Record<string, string> = {};
  for (const { name, path } of programs) {
    const before = old.find((program) => program.name === name);
    if (before !== undefined) paths[path] = before.path;
  }
  return paths;
}

function wantedPlaces({ places, functions }: Pick<PatchCampaignOptions, "places" | "functions">): Wanted[] {
  const byFile = new Map<string, number[]>();
  for (const { file, line } of places) byFile.set(file, [...(byFile.get(file) ?? []), line]);
  return [...[...byFile].map(([file, lines]) => ({ file, lines })), ...functions.map((name) => ({ function: name }))];
}

/** Places that somebody named and that no program has. */
function notFound({ places, functions }: PatchCampaignOptions, records: readonly TargetRecord[]): string[] {
  const hasLine = (file: string, line: number): boolean =>
    records.some(({ target }) => target.file === file && (target.line === line || target.lines.includes(line)));
  return [
    ...places.flatMap(({ file, line }) =>
      hasLine(file, line) ? [] : [`${file}:${line}: no code there in the programs under test`],
    ),
    ...functions.flatMap((name) =>
      records.some(({ target }) => target.function === name)
        ? []
        : [`${name}: there is no such function in the programs under test`],
    ),
  ];
}

/** Only what a C compiler reads: lines of other files are in no program. */
const SOURCE = /\.(c|h|y|l|inc|def|re|gperf|in|cc|tab)$/i;

function wantedOf(changes: Changes): Wanted[] {
  return changes.files.flatMap((file) => {
    if (file.newPath === null || !SOURCE.test(file.newPath)) return [];
    const { lines, beside } = placesOf(file);
    return lines.length + beside.length === 0 ? [] : [{ file: file.newPath, lines, beside }];
  });
}
