// Patches that introduce bugs (npm run qualify:patch-bugs -- [--time S] [--target-time S] [--amplify] [NAME | NAME:REFERENCE]...): documented
// crash bugs of programs in Debian come back, each by a commit of its own that takes the fix back, and `tangent patch` is run on that commit.
// Prints one Markdown row for each; --amplify also runs amplification alone for the same time. The status is 1 if fewer than
// the twelve are found.

import type { Bug, KnownProgram } from "./known-bugs/bug.js";
import { amplifyAlone, type Introduced, introduce } from "./known-bugs/introduce.js";
import { LIBRARIES } from "./known-bugs/libraries.js";
import { TOOLS } from "./known-bugs/tools.js";
import { scriptArguments } from "./usage.js";

const WANTED = 12;

const { values, positionals: names } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    time: { type: "string", default: "60" },
    "target-time": { type: "string", default: "15" },
    amplify: { type: "boolean", default: false },
  },
});

function isNamed({ name }: KnownProgram, { reference }: Bug): boolean {
  return (
    names.length === 0 ||
    names.some((word) => {
      const [program, wanted = ""] = word.split(":");
      return program === name && reference.includes(wanted);
    })
  );
}

function row({ program, bug, problem, result, finding, isRegression }: Introduced, alone: string): (string | number)[] {
  const name = `${bug.reference}: ${bug.what}`;
  if (result === null) return [program.name, name, "", "", `no: ${problem}`, "", "", "", alone];
  const { totals } = result;
  const targets = `${totals.targets} (${totals.coveredByTests} by the tests, ${totals.reached} reached)`;
  const regressions = result.behaviour.filter(({ severity }) => severity === "crash").length;
  const others = `${result.findings.length - (finding === null ? 0 : 1)} findings, ${regressions} regressions`;
  if (finding === null) return [program.name, name, targets, totals.seeds, "no", "", "", others, alone];
  const { kind, location, distance, foundMs } = finding;
  const where = `${kind} in ${location?.function ?? "?"}`;
  const how = `distance ${distance}`;
  const since = isRegression ? "yes" : "no";
  return [
    program.name,
    name,
    targets,
    totals.seeds,
    where,
    `${how}, ${(foundMs / 1000).toFixed(1)} s`,
    since,
    others,
    alone,
  ];
}

const HEADINGS = [
  ...["program", "bug", "targets", "tests", "found", "by", "told as a regression", "all findings", "amplify alone"],
];
console.log(`| ${HEADINGS.join(" | ")} |\n|${"---|".repeat(HEADINGS.length)}`);
let found = 0;
let all = 0;
let regressions = 0;
for (const program of [...LIBRARIES, ...TOOLS]) {
  for (const bug of program.bugs) {
    if (bug.by === undefined || !isNamed(program, bug)) continue;
    const seconds = Number(values.time);
    const done = introduce(program, bug, { seconds, targetSeconds: Number(values["target-time"]) });
    const finding = values.amplify && done.result !== null ? amplifyAlone(program, bug, seconds) : null;
    const alone = !values.amplify
      ? "not run"
      : finding === null
        ? "no"
        : `distance ${finding.distance}, ${(finding.foundMs / 1000).toFixed(1)} s`;
    console.log(`| ${row(done, alone).join(" | ")} |`);
    all++;
    if (done.finding !== null) found++;
    if (done.isRegression) regressions++;
  }
}
console.log(`\n${found} of ${all} bugs found in the commit that introduces them, ${regressions} told as regressions`);
process.exitCode = names.length > 0 || found >= WANTED ? 0 : 1;
