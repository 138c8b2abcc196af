// `tangent record -- CMD`: the project's own tests run as ever, and every invocation of its programs becomes a seed.

import { existsSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join, relative } from "node:path";
import { builtLibraryFolders } from "../project/built-libraries.js";
import { compilerEnvironment } from "../project/compilers.js";
import { readConfig } from "../project/config.js";
import { detectProject } from "../project/detect.js";
import { libraryFolders } from "../project/library-build.js";
import { buildNativeTool } from "../project/native-tool.js";
import { findProject, type ProjectFolder } from "../project/project-folder.js";
import { lockProject } from "../project/project-lock.js";
import { type RecordOptions, type RecordResult, record } from "../project/recording.js";
import { restorePrograms } from "../project/restore-programs.js";
import { findPrograms, isProgramBelow } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import { counted } from "../report/finding-view.js";
import { visible } from "../support/visible-text.js";
import { chosenPrograms, programsNamed } from "./chosen-programs.js";
import { type CommandContext, defineCommand, USAGE_STATUS } from "./command.js";
import { HeldOutput } from "./held-output.js";
import { PROGRAM_OPTION } from "./program-option.js";
import { untracedNote } from "./untraced.js";

export const command = defineCommand({
  name: "record",
  summary: "Run a test command and keep every invocation of the programs under test as a seed",
  description: `The programs (built with CC="tangent cc") are replaced by stand-ins while CMD runs. Each invocation runs natively and behaves as
ever; its arguments, standard input, directory, the files it reads and the environment variables it can name are kept in .tangent/. The
programs are put back when CMD ends, however it ends.

Without CMD, the test command of tangent.toml is run, or the usual one for this kind of project. If nothing here was built with \`tangent
cc\`, but a copy was (\`tangent build\`), the command runs in the copy.

The exit status is CMD's; 3 if nothing could be recorded.`,
  options: {
    program: {
      ...PROGRAM_OPTION,
      help: "record only this program, by its name or path (several times: these; default: all that tangent cc built)",
    },
    restore: { kind: "flag", help: "only put back programs that an interrupted recording left replaced" },
  },
  operands: {
    command: { kind: "optional", value: "CMD", help: "what runs the tests, such as `make check`" },
    words: { kind: "rest", value: "ARG", help: "its arguments", ours: "refused" },
  },
  async run(options, { command: program, words }, context) {
    const folder = findProject(process.cwd());
    const state = new ProjectState(folder.root, context.env);
    const lock = lockProject(folder, state, "record");
    if (lock.kind === "busy") {
      context.error(`tangent: ${lock.message}\n`);
      return 3;
    }
    if (options.restore) {
      const { count, problems } = restorePrograms(state);
      for (const problem of problems) context.error(`tangent: ${problem}\n`);
      // As a rule main.ts has done it already, before any command begins.
      const restored = count + (context.restored ?? 0);
      context.error(`tangent: ${restored === 1 ? "1 program" : `${restored} programs`} put back\n`);
      return problems.length > 0 ? 3 : 0;
    }
    const config = readConfig(folder.root);
    if (config.kind === "wrong") {
      context.error(`tangent: ${config.problem}\n`);
      return USAGE_STATUS;
    }
    const settings = config.kind === "config" ? config.config : null;
    const given = program === undefined ? null : [program, ...words];
    const script = settings?.test ?? detectProject(folder.root, context.env)?.test ?? null;
    const rest = given ?? (script === null ? null : ["sh", "-c", script]);
    if (rest === null) {
      context.error(
        "tangent record: name the command that runs the tests: tangent record -- make check (or see `tangent init`)\n",
      );
      return USAGE_STATUS;
    }
    // Whoever names command and programs knows where they are.
    const isExact = given !== null && options.program.length > 0 && options.program.every(existsSync);
    const place = placeOfTests(folder, given !== null, isExact);
    const all = chosenPrograms(place.directory, settings?.programs ?? [], place.programs, context);
    if (all === null) return USAGE_STATUS;
    const chosen = programsNamed(options.program, all);
    if (chosen.kind === "wrong") {
      context.error(`tangent record: ${chosen.problem}\n`);
      return USAGE_STATUS;
    }
    if (given === null) context.error(`tangent: running the tests in ${place.directory}: ${script}\n`);
    else if (place.isCopy) context.error(`tangent: running the tests in ${place.workingDirectory}, which was built\n`);
    const result = await recordTests(folder.root, chosen.programs, rest, context, {
      workingDirectory: place.workingDirectory,
    });
    return result === null ? 3 : statusOf(result);
  },
});

interface TestPlace {
  /** The top of what was built. */
  readonly directory: string;
  readonly workingDirectory: string;
  readonly programs: readonly string[];
  readonly isCopy: boolean;
}

/** Here, if something here was built by us; else in the copy that `tangent build` has made, in the folder that corresponds to this one. */
function placeOfTests(folder: ProjectFolder, isGiven: boolean, isExact: boolean): TestPlace {
  const here = process.cwd();
  if (isExact) return { directory: folder.root, workingDirectory: here, programs: [], isCopy: false };
  const copy = folder.known("build");
  const isInCopy = !relative(copy, here).startsWith("..");
  const programs = isInCopy ? [] : findPrograms(folder.root);
  const inCopy = programs.length > 0 ? [] : findPrograms(copy);
  if (inCopy.length === 0) {
    const directory = folder.root;
    return { directory, workingDirectory: isGiven ? here : directory, programs, isCopy: false };
  }
  const same = isInCopy ? here : join(copy, relative(folder.root, here));
  const workingDirectory = isGiven && existsSync(same) ? same : copy;
  return { directory: copy, workingDirectory, programs: inCopy, isCopy: true };
}

export interface RecordChoices extends Partial<Pick<RecordOptions, "workingDirectory" | "timeMs" | "stdout">> {
  /** What the tests print is shown only if they fail, and only the end of that. */
  readonly quiet?: boolean;
}

/** Null if it could not begin; the reason has been told. */
export async function recordTests(
  root: string,
  programs: readonly string[],
  words: readonly string[],
  context: CommandContext,
  { quiet = false, ...more }: RecordChoices = {},
): Promise<RecordResult | null> {
  const folder = findProject(root);
  const absent = programs.find((path) => !existsSync(path));
  const nothingBuilt = `tangent: no program built by tangent cc below ${root}. Build with CC="tangent cc" first (tangent build).\n`;
  // Tests that build with our compiler need nothing that is there already.
  const buildsItself = [...words, context.env.CC ?? ""].some((word) => /\btangent([ -]cc)?\b/.test(word));
  if (absent !== undefined || (programs.length === 0 && !buildsItself)) {
    context.error(absent === undefined ? nothingBuilt : `tangent: ${absent} does not exist\n`);
    return null;
  }
  const recorder = buildNativeTool("stand-in", context.env, () =>
    context.error("tangent: compiling the recorder, only this once; it can take a minute\n"),
  );
  if (recorder.kind === "failed") {
    context.error(`tangent: ${recorder.message}\n`);
    return null;
  }
  const state = new ProjectState(folder.root, context.env);
  const workingDirectory = more.workingDirectory ?? process.cwd();
  const copy = folder.known("build");
  // Tests that compile something themselves are to find our compiler where the build found it.
  const isInCopy = !relative(copy, workingDirectory).startsWith("..");
  const place = { sources: copy, shownAs: folder.root };
  const top = isInCopy ? copy : folder.root;
  const known = findPrograms(top);
  const config = readConfig(folder.root);
  const standing = config.kind === "config" ? Object.keys(config.config.libraries) : [];
  const held = quiet ? new HeldOutput() : null;
  // If some were chosen, what the tests make besides is not wanted.
  const wantsAll = known.every((path) => programs.includes(path));
  const isWanted = (path: string): boolean =>
    programs.includes(path) ? isProgramBelow(dirname(path), path) : wantsAll && isProgramBelow(top, path);
  const recordThese = (these: readonly string[]): Promise<RecordResult> =>
    record(folder, state, {
      programs: these,
      libraryFolders: [...libraryFolders(standing, folder, state), ...builtLibraryFolders(top)],
      command: words,
      workingDirectory,
      env: isInCopy ? compilerEnvironment(place, context.env, state) : context.env,
      recorder: recorder.bytes,
      isWanted,
      timeMs: Number.POSITIVE_INFINITY,
      stdout: "inherit",
      ...more,
      ...(held === null ? {} : { stdout: held.file }),
    });
  let result = await recordThese(programs);
  const made = wantsAll ? newPrograms(top, [...known, ...result.linked]) : [];
  const missed = missedPrograms(made, result.rebuilt);
  if (missed !== null) {
    // What the tests make is mostly what they are about.
    const isMost = made.length > programs.length || 2 * result.rebuilt.length > programs.length;
    const isWhole = result.problem === null && result.interruptedBy === null && !result.timedOut;
    const isAgain = (isMost || result.invocations === 0) && isWhole;
    if (isAgain) context.error(`tangent: the tests are run once more, to record ${missed}\n`);
    else context.error(`tangent: note: ${missed} will be recorded the next time\n`);
    if (isAgain) {
      result = await recordThese(
        [...new Set([...programs, ...made, ...result.linked])].filter((path) => existsSync(path)),
      );
      if (result.rebuilt.length > 0) context.error(`tangent: note: ${builtEachTime(result.rebuilt)}\n`);
    }
  }
  const printed = held?.end() ?? "";
  if (result.status !== 0) context.error(printed);
  if (result.problem !== null) {
    context.error(`tangent: ${result.problem}\n`);
    return null;
  }
  for (const note of result.notes) context.error(`tangent: note: ${note}\n`);
  const invocations = result.invocations === 1 ? "1 invocation" : `${result.invocations} invocations`;
  context.error(`tangent: ${invocations} recorded, ${result.seeds} different, ${result.newSeeds} of them new\n`);
  if (result.lost > 0) {
    const more = result.lost === 1 ? "1 more was" : `${result.lost} more were`;
    context.error(
      `tangent: WARNING: ${more} not recorded: ${state.path} could not be written (is the disk full, or ulimit -f set?)\n`,
    );
  }
  if (result.unstored > 0) {
    const more = result.unstored === 1 ? "1 more is" : `${result.unstored} more are`;
    context.error(
      `tangent: WARNING: ${more} recorded but not stored (${result.storeFailure}); make room, and the next recording takes them up\n`,
    );
  }
  if (result.untraced.length > 0) {
    context.error(`tangent: note: ${untracedNote(result.untraced, result.invocations)}\n`);
  }
  if (result.underValgrind > 0) {
    const them = result.underValgrind === 1 ? "1 was run by valgrind" : `${result.underValgrind} were run by valgrind`;
    context.error(
      `tangent: note: ${them}: the files and pipes they read are missing; tests that can do without (see their options, such as ` +
        "USE_VALGRIND=0) are recorded whole\n",
    );
  }
  if (programs.length + made.length + result.linked.length === 0) {
    context.error(nothingBuilt);
    return null;
  }
  if (result.invocations + result.lost + result.unstored === 0 && result.rebuilt.length === 0) {
    context.error(
      `tangent: note: the command started none of ${programs.length} programs; it has no tests, or runs other copies than those below ${top}\n`,
    );
  }
  return result;
}

/** Its link step has not told of it: another linker, or a copy that is made each time. */
function builtEachTime(programs: readonly string[]): string {
  const them = programs.length === 1 ? visible(programs[0]) : counted(programs.length, "program");
  return `the tests build ${them} anew each time they run, and not by tangent cc, so nothing of that was recorded; name a test command that does not build`;
}

/** In words; null: all that was run was recorded. */
function missedPrograms(made: readonly string[], rebuilt: readonly string[]): string | null {
  const parts = [
    ...(made.length > 0 ? [`${counted(made.length, "program")} that the tests made themselves`] : []),
    ...(rebuilt.length > 0 ? [`${counted(rebuilt.length, "program")} that the command built anew`] : []),
  ];
  return parts.length === 0 ? null : parts.join(" and ");
}

function newPrograms(top: string, known: readonly string[]): string[] {
  const before = new Set(known);
  return findPrograms(top).filter((path) => !before.has(path));
}

/** The command's, as a shell has it. */
function statusOf({ status, signal }: RecordResult): number {
  if (status !== null) return status;
  return signal === null ? 3 : signalStatus(signal);
}

/** As a shell tells the end by a signal. */
export function signalStatus(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
