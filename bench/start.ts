// How long a warm start takes: from the start of the process to the first byte that the program itself writes, which is later than its
// main by what it does before it writes (for `--version` next to nothing). A stamp inside the VM would leave out what Node needs
// to start, which is most of it.
//
//   node dist/bench/start.js [--runs N] PROG [ARG...]

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const LAUNCHER = fileURLToPath(new URL("../../bin/tangent", import.meta.url));
const DEFAULT_RUNS = 20;

interface Start {
  readonly firstByteMs: number;
  readonly wholeMs: number;
}

function start(program: readonly string[]): Promise<Start> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    let firstByteMs: number | null = null;
    const child = spawn(LAUNCHER, ["run", ...program], { stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.once("data", () => {
      firstByteMs = performance.now() - started;
    });
    child.stdout.resume();
    child.on("error", reject);
    child.on("close", () => {
      if (firstByteMs === null) reject(new Error(`${program[0]} wrote nothing`));
      else resolve({ firstByteMs, wholeMs: performance.now() - started });
    });
  });
}

function summary(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const [least, median, most] = [sorted[0], sorted[sorted.length >> 1], sorted[sorted.length - 1]];
  return `median ${median.toFixed(0)} ms, least ${least.toFixed(0)}, most ${most.toFixed(0)}`;
}

const words = process.argv.slice(2);
const runs = words[0] === "--runs" ? Number(words.splice(0, 2)[1]) : DEFAULT_RUNS;
if (words.length === 0 || !(runs >= 1)) {
  console.error("usage: node dist/bench/start.js [--runs N] PROG [ARG...]");
  process.exit(2);
}
// The first call fills the cache.
await start(words);
const starts: Start[] = [];
for (let run = 0; run < runs; run++) starts.push(await start(words));
console.log(`${runs} starts of ${words.join(" ")}`);
console.log(`to the program's first byte   ${summary(starts.map(({ firstByteMs }) => firstByteMs))}`);
console.log(`whole process                 ${summary(starts.map(({ wholeMs }) => wholeMs))}`);
