// Programs that write where, or as much as, their input says: each program of bench/stores has one error behind such a write. Found,
// after how many paths, and in how much processor time of the whole process, which ends at the error.
//
//   npm run bench:stores -- [--only NAME]... [--seconds N] [--with DIR] [--json FILE]
//
// With --with another checkout of ours, built, does the same, program by program in turn.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { scriptArguments } from "../scripts/usage.js";

const ROOT = resolve(import.meta.dirname, "../..");
const PROGRAMS = join(ROOT, "bench/stores");
const { values: options } = scriptArguments(import.meta.url, {
  options: {
    only: { type: "string", multiple: true },
    seconds: { type: "string", default: "20" },
    with: { type: "string" },
    json: { type: "string" },
  },
});

/** statistics.json, as far as we look at it. */
interface Numbers {
  readonly paths: number;
  readonly findings: number;
  readonly divergences: number;
  readonly reason: string;
  readonly origins: { readonly guessed?: number };
}
interface Result extends Numbers {
  readonly program: string;
  readonly checkout: string;
  readonly seconds: number;
}

function explore(checkout: string, program: string): Result {
  const folder = mkdtempSync(join(tmpdir(), "tangent-bench-stores-"));
  const before = childSeconds();
  const words = ["--sym-stdin", "65", "--stop-at-first", "--max-time", options.seconds, "-o", join(folder, "out")];
  const main = join(checkout, "dist/src/cli/main.js");
  const source = join(PROGRAMS, `${program}.c`);
  spawnSync(process.execPath, [main, "explore", ...words, source], { cwd: folder, stdio: "ignore" });
  const seconds = childSeconds() - before;
  const numbers = JSON.parse(readFileSync(join(folder, "out/statistics.json"), "utf8")) as Numbers;
  rmSync(folder, { recursive: true, force: true });
  return { ...numbers, program, checkout, seconds };
}

/** Processor time of all children so far: from /proc, in hundredths of a second. */
function childSeconds(): number {
  const fields = readFileSync("/proc/self/stat", "latin1").split(") ")[1].split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function line({ program, findings, paths, seconds, divergences, origins }: Result, name: string): string {
  const found = findings > 0 ? "found" : "-";
  const more = [
    divergences > 0 ? `${divergences} divergences` : "",
    origins.guessed ? `${origins.guessed} guessed` : "",
  ];
  return `${program.padEnd(16)}${name.padEnd(8)}${found.padEnd(8)}${String(paths).padStart(7)} paths${seconds.toFixed(2).padStart(8)} s  ${more.filter(Boolean).join(", ")}`;
}

const results: Result[] = [];
for (const file of readdirSync(PROGRAMS).sort()) {
  const program = file.replace(/\.c$/, "");
  if (!file.endsWith(".c") || (options.only !== undefined && !options.only.includes(program))) continue;
  for (const [name, checkout] of [
    ["before", options.with],
    ["now", ROOT],
  ]) {
    if (checkout === undefined || name === undefined) continue;
    const result = explore(resolve(checkout), program);
    results.push(result);
    console.log(line(result, options.with === undefined ? "" : name));
  }
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 1)}\n`);
