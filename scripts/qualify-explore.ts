// Qualification of exploration by real programs: bc, m4, sed, make, xmlwf and sqlite3's shell from Debian's
// sources, each without and with a seed, pending against eager, by two searchers, a minute a run. Writes tables and
// plots of the instructions covered over time.
//
//   npm run qualify:explore -- [--seconds 60] [--output DIR] [PROGRAM...]
//     [--modes pending,eager] [--searchers "random-path depth-biased"] [--checks eager,relaxed] [--seeds none,first,second]
//     [--random-seeds 1,2,3]
//
// Searchers that take turns are joined by +, as in --searchers "interleaved depth-biased+random-path".
// All of it takes about an hour. Runs whose results are there already (same seconds) are not repeated unless --fresh is given.
// Needs what qualify:suites needs, and tclsh for sqlite3.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  combinedTable,
  coverageTable,
  linesOfLcov,
  type Outcome,
  parseCoverage,
  runsTable,
} from "./explore/coverage-table.js";
import { renderPlot } from "./explore/plot.js";
import { SUBJECTS, type Subject } from "./explore/subjects.js";
import { buildProject, fetchProject, shell, WORK } from "./suites/build.js";
import { scriptArguments } from "./usage.js";

const MAIN = fileURLToPath(new URL("../src/cli/main.js", import.meta.url));
const COLOURS: Readonly<Record<string, readonly string[]>> = {
  pending: ["#0a6", "#07c", "#555"],
  eager: ["#c60", "#b2b", "#a88"],
};
/** For loading, translating and writing on top of the exploration. */
const GRACE_SECONDS = 120;

const { values: options, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "60" },
    output: { type: "string", default: join(WORK, "explore") },
    fresh: { type: "boolean", default: false },
    modes: { type: "string", default: "pending,eager" },
    searchers: { type: "string", default: "random-path depth-biased" },
    checks: { type: "string", default: "eager" },
    seeds: { type: "string", default: "none,first" },
    "random-seeds": { type: "string", default: "1" },
  },
});
const seconds = Number(options.seconds);
const MODES = options.modes.split(",");
const SEARCHERS = options.searchers.split(" ");
const CHECKS = options.checks.split(",");
const SEEDS = options.seeds.split(",");
const RANDOM_SEEDS = options["random-seeds"].split(",").map(Number);
/** How the files of runs are called. */
const SEEDINGS: Readonly<Record<string, string>> = { none: "unseeded", first: "seeded", second: "second" };

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
  /** none, first or second. */
  readonly seed: string;
  readonly mode: string;
  readonly searcher: string;
  readonly checks: string;
  readonly randomSeed: number;
}

function explore({ subject, program, seed, mode, searcher, checks, randomSeed }: Configuration): Outcome {
  const others = [...(checks === "eager" ? [] : [checks]), ...(randomSeed === 1 ? [] : [`random${randomSeed}`])];
  const name = [subject.name, SEEDINGS[seed], mode, searcher, ...others, seconds].join("-");
  const folder = join(options.output, "runs", name);
  const work = join(options.output, "work", subject.name);
  mkdirSync(work, { recursive: true });
  for (const [file, content] of Object.entries(subject.files)) writeFileSync(join(work, file), content);
  const seedFile = join(options.output, "work", `${subject.name}.${seed}.seed`);
  writeFileSync(seedFile, seed === "second" ? subject.otherSeed : subject.seed);
  const base = { subject: subject.name, seeded: seed !== "none", seed, mode, searcher, checks, randomSeed };
  if (options.fresh || !existsSync(join(folder, "statistics.json"))) {
    rmSync(folder, { recursive: true, force: true });
    const how = ["--mode", mode, "--search", searcher.replaceAll("+", ","), "--checks", checks];
    const words = [
      ...how,
      "--random-seed",
      `${randomSeed}`,
      "--max-time",
      `${seconds}s`,
      "--quiet",
      "--output",
      folder,
    ];
    const seedWords = seed === "none" ? [] : ["--seed", seedFile];
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
      const nothing = { rows: [], findings: 0, divergences: 0, unsatisfiable: 0, lines: [] };
      return { ...base, ...nothing, problem: problem || `ended with ${ended.status}` };
    }
  }
  const numbers = JSON.parse(readFileSync(join(folder, "statistics.json"), "utf8")) as {
    readonly findings: number;
    readonly divergences: number;
    readonly unsatisfiableShare: number;
  };
  const rows = parseCoverage(readFileSync(join(folder, "coverage.csv"), "utf8"));
  // Written at the end: a run that was killed has none.
  const lcov = join(folder, "coverage.lcov");
  const lines = existsSync(lcov) ? linesOfLcov(readFileSync(lcov, "utf8")) : [];
  const late = !existsSync(lcov) || (rows[rows.length - 1]?.seconds ?? 0) > seconds + GRACE_SECONDS / 2;
  const problem = late ? "did not stop in time" : "";
  const { findings, divergences, unsatisfiableShare: unsatisfiable } = numbers;
  return { ...base, rows, findings, divergences, unsatisfiable, lines, problem };
}

function plot(subject: string, seed: string, outcomes: readonly Outcome[]): void {
  const series = outcomes.map(({ mode, searcher, checks, randomSeed, rows }) => ({
    name: [mode, searcher, checks === "eager" ? "" : checks, randomSeed === 1 ? "" : randomSeed]
      .filter(Boolean)
      .join(", "),
    colour: COLOURS[mode]?.[SEARCHERS.indexOf(searcher) % 3] ?? "#000",
    points: rows.map((row) => [row.seconds, row.instructions] as const),
  }));
  const what = seed === "none" ? "without seeds" : `with its ${seed} seed`;
  const file = join(options.output, `coverage-${subject}-${SEEDINGS[seed]}.svg`);
  writeFileSync(file, renderPlot(`${subject}, ${what}`, "covered instructions", series));
}

function configurations(subject: Subject, program: string, seed: string): Configuration[] {
  return SEARCHERS.flatMap((searcher) =>
    MODES.flatMap((mode) =>
      CHECKS.flatMap((checks) =>
        RANDOM_SEEDS.map((randomSeed) => ({ subject, program, seed, mode, searcher, checks, randomSeed })),
      ),
    ),
  );
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
  for (const seed of SEEDS) {
    const group: Outcome[] = [];
    for (const configuration of configurations(subject, built.program, seed)) {
      const outcome = explore(configuration);
      const row = outcome.rows[outcome.rows.length - 1];
      const { mode, searcher, checks, randomSeed } = configuration;
      console.error(
        `${subject.name} ${seed} ${mode} ${searcher} ${checks} ${randomSeed}: ` +
          (outcome.problem ||
            `${row?.instructions ?? 0} instructions, ${row?.paths ?? 0} paths, ${outcome.findings} findings`),
      );
      group.push(outcome);
    }
    plot(subject.name, seed, group);
    outcomes.push(...group);
  }
}
const table = [coverageTable(outcomes), runsTable(outcomes), combinedTable(outcomes)].join("\n");
writeFileSync(join(options.output, "coverage.md"), table);
console.log(table);
process.exitCode = outcomes.some(({ problem, divergences }) => problem !== "" || divergences > 0) ? 1 : 0;
