// `--confirm`: a finding's witness is run by the native program, as it was when it was recorded, in a directory of its own: started directly
// with its words, variables and files, never through a shell. A crash confirms the finding natively; anything else says nothing against
// it, since native code survives most of what the VM sees. A build of the program with a sanitizer sees nearly as much: one that the user names, or
// one that is made for it (cli/asan-build.ts). "Survives" is said only of a program that ran, with all its files, to its own end.
// What is executed is named by the user or was recorded on this machine, with a test and an input that were made here: seeds
// and results may come with a repository, and neither what those name as the program nor their arguments are anybody's wish.

import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Invocation } from "../inputs/invocation.js";
import { BlobStore } from "../project/blob-store.js";
import { contentHash } from "../project/content-hash.js";
import { invocationWith } from "../project/invocation-test.js";
import { isInputOurs, isSeedOurs } from "../project/made-here.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { invocationOf } from "../project/seed-test.js";
import { recordedProgram } from "../project/stand-ins.js";
import type { ProjectState } from "../project/state-folder.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { literalChanges } from "../report/changed-source.js";
import { testOfFinding } from "../report/finding-test.js";
import { isReportOf, reportInWords, sanitizerReports } from "./sanitizer-report.js";
import { removeStaged, stageInvocation } from "./stage-invocation.js";
import { startNatively } from "./start-natively.js";

const TIMEOUT_MS = 10_000;
/** What a bug makes of a process; being killed by us, or by a closed pipe, says nothing. */
export const CRASHES: readonly string[] = ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS"];

export interface NativeConfirmation {
  /** "not-run": nothing was executed, so nothing is known. */
  readonly kind: "run" | "not-run";
  readonly level: ResultFinding["confirmed"];
  /** For people. */
  readonly words: string;
}

export type SanitizedProgram =
  /** `from`, `to`: the copy that was recorded, and the one with the sanitizer. */
  | {
      readonly kind: "program";
      readonly path: string;
      readonly from: string;
      readonly to: string;
      /** How it was built, for people. */
      readonly command: string;
    }
  | { readonly kind: "none"; readonly why: string };

export interface NativeChoices {
  /** Run this program and no other, whatever its name. */
  readonly instead: string | null;
  /** Builds of the programs with a sanitizer, by path; the one with the program's name is run before the program. */
  readonly sanitized: readonly string[];
  /** The build that was made for this, of a program by its recorded path; null: none was asked for. */
  readonly asan?: ((program: string) => SanitizedProgram) | null;
  readonly timeoutMs?: number;
}

export function confirmNatively(
  folder: ProjectFolder,
  state: ProjectState,
  finding: ResultFinding,
  { instead, sanitized, asan = null, timeoutMs = TIMEOUT_MS }: NativeChoices,
  env: NodeJS.ProcessEnv,
): NativeConfirmation {
  const found = testOfFinding(folder, finding);
  if (found.kind === "gone") return notRun(found.message);
  const { seed, witness } = found;
  if (!isSeedOurs(state, seed) || !isInputOurs(state, finding)) {
    return notRun(`its test was not recorded, or its input not found, on this machine; \`tangent test\` does both`);
  }
  if (literalChanges(finding).length > 0) return notRun(LITERALS_CHANGED);
  const made = invocationOf(seed, new BlobStore(folder));
  if (made.kind === "broken") return notRun(made.problem);
  const invocation = invocationWith(made.invocation, witness);
  const run = (program: string, libraries = (text: string): string => text): NativeRun =>
    runWitness(invocation, folder.root, { program, libraries, timeoutMs }, env);
  if (instead !== null) return judged(run(resolve(instead)), instead, finding, folder.root);
  const before: string[] = [];
  const other = sanitized.find((path) => isBuildOf(path, seed.program)) ?? null;
  if (other !== null) {
    const first = judged(run(resolve(other)), other, finding, folder.root);
    if (first.level !== "vm") return first;
    before.push(first.kind === "not-run" ? `${other} could not be run (${first.why})` : first.words);
  }
  const special = asan?.(seed.program) ?? null;
  if (special?.kind === "none") before.push(`no AddressSanitizer: ${special.why}`);
  if (special?.kind === "program") {
    const moved = (text: string): string => text.replaceAll(special.from, special.to);
    const seen = judged(run(special.path, moved), MADE, finding, folder.root);
    if (seen.level !== "vm") return seen;
    if (seen.kind === "not-run") before.push(`the build with AddressSanitizer could not be run: ${seen.why}`);
    else before.push(seen.why === "" ? `AddressSanitizer does not see it: ${unseenBecause(finding)}` : seen.why);
  }
  const program = programOf(state, seed);
  if (program === null) {
    const what = `${seed.program} as its test names it was not recorded on this machine`;
    return notRun([...before, `${what}; record the tests here`].join("; "));
  }
  const result = judged(run(program), "the program", finding, folder.root);
  return { ...result, words: [...before, result.words].join("; ") };
}

const LITERALS_CHANGED =
  "its input is a literal in the test's source: `tangent report --export DIR` writes the changed test, which must be compiled to run";

/** How the build is called that was made for it. */
const MADE = "its build with AddressSanitizer";
/** How far the redzones of AddressSanitizer reach at least. */
const REDZONE_BYTES = 16;

/** Why a build with AddressSanitizer may see nothing of it. */
export function unseenBecause({ kind, object, stack }: ResultFinding): string {
  if (kind === "uninitialised") return "it does not look for what was never set; valgrind and MemorySanitizer do";
  if (kind === "no-progress") return "it does not look for loops without end";
  if (kind === "argument-overflow") return "it does not watch the ends of arguments and variables of the environment";
  const beyond = object === null ? 0 : Math.max(object.offset - object.size, -object.offset - 1);
  if (beyond >= REDZONE_BYTES) return `the access misses its object by ${beyond} bytes and may land in another one`;
  if (stack[0] !== undefined && stack[0].origin !== "program") {
    return `it happens in ${stack[0].function} of libc, which is not compiled with it`;
  }
  return "that build, with another libc and layout of memory, goes on with this input";
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
  const program = instead === null ? programOf(state, seed) : resolve(instead);
  if (program === null) return { kind: "not-run", why: `${seed.program} was not kept on this machine` };
  const how = { program, libraries: (text: string) => text, timeoutMs: timeoutMs ?? TIMEOUT_MS };
  const { problem, status, signal, output } = runWitness(made.invocation, folder.root, how, env);
  return problem === null ? { kind: "run", status, signal, output } : { kind: "not-run", why: problem };
}

/**
 * As it was recorded here: the copy with the libraries that were kept beside it, or, without such, the program in its place if it is still
 * the same: there it finds what it looks for by its own place.
 */
export function programOf(state: ProjectState, seed: Seed): string | null {
  const kept = recordedProgram(state, seed);
  if (kept === null || hasLibraries(dirname(kept))) return kept;
  return contentHash(seed.program) === contentHash(kept) ? seed.program : kept;
}

export function hasLibraries(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => /\.so(\.|$)/.test(name));
  } catch {
    return false;
  }
}

/** Whether the path is that of a build of the program, by its name. */
export function isBuildOf(path: string, program: string): boolean {
  return basename(path) === basename(program);
}

function notRun(why: string): NativeConfirmation & { readonly why: string } {
  return { kind: "not-run", level: "vm", words: `not run natively: ${why}`, why };
}

function judged(
  run: NativeRun,
  name: string,
  finding: ResultFinding,
  root: string,
): NativeConfirmation & { readonly why: string } {
  const { signal, status, output, problem, limit, missing } = run;
  if (problem !== null) return notRun(problem);
  const reports = sanitizerReports(output, root);
  const own = reports.filter((one) => isReportOf(one, finding.stack));
  // AddressSanitizer has the better words, but for signals.
  const report = own.find(({ tool, kind }) => tool === "AddressSanitizer" && !/^[A-Z]+$/.test(kind)) ?? own[0];
  if (report !== undefined) {
    const words = `${reportInWords(report)}${name === MADE ? "" : ` (${name})`}`;
    return { kind: "run", level: "sanitizer", words, why: "" };
  }
  if (signal !== null && CRASHES.includes(signal)) {
    return { kind: "run", level: "native", words: `${name} dies of ${signal}`, why: "" };
  }
  const unloadable = status === LOADER_STATUS ? LOADER_TROUBLE.exec(output) : null;
  if (unloadable !== null) return notRun(`${name} cannot be loaded: ${unloadable[1]}`);
  if (missing !== null) return notRun(`its files could not all be laid out (${missing})`);
  const survived = (words: string): NativeConfirmation & { readonly why: string } => {
    return { kind: "run", level: "vm", words: `natively ${name} ${words}`, why: "" };
  };
  if (limit !== null) return survived(`${limit}, and was stopped`);
  const other = reports.at(-1);
  if (other !== undefined) {
    const words = `${reportInWords(other)} in ${name}, which is another matter`;
    return { kind: "run", level: "vm", words, why: words };
  }
  if (signal !== null) return survived(`was ended by ${signal}, which says nothing`);
  return survived(`survives it (status ${status})`);
}

/** Of the dynamic loader, which then has not started the program at all. */
const LOADER_STATUS = 127;
const LOADER_TROUBLE = /error while loading shared libraries: ([^\n]+)/;

interface NativeRun {
  readonly signal: NodeJS.Signals | null;
  readonly status: number | null;
  readonly output: string;
  /** Why it was not started. */
  readonly problem: string | null;
  /** What it did without end. */
  readonly limit: string | null;
  /** What of its files is not there. */
  readonly missing: string | null;
}

interface HowToRun {
  readonly program: string;
  /** From where its libraries were recorded to where they are. */
  readonly libraries: (text: string) => string;
  readonly timeoutMs: number;
}

function runWitness(
  invocation: Invocation,
  root: string,
  { program, libraries, timeoutMs }: HowToRun,
  env: NodeJS.ProcessEnv,
): NativeRun {
  const scratch = mkdtempSync(join(tmpdir(), "tangent-confirm-"));
  try {
    const staged = stageInvocation(invocation, scratch, root);
    const { name, words, environment, directory, stdin, stdinKind, outputs, umask, notes } = staged;
    // The test was recorded here, so that its libraries are those of the machine.
    const path = invocation.environment
      .find((variable) => variable.startsWith(LIBRARY_PATH))
      ?.slice(LIBRARY_PATH.length);
    const folders = [
      ...(hasLibraries(dirname(program)) ? [dirname(program)] : []),
      ...(path === undefined ? [] : [libraries(Buffer.from(path, "latin1").toString())]),
    ];
    const settings = [
      ...[`TMPDIR=${scratch}`, `HOME=${scratch}`, `ASAN_OPTIONS=${ASAN_OPTIONS}`, "UBSAN_OPTIONS=print_stacktrace=0"],
      ...(folders.length === 0 ? [] : [`${LIBRARY_PATH}${folders.join(":")}`]),
    ];
    const streams = { stdin, stdinKind, outputs };
    const start = { program, name, words, environment, settings, directory, ...streams, umask, timeoutMs };
    const result = startNatively(start, env);
    const missing = notes[0] ?? null;
    const nothing = { signal: null, status: null, output: "", problem: null, limit: null, missing };
    switch (result.kind) {
      case "exit":
        return { ...nothing, status: result.status, output: result.output };
      case "signal":
        return { ...nothing, signal: result.signal, output: result.output };
      case "limit": {
        const limit = result.limit === "time" ? `did not end within ${timeoutMs / 1000} s` : "printed without end";
        return { ...nothing, limit, output: result.output };
      }
      case "not-run":
        return { ...nothing, problem: result.message };
    }
  } finally {
    removeStaged(scratch);
  }
}

const LIBRARY_PATH = "LD_LIBRARY_PATH=";
const ASAN_OPTIONS = "detect_leaks=0:abort_on_error=0:detect_stack_use_after_return=1:allocator_may_return_null=1";
