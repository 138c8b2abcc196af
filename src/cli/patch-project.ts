// What `tangent patch` works on: which project and repository, its two versions checked out and built, and the tests for the programs of
// the new one. Everything that takes long is skipped if it was done already: files that are the same, builds of the same sources,
// tests that have not changed.

import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { ProgramPlace } from "../campaign/work-messages.js";
import { withSanitizerMacros } from "../frontend/sanitizer-macros.js";
import { BlobStore } from "../project/blob-store.js";
import { CONFIG_NAME, type ProjectConfig, readConfig, readConfigFile } from "../project/config.js";
import { detectProject } from "../project/detect.js";
import { isSeedOurs, noteSeeds } from "../project/made-here.js";
import { seedOfProgram } from "../project/made-seed.js";
import { type BuiltProgram, buildIdentity, builtBefore, noteBuilt } from "../project/patch/build-stamp.js";
import { GitProblem, openRepository, type Repository } from "../project/patch/git.js";
import type { Version } from "../project/patch/git-changes.js";
import {
  noteRecordedTests,
  type RebindTarget,
  rebindSeeds,
  recordedTests,
  sortSeeds,
  testsIdentity,
} from "../project/patch/rebind-seeds.js";
import type { VersionSources } from "../project/patch/version-entries.js";
import { type CheckedOut, checkOutVersion, type Side } from "../project/patch/versions.js";
import { programContent } from "../project/program-content.js";
import { FOLDER_NAME, findProject, ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import { keepProgram } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import { visible } from "../support/visible-text.js";
import { buildIn } from "./build.js";
import { chosenPrograms } from "./chosen-programs.js";
import type { CommandContext } from "./command.js";
import { recordTests, signalStatus } from "./record.js";

export interface PatchProject {
  /** Where results and builds are kept. */
  readonly folder: ProjectFolder;
  readonly state: ProjectState;
  readonly config: ProjectConfig | null;
  readonly sources: VersionSources;
  /** Where the project lies in the repository, "" at its top. */
  readonly prefix: string;
}

/** What is wrong, with the exit status it means. */
export type Failed = { readonly kind: "failed"; readonly problem: string; readonly status: number };

/** `configPath`: --config. `needsGit`: false if a diff is given. */
export function openPatchProject(
  configPath: string | undefined,
  needsGit: boolean,
  context: CommandContext,
): PatchProject | Failed {
  const directory = configPath === undefined ? process.cwd() : dirname(resolve(configPath));
  const nearest = configPath === undefined ? findProject(directory) : new ProjectFolder(directory);
  const read = configPath === undefined ? readConfig(nearest.root) : readConfigFile(resolve(configPath));
  if (read.kind === "wrong") return { kind: "failed", problem: read.problem, status: 2 };
  if (read.kind === "none" && configPath !== undefined) {
    return { kind: "failed", problem: `--config ${configPath}: there is no such file`, status: 2 };
  }
  const config = read.kind === "config" ? read.config : null;
  const place = config?.repository ?? nearest.root;
  if (!existsSync(place)) {
    return { kind: "failed", problem: `repository: ${visible(place)} does not exist; see ${CONFIG_NAME}`, status: 2 };
  }
  let repository: Repository | null = null;
  try {
    repository = openRepository(place, context.env);
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    if (needsGit) return failedBy(error);
  }
  const root = repository === null ? place : repository.workTree;
  // Somewhere in a checkout that was never seen before: the project is all of it.
  const isMarked = [FOLDER_NAME, CONFIG_NAME].some((name) => existsSync(join(nearest.root, name)));
  const isWhole = configPath === undefined && !isMarked && root !== null;
  const folder = isWhole ? new ProjectFolder(root) : nearest;
  const below = root === null ? ".." : relative(root, folder.root);
  return {
    folder,
    state: new ProjectState(folder.root, context.env),
    config,
    sources: { repository, root },
    prefix: config?.repository != null || below.startsWith("..") ? "" : below,
  };
}

export function failedBy(error: unknown): Failed {
  if (!(error instanceof GitProblem)) throw error;
  return { kind: "failed", problem: error.message, status: error.isUsage ? 2 : 3 };
}

export interface BuiltVersion {
  readonly version: Version;
  readonly checkedOut: CheckedOut;
  /** Where it was built and its tests run. */
  readonly directory: string;
  readonly programs: readonly BuiltProgram[];
}

/** Where debugging information says that files are: the user's own, or the new tree if there is no work tree. */
export function sourceRootOf({ sources, folder }: PatchProject): string {
  return sources.root ?? folder.directory("patch", "new");
}

/** Null if it cannot be built; the reason has been told. Throws a GitProblem if git cannot give the version. */
export async function buildVersion(
  project: PatchProject,
  version: Version,
  side: Side,
  context: CommandContext,
): Promise<BuiltVersion | null> {
  const { folder, state, config, sources, prefix } = project;
  const checkedOut = checkOutVersion(sources, version, { folder, state, side });
  for (const note of checkedOut.notes) context.error(`tangent: note: ${note}\n`);
  const directory = join(checkedOut.directory, prefix);
  const script = config?.build ?? (existsSync(directory) ? detectProject(directory)?.build : null) ?? null;
  if (script === null) {
    context.error(
      `tangent: nothing says how to build the ${side} version (in ${directory}); ` +
        `write \`build = "..."\` into ${CONFIG_NAME}, see \`tangent init\`\n`,
    );
    return null;
  }
  const env = withSanitizerMacros(context.env, config?.sanitizerMacros === true);
  const identity = buildIdentity({ sources: checkedOut.identity, directory, script, env });
  const known = builtBefore(state, side, identity);
  const work = { directory, script, identity };
  const built = known ?? (await build(project, side, checkedOut, work, { ...context, env }));
  if (built === null) return null;
  const paths = built.map(({ path }) => path);
  const chosen = chosenPrograms(directory, config?.programs ?? [], paths, context);
  if (chosen === null) return null;
  const absent = chosen.find((path) => !paths.includes(path));
  if (absent !== undefined) {
    const name = visible(relative(directory, absent));
    context.error(`tangent: programs: the build of the ${side} version made no ${name} with tangent cc\n`);
    return null;
  }
  return { version, checkedOut, directory, programs: built.filter(({ path }) => chosen.includes(path)) };
}

interface BuildWork {
  readonly directory: string;
  readonly script: string;
  readonly identity: string;
}

async function build(
  project: PatchProject,
  side: Side,
  { directory: tree, files, written, removed }: CheckedOut,
  { directory, script, identity }: BuildWork,
  context: CommandContext,
): Promise<readonly BuiltProgram[] | null> {
  const changed = `${written} of ${files.size} files written${removed > 0 ? `, ${removed} removed` : ""}`;
  context.error(`tangent: building the ${side} version in ${directory} (${changed}): ${script}\n`);
  const place = { directory, sources: tree, shownAs: sourceRootOf(project) };
  const built = await buildIn(place, script, context);
  return built === null ? null : noteBuilt(project.state, side, identity, built.programs);
}

export interface TestChoices {
  /** --test. */
  readonly test?: string | undefined;
  readonly testTime?: number | undefined;
  readonly reuseTests: boolean;
  /** --no-tests: the programs alone. */
  readonly noTests: boolean;
  readonly stdout: "inherit" | "stderr";
}

export type FoundSeeds = { readonly kind: "seeds"; readonly seeds: readonly Seed[] } | Failed;

/** The tests for these programs: recorded before, of an earlier build if the tests are the same, or recorded now. */
export async function testsFor(
  project: PatchProject,
  built: BuiltVersion,
  choices: TestChoices,
  context: CommandContext,
): Promise<FoundSeeds> {
  const { folder, state, config, prefix } = project;
  if (choices.noTests) return programsAlone(project, built, context);
  const script = choices.test ?? config?.test ?? detectProject(built.directory)?.test ?? null;
  const identity = testsIdentity(built.checkedOut.files, script ?? "");
  const target: RebindTarget = {
    programs: built.programs,
    directory: built.directory,
    earlier: [
      folder.root,
      join(folder.path, "build"),
      ...["new", "old"].map((side) => join(folder.path, "patch", side, prefix)),
    ],
  };
  const store = new SeedStore(folder);
  const { own, others } = sortSeeds(store.list(), target);
  if (store.trouble !== "") context.error(`tangent: ${store.trouble}\n`);
  const recorded = recordedTests(state);
  const isSame = choices.reuseTests || recorded === identity;
  // Tests of the very programs, recorded by another command, are as good as any.
  const hasOwn = own.length > 0 && others.length === 0 && recorded === null;
  if ((isSame || hasOwn) && own.length + others.length > 0) {
    const rebound = rebindSeeds(others, target);
    const ours = rebound.filter(({ from }) => isSeedOurs(state, from)).map(({ seed }) => seed.id);
    for (const { seed } of rebound) store.add(seed);
    noteSeeds(state, ours);
    // Recording keeps the programs it records; what these tests are of now is to stay as well.
    for (const { path } of rebound.length > 0 ? built.programs : []) keep(state, path);
    if (rebound.length > 0) {
      const why = choices.reuseTests ? "--reuse-tests" : "they have not changed";
      context.error(`tangent: ${counted(rebound.length)} of an earlier build used again (${why})\n`);
    }
    return { kind: "seeds", seeds: [...own, ...rebound.map(({ seed }) => seed)] };
  }
  if (script === null) {
    context.error(
      "tangent: note: nothing says how to run the tests, and none were recorded; if there are some, write " +
        `\`test = "make check"\` into ${CONFIG_NAME} or give --test "make check"; one call of the program is better than none: ` +
        '--test "./prog -x file"\n',
    );
    return programsAlone(project, built, context);
  }
  return recordNow(project, built, script, identity, choices, context);
}

/** Nobody has a test: each program is started without arguments and without input, and moves make what they can of that. */
function programsAlone({ folder, state }: PatchProject, built: BuiltVersion, context: CommandContext): FoundSeeds {
  const blobs = new BlobStore(folder);
  const store = new SeedStore(folder, "made");
  const seeds = built.programs.map(({ path, content }) => {
    keep(state, path);
    return seedOfProgram({ program: path, programContent: content }, built.directory, blobs);
  });
  for (const seed of seeds) store.add(seed);
  noteSeeds(
    state,
    seeds.map(({ id }) => id),
  );
  const names = built.programs.map(({ path }) => visible(relative(built.directory, path))).join(", ");
  context.error(
    `tangent: no tests: the search begins with ${names} alone, without arguments or input, which counts as a test\n`,
  );
  return { kind: "seeds", seeds };
}

function keep(state: ProjectState, path: string): void {
  const made = programContent(path);
  if (made !== null) keepProgram(state, path, made, statSync(path).mode);
}

async function recordNow(
  { folder, state }: PatchProject,
  { directory, programs }: BuiltVersion,
  script: string,
  identity: string,
  choices: TestChoices,
  context: CommandContext,
): Promise<FoundSeeds> {
  context.error(`tangent: running the tests of the new version: ${script}\n`);
  const paths = programs.map(({ path }) => path);
  const recorded = await recordTests(folder.root, paths, ["sh", "-c", script], context, {
    workingDirectory: directory,
    timeMs: choices.testTime ?? Number.POSITIVE_INFINITY,
    stdout: choices.stdout,
  });
  if (recorded === null) return { kind: "failed", problem: "the tests could not be recorded", status: 3 };
  if (recorded.interruptedBy !== null) {
    const problem = "interrupted; what was recorded is kept";
    return { kind: "failed", problem, status: signalStatus(recorded.interruptedBy) };
  }
  if (recorded.timedOut) {
    const seconds = (choices.testTime ?? 0) / 1000;
    context.error(`tangent: note: the tests did not end within ${seconds} s (--test-time) and were stopped\n`);
  } else if (recorded.status !== 0) {
    const how = recorded.status === null ? `by ${recorded.signal}` : `with status ${recorded.status}`;
    context.error(`tangent: note: the tests ended ${how}\n`);
  }
  const seeds = new SeedStore(folder).list().filter(({ id }) => recorded.seedIds.has(id));
  if (seeds.length === 0) {
    const problem =
      `the tests started none of the programs below ${directory}, so there is nothing to begin with; do they run an installed ` +
      "one? --no-tests begins with the programs alone";
    return { kind: "failed", problem, status: 3 };
  }
  // A suite that was cut short is to run again.
  if (!recorded.timedOut) noteRecordedTests(state, identity);
  return { kind: "seeds", seeds };
}

/** The programs that the tests are of. */
export function programPlaces({ programs }: BuiltVersion, seeds: readonly Seed[]): ProgramPlace[] {
  const used = new Set(seeds.map(({ programContent }) => programContent));
  return programs
    .filter(({ content }) => used.has(content))
    .map(({ content, path }) => ({ content, path, name: path }));
}

/** Those of the old version that are there, by the names of the new ones. */
export function oldProgramsOf(
  places: readonly ProgramPlace[],
  built: BuiltVersion,
  old: BuiltVersion | null,
): { readonly name: string; readonly path: string }[] {
  return places.flatMap(({ name, path }) => {
    const below = relative(built.directory, path);
    const found = old?.programs.find((program) => relative(old.directory, program.path) === below);
    return found === undefined ? [] : [{ name, path: found.path }];
  });
}

function counted(tests: number): string {
  return tests === 1 ? "1 test" : `${tests} tests`;
}
