// Exported tests on real programs: npm run qualify:exports -- DIR... [--places N] [--time S] [--target-time S] [--random-seed S] [--work DIR] [--tests N]
//
// DIR is a C project with a tangent.toml whose build uses $CC (of one that is configured: after ./configure). It is built by gcc with
// coverage, and its tests run; of the lines of .c files that they do not execute N are drawn, or `changes.diff` in DIR says which are
// new. `tangent reach`, or `patch`, looks for them with --export. Each exported test is then run
//   - natively on the build that it was made on: one of a line passes, one of a finding fails, or does so with AddressSanitizer;
//   - one of a line on the build with coverage too: gcov has to see that line executed.
// At most N tests of a project are looked at (--tests); --judge looks again at those that an earlier call has left in --work. Needs gcc, gcov and git. Nothing of Tangent takes part in the checks, but that a
// finding which no native build shows is run in its machine, and counted apart.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readConfig } from "../src/project/config.js";
import { statementStarts } from "../src/project/patch/statement-lines.js";
import { Random } from "../src/support/random.js";
import { scriptArguments } from "./usage.js";

const { values, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    places: { type: "string", default: "60" },
    time: { type: "string", default: "180" },
    "target-time": { type: "string", default: "10" },
    "random-seed": { type: "string", default: "1" },
    work: { type: "string", default: join(tmpdir(), "tangent-exports") },
    tests: { type: "string", default: "40" },
    judge: { type: "boolean", default: false },
  },
});
if (positionals.length === 0) {
  console.error("qualify:exports: name a project (see the first lines of scripts/qualify-exports.ts)");
  process.exit(2);
}
const LAUNCHER = fileURLToPath(new URL("../../bin/tangent", import.meta.url));
const RUN_MS = 60_000;

interface Row {
  readonly name: string;
  /** Tests of lines and of findings that were written. */
  lines: number;
  findings: number;
  /** Of those of lines: pass natively; gcov sees the line. */
  passed: number;
  covered: number;
  /** gcc has no code for the line: a `return 0;` that several share. */
  unknown: number;
  /** Of those of findings: fail natively, with AddressSanitizer, only in the machine. */
  native: number;
  sanitized: number;
  machine: number;
  /** Inputs and findings that were not written. */
  left: number;
  readonly wrong: string[];
}

function sh(script: string, cwd: string, env: NodeJS.ProcessEnv = {}, timeout?: number) {
  const options = { cwd, encoding: "latin1", env: { ...process.env, ...env }, maxBuffer: 1 << 28 } as const;
  return spawnSync("sh", ["-c", script], { ...options, ...(timeout === undefined ? {} : { timeout }) });
}

/** What is there may have been built by another compiler. */
const NOTHING_BUILT = "find . -name '*.o' -exec rm -f {} +; find . -name '*.a' -exec rm -f {} +";

/** The project built by this compiler, in a folder of its own. */
function built(source: string, folder: string, build: string, CC: string): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(source, folder, { recursive: true, verbatimSymlinks: true });
  sh(NOTHING_BUILT, folder);
  const made = sh(`${build}`, folder, { CC, ASAN_OPTIONS: "detect_leaks=0" });
  if (made.status !== 0) throw new Error(`${folder}: the build failed:\n${made.stdout}${made.stderr}`.slice(-3000));
}

/** By the file's path in the project: the lines that were executed since the counters were removed, and those that could be. */
function coverageOf(folder: string): Map<string, Map<number, boolean>> {
  const counted = new Map<string, Map<number, boolean>>();
  const notes = sh("find . -name '*.gcno'", folder).stdout.split("\n").filter(Boolean);
  for (const note of notes) {
    // Its JSON leaves out lines that share a block with others; its text has them.
    const asked = sh(`gcov -t '${basename(note)}'`, join(folder, dirname(note)));
    let own: Map<number, boolean> | null = null;
    for (const line of asked.stdout.split("\n")) {
      const source = /^ *-: *0:Source:(.*)$/.exec(line)?.[1];
      if (source !== undefined) {
        const path = relative(folder, resolve(folder, dirname(note), source));
        own = path.startsWith("..") ? null : (counted.get(path) ?? new Map<number, boolean>());
        if (own !== null) counted.set(path, own);
        continue;
      }
      const [, count, at] = /^ *(#####|=====|\d+\*?): *([1-9]\d*):/.exec(line) ?? [];
      if (own !== null && at !== undefined) own.set(Number(at), own.get(Number(at)) === true || /^\d/.test(count));
    }
  }
  return counted;
}

function drawn(coverage: ReadonlyMap<string, ReadonlyMap<number, boolean>>, count: number): string[] {
  const open = [...coverage].flatMap(([file, lines]) =>
    file.endsWith(".c") ? [...lines].flatMap(([line, isExecuted]) => (isExecuted ? [] : [`${file}:${line}`])) : [],
  );
  const random = new Random(Number(values["random-seed"]));
  const places: string[] = [];
  while (places.length < count && open.length > 0) places.push(...open.splice(random.next() % open.length, 1));
  return places;
}

/** Whether gcov sees the statement's line executed by this test; null if gcc has no code of its own for it. */
function covers(script: string, program: string, folder: string, file: string, line: number): boolean | null {
  sh("find . -name '*.gcda' -exec rm -f {} +", folder);
  sh(`sh '${script}'`, folder, { PROGRAM: program }, RUN_MS);
  const lines = coverageOf(folder).get(file) ?? new Map<number, boolean>();
  const source = readFileSync(join(folder, file), "latin1");
  const first = Math.min(line, ...statementStarts(source, [line]).values());
  let isKnown = false;
  for (let at = first; at <= line; at++) {
    if (lines.get(at) === true) return true;
    if (lines.has(at)) isKnown = true;
  }
  return isKnown || lines.size === 0 ? false : null;
}

const FOLDERS = ["project", "coverage", "asan"];

function measured(directory: string): Row {
  const source = resolve(directory);
  const name = basename(source);
  const row: Row = {
    ...{ name, lines: 0, findings: 0, passed: 0, covered: 0, unknown: 0, native: 0, sanitized: 0, machine: 0, left: 0 },
    wrong: [],
  };
  const read = readConfig(source);
  const config = read.kind === "config" ? read.config : null;
  if (config?.build == null || config.test == null) throw new Error(`${source}: tangent.toml names no build and test`);
  const work = join(resolve(values.work), name);
  const [project, counted, sanitized] = FOLDERS.map((one) => join(work, one));
  mkdirSync(work, { recursive: true });
  if (!values.judge) make(source, work, config.build, config.test);
  const told = readFileSync(join(work, "log"), "latin1");
  row.left = Number(/(\d+) tests? (?:was|were) not written/.exec(told)?.[1] ?? 0);
  const exported = join(project, "exported");
  const names = existsSync(exported) ? readdirSync(exported).filter((one) => one.endsWith(".sh")) : [];
  const builds = { project, counted, sanitized };
  for (const one of names.slice(0, Number(values.tests))) judge(join(exported, one), row, builds);
  writeFileSync(join(work, "row.json"), `${JSON.stringify(row)}\n`);
  return row;
}

/** The three builds of a project, and in the last one what is exported. */
function make(source: string, work: string, build: string, test: string): void {
  const [project, counted, sanitized] = FOLDERS.map((one) => join(work, one));
  const isPatch = existsSync(join(source, "changes.diff"));
  for (const [folder, CC] of [
    [counted, "gcc -g -O0 --coverage"],
    [sanitized, "gcc -g -O1 -fsanitize=address"],
  ] as const) {
    rmSync(folder, { recursive: true, force: true });
    const from = join(work, "patched");
    rmSync(from, { recursive: true, force: true });
    cpSync(source, from, { recursive: true, verbatimSymlinks: true });
    if (isPatch) sh("patch -p1 -s <changes.diff", from);
    built(from, folder, build, CC);
  }
  rmSync(project, { recursive: true, force: true });
  cpSync(source, project, { recursive: true, verbatimSymlinks: true });
  const git = "git -c user.name=A -c user.email=a@example.org";
  sh(`${NOTHING_BUILT}; rm -rf .git; git init -q && git add -A -f && ${git} commit -q -m first`, project);
  let wanted = "patch --diff changes.diff";
  if (!isPatch) {
    sh(test, counted);
    const places = drawn(coverageOf(counted), Number(values.places));
    wanted = `reach ${places.join(" ")}`;
  }
  const state = join(work, "state");
  const log = join(work, "log");
  const command = `sh '${LAUNCHER}' ${wanted} --quiet --time ${values.time}s --target-time ${values["target-time"]}s --export exported >'${log}' 2>&1`;
  const env = { TANGENT_STATE: state };
  sh(command, project, env);
}

interface Builds {
  readonly project: string;
  readonly counted: string;
  readonly sanitized: string;
}

function judge(script: string, row: Row, { project, counted, sanitized }: Builds): void {
  const text = readFileSync(script, "latin1");
  const run = (program: string, env: NodeJS.ProcessEnv = {}) =>
    sh(`sh '${script}'`, project, { PROGRAM: program, TANGENT: "/there/is/none", ...env }, RUN_MS);
  const own = (/^program=\$\{PROGRAM:?-'?([^'}]+)'?\}$/m.exec(text)?.[1] ?? "").replace(`${project}/`, "");
  const below = own.replace(/^\.\//, "").replace(/^\.tangent\/(patch\/new|build)\//, "");
  const made = join(project, ".tangent/patch/new", below);
  const wrong = (what: string): number => row.wrong.push(`${basename(script)}: ${what}`);
  const place = /^# Runs (.+?):(\d+)(?:,|\.$)/m.exec(text);
  if (place !== null) {
    row.lines++;
    const { status, stdout, stderr } = run(made);
    if (status === 0) row.passed++;
    else wrong(`status ${status}: ${`${stdout}${stderr}`.trim().slice(-300)}`);
    const seen = covers(script, join(counted, below), counted, place[1], Number(place[2]));
    if (seen === true) row.covered++;
    else if (seen === null) row.unknown++;
    else wrong(`gcov does not see ${place[1]}:${place[2]}`);
    return;
  }
  row.findings++;
  const failed = (program: string, env: NodeJS.ProcessEnv = {}): boolean => {
    const { status, stdout } = run(program, env);
    return status === 1 && /FAILED/.test(stdout);
  };
  if (!text.includes("__asan_init") && failed(made)) row.native++;
  else if (failed(join(sanitized, below))) row.sanitized++;
  else if (failed(made, { TANGENT: LAUNCHER })) {
    row.machine++;
    wrong(`fails only in tangent's machine: ${text.split("\n")[1]}`);
  } else wrong("does not fail");
}

const rows = positionals.map((directory) => {
  const row = measured(directory);
  console.log(`${JSON.stringify(row, null, 1)}`);
  return row;
});
const total = (key: Exclude<keyof Row, "name" | "wrong">): number => rows.reduce((sum, row) => sum + row[key], 0);
console.log(
  "| project | tests of lines | pass natively | gcov sees the line | gcc has no code there | of findings | fail natively | with AddressSanitizer | only in the machine | not written |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|");
for (const row of rows) {
  const { name, lines, passed, covered, unknown, findings, native, sanitized, machine, left } = row;
  console.log(`| ${[name, lines, passed, covered, unknown, findings, native, sanitized, machine, left].join(" | ")} |`);
}
const keys = ["lines", "passed", "covered", "unknown", "findings", "native", "sanitized", "machine", "left"] as const;
console.log(`| all | ${keys.map(total).join(" | ")} |`);
