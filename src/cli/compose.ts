// `tangent compose`: FOCAL on the recorded tests. Functions are tested one by one; what fails in them is led up their callers to `main`.

import { COMPOSE_FINDINGS, type ComposeMessage, runComposeCampaign } from "../jobs/compose-campaign.js";
import { missingFunctions } from "../jobs/named-functions.js";
import { noteInputs, noteSeeds, seedsOurs } from "../project/made-here.js";
import type { ProjectFolder } from "../project/project-folder.js";
import { sampleOf } from "../project/sample.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import { sourcesBelow } from "../project/sources.js";
import { sameProgram } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import { readBaseline } from "../report/baseline.js";
import type { ResultFinding } from "../report/campaign-result.js";
import type { ComposeCampaignResult } from "../report/compose-result.js";
import { renderComposition } from "../report/compose-text.js";
import { composedNothing } from "../report/compose-view.js";
import { withSources } from "../report/finding-build.js";
import { counted } from "../report/finding-view.js";
import { KeptFindings } from "../report/kept-findings.js";
import { ProgressLine } from "../report/progress-line.js";
import { shownTargets } from "../report/shown-targets.js";
import type { LiteralChoice } from "../support/literal-names.js";
import { Random } from "../support/random.js";
import { visible } from "../support/visible-text.js";
import { COMPOSE_PARTS, type ComposePart } from "../techniques/compose/compose-work.js";
import { LiveWriter } from "../ui/live-writer.js";
import { AMPLIFY_OPTIONS, wrongAmplifyChoice } from "./amplify.js";
import { CAMPAIGN_END_OPTIONS, type CampaignEndChoices, endCampaign, statusOfResult } from "./campaign-end.js";
import { CampaignView } from "./campaign-view.js";
import { type CommandContext, defineCommand, USAGE_STATUS } from "./command.js";
import { JOBS_OPTIONS, type JobsChoice, jobsOf } from "./jobs-option.js";
import { keepOtherResults } from "./kept-results.js";
import { PROGRAM_OPTION } from "./program-option.js";
import { recheckFindings, withThoseBack } from "./recheck-findings.js";
import { openRecorded, programsOfSeeds, withEarlierFindings } from "./recorded-project.js";
import { isPrinted } from "./report-files.js";
import { rootsOf, withRoots } from "./roots.js";
import { UI_OPTION, withPage } from "./ui-page.js";

const DEFAULT_TIME_MS = 10 * 60_000;
const { sample: SAMPLE_OPTION, root: ROOT_OPTION, again: AGAIN_OPTION, literals: LITERALS_OPTION } = AMPLIFY_OPTIONS;

export const command = defineCommand({
  name: "compose",
  summary: "Look for bugs deep in the program: test its functions one by one, and lead what fails up to main (FOCAL)",
  description: `Each function that the recorded tests call is tested by itself, with what it was really given in the tests and with everything near that.
Where one fails, its callers are asked whether they can make it so, then theirs, up to \`main\`. A finding is reported only if the whole
program, started with the input that came out, fails at that line. The other failures are listed with what the callers have against them:
that says which check a function relies on, and where it is.

    tangent record -- make check           once: what the tests start the program with
    tangent compose --time 10m
    tangent compose --function read_header --function read_entry

The exit status is 0 if nothing was found, 1 if something was, 2 for a usage error, 3 if it could not be done or no test
could be run, 130 if Ctrl-C ended it before something was found. Failures of functions that no input of the program shows are no findings.`,
  options: {
    time: { kind: "duration", short: "t", value: "TIME", help: "stop after this long: 30s, 5m, 1h (default 10m)" },
    unitTime: { kind: "duration", value: "TIME", help: "for one function, in the first round over all (default 3s)" },
    function: { kind: "list", value: "NAME", help: "only failures in this function (may be given several times)" },
    ...JOBS_OPTIONS,
    without: {
      kind: "list",
      value: "PART",
      help: `leave a part of the technique out, to see what it is good for: ${COMPOSE_PARTS.join(", ")}`,
    },
    sample: { ...SAMPLE_OPTION, help: "begin with K of the tests only, chosen at random" },
    randomSeed: { kind: "number", integer: true, value: "N", help: "seed of all random choices (default 1)" },
    literals: LITERALS_OPTION,
    program: PROGRAM_OPTION,
    root: ROOT_OPTION,
    again: AGAIN_OPTION,
    quiet: { kind: "flag", short: "q", help: "print findings and the result only" },
    ui: UI_OPTION,
    ...CAMPAIGN_END_OPTIONS,
  },
  operands: {
    seed: { kind: "optional", value: "SEED", help: "only this seed (see `tangent seeds`)" },
    more: { kind: "any", value: "SEED", help: "and these" },
  },
  async run(options, { seed, more }, context) {
    const beganMs = performance.now();
    const wrong = wrongComposeChoice(options);
    if (wrong !== null) {
      context.error(`tangent compose: ${wrong}\n`);
      return USAGE_STATUS;
    }
    const wanted = seed === undefined ? [] : [seed, ...more];
    const project = openRecorded("compose", wanted, options.program, context);
    if ("status" in project) return project.status;
    const { folder, config, seeds } = project;
    const time = options.time ?? config?.limits.timeMs;
    const literals = options.literals ?? config?.literals ?? undefined;
    // If none of what was named is there, it is most likely a slip: an earlier report is worth more than an empty one.
    if (!(await areThere(options.function, folder, seeds, context))) return USAGE_STATUS;
    return withPage(options.ui, folder, context, async () => {
      const result = await composeOnly(folder, seeds, { ...options, time, literals, beganMs }, context);
      if (result === null) return 3;
      const whole = await withThoseBack(folder, seeds, result, context);
      keepOtherResults(folder, whole.technique, context);
      const ended = endCampaign(folder, whole, readBaseline(options.baseline), options, context);
      await recheckFindings(folder, seeds, whole, context);
      return statusOfResult(ended);
    });
  },
});

export interface ComposeChoices extends CampaignEndChoices, JobsChoice {
  readonly time: number | undefined;
  readonly unitTime?: number | undefined;
  readonly function?: readonly string[];
  readonly without?: readonly string[];
  readonly sample?: number | undefined;
  readonly randomSeed?: number | undefined;
  readonly literals?: LiteralChoice | undefined;
  readonly root?: readonly string[];
  readonly again: boolean;
  readonly quiet: boolean;
  /** When its time began, if that was before. */
  readonly beganMs?: number;
  /** Findings that the user knows of: they are not told again. */
  readonly told?: ReadonlySet<string>;
}

function wrongComposeChoice(
  choices: CampaignEndChoices & JobsChoice & { readonly root: readonly string[]; readonly without: readonly string[] },
): string | null {
  const unknown = choices.without.find((part) => !isPart(part));
  if (unknown !== undefined) return `--without ${visible(unknown)}: the parts are ${COMPOSE_PARTS.join(", ")}`;
  return wrongAmplifyChoice(choices);
}

function isPart(name: string): name is ComposePart {
  return (COMPOSE_PARTS as readonly string[]).includes(name);
}

/** Tells which of the named functions no program has; false if that is all of them. */
async function areThere(
  names: readonly string[],
  folder: ProjectFolder,
  seeds: readonly Seed[],
  context: CommandContext,
): Promise<boolean> {
  if (names.length === 0) return true;
  const state = new ProjectState(folder.root, context.env);
  const programs = new Set(seeds.flatMap((seed) => sameProgram(state, seed) ?? []));
  const line = new ProgressLine(process.stderr);
  const { messages, isAll } = await missingFunctions(names, [...programs], {
    env: context.env,
    onProgress: (update) => line.update(update),
  });
  line.clear();
  for (const message of messages) context.error(`tangent compose: ${visible(message)}\n`);
  return !isAll;
}

/** The campaign and what it prints; no file is written. Null if it could not begin; the reason has been told. */
export async function composeOnly(
  folder: ProjectFolder,
  all: readonly Seed[],
  choices: ComposeChoices,
  context: CommandContext,
): Promise<ComposeCampaignResult | null> {
  const {
    told = new Set(),
    randomSeed = 1,
    unitTime,
    beganMs = performance.now(),
    without = [],
    sample: size = 0,
  } = choices;
  const seeds = size > 0 && size < all.length ? sampleOf(all, size, new Random(randomSeed)) : all;
  const state = new ProjectState(folder.root, context.env);
  const programs = programsOfSeeds(state, seeds, context);
  if (seeds.length === 0) {
    context.error("tangent: (to test a function without any tests: tangent unit FUNCTION PROGRAM)\n");
  }
  if (programs.length === 0) return null;
  const roots = rootsOf(choices.root ?? []);
  // A report on standard output is alone there, so that it can be read by a program.
  const tell = isPrinted(choices) ? context.error : context.out;
  const sources = sourcesBelow([folder.root]);
  const budgetMs = choices.time ?? DEFAULT_TIME_MS;
  const jobs = jobsOf(choices);
  const goesOn = choices.told !== undefined;
  const live = new LiveWriter(folder, { technique: "compose", seeds, programs, budgetMs, jobs, goesOn });
  const view = new CampaignView(context, tell, choices.quiet, sources, readBaseline(choices.baseline), folder, live);
  const kept = new KeptFindings(folder);
  // An input that edits made may have parts of all of them: what came with the repository is foreign, and what was made of it.
  const isOurs = seedsOurs(state, seeds).length === seeds.length;
  const recorded = new Set(seeds.map(({ id }) => id));
  const note = (found: ResultFinding): void => {
    if (isOurs && !recorded.has(found.seedId)) noteSeeds(state, [found.seedId]);
    noteInputs(state, [found]);
  };
  const ended = await runComposeCampaign(
    {
      folder,
      seeds,
      programs,
      env: context.env,
      plan: {
        ...(unitTime === undefined ? {} : { unitMs: unitTime }),
        functions: choices.function ?? [],
        without: without.filter(isPart),
        randomSeed,
        ...(choices.literals === undefined ? {} : { literals: choices.literals }),
        ...(roots.kind === "roots" ? withRoots(roots.roots) : {}),
      },
      budgetMs,
      workers: jobs,
      again: choices.again,
      beganMs,
    },
    (message) => {
      if (message.kind === "finding") {
        note(message.found);
        kept.saw(withSources(message.found, folder), "compose");
      }
      if (message.kind !== "finding" || !told.has(message.found.id)) show(view, message);
    },
  );
  view.end(ended.result?.reason);
  const campaign = ended.result;
  if (campaign === null) return null;
  // Of two witnesses of one finding another one may stand in the end than was told.
  campaign.findings.forEach(note);
  view.known(ended.known, "a function or a test each");
  const { paths, interpolants } = campaign.totals;
  view.summary(campaign, `${counted(paths, "path")}, ${counted(interpolants, "interpolant")}`);
  const isAnew = choices.again || ended.isBegunAnew;
  const standing = [...seeds, ...madeOf(folder, seeds)];
  const result = isAnew ? campaign : ledUp(withEarlierFindings(campaign, COMPOSE_FINDINGS, folder, standing, context));
  tell(renderComposition(result, tell === context.out && process.stdout.isTTY === true));
  const nothing = composedNothing(result);
  if (nothing !== null) view.warns(`${nothing.headline}, so this says nothing about the program: ${nothing.why}`);
  return result;
}

/** Inputs that were made of tests of the same programs: findings of theirs stand as those of tests do. */
function madeOf(folder: ProjectFolder, seeds: readonly Seed[]): readonly Seed[] {
  const programs = new Set(seeds.map(({ programContent }) => programContent));
  return new SeedStore(folder, "made").list().filter(({ programContent }) => programs.has(programContent));
}

/** Chains begin with `main` by what findings show, those of earlier campaigns too. */
function ledUp(result: ComposeCampaignResult): ComposeCampaignResult {
  return { ...result, targets: shownTargets(result.targets, result.findings) };
}

function show(view: CampaignView, message: ComposeMessage): void {
  if (message.kind === "composed") {
    const { chain, finding } = message.composed;
    view.told(`${finding} was led up to the program's input: ${chain.map(({ name }) => visible(name)).join(" > ")}`);
  } else if (message.kind !== "progress") view.show(message);
  else {
    const { phase, targets, lifted, findings, at, elapsedMs } = message;
    const failing = `${counted(targets, "failing line")}, ${lifted} lifted`;
    view.status(`${phase}, ${failing}, ${counted(findings, "finding")}`, at, elapsedMs);
  }
}
