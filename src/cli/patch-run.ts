// One comparison from its two versions to its reports: build, tests, campaign, text, files. `tangent patch` does it once, --each for every
// commit, `tangent reach` with places instead of changes.

import { type PatchCampaignOptions, type PatchMessage, runPatchCampaign } from "../jobs/patch-campaign.js";
import { isSeedOurs, noteInputs, noteSeeds } from "../project/made-here.js";
import { type Comparison, changedLines, selectedChanges } from "../project/patch/git-changes.js";
import { sourcesOfVersion } from "../project/sources.js";
import { readBaseline } from "../report/baseline.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { withSources } from "../report/finding-build.js";
import { counted } from "../report/finding-view.js";
import { KeptFindings } from "../report/kept-findings.js";
import { keepInputs } from "../report/kept-inputs.js";
import { foundInputOf, PATCH_EXPORT_STYLES, type PatchExportStyle } from "../report/patch-export.js";
import { shownCommand } from "../report/patch-input-text.js";
import type { PatchCampaignResult } from "../report/patch-result.js";
import { renderPatch } from "../report/patch-text.js";
import { visible } from "../support/visible-text.js";
import { STRATEGIES } from "../techniques/reach/target-search.js";
import { LiveWriter } from "../ui/live-writer.js";
import {
  CAMPAIGN_END_OPTIONS,
  type CampaignEndChoices,
  endCampaign,
  exportTests,
  statusOfResult,
  wrongChoice,
} from "./campaign-end.js";
import { CampaignView } from "./campaign-view.js";
import { type CommandContext, USAGE_STATUS } from "./command.js";
import { JOBS_OPTIONS, type JobsChoice, jobsOf, wrongJobs } from "./jobs-option.js";
import { keepOtherResults } from "./kept-results.js";
import {
  type BuiltVersion,
  buildVersion,
  failedBy,
  oldProgramsOf,
  type PatchProject,
  programPlaces,
  sourceRootOf,
  testsFor,
} from "./patch-project.js";
import { isPrinted, REPORT_OPTIONS } from "./report-files.js";
import { UI_OPTION } from "./ui-page.js";

const DEFAULT_BUDGET_MS = 300_000;
const DEFAULT_TARGET_MS = 30_000;

/** Of `patch` and `reach`. */
export const PATCH_RUN_OPTIONS = {
  config: {
    kind: "value",
    value: "FILE",
    help: "read FILE instead of tangent.toml (it may name the repository and its folders); results are kept beside it",
  },
  time: { kind: "duration", short: "t", value: "TIME", help: "stop after this long: 30s, 5m, 1h (default 5m)" },
  targetTime: { kind: "duration", value: "TIME", help: "for one place in the source (default 30s)" },
  ...JOBS_OPTIONS,
  without: {
    kind: "list",
    value: "WHAT",
    help: `leave a part of the search out, to see what it is good for: ${STRATEGIES.join(", ")}`,
  },
  test: {
    kind: "value",
    value: "SCRIPT",
    help: "what runs the tests (default: that of tangent.toml, or the usual one for this kind of project)",
  },
  testTime: { kind: "duration", value: "TIME", help: "stop the tests themselves after this long (default: never)" },
  reuseTests: { kind: "flag", help: "use the tests recorded from an earlier build, even if their files have changed" },
  noTests: { kind: "flag", help: "run no tests: begin with each program alone, without arguments or input" },
  export: { kind: "value", value: "DIR", help: "write each input that reaches something new as a test into DIR" },
  exportStyle: { kind: "choice", choices: PATCH_EXPORT_STYLES, help: "how these tests are written" },
  quiet: { kind: "flag", short: "q", help: "print findings and the result only" },
  ui: UI_OPTION,
  ...REPORT_OPTIONS,
  baseline: CAMPAIGN_END_OPTIONS.baseline,
} as const;

export interface PatchChoices extends Omit<CampaignEndChoices, "export">, JobsChoice {
  readonly time: number | undefined;
  readonly targetTime: number | undefined;
  readonly without: readonly string[];
  readonly test: string | undefined;
  readonly testTime: number | undefined;
  readonly reuseTests: boolean;
  readonly noTests: boolean;
  readonly noOld?: boolean;
  /** Stops the campaign once it has what somebody wants. */
  readonly until?: (findings: readonly ResultFinding[]) => boolean;
  readonly export: string | undefined;
  readonly exportStyle: PatchExportStyle | undefined;
  /** --each: also commits that an earlier run has done. */
  readonly again?: boolean;
  readonly quiet: boolean;
}

/** The first wrong choice in words, or null; to be asked before anything that takes time. */
export function wrongPatchChoice(choices: PatchChoices): string | null {
  const jobs = wrongJobs(choices);
  if (jobs !== null) return jobs;
  const parts: readonly string[] = STRATEGIES;
  const unknown = choices.without.find((part) => !parts.includes(part));
  if (unknown !== undefined) return `--without ${unknown}: the parts are ${parts.join(", ")}`;
  if (choices.noTests && (choices.test !== undefined || choices.reuseTests)) {
    return `--no-tests and ${choices.test === undefined ? "--reuse-tests" : "--test"} contradict each other`;
  }
  if (choices.exportStyle !== undefined && choices.export === undefined) {
    return "--export-style says how --export DIR writes its tests: give both";
  }
  return wrongChoice({ ...choices, export: [] });
}

/** What came of it; the reason of a failure has been told. */
export interface PatchOutcome {
  readonly status: number;
  readonly result: PatchCampaignResult | null;
  /** In a few words, if there is no result. */
  readonly why: string;
}

export async function runComparison(
  project: PatchProject,
  comparison: Comparison,
  choices: PatchChoices,
  context: CommandContext,
): Promise<PatchOutcome> {
  const changes = selectedChanges(comparison.changes, project.config?.folders ?? []);
  const { added, places } = changedLines(changes);
  if (!choices.quiet) {
    context.error(
      `tangent: ${changes.description}: ${counted(added, "new or changed line")} of C in ${counted(changes.files.length, "file")}` +
        `${places > 0 ? `, and ${counted(places, "place")} that lines were taken from` : ""}\n`,
    );
    for (const note of changes.notes) context.error(`tangent: note: ${note}\n`);
  }
  if (added + places === 0) {
    context.error("tangent: no line of C is new, changed or taken away, so there is nothing to reach\n");
    return { status: 0, result: null, why: "no line of C is new or changed" };
  }
  try {
    const built = await buildVersion(project, comparison.new, "new", context);
    if (built === null) return { status: 3, result: null, why: "the new version cannot be built" };
    const old = choices.noOld === true ? null : await oldVersion(project, comparison, context);
    return await search(project, built, old, { changes, places: [], functions: [] }, choices, context);
  } catch (error) {
    const { problem, status } = failedBy(error);
    context.error(`tangent: ${problem}\n`);
    return { status, result: null, why: problem };
  }
}

/** Without it everything else can be done: a version that no longer builds is no reason to stop. */
async function oldVersion(
  project: PatchProject,
  comparison: Comparison,
  context: CommandContext,
): Promise<BuiltVersion | null> {
  if (comparison.old.kind === "nothing") return null;
  const built = await buildVersion(project, comparison.old, "old", context);
  if (built === null) {
    context.error(
      "tangent: note: the old version cannot be built, so the two are not compared (--no-old says so at once)\n",
    );
  }
  return built;
}

export type Wanted = Pick<PatchCampaignOptions, "changes" | "places" | "functions">;

/** From built programs to reports. */
export async function search(
  project: PatchProject,
  built: BuiltVersion,
  old: BuiltVersion | null,
  wanted: Wanted,
  choices: PatchChoices,
  context: CommandContext,
): Promise<PatchOutcome> {
  const { folder, state, config } = project;
  const stdout = isPrinted(choices) ? "stderr" : "inherit";
  const tests = await testsFor(project, built, { ...choices, stdout }, context);
  if (tests.kind === "failed") {
    context.error(`tangent: ${tests.problem}\n`);
    return { status: tests.status, result: null, why: tests.problem };
  }
  const beganMs = performance.now();
  const programs = programPlaces(built, tests.seeds);
  const sourceRoot = sourceRootOf(project);
  const sources = sourcesOfVersion(built.checkedOut.directory, sourceRoot);
  // A report on standard output is alone there, so that it can be read by a program.
  const tell = isPrinted(choices) ? context.error : context.out;
  const budgetMs = choices.time ?? config?.limits.timeMs ?? DEFAULT_BUDGET_MS;
  const jobs = jobsOf(choices);
  const live = new LiveWriter(folder, { technique: "patch", seeds: tests.seeds, programs, budgetMs, jobs });
  const view = new CampaignView(context, tell, choices.quiet, sources, readBaseline(choices.baseline), folder, live);
  // What is made may have parts of any of the tests: it is as trustworthy as the least of them.
  const isOurs = tests.seeds.every((seed) => isSeedOurs(state, seed));
  const kept = new KeptFindings(folder);
  const version =
    built.version.kind === "work tree" ? undefined : `${wanted.changes?.description ?? "another version"}`;
  const { result, made } = await runPatchCampaign(
    {
      ...wanted,
      folder,
      seeds: tests.seeds,
      programs,
      oldPrograms: oldProgramsOf(programs, built, old),
      sourceRoot,
      env: context.env,
      budgetMs,
      beganMs,
      targetMs: choices.targetTime ?? config?.limits.targetTimeMs ?? DEFAULT_TARGET_MS,
      workers: jobs,
      without: choices.without,
      ...(choices.until === undefined ? {} : { until: choices.until }),
    },
    (message) => {
      if (message.kind === "finding" && isOurs) noteInputs(state, [message.found]);
      if (message.kind === "finding") kept.saw(withSources(message.found, folder, sources, version), "patch");
      show(view, folder.root, message);
    },
  );
  view.end(result?.reason);
  if (result === null) return { status: 3, result: null, why: "the search could not be done" };
  if (isOurs) {
    noteSeeds(
      state,
      made.map(({ id }) => id),
    );
    noteInputs(state, result.inputs.map(foundInputOf));
    // The witness that stands in the end need not be the one that was told.
    noteInputs(state, result.findings);
  }
  keepInputs(folder, result);
  tell(renderPatch(result, tell === context.out && process.stdout.isTTY === true));
  const outcome = finish(project, result, { ...choices, sources, version }, context);
  // Nothing of what was named is there: most likely a slip.
  const isNothing = wanted.changes === null && result.targets.length === 0 && result.reason === "complete";
  return isNothing && outcome.status === 0 ? { ...outcome, status: USAGE_STATUS } : outcome;
}

function show(view: CampaignView, project: string, message: PatchMessage): void {
  if (message.kind === "reached") {
    view.told(`reached ${visible(message.target)}: ${visible(shownCommand(message.command, project))}`);
  } else if (message.kind !== "progress") view.show(message);
  else {
    const { done, targets, reached, findings, at, elapsedMs } = message;
    const text =
      targets === 0
        ? "running the tests in the VM"
        : `${done} of ${counted(targets, "place")}, ${reached} reached, ${counted(findings, "finding")}`;
    view.status(text, at, elapsedMs);
  }
}

function finish(
  { folder }: PatchProject,
  result: PatchCampaignResult,
  choices: PatchChoices & Pick<CampaignEndChoices, "sources" | "version">,
  context: CommandContext,
): PatchOutcome {
  keepOtherResults(folder, result.technique, context);
  const ended = endCampaign(folder, result, readBaseline(choices.baseline), { ...choices, export: [] }, context);
  const { export: target, exportStyle = "shell" } = choices;
  const isExported = target === undefined || exportTests(folder, ended.result, exportStyle, target, context);
  const status = statusOfResult({ ...ended, isWritten: ended.isWritten && isExported });
  return { status, result: ended.result, why: "" };
}
