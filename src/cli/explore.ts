// `tangent explore`: looks for inputs of a program that take new paths and show its errors, and writes what it finds as
// tests. The work is done in another thread (explore-worker.ts); here are the command line, the screen and the exit status.

import { accessSync, constants, mkdirSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { ubsanFlags } from "../frontend/ubsan.js";
import { keptEnvironment, mentionsIn } from "../inputs/kept-environment.js";
import { type CompileOptions, DEFINEDNESS_COMPILE_OPTIONS, SYMBOLIC_COMPILE_OPTIONS } from "../jit/options.js";
import type { SessionMessage } from "../jobs/explore-session.js";
import { runExploration } from "../jobs/explore-thread.js";
import { isKept, isPlanOurs, progressOf, RESUME_FOLDER, readPlan, resumedPlan, writePlan } from "../jobs/resume.js";
import { findProgramUntil } from "../jobs/translate-thread.js";
import { type ReadSource, sourceRoots, sourcesBelow } from "../project/sources.js";
import { renderSummary } from "../report/explore-summary.js";
import { appendHere } from "../report/file-writer.js";
import { hasSymbolicInputs } from "../report/klee-words.js";
import { LiveView } from "../report/live-view.js";
import { openFolder } from "../report/open-folder.js";
import { ProgressLine } from "../report/progress-line.js";
import { MOST_PLAIN_TESTS } from "../report/run-folder.js";
import { renderFinding } from "../report/text.js";
import { version } from "../support/version.js";
import { visible } from "../support/visible-text.js";
import type { ExplorePlan } from "../techniques/explore.js";
import { rawArguments } from "../vm/raw-arguments.js";
import { type CommandContext, defineCommand, USAGE_STATUS } from "./command.js";
import { EXPLORE_OPTIONS, type ExploreOptions, planOf, settledByPlan, splitWords } from "./explore-options.js";
import { withoutKleeOptions } from "./klee-options.js";

export const CLEAN_STATUS = 0;
export const FINDINGS_STATUS = 1;
export const TROUBLE_STATUS = 3;

export const command = defineCommand({
  name: "explore",
  summary: "Explore a program's paths by symbolic execution, and write tests and the errors found",
  description: `PROG is an executable built by \`tangent cc\`, or a .c, .i, .ll or .bc file. What is symbolic is said by --sym-... options, before the
program or, as with KLEE, among its arguments; by intrinsics in the program (klee_make_symbolic, __VERIFIER_nondet_int, ...); or
by seeds alone: raw seeds are standard input, or the file that @@ stands for among the arguments.

After PROG come its arguments. Other long options of tangent's are refused there, since nobody can know whose they are: give them before PROG,
or end them by --, as in \`tangent explore PROG --max-time 5m -- ARGS\`. After a -- all options but --sym-... are the program's.

KLEE's options are understood before PROG: what is needless here is noted, what cannot be had is refused with what to use instead.

Tests are written as .ktest files for every path that covers something new or ends in an error, and for the first ${MOST_PLAIN_TESTS} others.
Ctrl-C lets the current path end and writes everything; --resume DIR goes on from there. A second Ctrl-C quits at once.

The exit status is ${CLEAN_STATUS} if nothing was found, ${FINDINGS_STATUS} if something was, ${USAGE_STATUS} for a wrong command line, ${TROUBLE_STATUS} if the program could not be explored.`,
  options: EXPLORE_OPTIONS,
  operands: {
    program: {
      kind: "optional",
      value: "PROG",
      help: "what to explore (with --resume: only if DIR was made elsewhere)",
    },
    arguments: { kind: "rest", value: "ARG", help: "its arguments, with symbolic ones as --sym-arg N among them" },
  },
  translate: (args) => withoutKleeOptions(EXPLORE_OPTIONS, args),
  async run(given, operands, context) {
    const trouble = (message: string, status = TROUBLE_STATUS): number => {
      context.error(`tangent explore: ${message}\n`);
      return status;
    };
    const before = context.before ?? null;
    const split = splitWords(given, before, operands.program ?? "", operands.arguments);
    if (split.kind === "wrong") return trouble(split.problem, USAGE_STATUS);
    const { options, own } = split;
    const started =
      options.resume === undefined
        ? freshStart(operands.program, options, own, context)
        : resumedStart(operands.program, options, own, context);
    if (started.kind === "wrong") return trouble(`${started.problem}\nTry \`tangent help explore\`.`, USAGE_STATUS);
    if (started.kind === "failed") return trouble(started.message);
    const { program, flags, clang } = started;
    for (const note of started.notes) context.error(`tangent explore: note: ${visible(note)}\n`);
    const joined = { ...SYMBOLIC_COMPILE_OPTIONS, joins: started.plan.joins, fields: options.fields };
    const untilMs = options.maxTime ?? Number.POSITIVE_INFINITY;
    const found = await load(program, flags, clang, context, joined, untilMs);
    if (found.kind === "failed") return trouble(found.message);
    const defined = options.uninitialised
      ? await load(program, flags, clang, context, DEFINEDNESS_COMPILE_OPTIONS, untilMs)
      : null;
    if (defined?.kind === "failed") return trouble(defined.message);
    for (const warning of found.warnings) context.error(`tangent explore: warning: ${visible(warning)}\n`);
    // What is written down with the plan, and given to the program, is what it can name.
    const environment = keptEnvironment(started.plan.environment, mentionsIn([found.image().wasm]));
    const plan = { ...started.plan, environment };
    const opened = openFolder(process.cwd(), options.resume ?? options.output ?? null, options.resume !== undefined);
    if (opened.kind === "failed") return trouble(opened.message);
    const folder = relative(process.cwd(), opened.folder) || opened.folder;
    try {
      writeInfo(opened.folder, plan.randomSeed);
      if (options.resume === undefined) writePlan(opened.folder, { program, clang, flags, plan }, context.env);
    } catch (error) {
      return trouble(`${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
    }
    const screen = new Screen(context, folder, options, program);
    const startedAt = new Date();
    const task = {
      source: found.source,
      definedness: defined?.source ?? null,
      plan,
      json: options.json,
      resume: options.resume !== undefined,
      workers: options.resume === undefined ? (options.jobs ?? options.workers ?? 1) : 1,
      folder,
      untilMs,
      record: {
        program,
        programPath: resolve(program),
        sourceRoots: sourceRoots(program, process.cwd()),
        native: isExecutable(program),
        inputs: plan.inputs,
        producer: `tangent ${version()}`,
        writeAll: options.writeAllTests,
        mostPlainTests: options.onlyNewTests ? 0 : MOST_PLAIN_TESTS,
        testsBefore: opened.tests,
        findingsBefore: opened.findings,
        startedAt,
      },
    };
    const end = await runExploration(task, {
      message: (message) => screen.take(message),
      stopping: () => screen.print("tangent: stopping after the current path; Ctrl-C again quits at once\n"),
      trouble: (text) => screen.print(`tangent: ${text}\n`),
    });
    screen.clear();
    if (end.kind === "failed") {
      return trouble(`the exploration of ${program} ended: ${end.message}\nWhat it had written is in ${folder}.`);
    }
    const { summary } = end;
    if (end.kind === "ended") {
      context.error(
        `tangent explore: it did not stop in time and was ended; what was found before is in ${folder}, the numbers are of a moment ago\n`,
      );
    }
    if (!options.quiet) {
      context.error(renderSummary(summary));
      if (
        !hasSymbolicInputs(plan.inputs) &&
        summary.statistics.paths === 1 &&
        summary.statistics.pending === 0 &&
        summary.statistics.solver.queries === 0
      ) {
        context.error("  note      nothing was symbolic: see --sym-stdin, --sym-arg and --sym-files\n");
      }
      if ((summary.reason === "aborted" || end.kind === "ended") && task.workers === 1)
        context.error(`  resume    tangent explore --resume ${folder}\n`);
    }
    if (summary.writeFailure !== null) return trouble(`not everything could be written: ${summary.writeFailure}`);
    return summary.findings + summary.seen > 0 ? FINDINGS_STATUS : CLEAN_STATUS;
  },
});

type Start =
  | {
      readonly kind: "started";
      readonly program: string;
      readonly plan: ExplorePlan;
      readonly flags: readonly string[];
      readonly clang: string | null;
      readonly notes: readonly string[];
    }
  | { readonly kind: "wrong"; readonly problem: string }
  | { readonly kind: "failed"; readonly message: string };

function freshStart(
  program: string | undefined,
  options: ExploreOptions,
  words: readonly string[],
  context: CommandContext,
): Start {
  if (program === undefined) return { kind: "wrong", problem: "PROG is missing" };
  const planned = planOf(options, {
    program,
    workingDirectory: process.cwd(),
    environment: Object.entries(context.env).map(([name, value]) => `${name}=${value}`),
    words: rawArguments(words).map((word) => (typeof word === "string" ? Buffer.from(word) : word)),
  });
  if (planned.kind !== "planned") return planned;
  const unfit = options.ubsan === undefined ? null : withoutUbsan(program, options.ubsan);
  if (unfit !== null) return { kind: "wrong", problem: unfit };
  const flags = [...ubsanFlags(options.ubsan), ...options.flag];
  return { kind: "started", program, plan: planned.plan, flags, clang: options.clang ?? null, notes: planned.notes };
}

/** The program and its plan are those of the folder, if we wrote it; limits and searcher may be new. */
function resumedStart(
  named: string | undefined,
  options: ExploreOptions,
  words: readonly string[],
  context: CommandContext,
): Start {
  const folder = options.resume ?? "";
  const settled = settledByPlan(options);
  if (settled !== null) {
    return { kind: "wrong", problem: `--resume goes on as it was begun; ${settled} cannot be changed` };
  }
  const notes = words.length === 0 ? [] : ["the program's arguments are those that the exploration was begun with"];
  const read = readPlan(folder);
  if (read.kind === "failed") return read;
  const before = progressOf(folder);
  if (before.complete) return { kind: "failed", message: `${folder}: nothing is left to explore there` };
  if (before.paths > 0 && !isKept(folder)) {
    const what = "was explored by several threads (--jobs), which keep nothing to go on from";
    return { kind: "failed", message: `${folder} ${what}; start a new exploration` };
  }
  if (named === undefined && !isPlanOurs(folder, context.env)) {
    return {
      kind: "failed",
      message:
        `${folder} was not written by you on this machine, so what it names is neither compiled nor run; ` +
        `say which program it is of: tangent explore --resume ${folder} PROG`,
    };
  }
  const { plan } = read.saved;
  const own = { program: named ?? "", flags: options.flag, clang: options.clang ?? null };
  const { program, flags, clang } = named === undefined ? read.saved : own;
  const given = planOf({ ...options, seed: [] }, { ...plan, words: [] });
  if (given.kind !== "planned") return given;
  const searcher = options.search === undefined ? null : given.plan.searcher;
  return { kind: "started", program, plan: resumedPlan(plan, given.plan, searcher, before), flags, clang, notes };
}

/** The checks are put in where C is compiled: given for anything else they would be none. */
function withoutUbsan(program: string, checks: string): string | null {
  if (/\.[ci]$/.test(program)) return null;
  const how = /\.(bc|ll)$/.test(program)
    ? `make ${program} with clang -fsanitize=${checks} -fsanitize-trap=${checks}`
    : `build ${program} with tangent cc --tangent-ubsan ${checks}`;
  return `--ubsan is for .c and .i inputs, since its checks are put in where C is compiled: ${how}`;
}

async function load(
  program: string,
  flags: readonly string[],
  clang: string | null,
  context: CommandContext,
  compile: CompileOptions,
  untilMs: number,
): ReturnType<typeof findProgramUntil> {
  const progress = new ProgressLine(process.stderr);
  const found = await findProgramUntil(untilMs, program, {
    env: context.env,
    clang,
    flags,
    compile,
    onProgress: (update) => progress.update(update),
  });
  progress.clear();
  return found;
}

/** What the user sees meanwhile: findings as they come, and how it goes. */
class Screen {
  private readonly view: LiveView | null;
  private readonly readSource: ReadSource;

  constructor(
    private readonly context: CommandContext,
    private readonly folder: string,
    options: { readonly quiet: boolean },
    program: string,
  ) {
    const title = `tangent explore ${basename(program)}`;
    this.readSource = sourcesBelow(sourceRoots(program, process.cwd()));
    this.view = options.quiet ? null : new LiveView(process.stderr, title, () => performance.now());
  }

  take(message: SessionMessage): void {
    switch (message.kind) {
      case "status":
        this.view?.update(message.status);
        break;
      case "events":
        this.context.out(message.text);
        break;
      case "printed":
        this.print(message.text);
        break;
      case "finding": {
        const colour = process.stderr.isTTY === true && !this.context.env.NO_COLOR;
        const text = { colour, relativeTo: process.cwd(), readSource: this.readSource };
        const cause = message.sameCause === null ? "" : `the same cause as ${join(this.folder, message.sameCause)}\n`;
        const where = `reproduce: ${join(this.folder, message.folder)}/reproduce.sh\n\n`;
        this.print(`${renderFinding(message.finding, text)}${message.witness}${cause}${where}`);
        break;
      }
      case "resumed": {
        const { pending, lost, repeated, problems } = message;
        for (const problem of problems) this.print(`tangent: note: ${problem}\n`);
        const gone = lost > 0 ? `; ${lost} parts of it could not be rebuilt` : "";
        this.print(`tangent: resumed with ${pending} pending paths, ${repeated} to be run again${gone}\n`);
        break;
      }
      default:
        break;
    }
  }

  print(text: string): void {
    if (this.view === null) this.context.error(text);
    else this.view.print(text);
  }

  clear(): void {
    this.view?.clear();
  }
}

/** How the run was started; KLEE has a file of that name and purpose. */
function writeInfo(folder: string, randomSeed: number): void {
  const lines = [
    process.argv.slice(1).join(" "),
    `version: tangent ${version()}, node ${process.version}`,
    `directory: ${process.cwd()}`,
    `process: ${process.pid}`,
    `random seed: ${randomSeed}`,
    `started: ${new Date().toISOString()}`,
  ];
  mkdirSync(join(folder, RESUME_FOLDER), { recursive: true });
  appendHere(join(folder, "info"), `${lines.join("\n")}\n`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return !/\.(c|ll|bc|i)$/.test(path);
  } catch {
    return false;
  }
}
