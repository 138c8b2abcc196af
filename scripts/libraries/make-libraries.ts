// Makes the bed of libraries below a folder: for each NAME/src by `tangent cc` with its own tests recorded, NAME/recorded with what recording left
// in src/.tangent, NAME/asan by gcc with AddressSanitizer and UBSan, to judge findings by. What was made before, from the same description, is taken.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FOLDER_NAME, ProjectFolder } from "../../src/project/project-folder.js";
import { SeedStore } from "../../src/project/seed-store.js";
import { fetchSource } from "../known-bugs/hunt.js";
import { LAUNCHER } from "../suites/build.js";
import { copyTree, isMade, MADE, personalityOf, runStep } from "../suites/made-tree.js";
import type { Library } from "./library.js";
import { type RecordedTests, recordedTests } from "./recorded-tests.js";

type Build = "src" | "asan";

const BUILDS: Readonly<Record<Build, NodeJS.ProcessEnv>> = {
  src: { CC: `${LAUNCHER} cc` },
  asan: { CC: "gcc -fsanitize=address,undefined -g -fno-omit-frame-pointer", ASAN_OPTIONS: "detect_leaks=0" },
};
/** Of one run of the tests: some wait for input that never comes. */
const TESTS_TIMEOUT_MS = 600_000;
const RECORDED = "recorded";
const VERSION = "version";
const TESTS_FILE = "tangent-tests.sh";
const SMALLEST = `smallest() { most=$1; shift; ls -Sr "$@" | head -n "$most"; }`;

export interface Made {
  readonly name: string;
  /** Null: it is there, with `tests`. */
  readonly problem: string | null;
  readonly tests: RecordedTests | null;
}

/** One for each library, as soon as it is known. */
export function* makeLibraries(top: string, libraries: readonly Library[]): Generator<Made> {
  mkdirSync(top, { recursive: true });
  for (const library of libraries) {
    const problem = makeLibrary(top, library);
    const tests = problem === null ? testsOf(join(top, library.name)) : null;
    yield { name: library.name, problem: tests?.all === 0 ? "no test was recorded" : problem, tests };
  }
}

/** What Debian calls it; "" if it was not made. */
export function versionOf(folder: string): string {
  const file = join(folder, VERSION);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
}

/** Is there a tree with recorded tests? */
export function isInBed(folder: string): boolean {
  return existsSync(join(folder, RECORDED, MADE));
}

/** As it was when the tests had been recorded: what campaigns left is removed. */
export function forgetCampaigns(folder: string): void {
  const ours = join(folder, "src", FOLDER_NAME);
  rmSync(ours, { recursive: true, force: true });
  cpSync(join(folder, RECORDED), ours, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  rmSync(join(ours, MADE), { force: true });
  for (const name of ["results.json", "compose.log"]) rmSync(join(folder, name), { force: true });
}

function testsOf(folder: string): RecordedTests {
  const tree = join(folder, "src");
  return recordedTests(new SeedStore(new ProjectFolder(tree)).list(), tree);
}

/** Null, or why it is not there. */
function makeLibrary(top: string, library: Library): string | null {
  const source = fetchLibrary(library.source, top);
  if (source === null) return `apt-get source ${library.source} failed`;
  const folder = join(top, library.name);
  for (const build of ["asan", "src"] as const) {
    const problem = buildTree(source.tree, join(folder, build), build, library);
    if (problem !== null) return problem;
  }
  writeFileSync(join(folder, VERSION), `${source.version}\n`);
  return recordTests(folder, library);
}

/** Where a mirror lacks Debian's changes, the authors' own archive: apt-get has compared it with its checksum. */
function fetchLibrary(source: string, top: string): { tree: string; version: string } | null {
  const whole = fetchSource(source, top);
  if (whole !== null && existsSync(join(whole, "debian", "changelog"))) {
    const [, version] = /\((.*?)\)/.exec(readFileSync(join(whole, "debian", "changelog"), "latin1")) ?? [];
    return { tree: whole, version: version ?? "" };
  }
  const folder = join(top, "src", source.replace(/=.*/, ""));
  const archive = readdirSync(folder).find((name) => /\.orig\.tar\.\w+$/.test(name));
  if (archive === undefined) return null;
  const version = `${/_(.*)\.orig\./.exec(archive)?.[1] ?? ""} (without Debian's changes)`;
  const tree = join(folder, "source");
  if (existsSync(tree)) return { tree, version };
  const unpacking = `mkdir unpacking && tar xf ${archive} -C unpacking --strip-components=1 && mv unpacking source`;
  rmSync(join(folder, "unpacking"), { recursive: true, force: true });
  const { status } = spawnSync("sh", ["-c", unpacking], { cwd: folder, stdio: "ignore" });
  return status === 0 ? { tree, version } : null;
}

function buildTree(source: string, tree: string, build: Build, library: Library): string | null {
  const { configure, build: command } = library;
  const wanted = JSON.stringify([library.source, configure, command, build === "src" && library.needsGlibc === true]);
  if (isMade(tree, wanted)) return null;
  copyTree(source, tree);
  const env = { ...(build === "src" ? personalityOf(library) : {}), ...BUILDS[build] };
  if (!runStep(configure ?? "true", tree, "configure", env))
    return `configuring ${build} failed: see ${join(tree, "tangent-configure.log")}`;
  if (!runStep(command, tree, "build", env)) return `building ${build} failed: see ${join(tree, "tangent-build.log")}`;
  writeFileSync(join(tree, MADE), wanted);
  return null;
}

/** Null, or why there are no tests. */
function recordTests(folder: string, library: Library): string | null {
  const tree = join(folder, "src");
  const kept = join(folder, RECORDED);
  const wanted = JSON.stringify([readFileSync(join(tree, MADE), "utf8"), library.test]);
  if (isMade(kept, wanted)) return null;
  for (const path of [join(tree, FOLDER_NAME), kept]) rmSync(path, { recursive: true, force: true });
  writeFileSync(join(tree, TESTS_FILE), `${SMALLEST}\n${library.test}\nexit 0\n`);
  // Its own timeout comes first, so that what was recorded by then is kept.
  const limit = `timeout ${TESTS_TIMEOUT_MS / 1000}`;
  if (!runStep(`${LAUNCHER} record -- ${limit} sh ${TESTS_FILE}`, tree, "record", personalityOf(library)))
    return `recording failed: see ${join(tree, "tangent-record.log")}`;
  cpSync(join(tree, FOLDER_NAME), kept, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  writeFileSync(join(kept, MADE), wanted);
  return null;
}
