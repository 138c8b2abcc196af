// `tangent unit FUNCTION`: one function of a program, explored with everything it takes symbolic. The work is done in another thread
// (unit-worker.ts); here are the command line, the choice of the program, the screen and the exit status.

import { existsSync, mkdirSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { namesIn } from "../engine/image-names.js";
import { findFunction } from "../engine/unit-description.js";
import type { LinkedProgram } from "../ir/link.js";
import type { IrFunction } from "../ir/module.js";
import { UNIT_COMPILE_OPTIONS } from "../jit/options.js";
import { findProgram } from "../jobs/find-program.js";
import { exploreUnitInThread } from "../jobs/unit-thread.js";
import { loadLinkedProgram } from "../program/load-linked.js";
import type { LoadOptions } from "../program/warm.js";
import { builtFolders } from "../project/built-folders.js";
import { latestSeeds } from "../project/earlier-findings.js";
import { outputFolder, writeOutput } from "../project/output-path.js";
import { programContent } from "../project/program-content.js";
import { findProject, writeSafely } from "../project/project-folder.js";
import { SeedStore } from "../project/seed-store.js";
import { sourceRoots, sourcesBelow } from "../project/sources.js";
import { sameProgram } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import { ProgressLine } from "../report/progress-line.js";
import type { TextOptions } from "../report/text.js";
import { renderUnitC, unitFileName } from "../report/unit-c.js";
import { UnitProgress } from "../report/unit-progress.js";
import { type StartedFailure, type UnitResult, unitResultJson } from "../report/unit-result.js";
import { failureInLine, IN_LINES, MOST_IN_FULL } from "../report/unit-short.js";
import { renderCalls, renderUnit, renderUnitFailure, renderUnitSummary } from "../report/unit-text.js";
import { visible } from "../support/visible-text.js";
import { callFacts } from "../techniques/compose/call-ground.js";
import { ContextGround } from "../techniques/compose/context-ground.js";
import type { StartsEvent } from "../techniques/compose/explore-starts.js";
import type { TestsToSearch } from "../techniques/compose/find-calls.js";
import { DEFAULT_DESCRIBE_OPTIONS, describeUnit, UnitTypes } from "../techniques/unit/describe-unit.js";
import { DEFAULT_UNIT_PLAN, failingLine, type UnitFailure } from "../techniques/unit/explore-unit.js";
import { findUnit, notThere } from "../techniques/unit/find-unit.js";
import type { DescribedUnit } from "../techniques/unit/unit-inputs.js";
import { type CommandContext, defineCommand, USAGE_STATUS } from "./command.js";

import { identitiesIn } from "./finding-identities.js";
import { type TriedUnit, tryUnit } from "./try-unit.js";

const TROUBLE_STATUS = 3;
const INTERRUPTED_STATUS = 130;
/** Each byte costs time at the start of every run. */
const GLOBAL_BYTES = 4096;
const LONGEST_STRING = 4096;
const DEEPEST = 8;
/** For one failure, however short the time is. */
const LEAST_STUDY_MS = 300;

export const command = defineCommand({
  name: "unit",
  summary: "Explore one function with all that it takes symbolic, and say what it fails with",
  description: `Parameters are made by their types in the debug information: numbers are symbolic; a char * is a text of --string characters; a
pointer to numbers an array, as long as a parameter or field that looks like its length may be; a structure has its pointers followed
--depth deep, each of them null or not. Variables of the program are as it begins with them, callees are real.

Where recorded tests call the function, it is first explored in these calls, in the middle of the test's run, where files, heap and
variables are as they really are: with what depends on the program's input free, with other texts, with every number it can reach.

    tangent unit parse_line parse.c
    tangent unit parse_line ./prog --file src/parse.c --string 16 --time 2m
    tangent unit parse_line --stub checksum --export c reproduce

PROG is an executable built by \`tangent cc\`, or .c, .i, .ll or .bc files that make one program; in a project with recorded tests it is the
program of the tests that has the function. For each failure the arguments are shown, and the precondition: what must hold of them,
found by turning the conditions of the path round one by one. A failure of a unit is no bug of the program yet: no caller has been shown
to allow it.

The exit status is 0 if nothing failed, 1 if something did, ${USAGE_STATUS} for a wrong command line: a function or a file that is not there, say,
${TROUBLE_STATUS} if the function could not be explored, ${INTERRUPTED_STATUS} for Ctrl-C before something failed.`,
  options: {
    file: { kind: "value", value: "FILE", help: "the function of this source file, if there are several of the name" },
    program: { kind: "value", value: "PROG", help: "the program, as PROG after the function" },
    time: { kind: "duration", value: "TIME", help: `how long to explore (${DEFAULT_UNIT_PLAN.timeMs / 1000}s)` },
    tests: { kind: "flag", help: "only as recorded tests call it" },
    types: { kind: "flag", help: "only as its types make it" },
    string: {
      kind: "number",
      value: "N",
      least: 1,
      integer: true,
      help: `characters of a text, bytes of memory with a length (${DEFAULT_DESCRIBE_OPTIONS.string})`,
    },
    elements: {
      kind: "number",
      value: "N",
      least: 1,
      integer: true,
      help: `elements of an array of numbers (${DEFAULT_DESCRIBE_OPTIONS.elements})`,
    },
    depth: {
      kind: "number",
      value: "N",
      integer: true,
      help: `how many pointers are followed, one after the other (${DEFAULT_DESCRIBE_OPTIONS.depth})`,
    },
    globals: {
      kind: "flag",
      help: `variables of up to ${GLOBAL_BYTES} bytes are symbolic too, but for their pointers`,
    },
    null: { kind: "flag", help: "parameters that are pointers may be null" },
    stub: { kind: "list", value: "NAME", help: "this function is not called: its result is symbolic" },
    json: { kind: "value", value: "FILE", help: "write the result as JSON (- for standard output)" },
    export: {
      kind: "tuple",
      values: ["c", "DIR"],
      help: "write a C file for each failure that calls the function with its arguments; of sources it is compiled and run before, natively",
    },
    flag: {
      kind: "list",
      short: "X",
      value: "FLAG",
      help: "for .c and .i inputs: pass FLAG to the compiler (-X -DN=3)",
    },
    clang: { kind: "value", value: "PATH", help: "use this clang (15 or later) instead of the bundled one" },
    quiet: { kind: "flag", help: "print failures only" },
  },
  operands: {
    function: { kind: "one", value: "FUNCTION", help: "the function to explore" },
    programs: { kind: "any", value: "PROG", help: "the program it is of: an executable, or sources" },
  },
  async run(options, { function: name, programs }, context) {
    const fail = (message: string, status: number): number => {
      context.error(`tangent unit: ${visible(message)}\n`);
      return status;
    };
    const wrong = wrongChoice(options, programs);
    if (wrong !== null) return fail(`${wrong}. Try \`tangent help unit\`.`, USAGE_STATUS);
    const load: LoadOptions = {
      env: context.env,
      clang: options.clang ?? null,
      flags: options.flag,
      compile: UNIT_COMPILE_OPTIONS,
    };
    const named = options.program === undefined ? programs : [options.program];
    const absent = named.find((path) => !existsSync(path));
    if (absent !== undefined) return fail(`${absent}: no such file`, USAGE_STATUS);
    const located =
      named.length > 0
        ? await locate([named], name, options.file ?? null, load)
        : await locate(recordedPrograms(context), name, options.file ?? null, load);
    if (located.kind === "failed") return fail(located.message, located.status);
    const { inputs, linked, fn } = located;
    for (const note of located.notes) context.error(`tangent unit: note: ${visible(note)}\n`);
    const progress = new ProgressLine(process.stderr);
    const found = await findProgram(inputs, { ...load, onProgress: (update) => progress.update(update) });
    progress.clear();
    if (found.kind === "failed") return fail(found.message, TROUBLE_STATUS);
    const unknown = options.stub.find((stub) => namesIn(found.image()).firstNamed(stub) < 0);
    if (unknown !== undefined) return fail(`--stub: ${notThere(unknown, ownNames(linked))}`, USAGE_STATUS);
    const types = new UnitTypes(linked);
    const describing = {
      string: options.string ?? DEFAULT_DESCRIBE_OPTIONS.string,
      elements: options.elements ?? DEFAULT_DESCRIBE_OPTIONS.elements,
      depth: options.depth ?? DEFAULT_DESCRIBE_OPTIONS.depth,
      null: options.null,
      globalBytes: options.globals ? GLOBAL_BYTES : 0,
      stubs: options.stub,
    };
    const described = describeUnit(linked, found.image(), fn, describing, types);
    if (described.kind === "failed") return fail(described.message, TROUBLE_STATUS);
    const { unit } = described;
    const tests = options.types ? null : testsFor(inputs, unit, new ContextGround(linked, found.image(), null, types));
    if (tests === null && options.tests) return fail(noTests(inputs), TROUBLE_STATUS);
    // A report on standard output is nothing else.
    const print = options.json === "-" ? context.error : context.out;
    if (!options.quiet) print(renderUnit(unit, process.cwd(), !options.tests));
    const timeMs = options.time ?? DEFAULT_UNIT_PLAN.timeMs;
    const studyMs = Math.min(DEFAULT_UNIT_PLAN.studyMs, Math.max(LEAST_STUDY_MS, timeMs / 5));
    const plan = { ...DEFAULT_UNIT_PLAN, timeMs, studyMs };
    const failures: StartedFailure[] = [];
    let isInTests = false;
    const line = new UnitProgress(process.stderr, visible(name), plan.timeMs);
    const text = {
      colour: process.stdout.isTTY === true && !context.env.NO_COLOR,
      relativeTo: process.cwd(),
      readSource: sourcesBelow(inputs.flatMap((input) => sourceRoots(input, process.cwd()))),
    };
    const end = await exploreUnitInThread(
      {
        source: found.source,
        starts: { typed: unit, byTypes: !options.tests, tests, wantsTyped: options.export.length > 0, plan },
      },
      {
        told: (event) => {
          line.clear();
          switch (event.kind) {
            case "calls":
              isInTests = event.calls.length > 0;
              // Without any of them it is an error, or as without tests.
              if (!options.quiet && (isInTests || !options.tests)) {
                print(renderCalls(event.calls, event.testsRun, event.tests));
              }
              return;
            case "failure":
              failures.push({ failure: event.failure, start: event.start, typed: null });
              print(failureText(event, failures.length, isInTests, text));
              return;
            case "again":
              noteTyped(failures, event.failure);
          }
        },
        soFar: (summary) => line.update(summary, failures.length),
        stopping: () => {
          line.clear();
          context.error("tangent: stopping after the current path; Ctrl-C again quits at once\n");
        },
      },
    );
    line.clear();
    if (end.kind === "stopped") return INTERRUPTED_STATUS;
    if (end.kind === "failed") return fail(end.message, TROUBLE_STATUS);
    const { summary } = end;
    if (end.wasEnded) {
      context.error("tangent unit: it did not stop in time and was ended; the numbers are of a moment ago\n");
    }
    const result: UnitResult = { program: inputs.join(" "), unit, failures, summary };
    if (!options.quiet) print(renderUnitSummary(result));
    const identityOf = identitiesIn(found.image(), inputs[0]);
    if (!write({ result, identityOf }, inputs, options, context)) return TROUBLE_STATUS;
    if (failures.length > 0) return 1;
    return summary.reason === "aborted" ? INTERRUPTED_STATUS : 0;
  },
});

interface Choices {
  readonly program: string | undefined;
  readonly string: number | undefined;
  readonly depth: number | undefined;
  readonly tests: boolean;
  readonly types: boolean;
  readonly export: readonly { readonly values: readonly string[] }[];
}

function wrongChoice(choices: Choices, programs: readonly string[]): string | null {
  const { program, string, depth, tests, types, export: exports } = choices;
  if (program !== undefined && programs.length > 0) return "--program and PROG name two programs";
  if (tests && types) return "--tests and --types leave nothing: choose one, or none for both";
  const form = exports.find(({ values }) => values[0] !== "c")?.values[0];
  if (form !== undefined) return `--export writes c, not ${form}: --export c DIR`;
  if ((string ?? 0) > LONGEST_STRING) return `--string is at most ${LONGEST_STRING}`;
  return (depth ?? 0) > DEEPEST ? `--depth is at most ${DEEPEST}` : null;
}

/** The programs of the recorded tests, most tests first. */
function recordedPrograms(context: CommandContext): readonly (readonly string[])[] {
  const folder = findProject(process.cwd());
  const state = new ProjectState(folder.root, context.env);
  const counts = new Map<string, number>();
  for (const seed of latestSeeds(new SeedStore(folder).list())) {
    const program = sameProgram(state, seed);
    if (program !== null) counts.set(program, (counts.get(program) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([program]) => [program]);
}

/** `nth`: from 1, the most real first. */
function failureText(
  { failure, start }: Extract<StartsEvent, { readonly kind: "failure" }>,
  nth: number,
  isInTests: boolean,
  options: TextOptions,
): string {
  const told = isInTests ? start : null;
  if (nth <= MOST_IN_FULL) return renderUnitFailure(failure, told, options);
  return `${nth === MOST_IN_FULL + 1 ? IN_LINES : ""}${failureInLine(failure, told, options.relativeTo)}`;
}

function ownNames({ functions }: LinkedProgram): readonly string[] {
  return functions.flatMap(({ name, module }) => (module.origin === "program" ? [name] : []));
}

/** The recorded tests of the program; null if there are none. */
function testsFor(inputs: readonly string[], unit: DescribedUnit, ground: ContextGround): TestsToSearch | null {
  // Sources are no program that was recorded.
  const content = inputs.length === 1 ? (programContent(resolve(inputs[0]))?.content ?? null) : null;
  const folder = findProject(process.cwd());
  const seeds = content === null ? [] : new SeedStore(folder).list().filter((seed) => seed.programContent === content);
  const target = seeds.length === 0 ? null : findFunction(ground.image, unit.description.function);
  const facts = target === null || "kind" in target ? null : callFacts(ground, target.index);
  return facts === null ? null : { root: folder.root, seeds, facts };
}

function noTests(inputs: readonly string[]): string {
  const what = inputs.length === 1 ? basename(inputs[0]) : "these sources";
  const how = "`tangent record -- make check` records those of programs that `tangent cc` has built";
  return `no test of ${what} is recorded: ${how}; without --tests the function is made by its types`;
}

/** The same line as the types make it fail. */
function noteTyped(failures: StartedFailure[], typed: UnitFailure): void {
  const line = failingLine(typed.finding);
  const at = failures.findIndex(({ failure }) => failingLine(failure.finding) === line);
  if (at >= 0) failures[at] = { ...failures[at], typed };
}

type Located =
  | {
      readonly kind: "located";
      readonly inputs: readonly string[];
      readonly linked: LinkedProgram;
      readonly fn: IrFunction;
      readonly notes: readonly string[];
    }
  | { readonly kind: "failed"; readonly message: string; readonly status: number };

/** The first of the programs that has the function. */
async function locate(
  programs: readonly (readonly string[])[],
  name: string,
  file: string | null,
  load: LoadOptions,
): Promise<Located> {
  if (programs.length === 0) {
    const message =
      "of which program? Name it after the function: an executable built by `tangent cc`, or sources. " +
      "(In a project it is that of the tests, once `tangent record` has recorded some.)";
    return { kind: "failed", message, status: USAGE_STATUS };
  }
  let problem: Located | null = null;
  for (const [n, inputs] of programs.entries()) {
    const progress = new ProgressLine(process.stderr);
    const linked = await loadLinkedProgram(inputs, { ...load, onProgress: (update) => progress.update(update) });
    progress.clear();
    if (linked.kind === "failed") {
      problem ??= { kind: "failed", message: linked.message, status: TROUBLE_STATUS };
      continue;
    }
    const found = findUnit(linked.program, name, file);
    if (found.kind === "found") {
      const rest = programs.length - n - 1;
      const others = `${basename(inputs[0])} is explored; ${rest} more recorded programs were not looked at (--program)`;
      const notes = rest > 0 ? [others] : [];
      return { kind: "located", inputs, linked: linked.program, fn: found.fn, notes };
    }
    problem ??= { kind: "failed", message: found.message, status: USAGE_STATUS };
  }
  return problem ?? { kind: "failed", message: `there is no function ${name}`, status: USAGE_STATUS };
}

/** False if something could not be written, which has been told. */
function write(
  { result, identityOf }: { readonly result: UnitResult; readonly identityOf: ReturnType<typeof identitiesIn> },
  inputs: readonly string[],
  options: { readonly json: string | undefined; readonly export: Choices["export"]; readonly flag: readonly string[] },
  context: CommandContext,
): boolean {
  try {
    const { root } = findProject(process.cwd());
    const json = `${JSON.stringify(unitResultJson(result, identityOf), null, 1)}\n`;
    if (options.json === "-") context.out(json);
    else if (options.json !== undefined) writeOutput(options.json, root, json);
    for (const { values } of options.export) {
      const directory = outputFolder(values[1], root);
      mkdirSync(directory, { recursive: true });
      for (const [n, failure] of result.failures.entries()) {
        const tried = (text: string): TriedUnit => {
          if (result.unit.description.stubs.length > 0) return { kind: "not-tried", words: "functions are replaced" };
          return tryUnit(text, inputs, options.flag, context.env);
        };
        writeC(result.unit, failure, n, directory, tried, context);
      }
    }
    return true;
  } catch (error) {
    context.error(`tangent unit: not everything could be written: ${(error as Error).message}\n`);
    return false;
  }
}

/** What is made by types can be made again in C; what a test has done before a call cannot. */
function writeC(
  unit: DescribedUnit,
  { failure, start, typed }: StartedFailure,
  n: number,
  directory: string,
  tried: (text: string) => TriedUnit,
  context: CommandContext,
): void {
  const written = start.at === null ? failure : typed;
  if (written === null) {
    const why =
      "it was found in a test's call, and needs what the program did before; made by its types it was not found";
    context.error(`tangent: there is no C file of failure ${n + 1}: ${why}\n`);
    return;
  }
  const path = join(directory, unitFileName(unit, n));
  const built = unit.file === null ? [] : builtFolders(unit.file);
  const text = renderUnitC(unit, written, basename(path), built);
  const { kind, words } = tried(text);
  if (kind === "survives") {
    context.error(
      `tangent: there is no C file of failure ${n + 1}: natively, with sanitizers, it does not fail (${words})\n`,
    );
    return;
  }
  writeSafely(path, text);
  const shown = relative(process.cwd(), path);
  const how = start.at === null ? "" : ", with arguments made by its types";
  const seen = kind === "fails" ? `: ${words}` : ` (not tried: ${words})`;
  context.error(`tangent: ${shown.startsWith("..") ? path : shown} reproduces failure ${n + 1}${how}${seen}\n`);
}
