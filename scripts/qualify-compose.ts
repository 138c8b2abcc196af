// Composition on all small programs of test/programs/compose: which failures are found, how long that takes, how many units, targets and
// interpolants it takes, and that no twin is told.
//
//   npm run qualify:compose -- [--without PART]... [--seeds N] [--only NAME]... [--budget SECONDS] [--native]
//
// `--without` leaves a part out (docs/compose.md names them); `--seeds` repeats with N random seeds; `--native`
// runs every input that was found in a build by gcc with AddressSanitizer, and says whether it fails there at the same line.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Found } from "../src/campaign/technique.js";
import { COMPOSE_PARTS, type ComposePart } from "../src/techniques/compose/compose-work.js";
import { assertComposed, type ComposeEntry, composeEntry } from "../test/end-to-end/compose-fixture.js";
import { composeInProcess } from "../test/end-to-end/compose-in-process.js";
import { COMPOSE_PROGRAMS, INPUT_FILE } from "../test/end-to-end/compose-manifest.js";
import { sanitizerEnvironment } from "./sanitizer-reports.js";
import { scriptArguments } from "./usage.js";

const { values } = scriptArguments(import.meta.url, {
  options: {
    without: { type: "string", multiple: true, default: [] },
    seeds: { type: "string", default: "1" },
    only: { type: "string", multiple: true, default: [] },
    budget: { type: "string", default: "20" },
    native: { type: "boolean", default: false },
  },
});
const without = values.without.map((part) => {
  const known = COMPOSE_PARTS.find((one) => one === part);
  if (known === undefined) throw new Error(`there is no part ${part}; there are ${COMPOSE_PARTS.join(", ")}`);
  return known;
}) satisfies ComposePart[];

for (let randomSeed = 1; randomSeed <= Number(values.seeds); randomSeed++) {
  let found = 0;
  let silent = 0;
  let [programs, twins] = [0, 0];
  console.log(`random seed ${randomSeed}, without ${without.join(", ") || "nothing"}`);
  for (const isTwin of [false, true]) {
    for (const program of COMPOSE_PROGRAMS) {
      const name = `${program.name}${isTwin ? "-twin" : ""}`;
      if (values.only.length > 0 && !values.only.includes(name)) continue;
      const entry = composeEntry(program, isTwin);
      const startedMs = performance.now();
      const budgetMs = 1000 * Number(values.budget);
      const result = await composeInProcess(entry, { budgetMs, stopsAtMark: !isTwin, plan: { without, randomSeed } });
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
      let verdict = "as it should be";
      try {
        assertComposed(entry, result);
        if (isTwin) silent++;
        else found++;
      } catch (error) {
        verdict = `WRONG: ${(error as Error).message.split("\n", 1)[0]}`;
      }
      if (isTwin) twins++;
      else programs++;
      const { units, targets, lifted, interpolants, interpolantsUsed, notFailing } = result.totals;
      const counts = `units ${units} targets ${targets} lifted ${lifted} not failing ${notFailing}`;
      if (values.native && result.found.length > 0)
        verdict += `; natively ${result.found.map((one) => natively(entry, one)).join(", ")}`;
      console.log(`${name}  ${seconds} s  ${counts}  interpolants ${interpolantsUsed}/${interpolants}  ${verdict}`);
    }
  }
  console.log(`${found} of ${programs} failures found; ${silent} of ${twins} twins silent and explained\n`);
}

/** Whether a sanitizer says so too, at the same line. */
function natively(entry: ComposeEntry, { witness, witnessCommand }: Found): string {
  const directory = mkdtempSync(join(tmpdir(), "tangent-native-"));
  try {
    const program = join(directory, "program");
    const flags = ["-g", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    const built = spawnSync("gcc", [...flags, entry.source, "-o", program], { encoding: "utf8" });
    if (built.status !== 0) return `not built: ${built.stderr.split("\n", 1)[0]}`;
    const file = witness.find(({ name }) => name.startsWith("file:"));
    if (file !== undefined) writeFileSync(join(directory, INPUT_FILE), file.bytes);
    const stdin = witness.find(({ name }) => name === "stdin")?.bytes ?? new Uint8Array(0);
    const env = { ...process.env, ...sanitizerEnvironment(false) };
    const run = spawnSync(program, witnessCommand.slice(1), { cwd: directory, input: stdin, env, encoding: "latin1" });
    const isThere = run.stderr.includes(`${basename(entry.source)}:${entry.line}`);
    if (isThere) return "fails there";
    return run.status === 0
      ? "does not fail"
      : `fails elsewhere: ${run.stderr.split("\n").find((line) => /ERROR|error|Assert/.test(line)) ?? run.signal}`;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
