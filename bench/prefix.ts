// What a snapshot would save: the part of a run before its first decision on input is the same in every run of an exploration. Measured:
// the time of that part (KATCH's prefix problem: programs with a long start-up), beside the time that putting back the memory it
// has written would take. A snapshot pays where the first is much larger than the second.
//
//   npm run bench:prefix -- PROGRAM [ARGUMENT...]        (a program built with tangent cc, or a C file)
//
// Each is the best of several runs, because machines are shared.

import { programAndWords } from "../scripts/usage.js";
import { useV8Flags } from "../src/support/v8-flags.js";

useV8Flags();
const { GuidedExploration } = await import("../src/engine/guided-exploration.js");
const { ProgramExecutor } = await import("../src/engine/program-executor.js");
const { AMPLIFY_COMPILE_OPTIONS } = await import("../src/jit/options.js");
const { loadProgram } = await import("../src/program/load.js");
const { assembleSolver } = await import("../src/solver/chain.js");
const { argumentName } = await import("../src/inputs/symbolic-inputs.js");

const RUNS = 12;
const PAGE = 4096;

const [program, ...words] = programAndWords(import.meta.url);
if (program === undefined) {
  console.error("bench:prefix: name a program and its arguments");
  process.exit(2);
}
const loaded = await loadProgram([program], {
  env: process.env,
  clang: null,
  flags: ["-O1"],
  compile: AMPLIFY_COMPILE_OPTIONS,
});
if (loaded.kind === "failed") {
  console.error(loaded.message);
  process.exit(3);
}
const { image } = loaded;
const bytes = words.map((word) => Buffer.from(word));
const executor = new ProgramExecutor(image, {
  inputs: {
    words: bytes.map(({ length }) => ({ kind: "symbolic", length })),
    stdin: null,
    files: [],
    environment: [],
  },
  name: program,
  workingDirectory: process.cwd(),
  environment: [],
  heapBytes: 0x1000_0000,
  seed: 1,
  describe: () => {},
});
const seed = executor.space.seed(bytes.map((value, n) => ({ name: argumentName(n), occurrence: 0, bytes: value })));

let before = 0;
let prefixMs = Number.POSITIVE_INFINITY;
let runMs = Number.POSITIVE_INFINITY;
let total = 0;
let started = 0;
let isFirst = true;
const snapshot: { memory: Uint8Array | null } = { memory: null };
const exploration = new GuidedExploration(executor, {
  solver: assembleSolver(executor.arena, {}),
  checks: "off",
  seeds: [seed],
  listeners: [
    {
      decision: () => {
        if (!isFirst) return;
        isFirst = false;
        before = executor.instructionsSoFar();
        prefixMs = Math.min(prefixMs, performance.now() - started);
        snapshot.memory ??= executor.machine.memory.u8.slice();
      },
    },
  ],
});
for (let run = 0; run < RUNS; run++) {
  isFirst = true;
  started = performance.now();
  exploration.engine.recorder.startSeed(seed);
  const outcome = executor.run(seed, exploration.engine.recorder, {
    instructions: Number.POSITIVE_INFINITY,
    timeMs: 60_000,
  });
  exploration.engine.recorder.finish(seed);
  runMs = Math.min(runMs, performance.now() - started);
  total = outcome.instructions;
}

const { memory: written } = snapshot;
if (written === null) {
  console.log(`${program}: no decision on input in ${total} instructions`);
  process.exit(0);
}
const pages = writtenPages(written);
let copyMs = Number.POSITIVE_INFINITY;
for (let run = 0; run < RUNS; run++) {
  const to = executor.machine.memory.u8;
  const from = performance.now();
  for (const page of pages) to.set(written.subarray(page * PAGE, (page + 1) * PAGE), page * PAGE);
  copyMs = Math.min(copyMs, performance.now() - from);
}
const share = (100 * before) / total;
console.log(
  `${program}: ${total} instructions, ${before} (${share.toFixed(0)} %) before the first decision; ` +
    `a run ${runMs.toFixed(2)} ms, of which ${prefixMs.toFixed(2)} ms before it; ` +
    `putting back ${((pages.length * PAGE) / 1024).toFixed(0)} KiB ${copyMs.toFixed(2)} ms`,
);

/** Pages that hold anything: an upper bound of what the start-up wrote. */
function writtenPages(memory: Uint8Array): number[] {
  const list: number[] = [];
  for (let page = 0; page * PAGE < memory.length; page++) {
    const part = memory.subarray(page * PAGE, (page + 1) * PAGE);
    if (part.some((byte) => byte !== 0)) list.push(page);
  }
  return list;
}
