// How a Node process of ours that does a stranger's work is kept from everything else: the only place that knows. Four walls, each inside of the
// next, as far as this machine has them:
//
//   - no environment, and no memory of the parent's: it is another process
//   - Node's permission model: of the disk it reads what is listed and writes to one folder, starts no processes and no threads, loads no
//     addons, and makes no code of strings. This holds against JavaScript, not against machine code
//   - limits of the system (ulimit): memory, size of files, no core dumps
//   - bubblewrap, if it works here: another root with only what is listed in it, no network, no other processes. Else systemd-run, if it does:
//     memory and number of tasks
//
// Nothing here is tried while work is done: what works is found out once, by doing it.

import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runChild } from "../child-process.js";

const WALLS = {
  node: "Node's permission model",
  bwrap: "bubblewrap",
  systemd: "systemd-run",
} as const;
export type WallName = keyof typeof WALLS;
export const NODE_ALONE: readonly WallName[] = ["node"];

export interface Place {
  /** The module that is started. */
  readonly script: URL;
  /** Files and directories that it reads beside Node and tangent. */
  readonly reads: readonly string[];
  /** The one directory that it writes to. */
  readonly writes: string;
  /**
   * What it reads is looked for from the root on, with all directories on the way, as a program under test does. Node's model knows directories
   * only with all that is below them, so it keeps nobody from reading then; bubblewrap does.
   */
  readonly looksAround?: boolean;
}

export interface Confined {
  readonly file: string;
  readonly args: readonly string[];
}

/** Of what the process may have at the most: an item's own limits are far below. With little Node does not even begin. */
const MEMORY_BYTES = 10 * 2 ** 30;
const FILE_BYTES = 2 ** 30;
/** What generated code needs (guarded-thread.ts), and what Node itself needs beside it. */
const STACK_KB = 512 * 1024;
const OWN_STACK_KB = 8 * 1024;
const KB = 1024;
/** In units of ulimit -f. */
const BLOCK = 512;
const MOST_TASKS = 64;
const PROBE_MS = 10_000;

const ROOT = realpathSync(fileURLToPath(new URL("../../../../", import.meta.url)));
/** Where Node finds packages: those of a checkout may be a link. */
const PACKAGES = [...packageFolders()];
/** What any program needs of the system. */
const SYSTEM = ["/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"];

/** `known`: which walls there are beside Node's; see `wallsHere`. */
export function confined(place: Place, known: readonly WallName[]): Confined {
  const words = limited([process.execPath, ...nodeOptions(place), fileURLToPath(place.script), place.writes]);
  const walled = known.includes("bwrap")
    ? bubblewrapped(words, place)
    : known.includes("systemd")
      ? inScope(words)
      : words;
  return { file: walled[0], args: walled.slice(1) };
}

let found: readonly WallName[] | null = null;

/** Those that work on this machine, as a program started behind them has shown. */
export function wallsHere(env: NodeJS.ProcessEnv): readonly WallName[] {
  if (found !== null) return found;
  const nothing = ["sh", "-c", ":"];
  const place = { script: new URL(import.meta.url), reads: [], writes: "/tmp" };
  const works = ([file, ...args]: readonly string[]): boolean =>
    runChild(file, args, { env: startEnvironment(env), stdio: "ignore", timeout: PROBE_MS }).status === 0;
  if (works(bubblewrapped(nothing, place))) found = ["node", "bwrap"];
  else if (works(inScope(nothing))) found = ["node", "systemd"];
  else found = NODE_ALONE;
  return found;
}

export function wallsInWords(walls: readonly WallName[]): string {
  return walls.map((name) => WALLS[name]).join(", ");
}

/** To find the tools; the process itself gets none of it. */
export function startEnvironment({
  PATH,
  XDG_RUNTIME_DIR,
  DBUS_SESSION_BUS_ADDRESS,
}: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { PATH, XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS };
}

function nodeOptions({ reads, writes, looksAround = false }: Place): readonly string[] {
  const model = process.allowedNodeEnvironmentFlags.has("--permission") ? "--permission" : "--experimental-permission";
  const readable = [...own(), ...reads, writes];
  return [
    model,
    ...(looksAround ? ["--allow-fs-read=*"] : readable.map((path) => `--allow-fs-read=${withAll(path)}`)),
    // Not all of /proc: another process's environment is there.
    "--allow-fs-read=/proc/thread-self/schedstat",
    `--allow-fs-write=${withAll(writes)}`,
    "--disallow-code-generation-from-strings",
    "--disable-proto=delete",
    "--no-warnings",
    `--stack-size=${STACK_KB - OWN_STACK_KB}`,
  ];
}

/** A folder, and all below it. */
function withAll(path: string): string {
  return join(path, "*");
}

function own(): readonly string[] {
  return [ROOT, ...PACKAGES];
}

function* packageFolders(): Generator<string> {
  for (let at = ROOT; ; at = dirname(at)) {
    try {
      yield realpathSync(join(at, "node_modules"));
    } catch {
      // There is none.
    }
    if (dirname(at) === at) return;
  }
}

/** By the shell's own ulimit, which every system has: what it says holds for what it becomes. Where less is allowed, less is there. */
function limited(words: readonly string[]): readonly string[] {
  const limits = [
    ["c", 0],
    ["d", MEMORY_BYTES / KB],
    ["f", FILE_BYTES / BLOCK],
    ["s", STACK_KB],
  ] as const;
  const set = limits.map(([name, value]) => `ulimit -${name} ${value} || exit 97`).join("; ");
  return ["/bin/sh", "-c", `${set}; exec env -i "$@"`, "sh", ...words];
}

function bubblewrapped(words: readonly string[], { reads, writes }: Place): readonly string[] {
  const seen = [...SYSTEM, process.execPath, ...own(), ...reads];
  return [
    "bwrap",
    ...["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"],
    ...["--tmpfs", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"],
    ...seen.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--bind", writes, writes, "--chdir", writes],
    ...["--remount-ro", "/", "--", ...words],
  ];
}

function inScope(words: readonly string[]): readonly string[] {
  const limits = [`MemoryMax=${MEMORY_BYTES}`, "MemorySwapMax=0", `TasksMax=${MOST_TASKS}`];
  return ["systemd-run", "--user", "--scope", "--quiet", ...limits.flatMap((limit) => ["-p", limit]), "--", ...words];
}
