// Qualification of exploration by real programs: bc, m4, sed, make, xmlwf and sqlite3's shell from Debian's
// sources, each without and with a seed, pending against eager, by two searchers, a minute a run. Writes tables and
// plots of the instructions covered over time.
//
//   npm run qualify:explore -- [--seconds 60] [--output DIR] [PROGRAM...]
//     [--modes pending,eager] [--searchers "random-path depth-biased"] [--checks eager,relaxed] [--seeds none,first,second]
//     [--random-seeds 1,2,3] [--processor-time] [--faults N] [--gcov]
//
// --processor-time: the seconds are the processor's, not the clock's. --faults N: N faults are planted in each program (explore/plant-faults.ts), and
// the table says how many each run finds. --gcov: the tests of each run are given to a build by gcc, and gcov's lines stand beside ours.
//
// Searchers that take turns are joined by +, as in --searchers "interleaved depth-biased+random-path".
// All of it takes about an hour. Runs whose results are there already (same seconds) are not repeated unless --fresh is given.
// Needs what qualify:suites needs, and tclsh for sqlite3.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  combinedTable,
  coverageTable,
  faultsTable,
  findingsTable,
  linesOfLcov,
  type NativeComparison,
  nativeTable,
  type Outcome,
  parseCoverage,
  runsTable,
} from "./explore/coverage-table.js";
import { linesNatively } from "./explore/gcov.js";
import type { PlantedFault } from "./explore/plant-faults.js";
import { type PlantedProgram, plantedBefore, plantIn, selectedFault } from "./explore/planted-program.js";
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
    "processor-time": { type: "boolean", default: false },
    faults: { type: "string", default: "0" },
    gcov: { type: "boolean", default: false },
  },
});
const seconds = Number(options.seconds);
const MODES = options.modes.split(",");
const SEARCHERS = options.searchers.split(" ");
const CHECKS = options.checks.split(",");
const SEEDS = options.seeds.split(",");
const faultCount = Number(options.faults);
const RANDOM_SEEDS = options["random-seeds"].split(",").map(Number);
const CLOCK = fileURLToPath(new URL("explore/processor-clock.js", import.meta.url));
/** The draw of planted faults. */
const FAULTS_SEED = 1;
/** By the clock; a run by processor time may have to wait for its processor. */
const PATIENCE = options["processor-time"] ? 20 : 1;
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

/** The same program with coverage, or why there is none; with its source folder. */
function buildForGcov(
  subject: Subject,
): { readonly program: string; readonly folder: string } | { readonly problem: string } {
  const source = { ...subject.source, name: `${subject.source.name}-gcov` };
  const fetched = fetchProject(source);
  if ("problem" in fetched) return fetched;
  process.env.CFLAGS = "-g -O0";
  const compiler = "gcc --coverage";
  const problem = buildProject(source, fetched.folder, compiler);
  if (problem !== null) return { problem };
  const program = join(fetched.folder, subject.program);
  if (!existsSync(program) && subject.afterwards !== "") {
    shell(subject.afterwards, fetched.folder, "explore-build", compiler);
  }
  return existsSync(program) ? { program, folder: fetched.folder } : { problem: `${program} was not built` };
}

/** Lines as both name them; ours are below the folder of our own build. */
function besideGcov(subject: Subject, tests: string, lines: readonly string[]): NativeComparison | null {
  const built = buildForGcov(subject);
  if ("problem" in built) {
    console.error(`${subject.name}: ${built.problem}`);
    return null;
  }
  const { program, folder } = built;
  const scratch = join(options.output, "gcov");
  const { args, files } = subject;
  const native = linesNatively({ program, tree: folder, args, files, tests, scratch });
  const knownFiles = new Set([...native.known].map((place) => place.slice(0, place.lastIndexOf(":"))));
  const root = `${folder.replace(`${subject.source.name}-gcov`, subject.source.name)}/`;
  const ours = lines
    .filter((place) => place.startsWith(root))
    .map((place) => place.slice(root.length))
    .filter((place) => knownFiles.has(place.slice(0, place.lastIndexOf(":"))));
  return {
    tests: native.tests,
    ours: ours.length,
    natively: native.executed.size,
    both: ours.filter((place) => native.executed.has(place)).length,
    known: native.known.size,
  };
}

interface Configuration {
  readonly subject: Subject;
  readonly program: string;
  readonly faults: readonly PlantedFault[] | null;
  /** none, first or second. */
  readonly seed: string;
  readonly mode: string;
  readonly searcher: string;
  readonly checks: string;
  readonly randomSeed: number;
}

/** Where the program runs, with its files, and its seed. */
function prepare(subject: Subject, seed: string): { readonly work: string; readonly seedFile: string } {
  const work = join(options.output, "work", subject.name);
  mkdirSync(work, { recursive: true });
  for (const [file, content] of Object.entries(subject.files)) writeFileSync(join(work, file), content);
  const seedFile = join(options.output, "work", `${subject.name}.${seed}.seed`);
  writeFileSync(seedFile, seed === "second" ? subject.otherSeed : subject.seed);
  return { work, seedFile };
}

function explore(configuration: Configuration): Outcome {
  const { subject, program, faults, seed, mode, searcher, checks, randomSeed } = configuration;
  const others = [...(checks === "eager" ? [] : [checks]), ...(randomSeed === 1 ? [] : [`random${randomSeed}`])];
  if (faults !== null) others.push(`faults${faultCount}`);
  if (options["processor-time"]) others.push("cpu");
  const name = [subject.name, SEEDINGS[seed], mode, searcher, ...others, seconds].join("-");
  const folder = join(options.output, "runs", name);
  const { work, seedFile } = prepare(subject, seed);
  const base = { subject: subject.name, seed, mode, searcher, checks, randomSeed };
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
    const clock = options["processor-time"] ? ["--import", CLOCK] : [];
    const command = [
      ...clock,
      MAIN,
      "explore",
      ...words,
      ...subject.symbolic,
      ...seedWords,
      "--",
      program,
      ...subject.args,
    ];
    const ended = spawnSync(process.execPath, command, {
      cwd: work,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: "C" },
      encoding: "latin1",
      timeout: PATIENCE * (seconds + GRACE_SECONDS) * 1000,
      // SIGTERM only asks to stop after the current path.
      killSignal: "SIGKILL",
      maxBuffer: 1 << 28,
    });
    writeFileSync(join(options.output, "runs", `${name}.log`), ended.stderr ?? "");
    if (!existsSync(join(folder, "statistics.json"))) {
      const problem = ended.error?.message ?? (ended.stderr ?? "").trim().split("\n").pop() ?? "";
      const nothing = {
        rows: [],
        findings: [],
        divergences: 0,
        unsatisfiable: 0,
        lines: [],
        faults: null,
        native: null,
      };
      return { ...base, ...nothing, problem: problem || `ended with ${ended.status}` };
    }
  }
  const numbers = JSON.parse(readFileSync(join(folder, "statistics.json"), "utf8")) as {
    readonly divergences: number;
    readonly unsatisfiableShare: number;
  };
  const rows = parseCoverage(readFileSync(join(folder, "coverage.csv"), "utf8"));
  // Written at the end: a run that was killed has none.
  const lcov = join(folder, "coverage.lcov");
  const lines = existsSync(lcov) ? linesOfLcov(readFileSync(lcov, "utf8")) : [];
  const late = !existsSync(lcov) || (rows[rows.length - 1]?.seconds ?? 0) > seconds + GRACE_SECONDS / 2;
  const problem = late ? "did not stop in time" : "";
  const { divergences, unsatisfiableShare: unsatisfiable } = numbers;
  const findings = findingsOf(folder).map(({ kind, location }) => {
    return location === null ? kind : `${kind} in ${location.function} at ${basename(location.file)}:${location.line}`;
  });
  const native = options.gcov ? besideGcov(subject, folder, lines) : null;
  const found = faults === null ? null : foundFaults(folder, faults);
  return { ...base, rows, findings, divergences, unsatisfiable, lines, faults: found, native, problem };
}

interface WrittenFinding {
  readonly kind: string;
  readonly location: { readonly function: string; readonly file: string; readonly line: number } | null;
  readonly input: { readonly objects: readonly { readonly name: string; readonly bytes: string }[] };
}

function findingsOf(folder: string): WrittenFinding[] {
  const findings = join(folder, "findings");
  const names = existsSync(findings) ? readdirSync(findings).sort() : [];
  return names.map((name) => JSON.parse(readFileSync(join(findings, name, "finding.json"), "utf8")) as WrittenFinding);
}

/** Confirmed findings that are planted faults: by what was planted there, and by the value that selects it. */
function foundFaults(folder: string, faults: readonly PlantedFault[]): number[] {
  const found = new Set<number>();
  for (const { kind, location, input } of findingsOf(folder)) {
    const objects = input.objects.map((object) => ({ ...object, bytes: Buffer.from(object.bytes, "hex") }));
    const fault = faults.find(({ value }) => value === selectedFault(objects));
    if (kind === "division-by-zero" && fault?.line === location?.line && fault !== undefined) found.add(fault.value);
  }
  return [...found].sort((a, b) => a - b);
}

/** Faults where neither a seed comes nor the first input without one. */
function plant(subject: Subject, program: string): PlantedProgram | { readonly problem: string } {
  const folder = join(options.output, "planted", `${subject.name}-${faultCount}`);
  const known = options.fresh ? null : plantedBefore(folder);
  if (known !== null) return known;
  const covered = ["none", "first", "second"].flatMap((seed) => {
    const { work, seedFile } = prepare(subject, seed);
    const output = join(folder, seed);
    if (!existsSync(join(output, "coverage.lcov"))) {
      rmSync(output, { recursive: true, force: true });
      const words = ["--max-paths", "1", "--checks", "off", "--quiet", "--output", output, ...subject.symbolic];
      if (seed !== "none") words.push("--seed", seedFile);
      spawnSync(process.execPath, [MAIN, "explore", ...words, "--", program, ...subject.args], {
        cwd: work,
        env: { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: "C" },
        stdio: "ignore",
      });
    }
    return linesOfLcov(readFileSync(join(output, "coverage.lcov"), "utf8"));
  });
  return plantIn(program, folder, new Set(covered), faultCount, FAULTS_SEED);
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

function configurations(
  subject: Subject,
  program: string,
  faults: readonly PlantedFault[] | null,
  seed: string,
): Configuration[] {
  return SEARCHERS.flatMap((searcher) =>
    MODES.flatMap((mode) =>
      CHECKS.flatMap((checks) =>
        RANDOM_SEEDS.map((randomSeed) => ({ subject, program, faults, seed, mode, searcher, checks, randomSeed })),
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
const plantedCounts = new Map<string, number>();
for (const subject of SUBJECTS) {
  if (positionals.length > 0 && !positionals.includes(subject.name)) continue;
  const built = build(subject);
  if ("problem" in built) {
    console.error(`${subject.name}: ${built.problem}`);
    continue;
  }
  const planted = faultCount === 0 ? null : plant(subject, built.program);
  if (planted !== null && "problem" in planted) {
    console.error(`${subject.name}: ${planted.problem}`);
    continue;
  }
  if (planted !== null) {
    plantedCounts.set(subject.name, planted.faults.length);
    console.error(
      `${subject.name}: ${planted.faults.length} faults in ${planted.blocks} blocks that no first run covers`,
    );
  }
  const program = planted?.program ?? built.program;
  for (const seed of SEEDS) {
    const group: Outcome[] = [];
    for (const configuration of configurations(subject, program, planted?.faults ?? null, seed)) {
      const outcome = explore(configuration);
      const row = outcome.rows[outcome.rows.length - 1];
      const { mode, searcher, checks, randomSeed } = configuration;
      console.error(
        `${subject.name} ${seed} ${mode} ${searcher} ${checks} ${randomSeed}: ` +
          (outcome.problem ||
            `${row?.instructions ?? 0} instructions, ${row?.paths ?? 0} paths, ${outcome.findings.length} findings` +
              (outcome.faults === null ? "" : `, ${outcome.faults.length} planted faults`)),
      );
      group.push(outcome);
    }
    plot(subject.name, seed, group);
    outcomes.push(...group);
  }
}
const tables = [coverageTable(outcomes), runsTable(outcomes), combinedTable(outcomes), findingsTable(outcomes)];
if (faultCount > 0) tables.push(faultsTable(outcomes, plantedCounts));
if (options.gcov) tables.push(nativeTable(outcomes));
const table = tables.join("\n");
writeFileSync(join(options.output, "coverage.md"), table);
console.log(table);
process.exitCode = outcomes.some(({ problem, divergences }) => problem !== "" || divergences > 0) ? 1 : 0;
