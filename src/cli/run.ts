// `tangent run`: a program inside the VM, as valgrind would run it: its own output, exit status and signals, and on
// standard error what the detectors found.

import { writeFileSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInWorker } from "../findings/run-in-worker.js";
import { cacheDirectory } from "../frontend/cache.js";
import { DEFAULT_COMPILE_OPTIONS } from "../jit/compile.js";
import { type LoadedProgram, loadProgram } from "../program/load.js";
import { storedImageName } from "../program/stored-image.js";
import { readSourceFile } from "../report/excerpt.js";
import { runJson } from "../report/json.js";
import { renderLcov } from "../report/lcov.js";
import { renderEnd, renderFinding } from "../report/text.js";
import { DEFAULT_LIMITS, type RunOptions } from "../vm/run-options.js";
import { type CommandContext, defineCommand } from "./command.js";
import { ProgressLine } from "./progress.js";

/** The exit status of a run that ended with a finding that would not have ended the native program. */
export const FINDING_STATUS = 99;
/** What could not be run: a bad input, a missing toolchain, something unsupported, a limit. */
const TROUBLE_STATUS = 3;
const MEGABYTE = 1 << 20;
const UBSAN_DEFAULT = "undefined";

export const command = defineCommand({
  name: "run",
  summary: "Run a program in the VM with all detectors on",
  description: `PROG is an executable built by \`tangent cc\`, or a .c, .ll or .bc file. The program's standard streams,
arguments and environment are its own; files it writes exist only while it runs, unless --write-through is given.

The exit status is the program's. A run that a detector ended has status ${FINDING_STATUS}, except for an abort or a failed assertion,
which end by SIGABRT as they do natively; what could not be run has status ${TROUBLE_STATUS}.`,
  options: {
    json: { kind: "value", value: "FILE", help: "write the result as JSON to FILE (- for standard error)" },
    coverage: { kind: "value", value: "FILE", help: "write line coverage in lcov format to FILE" },
    stats: { kind: "flag", help: "print instructions, functions, times and memory to standard error" },
    writeThrough: { kind: "flag", help: "let the program write to the real disk" },
    leaks: { kind: "flag", help: "report heap blocks that nothing points to at exit" },
    fuel: { kind: "number", value: "N", help: "stop after about N instructions (a `no-progress` finding)", least: 1 },
    timeout: { kind: "number", value: "SECONDS", help: "stop after this much real time" },
    memory: { kind: "number", value: "MB", help: "limit the heap (default 2048)", least: 1 },
    output: { kind: "number", value: "MB", help: "limit what the program writes to captured files (default 1024)" },
    seed: { kind: "number", value: "N", help: "seed of getrandom and /dev/urandom (default 1)" },
    ubsan: {
      kind: "value",
      value: "CHECKS",
      help: "for .c inputs: trap undefined behaviour (signed-integer-overflow,shift,...; `all` for clang's default set)",
    },
    flag: { kind: "list", short: "X", value: "FLAG", help: "for .c inputs: pass FLAG to the compiler (-X -DN=3)" },
    clang: { kind: "value", value: "PATH", help: "use this clang (15 or later) instead of the bundled one" },
    noChecks: { kind: "flag", help: "translate without detectors (to measure their cost)" },
  },
  operands: {
    program: { kind: "one", value: "PROG", help: "what to run" },
    arguments: { kind: "rest", value: "ARG", help: "the program's arguments" },
  },
  async run(options, operands, context) {
    const progress = new ProgressLine(process.stderr);
    const loaded = await loadProgram([operands.program], {
      env: context.env,
      clang: options.clang ?? null,
      flags: [...ubsanFlags(options.ubsan), ...options.flag],
      compile: {
        ...DEFAULT_COMPILE_OPTIONS,
        coverage: options.coverage !== undefined,
        checks: !options.noChecks,
      },
      onProgress: (update) => progress.update(update),
    });
    progress.clear();
    if (loaded.kind === "failed") {
      context.error(`tangent run: ${loaded.message}\n`);
      return TROUBLE_STATUS;
    }
    for (const warning of loaded.warnings) context.error(`tangent run: warning: ${warning}\n`);
    useV8Flags();
    const runOptions: RunOptions = {
      arguments: [operands.program, ...operands.arguments],
      environment: Object.entries(context.env).map(([name, value]) => `${name}=${value}`),
      executable: resolve(operands.program),
      workingDirectory: process.cwd(),
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
      writeThrough: options.writeThrough,
      startTimeMs: Date.now(),
      seed: options.seed ?? 1,
      window: process.stdout.isTTY ? { rows: process.stdout.rows, columns: process.stdout.columns } : null,
      limits: {
        instructions: options.fuel ?? DEFAULT_LIMITS.instructions,
        milliseconds: options.timeout === undefined ? DEFAULT_LIMITS.milliseconds : options.timeout * 1000,
        heapBytes: options.memory === undefined ? DEFAULT_LIMITS.heapBytes : options.memory * MEGABYTE,
        outputBytes: options.output === undefined ? DEFAULT_LIMITS.outputBytes : options.output * MEGABYTE,
      },
      umask: process.umask(),
      cancel: null,
      watch: { allocation: 0, free: 0 },
    };
    const run = await runInWorker({
      source: imageSource(loaded, context),
      options: runOptions,
      check: { repeat: "for-stacks", leaks: options.leaks },
    });
    const colour = process.stderr.isTTY === true && !context.env.NO_COLOR;
    const text = { colour, relativeTo: process.cwd(), readSource: readSourceFile };
    for (const finding of [...(run.finding === null ? [] : [run.finding]), ...run.leaks]) {
      context.error(renderFinding(finding, text));
    }
    if (run.leaksSkipped !== null) context.error(`==tangent== leaks were not looked for: ${run.leaksSkipped}\n`);
    const { end } = run.result;
    const note = run.finding === null && end.kind !== "signal" ? renderEnd(end, null) : null;
    if (note !== null) context.error(note);
    if (options.json !== undefined) {
      const json = `${JSON.stringify(runJson(run), null, 2)}\n`;
      if (options.json === "-") context.error(json);
      else writeFileSync(options.json, json);
    }
    if (options.coverage !== undefined) writeFileSync(options.coverage, renderLcov(loaded.image, run.result.coverage));
    if (options.stats) context.error(statistics(loaded, run.result));
    return finish(run.finding?.kind ?? null, end);
  },
});

/** Measured: hints take the slow path of checks out of the way (a sieve runs 1.5x faster), lazy compilation halves a start. */
function useV8Flags(): void {
  setFlagsFromString("--experimental-wasm-branch-hinting");
  setFlagsFromString("--wasm-lazy-compilation");
}

function ubsanFlags(checks: string | undefined): string[] {
  if (checks === undefined) return [];
  const list = checks === "all" ? UBSAN_DEFAULT : checks;
  return [`-fsanitize=${list}`, `-fsanitize-trap=${list}`];
}

function imageSource(loaded: LoadedProgram, context: CommandContext): Parameters<typeof runInWorker>[0]["source"] {
  if (loaded.cacheEntry === null) return { kind: "image", image: { ...loaded.image } };
  const directory = cacheDirectory(context.env);
  return {
    kind: "loader",
    module: new URL("../program/stored-image.js", import.meta.url).href,
    argument: storedImageName({ directory, ...loaded.cacheEntry }),
  };
}

type Result = Awaited<ReturnType<typeof runInWorker>>["result"];

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

function statistics(loaded: LoadedProgram, result: Result): string {
  const { irInstructions, functionsTranslated, checks, checksRemoved } = loaded.image.statistics;
  const { load, link, translate } = loaded.milliseconds;
  const calls = Object.entries(result.syscalls).map(([name, count]) => `${name} ${count}`);
  const denied = Object.entries(result.denied).map(([name, count]) => `${name} ${count}`);
  const lines = [
    `instructions executed   ${result.instructions} (counted at loops and recursive calls)`,
    `functions translated    ${functionsTranslated}, ${irInstructions} instructions, ${checks} checks (${checksRemoved} removed)`,
    `module                  ${loaded.image.wasm.length} bytes${loaded.warm ? ", from the cache" : ""}`,
    `load, link, translate   ${load.toFixed(0)} ms, ${link.toFixed(0)} ms, ${translate.toFixed(0)} ms`,
    `run                     ${result.elapsedMs.toFixed(1)} ms`,
    `heap at most            ${result.memoryPeakBytes} bytes`,
    `system calls            ${calls.join(", ") || "none"}`,
    `denied                  ${denied.join(", ") || "none"}`,
  ];
  return `${lines.map((line) => `==tangent== ${line}`).join("\n")}\n`;
}
