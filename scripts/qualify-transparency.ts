// Qualification of compiler and recorder: test suites must not notice us. Builds each project from Debian's sources twice, with the machine's
// own compiler and with CC="tangent cc", runs the tests of the first by themselves and those of the second under `tangent record`, and compares
// the verdict of every test and the processor time of both. If a test differs, both are run once more: one that ends otherwise then, with
// us or without, decides by chance. Where there is no compiler (or TANGENT_CC=embedded), both runs are of the tree that we built.
//
//   npm run qualify:transparency [PROJECT...]
//
// Work goes to TANGENT_SUITES (default /tmp/tangent-suites), in folders that end in -plain and -whole; what is built there is not built again. Needs
// apt-get with source entries, make, perl, DejaGnu, and for make autoconf, automake and autopoint.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDirectory, openCache } from "../src/frontend/cache.js";
import { chooseCompiler } from "../src/frontend/host-compiler.js";
import type { Seed } from "../src/project/seed.js";
import { buildProject, fetchProject, LAUNCHER, OUR_COMPILER, WORK } from "./suites/build.js";
import { type TimedOutput, timedShell } from "./suites/processor-time.js";
import { TRANSPARENT_PROJECTS, type TransparentProject } from "./suites/transparent-projects.js";
import { scriptWords } from "./usage.js";

/** The bar: recorded tests may take so many times as long. */
const SLOWDOWN_ALLOWED = 3;

/** Results of an earlier run, which make would take for new ones. */
const CLEAN = `find . -name '*.trs' | while read -r file; do rm -f "$file" "\${file%.trs}.log"; done
find . -name '*.sum' -delete`;

type Run = TimedOutput & { readonly verdicts: Verdicts };
type Verdicts = ReadonlyMap<string, string>;
/** Without us, and recorded. */
type VerdictPair = readonly [Verdicts, Verdicts];

interface Difference {
  readonly test: string;
  readonly plain: string;
  readonly recorded: string;
  /** In the second run of each. */
  readonly plainAgain: string;
  readonly recordedAgain: string;
}

type Outcome =
  | { readonly kind: "failed"; readonly name: string; readonly problem: string }
  | {
      readonly kind: "compared";
      readonly name: string;
      readonly tests: number;
      readonly passed: number;
      readonly differences: readonly Difference[];
      /** Those that end otherwise when the same is run again. */
      readonly byChance: readonly Difference[];
      readonly invocations: number;
      readonly seeds: number;
      readonly plainSeconds: number;
      readonly recordedSeconds: number;
    };

const PASSES: ReadonlySet<string> = new Set(["pass", "PASS", "XFAIL", "ok", "expected failure"]);

function qualify(project: TransparentProject): Outcome {
  const { name } = project;
  const fetched = fetchProject({ ...project, name: `${name}-whole` });
  if ("problem" in fetched) return { kind: "failed", name, problem: fetched.problem };
  const { folder } = fetched;
  const problem = buildProject(project, folder);
  if (problem !== null) return { kind: "failed", name, problem };
  const compiler = hostCompiler();
  const untouched = compiler === null ? { folder } : builtBy(compiler, project);
  if ("problem" in untouched) return { kind: "failed", name, problem: `by ${compiler}: ${untouched.problem}` };
  const runIn = (folder: string, cc: string, phase: string, command: string): Run => {
    timedShell(CLEAN, folder, "clean", cc);
    const result = timedShell(command, folder, phase, cc);
    console.error(
      `${name}: ${phase}: ${result.processorSeconds} s of processor time, ${result.wallSeconds.toFixed(0)} s`,
    );
    return { ...result, verdicts: project.verdicts(result.output, folder) };
  };
  const runPlain = (phase: string): Run => runIn(untouched.folder, compiler ?? OUR_COMPILER, phase, project.test);
  const plain = runPlain("native");
  if (plain.verdicts.size === 0) {
    return { kind: "failed", name, problem: `no verdicts: see ${join(untouched.folder, "tangent-native.log")}` };
  }
  // What some suites compare their outputs with.
  const outputs = (tree: string): string => join(tree, "tangent-outputs", "native");
  if (untouched.folder !== folder && existsSync(outputs(untouched.folder))) {
    cpSync(outputs(untouched.folder), outputs(folder), { recursive: true });
  }
  writeFileSync(join(folder, "tangent-suite.sh"), `${project.test}\n`);
  const record = (phase: string): Run => {
    rmSync(join(folder, ".tangent"), { recursive: true, force: true });
    return runIn(folder, OUR_COMPILER, phase, `exec '${LAUNCHER}' record -- sh tangent-suite.sh`);
  };
  const recorded = record("recorded");
  const isSame = differences([plain.verdicts, recorded.verdicts], [plain.verdicts, recorded.verdicts]).length === 0;
  const again: VerdictPair = isSame
    ? [plain.verdicts, recorded.verdicts]
    : [runPlain("native-again").verdicts, record("recorded-again").verdicts];
  const all = differences([plain.verdicts, recorded.verdicts], again);
  const seeds = seedsOf(folder);
  return {
    kind: "compared",
    name,
    tests: plain.verdicts.size,
    passed: [...plain.verdicts.values()].filter((word) => PASSES.has(word)).length,
    differences: all.filter((each) => !isByChance(each)),
    byChance: all.filter(isByChance),
    invocations: seeds.reduce((sum, seed) => sum + seed.recorded.times, 0),
    seeds: seeds.length,
    plainSeconds: plain.processorSeconds,
    recordedSeconds: recorded.processorSeconds,
  };
}

/** The compiler that `tangent cc` would run; null: it is the embedded one. */
function hostCompiler(): string | null {
  const { env } = process;
  const choice = chooseCompiler({ env, launcher: LAUNCHER, cache: openCache(cacheDirectory(env)) });
  if (choice.kind === "missing") throw new Error(choice.message);
  return choice.kind === "host" ? choice.compiler.words.join(" ") : null;
}

/** A second copy of the project, as it is without us. */
function builtBy(compiler: string, project: TransparentProject): { folder: string } | { problem: string } {
  const fetched = fetchProject({ ...project, name: `${project.name}-plain` });
  if ("problem" in fetched) return fetched;
  const problem = buildProject(project, fetched.folder, compiler);
  return problem === null ? fetched : { problem };
}

function isByChance({ plain, recorded, plainAgain, recordedAgain }: Difference): boolean {
  return plain !== plainAgain || recorded !== recordedAgain;
}

/** Where the first two differ, with what the second two say. */
function differences([plain, recorded]: VerdictPair, [plainAgain, recordedAgain]: VerdictPair): Difference[] {
  const word = (verdicts: Verdicts, test: string): string => verdicts.get(test) ?? "missing";
  return [...new Set([...plain.keys(), ...recorded.keys()])]
    .map((test) => ({
      test,
      plain: word(plain, test),
      recorded: word(recorded, test),
      plainAgain: word(plainAgain, test),
      recordedAgain: word(recordedAgain, test),
    }))
    .filter((each) => each.plain !== each.recorded);
}

function seedsOf(folder: string): Seed[] {
  const listed = spawnSync("sh", [LAUNCHER, "seeds", "--json"], { cwd: folder, encoding: "utf8", maxBuffer: 1 << 30 });
  return listed.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Seed);
}

function table(outcomes: readonly Outcome[]): string {
  const heading = ["project", "tests", "pass", "other verdicts when recorded", "by chance", "invocations", "seeds"];
  const times = ["plain s", "recorded s", "ratio"];
  const rows = outcomes.map((outcome) => {
    if (outcome.kind === "failed") return `| ${outcome.name} | ${outcome.problem} |`;
    const { name, tests, passed, differences, byChance, invocations, seeds, plainSeconds, recordedSeconds } = outcome;
    const cells = [
      name,
      tests,
      passed,
      differences.length,
      byChance.length,
      invocations,
      seeds,
      plainSeconds.toFixed(1),
      recordedSeconds.toFixed(1),
      (recordedSeconds / plainSeconds).toFixed(2),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const head = [...heading, ...times];
  const named = outcomes.flatMap((outcome) =>
    outcome.kind === "failed"
      ? []
      : [...outcome.differences, ...outcome.byChance].map(
          ({ test, plain, recorded, plainAgain, recordedAgain }) =>
            `${outcome.name}: ${test}: ${plain}, recorded ${recorded}; again: ${plainAgain}, recorded ${recordedAgain}`,
        ),
  );
  return [`| ${head.join(" | ")} |`, `|${head.map(() => "---").join("|")}|`, ...rows, "", ...named].join("\n");
}

function isGood(outcome: Outcome): boolean {
  if (outcome.kind === "failed") return false;
  return outcome.differences.length === 0 && outcome.recordedSeconds <= SLOWDOWN_ALLOWED * outcome.plainSeconds;
}

const wanted = scriptWords(import.meta.url);
const unknown = wanted.find((name) => !TRANSPARENT_PROJECTS.some((project) => project.name === name));
if (unknown !== undefined) {
  console.error(
    `There is no project ${unknown}; there are ${TRANSPARENT_PROJECTS.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(2);
}
mkdirSync(WORK, { recursive: true });
const outcomes: Outcome[] = [];
for (const project of TRANSPARENT_PROJECTS) {
  if (wanted.length === 0 || wanted.includes(project.name)) outcomes.push(qualify(project));
}
writeFileSync(join(WORK, "transparency.json"), `${JSON.stringify(outcomes, null, 2)}\n`);
console.log(table(outcomes));
process.exitCode = outcomes.every(isGood) ? 0 : 1;
