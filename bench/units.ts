// Many units in one process: how fast they are made and begun, and whether memory stays as it is. Functions of a program are explored one
// after the other, each for some runs: by their types, and, in a recorded project, at calls of its first tests.
//
//   npm run bench:units -- PROGRAM [--count N] [--runs N]        (a program built with tangent cc, or a C file)
//   npm run bench:units -- --project DIRECTORY [--count N] [--runs N]
//
// Times are the process's own processor time, because machines are shared. The last number of a line stands for all that was found (paths,
// blocks, failures): it must not change when only speed is worked on.

import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { scriptArguments } from "../scripts/usage.js";
import { loadModule } from "../src/jit/load-module.js";
import { useV8Flags } from "../src/support/v8-flags.js";

useV8Flags();
const { UNIT_COMPILE_OPTIONS } = await import("../src/jit/options.js");
const { loadProgram } = await import("../src/program/load.js");
const { loadLinkedProgram } = await import("../src/program/load-linked.js");
const { BlobStore } = await import("../src/project/blob-store.js");
const { ProjectFolder } = await import("../src/project/project-folder.js");
const { SeedStore } = await import("../src/project/seed-store.js");
const { testOf } = await import("../src/project/seed-test.js");
const { ContextGround } = await import("../src/techniques/compose/context-ground.js");
const { describeContext } = await import("../src/techniques/compose/describe-context.js");
const { recordContexts } = await import("../src/techniques/compose/record-contexts.js");
const { DEFAULT_DESCRIBE_OPTIONS, describeUnit } = await import("../src/techniques/unit/describe-unit.js");
const { DEFAULT_UNIT_PLAN, unitExploration } = await import("../src/techniques/unit/explore-unit.js");
type Described = import("../src/techniques/unit/describe-unit.js").Described;

const { values, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: { project: { type: "string" }, count: { type: "string" }, runs: { type: "string" } },
});

const count = Number(values.count ?? 500);
const runs = Number(values.runs ?? 4);
const seeds = values.project === undefined ? [] : new SeedStore(new ProjectFolder(resolve(values.project))).list();
const named = positionals[0] ?? mostFrequent(seeds.map(({ program }) => program));
if (named === undefined) {
  console.error("bench:units: name a program, or a project with recorded tests");
  process.exit(2);
}

const options = { env: process.env, clang: null, flags: ["-O1"], compile: UNIT_COMPILE_OPTIONS };
const loaded = await loadProgram([named], options);
const linked = await loadLinkedProgram([named], options);
if (loaded.kind === "failed" || linked.kind === "failed") {
  console.error(loaded.kind === "failed" ? loaded.message : linked.kind === "failed" ? linked.message : "");
  process.exit(3);
}
const { image } = loaded;
const module = loadModule(image);
const ground = new ContextGround(linked.program, image, module);
const execution = { heapBytes: 0x1000_0000, seed: 1 };
const limits = { instructions: 2e8, timeMs: 20_000 };
const plan = { ...DEFAULT_UNIT_PLAN, timeMs: 60_000, studyMs: 10_000, instructions: 1e6, memoryBytes: 4e9 };

const own = linked.program.functions.filter(({ module: { origin } }) => origin === "program");
const describing = { ...DEFAULT_DESCRIBE_OPTIONS, globalBytes: 256 };
measure(
  "by types",
  own.map((fn) => () => describeUnit(linked.program, image, fn, describing, ground.types)),
);
if (seeds.length > 0) measure("at calls", contexts());

function mostFrequent(names: readonly string[]): string | undefined {
  const times = (name: string): number => names.filter((other) => other === name).length;
  return [...new Set(names)].sort((a, b) => times(b) - times(a))[0];
}

function contexts(): readonly (() => Described)[] {
  const root = resolve(values.project ?? "");
  const blobs = new BlobStore(new ProjectFolder(root));
  const mine = seeds.filter(({ program }) => program === named);
  const all = mine.slice(0, 3).flatMap((seed) => {
    const made = testOf(seed, blobs, root);
    if (made.kind === "broken") return [];
    // No limit to looking: what is found must not depend on time.
    const recorded = recordContexts(ground, made.test, { execution, limits, lookMs: Number.POSITIVE_INFINITY });
    if ("kind" in recorded) return [];
    return recorded.contexts.map(({ function: fn, call, dependent }) => () => {
      const freedom = dependent > 0 ? "input" : "all";
      return describeContext(ground, made.test, fn, call, { freedom, key: seed.id, execution, limits });
    });
  });
  // Far from each other, so that a few are not all of one kind.
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, n) => n % step === 0);
}

/** Of the process, in milliseconds. */
function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function measure(what: string, units: readonly (() => Described)[]): void {
  const found = createHash("sha256");
  const first: number[] = [];
  const all: number[] = [];
  const resident: number[] = [];
  for (const describe of units.slice(0, count)) {
    const began = spent();
    const told = explored(describe, () => first.push(spent() - began));
    if (told === null) continue;
    all.push(spent() - began);
    found.update(`${told}\n`);
    if (process.env.UNITS_TOLD !== undefined) console.log(`${what} ${told}`);
    if (all.length % Math.ceil(count / 10) === 0) resident.push(process.memoryUsage.rss());
  }
  const sum = all.reduce((before, one) => before + one, 0);
  const megabytes = resident.map((bytes) => Math.round(bytes / 2 ** 20));
  console.log(
    `${what}: ${all.length} units, ${((1000 * all.length) / sum).toFixed(1)} a second; first path ` +
      `${median(first).toFixed(1)} ms, ${runs} runs ${median(all).toFixed(1)} ms; ` +
      `MiB resident ${megabytes.join(" ")}; ${found.digest("hex").slice(0, 12)}`,
  );
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

/** In words; null if the function cannot be a unit. */
function explored(describe: () => Described, firstRun: () => void): string | null {
  const described = describe();
  if (described.kind === "failed") return null;
  const { unit } = described;
  const abort = { aborted: false };
  const made = unitExploration(image, unit, plan, { abort, memoryUsed: null }, module);
  if (made.kind === "failed") return null;
  const { exploration } = made;
  const failures: string[] = [];
  let done = 0;
  for (const event of exploration.events()) {
    if (event.kind === "run" && done++ === 0) firstRun();
    abort.aborted = done >= runs;
    if (event.kind !== "failure") continue;
    const { finding, precondition } = event.failure;
    failures.push(`${finding.kind}:${finding.stack[0]?.line} ${precondition.map(({ text }) => text).join(" && ")}`);
  }
  const { statistics, coverage } = exploration.summary("exhausted", false);
  exploration.release();
  const { paths, infeasible } = statistics;
  return `${unit.function.name} ${paths} ${infeasible} ${coverage.coveredBlocks}/${coverage.blocks} ${failures.join("; ")}`;
}
