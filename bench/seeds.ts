// What a recorded test costs when a campaign looks at its own path (distance 0), in processor time, against what the tests themselves
// cost natively; and where the time goes. A campaign over many small tests is to cost a few times what its suite costs.
//
//   npm run bench:seeds -- [PROJECT] [--program NAME] [--seeds N] [--profile] [--inside]
//
// PROJECT is a directory in which `tangent record` has run, which is not changed: its seeds are copied. Without one, a small converter
// (bench/seeds/marks.c) and tests for it are made: several hundred short texts, made of pieces at random, the same each time.
// The campaign is `tangent amplify --distance 0`, twice: the first time programs may have to be translated. `--inside` does the items in
// this process instead, with the time of each, as the first round of an ordinary campaign, in which slow checks are put off.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { scriptArguments } from "../scripts/usage.js";
import type { ItemContext } from "../src/campaign/technique.js";
import { loadModule } from "../src/jit/load-module.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../src/jit/options.js";
import { loadProgram } from "../src/program/load.js";
import { ProjectFolder } from "../src/project/project-folder.js";
import type { Seed } from "../src/project/seed.js";
import { SeedStore } from "../src/project/seed-store.js";
import { Random } from "../src/support/random.js";
import { useV8Flags } from "../src/support/v8-flags.js";
import { AMPLIFY_RUNNER, type AmplifyWork } from "../src/techniques/amplify-item.js";
import { AmplifyTechnique, DEFAULT_AMPLIFY_PLAN } from "../src/techniques/amplify-technique.js";
import { hottest } from "./profile.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MAIN = join(ROOT, "dist/src/cli/main.js");
const MADE_TESTS = 400;
const SHOWN = 30;
/** Generated code needs a stack that only a worker can have. */
const STACK_MB = 512;

interface Task {
  readonly root: string;
  readonly program: string | null;
  readonly most: number;
}

/** Processor time of a command and all that it starts, in milliseconds: the shell knows that of its children. */
function processorMs(command: readonly string[], directory: string): { readonly ms: number; readonly output: string } {
  const { stdout, stderr } = spawnSync("/bin/sh", ["-c", '"$@"; times', "sh", ...command], {
    cwd: directory,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const minutes = [...(stdout.trimEnd().split("\n").pop() ?? "").matchAll(/(\d+)m([\d.]+)s/g)];
  const ms = minutes.reduce((sum, [, m, s]) => sum + 60_000 * Number(m) + 1000 * Number(s), 0);
  return { ms, output: stdout.split("\n").slice(0, -3).join("\n") + stderr };
}

const PIECES = [
  "# Title",
  "## A *part*",
  "- one",
  "  - two",
  "> said",
  "plain text",
  "a `code` b",
  "[here](there)",
  "",
];
const MARKS = ["*a*", "_b_", "`c`", "&", "<", "\\*", "]", "[x](y)", "(", '"', "    ", "word "];

function madeText(random: Random): string {
  const lines = Array.from({ length: 1 + (random.next() % 4) }, () => {
    const marks = Array.from({ length: random.next() % 4 }, () => MARKS[random.next() % MARKS.length]);
    return PIECES[random.next() % PIECES.length] + marks.join("");
  });
  return `${lines.join("\n")}\n`;
}

/** A project with its tests recorded, and what the tests cost natively. */
function makeProject(folder: string): number {
  const random = new Random(1);
  const tests = Array.from({ length: MADE_TESTS }, (_, n) => {
    writeFileSync(join(folder, `${n}.txt`), madeText(random));
    const options = ["", " --page", " --number", " --page --number"][random.next() % 4];
    return `./marks${options} < ${n}.txt > /dev/null\n`;
  });
  writeFileSync(join(folder, "check.sh"), `${tests.join("")}true\n`);
  const tangent = join(ROOT, "bin/tangent");
  for (const words of [
    ["cc", "-g", "-O1", join(ROOT, "bench/seeds/marks.c"), "-o", "marks"],
    ["record", "sh", "check.sh"],
  ]) {
    const { status, stderr } = spawnSync(tangent, words, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`tangent ${words[0]}: ${stderr}`);
  }
  return processorMs(["sh", "check.sh"], folder).ms;
}

function seedsOf({ root, program, most }: Task): Seed[] {
  return new SeedStore(new ProjectFolder(root))
    .list()
    .filter((seed) => program === null || basename(seed.program) === program)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, most);
}

// ---- in this process

interface ItemTimes {
  /** Processor time of the whole process, and what of it the solver had by the clock. */
  readonly ms: number;
  readonly solverMs: number;
  readonly checks: number;
  /** Checks are left for later. */
  readonly isPutOff: boolean;
}

/** The first round of an ordinary campaign. */
async function runInside(task: Task): Promise<readonly ItemTimes[]> {
  useV8Flags();
  const technique = new AmplifyTechnique(seedsOf(task), DEFAULT_AMPLIFY_PLAN);
  const setup = technique.setup(task.root);
  const loaded = new Map<string, Pick<ItemContext, "image" | "module"> | null>();
  const times: ItemTimes[] = [];
  for (const { work, program } of technique.nextRound() ?? []) {
    if (!("seed" in work)) continue;
    let context = loaded.get(program);
    if (context === undefined) {
      const options = { env: process.env, flags: [], clang: null, compile: AMPLIFY_COMPILE_OPTIONS };
      const result = await loadProgram([work.seed.program], options);
      context = result.kind === "failed" ? null : { image: result.image, module: loadModule(result.image) };
      loaded.set(program, context);
    }
    if (context === null) continue;
    times.push(timesOf(work, setup, context));
  }
  return times;
}

function timesOf(
  work: AmplifyWork,
  setup: Parameters<typeof AMPLIFY_RUNNER.run>[1],
  loaded: Pick<ItemContext, "image" | "module">,
): ItemTimes {
  const before = process.cpuUsage();
  const context = { ...loaded, extra: {}, timeMs: 30_000, abort: { aborted: false }, tell: () => {} };
  const outcome = AMPLIFY_RUNNER.run(work, setup, context);
  const { user, system } = process.cpuUsage(before);
  const told = outcome.kind === "report" ? outcome.report.result : null;
  const result = told === null || told.isPlain === true || told.isMoves === true ? null : told;
  return {
    ms: (user + system) / 1000,
    solverMs: result?.statistics.solver.timeMs ?? 0,
    checks: result?.checks ?? 0,
    isPutOff: result?.isPutOff === true,
  };
}

function shareAt(sorted: readonly number[], share: number): string {
  return (sorted[Math.floor(share * sorted.length)] ?? Number.NaN).toFixed(1);
}

// ---- as a campaign

interface Measured {
  readonly ms: number;
  readonly summary: string;
}

function runCampaign({ root, program }: Task, nodeOptions: readonly string[]): Measured {
  const words = ["amplify", "--distance", "0", "--again", "-q", "--time", "1h"];
  const only = program === null ? [] : ["--program", program];
  const { ms, output } = processorMs([process.execPath, ...nodeOptions, MAIN, ...words, ...only], root);
  return { ms, summary: /tests, .*/.exec(output)?.[0] ?? output.trim().slice(-300) };
}

function showProfile(folder: string): void {
  for (const { name, ms, share } of hottest(folder, SHOWN)) {
    console.log(`${ms.toFixed(0).padStart(8)} ms ${(100 * share).toFixed(1).padStart(5)} %  ${name}`);
  }
}

async function main(): Promise<void> {
  const { positionals, values } = scriptArguments(import.meta.url, {
    allowPositionals: true,
    options: {
      program: { type: "string" },
      seeds: { type: "string" },
      profile: { type: "boolean" },
      inside: { type: "boolean" },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), "tangent-seeds-"));
  try {
    const task: Task = { root: folder, program: values.program ?? null, most: Number(values.seeds ?? 1e9) };
    let suiteMs: number | null = null;
    if (positionals.length === 0) suiteMs = makeProject(folder);
    else cpSync(join(resolve(positionals[0]), ".tangent"), join(folder, ".tangent"), { recursive: true });
    const kept = seedsOf(task);
    const store = new ProjectFolder(folder);
    const ids = new Set(kept.map(({ id }) => id));
    for (const { id } of new SeedStore(store).list()) {
      if (!ids.has(id)) rmSync(store.file("seeds", `${id}.json`));
    }
    const nativeMs = kept.reduce((sum, { recorded }) => sum + (recorded.processorMicroseconds ?? 0) / 1000, 0);
    console.log(`${kept.length} seeds; natively ${nativeMs.toFixed(0)} ms of processor time as recorded`);
    if (suiteMs !== null) console.log(`the suite by itself, with its shell: ${suiteMs.toFixed(0)} ms`);
    const against = suiteMs ?? nativeMs;
    if (values.inside === true) await measureInside(task, against);
    else measureCampaign(task, against, values.profile === true, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureInside(task: Task, against: number): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: task, resourceLimits: { stackSizeMb: STACK_MB } });
  const times = await new Promise<readonly ItemTimes[]>((done, failed) => {
    worker.once("message", done);
    worker.once("error", failed);
  });
  const sumOf = (of: (item: ItemTimes) => number): number => times.reduce((total, item) => total + of(item), 0);
  const sum = sumOf(({ ms }) => ms);
  const sorted = times.map(({ ms }) => ms).sort((a, b) => a - b);
  console.log(
    `${times.length} items: ${sum.toFixed(0)} ms, ${(sum / times.length).toFixed(1)} ms each, ` +
      `median ${shareAt(sorted, 0.5)}, 90 % ${shareAt(sorted, 0.9)}, most ${shareAt(sorted, 0.9999)}; ` +
      `${(sum / against).toFixed(1)} times the suite; solver ${sumOf(({ solverMs }) => solverMs).toFixed(0)} ms by the clock, ` +
      `${sumOf(({ checks }) => checks)} checks, ${times.filter(({ isPutOff }) => isPutOff).length} with checks put off`,
  );
  const all = sumOf(({ ms }) => ms);
  const tail = [0.01, 0.05, 0.1, 0.2].map((share) => {
    const part = sorted.slice(Math.floor((1 - share) * sorted.length)).reduce((total, ms) => total + ms, 0);
    return `${100 * share} %: ${((100 * part) / all).toFixed(0)} %`;
  });
  console.log(`of the time the slowest have: ${tail.join(", ")}`);
}

function measureCampaign(task: Task, against: number, isProfiled: boolean, folder: string): void {
  for (const which of ["first", "second"]) {
    const { ms, summary } = runCampaign(task, []);
    console.log(`${which} campaign: ${ms.toFixed(0)} ms, ${(ms / against).toFixed(1)} times the suite; ${summary}`);
  }
  if (!isProfiled) return;
  const profiles = join(folder, "profiles");
  mkdirSync(profiles);
  runCampaign(task, ["--cpu-prof", `--cpu-prof-dir=${profiles}`]);
  showProfile(profiles);
}

if (isMainThread) await main();
else parentPort?.postMessage(await runInside(workerData as Task));
