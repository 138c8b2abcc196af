// The findings of the campaign that goes on, a line each, in the order in which they came: a page asks for a few of them at a time.
// What a line says of a finding is what a list shows; `.tangent/findings` has the whole.

import { rmSync } from "node:fs";
import type { ProjectFolder } from "../project/project-folder.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { type ShownPath, whereOf } from "../report/finding-view.js";
import { appendToFile } from "../support/append-whole.js";
import { readRegularFile } from "../support/regular-file.js";
import { matching, number, record, text, truth } from "../support/shape.js";

const NAME = "live-findings.jsonl";
/** More than a hundred thousand findings. */
const MOST_BYTES = 64 << 20;
const MOST_TEXT = 400;

export interface FindingLine {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly severity: string;
  /** In words. */
  readonly where: string;
  readonly program: string;
  readonly distance: number;
  /** Milliseconds after the campaign's start. */
  readonly foundMs: number;
  /** The user knows of it: it is in the baseline, or suppressed. */
  readonly isKnown: boolean;
}

const LINE = record({
  id: matching(/^[0-9a-f]{3,64}$/),
  kind: text,
  title: text,
  severity: text,
  where: text,
  program: text,
  distance: number,
  foundMs: number,
  isKnown: truth,
});

export function findingLine(finding: ResultFinding, shown: ShownPath): FindingLine {
  const { id, kind, title, severity, program, distance, foundMs, known, suppressed } = finding;
  const [cutTitle, where, name] = [title, whereOf(finding, shown), shown(program)].map((words) =>
    words.slice(0, MOST_TEXT),
  );
  const isKnown = known === true || suppressed !== undefined;
  return { id, kind, title: cutTitle, severity, where, program: name, distance, foundMs, isKnown };
}

/** A campaign begins. */
export function clearFindingLines(folder: ProjectFolder): void {
  rmSync(folder.file(NAME), { force: true });
}

/** Throws what the disk says. */
export function appendFindingLine(folder: ProjectFolder, line: FindingLine): void {
  appendToFile(folder.file(NAME), `${JSON.stringify(line)}\n`);
}

/** In the order in which they came. What is no finding is passed over; throws what the system says. */
export function readFindingLines(folder: ProjectFolder): FindingLine[] {
  const bytes = readRegularFile(folder.known(NAME), { noLink: true, mostBytes: MOST_BYTES });
  return bytes
    .toString()
    .split("\n")
    .flatMap((line) => {
      try {
        const value: unknown = JSON.parse(line);
        return isLine(value) ? [value] : [];
      } catch {
        return [];
      }
    });
}

export function findingLinesPath(folder: ProjectFolder): string {
  return folder.known(NAME);
}

function isLine(value: unknown): value is FindingLine {
  return LINE(value);
}
