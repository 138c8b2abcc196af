// `tangent demo`: a bundled C program with a test suite that passes, covers its lines and misses its bugs. It is built and
// tested as a user would do it; what must be found is written in demo/bugs.json, by kind and line, so that this is
// also a check of the whole chain. A patch to it follows (demo-patch.ts). `npm start` calls it.

import { cpSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ProjectFolder } from "../project/project-folder.js";
import { SeedStore } from "../project/seed-store.js";
import { findPrograms } from "../project/stand-ins.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { runChild } from "../support/child-process.js";
import { amplify } from "./amplify.js";
import { type CommandContext, defineCommand } from "./command.js";
import { demoFolder } from "./demo-folder.js";
import { demoPatch } from "./demo-patch.js";
import { recordTests } from "./record.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** Twice what it takes on a busy machine. */
const BUDGET_MS = 120_000;

export interface PlantedBug {
  readonly what: string;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
}

/** What demo/bugs.json says, with the lines as they are in the sources. */
export function plantedBugs(): PlantedBug[] {
  const folder = join(ROOT, "demo", "larder");
  const known = JSON.parse(readFileSync(join(ROOT, "demo", "bugs.json"), "utf8")) as (Omit<PlantedBug, "line"> & {
    readonly code: string;
  })[];
  return known.map(({ what, kind, file, code }) => {
    const lines = readFileSync(join(folder, file), "utf8").split("\n");
    return { what, kind, file, line: lines.findIndex((line) => line.trim() === code) + 1 };
  });
}

export function isFound({ kind, file, line }: PlantedBug, findings: readonly ResultFinding[]): boolean {
  return findings.some(
    ({ kind: found, location }) =>
      found === kind && location?.line === line && location.file !== null && basename(location.file) === file,
  );
}

export const command = defineCommand({
  name: "demo",
  summary: "Build a bundled C program, run its tests, find the bugs that they miss, then those of a patch to it",
  description: `The program is demo/larder, a small archive tool of 500 lines with 26 tests that pass and run 96 % of its lines. It has nine bugs. Then
a patch to it, demo/average.diff, is tested, whose lines no test runs. All is done in a temporary directory, which is kept, with the
reports in it, until the next demo.`,
  options: {
    time: { kind: "duration", short: "t", value: "TIME", help: "give up after this long (default 2m)" },
  },
  operands: {},
  async run(options, _operands, context) {
    const place = demoFolder();
    const project = join(place, "larder");
    cpSync(join(ROOT, "demo", "larder"), project, { recursive: true });
    context.error(`tangent: the demo's program is in ${project}\n`);
    const status = build(project, context);
    if (status !== 0) return 3;
    process.chdir(project);
    say(context, "tangent test -- sh tests/run.sh ./larder");
    const recorded = await recordTests(project, findPrograms(project), ["sh", "tests/run.sh", "./larder"], context);
    if (recorded === null) return 3;
    if (recorded.status !== 0) {
      context.error(`tangent demo: the tests should pass, but their status is ${recorded.status}\n`);
      return 1;
    }
    const bugs = plantedBugs();
    const folder = new ProjectFolder(project);
    const ended = await amplify(
      folder,
      new SeedStore(folder).list(),
      {
        time: options.time ?? BUDGET_MS,
        distance: undefined,
        seedTime: undefined,
        again: false,
        quiet: false,
        until: (findings) => bugs.every((bug) => isFound(bug, findings)),
      },
      context,
    );
    if (ended === null) return 3;
    const found = verdict(ended.result.findings, bugs, folder, context);
    const baseline = folder.known("report", "results.json");
    const patched = await demoPatch(
      join(ROOT, "demo"),
      join(place, "patched"),
      baseline,
      options.time ?? BUDGET_MS,
      context,
    );
    if (found === 0 && patched === 0) {
      context.out("Now try it on a project of yours: tangent init, then tangent test; tangent patch after a change.\n");
    }
    return Math.max(found, patched);
  },
});

/** Without make, which not every machine has: two commands do. */
function build(project: string, context: CommandContext): number {
  const sources = readdirSync(project).filter((name) => name.endsWith(".c"));
  const words = ["cc", "-g", "-O1", "-o", "larder", ...sources.sort()];
  say(context, `tangent ${words.join(" ")}`);
  const { status, stderr } = runChild("sh", [join(ROOT, "bin", "tangent"), ...words], {
    cwd: project,
    env: context.env,
    encoding: "utf8",
  });
  if (status !== 0) context.error(`tangent demo: the program cannot be built:\n${stderr}`);
  return status ?? 1;
}

function verdict(
  findings: readonly ResultFinding[],
  bugs: readonly PlantedBug[],
  folder: ProjectFolder,
  context: CommandContext,
): number {
  context.out(`\nThe ${bugs.length} bugs of the program, next to tests that pass:\n`);
  for (const bug of bugs) {
    const mark = isFound(bug, findings) ? "found " : "MISSED";
    context.out(`  ${mark}  ${`${bug.file}:${bug.line}`.padEnd(14)}  ${bug.kind.padEnd(23)}  ${bug.what}\n`);
  }
  const missed = bugs.filter((bug) => !isFound(bug, findings)).length;
  context.out(`\nReport: ${reportPath(folder)}\n`);
  if (missed > 0) {
    context.error(`tangent demo: ${missed} of ${bugs.length} were not found\n`);
    return 1;
  }
  return 0;
}

function reportPath(folder: ProjectFolder): string {
  const names = readdirSync(folder.directory("report"));
  return join(folder.path, "report", names.find((name) => name.endsWith(".html")) ?? "results.json");
}

function say(context: CommandContext, text: string): void {
  context.error(`\n$ ${text}\n`);
}
