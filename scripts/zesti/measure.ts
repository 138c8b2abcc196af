// One program's cells: its recorded tests, each at every distance, as a campaign's items do it but one after the other in this
// thread, with the processor's time as the clock. What fails is run again with nothing symbolic before it counts.

import { basename } from "node:path";
import { confirm } from "../../src/findings/confirmation.js";
import type { ProgramImage } from "../../src/jit/image.js";
import { loadModule } from "../../src/jit/load-module.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { loadProgram } from "../../src/program/load.js";
import { ProjectFolder } from "../../src/project/project-folder.js";
import { sampleOf } from "../../src/project/sample.js";
import type { Seed } from "../../src/project/seed.js";
import { SeedStore } from "../../src/project/seed-store.js";
import { Random } from "../../src/support/random.js";
import { Amplification } from "../../src/techniques/amplify.js";
import { TEST_HEAP_BYTES, TEST_INSTRUCTIONS } from "../../src/techniques/test-limits.js";
import { testOfSeed } from "../../src/techniques/test-of-seed.js";
import { DEFAULT_LIMITS } from "../../src/vm/run-options.js";
import type { SourceFrame } from "../../src/vm/stack-trace.js";
import { type Cell, CHOICES, type Hit, keyOf } from "./cell.js";

export interface Measurement {
  readonly program: string;
  /** Where its tests were recorded. */
  readonly root: string;
  readonly choices: readonly string[];
  readonly distances: readonly number[];
  readonly cellMs: number;
  /** So many tests of each executable, drawn at random; none: all. */
  readonly sample: number | null;
  /** Executables, by name; none: all. */
  readonly executables: readonly string[];
  readonly known: ReadonlySet<string>;
}

/** Which known bugs a failure is. */
export type Judge = (kind: string, stack: readonly SourceFrame[], command: readonly string[]) => readonly string[];

const QUERY_MS = 5000;
const CONFIRMATION_MS = 1000;
const MEMORY_BYTES = 0x4000_0000;

/** The engine asks very often, and the system takes its time to answer: it is asked every other millisecond. */
const CLOCK_MS = 2;
const clock = { askedMs: Number.NEGATIVE_INFINITY, processorMs: 0 };

function processorMs(): number {
  const nowMs = performance.now();
  if (nowMs - clock.askedMs < CLOCK_MS) return clock.processorMs;
  const { user, system } = process.cpuUsage();
  clock.askedMs = nowMs;
  clock.processorMs = (user + system) / 1000;
  return clock.processorMs;
}

interface Loaded {
  readonly image: ProgramImage;
  readonly module: WebAssembly.Module;
}

export async function measure(task: Measurement, judge: Judge, tell: (cell: Cell) => void): Promise<void> {
  const loaded = new Map<string, Loaded | null>();
  for (const seed of chosenSeeds(task)) {
    for (const choice of task.choices) {
      for (const distance of task.distances) {
        if (task.known.has(keyOf({ program: task.program, choice, seed: seed.id, distance }))) continue;
        // Own paths are the same whatever the choice.
        if (distance === 0 && choice !== task.choices[0]) continue;
        const image = loaded.get(seed.program) ?? (loaded.has(seed.program) ? null : await load(seed.program));
        loaded.set(seed.program, image);
        const cell = image === null ? null : measureCell(task, seed, choice, distance, image, judge);
        if (cell !== null) tell(cell);
      }
    }
  }
}

function chosenSeeds({ root, sample, executables }: Measurement): readonly Seed[] {
  const all = new SeedStore(new ProjectFolder(root))
    .list()
    .filter(({ program }) => executables.length === 0 || executables.includes(basename(program)))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  if (sample === null) return all;
  const byProgram = new Map<string, Seed[]>();
  for (const seed of all) byProgram.set(seed.program, [...(byProgram.get(seed.program) ?? []), seed]);
  return [...byProgram.values()].flatMap((seeds) => sampleOf(seeds, sample, new Random(1)));
}

async function load(program: string): Promise<Loaded | null> {
  const options = { env: process.env, flags: [], clang: null, compile: AMPLIFY_COMPILE_OPTIONS };
  const result = await loadProgram([program], options);
  if (result.kind !== "failed") return { image: result.image, module: loadModule(result.image) };
  console.error(`${program}: ${result.message}`);
  return null;
}

function measureCell(
  { program, root, cellMs }: Measurement,
  seed: Seed,
  choice: string,
  distance: number,
  { image, module }: Loaded,
  judge: Judge,
): Cell | null {
  const made = testOfSeed(seed, { root });
  if (made.kind === "broken") return null;
  const { test } = made;
  const limits = {
    timeMs: cellMs,
    timePerRunMs: cellMs,
    memoryBytes: MEMORY_BYTES,
    instructionsPerPath: TEST_INSTRUCTIONS,
  };
  const startedMs = processorMs();
  const own = { distance, limits, checkTimeMs: cellMs, solver: { timeMs: QUERY_MS }, now: processorMs };
  const amplification = new Amplification(image, test, { ...CHOICES[choice], ...own }, module);
  const command = [seed.arguments[0] ?? basename(seed.program), ...seed.arguments.slice(1)];
  const hits = new Map<string, Hit>();
  let paths = 0;
  const events = amplification.run();
  for (;;) {
    const next = events.next();
    if (next.done === true) {
      const { decisions, checks, departures, statistics } = next.value;
      const lines = distance > 0 ? [] : linesOf(image, amplification.checkedSites);
      amplification.executor.release();
      const milliseconds = Math.round(processorMs() - startedMs);
      const isWhole = statistics.timeMs < cellMs;
      const counts = { milliseconds, isWhole, paths: statistics.paths, departures, decisions, checks };
      const what = { program, choice, seed: seed.id, command: command.join(" "), distance };
      return { ...what, ...counts, lines, hits: [...hits.values()] };
    }
    const event = next.value;
    if (event.kind === "run-finished" && event.isPath) paths++;
    if (event.kind !== "finding-confirmed") continue;
    const witness = amplification.valuesOf(event.input, event.outcome.objects);
    const runLimits = { ...DEFAULT_LIMITS, heapBytes: TEST_HEAP_BYTES, milliseconds: CONFIRMATION_MS };
    const options = { seed: 1, limits: runLimits, nativeEnd: seed.end, goOnAt: event.finding.behind ?? [] };
    const confirmation = confirm({ image, module }, test, witness, options);
    if (confirmation.kind !== "confirmed") {
      amplification.exploration.withdraw(event.finding);
      continue;
    }
    const { kind, stack } = confirmation.finding;
    const milliseconds = Math.round(processorMs() - startedMs);
    for (const bug of judge(kind, stack, command)) {
      if (!hits.has(bug)) hits.set(bug, { bug, depth: event.depth, paths, milliseconds });
    }
  }
}

/** Of the program's own sources. */
function linesOf(image: ProgramImage, sites: Iterable<number>): readonly string[] {
  const lines = new Set<string>();
  for (const site of sites) {
    const { location } = image.sites[site] ?? { location: -1 };
    const place = location >= 0 ? image.locations[location] : null;
    if (place === null || place.origin !== "program") continue;
    lines.add(`${place.file}:${place.line}`);
  }
  return [...lines].sort();
}
