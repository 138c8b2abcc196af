// What commands that work on recorded tests begin with: the project, its configuration, its lock, the seeds that were asked for and the
// programs they were recorded from; and what earlier campaigns of the same tests have found.

import type { ProgramPlace } from "../campaign/work-messages.js";
import { type ProjectConfig, readConfig } from "../project/config.js";
import { earlierFindings, type FindingsJournal, latestSeeds } from "../project/earlier-findings.js";
import { findProject, type ProjectFolder } from "../project/project-folder.js";
import { lockProject } from "../project/project-lock.js";
import { restorePrograms } from "../project/restore-programs.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import { sameProgram } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import type { CampaignResult } from "../report/campaign-result.js";
import { isResultFinding } from "../report/result-shape.js";
import { visible } from "../support/visible-text.js";
import { type CommandContext, USAGE_STATUS } from "./command.js";
import { isNamed, unknownName } from "./program-option.js";

export interface RecordedProject {
  readonly folder: ProjectFolder;
  readonly config: ProjectConfig | null;
  readonly seeds: readonly Seed[];
}

/**
 * `wanted`: beginnings of seeds' ids; the latest of each program if there is none. `programs`: names of those whose seeds are wanted; all if
 * there is none. The reason of a status has been told.
 */
export function openRecorded(
  command: string,
  wanted: readonly string[],
  programs: readonly string[],
  context: CommandContext,
): RecordedProject | { readonly status: number } {
  const folder = findProject(process.cwd());
  const config = readConfig(folder.root);
  if (config.kind === "wrong") {
    context.error(`tangent: ${config.problem}\n`);
    return { status: USAGE_STATUS };
  }
  const state = new ProjectState(folder.root, context.env);
  const lock = lockProject(folder, state, command);
  if (lock.kind === "busy") {
    context.error(`tangent: ${lock.message}\n`);
    return { status: 3 };
  }
  for (const problem of restorePrograms(state).problems) context.error(`tangent: note: ${problem}\n`);
  const store = new SeedStore(folder);
  const all = store.list();
  if (store.trouble !== "") context.error(`tangent: ${store.trouble}\n`);
  const unknown = wanted.find((name) => !all.some(({ id }) => id.startsWith(name)));
  if (unknown !== undefined) {
    context.error(`tangent ${command}: no seed's id begins with ${visible(unknown)}; see \`tangent seeds\`\n`);
    return { status: USAGE_STATUS };
  }
  const asked =
    wanted.length === 0 ? latestSeeds(all) : all.filter(({ id }) => wanted.some((name) => id.startsWith(name)));
  const seeds = seedsOf(asked, programs);
  if (typeof seeds === "string") {
    context.error(`tangent ${command}: ${seeds}\n`);
    return { status: USAGE_STATUS };
  }
  return { folder, config: config.kind === "config" ? config.config : null, seeds };
}

/** The seeds of these programs, of all if none is named; or what is wrong with a name. Without any seed no name is wrong. */
export function seedsOf(seeds: readonly Seed[], programs: readonly string[]): readonly Seed[] | string {
  if (programs.length === 0 || seeds.length === 0) return seeds;
  const unknown = unknownName(programs, [...new Set(seeds.map(({ program }) => program))]);
  return unknown ?? seeds.filter(({ program }) => programs.some((name) => isNamed(program, name)));
}

/** The programs that the seeds were recorded from, as they were then. Empty if there is nothing to work with, which has been told. */
export function programsOfSeeds(state: ProjectState, seeds: readonly Seed[], context: CommandContext): ProgramPlace[] {
  if (seeds.length === 0) {
    context.error("tangent: there are no seeds; record the tests first: tangent record -- make check\n");
  }
  const places = new Map<string, ProgramPlace>();
  const gone = new Set<string>();
  for (const seed of seeds) {
    const { programContent: content, program: name } = seed;
    if (places.has(content) || gone.has(content)) continue;
    const path = sameProgram(state, seed);
    if (path !== null) {
      places.set(content, { content, path, name });
      continue;
    }
    gone.add(content);
    context.error(`tangent: ${visible(name)} is no longer what was recorded; record the tests again\n`);
  }
  return [...places.values()];
}

/** With those of earlier campaigns whose tests still stand. */
export function withEarlierFindings<Result extends CampaignResult>(
  campaign: Result,
  journal: FindingsJournal,
  folder: ProjectFolder,
  seeds: readonly Seed[],
  context: CommandContext,
): Result {
  const earlier = earlierFindings(folder, journal, seeds, campaign.findings, isResultFinding);
  if (earlier.length === 0) return campaign;
  context.error(`tangent: ${earlier.length} more of earlier runs of these tests; --again looks for them anew\n`);
  return { ...campaign, findings: [...earlier, ...campaign.findings] };
}
