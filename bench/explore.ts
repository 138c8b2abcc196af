// How fast programs are explored: each program of bench/explore by `tangent explore`, one process, one thread, all checks on,
// tests written. Processor times, since the machine is shared. Where the time goes is told by V8's own profile of
// a second run, by the folder that a function's source lies in: no clock in the engine could be as fine without
// costing what it measures.
//
//   npm run bench:explore -- [--only NAME]... [--seconds N] [--cover N] [--json FILE]
//
// The figures of KLEE are those of the issue (KLEE 3.x with STP, on this kind of machine). The two text tools run for --seconds, and
// what they cover after --cover seconds is confirmed natively with gcc and gcov.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { scriptArguments } from "../scripts/usage.js";
import { branchCoverage } from "./native-coverage.js";
import { PARTS, type Profile, profileOf } from "./profile.js";

const ROOT = resolve(import.meta.dirname, "../..");
const WORK = "/tmp/tangent-bench-explore";
const MAIN = join(ROOT, "dist/src/cli/main.js");

const { values: options } = scriptArguments(import.meta.url, {
  options: {
    only: { type: "string", multiple: true },
    seconds: { type: "string", default: "60" },
    cover: { type: "string", default: "10" },
    json: { type: "string" },
  },
});

/** statistics.json, as far as we look at it. */
interface Numbers {
  readonly reason: string;
  readonly complete: boolean;
  readonly paths: number;
  readonly findings: number;
  readonly divergences: number;
  readonly unknown: number;
  readonly instructions: number;
  readonly instructionsRerun: number;
  readonly timeMs: number;
  readonly coveredBlocks: number;
  readonly totalBlocks: number;
  readonly testsWritten: number;
  readonly solver: { readonly queries: number; readonly timeMs: number };
}

interface Run {
  readonly numbers: Numbers;
  /** Processor time of the whole process: start, compiling, translating, exploring, writing. */
  readonly seconds: number;
  readonly folder: string;
}

interface Wanted {
  readonly program: string;
  readonly options: readonly string[];
  readonly name: string;
  readonly nodeOptions?: readonly string[];
}

/** The shell's own `time` gives the processor time of a child, which Node does not. */
function run({ program, options: words, name, nodeOptions = [] }: Wanted): Run {
  const folder = join(WORK, name);
  rmSync(folder, { recursive: true, force: true });
  const source = join(ROOT, "bench/explore", `${program}.c`);
  const script = 'TIMEFORMAT="%U %S"; time "$@"';
  const command = [process.execPath, ...nodeOptions, MAIN, "explore", "--quiet", ...words, "--output", folder, source];
  const ended = spawnSync("bash", ["-c", script, "time", ...command], {
    encoding: "latin1",
    cwd: WORK,
    env: { ...process.env, LC_ALL: "C" },
    maxBuffer: 1 << 26,
  });
  const times = ended.stderr.trim().split("\n").pop()?.split(" ").map(Number) ?? [];
  const file = join(folder, "statistics.json");
  if (!existsSync(file)) throw new Error(`${name}: ${ended.stderr}`);
  const numbers = JSON.parse(readFileSync(file, "utf8")) as Numbers;
  return { numbers, seconds: times.reduce((sum, seconds) => sum + seconds, 0), folder };
}

function profiled(wanted: Wanted): Profile {
  const folder = join(WORK, `${wanted.name}-profile`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run({ ...wanted, nodeOptions: ["--cpu-prof", `--cpu-prof-dir=${folder}`] });
  return profileOf(readdirSync(folder).map((file) => join(folder, file)));
}

const results: Record<string, unknown>[] = [];

function line(cells: readonly string[]): void {
  console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(22) : cell.padStart(13))).join(""));
}

function trouble({ divergences, unknown }: Numbers): string {
  return divergences + unknown === 0 ? "" : `  ${divergences} divergences, ${unknown} unknown`;
}

/** Not counted: fills the caches of libc and of translations. */
function warm(program: string, words: readonly string[]): void {
  run({ program, options: [...words, "--max-paths", "1"], name: `${program}-warm` });
}

interface Exhaustive {
  readonly program: string;
  readonly paths: number;
  readonly kleeSeconds: number;
}
const EXHAUSTIVE: readonly Exhaustive[] = [
  { program: "regex", paths: 7692, kleeSeconds: 11 },
  { program: "bubble-sort", paths: 720, kleeSeconds: 38 },
  { program: "maze", paths: 486_453, kleeSeconds: 192 },
];

function benchExhaustive(): void {
  const wanted = EXHAUSTIVE.filter(({ program }) => options.only === undefined || options.only.includes(program));
  if (wanted.length === 0) return;
  console.log("\nexhaustive exploration, processor seconds of the whole process");
  line(["program", "paths", "seconds", "paths/s", "KLEE s", "faster", ...PARTS]);
  for (const { program, paths, kleeSeconds } of wanted) {
    warm(program, []);
    const { numbers, seconds } = run({ program, options: [], name: program });
    const profile = profiled({ program, options: [], name: program });
    const cells = [
      program,
      String(numbers.paths),
      seconds.toFixed(2),
      (numbers.paths / seconds).toFixed(0),
      String(kleeSeconds),
      `${(kleeSeconds / seconds).toFixed(1)}x`,
      ...PARTS.map((part) => `${(100 * profile[part]).toFixed(0)} %`),
    ];
    line(cells);
    if (numbers.paths !== paths || !numbers.complete) console.log(`  expected ${paths} paths${trouble(numbers)}`);
    results.push({ program, paths: numbers.paths, expected: paths, seconds, kleeSeconds, profile });
  }
}

function benchPending(): void {
  if (options.only !== undefined && !options.only.includes("pending-example")) return;
  console.log("\nthe paper's example, to its failing assertion");
  line(["mode, searcher", "seconds", "exploring s", "instructions", "of these new", "paths", "found"]);
  warm("pending-example", []);
  for (const [mode, searcher] of [
    ["pending", "random-path"],
    ["pending", "dfs"],
    ["eager", "random-path"],
    ["eager", "dfs"],
  ]) {
    const words = ["--mode", mode, "--search", searcher, "--stop-at-first", "--max-time", `${options.seconds}s`];
    const { numbers, seconds } = run({
      program: "pending-example",
      options: words,
      name: `pending-${mode}-${searcher}`,
    });
    line([
      `${mode}, ${searcher}`,
      seconds.toFixed(2),
      (numbers.timeMs / 1000).toFixed(2),
      String(numbers.instructions + numbers.instructionsRerun),
      String(numbers.instructions),
      String(numbers.paths),
      numbers.findings > 0 ? "yes" : "no",
    ]);
    results.push({ program: "pending-example", mode, searcher, seconds, ...numbers });
  }
}

/** Paths that the best peer completes in a minute, measured on the same kind of machine. */
const TOOLS = [
  { program: "word-count", peer: 15_150, what: "KLEE 3.2, DFS" },
  { program: "line-sort", peer: 4_014, what: "KLEE with pending constraints, seeded" },
];

function benchTools(): void {
  for (const { program, peer, what } of TOOLS) {
    if (options.only !== undefined && !options.only.includes(program)) continue;
    const symbolic = ["--sym-stdin", "16"];
    warm(program, symbolic);
    console.log(`\n${program}, 16 bytes of standard input`);
    const short = run({ program, options: [...symbolic, "--max-time", `${options.cover}s`], name: `${program}-cover` });
    const source = join(ROOT, "bench/explore", `${program}.c`);
    const covered = branchCoverage(source, join(short.folder, "inputs"), join(WORK, `${program}-native`));
    console.log(
      `  after ${options.cover} s: ${short.numbers.coveredBlocks} of ${short.numbers.totalBlocks} blocks; ${covered.text}`,
    );
    for (const place of covered.missing) console.log(`    not taken: ${place}`);
    const long = run({ program, options: [...symbolic, "--max-time", `${options.seconds}s`], name: program });
    const profile = profiled({ program, options: [...symbolic, "--max-time", `${options.cover}s`], name: program });
    const scaled = (peer * Number(options.seconds)) / 60;
    console.log(
      `  in ${options.seconds} s: ${long.numbers.paths} paths, ${(long.numbers.paths / scaled).toFixed(1)}x those of ${what}` +
        `${trouble(long.numbers)}; ${PARTS.map((part) => `${part} ${(100 * profile[part]).toFixed(0)} %`).join(", ")}`,
    );
    results.push({ program, seconds: Number(options.seconds), paths: long.numbers.paths, peer, covered, profile });
  }
}

mkdirSync(WORK, { recursive: true });
console.log(`${cpus()[0]?.model}`);
benchPending();
benchExhaustive();
benchTools();
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
