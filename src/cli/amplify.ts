// `tangent amplify`: ZESTI on the recorded tests.

import { basename } from "node:path";
import { MOST_WORKERS } from "../campaign/campaign.js";
import type { ProgramPlace } from "../campaign/work-messages.js";
import { type AmplifyMessage, runAmplifyCampaign } from "../jobs/amplify-campaign.js";
import { type ProjectConfig, readConfig } from "../project/config.js";
import { earlierFindings, latestSeeds } from "../project/earlier-findings.js";
import { noteInputs } from "../project/made-here.js";
import { findProject, type ProjectFolder } from "../project/project-folder.js";
import { lockProject } from "../project/project-lock.js";
import { restorePrograms } from "../project/restore-programs.js";
import { confidenceText, sampleOf } from "../project/sample.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import { type ReadSource, sourcesBelow } from "../project/sources.js";
import { sameProgram } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import { type Baseline, readBaseline, withKnown } from "../report/baseline.js";
import type { AmplifyCampaignResult, ResultFinding } from "../report/campaign-result.js";
import { divergencesInWords } from "../report/divergences.js";
import { extent } from "../report/extent.js";
import { bugsInWords } from "../report/finding-groups.js";
import { commandSegments, pathsBelow, whereOf } from "../report/finding-view.js";
import { differenceOf } from "../report/input-diff.js";
import { ProgressLine } from "../report/progress-line.js";
import { isResultFinding } from "../report/result-shape.js";
import { PLAIN_TEXT, renderFinding } from "../report/text.js";
import { Random } from "../support/random.js";
import { visible, visibleLines } from "../support/visible-text.js";
import {
  CAMPAIGN_END_OPTIONS,
  type CampaignEndChoices,
  type EndedCampaign,
  endCampaign,
  statusOfResult,
  wrongChoice,
} from "./campaign-end.js";
import { type CommandContext, defineCommand, USAGE_STATUS } from "./command.js";
import { isPrinted } from "./report-files.js";
import { ROOT_OPTION, rootsOf, withRoots } from "./roots.js";

export const AMPLIFY_OPTIONS = {
  time: { kind: "duration", short: "t", value: "TIME", help: "stop after this long: 30s, 5m, 1h (default 5m)" },
  distance: {
    kind: "number",
    integer: true,
    value: "N",
    help: "the largest distance from the tests' own paths (default 8)",
  },
  seedTime: { kind: "duration", value: "TIME", help: "for one test at one distance (default 30s)" },
  sample: {
    kind: "number",
    integer: true,
    value: "K",
    help: "look at K of the tests only, chosen at random, and say how sure one can be",
  },
  workers: {
    kind: "number",
    integer: true,
    least: 1,
    value: "N",
    help: `threads that work at the same time (default 1, at most ${MOST_WORKERS})`,
  },
  root: ROOT_OPTION,
  again: { kind: "flag", help: "also do what an earlier run has done already" },
  quiet: { kind: "flag", short: "q", help: "print findings only" },
  ...CAMPAIGN_END_OPTIONS,
} as const;

export const command = defineCommand({
  name: "amplify",
  summary: "Look for bugs on and around the paths of the recorded tests (ZESTI)",
  description: `Every dangerous operation on the path of a recorded test is checked for all inputs that take the same path; then the paths that
leave it are explored, those closest to dangerous operations first, further and further away until the time is up. A finding is
reported only after its input was run again and failed again.

The exit status is 0 if nothing was found, 1 if something was, 2 for a usage error, 3 if it could not be done, 130 if
Ctrl-C ended it before something was found.`,
  options: AMPLIFY_OPTIONS,
  operands: {
    seed: { kind: "optional", value: "SEED", help: "only this seed (see `tangent seeds`)" },
    more: { kind: "rest", value: "SEED", help: "and these" },
  },
  async run(options, { seed, more }, context) {
    const wanted = seed === undefined ? [] : [seed, ...more];
    const wrong = wrongAmplifyChoice(options);
    if (wrong !== null) {
      context.error(`tangent amplify: ${wrong}\n`);
      return USAGE_STATUS;
    }
    const folder = findProject(process.cwd());
    const config = readConfig(folder.root);
    if (config.kind === "wrong") {
      context.error(`tangent: ${config.problem}\n`);
      return USAGE_STATUS;
    }
    const state = new ProjectState(folder.root, context.env);
    const lock = lockProject(folder, state, "amplify");
    if (lock.kind === "busy") {
      context.error(`tangent: ${lock.message}\n`);
      return 3;
    }
    for (const problem of restorePrograms(state).problems) context.error(`tangent: note: ${problem}\n`);
    const store = new SeedStore(folder);
    const all = store.list();
    if (store.trouble !== "") context.error(`tangent: ${store.trouble}\n`);
    const unknown = wanted.find((name) => !all.some(({ id }) => id.startsWith(name)));
    if (unknown !== undefined) {
      context.error(`tangent amplify: no seed's id begins with ${visible(unknown)}; see \`tangent seeds\`\n`);
      return USAGE_STATUS;
    }
    const seeds =
      wanted.length === 0 ? latestSeeds(all) : all.filter(({ id }) => wanted.some((name) => id.startsWith(name)));
    const choices = withLimits(options, config.kind === "config" ? config.config : null);
    const ended = await amplify(folder, seeds, choices, context);
    return ended === null ? 3 : statusOfResult(ended);
  },
});

export interface AmplifyChoices extends CampaignEndChoices {
  readonly time: number | undefined;
  readonly distance: number | undefined;
  readonly seedTime: number | undefined;
  readonly sample?: number | undefined;
  readonly workers?: number | undefined;
  readonly root?: readonly string[];
  readonly again: boolean;
  readonly quiet: boolean;
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
  };
}

/** The first wrong choice in words, or null; to be asked before anything that takes time. */
export function wrongAmplifyChoice(
  choices: CampaignEndChoices & { readonly root: readonly string[]; readonly workers: number | undefined },
): string | null {
  if ((choices.workers ?? 1) > MOST_WORKERS) return `--workers: at most ${MOST_WORKERS}`;
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
  const baseline = readBaseline(choices.baseline);
  const roots = rootsOf(choices.root ?? []);
  const size = choices.sample ?? 0;
  const seeds = size > 0 && size < all.length ? sampleOf(all, size, new Random(1)) : all;
  if (seeds.length < all.length) context.error(`tangent: ${confidenceText(all.length, seeds.length)}\n`);
  if (seeds.length === 0) {
    context.error("tangent: there are no seeds; record the tests first: tangent record -- make check\n");
    return null;
  }
  const state = new ProjectState(folder.root, context.env);
  const programs = programPlaces(state, seeds, context);
  if (programs.length === 0) return null;
  // A report on standard output is alone there, so that it can be read by a program.
  const tell = isPrinted(choices) ? context.error : context.out;
  const view = new CampaignView(context, tell, choices.quiet, sourcesBelow([folder.root]), baseline);
  const ended = await runAmplifyCampaign(
    {
      folder,
      seeds,
      programs,
      env: context.env,
      ...(choices.time === undefined ? {} : { budgetMs: choices.time }),
      plan: {
        ...(choices.distance === undefined ? {} : { maxDistance: choices.distance }),
        ...(roots.kind === "roots" ? withRoots(roots.roots) : {}),
      },
      ...(choices.seedTime === undefined ? {} : { itemMs: choices.seedTime }),
      ...(choices.workers === undefined ? {} : { workers: choices.workers }),
      again: choices.again,
      until: choices.until ?? (() => false),
    },
    (message) => {
      if (message.kind === "finding") noteInputs(state, [message.found]);
      view.show(message);
    },
  );
  view.end();
  const campaign = ended.result;
  if (campaign === null) return null;
  view.summary(campaign, ended.known);
  const isAnew = choices.again || ended.isBegunAnew;
  const earlier = isAnew ? [] : earlierFindings(folder, seeds, campaign.findings, isResultFinding);
  if (earlier.length > 0) {
    context.error(`tangent: ${earlier.length} more of earlier runs of these tests; --again looks for them anew\n`);
  }
  const complete = { ...campaign, findings: [...earlier, ...campaign.findings] };
  return endCampaign(folder, complete, baseline, choices, context);
}

/** The programs that the seeds were recorded from, as they were then. */
function programPlaces(state: ProjectState, seeds: readonly Seed[], context: CommandContext): ProgramPlace[] {
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

/** What a user sees while a campaign goes on. */
export class CampaignView {
  private shownMs = -1000;
  private notes = 0;
  private line = false;
  private loading: ProgressLine | null = null;
  /** The first finding of each cause is told in full, the others in a line. */
  private readonly groups = new Map<string, string>();

  constructor(
    readonly context: CommandContext,
    /** Where findings are told. */
    readonly tell: CommandContext["out"],
    readonly quiet: boolean,
    readonly readSource: ReadSource,
    /** What is in it is told in a line. */
    readonly baseline: Baseline = { kind: "none" },
  ) {}

  show(message: AmplifyMessage): void {
    switch (message.kind) {
      case "loading":
        if (this.quiet) return;
        if (this.loading === null) this.clear();
        this.loading ??= new ProgressLine(process.stderr);
        this.loading.update(message.progress);
        return;
      case "loaded":
        this.loading?.clear();
        this.loading = null;
        return;
      case "status": {
        const { elapsedMs, distance, seed, seeds, checks, paths, findings, command: words } = message.status;
        const text = `distance ${distance}, test ${seed} of ${seeds}, ${checks} checks, ${paths} paths, ${findings} findings`;
        this.status(text, words, elapsedMs);
        return;
      }
      case "finding": {
        this.clear();
        if (this.baseline.kind === "findings" && withKnown([message.found], this.baseline.findings)[0].known === true) {
          const { id, title } = message.found;
          const place = whereOf(message.found, pathsBelow(process.cwd()));
          this.tell(`==tangent== known (it is in the baseline): ${id} ${visible(`${title} at ${place}`)}\n`);
          return;
        }
        const first = this.groups.get(message.found.group);
        this.groups.set(message.found.group, first ?? message.found.id);
        if (first !== undefined) {
          const place = whereOf(message.found, pathsBelow(process.cwd()));
          this.tell(`==tangent== the cause of ${first} shows at ${visible(place)} too\n`);
        } else {
          const colour = process.stdout.isTTY === true && this.tell === this.context.out;
          const text = { ...PLAIN_TEXT, readSource: this.readSource, colour, relativeTo: process.cwd() };
          this.tell(renderFinding(message.finding, text));
        }
        const { found } = message;
        this.tell(witnessText(found));
        this.tell(`show it: tangent show ${found.id}\n\n`);
        return;
      }
      case "note":
        if (++this.notes > MOST_NOTES) return;
        this.clear();
        this.context.error(`tangent: note: ${visible(message.text)}\n`);
        return;
      case "failed":
        this.clear();
        this.context.error(`tangent: ${message.message}\n`);
    }
  }

  /** A line that rewrites itself on a terminal, now and then one elsewhere; `detail` is for terminals only. */
  status(text: string, detail: string, elapsedMs: number): void {
    if (this.quiet) return;
    if (process.stderr.isTTY) {
      this.line = true;
      this.context.error(`\r\x1b[Ktangent: ${text}: ${visible(detail)}`.slice(0, (process.stderr.columns ?? 80) - 1));
    } else if (elapsedMs - this.shownMs >= 5000) {
      this.shownMs = elapsedMs;
      this.context.error(`tangent: ${text}\n`);
    }
  }

  /** Something that is told when it happens. */
  told(text: string): void {
    if (this.quiet) return;
    this.clear();
    this.context.error(`tangent: ${text}\n`);
  }

  end(): void {
    this.clear();
  }

  /** `known`: what earlier campaigns have done. */
  summary(result: AmplifyCampaignResult, known: number): void {
    const { totals, findings, durationMs, reason } = result;
    if (this.notes > MOST_NOTES) {
      this.context.error(`tangent: note: ${this.notes - MOST_NOTES} more such notes are in the report\n`);
    }
    if (known > 0) {
      const items = known === 1 ? "1 item was" : `${known} items were`;
      this.context.error(
        `tangent: ${items} done by an earlier campaign (a test at a distance each); --again does them anew\n`,
      );
    }
    const why = { complete: "everything was done", time: "the time is up", aborted: "stopped" }[reason];
    this.context.error(
      `tangent: ${why} after ${(durationMs / 1000).toFixed(1)} s: ${extent(result)}, ` +
        `${totals.checks} checks, ${totals.paths} paths, ${bugsInWords(findings, "finding")}\n`,
    );
    const diverged = divergencesInWords(result);
    if (diverged !== null) this.context.error(`tangent: ${diverged}\n`);
  }

  private clear(): void {
    this.loading?.clear();
    this.loading = null;
    if (this.line) this.context.error("\r\x1b[K");
    this.line = false;
  }
}

/** A thousand tests may have lost the same file. */
const MOST_NOTES = 5;
/** Bytes that are shown one by one; `tangent show` has them all. */
const SHOWN_CHANGES = 4;

/** What to change in the test to see the failure. */
function witnessText(found: ResultFinding): string {
  const { seedCommand, witnessCommand, distance, inputs } = found;
  const command = (words: readonly string[], others: readonly string[]): string =>
    commandSegments(words, others)
      .map(({ text }) => text)
      .join("");
  const lines = [
    `${found.isMade === true ? "made" : "test"} (distance ${distance}): ${command(seedCommand, witnessCommand)}`,
  ];
  const failing = command(witnessCommand, seedCommand);
  if (failing !== command(seedCommand, witnessCommand)) lines.push(`fails with:        ${failing}`);
  for (const input of inputs) {
    if (/^arg\d+$/.test(input.name)) continue;
    const { label, seed, witness, changedBytes } = differenceOf(input, (path) => basename(path));
    if (changedBytes === 0) continue;
    const changes: string[] = [];
    for (let at = 0; at < witness.length && changes.length < SHOWN_CHANGES; at++) {
      if (seed[at] !== witness[at]) changes.push(`byte ${at}: ${shownByte(seed[at])} -> ${shownByte(witness[at])}`);
    }
    const more = changedBytes > changes.length ? `, ${changedBytes - changes.length} more` : "";
    lines.push(`fails with ${label}: ${changes.join(", ")}${more}`);
  }
  return visibleLines(lines);
}

function shownByte(byte: number | undefined): string {
  if (byte === undefined) return "nothing";
  const hex = byte.toString(16).padStart(2, "0");
  return byte > 0x20 && byte < 0x7f ? `${hex} '${String.fromCharCode(byte)}'` : hex;
}
