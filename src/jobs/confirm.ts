// `--confirm`: a finding's witness is run by the native program, as it was when it was recorded, in a directory of its own. A
// crash confirms the finding natively; anything else says nothing against it, since native code survives most of what the
// VM sees. A build of the program with a sanitizer, if the user has one, sees nearly as much.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { testOfFinding } from "../report/finding-test.js";
import { quoted } from "../report/shell-words.js";
import { renderScript, witnessFiles } from "../report/witness-script.js";

const TIMEOUT_MS = 10_000;
/** What a bug makes of a process; being killed by us, or by a closed pipe, says nothing. */
const CRASHES = ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS"] as const;
/** What sanitizers end with, and what they print. */
const SANITIZER = /(AddressSanitizer|UndefinedBehaviorSanitizer|MemorySanitizer|LeakSanitizer|runtime error):/;

export interface NativeConfirmation {
  readonly level: ResultFinding["confirmed"];
  /** For people. */
  readonly words: string;
}

/** `sanitized`: builds of the programs with a sanitizer, by path; the one with the program's name is taken. */
export function confirmNatively(
  folder: ProjectFolder,
  finding: ResultFinding,
  sanitized: readonly string[],
): NativeConfirmation {
  const found = testOfFinding(folder, finding);
  if (found.kind === "gone") return { level: "vm", words: `not run natively: ${found.message}` };
  const { seed, test, witness } = found;
  const run = (program: string): NativeRun =>
    runScript(witnessFiles(test, witness), test.workingDirectory, program, seed);
  const other =
    sanitized.map((path) => resolve(path)).find((path) => basename(path) === basename(seed.program)) ?? null;
  if (other !== null) {
    const { signal, output } = run(other);
    const report = SANITIZER.exec(output);
    if (report !== null) return { level: "sanitizer", words: `${report[1]} sees it in ${other}` };
    if (signal !== null) return { level: "native", words: `${other} dies of ${signal}` };
  }
  const program = keptProgram(folder, seed);
  if (program === null) return { level: "vm", words: `not run natively: ${seed.program} is no longer there` };
  const { signal, status } = run(program);
  if (signal !== null) return { level: "native", words: `the program dies of ${signal}` };
  return { level: "vm", words: `natively the program survives it${status === null ? "" : ` (status ${status})`}` };
}

/** The program as it was when it was recorded, else where it is now. */
export function keptProgram(folder: ProjectFolder, { program, programContent }: Seed): string | null {
  const kept = join(folder.path, "real", programContent.slice(0, 16), basename(program));
  return existsSync(kept) ? kept : existsSync(program) ? program : null;
}

interface NativeRun {
  readonly signal: string | null;
  readonly status: number | null;
  readonly output: string;
}

function runScript(
  files: ReturnType<typeof witnessFiles>,
  workingDirectory: string,
  program: string,
  seed: Seed,
): NativeRun {
  const scratch = mkdtempSync(join(tmpdir(), "tangent-confirm-"));
  try {
    const script = renderScript(files, workingDirectory, {
      head: ["#!/bin/sh", "ulimit -c 0", `TMPDIR=${quoted(scratch)}; export TMPDIR`, `program=${quoted(program)}`],
      start: '"$program"',
      tail: ['exit "$status"'],
      dataFolder: "data",
    });
    mkdirSync(join(scratch, "data"));
    for (const { name, bytes } of script.data) writeFileSync(join(scratch, "data", name), bytes);
    const path = join(scratch, "run.sh");
    writeFileSync(path, script.text);
    const env: NodeJS.ProcessEnv = {};
    for (const variable of seed.environment) {
      const at = variable.indexOf("=");
      if (at > 0) env[variable.slice(0, at)] = Buffer.from(variable.slice(at + 1), "latin1").toString("utf8");
    }
    const result = spawnSync("/bin/sh", [path], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
      env: { ...env, HOME: scratch, ASAN_OPTIONS: "detect_leaks=0:abort_on_error=0" },
      maxBuffer: 1 << 26,
      cwd: scratch,
    });
    // The script is a shell: it tells its child's signal by its status.
    const signal = CRASHES.find((name) => result.status === 128 + constants.signals[name]) ?? null;
    return { signal, status: result.status, output: `${result.stdout ?? ""}${result.stderr ?? ""}` };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
