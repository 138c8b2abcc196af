// The entry point: finds the command, loads only its module, runs it. Loading all modules would cost every start what the
// slowest command needs. Commands live one to a file; this table is the only place that names them all.

import { pendingJournals } from "../project/state-folder.js";
import { version } from "../support/version.js";
import { safeOutput } from "../support/visible-text.js";
import type { Command, CommandContext } from "./command.js";

const COMMANDS: { readonly [name: string]: () => Promise<{ readonly command: Command }> } = {
  cc: () => import("./cc.js"),
  "c++": () => import("./cxx.js"),
  ar: () => import("./ar.js"),
  ranlib: () => import("./ranlib.js"),
  nm: () => import("./nm.js"),
  run: () => import("./run.js"),
  explore: () => import("./explore.js"),
  replay: () => import("./replay.js"),
  init: () => import("./init.js"),
  build: () => import("./build.js"),
  record: () => import("./record.js"),
  seeds: () => import("./seeds.js"),
  amplify: () => import("./amplify.js"),
  test: () => import("./test.js"),
  patch: () => import("./patch.js"),
  reach: () => import("./reach.js"),
  unit: () => import("./unit.js"),
  compose: () => import("./compose.js"),
  report: () => import("./report.js"),
  show: () => import("./show.js"),
  explain: () => import("./explain.js"),
  demo: () => import("./demo.js"),
  ir: () => import("./ir.js"),
  help: loadHelp,
};

async function loadHelp(): Promise<{ readonly command: Command }> {
  const { makeHelp } = await import("./help.js");
  const command = makeHelp(async () => {
    const others = Object.entries(COMMANDS).filter(([name]) => name !== "help");
    const loaded = await Promise.all(others.map(([, load]) => load()));
    return [...loaded.map((module) => module.command), command];
  });
  return { command };
}

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
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) {
    context.error(`tangent: there is no command ${name}. Try \`tangent help\`.\n`);
    return 2;
  }
  try {
    const { command } = await load();
    const restored = await restoreLeftovers(context);
    return await command.start(words, { ...context, restored });
  } catch (error) {
    // The system refused something (a full disk, a file that may not be read): no bug of ours, so no stack.
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) {
      context.error(internalError(name, error));
      return TROUBLE_STATUS;
    }
    // Node does not always say which file it was.
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

/** What could not be printed, if that was no reader who has gone (`| head`): such a one has seen enough. */
let lostOutput: Error | null = null;

function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") lostOutput ??= error;
}

withdrawMallocSettings(process.env);
process.stdout.on("error", onOutputError);
process.stderr.on("error", onOutputError);
const context: CommandContext = {
  env: process.env,
  out: (text) => void process.stdout.write(safeOutput(text)),
  error: (text) => void process.stderr.write(safeOutput(text)),
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
