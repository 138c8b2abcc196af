// Is what symbolic execution says true? Every program (scripts/soundness/subjects.ts) runs on a seed and on random inputs under
// the truth oracle and against the native program; it is explored for some seconds, where every prediction must come true;
// and a sample of what the exploration asked its solver is asked of native z3 (scripts/soundness/examine.ts).
//
//   npm run qualify:soundness -- [--csmith N] [--arithmetic N] [--floats N] [--first-seed N] [--seconds N] [--queries N] [--z3-ms N]
//                                [--groups a,b] [--only NAME]... [--minutes N] [--record FILE] [--work DIR] [--summary]
//
// About an hour with the default counts. With --record the results are kept, a line each: the next call with the same file goes
// on where the last one stopped (--minutes), and the summary is of all of them. Needs csmith and z3 (Debian). What is wrong is
// listed in full, and makes the exit code 1.

import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { ExamineThread } from "./soundness/examine-thread.js";
import { GROUPS, type Group, NOTHING_EXAMINED, type Report, type Subject } from "./soundness/subject.js";
import { type Candidate, Subjects } from "./soundness/subjects.js";
import { scriptArguments } from "./usage.js";

/** What the project asks for. */
const BARS = { csmith: 200, revived: 100_000, queries: 20_000 };

const { values: options } = scriptArguments(import.meta.url, {
  options: {
    csmith: { type: "string", default: "200" },
    arithmetic: { type: "string", default: "20" },
    floats: { type: "string", default: "20" },
    "first-seed": { type: "string", default: "1" },
    seconds: { type: "string", default: "3" },
    queries: { type: "string", default: "100" },
    "z3-ms": { type: "string", default: "1500" },
    "random-inputs": { type: "string", default: "10" },
    groups: { type: "string", default: GROUPS.join(",") },
    only: { type: "string", multiple: true },
    minutes: { type: "string", default: "600" },
    record: { type: "string" },
    work: { type: "string", default: "/tmp/tangent-soundness" },
    summary: { type: "boolean", default: false },
  },
});
const firstSeed = Number(options["first-seed"]);
const wanted = Number(options.csmith);
const groups = options.groups.split(",") as Group[];
const deadline = performance.now() + Number(options.minutes) * 60_000;

const thread = new ExamineThread();
const reports: Report[] = [];
const { record } = options;
if (record !== undefined && existsSync(record)) {
  for (const line of readFileSync(record, "utf8").split("\n")) {
    if (line !== "") reports.push(JSON.parse(line) as Report);
  }
}

async function reportOf({ group, name, make }: Candidate): Promise<Report> {
  let subject: Subject | null;
  try {
    subject = make();
  } catch (error) {
    return { ...NOTHING_EXAMINED, group, name, skipped: error instanceof Error ? error.message : String(error) };
  }
  if (subject === null) return { ...NOTHING_EXAMINED, group, name, skipped: "does not end natively" };
  return thread.examine(subject);
}

async function examineOne(candidate: Candidate): Promise<void> {
  const { group, name } = candidate;
  if (options.only !== undefined && !options.only.includes(name)) return;
  if (performance.now() > deadline) return;
  if (reports.some((report) => report.group === group && report.name === name)) return;
  const report = await reportOf(candidate);
  reports.push(report);
  if (record !== undefined) appendFileSync(record, `${JSON.stringify(report)}\n`);
  for (const wrong of report.wrong) console.log(`WRONG ${group} ${name}: ${wrong.slice(0, 2000)}`);
  const { conditions, revived, asked, queries, milliseconds, skipped } = report;
  const judged = `${queries.sat} sat + ${queries.unsat} unsat, undecided ${queries.undecided}`;
  const said = skipped ?? `${conditions} conditions, ${revived} revived, ${asked} queries, z3: ${judged}`;
  console.error(`${group} ${name}: ${said.split("\n")[0]} (${(milliseconds / 1000).toFixed(1)} s)`);
}

function examined(group: Group): Report[] {
  return reports.filter((report) => report.group === group && report.skipped === null);
}

async function examineAll(): Promise<void> {
  const { seconds, queries, "random-inputs": randomInputs } = options;
  const amounts = {
    exploreMs: Number(seconds) * 1000,
    explorePaths: Number.POSITIVE_INFINITY,
    queries: Number(queries),
    z3Ms: Number(options["z3-ms"]),
    randomInputs: Number(randomInputs),
    native: true,
  };
  const subjects = new Subjects(options.work, amounts);
  if (groups.includes("bench")) for (const candidate of subjects.bench()) await examineOne(candidate);
  if (groups.includes("explore")) for (const candidate of subjects.explore()) await examineOne(candidate);
  if (groups.includes("language")) for (const candidate of subjects.language()) await examineOne(candidate);
  if (groups.includes("arithmetic")) {
    for (let seed = firstSeed; seed < firstSeed + Number(options.arithmetic); seed++) {
      await examineOne(subjects.arithmetic(seed));
    }
  }
  if (groups.includes("floats")) {
    for (let seed = firstSeed; seed < firstSeed + Number(options.floats); seed++) {
      await examineOne(subjects.floats(seed));
    }
  }
  if (!groups.includes("csmith")) return;
  if (options.only !== undefined) {
    for (const name of options.only)
      if (/^seed-\d+$/.test(name)) await examineOne(subjects.csmith(Number(name.slice(5))));
    return;
  }
  for (let seed = firstSeed; examined("csmith").length < wanted; seed++) {
    if (performance.now() > deadline) break;
    await examineOne(subjects.csmith(seed));
  }
}

function summarize(): boolean {
  const sum = (list: readonly Report[], count: (report: Report) => number): number =>
    list.reduce((total, report) => total + count(report), 0);
  const row = (name: string, list: readonly Report[]): readonly (string | number)[] => [
    name,
    list.length,
    sum(list, ({ native }) => native),
    sum(list, ({ runs }) => runs),
    sum(list, ({ conditions }) => conditions),
    sum(list, ({ revived }) => revived),
    sum(list, ({ divergences }) => divergences),
    sum(list, ({ asked }) => asked),
    sum(list, ({ queries }) => queries.sat),
    sum(list, ({ queries }) => queries.unsat),
    sum(list, ({ queries }) => queries.models),
    sum(list, ({ queries }) => queries.undecided + queries.large),
    sum(list, ({ unknown }) => unknown),
    sum(list, ({ wrong }) => wrong.length),
  ];
  const heads =
    "group programs native runs conditions revived divergences queries sat unsat models undecided unknown wrong";
  const table = [heads.split(" "), ...GROUPS.map((group) => row(group, examined(group)))];
  const all = GROUPS.flatMap(examined);
  table.push(row("all", all));
  const text = table.map((cells) => `| ${cells.map((cell) => cell.toLocaleString("en")).join(" | ")} |`);
  text.splice(
    1,
    0,
    `|${heads
      .split(" ")
      .map(() => "---")
      .join("|")}|`,
  );
  console.log(`\n${text.join("\n")}`);
  const skipped = reports.filter((report) => report.skipped !== null);
  console.log(`\n${skipped.length} programs were not examined:`);
  for (const { group, name, skipped: why } of skipped) console.log(`  ${group} ${name}: ${why?.split("\n")[0]}`);
  const revived = sum(all, (report) => report.revived);
  const queries = sum(all, (report) => report.queries.sat + report.queries.unsat);
  console.log(
    `bars: ${examined("csmith").length} of ${BARS.csmith} csmith programs, ${revived} of ${BARS.revived} revived`,
  );
  console.log(`      paths, ${queries} of ${BARS.queries} queries that z3 has answered too`);
  const bad = reports.filter(({ wrong }) => wrong.length > 0);
  for (const { group, name, wrong } of bad) for (const what of wrong) console.log(`WRONG ${group} ${name}: ${what}`);
  console.log(bad.length === 0 ? "nothing wrong" : `wrong: ${bad.map(({ name }) => name).join(" ")}`);
  return bad.length === 0;
}

for (const program of ["csmith", "z3"]) {
  if (spawnSync(program, ["--version"]).error !== undefined) {
    console.error(`${program} is not on PATH; it is the Debian package ${program}`);
    process.exit(2);
  }
}
// As the thread of an exploration does (jobs/explore-worker.ts).
setFlagsFromString("--experimental-wasm-branch-hinting");
setFlagsFromString("--wasm-lazy-compilation");
setFlagsFromString("--experimental-wasm-compilation-hints");
if (!options.summary) await examineAll();
thread.close();
process.exitCode = summarize() ? 0 : 1;
