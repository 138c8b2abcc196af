// `--confirm`: a finding's witness is run by the native program, as it was when it was recorded, in a directory of its own. A
// crash confirms the finding natively; anything else says nothing against it, since native code survives most of what the
// VM sees. A build of the program with a sanitizer, if the user has one, sees nearly as much.
// What is executed is named by the user or was recorded on this machine, with a test and an input that were made here: seeds
// and results may come with a repository, and neither what those name as the program nor their arguments are anybody's wish.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Invocation } from "../inputs/invocation.js";
import { BlobStore } from "../project/blob-store.js";
import { invocationWith } from "../project/invocation-test.js";
import { isInputOurs, isSeedOurs } from "../project/made-here.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { invocationOf } from "../project/seed-test.js";
import { recordedProgram } from "../project/stand-ins.js";
import type { ProjectState } from "../project/state-folder.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { testOfFinding } from "../report/finding-test.js";
import { removeStaged, stageInvocation } from "./stage-invocation.js";
import { startNatively } from "./start-natively.js";

const TIMEOUT_MS = 10_000;
/** What a bug makes of a process; being killed by us, or by a closed pipe, says nothing. */
const CRASHES: readonly string[] = ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS"];
/** What sanitizers end with, and what they print. */
const SANITIZER = /(AddressSanitizer|UndefinedBehaviorSanitizer|MemorySanitizer|LeakSanitizer|runtime error):/;

export interface NativeConfirmation {
  /** "not-run": nothing was executed, so nothing is known. */
  readonly kind: "run" | "not-run";
  readonly level: ResultFinding["confirmed"];
  /** For people. */
  readonly words: string;
}

export interface NativeChoices {
  /** Run this program and no other, whatever its name. */
  readonly instead: string | null;
  /** Builds of the programs with a sanitizer, by path; the one with the program's name is run before the program. */
  readonly sanitized: readonly string[];
  readonly timeoutMs?: number;
}

export function confirmNatively(
  folder: ProjectFolder,
  state: ProjectState,
  finding: ResultFinding,
  { instead, sanitized, timeoutMs = TIMEOUT_MS }: NativeChoices,
  env: NodeJS.ProcessEnv,
): NativeConfirmation {
  const found = testOfFinding(folder, finding);
  if (found.kind === "gone") return notRun(found.message);
  const { seed, witness } = found;
  if (!isSeedOurs(state, seed) || !isInputOurs(state, finding)) {
    return notRun(`its test was not recorded, or its input not found, on this machine; \`tangent test\` does both`);
  }
  const made = invocationOf(seed, new BlobStore(folder));
  if (made.kind === "broken") return notRun(made.problem);
  const invocation = invocationWith(made.invocation, witness);
  const run = (program: string): NativeRun => runWitness(invocation, folder.root, program, timeoutMs, env);
  if (instead !== null) return judged(run(resolve(instead)), instead);
  const other = sanitized.find((path) => isBuildOf(path, seed.program)) ?? null;
  let before = "";
  if (other !== null) {
    const first = run(resolve(other));
    const { level } = judged(first, other);
    if (level !== "vm") return judged(first, other);
    if (first.problem !== null) before = `${other} could not be run (${first.problem}); `;
  }
  const program = recordedProgram(state, seed);
  if (program === null) {
    const what = `${seed.program} as its test names it was not recorded on this machine`;
    return notRun(`${before}${what}; record the tests here`);
  }
  const result = judged(run(program), "the program");
  return { ...result, words: `${before}${result.words}` };
}

export type SeedNatively =
  | { readonly kind: "run"; readonly status: number | null; readonly signal: string | null; readonly output: string }
  | { readonly kind: "not-run"; readonly why: string };

/** A seed as it is, by the same rules: of this machine, in a directory of its own. */
export function runSeedNatively(
  folder: ProjectFolder,
  state: ProjectState,
  seed: Seed,
  { instead, timeoutMs }: { readonly instead: string | null; readonly timeoutMs: number | null },
  env: NodeJS.ProcessEnv,
): SeedNatively {
  if (!isSeedOurs(state, seed)) {
    return { kind: "not-run", why: "it was not made on this machine out of tests that were recorded on it" };
  }
  const made = invocationOf(seed, new BlobStore(folder));
  if (made.kind === "broken") return { kind: "not-run", why: made.problem };
  const program = instead === null ? recordedProgram(state, seed) : resolve(instead);
  if (program === null) return { kind: "not-run", why: `${seed.program} was not kept on this machine` };
  const { problem, ...run } = runWitness(made.invocation, folder.root, program, timeoutMs ?? TIMEOUT_MS, env);
  return problem === null ? { kind: "run", ...run } : { kind: "not-run", why: problem };
}

/** Whether the path is that of a build of the program, by its name. */
export function isBuildOf(path: string, program: string): boolean {
  return basename(path) === basename(program);
}

function notRun(why: string): NativeConfirmation {
  return { kind: "not-run", level: "vm", words: `not run natively: ${why}` };
}

function judged({ signal, status, output, problem }: NativeRun, name: string): NativeConfirmation {
  if (problem !== null) return notRun(problem);
  const report = SANITIZER.exec(output);
  if (report !== null) return { kind: "run", level: "sanitizer", words: `${report[1]} sees it in ${name}` };
  if (signal !== null) return { kind: "run", level: "native", words: `${name} dies of ${signal}` };
  const how = status === null ? "" : ` (status ${status})`;
  return { kind: "run", level: "vm", words: `natively ${name} survives it${how}` };
}

interface NativeRun {
  readonly signal: string | null;
  readonly status: number | null;
  readonly output: string;
  readonly problem: string | null;
}

function runWitness(
  invocation: Invocation,
  root: string,
  program: string,
  timeoutMs: number,
  env: NodeJS.ProcessEnv,
): NativeRun {
  const scratch = mkdtempSync(join(tmpdir(), "tangent-confirm-"));
  try {
    const { words, environment, directory, stdin } = stageInvocation(invocation, scratch, root);
    const settings = [`TMPDIR=${scratch}`, `HOME=${scratch}`, "ASAN_OPTIONS=detect_leaks=0:abort_on_error=0"];
    const result = startNatively({ program, words, environment, settings, directory, stdin, timeoutMs }, env);
    const nothing = { signal: null, status: null, output: "", problem: null };
    switch (result.kind) {
      case "exit":
        return { ...nothing, status: result.status, output: result.output };
      case "signal":
        return { ...nothing, signal: CRASHES.includes(result.signal) ? result.signal : null, output: result.output };
      case "limit":
        return { ...nothing, output: result.output };
      case "not-run":
        return { ...nothing, problem: result.message };
    }
  } finally {
    removeStaged(scratch);
  }
}
