// AFL++ on a bug of the bed. It runs the program as it is, natively and as nobody
// (staged-input.ts says why).

import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DeepBug, nativeFrames } from "./bug.js";
import { AS_NOBODY, giveToNobody, NO_PATH, NOBODY, oneInput, runStaged } from "./staged-input.js";
import type { Sighting, Start, ToolSetup } from "./tools.js";

/** Crashes that are alike come in hundreds. */
const MOST_CRASHES = 300;

export function aflCommand({ bug, scratch, randomSeed }: ToolSetup): Pick<Start, "command" | "folder" | "env"> {
  const folder = join(scratch, "afl-run");
  cpSync(join(bug.directory, "src", bug.run), folder, { recursive: true });
  giveToNobody(folder);
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
      const input = oneInput(this.bug, readFileSync(join(crashes, name)));
      const report = runStaged(this.bug, "asan", input, this.scratch);
      const kind = /ERROR: \w*Sanitizer: ([\w-]+)/.exec(report)?.[1] ?? "crash";
      this.sightings.push({ kind, frames: nativeFrames(report), seconds: secondsOf(name), input });
    }
    return this.sightings;
  }
}

/** `id:000000,sig:06,src:000003,time:1234,execs:99,op:havoc`. */
export function secondsOf(name: string): number {
  return Number(/,time:(\d+)/.exec(name)?.[1] ?? 0) / 1000;
}
