// What follows a campaign: findings are confirmed natively if asked for, compared with a baseline, written as results.json and as
// every report, exported as tests. The results on the disk come first; nothing after them can lose them.

import { existsSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { confirmNatively } from "../jobs/confirm.js";
import { isInputOurs, isSeedOurs } from "../project/made-here.js";
import { type ProjectFolder, writeSafely } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { ProjectState } from "../project/state-folder.js";
import { type Baseline, readBaseline, withKnown } from "../report/baseline.js";
import type { CampaignResult, ResultFinding } from "../report/campaign-result.js";
import { testOfFinding } from "../report/finding-test.js";
import { counted, pathsBelow, whereOf } from "../report/finding-view.js";
import {
  automakeFragment,
  EXPORT_KINDS,
  type ExportKind,
  regressionName,
  regressionTest,
} from "../report/regression-test.js";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { visible } from "../support/visible-text.js";
import type { CommandContext, Tuple } from "./command.js";
import { REPORT_OPTIONS, type ReportChoices, writeReport, writeReports } from "./report-files.js";

export const CAMPAIGN_END_OPTIONS = {
  ...REPORT_OPTIONS,
  baseline: { kind: "value", value: "FILE", help: "an earlier results.json: only findings that are not in it count" },
  confirm: { kind: "flag", help: "run each finding's input with the native program too, in a scratch directory" },
  sanitized: { kind: "list", value: "PROG", help: "with --confirm: a build of the program with a sanitizer" },
  export: {
    kind: "tuple",
    values: ["KIND", "DIR"],
    help: `write each finding as a regression test into DIR; KIND is ${EXPORT_KINDS.join(" or ")}`,
  },
} as const;

/** All optional: a command without these options has none of them. */
export interface CampaignEndChoices extends Partial<ReportChoices> {
  readonly baseline?: string | undefined;
  readonly confirm?: boolean;
  readonly sanitized?: readonly string[];
  readonly export?: readonly Tuple[];
}

/** The first wrong choice in words, or null; to be asked before anything that takes time. */
export function wrongChoice({ baseline, export: exports = [], sanitized = [] }: CampaignEndChoices): string | null {
  const known = readBaseline(baseline);
  if (known.kind === "wrong") return known.message;
  const absent = sanitized.find((path) => !existsSync(path));
  if (absent !== undefined) return `--sanitized ${absent}: there is no such program`;
  const wrong = exports.find(({ values }) => !EXPORT_KINDS.includes(values[0] as ExportKind));
  return wrong === undefined ? null : `--export ${wrong.values[0]}: the kinds are ${EXPORT_KINDS.join(", ")}`;
}

/** Gives the result as it was written. */
export function endCampaign(
  folder: ProjectFolder,
  campaign: CampaignResult,
  baseline: Baseline,
  choices: CampaignEndChoices,
  context: CommandContext,
): CampaignResult {
  const marked = baseline.kind === "findings" ? withKnown(campaign.findings, baseline.findings) : campaign.findings;
  const findings =
    choices.confirm === true
      ? marked.map((finding) => confirmed(folder, finding, choices.sanitized ?? [], context))
      : marked;
  const result: CampaignResult = {
    ...campaign,
    findings,
    ...(baseline.kind === "findings" ? { baseline: baseline.path } : {}),
  };
  const results = join(folder.path, "report", "results.json");
  try {
    writeSafely(folder.file("report", "results.json"), `${JSON.stringify(result, null, 1)}\n`, PRIVATE_FILE);
  } catch (error) {
    // A full disk, most likely. What was found has been printed; the reports are tried all the same.
    context.error(`tangent: the results could not be written to ${results}: ${(error as Error).message}\n`);
  }
  const page = folder.file("report", "index.html");
  const isWritten = writeReport(folder, result, "html", page, context);
  const { html, sarif, junit, markdown, lcov } = choices;
  writeReports(folder, result, { html, sarif, junit, markdown, lcov }, context);
  for (const { values } of choices.export ?? [])
    exportTests(folder, result, values[0] as ExportKind, values[1], context);
  tellKnown(result, context);
  if (isWritten) context.error(`tangent: report: ${html ?? shortest(page)}\n`);
  return result;
}

/** 0 clean, 1 findings that count. */
export function statusOfResult({ findings }: CampaignResult): 0 | 1 {
  return findings.some(({ known }) => known !== true) ? 1 : 0;
}

function confirmed(
  folder: ProjectFolder,
  finding: ResultFinding,
  sanitized: readonly string[],
  context: CommandContext,
): ResultFinding {
  const state = new ProjectState(folder.root, context.env);
  const { level, words } = confirmNatively(folder, state, finding, sanitized, context.env);
  context.error(`tangent: ${finding.id} (${finding.kind}): ${words}\n`);
  return { ...finding, confirmed: level };
}

function tellKnown({ findings, project }: CampaignResult, context: CommandContext): void {
  const known = findings.filter((finding) => finding.known === true);
  if (known.length === 0) return;
  context.error(`tangent: ${counted(known.length, "finding is", "findings are")} in the baseline:\n`);
  for (const finding of known) {
    const text = `${finding.id} ${finding.title} at ${whereOf(finding, pathsBelow(project))}`;
    context.error(`  known: ${visible(text)}\n`);
  }
}

export function exportTests(
  folder: ProjectFolder,
  result: CampaignResult,
  kind: ExportKind,
  target: string,
  context: CommandContext,
): void {
  const directory = resolve(target);
  const shown = pathsBelow(folder.root);
  const state = new ProjectState(folder.root, context.env);
  const names: string[] = [];
  const dataFiles: string[] = [];
  try {
    mkdirSync(directory, { recursive: true });
    for (const finding of result.findings) {
      const test = testOfFinding(folder, finding);
      if (test.kind === "gone") {
        context.error(`tangent: not exported: ${test.message}\n`);
        continue;
      }
      const { text, data } = regressionTest(trusted(finding, test.seed, state), test, folder.root, kind, shown);
      const name = regressionName(finding);
      // What lies there may have come with the repository: nothing is written through a link.
      const beside = join(directory, `${name}.data`);
      if (lstatSync(beside, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(beside);
      if (data.length > 0) mkdirSync(beside, { recursive: true });
      for (const { name: part, bytes } of data) {
        writeSafely(join(beside, part), bytes);
        dataFiles.push(`${name}.data/${part}`);
      }
      writeSafely(join(directory, `${name}.sh`), text, 0o777);
      names.push(name);
    }
    if (kind === "automake") {
      const path = relative(folder.root, directory) || ".";
      writeSafely(join(directory, "tangent.mk"), automakeFragment(path, names, dataFiles));
    }
    context.error(`tangent: ${counted(names.length, "regression test")} written to ${target}\n`);
  } catch (error) {
    context.error(`tangent: the tests could not be written to ${directory}: ${(error as Error).message}\n`);
  }
}

/** A test that came with a repository says nothing about what is started natively: its program runs in the VM. */
function trusted(finding: ResultFinding, seed: Seed, state: ProjectState): ResultFinding {
  return isSeedOurs(state, seed) && isInputOurs(state, finding) ? finding : { ...finding, confirmed: "vm" };
}

function shortest(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith("..") ? path : below;
}
