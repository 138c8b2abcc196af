// `tangent amplify`: ZESTI on the recorded tests.

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { Worker } from "node:worker_threads";
import { AMPLIFY_COMPILE_OPTIONS } from "../jit/options.js";
import type { CampaignMessage, CampaignTask } from "../jobs/campaign-worker.js";
import { findProgram } from "../jobs/find-program.js";
import { earlierFindings, latestSeeds } from "../project/earlier-findings.js";
import { findProject, type ProjectFolder, writeSafely } from "../project/project-folder.js";
import { lockProject } from "../project/project-lock.js";
import { confidenceText, sampleOf } from "../project/sample.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import { restorePrograms } from "../project/stand-ins.js";
import type { CampaignResult, ResultFinding } from "../report/campaign-result.js";
import { extent } from "../report/extent.js";
import { commandSegments } from "../report/finding-view.js";
import { differenceOf } from "../report/input-diff.js";
import { ProgressLine } from "../report/progress-line.js";
import { PLAIN_TEXT, renderFinding } from "../report/text.js";
import { Random } from "../support/random.js";
import {
  CAMPAIGN_END_OPTIONS,
  type CampaignEndChoices,
  endCampaign,
  readBaseline,
  statusOfResult,
  wrongChoice,
} from "./campaign-end.js";
import { type CommandContext, defineCommand } from "./command.js";

export const AMPLIFY_OPTIONS = {
  time: { kind: "duration", short: "t", value: "TIME", help: "stop after this long: 30s, 5m, 1h (default 5m)" },
  distance: { kind: "number", value: "N", help: "the largest distance from the tests' own paths (default 8)" },
  seedTime: { kind: "duration", value: "TIME", help: "for one test at one distance (default 30s)" },
  sample: {
    kind: "number",
    value: "K",
    help: "look at K of the tests only, chosen at random, and say how sure one can be",
  },
  again: { kind: "flag", help: "also do what an earlier run has done already" },
  json: { kind: "value", value: "FILE", help: "write the results to FILE too (- for standard output)" },
  quiet: { kind: "flag", short: "q", help: "print findings only" },
  ...CAMPAIGN_END_OPTIONS,
} as const;

export const command = defineCommand({
  name: "amplify",
  summary: "Look for bugs on and around the paths of the recorded tests (ZESTI)",
  description: `Every dangerous operation on the path of a recorded test is checked for all inputs that take the same path; then the paths that
leave it are explored, those closest to dangerous operations first, further and further away until the time is up. A finding is
reported only after its input was run again and failed again.

The exit status is 0 if nothing was found, 1 if something was, 2 for a usage error, 3 if it could not be done.`,
  options: AMPLIFY_OPTIONS,
  operands: {
    seed: { kind: "optional", value: "SEED", help: "only this seed (see `tangent seeds`)" },
    more: { kind: "rest", value: "SEED", help: "and these" },
  },
  async run(options, { seed, more }, context) {
    const wanted = seed === undefined ? [] : [seed, ...more];
    const folder = findProject(process.cwd());
    const lock = lockProject(folder, "amplify");
    if (lock.kind === "busy") {
      context.error(`tangent: ${lock.message}\n`);
      return 3;
    }
    restorePrograms(folder);
    const store = new SeedStore(folder);
    const all = store.list();
    if (store.trouble !== "") context.error(`tangent: ${store.trouble}\n`);
    const seeds =
      wanted.length === 0 ? latestSeeds(all) : all.filter(({ id }) => wanted.some((name) => id.startsWith(name)));
    const result = await amplify(folder, seeds, options, context);
    return result === null ? 3 : statusOfResult(result);
  },
});

export interface AmplifyChoices extends CampaignEndChoices {
  readonly time: number | undefined;
  readonly distance: number | undefined;
  readonly seedTime: number | undefined;
  readonly sample?: number | undefined;
  readonly again: boolean;
  readonly json: string | undefined;
  readonly quiet: boolean;
  /** Stops when this says so, asked after each finding. */
  readonly until?: (findings: readonly ResultFinding[]) => boolean;
}

/** Null if it could not begin; the reason has been told. */
export async function amplify(
  folder: ProjectFolder,
  all: readonly Seed[],
  choices: AmplifyChoices,
  context: CommandContext,
): Promise<CampaignResult | null> {
  const baseline = readBaseline(choices.baseline);
  const wrong = baseline.kind === "wrong" ? baseline.message : wrongChoice(choices);
  if (wrong !== null) {
    context.error(`tangent: ${wrong}\n`);
    return null;
  }
  const size = choices.sample ?? 0;
  const seeds = size > 0 && size < all.length ? sampleOf(all, size, new Random(1)) : all;
  if (seeds.length < all.length) context.error(`tangent: ${confidenceText(all.length, seeds.length)}\n`);
  if (seeds.length === 0) {
    context.error("tangent: there are no seeds; record the tests first: tangent record -- make check\n");
    return null;
  }
  const programs = await loadPrograms(folder, seeds, context);
  if (programs.length === 0) return null;
  const view = new CampaignView(context, choices.quiet);
  const campaign = await runCampaign(
    {
      root: folder.root,
      seeds,
      programs,
      options: {
        ...(choices.time === undefined ? {} : { budgetMs: choices.time }),
        ...(choices.distance === undefined ? {} : { maxDistance: choices.distance }),
        ...(choices.seedTime === undefined ? {} : { seedMs: choices.seedTime }),
        again: choices.again,
      },
    },
    (message) => view.show(message),
    choices.until ?? (() => false),
  );
  if (campaign === null) return null;
  view.summary(campaign);
  const earlier = choices.again ? [] : earlierFindings<ResultFinding>(folder, seeds, campaign.findings);
  if (earlier.length > 0) {
    context.error(`tangent: ${earlier.length} more of earlier runs of these tests; --again looks for them anew\n`);
  }
  const complete = { ...campaign, findings: [...earlier, ...campaign.findings] };
  const result = endCampaign(folder, complete, baseline, choices, context);
  const text = `${JSON.stringify(result, null, 1)}\n`;
  if (choices.json === "-") context.out(text);
  else if (choices.json !== undefined) writeSafely(choices.json, text);
  return result;
}

/** The programs that the seeds were recorded from, translated; what cannot be loaded is told and left out. */
async function loadPrograms(
  folder: ProjectFolder,
  seeds: readonly Seed[],
  context: CommandContext,
): Promise<CampaignTask["programs"]> {
  const programs: CampaignTask["programs"][number][] = [];
  const met = new Set<string>();
  for (const { programContent: content, program } of seeds) {
    if (met.has(content)) continue;
    met.add(content);
    // The program as it was when it was recorded.
    const kept = join(folder.path, "real", content.slice(0, 16), basename(program));
    const progress = new ProgressLine(process.stderr);
    const found = await findProgram(existsSync(kept) ? kept : program, {
      env: context.env,
      clang: null,
      flags: [],
      compile: AMPLIFY_COMPILE_OPTIONS,
      onProgress: (state) => progress.update(state),
    });
    progress.clear();
    if (found.kind === "failed") context.error(`tangent: ${program}: ${found.message}\n`);
    else programs.push({ content, path: program, source: found.source });
  }
  return programs;
}

/** Enough for a guest's 8 MiB of frames at their smallest, as in findings/run-in-worker.ts. */
const STACK_MB = 512;

async function runCampaign(
  task: Omit<CampaignTask, "cell">,
  listen: (message: CampaignMessage) => void,
  until: (findings: readonly ResultFinding[]) => boolean,
): Promise<CampaignResult | null> {
  const findings: ResultFinding[] = [];
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("../jobs/campaign-worker.js", import.meta.url), {
    resourceLimits: { stackSizeMb: STACK_MB },
    stdin: false,
  });
  // The first Ctrl-C keeps what was found, the second ends the process.
  const onSignal = (): void => {
    if (Atomics.load(cell, 0) !== 0) process.exit(130);
    Atomics.store(cell, 0, 1);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  try {
    return await new Promise((resolve) => {
      worker.on("message", (message: CampaignMessage) => {
        listen(message);
        if (message.kind === "finding") {
          findings.push(message.found);
          if (until(findings)) Atomics.store(cell, 0, 1);
        }
        if (message.kind === "done") resolve(message.result);
        else if (message.kind === "failed") resolve(null);
      });
      const fail = (text: string): void => {
        listen({ kind: "failed", message: text });
        resolve(null);
      };
      worker.once("error", (error) => fail(error.message));
      worker.once("exit", (code) => fail(`the campaign's thread ended by itself with code ${code}`));
      worker.postMessage({ ...task, cell } satisfies CampaignTask);
    });
  } finally {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
    void worker.terminate();
  }
}

class CampaignView {
  private shownMs = -1000;
  private notes = 0;
  private line = false;
  private over = false;

  constructor(
    readonly context: CommandContext,
    readonly quiet: boolean,
  ) {}

  show(message: CampaignMessage): void {
    if (this.over) return;
    switch (message.kind) {
      case "status": {
        const { elapsedMs, distance, seed, seeds, checks, paths, findings, command: words } = message.status;
        if (this.quiet) return;
        const text = `distance ${distance}, test ${seed} of ${seeds}, ${checks} checks, ${paths} paths, ${findings} findings`;
        if (process.stderr.isTTY) {
          this.line = true;
          this.context.error(`\r\x1b[Ktangent: ${text}: ${words}`.slice(0, (process.stderr.columns ?? 80) - 1));
        } else if (elapsedMs - this.shownMs >= 5000) {
          this.shownMs = elapsedMs;
          this.context.error(`tangent: ${text}\n`);
        }
        return;
      }
      case "finding": {
        this.clear();
        this.context.out(
          renderFinding(message.finding, {
            ...PLAIN_TEXT,
            colour: process.stdout.isTTY === true,
            relativeTo: process.cwd(),
          }),
        );
        const { found } = message;
        this.context.out(witnessText(found));
        this.context.out(`show it: tangent show ${found.id}\n\n`);
        return;
      }
      case "note":
        if (++this.notes > MOST_NOTES) return;
        this.clear();
        this.context.error(`tangent: note: ${message.text}\n`);
        return;
      case "failed":
        this.over = true;
        this.clear();
        this.context.error(`tangent: ${message.message}\n`);
        return;
      case "done":
        this.over = true;
        this.clear();
    }
  }

  summary(result: CampaignResult): void {
    const { totals, findings, durationMs, reason } = result;
    if (this.notes > MOST_NOTES) {
      this.context.error(`tangent: note: ${this.notes - MOST_NOTES} more such notes are in the report\n`);
    }
    const why = { complete: "everything was done", time: "the time is up", aborted: "stopped" }[reason];
    this.context.error(
      `tangent: ${why} after ${(durationMs / 1000).toFixed(1)} s: ${extent(result)}, ` +
        `${totals.checks} checks, ${totals.paths} paths, ${findings.length === 1 ? "1 finding" : `${findings.length} findings`}\n`,
    );
  }

  private clear(): void {
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
  const lines = [`test (distance ${distance}): ${command(seedCommand, witnessCommand)}`];
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
  return lines.map((line) => `${line}\n`).join("");
}

function shownByte(byte: number | undefined): string {
  if (byte === undefined) return "nothing";
  const hex = byte.toString(16).padStart(2, "0");
  return byte > 0x20 && byte < 0x7f ? `${hex} '${String.fromCharCode(byte)}'` : hex;
}
