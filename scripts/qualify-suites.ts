// Qualification by real programs: builds each project from Debian's sources with CC="tangent cc", runs its own tests natively, then
// again with its programs replaced by `tangent run`, and compares the verdicts. What passes natively must pass in the VM; of a program that
// starts processes, which the VM denies, what passes natively under the same denial.
//
//   npm run qualify:suites [PROJECT...]
//
// Work goes to TANGENT_SUITES (default /tmp/tangent-suites); a project built there is not built again. Needs apt-get with source
// entries, make, perl, and for make and expat autoconf, automake, libtool and autopoint. TANGENT_SUITES_VM=off leaves the VM out.

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheDirectory } from "../src/frontend/cache.js";
import { buildProject, fetchProject, LAUNCHER, shell, WORK } from "./suites/build.js";
import { PROJECTS, type Project } from "./suites/projects.js";
import type { Verdicts } from "./suites/verdicts.js";
import { unwrap, type Wrapping, wrap } from "./suites/wrapper.js";
import { scriptWords } from "./usage.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Each run of a program in the VM. */
const RUN_TIMEOUT_SECONDS = 300;

interface Outcome {
  readonly name: string;
  readonly tests: number;
  readonly passNative: number;
  /** Those that pass natively and can pass where no process may be started. */
  readonly possible: number;
  readonly passVm: number;
  readonly failing: readonly string[];
  readonly nativeSeconds: number;
  readonly vmSeconds: number;
  readonly note: string;
  readonly problem: string;
}

function qualify(project: Project, vm: Wrapping): Outcome {
  const nothing = { tests: 0, passNative: 0, possible: 0, passVm: 0, failing: [], nativeSeconds: 0, vmSeconds: 0 };
  const base = { name: project.name, note: project.note ?? "", problem: "" };
  const fetched = fetchProject(project);
  if ("problem" in fetched) return { ...base, ...nothing, problem: fetched.problem };
  const { folder } = fetched;
  const problem = buildProject(project, folder);
  if (problem !== null) return { ...base, ...nothing, problem };
  const programs = project.programs.flatMap((pattern) => expand(folder, pattern));
  const run = (phase: string, wrapping: Wrapping | null): { verdicts: Verdicts; seconds: number } => {
    for (const program of programs) {
      if (wrapping === null) unwrap(program);
      else wrap(program, wrapping, LAUNCHER);
    }
    shell(project.clean, folder, "clean");
    const { output, seconds } = shell(project.test, folder, phase);
    return { verdicts: project.verdicts(output, folder), seconds };
  };
  const native = run("native", null);
  const passing = passes(native.verdicts);
  const alone = project.startsProcesses ? run("no-processes", { kind: "no-processes" }) : native;
  const possible = passes(alone.verdicts).filter((name) => native.verdicts.get(name) === "pass");
  const inVm = run("vm", vm);
  for (const program of programs) unwrap(program);
  const failing = possible.filter((name) => inVm.verdicts.get(name) !== "pass");
  return {
    ...base,
    tests: native.verdicts.size,
    passNative: passing.length,
    possible: possible.length,
    passVm: possible.length - failing.length,
    failing,
    nativeSeconds: native.seconds,
    vmSeconds: inVm.seconds,
  };
}

function passes(verdicts: Verdicts): string[] {
  return [...verdicts].filter(([, verdict]) => verdict === "pass").map(([name]) => name);
}

function expand(folder: string, pattern: string): string[] {
  if (!pattern.includes("*")) return [join(folder, pattern)];
  const [before, after] = pattern.split("*");
  const directory = join(folder, before);
  return readdirSync(directory)
    .filter((name) => name.endsWith(after))
    .map((name) => join(directory, name));
}

function table(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(
    ({ name, tests, passNative, possible, passVm, nativeSeconds, vmSeconds, failing, problem }) => {
      const failed = problem !== "" ? problem : failing.join(" ") || "-";
      const cells = [name, tests, passNative, possible, passVm, nativeSeconds.toFixed(0), vmSeconds.toFixed(0), failed];
      return `| ${cells.join(" | ")} |`;
    },
  );
  const heading = [
    "project",
    "tests",
    "pass natively",
    "and without processes",
    "of these pass in the VM",
    "native s",
    "VM s",
    "failing in the VM",
  ];
  return [`| ${heading.join(" | ")} |`, `|${heading.map(() => "---").join("|")}|`, ...rows].join("\n");
}

const wanted = scriptWords(import.meta.url);
const unknown = wanted.find((name) => !PROJECTS.some((project) => project.name === name));
if (unknown !== undefined) {
  console.error(`There is no project ${unknown}; there are ${PROJECTS.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
mkdirSync(WORK, { recursive: true });
const main = join(ROOT, "dist", "src", "cli", "main.js");
const vm: Wrapping =
  process.env.TANGENT_SUITES_VM === "off"
    ? { kind: "native" }
    : {
        kind: "vm",
        words: [process.execPath, main, "run", "--write-through", "--timeout", String(RUN_TIMEOUT_SECONDS)],
        cacheDirectory: cacheDirectory(process.env),
      };
const outcomes: Outcome[] = [];
for (const project of PROJECTS) {
  if (wanted.length > 0 && !wanted.includes(project.name)) continue;
  const outcome = qualify(project, vm);
  outcomes.push(outcome);
  const { name, passVm, possible, problem } = outcome;
  console.error(problem === "" ? `${name}: ${passVm} of ${possible} pass in the VM` : `${name}: ${problem}`);
}
writeFileSync(join(WORK, "results.json"), `${JSON.stringify(outcomes, null, 2)}\n`);
console.log(table(outcomes));
const possible = outcomes.reduce((sum, outcome) => sum + outcome.possible, 0);
const passVm = outcomes.reduce((sum, outcome) => sum + outcome.passVm, 0);
console.log(`\n${passVm} of ${possible} (${((100 * passVm) / Math.max(1, possible)).toFixed(1)} %)`);
process.exitCode = outcomes.some(({ problem }) => problem !== "") || passVm < 0.99 * possible ? 1 : 0;
