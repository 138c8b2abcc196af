// `tangent record -- CMD`: the project's own tests run as ever, and every invocation of its programs becomes a seed.

import { existsSync } from "node:fs";
import { constants } from "node:os";
import { buildNativeTool } from "../project/native-tool.js";
import { findProject } from "../project/project-folder.js";
import { lockProject } from "../project/project-lock.js";
import { type RecordOptions, type RecordResult, record } from "../project/recording.js";
import { restorePrograms } from "../project/restore-programs.js";
import { findPrograms } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import { programsNamed } from "./chosen-programs.js";
import { type CommandContext, defineCommand, USAGE_STATUS } from "./command.js";
import { PROGRAM_OPTION } from "./program-option.js";
import { untracedNote } from "./untraced.js";

export const command = defineCommand({
  name: "record",
  summary: "Run a test command and keep every invocation of the programs under test as a seed",
  description: `The programs (built with CC="tangent cc") are replaced by stand-ins while CMD runs. Each invocation runs natively and behaves as
ever; its arguments, standard input, directory, the files it reads and the environment variables it can name are kept in .tangent/. The
programs are put back when CMD ends, however it ends.

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
    const rest = program === undefined ? [] : [program, ...words];
    if (rest.length === 0) {
      context.error("tangent record: name the command that runs the tests: tangent record -- make check\n");
      return 2;
    }
    const programs = programsNamed(options.program, findPrograms(folder.root));
    if (programs.kind === "wrong") {
      context.error(`tangent record: ${programs.problem}\n`);
      return USAGE_STATUS;
    }
    const result = await recordTests(folder.root, programs.programs, rest, context);
    return result === null ? 3 : statusOf(result);
  },
});

/** Null if it could not begin; the reason has been told. */
export async function recordTests(
  root: string,
  programs: readonly string[],
  words: readonly string[],
  context: CommandContext,
  more: Partial<Pick<RecordOptions, "workingDirectory" | "timeMs" | "stdout">> = {},
): Promise<RecordResult | null> {
  const folder = findProject(root);
  const absent = programs.find((path) => !existsSync(path));
  if (absent !== undefined || programs.length === 0) {
    context.error(
      absent === undefined
        ? `tangent: no program built by tangent cc below ${root}. Build with CC="tangent cc" first (tangent build).\n`
        : `tangent: ${absent} does not exist\n`,
    );
    return null;
  }
  const recorder = buildNativeTool("stand-in", context.env);
  if (recorder.kind === "failed") {
    context.error(`tangent: ${recorder.message}\n`);
    return null;
  }
  const state = new ProjectState(folder.root, context.env);
  const result = await record(folder, state, {
    programs,
    command: words,
    workingDirectory: process.cwd(),
    env: context.env,
    recorder: recorder.bytes,
    timeMs: Number.POSITIVE_INFINITY,
    stdout: "inherit",
    ...more,
  });
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
  if (result.invocations + result.lost + result.unstored === 0) {
    context.error(
      `tangent: note: the command started none of ${programs.length} programs; see that it uses the ones below ${folder.root}\n`,
    );
  }
  return result;
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
