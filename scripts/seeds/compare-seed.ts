// One recorded test, natively and in the VM, in the same folder: it is laid out in a private folder, run there in the VM (whose writes
// stay in its overlay), then natively, then laid out again and run natively once more. All that can be seen from outside is
// compared: standard output, standard error, exit status or signal, and what lies in the folder afterwards. Nothing is
// normalised: paths, times of files, arguments and variables are the same ones. What two native runs do not agree upon
// decides nothing.

import { mkdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { KINDS } from "../../src/findings/kinds.js";
import type { Invocation } from "../../src/inputs/invocation.js";
import { runOptionsOf } from "../../src/inputs/test-input.js";
import { removeStaged, type StagedInvocation, stageInvocation } from "../../src/jobs/stage-invocation.js";
import { environmentOf, type NativeResult, startNatively } from "../../src/jobs/start-natively.js";
import { testOfInvocation } from "../../src/project/invocation-test.js";
import type { Seed } from "../../src/project/seed.js";
import { TEST_HEAP_BYTES } from "../../src/techniques/test-limits.js";
import { DEFAULT_LIMITS, DEFAULT_OPTIONS, type RunLimits, type RunOptions } from "../../src/vm/run-options.js";
import { signalName } from "../../src/vm/signals.js";
import { type FolderState, folderState, stateDifferences, withChanges } from "./folder-state.js";
import type { VmThread } from "./vm-thread.js";
import type { VmRun } from "./vm-worker.js";

/** What a run in the VM may take; natively two fifths of it. */
export const DEFAULT_LIMIT_MS = 300_000;
const NATIVE_SHARE = 0.4;
/** Long enough that the clock shows another second. */
const PAUSE_MS = 1100;

export interface SeedCase {
  readonly seed: Seed;
  readonly invocation: Invocation;
  /** The program, as it was recorded. */
  readonly program: string;
  /** The project's directory. */
  readonly root: string;
  /** A path that is ours; nothing is there between runs. */
  readonly scratch: string;
  readonly limitMs: number;
}

export interface Difference {
  /** "standard output", "status", "files" ... */
  readonly what: string;
  readonly native: string;
  readonly vm: string;
}

export type Verdict =
  | { readonly kind: "same" }
  /** `refused`: calls for processes and connections that the VM refused. */
  | {
      readonly kind: "different";
      readonly why: string;
      readonly differences: readonly Difference[];
      readonly refused: readonly string[];
    }
  /** The staged test does not end natively as it was recorded. */
  | { readonly kind: "unstaged"; readonly why: string }
  | { readonly kind: "unrepeatable"; readonly why: string }
  /** Only its end was looked at. */
  | { readonly kind: "not-compared" };

export interface ComparedSeed {
  readonly verdict: Verdict;
  /** Whether the test as campaigns run it, with its tree given, ends as it was recorded; null: how it ended is not known. */
  readonly asRecorded: boolean | null;
  /** How it ended then. */
  readonly givenEnd: string;
  readonly recordedEnd: string | null;
}

interface Outcome {
  readonly end: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly files: FolderState;
}

export async function compareSeed(seedCase: SeedCase, thread: VmThread, env: NodeJS.ProcessEnv): Promise<ComparedSeed> {
  const ended = await compareEnd(seedCase, thread);
  return { ...ended, verdict: await verdictOf(seedCase, recordedEnd(seedCase.seed), thread, env) };
}

/** One run in the VM, as campaigns run it; nothing is laid out and nothing run natively. */
export async function compareEnd(
  { seed, invocation, root, limitMs }: SeedCase,
  thread: VmThread,
): Promise<ComparedSeed> {
  const recorded = recordedEnd(seed);
  const given = { ...runOptionsOf(testOfInvocation(invocation, root)), limits: limitsOf(limitMs) };
  const givenRun = await vmRun(thread, given);
  const givenEnd = typeof givenRun === "string" ? givenRun : endOfVm(givenRun, recorded);
  const asRecorded = recorded === null ? null : givenEnd === recorded;
  return { verdict: { kind: "not-compared" }, asRecorded, givenEnd, recordedEnd: recorded };
}

async function verdictOf(
  seedCase: SeedCase,
  recorded: string | null,
  thread: VmThread,
  env: NodeJS.ProcessEnv,
): Promise<Verdict> {
  const now = Date.now();
  try {
    const staged = stage(seedCase, now);
    const before = folderState(seedCase.scratch);
    const run = await vmRun(thread, optionsOf(seedCase, staged));
    const native = runNatively(seedCase, staged, env);
    if (typeof native === "string") return { kind: "unstaged", why: native };
    if (recorded !== null && native.end !== recorded) {
      const note = staged.notes[0] === undefined ? "" : ` (${staged.notes[0]})`;
      return { kind: "unstaged", why: `natively ${native.end}, recorded was ${recorded}${note}` };
    }
    const again = nativelyAgain(seedCase, now, env);
    const unsteady = firstDifference(native, again);
    if (unsteady !== null) return { kind: "unrepeatable", why: unsteady };
    if (typeof run === "string") return { kind: "different", why: run, differences: [], refused: [] };
    const vm: Outcome = {
      end: endOfVm(run, native.end),
      stdout: latin1(run.stdout),
      stderr: latin1(run.stderr),
      files: withChanges(before, run.files, seedCase.scratch),
    };
    const differences = differencesOf(native, vm, seedCase.scratch);
    if (differences.length === 0) return { kind: "same" };
    // Once more, later: what depends on the second in which it runs is no difference.
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    const late = firstDifference(native, nativelyAgain(seedCase, now, env));
    if (late !== null) return { kind: "unrepeatable", why: late };
    return { kind: "different", why: reasonOf(run, differences), differences, refused: refusedBy(run) };
  } finally {
    removeStaged(seedCase.scratch);
  }
}

function limitsOf(milliseconds: number): RunLimits {
  return { ...DEFAULT_LIMITS, milliseconds, heapBytes: TEST_HEAP_BYTES };
}

function stage({ invocation, scratch, root }: SeedCase, now: number): StagedInvocation {
  removeStaged(scratch);
  mkdirSync(scratch, { mode: 0o700 });
  return stageInvocation(invocation, scratch, root, now);
}

/** As `tangent replay --native` sets them. */
function settingsOf(scratch: string): string[] {
  return [`TMPDIR=${scratch}`, `HOME=${scratch}`];
}

function optionsOf({ program, scratch, limitMs }: SeedCase, staged: StagedInvocation): RunOptions {
  const { name, words, environment, directory, stdin, stdinKind, outputs, umask } = staged;
  return {
    ...DEFAULT_OPTIONS,
    arguments: [name, ...words],
    environment: environmentOf({ environment, settings: settingsOf(scratch) }),
    executable: program,
    workingDirectory: directory,
    umask,
    outputs,
    stdin: stdin === null ? new Uint8Array(0) : readFileSync(stdin),
    stdinKind: stdinKind === "closed" ? "closed" : stdin === null ? "null" : stdinKind,
    startTimeMs: Date.now(),
    limits: limitsOf(limitMs),
  };
}

async function vmRun(thread: VmThread, options: RunOptions): Promise<VmRun | string> {
  const ended = await thread.run(options);
  return ended.kind === "ran" ? ended.run : `the VM's thread died: ${ended.message}`;
}

function nativelyAgain(seedCase: SeedCase, now: number, env: NodeJS.ProcessEnv): Outcome | string {
  return runNatively(seedCase, stage(seedCase, now), env);
}

function runNatively(
  { program, scratch, limitMs }: SeedCase,
  { name, words, environment, directory, stdin, stdinKind, outputs, umask }: StagedInvocation,
  env: NodeJS.ProcessEnv,
): Outcome | string {
  const start = {
    program,
    name,
    words,
    environment,
    settings: settingsOf(scratch),
    directory,
    stdin,
    stdinKind,
    outputs,
    umask,
  };
  const result = startNatively({ ...start, timeoutMs: NATIVE_SHARE * limitMs }, env);
  if (result.kind === "not-run") return result.message;
  return {
    end: endOfNative(result),
    stdout: latin1(result.stdout),
    stderr: latin1(result.stderr),
    files: folderState(scratch),
  };
}

function endOfNative(result: Exclude<NativeResult, { readonly kind: "not-run" }>): string {
  switch (result.kind) {
    case "exit":
      return `exit ${result.status}`;
    case "signal":
      return signalName(constants.signals[result.signal]);
    case "limit":
      return `limit ${result.limit}`;
  }
}

function recordedEnd({ end }: Seed): string | null {
  if (end.kind === "unknown") return null;
  return end.kind === "exit" ? `exit ${end.code}` : signalName(end.signal);
}

/** What a detector reports is the signal that the program dies of natively, if it does. */
function endOfVm({ end, finding }: VmRun, native: string | null): string {
  if (finding !== null) {
    const { signal } = KINDS[finding.kind];
    const name = signal === 0 ? "" : signalName(signal);
    return name === native ? name : `finding ${finding.kind} in ${finding.place}: ${finding.message}`;
  }
  switch (end.kind) {
    case "exit":
      return `exit ${end.code}`;
    case "signal":
      return signalName(end.signal);
    case "unsupported":
      return `unsupported: ${end.what} in ${end.functionName}`;
    case "limit":
      return `limit ${end.limit}`;
    default:
      return end.kind;
  }
}

function firstDifference(one: Outcome, two: Outcome | string): string | null {
  if (typeof two === "string") return two;
  if (one.end !== two.end) return `${one.end}, then ${two.end}`;
  if (one.stdout !== two.stdout) return "standard output";
  if (one.stderr !== two.stderr) return "standard error";
  const [entry] = stateDifferences(one.files, two.files);
  return entry === undefined ? null : `the file ${entry.path}`;
}

function differencesOf(native: Outcome, vm: Outcome, scratch: string): Difference[] {
  const differences: Difference[] = [];
  const add = (what: string, one: string, two: string): void => {
    if (one !== two) differences.push({ what, ...shown(one, two) });
  };
  add("end", native.end, vm.end);
  add("standard output", native.stdout, vm.stdout);
  add("standard error", native.stderr, vm.stderr);
  for (const { path, one, two } of stateDifferences(native.files, vm.files)) {
    add(`the file ${path.slice(scratch.length + 1)}`, one ?? "(nothing)", two ?? "(nothing)");
  }
  return differences;
}

const SHOWN = 200;

/** From a little before where they differ. */
function shown(one: string, two: string): Pick<Difference, "native" | "vm"> {
  let at = 0;
  while (at < one.length && one[at] === two[at]) at++;
  const from = at < SHOWN / 4 ? 0 : at - SHOWN / 4;
  return { native: one.slice(from, from + SHOWN), vm: two.slice(from, from + SHOWN) };
}

const PROCESSES = /^(fork|vfork|clone3?|execve|execveat|socket|connect|bind|listen|socketpair)/;

function refusedBy({ denied }: VmRun): string[] {
  return Object.keys(denied).filter((call) => PROCESSES.test(call));
}

function reasonOf(run: VmRun, differences: readonly Difference[]): string {
  const { end, finding, denied } = run;
  const [first] = differences;
  if (first.what === "end" && finding !== null) return `finding ${finding.kind} in ${finding.place}`;
  if (end.kind === "unsupported") return `unsupported: ${end.what}`;
  if (end.kind === "limit") return `limit ${end.limit}`;
  const calls = Object.keys(denied);
  if (calls.length > 0) return `refused: ${calls.join(", ")}`;
  return `other ${first.what.replace(/^the file .*/, "files")}`;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}
