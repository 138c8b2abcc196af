// `tangent unit` on functions drawn at random: npm run qualify:units -- PROGRAM... [--count 200] [--random-seed 1] [--time 30]
// [--results FILE] [--option WORD]... [--table].
//
// A program is an executable built by tangent cc, with debug information. The same number of functions is drawn from each (fewer where a program
// has fewer; what is left over goes to the others), and each is explored alone for so many seconds by the clock. A row for each
// is appended to FILE (default units.jsonl), which is also the draw: rows that are there are not done again. The options of `tangent unit`
// that --option names (`--option=--null`) are passed on. Where the program lies in a project with recorded tests, functions are also started in
// their calls; of the lines that fail it is counted how many do so only where more is free than the tests' input decides.
// The summary is printed as Markdown.

import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { UNIT_COMPILE_OPTIONS } from "../src/jit/options.js";
import { loadProgram } from "../src/program/load.js";
import { Random } from "../src/support/random.js";
import { LAUNCHER } from "./suites/build.js";
import { drawFunctions, type UnitFunction, type UnitRow, unitTable } from "./units/unit-draw.js";
import { scriptArguments } from "./usage.js";

const { values, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    count: { type: "string", default: "200" },
    "random-seed": { type: "string", default: "1" },
    time: { type: "string", default: "30" },
    results: { type: "string", default: "units.jsonl" },
    option: { type: "string", multiple: true, default: [] },
    table: { type: "boolean", default: false },
  },
});
const [count, seconds, seed] = [Number(values.count), Number(values.time), Number(values["random-seed"])];
if (positionals.length === 0 || !(count > 0) || !(seconds > 0) || !Number.isInteger(seed)) {
  console.error("qualify:units: name programs built by tangent cc (see the first lines of scripts/qualify-units.ts)");
  process.exit(2);
}
/** Loading a program the first time, and judging preconditions after the time is over. */
const PATIENCE_MS = 300_000;
const EXIT_FAILURES = 1;

async function functionsOf(program: string): Promise<UnitFunction[]> {
  const options = { env: process.env, clang: null, flags: [], compile: UNIT_COMPILE_OPTIONS };
  const loaded = await loadProgram([program], options);
  if (loaded.kind === "failed") {
    console.error(`${program} cannot be loaded`);
    return [];
  }
  return loaded.image.functions
    .filter(({ origin, file, name }) => origin === "program" && file !== null && name !== "main")
    .map(({ name, file, line }) => ({ program, name, file: file ?? "", line }));
}

interface UnitJson {
  readonly failures: readonly {
    readonly kind: string;
    readonly precondition: readonly unknown[];
    readonly location: { readonly file: string | null; readonly line: number } | null;
    readonly start: { readonly kind: string };
  }[];
  readonly starts: readonly { readonly kind: string }[];
  readonly coverage: { readonly blocks: number; readonly coveredBlocks: number };
  readonly paths: number;
  readonly complete: boolean;
  readonly divergences: number;
  readonly unconfirmed: number;
}

function explore(unit: UnitFunction): UnitRow {
  const folder = mkdtempSync(join(tmpdir(), "tangent-units-"));
  const output = join(folder, "unit.json");
  const started = performance.now();
  try {
    const words = ["unit", unit.name, unit.program, "--file", unit.file, "--time", `${seconds}s`, "--quiet"];
    const { status, stderr } = spawnSync(LAUNCHER, [...words, "--json", output, ...values.option], {
      // Where its recorded tests are, if there are any.
      cwd: dirname(unit.program),
      stdio: ["ignore", "ignore", "pipe"],
      timeout: seconds * 1000 + PATIENCE_MS,
      killSignal: "SIGKILL",
    });
    const row = { ...unit, status, seconds: Math.round((performance.now() - started) / 100) / 10 };
    const hasRun = (status === 0 || status === EXIT_FAILURES) && existsSync(output);
    if (!hasRun) return { ...row, problem: stderr.toString().trimEnd().split("\n").at(-1) ?? "", result: null };
    const json = JSON.parse(readFileSync(output, "utf8")) as UnitJson;
    const { coverage, paths, complete, divergences, unconfirmed } = json;
    const failures = json.failures.map(({ kind, precondition, location, start }) => {
      const place = `${basename(location?.file ?? "?")}:${location?.line ?? 0}`;
      return { kind, conditions: precondition.length, place, start: start.kind };
    });
    const isCalled = json.starts.some(({ kind }) => kind !== "types");
    return {
      ...row,
      problem: null,
      result: { ...coverage, paths, complete, divergences, unconfirmed, failures, isCalled },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rows(): UnitRow[] {
  if (!existsSync(values.results)) return [];
  const lines = readFileSync(values.results, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as UnitRow);
}

const keyOf = ({ program, file, name }: UnitFunction): string => `${program} ${file} ${name}`;
if (!values.table) {
  const known = new Set(rows().map(keyOf));
  const pools: UnitFunction[][] = [];
  for (const program of positionals) pools.push(await functionsOf(resolve(program)));
  for (const unit of drawFunctions(pools, count, new Random(seed))) {
    if (known.has(keyOf(unit))) continue;
    const row = explore(unit);
    appendFileSync(values.results, `${JSON.stringify(row)}\n`);
    const { result } = row;
    const what =
      result === null
        ? `did not run: ${row.problem}`
        : `${result.coveredBlocks} of ${result.blocks} blocks, ${result.failures.length} failures`;
    console.log(`${basename(unit.program)} ${unit.name}: ${what} (${row.seconds} s)`);
  }
}
console.log(unitTable(rows()));
