// AFL++ on a bug of the bed. It runs the program as it is, natively: with the rights of nobody, in a folder of its own and with no
// commands in its path, because a shell or an interpreter among the programs does what its input says.

import { spawnSync } from "node:child_process";
import { chownSync, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type DeepBug, nativeFrames } from "./bug.js";
import type { Sighting, Start, ToolSetup } from "./tools.js";

const NOBODY = 65534;
const AS_NOBODY = [
  "/usr/bin/setpriv",
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  "--clear-groups",
  "--no-new-privs",
  "--",
];
const NO_PATH = "/nonexistent";
/** Crashes that are alike come in hundreds. */
const MOST_CRASHES = 300;
const CRASH_TIMEOUT_MS = 20_000;

export function aflCommand({ bug, scratch, randomSeed }: ToolSetup): Pick<Start, "command" | "folder" | "env"> {
  const folder = runFolder(bug, scratch, "afl-run");
  const corpus = join(scratch, "corpus");
  cpSync(join(bug.directory, "src", bug.corpus), corpus, { recursive: true });
  const output = join(scratch, "afl-out");
  mkdirSync(output);
  for (const path of [scratch, output]) chownSync(path, NOBODY, NOBODY);
  const words = ["-i", corpus, "-o", output, "-m", "none", "-t", "1000+", "-s", `${randomSeed}`];
  const program = [join(bug.directory, "afl", bug.program), ...bug.arguments];
  return {
    command: [...AS_NOBODY, "/usr/bin/afl-fuzz", ...words, "--", ...program],
    folder,
    env: {
      PATH: NO_PATH,
      HOME: folder,
      LC_ALL: "C",
      AFL_PATH: "/usr/lib/afl",
      AFL_NO_UI: "1",
      AFL_NO_AFFINITY: "1",
      AFL_SKIP_CPUFREQ: "1",
      AFL_SKIP_CRASHES: "1",
      AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES: "1",
      ASAN_OPTIONS: "abort_on_error=1:symbolize=0:detect_leaks=0:allocator_may_return_null=1",
    },
  };
}

/** Each crash is run once in the build with AddressSanitizer, which says where it is. */
export class AflCrashes {
  private readonly seen = new Set<string>();
  private readonly sightings: Sighting[] = [];

  constructor(
    private readonly bug: DeepBug,
    private readonly scratch: string,
  ) {}

  look(): readonly Sighting[] {
    const crashes = join(this.scratch, "afl-out", "default", "crashes");
    const names = existsSync(crashes) ? readdirSync(crashes).filter((name) => name.startsWith("id:")) : [];
    for (const name of names.sort()) {
      if (this.seen.has(name) || this.seen.size >= MOST_CRASHES) continue;
      this.seen.add(name);
      const report = runWithAsan(this.bug, join(crashes, name), this.scratch);
      const kind = /ERROR: \w*Sanitizer: ([\w-]+)/.exec(report)?.[1] ?? "crash";
      this.sightings.push({ kind, frames: nativeFrames(report), seconds: secondsOf(name) });
    }
    return this.sightings;
  }
}

/** `id:000000,sig:06,src:000003,time:1234,execs:99,op:havoc`. */
export function secondsOf(name: string): number {
  return Number(/,time:(\d+)/.exec(name)?.[1] ?? 0) / 1000;
}

/** What the build with AddressSanitizer says of an input. */
function runWithAsan(bug: DeepBug, input: string, scratch: string): string {
  const folder = runFolder(bug, scratch, "asan-run");
  const file = join(folder, "the-input");
  copyFileSync(input, file);
  chownSync(file, NOBODY, NOBODY);
  const program = join(bug.directory, "asan", bug.program);
  const takesFile = bug.arguments.includes("@@");
  const words = bug.arguments.map((word) => (word === "@@" ? file : word));
  const [setpriv, ...options] = AS_NOBODY;
  const redirect = takesFile ? "/dev/null" : file;
  const shell = ["/bin/sh", "-c", 'input=$1; shift; exec "$@" < "$input"', "sh", redirect, program, ...words];
  const { stderr } = spawnSync(setpriv, [...options, ...shell], {
    cwd: folder,
    env: { PATH: NO_PATH, HOME: folder, LC_ALL: "C", ASAN_OPTIONS: "detect_leaks=0:allocator_may_return_null=1" },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: CRASH_TIMEOUT_MS,
    killSignal: "SIGKILL",
    maxBuffer: 0x400_0000,
  });
  return stderr?.toString("latin1") ?? "";
}

function runFolder(bug: DeepBug, scratch: string, name: string): string {
  const folder = join(scratch, name);
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(bug.directory, "src", bug.run), folder, { recursive: true });
  chownSync(folder, NOBODY, NOBODY);
  for (const file of readdirSync(folder)) chownSync(join(folder, file), NOBODY, NOBODY);
  return folder;
}
