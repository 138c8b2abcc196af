// `tangent patch --each A..B`: every commit of a range against its parent, in one table, as the paper has it. It takes hours, so each commit
// that is done is written down at once, and a range that was stopped goes on with the next. A commit that does not build is a
// row of the table and no reason to stop.

import { existsSync } from "node:fs";
import { hashOf } from "../project/content-hash.js";
import { changesFromGit, subjectOf } from "../project/patch/git-changes.js";
import { writeSafely } from "../project/project-folder.js";
import { patchCoverage } from "../report/patch-text.js";
import { isCounted } from "../report/suppressed.js";
import { appendToFile } from "../support/append-whole.js";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { readRegularFile } from "../support/regular-file.js";
import { matching, record, text, upTo, whole } from "../support/shape.js";
import { version } from "../support/version.js";
import { visible } from "../support/visible-text.js";
import type { CommandContext } from "./command.js";
import { failedBy, type PatchProject } from "./patch-project.js";
import { type PatchChoices, type PatchOutcome, runComparison } from "./patch-run.js";

/** One commit in the table. */
export interface CommitRow {
  readonly commit: string;
  /** Of what was asked for: other limits make another table. */
  readonly settings: string;
  readonly subject: string;
  readonly status: number;
  /** Changed lines with code; those the tests execute; those with Tangent's inputs. */
  readonly lines: number;
  readonly byTests: number;
  readonly withTangent: number;
  readonly findings: number;
  readonly regressions: number;
  readonly different: number;
  readonly milliseconds: number;
  /** Why there are no numbers; "" if there are. */
  readonly why: string;
}

const ROW = record({
  commit: matching(/^[0-9a-f]{40,64}$/),
  settings: text,
  subject: text,
  status: upTo(255),
  lines: whole,
  byTests: whole,
  withTangent: whole,
  findings: whole,
  regressions: whole,
  different: whole,
  milliseconds: whole,
  why: text,
});

const INTERRUPTED = 128;

export async function runEach(
  project: PatchProject,
  commits: readonly string[],
  choices: PatchChoices,
  context: CommandContext,
): Promise<number> {
  const { folder, sources } = project;
  const { repository } = sources;
  if (repository === null) return 3;
  if (commits.length === 0) {
    context.error("tangent: there are no commits in that range (merges do not count)\n");
    return 0;
  }
  const settings = settingsOf(project, choices);
  const journal = folder.file("patch", "each.journal");
  const done = choices.again ? new Map<string, CommitRow>() : readRows(journal, settings);
  const known = commits.filter((commit) => done.has(commit)).length;
  if (known > 0)
    context.error(`tangent: ${known} of ${commits.length} commits were done before; --again does them anew\n`);
  const rows: CommitRow[] = [];
  for (const [index, commit] of commits.entries()) {
    let row = done.get(commit) ?? null;
    if (row === null) {
      const subject = subjectOf(repository, commit);
      context.error(`tangent: commit ${index + 1} of ${commits.length}: ${commit.slice(0, 12)} ${visible(subject)}\n`);
      const started = performance.now();
      const outcome = await oneCommit(project, commit, choices, context);
      // The user wants the prompt, and this commit is not done.
      if (outcome.status > INTERRUPTED || outcome.result?.reason === "aborted") {
        context.error("tangent: stopped; the same command goes on with this commit\n");
        context.out(renderTable(rows));
        return 130;
      }
      row = rowOf(commit, subject, settings, outcome, performance.now() - started);
      if (outcome.result !== null) {
        const path = folder.file("report", "each", `${commit}.json`);
        writeSafely(path, `${JSON.stringify(outcome.result)}\n`, PRIVATE_FILE);
      }
      appendRow(journal, row);
    }
    rows.push(row);
  }
  context.out(renderTable(rows));
  return statusOfRows(rows);
}

async function oneCommit(
  project: PatchProject,
  commit: string,
  choices: PatchChoices,
  context: CommandContext,
): Promise<PatchOutcome> {
  const { repository } = project.sources;
  if (repository === null) throw new Error("no repository");
  try {
    const comparison = changesFromGit(repository, { kind: "revisions", text: commit });
    return await runComparison(project, comparison, choices, context);
  } catch (error) {
    const { problem, status } = failedBy(error);
    context.error(`tangent: ${problem}\n`);
    return { status, result: null, why: problem };
  }
}

/** 1 if any commit has something; 3 only if none could be looked at. */
export function statusOfRows(rows: readonly CommitRow[]): number {
  if (rows.some(({ status }) => status === 1)) return 1;
  return rows.length > 0 && rows.every(({ status }) => status > 1) ? 3 : 0;
}

function rowOf(
  commit: string,
  subject: string,
  settings: string,
  { status, result, why }: PatchOutcome,
  milliseconds: number,
): CommitRow {
  const coverage = patchCoverage(result ?? { lines: [] });
  const changes = result?.behaviour ?? [];
  return {
    ...{ commit, settings, subject, status, why },
    ...{ lines: coverage.lines, byTests: coverage.byTests, withTangent: coverage.withTangent },
    findings: (result?.findings ?? []).filter(isCounted).length,
    regressions: changes.filter(({ severity }) => severity === "crash").length,
    different: changes.length,
    milliseconds: Math.round(milliseconds),
  };
}

/** What makes rows incomparable if it changes. */
function settingsOf({ config }: PatchProject, choices: PatchChoices): string {
  const { time, targetTime, without, test, noOld, noTests } = choices;
  const asked = [time ?? null, targetTime ?? null, [...without].sort(), test ?? null, noOld === true, noTests];
  return hashOf(Buffer.from(JSON.stringify([version(), config, asked]))).slice(0, 16);
}

/**
 * The last row of each commit. What is no row, or has other settings, is passed over; so is a commit that had trouble, since
 * whoever starts again may have mended it.
 */
export function readRows(path: string, settings: string): Map<string, CommitRow> {
  const rows = new Map<string, CommitRow>();
  if (!existsSync(path)) return rows;
  for (const line of readRegularFile(path).toString().split("\n")) {
    try {
      const value: unknown = JSON.parse(line);
      if (!ROW(value)) continue;
      const row = value as CommitRow;
      if (row.settings !== settings) continue;
      if (row.status > 1) rows.delete(row.commit);
      else rows.set(row.commit, row);
    } catch {
      // The last line of a run that was killed.
    }
  }
  return rows;
}

export function appendRow(path: string, row: CommitRow): void {
  // A line that was cut short must not swallow this one.
  appendToFile(path, `\n${JSON.stringify(row)}\n`);
}

const COLUMNS = ["commit", "lines", "tests", "Tangent", "findings", "changed", "time", ""];

/** For people, and easily read by programs: columns are aligned, what is missing is a dash. */
export function renderTable(rows: readonly CommitRow[]): string {
  const cells = rows.map((row) => {
    const { why, commit, subject } = row;
    const numbers =
      why !== ""
        ? ["-", "-", "-", "-", "-"]
        : [row.lines, row.byTests, row.withTangent, row.findings, changesOf(row)].map(String);
    const note = why === "" ? visible(subject) : `${visible(subject)} (${visible(why)})`;
    return [commit.slice(0, 12), ...numbers, `${(row.milliseconds / 1000).toFixed(0)} s`, note];
  });
  const counted = rows.filter(({ why }) => why === "");
  const sum = (of: (row: CommitRow) => number): string => `${counted.reduce((total, row) => total + of(row), 0)}`;
  const total = [
    `${counted.length} of ${rows.length}`,
    ...[sum((row) => row.lines), sum((row) => row.byTests), sum((row) => row.withTangent)],
    ...[sum((row) => row.findings), sum((row) => row.different)],
    `${(rows.reduce((time, row) => time + row.milliseconds, 0) / 1000).toFixed(0)} s`,
    "",
  ];
  const all = [COLUMNS, ...cells, total];
  const widths = COLUMNS.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all
    .map((row) => {
      const padded = row.map((cell, column) =>
        column === 0 || column === row.length - 1 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
      );
      return `${padded.join("  ").trimEnd()}\n`;
    })
    .join("");
}

function changesOf({ different, regressions }: CommitRow): string {
  return regressions > 0 ? `${different} (${regressions} fail)` : `${different}`;
}
