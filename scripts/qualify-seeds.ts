// The VM and its libc against the real ones: of the tests that qualify:transparency has recorded, the share that ends in the VM as it does
// natively: the same output, the same status or signal, the same files left behind (seeds/compare-seed.ts says how they are run).
// Counted apart: tests whose surroundings cannot be laid out (natively they then do not end as recorded), tests that natively do
// something else each time, tests that end otherwise after the VM has refused a program, a thread or a connection, and tests that
// end in a library of which there is no IR.
// Besides, every test runs as campaigns run it, with its recorded tree given, and its end is compared with the recorded one.
//
//   npm run qualify:seeds -- [PROJECT|DIR...] [--count N] [--spread] [--all] [--only SEED]... [--ends] [--seconds S] [--json FILE] [--verbose]
//
// The trees are only read: TANGENT_SUITES/NAME-whole/source (default /tmp/tangent-suites), or a DIR of any recorded project. Of each project N seeds are taken (120 if
// nothing is said), by the order of their names, which are hashes; with --spread programs take turns, so that each has its share.
// --seconds: what one run may take in the VM (300 if nothing is said); a suite that has `tail -f` wants less.
// --ends: only the end of each as campaigns run it, which is fast enough for all tests of a large suite.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { StartableProgram } from "../src/campaign/work-messages.js";
import { DEFAULT_COMPILE_OPTIONS } from "../src/jit/options.js";
import { translateAll } from "../src/jobs/built-programs.js";
import { findProgram } from "../src/jobs/find-program.js";
import { BlobStore } from "../src/project/blob-store.js";
import { seedsOurs } from "../src/project/made-here.js";
import { ProjectFolder } from "../src/project/project-folder.js";
import type { Seed } from "../src/project/seed.js";
import { SeedStore } from "../src/project/seed-store.js";
import { invocationOf } from "../src/project/seed-test.js";
import { recordedProgram } from "../src/project/stand-ins.js";
import { ProjectState } from "../src/project/state-folder.js";
import { visible } from "../src/support/visible-text.js";
import { type ComparedSeed, compareEnd, compareSeed, DEFAULT_LIMIT_MS } from "./seeds/compare-seed.js";
import { VmThread } from "./seeds/vm-thread.js";
import { WORK } from "./suites/build.js";
import { TRANSPARENT_PROJECTS } from "./suites/transparent-projects.js";
import { scriptArguments } from "./usage.js";

/** The bar, of the tests that can be compared. */
const BAR = 0.97;
/** A program of so many tests is one that others may start; those of single tests are not worth translating for it. */
const TESTS_OF_A_TOOL = 10;
/** As ends of runs say it (program/absent-code.ts). */
const FOREIGN = /^unsupported: .* is foreign: /;

const { values: options, positionals: wanted } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    count: { type: "string", default: "120" },
    spread: { type: "boolean", default: false },
    all: { type: "boolean", default: false },
    ends: { type: "boolean", default: false },
    seconds: { type: "string" },
    only: { type: "string", multiple: true },
    json: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

const limitMs = options.seconds === undefined ? DEFAULT_LIMIT_MS : 1000 * Number(options.seconds);

interface JudgedSeed extends ComparedSeed {
  readonly project: string;
  readonly seed: string;
  readonly command: string;
}

interface ProjectOutcome {
  readonly name: string;
  readonly recorded: number;
  readonly judged: readonly JudgedSeed[];
  /** Programs that could not be loaded, blobs that are gone. */
  readonly problems: readonly string[];
}

const compile = { env: process.env, clang: null, flags: [], compile: DEFAULT_COMPILE_OPTIONS };

async function qualify(wanted: string): Promise<ProjectOutcome> {
  const isFolder = wanted.includes("/");
  const name = isFolder ? basename(wanted) : wanted;
  const folder = new ProjectFolder(isFolder ? resolve(wanted) : join(WORK, `${name}-whole`, "source"));
  const state = new ProjectState(folder.root, process.env);
  const all = seedsOurs(state, new SeedStore(folder).list());
  const drawn = drawnOf(all);
  const problems = drawn.length === 0 ? [`${folder.root} has no tests that were recorded on this machine`] : [];
  const startable = toolsOf(all, state);
  await translateAll(startable, compile);
  const blobs = new BlobStore(folder);
  const scratchParent = mkdtempSync(join(tmpdir(), "tangent-seeds-"));
  const judged: JudgedSeed[] = [];
  try {
    for (const [content, seeds] of byProgram(drawn)) {
      const program = recordedProgram(state, seeds[0]);
      const found = program === null ? null : await findProgram(program, compile);
      if (program === null || found === null || found.kind === "failed") {
        problems.push(`${basename(seeds[0].program)}: ${found === null ? "was not kept" : reason(found)} (${content})`);
        continue;
      }
      const thread = new VmThread(found.source, startable, DEFAULT_COMPILE_OPTIONS);
      for (const seed of seeds) {
        const made = invocationOf(seed, blobs);
        if (made.kind === "broken") {
          problems.push(`${seed.id}: ${made.problem}`);
          continue;
        }
        const scratch = join(scratchParent, "s");
        const { invocation } = made;
        const seedCase = { seed, invocation, program, root: folder.root, scratch, limitMs };
        const compared = options.ends
          ? await compareEnd(seedCase, thread)
          : await compareSeed(seedCase, thread, process.env);
        const one = { ...compared, project: name, seed: seed.id, command: commandOf(seed) };
        judged.push(one);
        tell(one);
      }
      thread.close();
    }
  } finally {
    rmSync(scratchParent, { recursive: true, force: true });
  }
  return { name, recorded: all.length, judged, problems };
}

function reason(found: { readonly kind: string; readonly message?: string }): string {
  return found.message ?? found.kind;
}

function drawnOf(all: readonly Seed[]): Seed[] {
  const { only } = options;
  if (only !== undefined) return all.filter(({ id }) => only.some((name) => id.startsWith(name)));
  const sorted = [...all].sort((a, b) => (a.id < b.id ? -1 : 1));
  if (options.all) return sorted;
  return (options.spread ? inTurns([...byProgram(sorted).values()]) : sorted).slice(0, Number(options.count));
}

/** The first of each, then the second of each, and so on. */
function inTurns(groups: readonly (readonly Seed[])[]): Seed[] {
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => groups.flatMap((group) => group.slice(turn, turn + 1))).flat();
}

function byProgram(seeds: readonly Seed[]): Map<string, Seed[]> {
  const groups = new Map<string, Seed[]>();
  for (const seed of seeds) groups.set(seed.programContent, [...(groups.get(seed.programContent) ?? []), seed]);
  return groups;
}

function toolsOf(seeds: readonly Seed[], state: ProjectState): StartableProgram[] {
  return [...byProgram(seeds).values()]
    .filter(({ length }) => length >= TESTS_OF_A_TOOL)
    .flatMap(([seed]) => {
      const path = recordedProgram(state, seed);
      return path === null ? [] : [{ name: seed.program, path }];
    });
}

function commandOf(seed: Seed): string {
  const words = [basename(seed.program), ...seed.arguments.slice(1)];
  return words.join(" ").slice(0, 160);
}

function tell({ project, seed, command, verdict, asRecorded, givenEnd, recordedEnd }: JudgedSeed): void {
  const given = asRecorded === false ? `; with its tree given: ${givenEnd}, recorded was ${recordedEnd}` : "";
  if (verdict.kind === "same" || verdict.kind === "not-compared") {
    if (given !== "") console.log(visible(`${project} ${seed} ${command}: ${verdict.kind}${given}`));
    return;
  }
  const shownWhy = verdict.kind === "different" ? `DIFFERENT: ${verdict.why}` : `${verdict.kind}: ${verdict.why}`;
  console.log(visible(`${project} ${seed} ${command}: ${shownWhy}${given}`));
  if (verdict.kind !== "different") return;
  const shown = options.verbose ? verdict.differences : verdict.differences.slice(0, 2);
  for (const { what, native, vm } of shown) {
    console.log(`    ${visible(what)}: natively ${JSON.stringify(native)}`);
    console.log(`    ${" ".repeat(what.length)}  in the VM ${JSON.stringify(vm)}`);
  }
}

interface Row {
  readonly recorded: number;
  readonly drawn: number;
  readonly same: number;
  readonly different: number;
  /** Of the different ones, those that were refused a process. */
  readonly refused: number;
  /** Those that call a library of which there is no IR. */
  readonly foreign: number;
  readonly unrepeatable: number;
  readonly unstaged: number;
  readonly asRecorded: number;
  readonly known: number;
}

function rowOf({ recorded, judged }: Pick<ProjectOutcome, "recorded" | "judged">): Row {
  const count = (test: (one: JudgedSeed) => boolean): number => judged.filter(test).length;
  const isRefused = ({ verdict }: JudgedSeed): boolean => verdict.kind === "different" && verdict.refused.length > 0;
  const isForeign = ({ verdict }: JudgedSeed): boolean =>
    verdict.kind === "different" && FOREIGN.test(verdict.why) && verdict.refused.length === 0;
  return {
    recorded,
    drawn: judged.length,
    same: count(({ verdict }) => verdict.kind === "same"),
    different: count((one) => one.verdict.kind === "different" && !isRefused(one) && !isForeign(one)),
    refused: count(isRefused),
    foreign: count(isForeign),
    unrepeatable: count(({ verdict }) => verdict.kind === "unrepeatable"),
    unstaged: count(({ verdict }) => verdict.kind === "unstaged"),
    asRecorded: count(({ asRecorded }) => asRecorded === true),
    known: count(({ asRecorded, givenEnd }) => asRecorded !== null && !FOREIGN.test(givenEnd)),
  };
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`;
}

function table(outcomes: readonly ProjectOutcome[]): string {
  const heading = ["project", "seeds", "drawn", "same", "different", "share", "refused", "share with those"];
  const rest = ["foreign", "not repeatable natively", "cannot be staged", "tree given: end as recorded"];
  const line = (name: string, row: Row): string => {
    const { recorded, drawn, same, different, refused, foreign, unrepeatable, unstaged, asRecorded, known } = row;
    const shares = [percent(same, same + different), refused, percent(same, same + different + refused)];
    const given = `${asRecorded} of ${known}`;
    return `| ${[name, recorded, drawn, same, different, ...shares, foreign, unrepeatable, unstaged, given].join(" | ")} |`;
  };
  const head = [...heading, ...rest];
  const all = { recorded: 0, judged: outcomes.flatMap(({ judged }) => judged) };
  const recorded = outcomes.reduce((sum, one) => sum + one.recorded, 0);
  return [
    `| ${head.join(" | ")} |`,
    `|${head.map(() => "---").join("|")}|`,
    ...outcomes.map((outcome) => line(outcome.name, rowOf(outcome))),
    line("all", rowOf({ ...all, recorded })),
    "",
    ...outcomes.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`)),
  ].join("\n");
}

const NAMES = TRANSPARENT_PROJECTS.map(({ name }) => name);
const unknown = wanted.find((name) => !name.includes("/") && !NAMES.includes(name));
if (unknown !== undefined) {
  console.error(`There is no project ${unknown}; there are ${NAMES.join(", ")}. A folder has a slash in its name.`);
  process.exit(2);
}
const outcomes: ProjectOutcome[] = [];
for (const name of wanted.length === 0 ? NAMES : wanted) outcomes.push(await qualify(name));
console.log(table(outcomes));
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(outcomes, null, 1)}\n`);
const total = rowOf({ recorded: 0, judged: outcomes.flatMap(({ judged }) => judged) });
const isComplete = outcomes.every(({ problems }) => problems.length === 0);
const isGood = options.ends
  ? total.asRecorded >= BAR * total.known
  : total.same >= BAR * (total.same + total.different);
process.exitCode = isComplete && isGood ? 0 : 1;
