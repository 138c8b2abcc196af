// What the checks on a test's own path cost (distance 0): for each seed of recorded projects, processor time of the on-path
// checks against that of the same run in the same translation with nothing symbolic, and against the native run's time as it
// was recorded. Ratios measured in one run, because machines are shared and noisy.
//
//   npm run bench:amplify -- PROJECT... [--seeds N]
//
// A project is a directory in which `tangent record` has run.

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { ProgramImage } from "../src/jit/image.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../src/jit/options.js";
import { loadProgram } from "../src/program/load.js";
import { BlobStore } from "../src/project/blob-store.js";
import { concreteOptions } from "../src/project/campaign.js";
import { ProjectFolder } from "../src/project/project-folder.js";
import type { Seed } from "../src/project/seed.js";
import { SeedStore } from "../src/project/seed-store.js";
import { testOf } from "../src/project/seed-test.js";
import { Amplification } from "../src/techniques/amplify.js";
import { Machine } from "../src/vm/machine.js";

interface Row {
  readonly native: number;
  readonly plain: number;
  readonly checked: number;
  readonly checks: number;
  readonly queries: number;
  readonly decisions: number;
}

function cpuMs(body: () => void): number {
  const before = process.cpuUsage();
  body();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function measure(seed: Seed, blobs: BlobStore, image: ProgramImage, module: WebAssembly.Module): Row | null {
  const made = testOf(seed, blobs);
  if (made.kind === "broken") return null;
  const plain = cpuMs(() => {
    new Machine(image, { ...concreteOptions(made.test, []), stdout: "capture", stderr: "capture" }).run(module);
  });
  let row: Row | null = null;
  const checked = cpuMs(() => {
    const amplification = new Amplification(
      image,
      made.test,
      { limits: { timeMs: 30_000 }, checkTimeMs: 30_000 },
      module,
    );
    const events = amplification.run();
    for (let next = events.next(); ; next = events.next()) {
      if (next.done !== true) continue;
      const { checksAsked: checks, decisions, statistics } = next.value;
      row = {
        native: seed.recorded.milliseconds,
        plain,
        checked: 0,
        checks,
        queries: statistics.solver.queries,
        decisions,
      };
      return;
    }
  });
  return row === null ? null : { ...(row as Row), checked };
}

async function measureProject(root: string, limit: number): Promise<Row[]> {
  const folder = new ProjectFolder(resolve(root));
  const blobs = new BlobStore(folder);
  const images = new Map<string, { readonly image: ProgramImage; readonly module: WebAssembly.Module }>();
  const rows: Row[] = [];
  for (const seed of new SeedStore(folder).list().slice(0, limit)) {
    let loaded = images.get(seed.programContent);
    if (loaded === undefined) {
      const result = await loadProgram([seed.program], {
        env: process.env,
        flags: [],
        clang: null,
        compile: AMPLIFY_COMPILE_OPTIONS,
      });
      if (result.kind === "failed") continue;
      loaded = { image: result.image, module: new WebAssembly.Module(result.image.wasm) };
      images.set(seed.programContent, loaded);
      // The first run of all compiles; it is nobody's.
      measure(seed, blobs, loaded.image, loaded.module);
    }
    const row = measure(seed, blobs, loaded.image, loaded.module);
    if (row !== null) rows.push(row);
  }
  return rows;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

function report(name: string, rows: readonly Row[]): void {
  const sum = (pick: (row: Row) => number): number => rows.reduce((total, row) => total + pick(row), 0);
  const ratios = rows.map(({ checked, plain }) => checked / plain);
  console.log(
    `${name}: ${rows.length} seeds; in the VM ${median(rows.map(({ plain }) => plain)).toFixed(1)} ms, with checks ` +
      `${median(rows.map(({ checked }) => checked)).toFixed(1)} ms (medians); ratio: median ${median(ratios).toFixed(1)}, ` +
      `total ${(sum(({ checked }) => checked) / sum(({ plain }) => plain)).toFixed(1)}; ` +
      `${sum(({ checks }) => checks)} checks, ${sum(({ queries }) => queries)} queries, ${sum(({ decisions }) => decisions)} decisions; ` +
      `native as recorded ${median(rows.map(({ native }) => native))} ms`,
  );
}

/** Generated code needs a stack that only a worker can have. */
const STACK_MB = 512;

if (isMainThread) {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { seeds: { type: "string" } } });
  if (positionals.length === 0) console.error("name a directory in which `tangent record` has run");
  for (const root of positionals) {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { root, limit: Number(values.seeds ?? 200) },
      resourceLimits: { stackSizeMb: STACK_MB },
    });
    const rows = await new Promise<Row[]>((done, failed) => {
      worker.once("message", done);
      worker.once("error", failed);
    });
    report(root, rows);
  }
} else {
  const { root, limit } = workerData as { readonly root: string; readonly limit: number };
  parentPort?.postMessage(await measureProject(root, limit));
}
