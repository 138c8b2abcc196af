// The recorded tests of a project under the translation that follows what was set: how many ran, how long, and each use of
// what was never set, once, with a test that shows it. The project is only read.

import { basename } from "node:path";
import { DefinedMachine } from "../../src/definedness/defined-machine.js";
import { findingsOf } from "../../src/definedness/run-defined.js";
import { runOptionsOf } from "../../src/inputs/test-input.js";
import { loadModule } from "../../src/jit/load-module.js";
import { DEFINEDNESS_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { findProgram } from "../../src/jobs/find-program.js";
import { BlobStore } from "../../src/project/blob-store.js";
import { seedsOurs } from "../../src/project/made-here.js";
import { ProjectFolder } from "../../src/project/project-folder.js";
import type { Seed } from "../../src/project/seed.js";
import { SeedStore } from "../../src/project/seed-store.js";
import { testOf } from "../../src/project/seed-test.js";
import { recordedProgram } from "../../src/project/stand-ins.js";
import { ProjectState } from "../../src/project/state-folder.js";
import { renderFinding } from "../../src/report/text.js";
import { visible } from "../../src/support/visible-text.js";
import type { RunEnd } from "../../src/vm/run-end.js";
import { DEFAULT_LIMITS, type RunOptions } from "../../src/vm/run-options.js";

export interface RecordedOptions {
  /** Only tests of this program; null: of all. */
  readonly program: string | null;
  readonly count: number;
  /** Of each test. */
  readonly seconds: number;
}

const HEAP_BYTES = 0x1000_0000;

export async function runRecorded(root: string, options: RecordedOptions): Promise<void> {
  const folder = new ProjectFolder(root);
  const state = new ProjectState(root, process.env);
  const blobs = new BlobStore(folder);
  const all = seedsOurs(state, new SeedStore(folder).list());
  const groups = new Map<string, Seed[]>();
  for (const seed of all) {
    if (options.program !== null && basename(seed.program) !== options.program) continue;
    groups.set(seed.programContent, [...(groups.get(seed.programContent) ?? []), seed]);
  }
  if (groups.size === 0) console.log(`${root} has no tests that were recorded on this machine`);
  const compile = { env: process.env, clang: null, flags: [], compile: DEFINEDNESS_COMPILE_OPTIONS };
  const places = new Map<string, number>();
  const ends = new Map<string, number>();
  let ran = 0;
  let milliseconds = 0;
  for (const seeds of groups.values()) {
    const program = recordedProgram(state, seeds[0]);
    const found = program === null ? null : await findProgram(program, compile);
    if (found === null || found.kind === "failed") {
      console.log(visible(`${basename(seeds[0].program)}: ${found?.message ?? "was not kept"}`));
      continue;
    }
    const image = found.image();
    const module = loadModule(image);
    let defined: DefinedMachine | null = null;
    for (const seed of seeds.slice(0, options.count)) {
      const made = testOf(seed, blobs, root);
      if (made.kind === "broken") continue;
      const limits = { ...DEFAULT_LIMITS, milliseconds: options.seconds * 1000, heapBytes: HEAP_BYTES };
      const run: RunOptions = { ...runOptionsOf(made.test), limits };
      if (defined === null) defined = new DefinedMachine(image, run, true);
      else defined.prepare(run);
      const { end, elapsedMs } = defined.machine.run(module);
      ran++;
      milliseconds += elapsedMs;
      const word = end.kind === "exit" ? "exit" : end.kind === "limit" ? `limit of ${end.limit}` : end.kind;
      ends.set(word, (ends.get(word) ?? 0) + 1);
      if (!endsAsRecorded(seed, end)) {
        const how = end.kind === "fault" ? end.fault.name : end.kind === "exit" ? `exit ${end.code}` : word;
        console.log(`${visible(basename(seed.program))}, test ${seed.id}: ends with ${how}, not as recorded`);
      }
      for (const [n, finding] of findingsOf(defined).entries()) {
        const key = `${basename(seed.program)} ${defined.uses()[n].place}`;
        const times = places.get(key) ?? 0;
        places.set(key, times + 1);
        if (times > 0) continue;
        console.log(
          `\n${visible(basename(seed.program))}, test ${seed.id}: ${visible(seed.arguments.join(" ").slice(0, 200))}`,
        );
        console.log(renderFinding(finding));
      }
      if (defined.machine.memory.heapBytes > HEAP_BYTES / 4) defined = null;
    }
  }
  const words = [...ends].map(([word, count]) => `${word} ${count}`).join(", ");
  console.log(`${ran} tests in ${(milliseconds / 1000).toFixed(1)} s (${words}); ${places.size} places`);
  for (const [place, times] of places) console.log(visible(`  ${times} times: ${place}`));
}

/** An end by SIGABRT is a fault here. */
function endsAsRecorded({ end: recorded }: Seed, end: RunEnd): boolean {
  if (recorded.kind === "exit") return end.kind === "exit" && end.code === recorded.code;
  if (recorded.kind === "signal") return end.kind === "signal" || end.kind === "fault";
  return true;
}
