// An exploration as the tests and benchmarks ask for it: the command `tangent explore` in a process of its own, its events read
// from --json. Another process, because that is what users start, and because one that dies must not take the others along.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../../..");
const TANGENT = join(ROOT, "bin/tangent");

export interface ExploreRequest {
  readonly program: string;
  /** Compiler flags of a .c program. */
  readonly flags: readonly string[];
  /** Options of `tangent explore`. */
  readonly options: readonly string[];
  readonly args: readonly string[];
  /** In the working directory; one character for each byte. */
  readonly files: readonly { readonly name: string; readonly bytes: string }[];
  readonly timeLimitMs: number;
}

export interface ExploredPath {
  readonly end: string;
  /** Bytes in hexadecimal by object: stdin, arg0, file:A, a name; its second use is name_1. */
  readonly input: Readonly<Record<string, string>>;
}
export interface ExploreFinding {
  readonly kind: string;
  readonly access: "read" | "write" | null;
  readonly message: string;
  readonly confirmed: boolean | null;
  readonly stack: readonly {
    readonly function: string;
    readonly file: string | null;
    readonly line: number;
    readonly origin: string;
  }[];
  readonly input: Readonly<Record<string, string>>;
}
/** statistics.json, as far as we look at it. */
export interface ExploreNumbers {
  readonly reason: string;
  readonly complete: boolean;
  readonly paths: number;
  readonly pending: number;
  readonly ends: Readonly<Record<string, number>>;
  readonly divergences: number;
  readonly findingsNotReproduced: number;
  readonly unconfirmed: number;
  readonly witnessesMissed: number;
  readonly unknown: number;
  readonly losses: Readonly<Record<string, number>>;
  readonly timeMs: number;
  readonly instructions: number;
  readonly instructionsRerun: number;
  readonly coveredBlocks: number;
  readonly totalBlocks: number;
  readonly testsWritten: number;
  readonly solver: { readonly queries: number; readonly timeMs: number };
}
export type ExploreReply =
  | {
      readonly kind: "explored";
      readonly paths: readonly ExploredPath[];
      readonly findings: readonly ExploreFinding[];
      readonly numbers: ExploreNumbers;
      /** 1-based lines of the program that have code and were never executed. */
      readonly uncoveredLines: readonly number[];
      /** What was said on standard error. */
      readonly messages: string;
      readonly status: number | null;
    }
  | { readonly kind: "failed"; readonly message: string };

export const PLAIN_EXPLORATION: ExploreRequest = {
  program: "",
  flags: [],
  options: [],
  args: [],
  files: [],
  timeLimitMs: 60_000,
};

/** How the command came to an end. */
export interface EndedCommand {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Gives the command its words in a working directory, and ends it when its time is up. */
export type CommandRunner = (words: readonly string[], directory: string, timeLimitMs: number) => Promise<EndedCommand>;

/** In a process of its own, unless told otherwise. */
export async function explore(request: ExploreRequest, run: CommandRunner = runAlone): Promise<ExploreReply> {
  const folder = mkdtempSync(join(tmpdir(), "tangent-explore-"));
  try {
    const work = join(folder, "work");
    mkdirSync(work);
    for (const { name, bytes } of request.files) writeFileSync(join(work, name), bytes, "latin1");
    const output = join(folder, "out");
    const flags = request.flags.flatMap((flag) => ["-X", flag]);
    const words = [...request.options, ...flags, "--json", "--output", output, "--", request.program, ...request.args];
    const ended = await run(words, work, request.timeLimitMs);
    return replyOf(request.program, output, ended);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runAlone(words: readonly string[], directory: string, timeLimitMs: number): Promise<EndedCommand> {
  return new Promise((resolvePromise) => {
    const child = spawn(TANGENT, ["explore", ...words], {
      cwd: directory,
      env: { ...process.env, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), timeLimitMs);
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    child.on("close", (status, signal) => {
      clearTimeout(timer);
      const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString("utf8");
      resolvePromise({ stdout: text(out), stderr: text(errors), status, signal });
    });
  });
}

function replyOf(program: string, output: string, { stdout, stderr, status, signal }: EndedCommand): ExploreReply {
  const paths: ExploredPath[] = [];
  const findings: ExploreFinding[] = [];
  let numbers: ExploreNumbers | null = null;
  for (const line of stdout.split("\n")) {
    if (line === "") continue;
    let event: { readonly event: string };
    try {
      event = JSON.parse(line) as typeof event;
    } catch {
      // Cut in the middle: the process was killed.
      break;
    }
    if (event.event === "path") paths.push(event as unknown as ExploredPath);
    else if (event.event === "finding") findings.push(event as unknown as ExploreFinding);
    else if (event.event === "summary") numbers = event as unknown as ExploreNumbers;
  }
  if (numbers === null) return { kind: "failed", message: `ended with ${signal ?? status}\n${stderr}` };
  return {
    kind: "explored",
    paths,
    findings,
    numbers,
    uncoveredLines: uncoveredLines(join(output, "coverage.lcov"), program),
    messages: stderr,
    status,
  };
}

function uncoveredLines(file: string, program: string): number[] {
  const lines: number[] = [];
  let isProgram = false;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line.startsWith("SF:")) isProgram = line.slice(3) === program;
    const match = isProgram ? /^DA:(\d+),0$/.exec(line) : null;
    if (match !== null) lines.push(Number(match[1]));
  }
  return lines;
}
