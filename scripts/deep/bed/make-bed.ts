import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fetchSource } from "../../known-bugs/hunt.js";
import { LAUNCHER } from "../../suites/build.js";
import { copyTree, isMade, MADE, personalityOf, runStep } from "../../suites/made-tree.js";
import { readBugs } from "../bug.js";
import type { BedBug, BedPackage, Inputs } from "./bed-bug.js";
import { prove } from "./prove.js";
import { sourceParts } from "./source-parts.js";

type Build = "src" | "asan" | "afl";

const ASAN = "detect_leaks=0";
const BUILDS: Readonly<Record<Build, NodeJS.ProcessEnv>> = {
  src: { CC: `${LAUNCHER} cc` },
  asan: { CC: "gcc -fsanitize=address -fno-omit-frame-pointer", ASAN_OPTIONS: ASAN },
  afl: { CC: "afl-clang-fast", AFL_USE_ASAN: "1", AFL_QUIET: "1", ASAN_OPTIONS: ASAN },
};
const NATIVE: NodeJS.ProcessEnv = { CC: "gcc" };
const PROVED = "proved";
const TAKEN_BACK = "tangent-taken-back";
/** Below each tree. */
const SEEDS = "tangent-seeds";
const CORPUS = join(SEEDS, "corpus");
const RUN = join(SEEDS, "run");
/** As `run` is before a test; programs write there. */
const GIVEN = join(SEEDS, "given");

export interface Made {
  readonly name: string;
  /** Null: the bug is there and shows. */
  readonly problem: string | null;
}

/** One line for each bug, as soon as it is known. */
export function* makeBed(top: string, packages: readonly BedPackage[], only: readonly string[]): Generator<Made> {
  mkdirSync(top, { recursive: true });
  for (const program of packages) {
    for (const bug of program.bugs) {
      if (only.length > 0 && !only.includes(bug.name)) continue;
      const problem = makeBug(top, program, bug);
      const proved = join(top, bug.name, PROVED);
      if (problem === null) writeFileSync(proved, "");
      else rmSync(proved, { force: true });
      writeList(top, packages);
      yield { name: bug.name, problem };
    }
  }
}

function writeList(top: string, packages: readonly BedPackage[]): void {
  const names = packages.flatMap(({ bugs }) => bugs.map(({ name }) => name)).sort();
  const proved = names.filter((name) => existsSync(join(top, name, PROVED)));
  writeFileSync(join(top, "bed.json"), `${JSON.stringify(proved, null, 2)}\n`);
}

function makeBug(top: string, program: BedPackage, bug: BedBug): string | null {
  const source = fetchSource(program.source, top);
  if (source === null) return `apt-get source ${program.source} failed`;
  const folder = join(top, bug.name);
  for (const build of ["asan", "afl", "src"] as const) {
    const base = join(top, "packages", program.source, build);
    const problem =
      makeBase(source, base, build, program) ?? buildTree(base, join(folder, build), build, program, bug.reverse);
    if (problem !== null) return problem;
  }
  rmSync(join(folder, "fixed"), { force: true });
  symlinkSync(join("..", "packages", program.source, "asan"), join(folder, "fixed"));
  const [, version] = /\((.*?)\)/.exec(readFileSync(join(source, "debian", "changelog"), "latin1")) ?? [];
  const { name, reference, kind, what, places, isShared, arguments: words } = bug;
  const meta = { name, package: `${program.source} ${version}`, patch: bug.reverse.join(", "), reference, kind, what };
  const run = { places, program: program.program, arguments: words, corpus: CORPUS, run: RUN, isShared };
  writeFileSync(join(folder, "meta.json"), `${JSON.stringify({ ...meta, ...run }, null, 2)}\n`);
  return recordSeeds(folder, program, bug) ?? prove(readBugs(folder)[0], Buffer.from(bug.proof, "latin1"));
}

/**
 * The package as Debian has it. Both native builds are made of one that this system's compiler was asked about. That for src is only
 * configured: the trees of the bugs are compiled where they lie, because what searches for a line knows it by the path in the debug
 * information.
 */
function makeBase(source: string, tree: string, build: Build, program: BedPackage): string | null {
  if (build === "src") return configureTree(source, tree, { ...personalityOf(program), ...BUILDS.src }, program);
  const native = join(dirname(tree), "native");
  return configureTree(source, native, NATIVE, program) ?? buildTree(native, tree, build, program, []);
}

function configureTree(source: string, tree: string, env: NodeJS.ProcessEnv, program: BedPackage): string | null {
  const wanted = JSON.stringify([program.configure, program.build, program.files]);
  if (isMade(tree, wanted)) return null;
  copyTree(source, tree);
  writeInputs(tree, program.files ?? {});
  if (!runStep(program.configure ?? "true", tree, "configure", env))
    return `configuring failed: see ${join(tree, "tangent-configure.log")}`;
  writeFileSync(join(tree, MADE), wanted);
  return null;
}

/** Null, or why the tree is not there. */
function buildTree(
  base: string,
  tree: string,
  build: Build,
  program: BedPackage,
  reverse: readonly string[],
): string | null {
  const wanted = JSON.stringify([readFileSync(join(base, MADE), "utf8"), reverse]);
  if (isMade(tree, wanted)) return null;
  copyTree(base, tree);
  for (const name of reverse) {
    const patch = join(tree, "debian", "patches", name);
    if (!existsSync(patch)) return `there is no patch ${name}`;
    writeFileSync(join(tree, TAKEN_BACK), sourceParts(readFileSync(patch, "latin1")), "latin1");
    if (!runStep(`patch -R -p1 --batch --no-backup-if-mismatch < ${TAKEN_BACK}`, tree, "reverse", {}))
      return `${name} cannot be taken back`;
  }
  if (
    !runStep(program.build, tree, "build", { ...personalityOf(program), ...BUILDS[build] }) ||
    !existsSync(join(tree, program.program))
  )
    return `the build failed: see ${join(tree, "tangent-build.log")}`;
  writeFileSync(join(tree, MADE), wanted);
  return null;
}

/** Null, or why there are no tests. */
function recordSeeds(folder: string, packaged: BedPackage, bug: BedBug): string | null {
  const { program } = packaged;
  const tree = join(folder, "src");
  for (const path of [join(tree, SEEDS), join(tree, ".tangent"), join(folder, "recorded")])
    rmSync(path, { recursive: true, force: true });
  for (const path of [CORPUS, RUN, GIVEN]) mkdirSync(join(tree, path), { recursive: true });
  writeInputs(join(tree, CORPUS), bug.seeds);
  for (const own of bug.ownSeeds ?? []) {
    if (!existsSync(join(tree, own))) return `the package has no ${own}`;
    copyFileSync(join(tree, own), join(tree, CORPUS, basename(own)));
  }
  for (const path of [RUN, GIVEN]) writeInputs(join(tree, path), bug.beside ?? {});
  const words = bug.arguments.map((word) => (word === "@@" ? '"../corpus/$seed"' : `'${word}'`)).join(" ");
  const stdin = bug.arguments.includes("@@") ? "/dev/null" : '"../corpus/$seed"';
  const script = `top=$(pwd)
for seed in $(ls ${CORPUS}); do
  cd "$top/${RUN}" && "$top/${program}" ${words} < ${stdin}
  cd "$top" && rm -rf ${RUN}/* && cp -R ${GIVEN}/. ${RUN}/
done
exit 0
`;
  writeFileSync(join(tree, "tangent-tests.sh"), script);
  if (!runStep(`${LAUNCHER} record -- sh tangent-tests.sh`, tree, "record", personalityOf(packaged)))
    return `recording failed: see ${join(tree, "tangent-record.log")}`;
  return null;
}

function writeInputs(folder: string, inputs: Inputs): void {
  for (const [name, text] of Object.entries(inputs)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, "latin1");
  }
}
