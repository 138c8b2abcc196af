// The campaigns of a project, a line each in `.tangent/history.jsonl`: whether there are fewer findings than last week, and more lines
// covered. Bounded: the oldest lines go. As with all of `.tangent`, anybody may have written it.

import { type ProjectFolder, writeSafely } from "../project/project-folder.js";
import type { CampaignResult } from "../report/campaign-result.js";
import { unsuppressed } from "../report/suppressed.js";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { readRegularFile } from "../support/regular-file.js";
import { matching, oneOf, orNull, record, text, upTo } from "../support/shape.js";

const NAME = "history.jsonl";
const MOST_LINES = 1000;
const MOST_BYTES = 4 << 20;

export interface HistoryEntry {
  /** When it began, as ISO writes it. */
  readonly at: string;
  readonly technique: string;
  readonly reason: "complete" | "time" | "aborted";
  readonly tests: number;
  /** Null: the technique does not count them. */
  readonly checks: number | null;
  readonly paths: number;
  /** Findings that nobody knew of, and those that are in the baseline or suppressed. */
  readonly fresh: number;
  readonly known: number;
  /** Lines of code: all, those that the tests reached, those that were reached besides. */
  readonly lines: number;
  readonly byTests: number;
  readonly added: number;
  readonly durationMs: number;
}

const count = upTo(Number.MAX_SAFE_INTEGER);
const ENTRY = record({
  at: matching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  technique: text,
  reason: oneOf("complete", "time", "aborted"),
  tests: count,
  checks: orNull(count),
  paths: count,
  fresh: count,
  known: count,
  lines: count,
  byTests: count,
  added: count,
  durationMs: count,
});

export function historyEntry(result: CampaignResult): HistoryEntry {
  const { findings, files, totals } = result;
  const amplified = result.technique === "compose" ? result.amplified : undefined;
  const fresh = unsuppressed(findings).filter(({ known }) => known !== true).length;
  const sum = (of: "lines" | "byTests" | "added"): number => files.reduce((all, file) => all + file[of].length, 0);
  return {
    at: result.startedAt,
    technique: result.technique,
    reason: result.reason,
    tests: "seeds" in totals ? totals.seeds : (amplified?.seeds.length ?? 0),
    checks: "checks" in totals ? totals.checks : null,
    paths: totals.paths,
    fresh,
    known: findings.length - fresh,
    lines: sum("lines"),
    byTests: sum("byTests"),
    added: sum("added"),
    durationMs: Math.round(result.durationMs),
  };
}

/** False if the disk refused it. */
export function appendHistory(folder: ProjectFolder, entry: HistoryEntry): boolean {
  const kept = [...readHistory(folder), entry].slice(-MOST_LINES);
  try {
    const lines = kept.map((one) => `${JSON.stringify(one)}\n`).join("");
    writeSafely(folder.file(NAME), lines, PRIVATE_FILE);
    return true;
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    return false;
  }
}

/** Oldest first. What is no entry is passed over. */
export function readHistory(folder: ProjectFolder): HistoryEntry[] {
  let lines: readonly string[];
  try {
    lines = readRegularFile(folder.known(NAME), { noLink: true, mostBytes: MOST_BYTES }).toString().split("\n");
  } catch {
    return [];
  }
  return lines.slice(-MOST_LINES - 1).flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isEntry(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

function isEntry(value: unknown): value is HistoryEntry {
  return ENTRY(value);
}
