// `tangent amplify`: ZESTI on the recorded tests.

import { AMPLIFY_FINDINGS, runAmplifyCampaign } from "../jobs/amplify-campaign.js";
import type { AmplifyStatus } from "../jobs/amplify-results.js";
import type { ProjectConfig } from "../project/config.js";
import { isSeedOurs, noteInputs, noteSeeds } from "../project/made-here.js";
import type { ProjectFolder } from "../project/project-folder.js";
import { sampledOf, sampleOf } from "../project/sample.js";
import type { Seed } from "../project/seed.js";
import { readShard, shardOf } from "../project/shard.js";
import { sourcesBelow } from "../project/sources.js";
import { ProjectState } from "../project/state-folder.js";
import { readBaseline } from "../report/baseline.js";
import type { AmplifyCampaignResult, ResultFinding } from "../report/campaign-result.js";
import { extent, saysNothing } from "../report/extent.js";
import { withSources } from "../report/finding-build.js";
import { counted } from "../report/finding-view.js";
import { foreignEndsInWords, missingEndsInWords, otherEndsInWords } from "../report/foreign-ends.js";
import { KeptFindings } from "../report/kept-findings.js";
import { LITERAL_CHOICES, type LiteralChoice } from "../support/literal-names.js";
import { MOVE_FAMILIES, readMoves } from "../support/move-names.js";
import { Random } from "../support/random.js";
import { visible } from "../support/visible-text.js";
import { ORDERS, type OrderChoice, SENSITIVITIES, type SensitivityChoice } from "../techniques/around-path.js";
import { DECISION_METRICS, type DecisionMetric } from "../techniques/decision-metric.js";
import { LiveWriter } from "../ui/live-writer.js";
import {
  CAMPAIGN_END_OPTIONS,
  type CampaignEndChoices,
  type EndedCampaign,
  endCampaign,
  statusOfResult,
  wrongChoice,
} from "./campaign-end.js";
import { CampaignView } from "./campaign-view.js";
import { type CommandContext, defineCommand, USAGE_STATUS } from "./command.js";
import { JOBS_OPTIONS, type JobsChoice, jobsOf, wrongJobs } from "./jobs-option.js";
import { keepOtherResults } from "./kept-results.js";
import { PROGRAM_OPTION } from "./program-option.js";
import { openCrew, QUEUE_OPTIONS, type QueueChoice, wrongQueue } from "./queue-option.js";
import { recheckFindings, withThoseBack } from "./recheck-findings.js";
import { openRecorded, programsOfSeeds, withEarlierFindings } from "./recorded-project.js";
import { isPrinted } from "./report-files.js";
import { ROOT_OPTION, rootsOf, withRoots } from "./roots.js";
import { UI_OPTION, withPage } from "./ui-page.js";

export const AMPLIFY_OPTIONS = {
  time: { kind: "duration", short: "t", value: "TIME", help: "stop after this long: 30s, 5m, 1h (default 5m)" },
  distance: {
    kind: "number",
    integer: true,
    value: "N",
    help: "the largest distance from the tests' own paths (default 8)",
  },
  metric: {
    kind: "choice",
    choices: DECISION_METRICS,
    help: "what a distance counts: decisions as a reader of the source sees them, or every branch on input as the paper does (default reader)",
  },
  bound: {
    kind: "number",
    integer: true,
    least: 0,
    value: "N",
    help: "explore N times the distance in decisions beyond each departure, the paper's f(d) (default 2)",
  },
  sensitive: {
    kind: "choice",
    choices: SENSITIVITIES,
    help: "depart before accesses at computed addresses, or before all through pointers as the paper does (default computed)",
  },
  anchorEnd: { kind: "flag", help: "depart also before the end of each test's run" },
  order: {
    kind: "choice",
    choices: ORDERS,
    help: "below a departure: the newest path first, or the one with the fewest decisions as the paper does (default newest)",
  },
  branchTime: { kind: "duration", value: "TIME", help: "for all that is explored below one departure (no limit)" },
  queryTime: { kind: "duration", value: "TIME", help: "give up a question to the solver after this time (default 5s)" },
  seedTime: { kind: "duration", value: "TIME", help: "for one test at one distance (default 30s)" },
  sample: {
    kind: "number",
    integer: true,
    value: "K",
    help: "look at K of the tests only, chosen at random, and say how sure one can be",
  },
  shard: {
    kind: "value",
    value: "K/N",
    help: "look at the K-th of N equal parts of the tests only; then `tangent merge`",
  },
  randomSeed: { kind: "number", integer: true, value: "N", help: "choose other tests for --sample (default 1)" },
  ...JOBS_OPTIONS,
  ...QUEUE_OPTIONS,
  literals: {
    kind: "choice",
    choices: LITERAL_CHOICES,
    help: "whether strings and byte arrays in the tests' own sources are input (default auto: in tests of libraries)",
  },
  moves: {
    kind: "value",
    value: "LIST",
    help: `which inputs may get another size or a further option: all (the default), none, or some of ${MOVE_FAMILIES.join(", ")}`,
  },
  uninitialised: { kind: "flag", help: "also report what depends on memory that was never set; slower" },
  program: PROGRAM_OPTION,
  root: ROOT_OPTION,
  again: { kind: "flag", help: "also do what an earlier run has done already" },
  quiet: { kind: "flag", short: "q", help: "print findings, and what went wrong, only" },
  ui: UI_OPTION,
  ...CAMPAIGN_END_OPTIONS,
} as const;

export const command = defineCommand({
  name: "amplify",
  summary: "Look for bugs on and around the paths of the recorded tests (ZESTI)",
  description: `Every dangerous operation on the path of a recorded test is checked for all inputs that take the same path; then the paths that
leave it are explored, those closest to dangerous operations first, further and further away until the time is up. A finding is
reported only after its input was run again and failed again.

The exit status is 0 if nothing was found, 1 if something was, 2 for a usage error, 3 if it could not be done or not one
check was made, 130 if Ctrl-C ended it before something was found.`,
  options: AMPLIFY_OPTIONS,
  operands: {
    seed: { kind: "optional", value: "SEED", help: "only this seed (see `tangent seeds`)" },
    more: { kind: "any", value: "SEED", help: "and these" },
  },
  async run(options, { seed, more }, context) {
    const beganMs = performance.now();
    const wanted = seed === undefined ? [] : [seed, ...more];
    const wrong = wrongAmplifyChoice(options);
    if (wrong !== null) {
      context.error(`tangent amplify: ${wrong}\n`);
      return USAGE_STATUS;
    }
    const project = openRecorded("amplify", wanted, options.program, context);
    if ("status" in project) return project.status;
    const { folder, config, seeds } = project;
    const ended = await withPage(options.ui, folder, context, () =>
      amplify(folder, seeds, { ...withLimits(options, config), beganMs }, context),
    );
    return ended === null ? 3 : statusOfResult(ended);
  },
});

export interface AmplifyChoices extends CampaignEndChoices, JobsChoice, QueueChoice {
  readonly time: number | undefined;
  readonly distance: number | undefined;
  readonly metric?: DecisionMetric | undefined;
  readonly bound?: number | undefined;
  readonly sensitive?: SensitivityChoice | undefined;
  readonly anchorEnd?: boolean;
  readonly order?: OrderChoice | undefined;
  readonly branchTime?: number | undefined;
  readonly queryTime?: number | undefined;
  readonly seedTime: number | undefined;
  readonly sample?: number | undefined;
  readonly shard?: string | undefined;
  readonly randomSeed?: number | undefined;
  readonly literals?: LiteralChoice | undefined;
  readonly moves?: string | undefined;
  readonly uninitialised?: boolean;
  readonly root?: readonly string[];
  readonly again: boolean;
  readonly quiet: boolean;
  /** When its time began, if that was before. */
  readonly beganMs?: number;
  /** Stops when this says so, asked after each finding. */
  readonly until?: (findings: readonly ResultFinding[]) => boolean;
}

/** What the command line does not say, tangent.toml does. */
export function withLimits<Choices extends AmplifyChoices>(choices: Choices, config: ProjectConfig | null): Choices {
  const limits = config?.limits ?? {};
  return {
    ...choices,
    time: choices.time ?? limits.timeMs,
    distance: choices.distance ?? limits.distance,
    seedTime: choices.seedTime ?? limits.seedTimeMs,
    sample: choices.sample ?? limits.sample,
    literals: choices.literals ?? config?.literals ?? undefined,
  };
}

/** The first wrong choice in words, or null; to be asked before anything that takes time. */
export function wrongAmplifyChoice(
  choices: CampaignEndChoices &
    JobsChoice &
    QueueChoice & {
      readonly root: readonly string[];
      readonly moves?: string | undefined;
      readonly shard?: string | undefined;
    },
): string | null {
  if (choices.shard !== undefined && readShard(choices.shard) === null) {
    return `--shard ${choices.shard}: say which part of how many, such as --shard 3/10`;
  }
  const moves = readMoves(choices.moves ?? "all");
  if ("problem" in moves) return moves.problem;
  const jobs = wrongJobs(choices) ?? wrongQueue(choices);
  if (jobs !== null) return jobs;
  const roots = rootsOf(choices.root);
  return roots.kind === "wrong" ? roots.problem : wrongChoice(choices);
}

/** Null if it could not begin; the reason has been told. */
export async function amplify(
  folder: ProjectFolder,
  all: readonly Seed[],
  choices: AmplifyChoices,
  context: CommandContext,
): Promise<EndedCampaign | null> {
  const result = await amplifyOnly(folder, all, choices, context);
  if (result === null) return null;
  const whole = await withThoseBack(folder, all, result, context);
  keepOtherResults(folder, whole.technique, context);
  const ended = endCampaign(folder, whole, readBaseline(choices.baseline), choices, context);
  await recheckFindings(folder, all, whole, context);
  return ended;
}

/** As `amplify`, but nothing is written yet. */
export async function amplifyOnly(
  folder: ProjectFolder,
  recorded: readonly Seed[],
  choices: AmplifyChoices,
  context: CommandContext,
): Promise<AmplifyCampaignResult | null> {
  const { beganMs = performance.now() } = choices;
  const shard = readShard(choices.shard ?? "");
  const all = shard === null ? recorded : shardOf(recorded, shard);
  if (shard !== null) {
    context.error(
      `tangent: part ${shard.part} of ${shard.parts}: ${all.length} of ${counted(recorded.length, "test")}\n`,
    );
    if (all.length === 0) return null;
  }
  const baseline = readBaseline(choices.baseline);
  const roots = rootsOf(choices.root ?? []);
  const moves = readMoves(choices.moves ?? "all");
  const size = choices.sample ?? 0;
  const seeds = size > 0 && size < all.length ? sampleOf(all, size, new Random(choices.randomSeed ?? 1)) : all;
  const sampled = seeds.length < all.length ? sampledOf(all.length, seeds.length) : null;
  if (sampled !== null) context.error(`tangent: ${sampled.confidence}\n`);
  const state = new ProjectState(folder.root, context.env);
  const programs = programsOfSeeds(state, seeds, context);
  if (programs.length === 0) return null;
  // A report on standard output is alone there, so that it can be read by a program.
  const tell = isPrinted(choices) ? context.error : context.out;
  const jobs = jobsOf(choices);
  const live = new LiveWriter(folder, { technique: "amplify", seeds, programs, budgetMs: choices.time ?? null, jobs });
  const view = new CampaignView(context, tell, choices.quiet, sourcesBelow([folder.root]), baseline, folder, live);
  const kept = new KeptFindings(folder);
  const queue = await openCrew(choices, folder, (text) => view.show({ kind: "note", text }), context);
  if (queue !== null && "status" in queue) return null;
  const isTrusted = queue === null || choices.trustWorkers === true;
  view.prepares(`${counted(seeds.length, "test")} of ${counted(programs.length, "program")}`, seeds.length);
  const ended = await runAmplifyCampaign(
    {
      folder,
      seeds,
      programs,
      env: context.env,
      ...(choices.time === undefined ? {} : { budgetMs: choices.time }),
      plan: {
        ...(choices.distance === undefined ? {} : { maxDistance: choices.distance }),
        ...(choices.literals === undefined ? {} : { literals: choices.literals }),
        ...(choices.uninitialised === undefined ? {} : { uninitialised: choices.uninitialised }),
        ...(choices.metric === undefined ? {} : { metric: choices.metric }),
        ...(choices.bound === undefined ? {} : { bound: choices.bound }),
        ...(choices.sensitive === undefined ? {} : { sensitive: choices.sensitive }),
        ...(choices.anchorEnd === true ? { anchorEnd: true } : {}),
        ...(choices.order === undefined ? {} : { order: choices.order }),
        ...(choices.branchTime === undefined ? {} : { branchMs: choices.branchTime }),
        ...(choices.queryTime === undefined ? {} : { solverQueryMs: choices.queryTime }),
        ...("moves" in moves ? moves : {}),
        ...(roots.kind === "roots" ? withRoots(roots.roots) : {}),
      },
      ...(choices.seedTime === undefined ? {} : { itemMs: choices.seedTime }),
      workers: jobs,
      ...(queue === null ? {} : { crew: queue.crew }),
      again: choices.again,
      beganMs,
      // What was made of a test that came with the repository is as foreign as that.
      onMade: (made, from) => {
        if (isTrusted && isSeedOurs(state, from)) noteSeeds(state, [made.id]);
      },
      until: choices.until ?? (() => false),
    },
    (message) => {
      if (message.kind === "finding") {
        if (isTrusted) noteInputs(state, [message.found]);
        kept.saw(withSources(message.found, folder), "amplify");
      }
      if (message.kind === "status") showStatus(view, message.status);
      else view.show(message);
    },
  ).finally(() => queue?.close());
  view.end(ended.result?.reason);
  if (ended.result === null) return null;
  const campaign = sampled === null ? ended.result : { ...ended.result, sampled };
  // Of two witnesses of one finding another one may stand in the end than was told.
  if (isTrusted) noteInputs(state, campaign.findings);
  const { checks, paths } = campaign.totals;
  view.known(ended.known, "a test at a distance each");
  view.summary(campaign, `${extent(campaign)}, ${counted(checks, "check")}, ${counted(paths, "path")}`);
  const nothing = saysNothing(campaign);
  if (nothing !== null) view.warns(`nothing was checked, so this says nothing about the program: ${nothing}`);
  const foreign = foreignEndsInWords(campaign);
  if (foreign !== null) view.told(visible(foreign));
  const otherwise = otherEndsInWords(campaign);
  if (otherwise !== null) view.told(visible(otherwise));
  const missing = nothing === null ? missingEndsInWords(campaign) : null;
  if (missing !== null) view.told(visible(missing));
  const isAnew = choices.again || ended.isBegunAnew;
  return isAnew ? campaign : withEarlierFindings(campaign, AMPLIFY_FINDINGS, folder, seeds, context);
}

function showStatus(view: CampaignView, status: AmplifyStatus): void {
  const { elapsedMs, distance, seed, seeds, checks, paths, findings, command: words } = status;
  const what = distance < 0 ? "what the tests cover" : `distance ${distance}`;
  if (status.isMoves) {
    view.status("longer and shorter inputs, further options", words, elapsedMs);
    return;
  }
  const done = [counted(checks, "check"), counted(paths, "path"), counted(findings, "finding")].join(", ");
  const text = `${what}, test ${seed} of ${seeds}, ${done}`;
  view.status(text, words, elapsedMs);
}
