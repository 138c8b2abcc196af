// What the checks on a test's own path cost (distance 0): for each seed of recorded projects, processor time of the on-path
// checks against that of the same run in the same translation with nothing symbolic, and against the native run's as it was
// recorded. Each is measured twice, in turn, and the better counts: machines are shared, and V8 compiles in the background while
// a program first runs.
//
//   npm run bench:amplify -- PROJECT... [--seeds N] [--program NAME]... [--seed-time SECONDS]
//
// A project is a directory in which `tangent record` has run. Of its seeds (those of the programs named, if any are) N are taken, in the
// order of their names, which are hashes: a random sample, and the same one each time.

import { basename, resolve } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { scriptArguments } from "../scripts/usage.js";
import { runOptionsOf } from "../src/inputs/test-input.js";
import type { ProgramImage } from "../src/jit/image.js";
import { loadModule } from "../src/jit/load-module.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../src/jit/options.js";
import { loadProgram } from "../src/program/load.js";
import { BlobStore } from "../src/project/blob-store.js";
import { ProjectFolder } from "../src/project/project-folder.js";
import type { Seed, SeedEnd } from "../src/project/seed.js";
import { SeedStore } from "../src/project/seed-store.js";
import { testOf } from "../src/project/seed-test.js";
import { Amplification } from "../src/techniques/amplify.js";
import { Machine } from "../src/vm/machine.js";
import type { RunEnd } from "../src/vm/run-end.js";
import type { RunOptions } from "../src/vm/run-options.js";

const TIMES = 2;
/** Noise is a matter of milliseconds: what takes longer is measured once. */
const LONG_MS = 3000;
const WORST_SHOWN = 5;
/** As a campaign has it, unless told otherwise. */
const SEED_TIME_S = 30;

/** Times in milliseconds. */
interface Row {
  readonly name: string;
  /** Null if a signal ended it. */
  readonly native: number | null;
  readonly plain: number;
  readonly checked: number;
  /** Ends in the VM as it did natively; what it ended with, if not. */
  readonly otherEnd: string | null;
  readonly counts: Counts;
}

interface Counts {
  /** It ran to its end, with all checks, in its time. */
  readonly isWhole: boolean;
  readonly checks: number;
  readonly decisions: number;
  readonly instructions: number;
  /** To the solver's chain; those that sets of byte values answered, a SAT solver, or what was asked before. */
  readonly queries: number;
  readonly bySets: number;
  readonly solved: number;
  readonly reused: number;
  readonly solverMs: number;
}

function cpuMs(body: () => void): number {
  const before = process.cpuUsage();
  body();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

interface Loaded {
  readonly image: ProgramImage;
  readonly module: WebAssembly.Module;
}

function measure(seed: Seed, blobs: BlobStore, { image, module }: Loaded, timeMs: number): Row | null {
  const made = testOf(seed, blobs, seed.workingDirectory);
  if (made.kind === "broken") return null;
  let plain = Number.POSITIVE_INFINITY;
  let checked = Number.POSITIVE_INFINITY;
  let counts: Counts | null = null;
  let otherEnd: string | null = null;
  for (let time = 0; time < TIMES; time++) {
    const runPlain = (): void => {
      const options: RunOptions = { ...runOptionsOf(made.test, []), stdout: "capture", stderr: "capture" };
      otherEnd = differentEnd(seed.end, new Machine(image, options).run(module).end);
    };
    const runChecked = (): void => {
      const options = { limits: { timeMs }, checkTimeMs: timeMs };
      const started = performance.now();
      const all = amplify(new Amplification(image, made.test, options, module));
      // When the time is over, the engine asks no more and says nothing of it.
      counts = { ...all, isWhole: all.isWhole && performance.now() - started < timeMs };
    };
    plain = Math.min(plain, cpuMs(runPlain));
    checked = Math.min(checked, cpuMs(runChecked));
    if (checked > LONG_MS) break;
  }
  const { processorMicroseconds } = seed.recorded;
  const native = processorMicroseconds === undefined ? null : processorMicroseconds / 1000;
  const name = `${basename(seed.program)} ${seed.arguments.slice(1).join(" ")}`.replace(/[^ -~]/g, "?").slice(0, 70);
  return counts === null ? null : { name: `${seed.id} ${name}`, native, plain, checked, otherEnd, counts };
}

function differentEnd(native: SeedEnd, inVm: RunEnd): string | null {
  if (native.kind === "unknown") return null;
  if (native.kind === "exit" && inVm.kind === "exit" && native.code === inVm.code) return null;
  // An abort is a detector's business in the VM.
  if (native.kind === "signal" && (inVm.kind === "signal" || inVm.kind === "fault")) return null;
  const short = ({ kind, ...rest }: SeedEnd | RunEnd): string =>
    `${kind} ${JSON.stringify({ ...rest, trace: undefined })}`;
  return `${short(native)}, in the VM ${short(inVm)}`;
}

function amplify(amplification: Amplification): Counts {
  const events = amplification.run();
  for (;;) {
    const next = events.next();
    if (next.done !== true) continue;
    const { checks, decisions, testInstructions: instructions, testEnd } = next.value;
    const isCut = testEnd === null || testEnd.kind === "limit" || testEnd.kind === "stopped";
    const isWhole = !isCut && next.value.checksSkipped === 0;
    const { total, details } = amplification.solver.stats;
    const solved = details["answers of the small SAT solver"] + details["answers of CaDiCaL"];
    const reused = details["cached queries"] + details["reused models"] + details["reused contradictions"];
    const bySets = details["byte domains, sat"] + details["byte domains, unsat"];
    return {
      isWhole,
      checks,
      decisions,
      instructions,
      queries: total.calls,
      bySets,
      solved,
      reused,
      solverMs: total.timeMs,
    };
  }
}

async function measureProject({ root, limit, programs, seedTimeMs }: Task): Promise<Row[]> {
  const folder = new ProjectFolder(resolve(root));
  const blobs = new BlobStore(folder);
  const images = new Map<string, Loaded>();
  const rows: Row[] = [];
  const wanted = new SeedStore(folder)
    .list()
    .filter(({ program }) => programs.length === 0 || programs.includes(basename(program)))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const seed of wanted.slice(0, limit)) {
    let loaded = images.get(seed.programContent);
    if (loaded === undefined) {
      const result = await loadProgram([seed.program], {
        env: process.env,
        flags: [],
        clang: null,
        compile: AMPLIFY_COMPILE_OPTIONS,
      });
      if (result.kind === "failed") continue;
      loaded = { image: result.image, module: loadModule(result.image) };
      images.set(seed.programContent, loaded);
      // The first run of all compiles; it is nobody's.
      measure(seed, blobs, loaded, seedTimeMs);
    }
    const row = measure(seed, blobs, loaded, seedTimeMs);
    if (row !== null) rows.push(row);
  }
  return rows;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

const HEADING = [
  "project",
  "seeds",
  "end as natively",
  "whole",
  "native ms",
  "VM ms",
  "checked ms",
  "checked / VM",
  "90 %",
  "total",
  "checked / native",
  "checks",
  "queries",
  "by byte sets",
  "by SAT",
  "from caches",
  "decisions",
];

/** Times and ratios are medians but for those that say otherwise. */
function line(name: string, rows: readonly Row[]): string {
  const sum = (pick: (row: Row) => number): number => rows.reduce((total, row) => total + pick(row), 0);
  const ratios = rows.map(({ checked, plain }) => checked / plain).sort((a, b) => a - b);
  const natives = rows.flatMap(({ native }) => (native === null ? [] : [native]));
  const overNative = rows.flatMap(({ native, checked }) => (native === null || native === 0 ? [] : [checked / native]));
  const cells = [
    name,
    rows.length,
    rows.filter(({ otherEnd }) => otherEnd === null).length,
    rows.filter(({ counts }) => counts.isWhole).length,
    median(natives).toFixed(2),
    median(rows.map(({ plain }) => plain)).toFixed(1),
    median(rows.map(({ checked }) => checked)).toFixed(1),
    median(ratios).toFixed(1),
    (ratios[Math.floor(0.9 * ratios.length)] ?? Number.NaN).toFixed(1),
    (sum(({ checked }) => checked) / sum(({ plain }) => plain)).toFixed(1),
    median(overNative).toFixed(0),
    sum(({ counts }) => counts.checks),
    sum(({ counts }) => counts.queries),
    sum(({ counts }) => counts.bySets),
    sum(({ counts }) => counts.solved),
    sum(({ counts }) => counts.reused),
    sum(({ counts }) => counts.decisions),
  ];
  return `| ${cells.join(" | ")} |`;
}

function worst(rows: readonly Row[]): string[] {
  return [...rows]
    .sort((a, b) => b.checked / b.plain - a.checked / a.plain)
    .slice(0, WORST_SHOWN)
    .map(({ name, plain, checked, counts }) => {
      const { checks, queries, solved, decisions, instructions, solverMs } = counts;
      const cut = counts.isWhole ? "" : " (cut off)";
      return (
        `${(checked / plain).toFixed(1)}x${cut}: ${plain.toFixed(0)} ms, checked ${checked.toFixed(0)} ms (solver ${solverMs.toFixed(0)}), ` +
        `${checks} checks, ${queries} queries, ${solved} by SAT, ${decisions} decisions, ${instructions} instructions: ${name}`
      );
    });
}

/** Generated code needs a stack that only a worker can have. */
const STACK_MB = 512;

interface Task {
  readonly root: string;
  readonly limit: number;
  readonly programs: readonly string[];
  readonly seedTimeMs: number;
}

if (isMainThread) {
  const { positionals, values } = scriptArguments(import.meta.url, {
    allowPositionals: true,
    options: {
      seeds: { type: "string" },
      program: { type: "string", multiple: true },
      "seed-time": { type: "string" },
    },
  });
  if (positionals.length === 0) console.error("name a directory in which `tangent record` has run");
  const all: Row[] = [];
  console.log(`| ${HEADING.join(" | ")} |\n|${HEADING.map(() => "---").join("|")}|`);
  for (const root of positionals) {
    const task: Task = {
      root,
      limit: Number(values.seeds ?? 200),
      programs: values.program ?? [],
      seedTimeMs: 1000 * Number(values["seed-time"] ?? SEED_TIME_S),
    };
    const worker = new Worker(new URL(import.meta.url), {
      workerData: task,
      resourceLimits: { stackSizeMb: STACK_MB },
    });
    const rows = await new Promise<Row[]>((done, failed) => {
      worker.once("message", done);
      worker.once("error", failed);
    });
    all.push(...rows);
    console.log(line(root, rows));
    console.error(worst(rows).join("\n"));
    for (const { name, otherEnd } of rows) if (otherEnd !== null) console.error(`${otherEnd}: ${name}`);
  }
  if (positionals.length > 1) console.log(line("all", all));
} else {
  parentPort?.postMessage(await measureProject(workerData as Task));
}
