// Deep bugs: npm run qualify:deep -- LIST... [--tools a,b] [--only NAME]... [--seconds 480] [--results FILE] [--ablations]
// [--random-seed N] [--slack 1] [--all-the-time] [--table], or --make DIR [--only NAME]... LIST is a file with a JSON array of directories, or such a directory (deep/bug.ts).
//
// Each tool gets the same processor time for each bug, and is stopped when it has found it. A bug counts as found if what the tool
// reports is at a line where the bug is known to show: for Tangent the stack of a finding, for AFL++ the trace that AddressSanitizer gives
// of a crash; and if the input does not make the build fail in which the bug is mended. Tangent's techniques plan with a time by the clock, which is the processor time times --slack: more than 1 on a machine that has
// other work, so that the processor time is what ends them. A row for each bug and tool is appended to FILE (default deep.jsonl); rows that are there are not done again. --ablations
// adds `compose` without each of its parts, and with half of the tests. The table of all rows with that random seed is printed at the end; --table does only that.
//
// --make builds the bed below DIR from Debian's sources (deep/bed/; it needs gcc, patch, afl++, clang and libclang-rt-14-dev), shows each bug by a proof of concept, and writes DIR/bed.json.

import { appendFileSync, chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { makeBed } from "./deep/bed/make-bed.js";
import { PACKAGES } from "./deep/bed/packages.js";
import { type DeepBug, isThere, readBugs } from "./deep/bug.js";
import { type DeepRow, deepTable } from "./deep/deep-table.js";
import { runLimited } from "./deep/processor-limit.js";
import { judge } from "./deep/staged-input.js";
import { ABLATIONS, isTool, type Sighting, startOf, TOOLS } from "./deep/tools.js";
import { scriptArguments } from "./usage.js";

const { values, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    tools: { type: "string" },
    only: { type: "string", multiple: true, default: [] },
    seconds: { type: "string", default: "480" },
    results: { type: "string", default: "deep.jsonl" },
    "random-seed": { type: "string", default: "1" },
    ablations: { type: "boolean", default: false },
    "all-the-time": { type: "boolean", default: false },
    slack: { type: "string", default: "1" },
    table: { type: "boolean", default: false },
    make: { type: "string" },
  },
});
if (values.make !== undefined) {
  let missing = 0;
  for (const { name, problem } of makeBed(resolve(values.make), PACKAGES, values.only)) {
    console.log(`${name}: ${problem ?? "ok"}`);
    if (problem !== null) missing++;
  }
  process.exit(missing === 0 ? 0 : 1);
}
const seconds = Number(values.seconds);
const randomSeed = Number(values["random-seed"]);
const slack = Number(values.slack);
if (positionals.length === 0 || !(seconds > 0) || !(slack >= 1) || !Number.isInteger(randomSeed)) {
  console.error("qualify:deep: name the list of bugs (see the first lines of scripts/qualify-deep.ts)");
  process.exit(2);
}
/** By the clock a tool may take so much longer than its processor time: the machine has other work. */
const CLOCK_FACTOR = 3;
const CLOCK_SECONDS = 60;
const OTHERS_KEPT = 20;

async function measure(bug: DeepBug, tool: string): Promise<DeepRow> {
  const scratch = mkdtempSync(join(tmpdir(), "tangent-deep-"));
  // Inputs are run below it as nobody.
  chmodSync(scratch, 0o755);
  const log = join(scratch, "log");
  try {
    const start = startOf(tool, { bug, seconds: seconds * slack, randomSeed, scratch, log });
    const end = await runLimited({
      command: start.command,
      folder: start.folder,
      env: start.env,
      processorSeconds: seconds,
      mostSeconds: seconds * slack * CLOCK_FACTOR + CLOCK_SECONDS,
      log,
      enough: () => !values["all-the-time"] && start.enough(),
    });
    const sightings = start.sightings();
    const there = sightings.filter(({ frames }) => isThere(bug, frames)).sort((a, b) => a.seconds - b.seconds);
    const judged = there.map((sighting) => ({ ...sighting, ...judge(bug, sighting.input, scratch) }));
    const first = judged.find(({ alsoMended }) => !alsoMended);
    const found =
      first === undefined
        ? null
        : {
            kind: first.kind,
            processorSeconds: round(end.processorSecondsAt(first.seconds)),
            wallSeconds: round(first.seconds),
            native: first.native,
          };
    const isBad = sightings.length === 0 && end.reason === "ended" && end.status !== 0;
    return {
      ...rowOf(bug, tool),
      found,
      otherBug: first === undefined && there.length > 0,
      problem: isBad ? `status ${end.status}: ${lastLine(log)}` : null,
      reason: end.reason,
      processorSeconds: round(end.processorSeconds),
      wallSeconds: round(end.wallSeconds),
      others: [...new Set(sightings.filter(({ frames }) => !isThere(bug, frames)).map(placeOf))].slice(0, OTHERS_KEPT),
      totals: start.totals?.(),
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function rowOf(
  bug: DeepBug,
  tool: string,
): Pick<DeepRow, "bug" | "package" | "reference" | "place" | "tool"> & {
  randomSeed: number;
  budgetSeconds: number;
} {
  const { name, reference, places } = bug;
  return {
    bug: name,
    package: bug.package,
    reference,
    place: places[0],
    tool,
    randomSeed,
    budgetSeconds: seconds,
  };
}

function placeOf({ kind, frames }: Sighting): string {
  return `${kind} ${frames[0]?.file?.split("/").slice(-2).join("/") ?? "?"}:${frames[0]?.line ?? 0}`;
}

function lastLine(log: string): string {
  return existsSync(log) ? (readFileSync(log, "utf8").trimEnd().split("\n").at(-1) ?? "").slice(0, 200) : "";
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}

function rows(): DeepRow[] {
  if (!existsSync(values.results)) return [];
  const lines = readFileSync(values.results, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as DeepRow);
}

const bugs = positionals.flatMap(readBugs).filter(({ name }) => values.only.length === 0 || values.only.includes(name));
const tools = values.tools?.split(",") ?? [...TOOLS];
if (values.ablations) tools.push(...ABLATIONS.map((part) => `compose-without-${part}`), "compose-half");
for (const tool of tools)
  if (!isTool(tool)) {
    console.error(
      `qualify:deep: there is no tool ${tool}; there are ${TOOLS.join(", ")}, compose-without-PART, compose-half`,
    );
    process.exit(2);
  }
const known = new Set(rows().map(({ bug, tool, randomSeed: drawn }) => `${bug} ${tool} ${drawn}`));
for (const bug of values.table ? [] : bugs) {
  for (const tool of tools) {
    if (known.has(`${bug.name} ${tool} ${randomSeed}`)) {
      console.log(`${bug.name} ${tool}: ${values.results} has it already`);
      continue;
    }
    const row = await measure(bug, tool);
    appendFileSync(values.results, `${JSON.stringify(row)}\n`);
    const what =
      row.found === null ? (row.problem ?? "not found") : `${row.found.kind}, ${row.found.processorSeconds} s`;
    console.log(`${bug.name} ${tool}: ${what} (${row.reason}; ${row.processorSeconds} s of ${row.wallSeconds} s)`);
  }
}
console.log(deepTable(rows().filter((row) => row.randomSeed === randomSeed)));
