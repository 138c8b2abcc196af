// `tangent compose` on small libraries of Debian's, beginning with their own tests and sample files (scripts/libraries/library-table.ts):
//
//   npm run qualify:libraries -- DIR [--only NAME]... [--make] [--time 10m] [--jobs 2] [--results FILE] [--table]
//
// With --make the bed is made below DIR: sources by apt-get source (deb-src lines and dpkg-dev are needed; gcc, CMake, autoconf, automake,
// libtool and autopoint too), a build by `tangent cc` with its tests recorded, a build by gcc with AddressSanitizer and UBSan. What is there is taken. Without, each
// library of the bed has its campaign: what earlier ones left in its tree is removed first; DIR/NAME/results.json and DIR/NAME/compose.log are what
// comes of it, and a row of FILE (default libraries.jsonl). Rows that are there are not done again. --table only prints the table, as Markdown.

import { spawnSync } from "node:child_process";
import { appendFileSync, closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ComposeCampaignResult } from "../src/report/compose-result.js";
import type { Library } from "./libraries/library.js";
import { failedRow, type LibraryRow, libraryTable, rowOf } from "./libraries/library-row.js";
import { LIBRARIES } from "./libraries/library-table.js";
import { forgetCampaigns, isInBed, makeLibraries, versionOf } from "./libraries/make-libraries.js";
import { testsInWords } from "./libraries/recorded-tests.js";
import { LAUNCHER } from "./suites/build.js";
import { personalityOf } from "./suites/made-tree.js";
import { scriptArguments } from "./usage.js";

const { values, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    only: { type: "string", multiple: true, default: [] },
    make: { type: "boolean", default: false },
    time: { type: "string", default: "10m" },
    jobs: { type: "string", default: "2" },
    results: { type: "string", default: "libraries.jsonl" },
    table: { type: "boolean", default: false },
  },
});
if (positionals.length !== 1) {
  console.error("qualify:libraries: name the folder of the bed (see the first lines of scripts/qualify-libraries.ts)");
  process.exit(2);
}
const top = resolve(positionals[0]);
for (const name of values.only)
  if (!LIBRARIES.some((library) => library.name === name)) {
    console.error(`qualify:libraries: there is no ${name}; there are ${LIBRARIES.map((one) => one.name).join(", ")}`);
    process.exit(2);
  }
const libraries = LIBRARIES.filter(({ name }) => values.only.length === 0 || values.only.includes(name));

if (values.make) {
  let missing = 0;
  for (const { name, problem, tests } of makeLibraries(top, libraries)) {
    console.log(`${name}: ${problem ?? "ok"}${tests === null ? "" : `, ${testsInWords(tests)}`}`);
    if (problem !== null) missing++;
  }
  process.exit(missing === 0 ? 0 : 1);
}

function campaign(library: Library): LibraryRow {
  const folder = join(top, library.name);
  const tree = join(folder, "src");
  const results = join(folder, "results.json");
  forgetCampaigns(folder);
  const started = performance.now();
  const log = openSync(join(folder, "compose.log"), "w");
  const words = ["compose", "--again", "--time", values.time, "--jobs", values.jobs, "--json", results];
  const { status } = spawnSync(LAUNCHER, words, {
    cwd: tree,
    env: { ...process.env, ...personalityOf(library) },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const described = { name: library.name, version: versionOf(folder), isApart: library.isApart === true, seconds };
  if (!existsSync(results)) return failedRow(described, `status ${status}: see ${join(folder, "compose.log")}`);
  return rowOf(described, JSON.parse(readFileSync(results, "utf8")) as ComposeCampaignResult, tree);
}

const rows: LibraryRow[] = existsSync(values.results)
  ? readFileSync(values.results, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as LibraryRow)
  : [];
for (const library of values.table ? [] : libraries) {
  const { name } = library;
  if (rows.some((row) => row.name === name)) {
    console.error(`${name}: ${values.results} has it already`);
    continue;
  }
  if (!isInBed(join(top, name))) {
    console.error(`${name}: it is not in the bed; --make makes it`);
    continue;
  }
  const row = campaign(library);
  rows.push(row);
  appendFileSync(values.results, `${JSON.stringify(row)}\n`);
  console.error(
    `${name}: ${row.problem ?? `${row.tested} of ${row.functions} functions, ${row.findings.length} found`}`,
  );
}
console.log(libraryTable(rows));
