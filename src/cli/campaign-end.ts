// What follows a campaign: findings are compared with a baseline, written as results.json, confirmed natively if asked for, written
// as every report, exported as tests. The results on the disk come first; nothing after them can lose them.

import { existsSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { confirmNatively, isBuildOf } from "../jobs/confirm.js";
import { type ExportGround, exportedPatchTests, exportedRegression, type LeftTest } from "../jobs/exported-tests.js";
import { outputFolder } from "../project/output-path.js";
import { type ProjectFolder, writeSafely } from "../project/project-folder.js";
import { type ReadSource, sourcesBelow } from "../project/sources.js";
import { ProjectState } from "../project/state-folder.js";
import { type Baseline, readBaseline, withKnown } from "../report/baseline.js";
import type { CampaignResult, ResultFinding } from "../report/campaign-result.js";
import { changedTests, literalChanges } from "../report/changed-source.js";
import { composedNothing } from "../report/compose-view.js";
import { saysNothing } from "../report/extent.js";
import { withSources } from "../report/finding-build.js";
import { testOfFinding } from "../report/finding-test.js";
import { counted, pathsBelow, pathsOf, whereOf } from "../report/finding-view.js";
import { KeptFindings } from "../report/kept-findings.js";
import { type PatchExportStyle, patchTestsReadme } from "../report/patch-export.js";
import type { BehaviourChange, PatchCampaignResult } from "../report/patch-result.js";
import { regressionsOf } from "../report/patch-view.js";
import { automakeFragment, EXPORT_KINDS, type ExportKind, regressionName } from "../report/regression-test.js";
import { isCounted, unsuppressed } from "../report/suppressed.js";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { visible } from "../support/visible-text.js";
import { appendHistory, historyEntry } from "../ui/history.js";
import { buildWithAsan } from "./asan-build.js";
import type { CommandContext, Tuple } from "./command.js";
import { withSettings } from "./project-settings.js";
import { REPORT_OPTIONS, type ReportChoices, writeReport, writeReports, wrongTargets } from "./report-files.js";

export const CAMPAIGN_END_OPTIONS = {
  ...REPORT_OPTIONS,
  baseline: { kind: "value", value: "FILE", help: "an earlier results.json: only findings that are not in it count" },
  confirm: {
    kind: "choice",
    choices: ["native", "asan"],
    bare: "native",
    help: "run each finding's input with the native program too, in a scratch directory; =asan: also with one built with AddressSanitizer",
  },
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
  readonly confirm?: "native" | "asan" | undefined;
  readonly sanitized?: readonly string[];
  readonly export?: readonly Tuple[];
  /** Where reports find sources; those of the project if it is left out. */
  readonly sources?: ReadSource;
  /** Which version of the project it is about, in words, if not the files in it. */
  readonly version?: string | undefined;
}

/** The first wrong choice in words, or null; to be asked before anything that takes time. */
export function wrongChoice(choices: CampaignEndChoices): string | null {
  const { baseline, export: exports = [], sanitized = [] } = choices;
  const known = readBaseline(baseline);
  if (known.kind === "wrong") return known.message;
  const absent = sanitized.find((path) => !existsSync(path));
  if (absent !== undefined) return `--sanitized ${absent}: there is no such program`;
  if (sanitized.length > 0 && choices.confirm === undefined) return "--sanitized says what --confirm runs: give both";
  const targets = wrongTargets(choices);
  if (targets !== null) return targets;
  const wrong = exports.find(({ values }) => !EXPORT_KINDS.includes(values[0] as ExportKind));
  return wrong === undefined ? null : `--export ${wrong.values[0]}: the kinds are ${EXPORT_KINDS.join(", ")}`;
}

export interface EndedCampaign<Result extends CampaignResult = CampaignResult> {
  /** As it was written. */
  readonly result: Result;
  /** False: something of what was asked for could not be written, which has been told. */
  readonly isWritten: boolean;
}

export function endCampaign<Result extends CampaignResult>(
  folder: ProjectFolder,
  campaign: Result,
  baseline: Baseline,
  choices: CampaignEndChoices,
  context: CommandContext,
): EndedCampaign<Result> {
  const compared: Result =
    baseline.kind === "findings"
      ? { ...campaign, findings: withKnown(campaign.findings, baseline.findings), baseline: baseline.path }
      : campaign;
  const kept = new KeptFindings(folder);
  const findings = compared.findings.map((finding) => {
    // What was kept when it was found is what was built; files may have been edited since.
    const known = kept.find(finding.id)?.finding.build;
    const isSame = known !== undefined && known.program === finding.build?.program;
    return withSources(isSame ? { ...finding, build: known } : finding, folder, choices.sources, choices.version);
  });
  const marked = withSettings({ ...compared, findings }, folder, choices.sources);
  kept.settle(marked);
  let isWritten = writeResults(folder, marked, context);
  if (!appendHistory(folder, historyEntry(marked))) {
    context.error("tangent: note: the campaign could not be added to the history\n");
  }
  let result = marked;
  if (choices.confirm !== undefined && marked.findings.length > 0) {
    result = { ...marked, findings: confirmAll(folder, marked.findings, choices, context) };
    isWritten = writeResults(folder, result, context);
  }
  const page = folder.file("report", "index.html");
  const hasPage = writeReport(folder, result, "html", page, context, choices.sources);
  if (!writeReports(folder, result, choices, context, choices.sources)) isWritten = false;
  for (const { values } of choices.export ?? []) {
    if (!exportTests(folder, result, values[0] as ExportKind, values[1], context)) isWritten = false;
  }
  tellKnown(result, context);
  if (hasPage) context.error(`tangent: report: ${choices.html ?? shortest(page)}\n`);
  return { result, isWritten: isWritten && hasPage };
}

/** Not README.md: the project may have one there. */
const PATCH_README = "tangent-tests.md";

/** As of a shell's command that Ctrl-C ended. */
const STOPPED_STATUS = 130;

/** 1: findings that count, or inputs that fail only since a patch. Without any: 3 if something could not be written or nothing was checked, 130 if the user stopped it, else 0. */
export function statusOfResult({ result, isWritten }: EndedCampaign): number {
  if (result.findings.some(isCounted) || (result.seen ?? []).length > 0) return 1;
  // A finding counts for itself, or is in the baseline.
  const isOwn = ({ source }: BehaviourChange): boolean => source.kind !== "finding";
  if (result.technique === "patch" && regressionsOf(result).some(isOwn)) return 1;
  if (!isWritten) return 3;
  if (result.reason === "aborted") return STOPPED_STATUS;
  return isAboutNothing(result) ? 3 : 0;
}

function isAboutNothing(result: CampaignResult): boolean {
  if (result.technique === "amplify") return saysNothing(result) !== null;
  return result.technique === "compose" && composedNothing(result) !== null;
}

/** False if it could not be done, which has been told. */
export function writeResults(folder: ProjectFolder, result: CampaignResult, context: CommandContext): boolean {
  try {
    writeSafely(folder.file("report", "results.json"), `${JSON.stringify(result, null, 1)}\n`, PRIVATE_FILE);
    return true;
  } catch (error) {
    // A full disk, most likely. What was found has been printed; the reports are tried all the same.
    const path = join(folder.path, "report", "results.json");
    context.error(`tangent: the results could not be written to ${path}: ${(error as Error).message}\n`);
    return false;
  }
}

function confirmAll(
  folder: ProjectFolder,
  findings: readonly ResultFinding[],
  { sanitized = [], confirm }: CampaignEndChoices,
  context: CommandContext,
): ResultFinding[] {
  const programs = [...new Set(findings.map(({ program }) => program))];
  for (const path of sanitized) {
    if (programs.some((program) => isBuildOf(path, program))) continue;
    const names = programs.map((program) => basename(program)).join(", ");
    context.error(`tangent: note: --sanitized ${path} was not run: the findings are of ${visible(names)}\n`);
  }
  const state = new ProjectState(folder.root, context.env);
  const build = confirm === "asan" ? buildWithAsan(folder, state, programs, context) : null;
  const asan = build === null ? null : (program: string) => build.programOf(program);
  return findings.map((finding) => {
    try {
      const { level, words } = confirmNatively(folder, state, finding, { instead: null, sanitized, asan }, context.env);
      context.error(`tangent: ${visible(`${finding.id} (${finding.kind}): ${words}`)}\n`);
      return { ...finding, confirmed: level };
    } catch (error) {
      // No room for the copies of its files, most likely. What the VM has confirmed stands.
      context.error(`tangent: ${finding.id} was not run natively: ${(error as Error).message}\n`);
      return finding;
    }
  });
}

function tellKnown(result: CampaignResult, context: CommandContext): void {
  const { findings, hints } = result;
  const placeOf = (one: ResultFinding): string => `${one.id} ${one.title} at ${whereOf(one, pathsOf(result))}`;
  const known = findings.filter((finding) => finding.known === true && finding.suppressed === undefined);
  if (known.length > 0) {
    context.error(`tangent: ${counted(known.length, "finding is", "findings are")} in the baseline:\n`);
    for (const finding of known) context.error(`  known: ${visible(placeOf(finding))}\n`);
  }
  const left = findings.filter(({ suppressed }) => suppressed !== undefined);
  if (left.length > 0) {
    context.error(`tangent: ${counted(left.length, "finding is", "findings are")} suppressed by tangent.toml:\n`);
    for (const finding of left) {
      context.error(`  suppressed: ${visible(`${placeOf(finding)} (${finding.suppressed})`)}\n`);
    }
  }
  for (const hint of hints ?? []) context.error(`tangent: ${visible(hint)}\n`);
}

/** Findings as regression tests, and of a patch each input that reaches changed code besides. Each was run before it is written. */
export function exportTests(
  folder: ProjectFolder,
  result: CampaignResult,
  kind: ExportKind | PatchExportStyle,
  target: string,
  context: CommandContext,
): boolean {
  const shown = pathsBelow(folder.root);
  const ground = { folder, state: new ProjectState(folder.root, context.env), env: context.env };
  const names: string[] = [];
  const dataFiles: string[] = [];
  const sources: string[] = [];
  const left: LeftTest[] = [];
  try {
    const directory = outputFolder(target, folder.root);
    mkdirSync(directory, { recursive: true });
    for (const finding of unsuppressed(result.findings)) {
      const name = regressionName(finding);
      const test = testOfFinding(folder, finding);
      if (test.kind === "gone") {
        left.push({ name: `${name}.sh`, why: test.message });
        continue;
      }
      if (literalChanges(finding).length > 0) {
        for (const { name: source, text } of changedTests(finding, sourcesBelow([folder.root]), shown)) {
          writeSafely(join(directory, source), text);
          sources.push(source);
        }
        continue;
      }
      const made = exportedRegression(ground, finding, test, kind === "automake" ? kind : "shell", shown);
      if ("why" in made) {
        left.push(made);
        continue;
      }
      const { text, data } = made;
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
    if (kind === "automake" && names.length > 0) {
      const path = relative(folder.root, directory) || ".";
      writeSafely(join(directory, "tangent.mk"), automakeFragment(path, names, dataFiles));
    }
    if (sources.length > 0) {
      const tests = counted(sources.length, "changed test source");
      context.error(`tangent: ${tests} written to ${target}, not run; the first lines of each say how to compile it\n`);
    }
    if (names.length > 0 || (result.technique !== "patch" && sources.length === 0)) {
      const how = names.length > 0 ? ": each was run, and fails" : "";
      context.error(`tangent: ${counted(names.length, "regression test")} written to ${target}${how}\n`);
    }
    if (result.technique === "patch") left.push(...exportReached(ground, result, kind, directory, context));
    tellLeft(left, context);
    return true;
  } catch (error) {
    context.error(`tangent: the tests could not be written to ${target}: ${(error as Error).message}\n`);
    return false;
  }
}

/** Inputs that reach changed code, as tests to be reviewed and kept; gives those that are not written. Throws what the disk says. */
function exportReached(
  ground: ExportGround,
  result: PatchCampaignResult,
  style: PatchExportStyle,
  directory: string,
  context: CommandContext,
): readonly LeftTest[] {
  const { scripts, left } = exportedPatchTests(ground, result, style);
  for (const { name, text } of scripts) writeSafely(join(directory, name), text, 0o777);
  if (scripts.length > 0) {
    const names = scripts.map(({ name }) => name);
    const readme = patchTestsReadme(names, style, relative(ground.folder.root, directory));
    writeSafely(join(directory, PATCH_README), readme);
  }
  const tests = counted(scripts.length, "test");
  const none = left.length > 0 ? "" : ": no input had to be made for it";
  const how = scripts.length > 0 ? `: each was run, and passes; ${PATCH_README} there says how to run them` : none;
  context.error(`tangent: ${tests} of changed code written to ${directory}${how}\n`);
  return left;
}

const MOST_LEFT = 20;

function tellLeft(left: readonly LeftTest[], context: CommandContext): void {
  if (left.length === 0) return;
  context.error(`tangent: ${counted(left.length, "test was", "tests were")} not written:\n`);
  for (const { name, why } of left.slice(0, MOST_LEFT)) context.error(`  ${visible(`${name}: ${why}`)}\n`);
  if (left.length > MOST_LEFT) context.error(`  and ${left.length - MOST_LEFT} more\n`);
}

function shortest(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith("..") ? path : below;
}
