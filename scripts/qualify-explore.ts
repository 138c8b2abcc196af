// Qualification of exploration by real programs: bc, m4, sed, make, xmlwf and sqlite3's shell from Debian's
// sources, each without and with a seed, pending against eager, by two searchers, a minute a run. Writes a table and
// plots of the instructions covered over time.
//
//   npm run qualify:explore -- [--seconds 60] [--output DIR] [--workers N] [PROGRAM...]
//
// All of it takes about an hour. Runs whose results are there already (same seconds) are not repeated unless --fresh is given.
// Needs what qualify:suites needs, and tclsh for sqlite3.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { coverageTable, type Outcome, parseCoverage } from "./explore/coverage-table.js";
import { renderPlot } from "./explore/plot.js";
import { SUBJECTS, type Subject } from "./explore/subjects.js";
import { buildProject, fetchProject, shell, WORK } from "./suites/build.js";

const MAIN = fileURLToPath(new URL("../src/cli/main.js", import.meta.url));
const MODES = ["pending", "eager"] as const;
const SEARCHERS = ["random-path", "depth-biased"] as const;
const COLOURS = { pending: ["#0a6", "#07c"], eager: ["#c60", "#b2b"] } as const;
/** For loading, translating and writing on top of the exploration. */
const GRACE_SECONDS = 120;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "60" },
    output: { type: "string", default: join(WORK, "explore") },
    fresh: { type: "boolean", default: false },
  },
});
const seconds = Number(options.seconds);

/** The program's path, or why there is none. */
function build(subject: Subject): { readonly program: string } | { readonly problem: string } {
  const fetched = fetchProject(subject.source);
  if ("problem" in fetched) return fetched;
  const problem = buildProject(subject.source, fetched.folder);
  if (problem !== null) return { problem };
  const program = join(fetched.folder, subject.program);
  if (!existsSync(program) && subject.afterwards !== "") shell(subject.afterwards, fetched.folder, "explore-build");
  return existsSync(program) ? { program } : { problem: `${program} was not built` };
}

interface Configuration {
  readonly subject: Subject;
  readonly program: string;
  readonly seeded: boolean;
  readonly mode: (typeof MODES)[number];
  readonly searcher: (typeof SEARCHERS)[number];
}

function explore({ subject, program, seeded, mode, searcher }: Configuration): Outcome {
  const name = [subject.name, seeded ? "seeded" : "unseeded", mode, searcher, seconds].join("-");
  const folder = join(options.output, "runs", name);
  const work = join(options.output, "work", subject.name);
  mkdirSync(work, { recursive: true });
  for (const [file, content] of Object.entries(subject.files)) writeFileSync(join(work, file), content);
  const seed = join(options.output, "work", `${subject.name}.seed`);
  writeFileSync(seed, subject.seed);
  const base = { subject: subject.name, seeded, mode, searcher };
  if (options.fresh || !existsSync(join(folder, "statistics.json"))) {
    rmSync(folder, { recursive: true, force: true });
    const words = ["--mode", mode, "--search", searcher, "--max-time", `${seconds}s`, "--quiet", "--output", folder];
    const seedWords = seeded ? ["--seed", seed] : [];
    const command = [MAIN, "explore", ...words, ...subject.symbolic, ...seedWords, "--", program, ...subject.args];
    const ended = spawnSync(process.execPath, command, {
      cwd: work,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: "C" },
      encoding: "latin1",
      timeout: (seconds + GRACE_SECONDS) * 1000,
      // SIGTERM only asks to stop after the current path.
      killSignal: "SIGKILL",
      maxBuffer: 1 << 28,
    });
    writeFileSync(join(options.output, "runs", `${name}.log`), ended.stderr ?? "");
    if (!existsSync(join(folder, "statistics.json"))) {
      const problem = ended.error?.message ?? (ended.stderr ?? "").trim().split("\n").pop() ?? "";
      return { ...base, rows: [], findings: 0, divergences: 0, problem: problem || `ended with ${ended.status}` };
    }
  }
  const numbers = JSON.parse(readFileSync(join(folder, "statistics.json"), "utf8")) as {
    readonly findings: number;
    readonly divergences: number;
  };
  const rows = parseCoverage(readFileSync(join(folder, "coverage.csv"), "utf8"));
  const late = (rows[rows.length - 1]?.seconds ?? 0) > seconds + GRACE_SECONDS / 2;
  const problem = late ? "did not stop in time" : "";
  return { ...base, rows, findings: numbers.findings, divergences: numbers.divergences, problem };
}

function plot(subject: string, seeded: boolean, outcomes: readonly Outcome[]): void {
  const series = outcomes.map(({ mode, searcher, rows }) => ({
    name: `${mode}, ${searcher}`,
    colour: COLOURS[mode as keyof typeof COLOURS][searcher === SEARCHERS[0] ? 0 : 1],
    points: rows.map((row) => [row.seconds, row.instructions] as const),
  }));
  const what = seeded ? "with a seed" : "without seeds";
  const file = join(options.output, `coverage-${subject}-${seeded ? "seeded" : "unseeded"}.svg`);
  writeFileSync(file, renderPlot(`${subject}, ${what}`, "covered instructions", series));
}

const unknown = positionals.find((name) => !SUBJECTS.some((subject) => subject.name === name));
if (unknown !== undefined) {
  console.error(`There is no ${unknown}; there are ${SUBJECTS.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
mkdirSync(join(options.output, "runs"), { recursive: true });
mkdirSync(WORK, { recursive: true });
const outcomes: Outcome[] = [];
for (const subject of SUBJECTS) {
  if (positionals.length > 0 && !positionals.includes(subject.name)) continue;
  const built = build(subject);
  if ("problem" in built) {
    console.error(`${subject.name}: ${built.problem}`);
    continue;
  }
  for (const seeded of [false, true]) {
    const group: Outcome[] = [];
    for (const searcher of SEARCHERS) {
      for (const mode of MODES) {
        const outcome = explore({ subject, program: built.program, seeded, mode, searcher });
        const row = outcome.rows[outcome.rows.length - 1];
        console.error(
          `${subject.name} ${seeded ? "seeded" : "unseeded"} ${mode} ${searcher}: ` +
            (outcome.problem ||
              `${row?.instructions ?? 0} instructions, ${row?.paths ?? 0} paths, ${outcome.findings} findings`),
        );
        group.push(outcome);
      }
    }
    plot(subject.name, seeded, group);
    outcomes.push(...group);
  }
}
const table = coverageTable(outcomes);
writeFileSync(join(options.output, "coverage.md"), table);
console.log(table);
process.exitCode = outcomes.some(({ problem, divergences }) => problem !== "" || divergences > 0) ? 1 : 0;
