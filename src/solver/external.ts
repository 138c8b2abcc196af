// Any solver that reads SMT-LIB 2 on its standard input: one process a query, or one for a batch (comparisons of thousands
// of queries). A library binding would be faster, but this works with whatever is installed and cannot crash us.
// Its answer is text and is read strictly: anything that is not "sat" with all values, or "unsat", is unknown.

import type { SpawnSyncOptionsWithStringEncoding } from "node:child_process";
import { basename } from "node:path";
import type { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { printSmt, smtByteName } from "../expr/smt.js";
import { runChild } from "../support/child-process.js";
import type { Model, Query, Solver, Verdict } from "./solver.js";

/** How each solver is told to read standard input. */
const ARGUMENTS: { readonly [name: string]: readonly string[] } = {
  z3: ["-in", "-smt2"],
  bitwuzla: ["--lang", "smt2"],
  cvc5: ["--lang", "smt2", "--incremental", "-"],
};
const MAX_OUTPUT_BYTES = 1 << 28;
/** Starting a process takes some milliseconds; a slow machine takes longer. */
const START_MS = 2000;
/** Until it has answered for the first time: on a machine with a load of 18, z3 took more than two seconds. Only one that hangs takes so long. */
const FIRST_START_MS = 30_000;

/** Time to kill it in. */
const KILL_MS = 1000;

export interface ExternalCommand {
  readonly path: string;
  readonly args: readonly string[];
}

export type LocatedSolver =
  | { readonly kind: "found"; readonly command: ExternalCommand }
  | { readonly kind: "error"; readonly message: string };

/** The solver named on a command line: `z3`, `bitwuzla`, `cvc5`, or the path of a program. */
export function locateExternal(name: string): LocatedSolver {
  const known = Object.keys(ARGUMENTS).find((solver) => basename(name).startsWith(solver));
  const command = { path: name, args: known === undefined ? [] : ARGUMENTS[known] };
  const [verdict] = askBatch(command, ["(set-logic QF_BV)\n(check-sat)\n"], FIRST_START_MS);
  if (verdict === "sat") return { kind: "found", command };
  const message =
    `the solver ${name} does not answer: it was started with the arguments \`${command.args.join(" ")}\` and an empty ` +
    "SMT-LIB 2 problem on its standard input, and did not say sat. Is it installed, and on the PATH?";
  return { kind: "error", message };
}

/**
 * What it wrote, or null if it did not end in time. timeout(1) kills the whole process group, which spawnSync cannot: the
 * command may be a script, and the solver that it started would go on for ever. Where there is no such program, ours has to do.
 */
function run(command: ExternalCommand, text: string, timeMs: number): string | null {
  const options = {
    input: text,
    encoding: "utf8",
    timeout: timeMs + KILL_MS,
    killSignal: "SIGKILL",
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio: ["pipe", "pipe", "ignore"],
  } satisfies SpawnSyncOptionsWithStringEncoding;
  const guarded = ["-s", "KILL", String(timeMs / 1000), command.path, ...command.args];
  let ended = runChild("timeout", guarded, options);
  if (isError(ended.error, "ENOENT")) ended = runChild(command.path, command.args, { ...options, timeout: timeMs });
  const { stdout, error, signal, status } = ended;
  if (isError(error, "ETIMEDOUT") || signal === "SIGKILL" || status === 137) return null;
  // Not there, or it closed its input early: what it wrote, if anything, decides.
  return stdout ?? "";
}

function isError(error: Error | undefined, code: string): boolean {
  return error !== undefined && "code" in error && error.code === code;
}

/** The verdicts on many scripts (each with its check-sat), asked of one process; a script without answer is unknown. */
export function askBatch(
  command: ExternalCommand,
  scripts: readonly string[],
  timeMs: number,
): ("sat" | "unsat" | "unknown")[] {
  const marked = scripts.map((script, i) => `(echo "query ${i}")\n${script}\n(reset)\n`);
  const output = run(command, marked.join(""), timeMs) ?? "";
  const verdicts = scripts.map((): "sat" | "unsat" | "unknown" => "unknown");
  let current = -1;
  for (const line of output.split("\n")) {
    const mark = /^"?query (\d+)"?$/.exec(line);
    if (mark !== null) current = Number(mark[1]);
    else if (current >= 0 && (line === "sat" || line === "unsat")) verdicts[current] = line;
  }
  return verdicts;
}

export class ExternalSolver implements Solver {
  constructor(
    private readonly arena: ExprArena,
    private readonly command: ExternalCommand,
    private readonly timeMs: number,
  ) {}

  solve({ constraints, hint, deadlineMs = Number.POSITIVE_INFINITY }: Query): Verdict {
    const leftMs = deadlineMs - performance.now();
    if (leftMs <= 0) return { kind: "unknown", reason: "time" };
    const { text, bytes } = printSmt(this.arena, constraints);
    const values = bytes.length === 0 ? "" : `(get-value (${bytes.map(smtByteName).join(" ")}))\n`;
    const script = `(set-option :produce-models true)\n${text}(check-sat)\n${values}(exit)\n`;
    const output = run(this.command, script, Math.max(1, Math.floor(Math.min(this.timeMs + START_MS, leftMs))));
    if (output === null) return { kind: "unknown", reason: "time" };
    const verdict = /^(sat|unsat)$/m.exec(output)?.[1];
    // Without named assertions there is no core: all constraints together are one.
    if (verdict === "unsat") return { kind: "unsat", core: constraints.map((_, i) => i) };
    const model = verdict === "sat" ? parseModel(output, bytes, hint) : null;
    return model === null ? { kind: "unknown", reason: "external" } : { kind: "sat", model };
  }
}

const VALUE = /\(\s*b(\d+)\s+(?:#x([0-9a-fA-F]{2})|#b([01]{8})|\(_ bv(\d+) 8\))\s*\)/g;

/** The hint with the values in the text; null if one is missing. */
function parseModel(output: string, bytes: readonly number[], hint: Model): Model | null {
  const values = new Map<number, number>();
  for (const [, index, hex, binary, decimal] of output.matchAll(VALUE)) {
    values.set(
      Number(index),
      hex !== undefined ? Number.parseInt(hex, 16) : Number.parseInt(binary ?? decimal, binary === undefined ? 10 : 2),
    );
  }
  const last = bytes.length === 0 ? 0 : bytes[bytes.length - 1] + 1;
  const model = new Uint8Array(Math.max(hint.length, last));
  model.set(hint);
  for (const byte of bytes) {
    const value = values.get(byte);
    if (value === undefined) return null;
    model[byte] = value;
  }
  return model;
}

/** The query as a script of its own, with the verdict that was given, for a file. */
export function queryScript(arena: ExprArena, constraints: readonly ExprRef[], verdict: string): string {
  const status = verdict === "sat" || verdict === "unsat" ? verdict : "unknown";
  return `; verdict: ${verdict}\n(set-info :status ${status})\n${printSmt(arena, constraints).text}(check-sat)\n`;
}
