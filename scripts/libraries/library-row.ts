// What a campaign of `tangent compose` came to in one library, as a row of JSON; and the table of all of them.

import type { ResultFinding } from "../../src/report/campaign-result.js";
import type { ComposeCampaignResult } from "../../src/report/compose-result.js";

export interface LibraryFinding {
  readonly id: string;
  readonly kind: string;
  /** file:line, below the tree. */
  readonly place: string;
  readonly function: string;
  /** The library's and the tests' own frames, innermost first. */
  readonly stack: readonly string[];
  /** What came to it: unit, main, edit, approach. */
  readonly by: string;
  /** Of the failing input: its files and its standard input may be others than the test's. */
  readonly command: readonly string[];
  readonly workingDirectory: string;
  /** Shows it; in the tree, as long as no other campaign was begun there. */
  readonly replay: string;
}

export interface LibraryRow {
  readonly name: string;
  readonly version: string;
  readonly isApart: boolean;
  /** Null if there are results. */
  readonly problem: string | null;
  readonly tested: number;
  readonly functions: number;
  readonly paths: number;
  readonly failingLines: number;
  readonly findings: readonly LibraryFinding[];
  readonly seconds: number;
}

export type Described = Pick<LibraryRow, "name" | "version" | "isApart" | "seconds">;

const FRAMES_KEPT = 6;

export function rowOf(described: Described, result: ComposeCampaignResult, tree: string): LibraryRow {
  const { units, functions, paths, targets } = result.totals;
  return {
    ...described,
    problem: null,
    tested: units,
    functions,
    paths,
    failingLines: targets,
    findings: result.findings.map((finding) => libraryFinding(finding, tree)),
  };
}

export function failedRow(described: Described, problem: string): LibraryRow {
  return { ...described, problem, tested: 0, functions: 0, paths: 0, failingLines: 0, findings: [] };
}

function libraryFinding(finding: ResultFinding, tree: string): LibraryFinding {
  const { id, kind, location, stack, by, witnessCommand, workingDirectory } = finding;
  const own = stack.filter(({ origin }) => origin === "program").slice(0, FRAMES_KEPT);
  return {
    id,
    kind,
    place: placeOf(location, tree),
    function: location?.function ?? "?",
    stack: own.map((frame) => `${frame.function} ${placeOf(frame, tree)}`),
    by: by ?? "?",
    command: witnessCommand,
    workingDirectory: below(workingDirectory, tree),
    replay: `tangent replay ${id}`,
  };
}

function placeOf(frame: { readonly file: string | null; readonly line: number } | null, tree: string): string {
  return frame === null || frame.file === null ? "?" : `${below(frame.file, tree)}:${frame.line}`;
}

function below(path: string, tree: string): string {
  return path === tree ? "." : path.startsWith(`${tree}/`) ? path.slice(tree.length + 1) : path;
}

export function libraryTable(rows: readonly LibraryRow[]): string {
  const counted = rows.filter(({ problem }) => problem === null);
  const found = counted.filter(({ findings }) => findings.length > 0);
  const all = found.reduce((sum, { findings }) => sum + findings.length, 0);
  return [
    "| library | version | functions tested | paths | failing lines of units | findings | seconds |",
    "|---|---|---|---|---|---|---|",
    ...[...rows].sort((a, b) => Number(a.isApart) - Number(b.isApart)).map(line),
    "",
    `${counted.length} of ${rows.length} libraries have results; ${all} findings, in ${found.length} of them.`,
    ...found.flatMap(({ name, findings }) => ["", `${name}:`, ...findings.map(findingLine)]),
  ].join("\n");
}

function line(row: LibraryRow): string {
  const { name, version, isApart, problem, tested, functions, paths, failingLines, findings, seconds } = row;
  const counts =
    problem === null
      ? [`${tested} of ${functions}`, paths, failingLines, findings.length]
      : [`none: ${problem}`, "", "", ""];
  return `| ${[`${name}${isApart ? " (apart)" : ""}`, version, ...counts, Math.round(seconds)].join(" | ")} |`;
}

function findingLine({ id, kind, place, function: name, by }: LibraryFinding): string {
  return `- ${id}: ${kind} at ${place} in ${name}, by ${by}`;
}
