// `tangent run`: a program inside the VM, as valgrind would run it: its own output, exit status and signals, and on
// standard error what the detectors found.

import { constants } from "node:os";
import { resolve } from "node:path";
import type { CheckedRun } from "../findings/check.js";
import { ubsanFlags } from "../frontend/ubsan.js";
import { type CompileOptions, DEFAULT_COMPILE_OPTIONS, DEFINEDNESS_COMPILE_OPTIONS } from "../jit/options.js";
import type { FoundProgram } from "../jobs/find-program.js";
import { RunThread } from "../jobs/run-thread.js";
import { findProgramUntil } from "../jobs/translate-thread.js";
import { ProgressLine } from "../report/progress-line.js";
import { rawArguments, rawEnvironment } from "../vm/raw-arguments.js";
import { DEFAULT_LIMITS, type RunOptions } from "../vm/run-options.js";
import { type CommandContext, defineCommand, USAGE_STATUS } from "./command.js";
import { ROOT_OPTION, rootsOf, withRoots } from "./roots.js";

/** The exit status of a run that ended with a finding that would not have ended the native program. */
export const FINDING_STATUS = 99;
/** What could not be run: a bad input, a missing toolchain, something unsupported, a limit. */
const TROUBLE_STATUS = 3;
const MEGABYTE = 1 << 20;

export const command = defineCommand({
  name: "run",
  summary: "Run a program in the VM with all detectors on",
  description: `PROG is an executable built by \`tangent cc\`, or a .c, .i, .ll or .bc file. The program's standard streams,
arguments and environment are its own; files it writes exist only while it runs, unless --write-through is given. All words after PROG are the program's; a long option of
tangent's among them is given to it with a note, without one if -- stands before PROG.

The exit status is the program's. A run that a detector ended has status ${FINDING_STATUS}, except for an abort or a failed assertion,
which end by SIGABRT as they do natively; what could not be run has status ${TROUBLE_STATUS}.`,
  options: {
    json: { kind: "value", value: "FILE", help: "write the result as JSON to FILE (- for standard error)" },
    coverage: { kind: "value", value: "FILE", help: "write line coverage in lcov format to FILE" },
    stats: { kind: "flag", help: "print instructions, functions, times and memory to standard error" },
    root: ROOT_OPTION,
    writeThrough: { kind: "flag", help: "let the program write to the real disk, where it can see it" },
    leaks: { kind: "flag", help: "report heap blocks that nothing points to at exit" },
    uninitialised: { kind: "flag", help: "report what depends on memory that was never set; slower" },
    pointerCompare: {
      kind: "flag",
      help: "report pointers into different objects that are compared by order or subtracted",
    },
    fields: { kind: "flag", help: "report accesses and copies that leave an array inside of its structure" },
    fuel: {
      kind: "number",
      integer: true,
      value: "N",
      help: "stop after about N instructions (a `no-progress` finding)",
      least: 1,
    },
    timeout: {
      kind: "duration",
      value: "TIME",
      help: "stop after this much real time, translation included: 30, 30s, 5m",
    },
    memory: { kind: "number", value: "MB", help: "limit the heap (default 2048)", least: 1 },
    output: { kind: "number", value: "MB", help: "limit what the program prints, and writes to files (default 1024)" },
    seed: { kind: "number", integer: true, value: "N", help: "seed of getrandom and /dev/urandom (default 1)" },
    ubsan: {
      kind: "value",
      value: "CHECKS",
      help: "for .c and .i inputs: trap undefined behaviour (signed-integer-overflow,shift,...; `all` for clang's default set)",
    },
    flag: {
      kind: "list",
      short: "X",
      value: "FLAG",
      help: "for .c and .i inputs: pass FLAG to the compiler (-X -DN=3)",
    },
    argv0: { kind: "value", value: "NAME", help: "the name the program is told it was called by (default PROG)" },
    clang: { kind: "value", value: "PATH", help: "use this clang (15 or later) instead of the bundled one" },
    noChecks: { kind: "flag", help: "translate without detectors (to measure their cost)" },
  },
  operands: {
    program: { kind: "one", value: "PROG", help: "what to run" },
    arguments: { kind: "rest", value: "ARG", help: "the program's arguments", ours: "told" },
  },
  async run(options, operands, context) {
    if (options.uninitialised && options.pointerCompare) {
      context.error("tangent run: --uninitialised and --pointer-compare are two runs: give one of them\n");
      return USAGE_STATUS;
    }
    const roots = rootsOf(options.root);
    if (roots.kind === "wrong") {
      context.error(`tangent run: ${roots.problem}\n`);
      return USAGE_STATUS;
    }
    // The thread loads its code while the program is looked up.
    const thread = new RunThread();
    const progress = new ProgressLine(process.stderr);
    const compile: CompileOptions = {
      ...(options.uninitialised ? DEFINEDNESS_COMPILE_OPTIONS : DEFAULT_COMPILE_OPTIONS),
      coverage: options.coverage !== undefined,
      ...(options.uninitialised ? {} : { selects: options.coverage === undefined, checks: !options.noChecks }),
      pointerPairs: options.pointerCompare,
      fields: options.fields && !options.noChecks,
    };
    const untilMs = options.timeout ?? DEFAULT_LIMITS.milliseconds;
    const found = await findProgramUntil(untilMs, operands.program, {
      env: context.env,
      clang: options.clang ?? null,
      flags: [...ubsanFlags(options.ubsan), ...options.flag],
      compile,
      onProgress: (update) => progress.update(update),
    }).catch((error: unknown) => {
      // A thread without a task would wait for one for ever, and with it the process.
      thread.discard();
      throw error;
    });
    progress.clear();
    if (found.kind === "failed") {
      thread.discard();
      context.error(`tangent run: ${found.message}\n`);
      return TROUBLE_STATUS;
    }
    for (const warning of found.warnings) context.error(`tangent run: warning: ${warning}\n`);
    const runOptions: RunOptions = {
      arguments: [options.argv0 ?? operands.program, ...rawArguments(operands.arguments)],
      environment: rawEnvironment(context.env),
      executable: resolve(operands.program),
      workingDirectory: process.cwd(),
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
      ...withRoots(roots.roots),
      writeThrough: options.writeThrough,
      startTimeMs: Date.now(),
      seed: options.seed ?? 1,
      window: process.stdout.isTTY ? { rows: process.stdout.rows, columns: process.stdout.columns } : null,
      limits: {
        instructions: options.fuel ?? DEFAULT_LIMITS.instructions,
        milliseconds: untilMs,
        heapBytes: options.memory === undefined ? DEFAULT_LIMITS.heapBytes : options.memory * MEGABYTE,
        outputBytes: options.output === undefined ? DEFAULT_LIMITS.outputBytes : options.output * MEGABYTE,
      },
      umask: process.umask(),
      cancel: null,
      watch: { allocation: 0, free: 0 },
    };
    const ended = await thread.run({
      source: found.source,
      options: runOptions,
      check: { repeat: "for-stacks", leaks: options.leaks },
      ...{ startable: [], compile, untilMs },
    });
    if (ended.kind === "died") {
      context.error(
        `tangent run: the virtual machine's thread died, which is not the program's doing: ${ended.message}\n`,
      );
      return TROUBLE_STATUS;
    }
    const { run } = ended;
    await report(run, found, operands.program, options, context);
    const seen = [...(run.uninitialised ?? []), ...(run.unrelatedPointers ?? [])];
    return finish(run.finding?.kind ?? seen.at(0)?.kind ?? null, run.result.end);
  },
});

interface ReportOptions {
  readonly json: string | undefined;
  readonly coverage: string | undefined;
  readonly stats: boolean;
}

/** Tells what there is to tell; a run that ends well tells nothing and loads nothing for it. */
async function report(
  run: CheckedRun,
  found: FoundProgram,
  program: string,
  options: ReportOptions,
  context: CommandContext,
): Promise<void> {
  const { finding, leaks, uninitialised = [], unrelatedPointers = [] } = run;
  const findings = [...uninitialised, ...unrelatedPointers, ...(finding === null ? [] : [finding]), ...leaks];
  const { end } = run.result;
  if (findings.length > 0 || end.kind === "unsupported" || end.kind === "limit") {
    const { renderEnd, renderFinding, renderNotes } = await import("../report/text.js");
    const { sourceRoots, sourcesBelow } = await import("../project/sources.js");
    const colour = process.stderr.isTTY === true && !context.env.NO_COLOR;
    const text = { colour, relativeTo: process.cwd(), readSource: sourcesBelow(sourceRoots(program, process.cwd())) };
    for (const finding of findings) context.error(renderFinding(finding, text));
    const note = run.finding === null ? renderEnd(end, null) : null;
    if (note !== null) context.error(note);
    context.error(renderNotes(run.result));
  }
  if (run.leaksSkipped !== null) context.error(`==tangent== leaks were not looked for: ${run.leaksSkipped}\n`);
  if (options.json !== undefined) {
    const { runJson } = await import("../report/json.js");
    const { identitiesIn } = await import("./finding-identities.js");
    const json = `${JSON.stringify(runJson(run, identitiesIn(found.image(), program)), null, 2)}\n`;
    if (options.json === "-") context.error(json);
    else await write(options.json, json);
  }
  if (options.coverage !== undefined) {
    const { renderLcov } = await import("../report/lcov.js");
    await write(options.coverage, renderLcov(found.image(), run.result.coverage));
  }
  if (options.stats) context.error(statistics(found, run.result));
}

async function write(target: string, text: string): Promise<void> {
  const { findProject } = await import("../project/project-folder.js");
  const { writeOutput } = await import("../project/output-path.js");
  writeOutput(target, findProject(process.cwd()).root, text);
}

type Result = CheckedRun["result"];

function finish(kind: string | null, end: Result["end"]): number {
  if (kind === "abort" || kind === "assertion-failure") return dieOf(constants.signals.SIGABRT);
  if (kind !== null) return FINDING_STATUS;
  if (end.kind === "exit") return end.code;
  if (end.kind === "signal") return dieOf(end.signal);
  return TROUBLE_STATUS;
}

/** Ends this process as the program ended; if the signal does not (it is ignored), by the status a shell would show. */
function dieOf(signal: number): number {
  process.kill(process.pid, signal);
  return 128 + signal;
}

function statistics(found: FoundProgram, result: Result): string {
  const image = found.image();
  const times = found.milliseconds;
  const { irInstructions, functionsTranslated, checks, checksRemoved } = image.statistics;
  const calls = Object.entries(result.syscalls).map(([name, count]) => `${name} ${count}`);
  const denied = Object.entries(result.denied).map(([name, count]) => `${name} ${count}`);
  const lines = [
    `instructions executed   ${result.instructions} (counted at loops and recursive calls)`,
    `functions translated    ${functionsTranslated}, ${irInstructions} instructions, ${checks} checks (${checksRemoved} removed)`,
    `module                  ${image.wasm.length} bytes`,
    times === null
      ? "load, link, translate   from the cache"
      : `load, link, translate   ${[times.load, times.link, times.translate].map((ms) => `${ms.toFixed(0)} ms`).join(", ")}`,
    `run                     ${result.elapsedMs.toFixed(1)} ms`,
    `heap at most            ${result.memoryPeakBytes} bytes`,
    `system calls            ${calls.join(", ") || "none"}`,
    `denied                  ${denied.join(", ") || "none"}`,
  ];
  return `${lines.map((line) => `==tangent== ${line}`).join("\n")}\n`;
}
