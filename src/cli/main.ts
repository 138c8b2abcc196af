// The entry point: finds the command, loads only its module, runs it. Loading all modules would cost every start what the
// slowest command needs. Commands live one to a file; command-list.ts names them all.

import { pendingJournals } from "../project/state-folder.js";
import { nearName } from "../support/edit-distance.js";
import { withdrawSecrets } from "../support/own-environment.js";
import { version } from "../support/version.js";
import { safeOutput } from "../support/visible-text.js";
import type { CommandContext } from "./command.js";
import { COMMANDS } from "./command-list.js";

/** The environment, not the program or the command line. */
const TROUBLE_STATUS = 3;

/** What older tools call these. */
const ALIASES: { readonly [name: string]: readonly string[] } = {
  "--help": ["help"],
  "-h": ["help"],
};

export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const [first = "help", ...rest] = args;
  if (first === "--version") {
    context.out(`tangent ${version()}\n`);
    return 0;
  }
  const [name, ...words] = [...(ALIASES[first] ?? [first]), ...rest];
  const listed = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (listed === undefined) {
    const near = nearName(name, Object.keys(COMMANDS));
    const meant = near === null ? "" : `; is \`tangent ${near}\` meant?`;
    context.error(`tangent: there is no command ${name}${meant || "."} Try \`tangent help\`.\n`);
    return 2;
  }
  try {
    const { command } = await listed.load();
    const restored = await restoreLeftovers(context);
    const status = await command.start(words, { ...context, restored });
    if (listed.does !== undefined) await trimCache(context.env);
    return status;
  } catch (error) {
    // The system refused something (a full disk, a file that may not be read): no bug of ours, so no stack.
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) {
      context.error(internalError(name, error));
      return TROUBLE_STATUS;
    }
    // Node does not always say which file it was.
    if (syscall === "uv_cwd") {
      context.error(`tangent ${name}: ${message}\n${NO_CWD}\n`);
      return TROUBLE_STATUS;
    }
    const where = message.includes("'") ? "" : ` (below ${process.cwd()}, or in the cache)`;
    context.error(`tangent ${name}: ${message}${where}\n`);
    if (code === "ENOSPC" || code === "EDQUOT") {
      context.error(
        "tangent: make room on that disk and give the command again; what was stored before is still there\n",
      );
    }
    return TROUBLE_STATUS;
  }
}

const NO_CWD =
  "tangent: the working directory has no name that the system gives: it was removed, or its path is too long; go to another";

async function trimCache(env: NodeJS.ProcessEnv): Promise<void> {
  const { cacheDirectory } = await import("../frontend/cache.js");
  const { cacheLimit, trimCacheNowAndThen } = await import("../frontend/cache-trim.js");
  trimCacheNowAndThen(cacheDirectory(env), { limit: cacheLimit(env), now: Date.now() });
}

/** A bug of ours. Node's own way to tell it would end with status 1, which says that bugs of the user's were found. */
function internalError(name: string, error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `tangent ${name}: internal error, please report it with what follows:\n${stack}\n`;
}

/** A recording that was killed has left stand-ins in its programs' places: whoever comes next takes them away. */
async function restoreLeftovers(context: CommandContext): Promise<number> {
  if (pendingJournals(context.env).length === 0) return 0;
  const { restoreAbandoned } = await import("../project/restore-programs.js");
  const { count, problems } = restoreAbandoned(context.env);
  if (count > 0) {
    const what = count === 1 ? "1 program" : `${count} programs`;
    context.error(`tangent: note: a recording was killed; ${what} put back in place of stand-ins\n`);
  }
  for (const problem of problems) context.error(`tangent: note: ${problem}\n`);
  return count;
}

/** What bin/tangent has set for this process alone. */
function withdrawMallocSettings(env: NodeJS.ProcessEnv): void {
  if (env.TANGENT_MALLOC === undefined) return;
  const names = ["TANGENT_MALLOC", "MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"];
  for (const name of names) delete env[name];
}

/** What could not be printed, for another reason than that the reader has gone. */
let lostOutput: Error | null = null;
/** As of a tool that SIGPIPE ends. Node ignores that signal, so it must be said. */
const READER_GONE_STATUS = 141;

/** A reader who has gone (`| head`) has seen enough: we end, and are quiet about it. What is to be put in order at the exit is. */
function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(READER_GONE_STATUS);
  lostOutput ??= error;
}

/** A pipe is written to at once, and what went wrong is known before the next line is printed. */
function print(stream: NodeJS.WriteStream, text: string): void {
  stream.write(safeOutput(text));
  if (stream.errored !== null && stream.errored !== undefined) onOutputError(stream.errored);
}

withdrawMallocSettings(process.env);
withdrawSecrets(process.env);
process.stdout.on("error", onOutputError);
process.stderr.on("error", onOutputError);
const context: CommandContext = {
  env: process.env,
  out: (text) => print(process.stdout, text),
  error: (text) => print(process.stderr, text),
};
// What is thrown outside of the command's own promise, by a listener say.
process.on("uncaughtException", (error) => {
  context.error(internalError(process.argv[2] ?? "", error));
  process.exit(TROUBLE_STATUS);
});
const status = await main(process.argv.slice(2), context);
process.exitCode = status;
process.on("exit", () => {
  if (lostOutput === null) return;
  context.error(`tangent: not everything could be printed: ${(lostOutput as Error).message}\n`);
  if (status === 0) process.exitCode = TROUBLE_STATUS;
});
