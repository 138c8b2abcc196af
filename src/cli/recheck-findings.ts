// After a campaign: findings of earlier campaigns that it did not find again have their inputs run once more, if the program they are of
// has been built anew since. What no longer fails is gone. The same build fails as it did, so it is not asked.

import { latestSeeds } from "../project/earlier-findings.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { sameProgram } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import type { CampaignResult, ResultFinding } from "../report/campaign-result.js";
import { testOfFinding } from "../report/finding-test.js";
import { counted, whereOf } from "../report/finding-view.js";
import { type KeptFinding, KeptFindings } from "../report/kept-findings.js";
import { isSameFinding } from "../report/named-findings.js";
import { visible } from "../support/visible-text.js";
import type { CommandContext } from "./command.js";
import { shownPaths } from "./project-settings.js";
import { hasEnded, replayInVm } from "./replay-run.js";

/** For all of them, and for one. */
const TOTAL_MS = 30_000;
const ONE_MS = 10_000;
/** The rest is counted. */
const MOST_SHOWN = 10;

/** `seeds`: those of the campaign, whose builds are the present ones. */
export async function recheckFindings(
  folder: ProjectFolder,
  seeds: readonly Seed[],
  { findings, reason }: Pick<CampaignResult, "findings" | "reason">,
  context: CommandContext,
): Promise<void> {
  // The user wants the prompt.
  if (reason === "aborted") return;
  const kept = new KeptFindings(folder);
  const present = new Set(findings.map(({ id }) => id));
  const waiting = kept.list().filter(({ finding, state }) => state !== "gone" && !present.has(finding.id));
  const builds = new Map(latestSeeds(seeds).map((seed) => [seed.program, seed]));
  const end = Date.now() + TOTAL_MS;
  let left = 0;
  const gone: KeptFinding[] = [];
  for (const entry of waiting) {
    const build = builds.get(entry.finding.program);
    if (build === undefined || entry.technique === "patch") continue;
    if (Date.now() > end) left++;
    else if ((await failsWith(folder, entry, build, context)) === false) {
      kept.mark(entry, "gone", build.programContent);
      gone.push(entry);
    }
  }
  const shown = shownPaths(folder);
  for (const { finding } of gone.slice(0, MOST_SHOWN)) {
    const place = `${finding.id} ${finding.title} at ${whereOf(finding, shown)}`;
    context.error(`tangent: gone: ${visible(place)} (its input no longer fails)\n`);
  }
  if (gone.length > MOST_SHOWN) {
    const more = counted(gone.length - MOST_SHOWN, "finding");
    context.error(`tangent: gone: ${more} more (tangent findings --state gone)\n`);
  }
  if (left > 0) {
    context.error(`tangent: ${counted(left, "finding")} of earlier campaigns were not run again for want of time\n`);
  }
}

/**
 * The campaign's result with the findings that were gone and whose inputs make the present build fail again, though the campaign has not found
 * them itself. Each build is asked once.
 */
export async function withThoseBack<Result extends CampaignResult>(
  folder: ProjectFolder,
  seeds: readonly Seed[],
  result: Result,
  context: CommandContext,
): Promise<Result> {
  if (result.reason === "aborted") return result;
  const kept = new KeptFindings(folder);
  const builds = new Map(latestSeeds(seeds).map((seed) => [seed.program, seed]));
  const end = Date.now() + TOTAL_MS;
  const back: ResultFinding[] = [];
  const shown = shownPaths(folder);
  for (const entry of kept.list()) {
    const { finding, state, technique, checked } = entry;
    const build = builds.get(finding.program);
    if (state !== "gone" || build === undefined || technique === "patch" || checked === build.programContent) continue;
    if (result.findings.some((found) => isSameFinding(found, finding)) || Date.now() > end) continue;
    const fails = await failsWith(folder, entry, build, context);
    if (fails === false) kept.mark(entry, "gone", build.programContent);
    if (fails !== true) continue;
    back.push(finding);
    const place = `${finding.id} ${finding.title} at ${whereOf(finding, shown)}`;
    context.error(`tangent: back: ${visible(place)} (it was gone, and its input fails again)\n`);
  }
  return back.length === 0 ? result : { ...result, findings: [...result.findings, ...back] };
}

/** Null: it could not be run, or did not come to an end. */
async function failsWith(
  folder: ProjectFolder,
  { finding }: KeptFinding,
  build: Seed,
  context: CommandContext,
): Promise<boolean | null> {
  const made = testOfFinding(folder, finding);
  if (made.kind === "gone") return null;
  if (made.seed.programContent === build.programContent) return true;
  const program = sameProgram(new ProjectState(folder.root, context.env), build);
  if (program === null) return null;
  const silent = { ...context, out: () => {}, error: () => {} };
  const choices = { native: false, verbose: false, timeoutMs: ONE_MS, program };
  const goOnAt = (finding.behind ?? []).map(({ place }) => place);
  const uninitialised = finding.kind === "uninitialised";
  const replayed = await replayInVm(folder, { ...made, goOnAt, uninitialised }, choices, silent);
  if (replayed === null) return null;
  const { run } = replayed;
  if (run.finding !== null || (run.uninitialised ?? []).length > 0) return true;
  return hasEnded(replayed.run.result.end) ? false : null;
}
