// Strange projects, as a new user brings them: npm run qualify:projects -- LIST [--time 5m] [--only NAME]... [--results FILE] [--table].
//
// LIST is a file with a JSON array of {name, directory}: unpacked sources. Each is copied twice. One copy is built and tested by itself with the
// commands that `tangent init` finds and the machine's own compiler; in the other `tangent init && tangent test --time TIME` runs, with nothing
// edited. A row for each goes to FILE (default projects.jsonl); rows that are there are not done again. The table is printed as Markdown.
// Work goes to TANGENT_SUITES (default /tmp/tangent-suites).

import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Detected, detectProject } from "../src/project/detect.js";
import type { AmplifyCampaignResult } from "../src/report/campaign-result.js";
import { namedVerdicts, otherVerdicts, type ProjectRow, projectTable } from "./projects/project-row.js";
import { LAUNCHER, shell, WORK } from "./suites/build.js";
import { exactAutomakeVerdicts } from "./suites/verdicts.js";
import { scriptArguments } from "./usage.js";

const { values, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    time: { type: "string", default: "5m" },
    only: { type: "string", multiple: true, default: [] },
    results: { type: "string", default: "projects.jsonl" },
    table: { type: "boolean", default: false },
  },
});
if (positionals.length !== 1) {
  console.error("qualify:projects: name the list of projects (see the first lines of scripts/qualify-projects.ts)");
  process.exit(2);
}

interface Listed {
  readonly name: string;
  readonly directory: string;
}

const PASSES = /^(pass|PASS|XFAIL)( (PASS|XFAIL))*$/;

function verdictsOf(folder: string, output: string, status: number): ReadonlyMap<string, string> {
  const all = new Map<string, string>([...exactAutomakeVerdicts(folder), ...namedVerdicts(output)]);
  return all.size > 0 ? all : new Map([["all tests", status === 0 ? "pass" : "fail"]]);
}

function copyOf({ name, directory }: Listed, which: string): string {
  const folder = join(WORK, `${name}-${which}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(WORK, { recursive: true });
  cpSync(directory, folder, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  rmSync(join(folder, "debian"), { recursive: true, force: true });
  return folder;
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1)?.slice(0, 200) ?? "";
}

function qualify(listed: Listed): ProjectRow {
  const plainFolder = copyOf(listed, "plain");
  const found: Detected | null = detectProject(plainFolder);
  const own = "unset TANGENT_CC; export CC=cc AR=ar RANLIB=ranlib NM=nm;";
  const built = shell(`${own} ${found?.build ?? "false"}`, plainFolder, "build");
  const tested = shell(`${own} ${found?.test ?? "false"}`, plainFolder, "test");
  const plain = verdictsOf(plainFolder, tested.output, tested.status);
  const folder = copyOf(listed, "ours");
  const init = shell(`'${LAUNCHER}' init`, folder, "init");
  const ours = shell(`'${LAUNCHER}' test --time ${values.time}`, folder, "ours");
  const result = resultOf(folder);
  const copy = join(folder, ".tangent", "build");
  const verdicts = existsSync(copy) ? verdictsOf(copy, ours.output, plainStatusOf(ours.output)) : new Map();
  const wasBuilt = /^tangent: \d+ programs? built/m.test(ours.output);
  return {
    name: listed.name,
    system: found?.what ?? "none",
    plainProblem: built.status === 0 ? null : lastLine(built.output),
    problem: wasBuilt ? null : lastLine(init.status === 0 ? ours.output : init.output),
    plainTests: plain.size,
    plainPassed: [...plain.values()].filter((verdict) => PASSES.test(verdict)).length,
    otherVerdicts: wasBuilt ? otherVerdicts(plain, verdicts) : [],
    programs: Number(/^tangent: (\d+) programs? built/m.exec(ours.output)?.[1] ?? 0),
    seeds: result?.totals.seeds ?? 0,
    checks: result?.totals.checks ?? 0,
    findings: (result?.findings ?? []).map(
      ({ id, kind, location }) => `${id} ${kind} ${location?.file ?? "?"}:${location?.line ?? 0}`,
    ),
    plainSeconds: built.seconds + tested.seconds,
    oursSeconds: ours.seconds,
    firstCheckSeconds: firstCheck(result, ours.seconds),
    notCaptured: [...ours.output.matchAll(/^tangent: (?:note: )?(.*(?:not captured|foreign).*)$/gm)].map(
      ([, text]) => text,
    ),
  };
}

/** What the tests' command ended with, where nothing better is said of its tests. */
function plainStatusOf(output: string): number {
  return Number(/the tests ended with status (\d+)/.exec(output)?.[1] ?? 0);
}

function resultOf(folder: string): AmplifyCampaignResult | null {
  const file = join(folder, ".tangent", "report", "results.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as AmplifyCampaignResult) : null;
}

/** Build and tests come before the campaign; within it, its first entry in the timeline. */
function firstCheck(result: AmplifyCampaignResult | null, seconds: number): number | null {
  if (result === null || result.totals.checks === 0) return null;
  return seconds - result.durationMs / 1000 + (result.timeline[0]?.ms ?? 0) / 1000;
}

const list = JSON.parse(readFileSync(positionals[0], "utf8")) as readonly Listed[];
const rows: ProjectRow[] = existsSync(values.results)
  ? readFileSync(values.results, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as ProjectRow)
  : [];
for (const listed of values.table ? [] : list) {
  if (values.only.length > 0 && !values.only.includes(listed.name)) continue;
  if (rows.some(({ name }) => name === listed.name)) continue;
  const row = qualify(listed);
  rows.push(row);
  appendFileSync(values.results, `${JSON.stringify(row)}\n`);
  console.error(
    `${row.name}: ${row.problem ?? "built"}, ${row.seeds} seeds, ${row.checks} checks, ${row.findings.length} findings`,
  );
}
console.log(projectTable(rows));
