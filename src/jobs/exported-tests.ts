// Exports are run before they are written. A test of a changed line expects what its own script gave natively, two times, on another
// day of another place; a regression test has to fail. What cannot be made so is not written, and told with the reason.
// Natively runs only what `--confirm` would run: a program that was recorded on this machine, with a test recorded and an input found
// here. All others run in tangent's machine.

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { isInputOurs, isSeedOurs } from "../project/made-here.js";
import type { ProjectFolder } from "../project/project-folder.js";
import { sameProgram } from "../project/stand-ins.js";
import type { ProjectState } from "../project/state-folder.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { type ExpectedRun, expectedInMachine, expectedRun, type ScriptOutput } from "../report/expected-run.js";
import { type FindingTest, seedWithId } from "../report/finding-test.js";
import type { ShownPath } from "../report/finding-view.js";
import {
  foundInputOf,
  type PatchCheck,
  type PatchExportStyle,
  patchTests,
  renderPatchTest,
} from "../report/patch-export.js";
import { layoutOf } from "../report/patch-layout.js";
import type { PatchCampaignResult, PatchInput } from "../report/patch-result.js";
import { type ExportKind, regressionName, regressionTest } from "../report/regression-test.js";
import type { WitnessScript } from "../report/witness-script.js";
import { hasLibraries, programOf } from "./confirm.js";
import { runScript, type ScriptEnd, type ScriptFiles } from "./run-script.js";

const LAUNCHER = fileURLToPath(new URL("../../../bin/tangent", import.meta.url));
/** Times that are printed in seconds are others then. */
const APART_MS = 1100;
/** What a shell says of a process that a signal ended. */
const FIRST_SIGNAL = 128;

export interface ExportedTests {
  readonly scripts: readonly { readonly name: string; readonly text: string }[];
  /** What is not written, and why. */
  readonly left: readonly LeftTest[];
}

export interface LeftTest {
  readonly name: string;
  readonly why: string;
}

export interface ExportGround {
  readonly folder: ProjectFolder;
  readonly state: ProjectState;
  readonly env: NodeJS.ProcessEnv;
}

/** How a program runs for a test. */
interface Runner {
  readonly native: boolean;
  readonly program: string;
}

type Test = ReturnType<typeof patchTests>[number];

/** Of inputs that reach changed code. */
export function exportedPatchTests(
  ground: ExportGround,
  result: PatchCampaignResult,
  style: PatchExportStyle,
): ExportedTests {
  const scripts: { name: string; text: string }[] = [];
  const left: LeftTest[] = [];
  const leave = ({ name }: Test, why: string): null => {
    left.push({ name, why });
    return null;
  };
  const run = ({ input, targets }: Test, { runner, check, as, at }: PatchRun): ScriptEnd => {
    const text = renderPatchTest(input, targets, result, { style: as, native: runner.native, check });
    return started(ground, { text }, runner, at);
  };
  const probe = (test: Test, runner: Runner, at: Place): Probe =>
    runner.native ? outputOf(run(test, { runner, check: { kind: "observe" }, as: "shell", at })) : null;
  const begun = patchTests(result).map((test) => {
    const runner = runnerOf(ground, test.input);
    if (typeof runner === "string") return leave(test, runner);
    const first = probe(test, runner, "near");
    const why = typeof first === "string" ? first : reasonNotTo(test.input, first);
    return why === null ? { test, runner, first, atMs: performance.now() } : leave(test, why);
  });
  for (const one of begun) {
    if (one === null) continue;
    const { test, runner, first, atMs } = one;
    if (runner.native) sleep(APART_MS - (performance.now() - atMs));
    const expected = expectedOf(test.input, first, probe(test, runner, "far"));
    if (typeof expected === "string") leave(test, expected);
    else {
      const check = { kind: "expect", run: expected } as const;
      const end = run(test, { runner, check, as: style, at: "far" });
      const isPassed = end.kind === "ended" && end.status === 0 && !/^not ok /m.test(end.output);
      const { input, targets, name } = test;
      if (!isPassed) leave(test, endInWords(end, "it does not pass"));
      else
        scripts.push({ name, text: renderPatchTest(input, targets, result, { style, native: runner.native, check }) });
    }
  }
  return { scripts, left };
}

interface PatchRun {
  readonly runner: Runner;
  readonly check: PatchCheck;
  readonly as: PatchExportStyle;
  readonly at: Place;
}

/** Null: it is not run natively. */
type Probe = ScriptOutput | string | null;

function outputOf(end: ScriptEnd): Probe {
  if (end.kind !== "ended" || end.status !== 0) return endInWords(end, "its files could not be laid out");
  const { status, stdout, stderr } = end.observed;
  return { status: Number(status), stdout, stderr };
}

function expectedOf(input: PatchInput, first: Probe, second: Probe): ExpectedRun | string {
  const { observed } = input;
  if (typeof second === "string") return second;
  if (first !== null && typeof first !== "string" && second !== null) {
    if (first.status !== second.status) return "natively its exit status is not the same each time";
    return expectedRun([first, second], observed);
  }
  const expected = observed === undefined ? null : expectedInMachine(observed, layoutOf(input).base);
  return expected ?? "nobody has looked at what the program does with it";
}

/** Why a test of this input would be none, or null. */
function reasonNotTo({ observed, end }: PatchInput, native: ScriptOutput | null): string | null {
  if (observed?.how === "finding" || observed?.how === "signal") {
    return `the program fails with it (${end}), which the test of that finding shows`;
  }
  if (native === null) return null;
  if (native.status >= FIRST_SIGNAL && native.status !== observed?.status) {
    return `natively the program is ended by a signal (status ${native.status})`;
  }
  // What was refused in the machine is done natively.
  if (observed === undefined || observed.status === null || observed.isRefused === true) return null;
  if (native.status === observed.status) return null;
  const both = `natively it ends with status ${native.status}, in tangent's machine with ${observed.status}`;
  return `${both}: nobody can say that it gets there`;
}

/** Or why there is none. */
function runnerOf(ground: ExportGround, input: PatchInput): Runner | string {
  const { folder, state } = ground;
  const recorded = seedWithId(folder, input.seedId);
  const isOurs = recorded !== null && isSeedOurs(state, recorded) && isInputOurs(state, foundInputOf(input));
  const made = isOurs ? seedWithId(folder, input.id) : null;
  const native = made === null ? null : programOf(state, made);
  if (native !== null) return { native: true, program: native };
  return isOurs || !existsSync(input.program) ? GONE : { native: false, program: input.program };
}

const GONE = "the program that it was made with is no longer there; build and record again";

type SeedTest = Extract<FindingTest, { readonly kind: "test" }>;

/** A finding as a test that fails: natively if it does, else in tangent's machine. */
export function exportedRegression(
  ground: ExportGround,
  finding: ResultFinding,
  test: SeedTest,
  kind: ExportKind,
  shown: ShownPath,
): WitnessScript | LeftTest {
  const { folder, state } = ground;
  const { seed } = test;
  const isOurs = isSeedOurs(state, seed) && isInputOurs(state, finding);
  const name = `${regressionName(finding)}.sh`;
  const native = isOurs && !NEVER_NATIVE.has(finding.kind) ? programOf(state, seed) : null;
  const machine = sameProgram(state, seed);
  let why = GONE;
  for (const runs of ["natively", "sanitized", "in the machine"] as const) {
    if (runs === "sanitized" && !isOurs) continue;
    const program = runs === "natively" ? native : machine;
    if (program === null) continue;
    const script = regressionTest(finding, test, folder.root, { kind, shown, runs });
    const beside = script.data.map(({ name: part, bytes }) => ({
      name: `${regressionName(finding)}.data/${part}`,
      bytes,
    }));
    const runner = { native: runs === "natively", program };
    const end = started(ground, { text: script.text, beside }, runner, "near");
    if (end.kind === "ended" && end.status === FAILED && end.output.includes("FAILED")) return script;
    why = endInWords(end, "it does not fail");
  }
  return { name, why };
}

/** Their programs go on, or go on for ever. */
const NEVER_NATIVE: ReadonlySet<string> = new Set(["no-progress", "uninitialised"]);
const FAILED = 1;

/** A test runs two times: what depends on the length of a name, or on where its reader is, is another in the second. */
type Place = "near" | "far";
const PLACES = {
  near: { place: "t", settings: { TZ: "UTC0" } },
  far: { place: "a-place-with-a-longer-name", settings: { TZ: "FAR-13:37" } },
} as const;

function started({ folder, env }: ExportGround, files: ScriptFiles, { native, program }: Runner, at: Place): ScriptEnd {
  const { place, settings } = PLACES[at];
  const libraries = native && hasLibraries(dirname(program)) ? { LD_LIBRARY_PATH: dirname(program) } : {};
  const own = native ? { ...settings, ...libraries } : { ...env, TMPDIR: undefined, TANGENT: LAUNCHER };
  return runScript(files, { directory: folder.root, settings: { ...own, PROGRAM: program }, place }, env);
}

function endInWords(end: ScriptEnd, otherwise: string): string {
  switch (end.kind) {
    case "limit":
      return `natively it ${end.words}`;
    case "not-run":
      return `it could not be run: ${end.why}`;
    case "ended": {
      const lines = end.output.split("\n").filter((line) => line !== "");
      return `${otherwise} (status ${end.status})${lines.length === 0 ? "" : `: ${lines[lines.length - 1].slice(0, 200)}`}`;
    }
  }
}

function sleep(milliseconds: number): void {
  if (milliseconds > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
