// What can be asked of `tangent explore`, declared once: the parser, the help and the plan come from it. Words for symbolic
// input are KLEE's and are also taken among the program's own arguments; limits have KLEE's names.

import { isAbsolute, join } from "node:path";
import type { EngineLimits } from "../engine/options.js";
import { KINDS, type KindName } from "../findings/kinds.js";
import { NO_INPUTS, type SymbolicInputs, symbolicFileName } from "../inputs/symbolic-inputs.js";
import { hasSymbolicInputs, mergeInputs, parseKleeWords } from "../report/klee-words.js";
import { MOST_PLAIN_TESTS } from "../report/run-folder.js";
import { inputsOfSeeds, readSeeds, valuesOfSeed } from "../report/seeds.js";
import { SEARCHER_NAMES } from "../search/registry.js";
import type { SolverOptions } from "../solver/chain.js";
import { locateExternal } from "../solver/external.js";
import type { ExplorePlan } from "../techniques/explore.js";
import { type OptionSpecs, type Options, parseArguments, type Tuple } from "./command.js";
import { dashed } from "./describe.js";
import { JOBS_OPTIONS, wrongJobs } from "./jobs-option.js";
import { misplacedOptions, refusalOf } from "./misplaced-options.js";
import { ROOT_OPTION, rootsOf, withRoots } from "./roots.js";
import { seedsFromTests, TESTS_WORD } from "./seeds-from-tests.js";

const MEGABYTE = 1 << 20;
const DEFAULT_MEMORY_MB = 2000;
/**
 * Dropping begins before the limit: what is dropped is free only after the next collection, measuring takes time, and the
 * solver, which is asked what to drop, needs some memory itself. Not below a share of the limit, or nothing would be left.
 */
const MEMORY_SHARE = 0.85;
const MEMORY_SPARE_MB = 80;
const SPARE_PER_WORKER_MB = 40;
const LEAST_MEMORY_SHARE = 0.6;
const DEFAULT_HEAP_MB = 256;
const DEFAULT_CROSS_CHECK = "z3";
const ANY_KIND = "any";
const KIND_NAMES = Object.keys(KINDS) as KindName[];
/** A path that runs longer is cut and counted: it would keep all others waiting. */
const DEFAULT_PATH_MS = 60_000;
/** For a question to the solver; the path is then given up and counted. */
const DEFAULT_QUERY_MS = 10_000;

export const EXPLORE_OPTIONS = {
  symArg: { kind: "tuple", values: ["N"], help: "a symbolic argument of at most N bytes" },
  symArgs: { kind: "tuple", values: ["MIN", "MAX", "LEN"], help: "MIN to MAX symbolic arguments of at most LEN bytes" },
  symStdin: { kind: "tuple", values: ["N"], help: "N symbolic bytes of standard input" },
  symFiles: { kind: "tuple", values: ["N", "SIZE"], help: "N symbolic files of SIZE bytes, called A, B, ..." },
  symEnv: { kind: "tuple", values: ["NAME", "LEN"], help: "a symbolic environment variable of at most LEN bytes" },
  seed: {
    kind: "list",
    short: "s",
    value: "FILE",
    help: "start from this input: a raw file, a .ktest, a folder of them, a corpus of AFL or libFuzzer; `tests`: the recorded tests",
  },
  search: {
    kind: "value",
    value: "NAMES",
    help: `how to choose the next path: ${SEARCHER_NAMES.join(", ")}; several joined by commas take turns`,
  },
  mode: {
    kind: "choice",
    choices: ["pending", "eager"],
    help: "ask whether a path is feasible when it is chosen, or at each branch as KLEE does (default pending)",
  },
  checks: {
    kind: "choice",
    choices: ["eager", "relaxed", "off"],
    help: "look for inputs that make an operation fail at once, as pending paths, or not at all (default eager)",
  },
  joinBranches: {
    kind: "choice",
    choices: ["yes", "no"],
    help: "take a small branch that only computes a value (a checksum's, a minimum's) as one path, not two (default yes)",
  },
  storeCells: {
    kind: "number",
    integer: true,
    value: "N",
    help: "follow writes at places that the input decides in tables of up to N cells (default 256; KLEE has no limit)",
    least: 1,
  },
  tryEdits: {
    kind: "choice",
    choices: ["yes", "no"],
    help: "also run edits of inputs that covered something new: words of the program, parts of other inputs (default yes)",
  },
  randomSeed: { kind: "number", integer: true, value: "N", help: "seed of all random choices (default 1)" },
  maxTime: { kind: "duration", value: "TIME", help: "stop after this time, translation included (30s, 5m, 2h)" },
  maxPaths: { kind: "number", integer: true, value: "N", help: "stop after N complete paths", least: 1 },
  maxDepth: { kind: "number", integer: true, value: "N", help: "cut paths after N symbolic branches", least: 1 },
  maxSolverTime: {
    kind: "duration",
    value: "TIME",
    help: "give up a question to the solver after this time (default 10s)",
  },
  maxMemory: {
    kind: "number",
    value: "MB",
    help: "drop pending paths when more memory is used (default 2000)",
    least: 50,
  },
  maxInstructionsPerPath: {
    kind: "number",
    integer: true,
    value: "N",
    help: "cut paths after about N instructions",
    least: 1,
  },
  maxPathTime: { kind: "duration", value: "TIME", help: "cut paths that run longer than this (default 60s)" },
  root: ROOT_OPTION,
  heap: { kind: "number", value: "MB", help: "limit of the program's own heap (default 256)", least: 1 },
  uninitialised: {
    kind: "flag",
    help: "run every test that is written a second time, and report what depends on memory that was never set",
  },
  stopAtFirst: {
    kind: "choice",
    choices: [ANY_KIND, ...KIND_NAMES],
    bare: ANY_KIND,
    value: "KIND",
    help: "stop at the first finding, or at the first of this kind (--stop-at-first=assertion-failure)",
  },
  silentAssume: { kind: "flag", help: "a klee_assume that no input satisfies just ends the path, and is no finding" },
  solver: { kind: "value", value: "NAME", help: "use an external SMT-LIB solver: z3, bitwuzla, cvc5, or a path" },
  logQueries: {
    kind: "value",
    value: "DIR",
    help: "write every question that reaches the solver's core to DIR as SMT-LIB",
  },
  crossCheck: { kind: "flag", help: "ask the external solver (default z3) as well, and stop if the two disagree" },
  ...JOBS_OPTIONS,
  jobs: { ...JOBS_OPTIONS.jobs, help: "explore in N threads (default 1; with more, there is no --resume)" },
  output: {
    kind: "value",
    short: "o",
    value: "DIR",
    help: "write to DIR (default tangent-out-N, with a link tangent-last)",
  },
  resume: { kind: "value", value: "DIR", help: "go on with the exploration in DIR" },
  writeAllTests: {
    kind: "flag",
    help: `write a test for every path, also beyond the first ${MOST_PLAIN_TESTS} that cover nothing new`,
  },
  onlyNewTests: { kind: "flag", help: "write a test only for what covers something new or ends in an error" },
  json: { kind: "flag", help: "write events as JSON lines to standard output" },
  quiet: { kind: "flag", short: "q", help: "show no progress" },
  fields: { kind: "flag", help: "report accesses and copies that leave an array inside of its structure" },
  ubsan: {
    kind: "value",
    value: "CHECKS",
    help: "for .c and .i inputs: trap undefined behaviour (`all` for clang's default set)",
  },
  flag: { kind: "list", short: "X", value: "FLAG", help: "for .c and .i inputs: pass FLAG to the compiler (-X -DN=3)" },
  clang: { kind: "value", value: "PATH", help: "use this clang (15 or later) instead of the bundled one" },
} as const satisfies OptionSpecs;

export type ExploreOptions = Options<typeof EXPLORE_OPTIONS>;

export type PlanResult =
  | { readonly kind: "planned"; readonly plan: ExplorePlan; readonly notes: readonly string[] }
  | { readonly kind: "wrong"; readonly problem: string }
  /** The command line is right, but something it names is not there. */
  | { readonly kind: "failed"; readonly message: string };

export type SplitWords =
  | { readonly kind: "split"; readonly options: ExploreOptions; readonly own: readonly string[] }
  | { readonly kind: "wrong"; readonly problem: string };

/**
 * The words after the program are its own, with what KLEE's users write among them (--sym-...). Options of ours are taken there if all of
 * the words are, up to a `--`; a program may have a `--` of its own, but hardly one after nothing but our options. Otherwise they
 * are refused: given to the program, a limit would be none. `before`: what stands before the program; null: a `--`, so that all is the program's.
 */
export function splitWords(
  options: ExploreOptions,
  before: readonly string[] | null,
  program: string,
  words: readonly string[],
): SplitWords {
  if (before === null) return { kind: "split", options, own: words };
  const end = words.indexOf("--");
  const front = end < 0 ? words : words.slice(0, end);
  if (end >= 0) {
    const parsed = parseArguments(EXPLORE_OPTIONS, {}, front);
    if (parsed.kind === "parsed") {
      return { kind: "split", options: joined(options, parsed.options as ExploreOptions), own: words.slice(end + 1) };
    }
  }
  const isMeant = (name: string): boolean => !name.startsWith("sym");
  if (misplacedOptions(EXPLORE_OPTIONS, front, isMeant).length === 0) return { kind: "split", options, own: words };
  const problem = refusalOf("explore", EXPLORE_OPTIONS, before, program, words, isMeant);
  return problem === null ? { kind: "split", options, own: words } : { kind: "wrong", problem };
}

/** Options given in two places. */
function joined(first: ExploreOptions, second: ExploreOptions): ExploreOptions {
  const result: Record<string, unknown> = { ...first };
  for (const [name, value] of Object.entries(second)) {
    const before = result[name];
    if (Array.isArray(value)) result[name] = [...(before as unknown[]), ...value];
    else if (value !== undefined && value !== false) result[name] = value;
  }
  return result as ExploreOptions;
}

/** What an exploration is made of from its beginning on. */
const SETTLED = [
  ...(["symArg", "symArgs", "symStdin", "symFiles", "symEnv", "seed", "mode", "checks", "joinBranches"] as const),
  ...(["tryEdits", "storeCells"] as const),
  ...(["randomSeed", "heap", "jobs", "workers", "output", "ubsan"] as const),
] as const satisfies readonly (keyof ExploreOptions)[];

/** The first option that an exploration which is resumed cannot have again; null if there is none. */
export function settledByPlan(options: ExploreOptions): string | null {
  const given = SETTLED.find((name) => {
    const value = options[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
  return given === undefined ? null : `--${dashed(given)}`;
}

export interface Surrounded {
  readonly program: string;
  readonly workingDirectory: string;
  readonly environment: readonly string[];
  /** The program's arguments as the user gave them. */
  readonly words: readonly Uint8Array[];
}

export function planOf(options: ExploreOptions, around: Surrounded): PlanResult {
  const inputs = inputsOf(options, around.words);
  if (inputs.kind === "wrong") return inputs;
  const notes = [...inputs.notes];
  const { seeds: given, problems } = readSeeds(options.seed.filter((path) => path !== TESTS_WORD));
  if (problems.length > 0) return { kind: "wrong", problem: problems.join("\n") };
  const tests = options.seed.includes(TESTS_WORD) ? seedsFromTests(around.program, around.workingDirectory) : null;
  if (tests?.kind === "wrong") return tests;
  if (tests !== null) notes.push(tests.note);
  const files = [...given, ...(tests?.seeds ?? [])];
  let symbolic = inputs.inputs;
  if (!hasSymbolicInputs(symbolic)) symbolic = withSeedInputs(symbolic, inputsOfSeeds(files));
  const seeds: ExplorePlan["seeds"][number][] = [];
  for (const file of files) {
    const values = valuesOfSeed(file, symbolic);
    if (values === null) {
      return { kind: "wrong", problem: `${file.path}: a raw seed needs --sym-stdin N or --sym-files N SIZE to go to` };
    }
    seeds.push(values);
  }
  const searcher = (options.search ?? "interleaved").replaceAll(",", "+");
  const unknown = searcher.split("+").find((name) => !(SEARCHER_NAMES as readonly string[]).includes(name));
  if (unknown !== undefined) {
    return { kind: "wrong", problem: `--search: there is no ${unknown}; there are ${SEARCHER_NAMES.join(", ")}` };
  }
  const roots = rootsOf(options.root);
  if (roots.kind === "wrong") return roots;
  const solver = solverOf(options, around.workingDirectory);
  if (solver.kind === "failed") return solver;
  const jobs = wrongJobs(options);
  if (jobs !== null) return { kind: "wrong", problem: jobs };
  const workers = options.jobs ?? options.workers ?? 1;
  if (workers > 1 && options.mode === "eager") {
    return {
      kind: "wrong",
      problem: "--jobs and --mode eager do not go together: states of one searcher cannot be divided",
    };
  }
  const plan: ExplorePlan = {
    program: around.program,
    workingDirectory: around.workingDirectory,
    environment: around.environment,
    ...withRoots(roots.roots),
    heapBytes: (options.heap ?? DEFAULT_HEAP_MB) * MEGABYTE,
    inputs: symbolic,
    seeds,
    mode: options.mode ?? "pending",
    checks: options.checks ?? "eager",
    joins: options.joinBranches !== "no",
    searcher,
    randomSeed: options.randomSeed ?? 1,
    tries: options.tryEdits !== "no",
    limits: limitsOf(options),
    stopAtFirst: options.stopAtFirst === undefined ? false : options.stopAtFirst === ANY_KIND || options.stopAtFirst,
    ...(options.storeCells === undefined ? {} : { storeCells: options.storeCells }),
    ...(options.silentAssume ? { silentAssumptions: true } : {}),
    solver: solver.options,
  };
  return { kind: "planned", plan, notes };
}

/** Our own core answers unless another solver is named; in a cross-check that one is only asked as well. */
function solverOf(
  options: ExploreOptions,
  directory: string,
):
  | { readonly kind: "solver"; readonly options: SolverOptions }
  | { readonly kind: "failed"; readonly message: string } {
  const timeMs = options.maxSolverTime ?? DEFAULT_QUERY_MS;
  const log = options.logQueries === undefined ? {} : { logDirectory: absolute(options.logQueries, directory) };
  if (options.solver === undefined && !options.crossCheck) return { kind: "solver", options: { timeMs, ...log } };
  const located = locateExternal(options.solver ?? DEFAULT_CROSS_CHECK);
  if (located.kind === "error") return { kind: "failed", message: located.message };
  const { command } = located;
  return {
    kind: "solver",
    options: { timeMs, ...log, ...(options.crossCheck ? { crossCheck: command } : { external: command }) },
  };
}

function limitsOf(options: ExploreOptions): EngineLimits {
  const orNone = (value: number | undefined): number => value ?? Number.POSITIVE_INFINITY;
  return {
    timeMs: orNone(options.maxTime),
    paths: orNone(options.maxPaths),
    depth: orNone(options.maxDepth),
    solverTimeMs: Number.POSITIVE_INFINITY,
    memoryBytes:
      droppingBeginsAt(options.maxMemory ?? DEFAULT_MEMORY_MB, options.jobs ?? options.workers ?? 1) * MEGABYTE,
    memoryEndBytes: (options.maxMemory ?? DEFAULT_MEMORY_MB) * MEGABYTE,
    instructionsPerPath: orNone(options.maxInstructionsPerPath),
    timePerRunMs: Math.min(options.maxPathTime ?? DEFAULT_PATH_MS, orNone(options.maxTime)),
  };
}

type InputsResult =
  | { readonly kind: "inputs"; readonly inputs: SymbolicInputs; readonly notes: readonly string[] }
  | { readonly kind: "wrong"; readonly problem: string };

/** Options before the program, words after it, and AFL's @@ for the name of a file. */
function inputsOf(options: ExploreOptions, words: readonly Uint8Array[]): InputsResult {
  const before = parseKleeWords(optionWords(options));
  if (before.kind === "wrong") return before;
  const after = parseKleeWords(words);
  if (after.kind === "wrong") return after;
  const inputs = mergeInputs(before.inputs, after.inputs);
  return { kind: "inputs", inputs: withFileNames(inputs), notes: [...before.notes, ...after.notes] };
}

/** As if they stood among the program's arguments. */
function optionWords(options: ExploreOptions): Uint8Array[] {
  const names = ["symArg", "symArgs", "symStdin", "symFiles", "symEnv"] as const;
  const uses = names.flatMap((name) => options[name].map((use: Tuple) => ({ ...use, name })));
  return uses
    .sort((a, b) => a.at - b.at)
    .flatMap(({ name, values }) => [`--${dashed(name)}`, ...values])
    .map((word) => Buffer.from(word));
}

const AFL_FILE = "@@";

function withFileNames(inputs: SymbolicInputs): SymbolicInputs {
  const words = inputs.words.map((word) =>
    word.kind === "fixed" && Buffer.from(word.bytes).toString("latin1") === AFL_FILE && inputs.files.length > 0
      ? { kind: "fixed" as const, bytes: Buffer.from(inputs.files[0].name) }
      : word,
  );
  return { ...inputs, words };
}

/** The user has said nothing about input, so the seeds do: raw ones are standard input, or the file that @@ stands for. */
function withSeedInputs(inputs: SymbolicInputs, ofSeeds: SymbolicInputs): SymbolicInputs {
  const wantsFile = inputs.words.some(
    (word) => word.kind === "fixed" && Buffer.from(word.bytes).toString("latin1") === AFL_FILE,
  );
  if (wantsFile && ofSeeds.stdin !== null && ofSeeds.words.length === 0) {
    const files = [{ name: symbolicFileName(0), size: ofSeeds.stdin }];
    return withFileNames({ ...inputs, files });
  }
  // A .ktest knows the arguments too; those that the user gave win.
  const words = inputs.words.length > 0 ? inputs.words : ofSeeds.words;
  return mergeInputs({ ...ofSeeds, words: [] }, { ...NO_INPUTS, words });
}

function absolute(path: string, directory: string): string {
  return isAbsolute(path) ? path : join(directory, path);
}

function droppingBeginsAt(limitMb: number, workers: number): number {
  const spareMb = MEMORY_SPARE_MB + SPARE_PER_WORKER_MB * (workers - 1);
  return Math.max(LEAST_MEMORY_SHARE * limitMb, Math.min(MEMORY_SHARE * limitMb, limitMb - spareMb));
}
