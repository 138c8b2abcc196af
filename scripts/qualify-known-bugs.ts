// Known bugs found again (npm run qualify:known-bugs -- [--build] [--last] [--moves=LIST] [NAME...]): real, documented crash bugs of programs in Debian are brought back by
// reverting their fixes, and looked for from ordinary tests. Prints one Markdown row for each; the status is 1 if fewer than
// the fifteen are found; --build only makes the programs, --last only prints what the last run found.

import type { ResultFinding } from "../src/report/campaign-result.js";
import type { Bug } from "./known-bugs/bug.js";
import { type Hunt, hunt, lastHunt, makeTree } from "./known-bugs/hunt.js";
import { LIBRARIES } from "./known-bugs/libraries.js";
import { TOOLS } from "./known-bugs/tools.js";
import { scriptArguments } from "./usage.js";

const WANTED = 15;

function main(): void {
  const { values, positionals: names } = scriptArguments(import.meta.url, {
    allowPositionals: true,
    options: {
      build: { type: "boolean", default: false },
      last: { type: "boolean", default: false },
      moves: { type: "string" },
    },
  });
  const programs = [...LIBRARIES, ...TOOLS].filter(({ name }) => names.length === 0 || names.includes(name));
  if (values.build) {
    for (const program of programs) console.log(program.name, JSON.stringify(makeTree(program)));
    return;
  }
  console.log(
    "| program | bug | found | seed | distance | depth | time | witness |\n|---|---|---|---|---|---|---|---|",
  );
  const hunts = programs.map((program) => {
    const done = values.last ? lastHunt(program) : hunt(program, values.moves);
    for (const bug of program.bugs) console.log(row(done, bug));
    return done;
  });
  const found = hunts.reduce((sum, { found: map }) => sum + map.size, 0);
  const all = hunts.reduce((sum, { program }) => sum + program.bugs.length, 0);
  console.log(`\n${found} of ${all} known bugs found\n`);
  for (const { program, result, others } of hunts) {
    if (result === null) continue;
    const { totals } = result;
    console.log(
      `${program.name}: ${totals.seeds} seeds, distance ${totals.distance}, ${totals.checks} checks, ${totals.paths} paths, ` +
        `${(result.durationMs / 1000).toFixed(0)} s, ${totals.divergences} divergences, ${totals.unconfirmed} unconfirmed`,
    );
    for (const other of others)
      console.log(`  other: ${where(other)}: ${other.message} (${other.witnessCommand.join(" ")})`);
  }
  process.exitCode = names.length > 0 || found >= WANTED ? 0 : 1;
}

function row({ program, problem, found }: Hunt, bug: Bug): string {
  const finding = found.get(bug);
  const name = `${bug.reference}: ${bug.what}`;
  if (finding === undefined)
    return `| ${program.name} | ${name} | no: ${problem || bug.miss || "not in the time given"} | | | | | |`;
  const time = `${(finding.foundMs / 1000).toFixed(1)} s`;
  return `| ${program.name} | ${name} | ${where(finding)} | \`${cell(finding.seedCommand.join(" "))}\` | ${finding.distance} | ${finding.depth} | ${time} | ${witness(finding)} |`;
}

function where({ kind, location }: ResultFinding): string {
  const file = location?.file?.replace(/^.*\/trees\/[^/]*\//, "") ?? "?";
  return `${kind} in ${location?.function ?? "?"} (${file}:${location?.line ?? "?"})`;
}

/** What differs from the seed, input by input: the bytes from the first difference to the last. */
function witness({ inputs }: ResultFinding): string {
  const parts: string[] = [];
  for (const input of inputs) {
    const before = Buffer.from(input.seed, "base64");
    const after = Buffer.from(input.witness, "base64");
    let start = 0;
    while (start < before.length && before[start] === after[start]) start++;
    let back = 0;
    while (back < Math.min(before.length, after.length) - start && before.at(-1 - back) === after.at(-1 - back)) back++;
    if (start === after.length && before.length === after.length) continue;
    const [old, now] = [before, after].map((bytes) => cell(bytes.toString("latin1", start, bytes.length - back)));
    parts.push(`${input.name.replace(/^file:.*\//, "")} at ${start}: "${old}" becomes "${now}"`);
  }
  return parts.length === 0 ? "the seed itself" : parts.join("; ");
}

/** Short, and safe inside a Markdown table. */
function cell(text: string): string {
  const printable = text.replace(/[^ -~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return (printable.length > 60 ? `${printable.slice(0, 57)}...` : printable).replaceAll("|", "\\|");
}

main();
