// `tangent replay`: runs tests again, in the VM or natively, and says of each how it ended and whether that is how it ended
// when it was made. Everything an exploration writes can be given, everything KLEE writes, and raw inputs of fuzzers.

import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { CheckedRun } from "../findings/check.js";
import type { TestRunOptions } from "../findings/confirmation.js";
import { userFrameOf } from "../findings/finding.js";
import { KINDS, type KindName } from "../findings/kinds.js";
import { NO_INPUTS, type SymbolicInputs } from "../inputs/symbolic-inputs.js";
import type { TestInput } from "../inputs/test-input.js";
import { DEFAULT_COMPILE_OPTIONS, DEFINEDNESS_COMPILE_OPTIONS } from "../jit/options.js";
import { findProgram } from "../jobs/find-program.js";
import { runNatively } from "../jobs/native-run.js";
import { replayAll } from "../jobs/replay-thread.js";
import type { ReplayTest } from "../jobs/replay-worker.js";
import { readPlan } from "../jobs/resume.js";
import { findProject } from "../project/project-folder.js";
import { sourceRoots, sourcesBelow } from "../project/sources.js";
import { counted } from "../report/finding-view.js";
import { kleeSuffix } from "../report/klee-error.js";
import { hasSymbolicInputs, parseKleeWords } from "../report/klee-words.js";
import { namedBy } from "../report/named-findings.js";
import { checkedEnd, LIKE } from "../report/path-end.js";
import { type RecordedEnd, recordedEnd } from "../report/recorded-end.js";
import { type GivenSeed, inputsOfSeeds, readSeeds, valuesOfSeed } from "../report/seeds.js";
import { renderFinding } from "../report/text.js";
import { renderWitness } from "../report/witness.js";
import { visible } from "../support/visible-text.js";
import type { ExplorePlan } from "../techniques/explore.js";
import { DEFAULT_LIMITS, type RunLimits } from "../vm/run-options.js";
import { type CommandContext, defineCommand, USAGE_STATUS } from "./command.js";
import { knownFindings } from "./known-findings.js";
import { findingsNamed, isId, replayFindings } from "./replay-finding.js";
import { inputsNamed, replayInputs } from "./replay-input.js";
import { DEFAULT_TIMEOUT_MS } from "./replay-run.js";
import { ROOT_OPTION, rootsOf, withRoots } from "./roots.js";

const CLEAN_STATUS = 0;
const DIFFERENT_STATUS = 1;
const TROUBLE_STATUS = 3;
const MEGABYTE = 1 << 20;
/** As `tangent explore` has it. */
const DEFAULT_HEAP_BYTES = 256 * MEGABYTE;

interface Replayed {
  readonly path: string;
  readonly end: string;
  readonly place: string;
  /** Null: nothing is recorded. */
  readonly agrees: boolean | null;
  readonly recorded: string | null;
}

export const command = defineCommand({
  name: "replay",
  summary: "Run tests again and say whether they end as recorded",
  description: `INPUT is the id of a finding of this project (see \`tangent findings\`), or of an input that \`tangent patch\` or \`reach\` made; or a
.ktest file, a raw input, or a folder: of tests, of one finding, a fuzzer's corpus. The program is the one that the .ktest
names, or --program, which --native needs: what a file names is not executed. If the sources of a finding's program have changed, it is built anew first. Raw inputs are standard input, or the file that an argument @@ stands for (--arg @@).

The exit status is ${CLEAN_STATUS} if every test ended as recorded (without a record: without an error), ${DIFFERENT_STATUS} if one did not, ${USAGE_STATUS} for a wrong
command line, ${TROUBLE_STATUS} if something could not be run. An input of \`tangent patch\` ends as recorded if it reaches what it reached.`,
  options: {
    program: { kind: "value", short: "p", value: "PROG", help: "the program, where the test does not name it" },
    asRecorded: {
      kind: "flag",
      help: "of a finding: run the program that it was found in, also if the sources have changed since",
    },
    native: { kind: "flag", help: "run the native executable instead of the VM" },
    arg: { kind: "list", short: "a", value: "WORD", help: "for raw inputs: an argument of the program" },
    verbose: { kind: "flag", short: "v", help: "show each input, each report and what the program prints" },
    json: { kind: "flag", help: "print the results as JSON" },
    root: ROOT_OPTION,
    timeout: { kind: "duration", value: "TIME", help: "stop a test after this time (default 60s)" },
    memory: {
      kind: "number",
      value: "MB",
      help: "limit the program's heap (default: as when the test was made, else 256)",
      least: 1,
    },
    flag: { kind: "list", short: "X", value: "FLAG", help: "for .c and .i programs: pass FLAG to the compiler" },
    clang: { kind: "value", value: "PATH", help: "use this clang (15 or later) instead of the bundled one" },
  },
  operands: { inputs: { kind: "many", value: "INPUT", help: "a test, a raw input, or a folder of them" } },
  async run(options, operands, context) {
    const trouble = (message: string, status = TROUBLE_STATUS): number => {
      context.error(`tangent replay: ${visible(message)}\n`);
      return status;
    };
    const roots = rootsOf(options.root);
    if (roots.kind === "wrong") return trouble(roots.problem, USAGE_STATUS);
    const folder = findProject(process.cwd());
    const areFiles = operands.inputs.some((word) => existsSync(word));
    const named = areFiles ? null : findingsNamed(folder, operands.inputs);
    const inputs = areFiles || named !== null ? null : inputsNamed(folder, operands.inputs);
    if (named !== null || inputs !== null) {
      const { json, memory, clang, arg, flag } = options;
      const given = { json: json || undefined, memory, clang, arg: arg[0], flag: flag[0] };
      const unused = Object.entries(given).find(([, value]) => value !== undefined);
      if (unused !== undefined) {
        return trouble(`--${unused[0]} is for files of tests, not for the ids of findings or inputs`, USAGE_STATUS);
      }
      const { native, verbose, asRecorded, program = null, timeout: timeoutMs = null } = options;
      if (asRecorded && program !== null) return trouble("--as-recorded and --program: give one of them", USAGE_STATUS);
      const choices = { native, verbose, asRecorded, program, timeoutMs, ...withRoots(roots.roots) };
      if (inputs !== null) return replayInputs(folder, inputs, choices, context);
      return replayFindings(folder, named ?? [], choices, context);
    }
    const unknown = operands.inputs.find((word) => isId(word) && !existsSync(word));
    if (unknown !== undefined) {
      const others = "`tangent show` lists the findings of the last campaign";
      const many = namedBy(knownFindings(folder).findings, unknown).length;
      const why = many === 0 ? "no id begins with it" : `the ids of ${counted(many, "finding")} begin with it`;
      return trouble(`${unknown} is neither a file nor the id of one finding or input: ${why}; ${others}`);
    }
    const { seeds, problems } = readSeeds(operands.inputs);
    for (const problem of problems) context.error(`tangent replay: ${visible(problem)}\n`);
    if (seeds.length === 0) return trouble("there is nothing to replay");
    const tests: { readonly seed: GivenSeed; readonly test: TestInput }[] = [];
    const words = options.arg.map((word) => Buffer.from(word));
    for (const seed of seeds) {
      const test = testOf(seed, options.program ?? null, words, context.env, roots.roots);
      if (typeof test === "string") return trouble(test, USAGE_STATUS);
      tests.push({ seed, test });
    }
    const { program } = tests[0].test;
    const other = tests.find(({ test }) => test.program !== program);
    if (other !== undefined) {
      return trouble(
        `the tests are of ${program} and of ${other.test.program}; say which with --program`,
        USAGE_STATUS,
      );
    }
    const rows = new Map<string, ReadonlyMap<string, string>>();
    const results: Replayed[] = [];
    const tell = (result: Replayed): void => {
      results.push(result);
      if (!options.json) context.out(line(result));
    };
    // JSON is alone on standard output.
    const show = options.json ? context.error : context.out;
    const timeoutMs = options.timeout ?? DEFAULT_TIMEOUT_MS;
    if (options.native) {
      if (options.program === undefined) {
        return trouble(
          `a .ktest may come from anybody, and what it names (${program}) is not started natively; say which program it is: --program ./PROG, built by any compiler`,
          USAGE_STATUS,
        );
      }
      for (const { seed, test } of tests) {
        const ktest = seed.content.kind === "ktest" ? seed.path : null;
        const run = runNatively(resolve(program), test, ktest, timeoutMs, context.env);
        if (run.end.startsWith("not run")) return trouble(`${program}: ${run.end}`);
        const recorded = recordedEnd(seed.path, rows);
        const shown = run.signal === null ? run.end : `${run.end} (${run.signal})`;
        tell({ path: seed.path, end: shown, place: "", ...nativeAgreement(recorded, run.end, run.signal) });
        if (options.verbose) show(`${renderWitness(test)}${run.output}`);
      }
    } else {
      const common: Omit<TestRunOptions, "limits"> = {
        seed: 1,
        output: options.verbose && !options.json ? "inherit" : "capture",
      };
      const folders = new Map<string, PlanLimits | null>();
      const isUnset = ({ seed }: (typeof tests)[number]): boolean => {
        const recorded = recordedEnd(seed.path, rows);
        return recorded?.kind === "end" && recorded.end === "uninitialised";
      };
      const replayable = ({ seed, test }: (typeof tests)[number]): ReplayTest => {
        const given = options.memory === undefined ? {} : { heapBytes: options.memory * MEGABYTE };
        const limits = { ...DEFAULT_LIMITS, ...limitsOf(seed, folders), ...given, milliseconds: timeoutMs };
        return { test, options: { ...common, limits } };
      };
      for (const definedness of [false, true]) {
        const some = tests.filter((one) => isUnset(one) === definedness);
        if (some.length === 0) continue;
        const found = await findProgram(program, {
          env: context.env,
          clang: options.clang ?? null,
          flags: options.flag,
          compile: definedness ? DEFINEDNESS_COMPILE_OPTIONS : { ...DEFAULT_COMPILE_OPTIONS, selects: false },
        });
        if (found.kind === "failed") return trouble(found.message);
        const failure = await replayAll({ source: found.source, definedness }, some.map(replayable), (index, run) => {
          const { seed, test } = some[index];
          const recorded = recordedEnd(seed.path, rows);
          tell({ path: seed.path, end: checkedEnd(run), place: placeOf(run), ...agreement(recorded, run) });
          if (options.verbose) show(describe(run, test, context));
        });
        if (failure !== null) return trouble(failure);
      }
    }
    if (options.json) context.out(`${JSON.stringify(results, null, 2)}\n`);
    else context.out(totals(results));
    if (problems.length > 0) return TROUBLE_STATUS;
    const bad = results.some(({ agrees, end }) => agrees === false || (agrees === null && Object.hasOwn(KINDS, end)));
    return bad ? DIFFERENT_STATUS : CLEAN_STATUS;
  },
});

/** The seed as a test of a program, or what is missing. */
function testOf(
  seed: GivenSeed,
  program: string | null,
  words: readonly Uint8Array[],
  env: NodeJS.ProcessEnv,
  roots: readonly string[] | undefined,
): TestInput | string {
  const { content } = seed;
  const around = {
    workingDirectory: process.cwd(),
    environment: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    given: withRoots(roots),
  };
  if (content.kind === "ktest") {
    return { ...around, program: program ?? content.program, inputs: content.inputs, values: content.objects };
  }
  if (program === null) return `${seed.path} is a raw input: say of which program with --program PROG`;
  const inputs = rawInputs(seed, words);
  return { ...around, program, inputs, values: valuesOfSeed(seed, inputs) ?? [] };
}

function rawInputs(seed: GivenSeed, words: readonly Uint8Array[]): SymbolicInputs {
  const parsed = parseKleeWords(words);
  const given = parsed.kind === "inputs" ? parsed.inputs : NO_INPUTS;
  if (hasSymbolicInputs(given)) return given;
  const size = inputsOfSeeds([seed]).stdin ?? 0;
  const isFile = (word: Uint8Array): boolean => Buffer.from(word).toString("latin1") === "@@";
  if (!words.some(isFile)) return { ...given, stdin: size };
  const named = words.map((word) => ({ kind: "fixed" as const, bytes: isFile(word) ? Buffer.from("A") : word }));
  return { ...NO_INPUTS, words: named, files: [{ name: "A", size }] };
}

type PlanLimits = Pick<RunLimits, "instructions" | "heapBytes">;

/** What a test was made with: a path that was cut there is to be cut there again, a heap to be used up again. */
function limitsOf({ path }: GivenSeed, known: Map<string, PlanLimits | null>): PlanLimits {
  for (const folder of [dirname(path), dirname(dirname(dirname(path)))]) {
    let limits = known.get(folder);
    if (limits === undefined) {
      const read = readPlan(folder);
      limits = read.kind === "saved" ? savedLimits(read.saved.plan) : null;
      known.set(folder, limits);
    }
    if (limits !== null) return limits;
  }
  return { instructions: Number.POSITIVE_INFINITY, heapBytes: DEFAULT_HEAP_BYTES };
}

function savedLimits({ limits, heapBytes }: ExplorePlan): PlanLimits {
  // JSON has no Infinity.
  return { instructions: limits.instructionsPerPath ?? Number.POSITIVE_INFINITY, heapBytes };
}

function agreement(recorded: RecordedEnd | null, run: CheckedRun): Pick<Replayed, "agrees" | "recorded"> {
  if (recorded === null) return { agrees: null, recorded: null };
  if (recorded.kind === "end") {
    const end = checkedEnd(run);
    // A budget of instructions that is used up is a limit to an exploration, and a finding where a program runs for itself.
    const isSame =
      recorded.end === end ||
      (recorded.end === "limit instructions" && end === "no-progress") ||
      (recorded.end.startsWith(LIKE) && run.finding !== null);
    return { agrees: isSame, recorded: recorded.end };
  }
  const agrees = run.finding !== null && kleeSuffix(run.finding) === recorded.suffix;
  return { agrees, recorded: `${recorded.suffix} error (KLEE)` };
}

/** A native program may survive what the VM reports, so only a contradiction disagrees. */
function nativeAgreement(
  recorded: RecordedEnd | null,
  end: string,
  signal: string | null,
): Pick<Replayed, "agrees" | "recorded"> {
  if (recorded === null) return { agrees: null, recorded: null };
  if (recorded.kind === "klee") return { agrees: signal !== null, recorded: `${recorded.suffix} error (KLEE)` };
  const name = recorded.end.replace(LIKE, "");
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name as KindName] : null;
  if (kind === null) return { agrees: recorded.end === end, recorded: recorded.end };
  const unseen = kind.signal === 0 && signal === null ? " (which native code may survive)" : "";
  return { agrees: signal !== null || kind.signal === 0, recorded: `${recorded.end}${unseen}` };
}

function placeOf({ finding }: CheckedRun): string {
  const user = finding === null ? null : userFrameOf(finding);
  if (user === null) return "";
  return ` in ${user.functionName}${user.file === null ? "" : ` at ${user.file}:${user.line}`}`;
}

function line({ path, end, place, agrees, recorded }: Replayed): string {
  const verdict =
    agrees === null
      ? ""
      : agrees
        ? recorded === end
          ? ", as recorded"
          : `, recorded: ${recorded}`
        : `, but recorded was: ${recorded}`;
  return `${visible(`${path}: ${end}${place}${verdict}`)}\n`;
}

function totals(results: readonly Replayed[]): string {
  const number = (value: boolean | null): number => results.filter(({ agrees }) => agrees === value).length;
  const parts = [`${number(true)} as recorded`, `${number(false)} otherwise`, `${number(null)} without a record`];
  return `${results.length} replayed: ${parts.join(", ")}\n`;
}

function describe({ finding }: CheckedRun, test: TestInput, context: CommandContext): string {
  const colour = process.stdout.isTTY === true && !context.env.NO_COLOR;
  const readSource = sourcesBelow(sourceRoots(test.program, process.cwd()));
  const text = { colour, relativeTo: process.cwd(), readSource };
  return `${renderWitness(test)}${finding === null ? "" : renderFinding(finding, text)}`;
}
