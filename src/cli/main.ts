// The entry point: finds the command, loads only its module, runs it. Loading all modules would cost every start what the
// slowest command needs. Commands live one to a file; this table is the only place that names them all.

import { pendingJournals } from "../project/state-folder.js";
import { safeOutput } from "../support/visible-text.js";
import type { Command, CommandContext } from "./command.js";

const COMMANDS: { readonly [name: string]: () => Promise<{ readonly command: Command }> } = {
  cc: () => import("./cc.js"),
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
    const { readFileSync } = await import("node:fs");
    const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
    context.out(`tangent ${(JSON.parse(text) as { version: string }).version}\n`);
    return 0;
  }
  const [name, ...words] = [...(ALIASES[first] ?? [first]), ...rest];
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) {
    context.error(`tangent: there is no command ${name}. Try \`tangent help\`.\n`);
    return 2;
  }
  const { command } = await load();
  try {
    const restored = await restoreLeftovers(context);
    return await command.start(words, { ...context, restored });
  } catch (error) {
    // The system refused something (a full disk, a file that may not be read): no bug of ours, so no stack.
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) {
      // Through the same door as all output, because a message may hold what others wrote; and not with the status of findings.
      const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
      context.error(`tangent ${name}: this is a mistake of tangent's own; please report it:\n${told}\n`);
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

withdrawMallocSettings(process.env);
process.exitCode = await main(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(safeOutput(text)),
  error: (text) => void process.stderr.write(safeOutput(text)),
});
