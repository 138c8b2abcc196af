// `tangent build`: the project's own build, with `tangent cc` as its compiler, in a copy of the sources.

import { statSync } from "node:fs";
import { relative } from "node:path";
import { withSanitizerMacros } from "../frontend/sanitizer-macros.js";
import { copySources } from "../project/build-copy.js";
import { explainBuild } from "../project/build-trouble.js";
import { explainYield } from "../project/build-yield.js";
import { builtLibraryFolders } from "../project/built-libraries.js";
import { captureSummary } from "../project/capture-summary.js";
import { type BuildPlace, compilerEnvironment } from "../project/compilers.js";
import { CONFIG_NAME, readConfig } from "../project/config.js";
import { renewCopy } from "../project/copy-stamp.js";
import { detectProject, otherBuildSystems, surroundingsOf } from "../project/detect.js";
import { copyLibrary, libraryFolders, noteLibrary, prepareLibrary } from "../project/library-build.js";
import { findSources, unpackedSources } from "../project/library-sources.js";
import { findProject, type ProjectFolder } from "../project/project-folder.js";
import { lockProject } from "../project/project-lock.js";
import { findPrograms } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import { foreignEnds } from "../report/foreign-ends.js";
import { readResultFile } from "../report/result-file.js";
import { startChild } from "../support/child-process.js";
import { visible } from "../support/visible-text.js";
import { type CommandContext, defineCommand } from "./command.js";
import { lastLines } from "./held-output.js";

export const command = defineCommand({
  name: "build",
  summary: "Build the project with tangent cc, in a copy of its sources",
  description: `Copies what has changed to .tangent/build and runs the build command there (CMD, else the one in tangent.toml, else the usual one for
this kind of project), with CC set to \`tangent cc\`. The project's own build is not touched. What another compiler, another command or other
settings have built there is removed first.

If the build makes no program, the test command is run once, because many projects make their tests' programs there.

The exit status is 0, or 3 if the build failed or made no program.`,
  options: {
    anew: { kind: "flag", help: "remove what was built there before, and begin from the sources" },
  },
  operands: {
    command: { kind: "optional", value: "CMD", help: "what builds the project, such as `make`" },
    words: { kind: "rest", value: "ARG", help: "its arguments" },
  },
  async run(options, { command: program, words }, context) {
    const folder = findProject(process.cwd());
    const lock = lockProject(folder, new ProjectState(folder.root, context.env), "build");
    if (lock.kind === "busy") {
      context.error(`tangent: ${lock.message}\n`);
      return 3;
    }
    const given = program === undefined ? null : [program, ...words].map(quoted).join(" ");
    const built = await buildProject(folder, given, context, { anew: options.anew });
    if (built === null) return 3;
    for (const path of built.programs) context.error(`tangent:   ${visible(relative(built.directory, path))}\n`);
    return 0;
  },
});

export interface Built {
  /** Where it was built, and where the tests are to run. */
  readonly directory: string;
  readonly programs: readonly string[];
}

export interface BuildChoices {
  readonly anew?: boolean;
  /** A library without any program will do. */
  readonly libraryWillDo?: boolean;
  /** What the build prints is shown only if it fails. */
  readonly quiet?: boolean;
}

/** Null if it failed; the reason has been told. */
export async function buildProject(
  folder: ProjectFolder,
  given: string | null,
  context: CommandContext,
  { anew = false, libraryWillDo = false, quiet = false }: BuildChoices = {},
): Promise<Built | null> {
  const config = readConfig(folder.root);
  if (config.kind === "wrong") {
    context.error(`tangent: ${config.problem}\n`);
    return null;
  }
  const settings = config.kind === "config" ? config.config : null;
  const detected = detectProject(folder.root, context.env);
  const script = given ?? settings?.build ?? detected?.build ?? null;
  if (script === null) {
    context.error(
      `tangent: nothing says how to build ${folder.root}; see \`tangent init\`, or: tangent build -- make\n`,
    );
    return null;
  }
  const state = new ProjectState(folder.root, context.env);
  const env = withSanitizerMacros(context.env, settings?.sanitizerMacros === true);
  const changed = renewCopy(folder, state, { script, env, anew });
  if (changed !== "") context.error(`tangent: building from the beginning (${changed})\n`);
  const { directory, copied, files } = copySources(folder, state);
  context.error(`tangent: building in ${directory} (${copied} of ${files} files copied): ${script}\n`);
  const place = { directory, sources: directory, shownAs: folder.root };
  const help = { state, test: settings?.test ?? detected?.test ?? null, libraryWillDo, mayBePartial: true, quiet };
  const built = await buildIn(place, script, { ...context, env }, help);
  if (built === null) return null;
  const libraries = settings?.libraries ?? {};
  for (const [name, value] of Object.entries(libraries)) {
    const sources = await sourcesOfLibrary(name, value, folder, state, context, quiet);
    if (sources === null || !(await buildLibrary(name, sources, folder, state, context, quiet))) return null;
  }
  const folders = [...libraryFolders(Object.keys(libraries), folder, state), ...builtLibraryFolders(directory)];
  for (const line of captureSummary(built.programs, folders, endsOfLastCampaign(folder))) {
    context.error(`tangent: ${visible(line)}\n`);
  }
  return built;
}

/** How many tests ended in a library of the system. */
function endsOfLastCampaign(folder: ProjectFolder): ReadonlyMap<string, number> {
  const read = readResultFile(folder.known("report", "results.json"));
  return read.kind === "result" && read.result.technique === "amplify" ? foreignEnds(read.result) : new Map();
}

/** The folder with a library's sources, got if need be. Null if there is none; the reason has been told. */
async function sourcesOfLibrary(
  name: string,
  value: string,
  folder: ProjectFolder,
  state: ProjectState,
  context: CommandContext,
  quiet: boolean,
): Promise<string | null> {
  let sources = findSources(name, value, folder, state, context.env);
  if (sources.kind === "fetch") {
    const { directory, script } = sources;
    context.error(`tangent: getting the sources of the library ${name}: ${script}\n`);
    const { status } = await runShell(script, directory, context.env, quiet);
    if (status !== 0) {
      context.error(`tangent: ${script} ended with status ${status}: it needs a deb-src line and dpkg-dev\n`);
      return null;
    }
    sources = unpackedSources(name, folder, state);
  }
  if (sources.kind === "there") return sources.directory;
  if (sources.kind === "failed") context.error(`tangent: ${CONFIG_NAME}: ${visible(sources.problem)}\n`);
  return null;
}

/** A library that stands for the system's. False if it cannot be built; the reason has been told. */
async function buildLibrary(
  name: string,
  sources: string,
  folder: ProjectFolder,
  state: ProjectState,
  context: CommandContext,
  quiet: boolean,
): Promise<boolean> {
  const prepared = prepareLibrary(name, sources, folder, state, context.env);
  if (prepared.kind === "failed") context.error(`tangent: ${CONFIG_NAME}: ${visible(prepared.problem)}\n`);
  if (prepared.kind !== "build") return prepared.kind === "ready";
  const { directory, scripts, identity } = prepared;
  const env = compilerEnvironment({ sources: directory, shownAs: sources }, context.env, state);
  let isBuilt = false;
  for (const script of scripts) {
    copyLibrary(name, sources, folder);
    context.error(`tangent: building the library ${name} in ${directory}: ${script}\n`);
    const { status, output } = await runShell(script, directory, env, quiet);
    isBuilt = status === 0;
    if (isBuilt) break;
    context.error(`tangent: the build of the library ${name} ended with status ${status}\n`);
    tellTrouble(output, script, context);
  }
  if (!isBuilt) return false;
  noteLibrary(state, name, identity);
  if (libraryFolders([name], folder, state).length === 0) {
    context.error(
      `tangent: WARNING: libraries: ${name}: its build made no lib${name}.so, so the system's stays foreign\n`,
    );
  }
  return true;
}

export type { BuildPlace } from "../project/compilers.js";

export interface BuildHelp {
  readonly state: ProjectState | null;
  /** What makes the tests' programs, if the build makes none. */
  readonly test: string | null;
  /** Then no program is asked for. */
  readonly libraryWillDo?: boolean;
  /** What was made before the build failed will do. */
  readonly mayBePartial?: boolean;
  /** What it prints is shown only if it fails. */
  readonly quiet?: boolean;
}

/** Runs a build command with our compiler. Null if it failed; the reason has been told. */
export async function buildIn(
  place: BuildPlace,
  script: string,
  context: CommandContext,
  { state, test, libraryWillDo = false, mayBePartial = false, quiet = false }: BuildHelp = { state: null, test: null },
): Promise<Built | null> {
  const { directory } = place;
  const env = compilerEnvironment(place, context.env, state);
  const startedMs = Date.now();
  const { status, output } = await runShell(script, directory, env, quiet);
  if (status !== 0) {
    context.error(`tangent: the build ended with status ${status}\n`);
    tellTrouble(output, script, context);
    for (const system of otherBuildSystems(place.shownAs, script, surroundingsOf(context.env))) {
      context.error(`tangent: another way to build this project: tangent init --force --build-system ${system}\n`);
    }
    // Its documentation, say, could not be made; but a program that an earlier build has left says nothing about these sources.
    const made = mayBePartial ? findPrograms(directory).filter((path) => isNewer(path, startedMs)) : [];
    if (made.length === 0) return null;
    const them = made.length === 1 ? "1 program, which is" : `${made.length} programs, which are`;
    context.error(`tangent: WARNING: before it failed it had made ${them} looked at nevertheless\n`);
    return { directory, programs: made };
  }
  let programs = findPrograms(directory);
  if (libraryWillDo) return { directory, programs };
  if (programs.length === 0 && test !== null) {
    context.error(`tangent: the build made no program; the tests may make theirs, so they are run once: ${test}\n`);
    const ended = await runShell(test, directory, env, quiet);
    programs = findPrograms(directory);
    if (programs.length === 0 && ended.status !== 0) tellTrouble(ended.output, test, context);
  }
  if (programs.length === 0) {
    const [what, ...follows] = explainYield(directory);
    context.error(`tangent: the build made no program with tangent cc: ${visible(what)}\n`);
    for (const line of follows) context.error(`tangent: ${visible(line)}\n`);
    return null;
  }
  context.error(`tangent: ${programs.length === 1 ? "1 program" : `${programs.length} programs`} built\n`);
  return { directory, programs };
}

/** Some file systems keep whole seconds only. */
const CLOCK_MS = 1000;

function isNewer(path: string, thanMs: number): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= thanMs - CLOCK_MS;
}

/** The build's own last error, and what we think of it. */
function tellTrouble(output: string, script: string, context: CommandContext): void {
  const { error, opinion, advice } = explainBuild(output, script);
  if (error.length === 0) {
    context.error("tangent: it printed nothing that looks like an error\n");
    return;
  }
  context.error("tangent: its last error:\n");
  for (const line of error) context.error(`tangent:   ${visible(line)}\n`);
  if (opinion !== null) context.error(`tangent: that is: ${visible(opinion)}\n`);
  const todo = advice ?? `if the command is not right, change \`build\` in ${CONFIG_NAME}`;
  context.error(`tangent: to do: ${visible(todo)}\n`);
}

/** So much of the end of what a build prints is kept. */
const KEPT_OUTPUT = 0x20_0000;

/** For what has been printed to arrive. */
const LAST_WORDS_MS = 1000;

interface Ended {
  readonly status: number;
  readonly output: string;
}

/** `quiet`: what it prints is shown only if it fails, and only the end of that. */
async function runShell(script: string, directory: string, env: NodeJS.ProcessEnv, quiet: boolean): Promise<Ended> {
  const ended = await runShown(script, directory, env, !quiet);
  if (quiet && ended.status !== 0) process.stderr.write(lastLines(ended.output));
  return ended;
}

function runShown(script: string, directory: string, env: NodeJS.ProcessEnv, isShown: boolean): Promise<Ended> {
  return new Promise((resolve) => {
    // One pipe for both of its streams, so that their lines stay in order. What a build prints is not what we print: it goes to
    // standard error, where people see it and no pipe does.
    const child = startChild("sh", ["-c", `exec 2>&1\n${script}`], {
      cwd: directory,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let pieces: Buffer[] = [];
    let size = 0;
    child.stdout.on("data", (piece: Buffer) => {
      if (isShown) process.stderr.write(piece);
      pieces.push(piece);
      size += piece.length;
      if (size <= 2 * KEPT_OUTPUT) return;
      pieces = [Buffer.concat(pieces).subarray(-KEPT_OUTPUT)];
      size = pieces[0].length;
    });
    const output = (): string => Buffer.concat(pieces).toString("utf8");
    child.once("error", () => resolve({ status: 127, output: output() }));
    // Something that the build has left running may keep the pipe open.
    let isOver = child.stdout.closed;
    child.stdout.once("close", () => {
      isOver = true;
    });
    child.once("exit", (status) => {
      const ended = (): void => resolve({ status: status ?? 130, output: output() });
      if (isOver) {
        ended();
        return;
      }
      const timer = setTimeout(ended, LAST_WORDS_MS);
      child.stdout.once("close", () => {
        clearTimeout(timer);
        ended();
      });
    });
  });
}

function quoted(word: string): string {
  return /^[\w./:=+,@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
