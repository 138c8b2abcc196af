// The compiler driver in host mode: the user's own compiler runs with exactly the arguments given, and at the same time our clang makes
// IR of the same sources, which then goes into the result as a section. What the user's compiler prints, writes and ends with is what
// the build sees; when our clang fails, the result gets a mark instead, and nobody hears of it until the program is looked at.
// bin/tangent's helper does the commonest case, one source to one object, without us (host-launch.ts).
// Invariant: without our sections every file is byte for byte what the user's compiler made.

import type { ChildProcess } from "node:child_process";
import { fstatSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism, constants } from "node:os";
import { basename } from "node:path";
import { runChild, startChild } from "../support/child-process.js";
import { type ArgumentPart, type CommandLine, type Input, objectName, parseCommandLine } from "./arguments.js";
import { formatUncaptured, HOST_SECTION, UNCAPTURED_SECTION } from "./capture.js";
import type { DriverContext } from "./driver-context.js";
import { contentOf, definedSymbols, type Elf, parseElf, withSection } from "./elf.js";
import type { HostCompiler } from "./host-compiler.js";
import { firstError, type IrWishes, irWords, unknownOptions } from "./host-ir.js";
import { gatherFromLto } from "./host-lto.js";
import { compilerEnvironment, type Toolchain } from "./toolchain.js";
import { noteWrapped, wrappedSymbols } from "./wrapped-symbols.js";

export interface HostDriver {
  readonly context: DriverContext;
  /** The command of the user's compiler. */
  readonly compiler: readonly string[];
  /** Null for a compiler of C++: nothing is captured. */
  readonly ir: { readonly compiler: HostCompiler; readonly toolchain: Toolchain; readonly wishes: IrWishes } | null;
  /** As given, without options of ours. */
  readonly words: readonly string[];
  /** The same with response files read. */
  readonly expanded: readonly string[];
  /** The helper has made the object already; only the IR is wanted. */
  readonly nativeDone: boolean;
}

/** Set for the user's compiler, so that one which calls us is noticed. */
export const INSIDE = "TANGENT_CC_INSIDE";

export async function runHostDriver(driver: HostDriver): Promise<number> {
  const line = parseCommandLine(driver.expanded);
  const sources = wantsIr(line, process.cwd())
    ? line.parts.filter(({ input }) => input !== null && isSource(input))
    : [];
  const lto = line.stage === "link" && line.parts.some(({ words }) => /^-flto/.test(words[0]));
  const wrapped = wantsIr(line, process.cwd()) ? wrappedSymbols(line) : [];
  if (sources.length === 0 && !lto && wrapped.length === 0) return runAlone(driver);
  const input = line.inputs.some(({ path }) => path === "-") ? readFileSync(0) : null;
  const stop = new AbortController();
  const irs = makeAll(driver, line, sources, input, stop.signal);
  const status = driver.nativeDone ? 0 : await runNative(driver, input);
  if (status !== 0) {
    stop.abort();
    await irs;
    return status;
  }
  const results = await irs;
  try {
    finish(line, results, lto);
    noteWrapped(line.output ?? "a.out", wrapped);
  } catch (error) {
    // What was made natively is whole; only the IR is not in it.
    driver.context.error(`tangent cc: the IR could not be added: ${(error as Error).message}\n`);
  }
  return 0;
}

/** Does this make something that ought to hold IR? */
function wantsIr(line: CommandLine, folder: string): boolean {
  if (line.stage !== "object" && line.stage !== "link") return false;
  if (line.parts.some(({ words }) => words[0] === "-###" || words[0] === "--help")) return false;
  if (line.output === "/dev/null") return false;
  return !isProbe(folder) && !line.inputs.some(({ path }) => isProbe(path));
}

/** What configure, CMake and Meson compile to learn about the system: nobody runs it in our machine. */
function isProbe(path: string): boolean {
  return (
    /(^|\/)(CMakeFiles\/(CMakeTmp|CMakeScratch|[\d.]+[^/]*\/CompilerId)|meson-private)/.test(path) ||
    /^conftest/.test(basename(path)) ||
    basename(path) === "CMakeCCompilerABI.c"
  );
}

function isSource({ language }: Input): boolean {
  return language === "c" || language === "c++" || language.startsWith("assembler") || language === "other";
}

function environmentOf({ context }: HostDriver): NodeJS.ProcessEnv {
  return { ...context.env, [INSIDE]: "1" };
}

function cannotRun({ compiler, context }: HostDriver, error: Error): number {
  context.error(`tangent cc: cannot run ${compiler[0]}: ${error.message}\n`);
  return 1;
}

function statusOf(status: number | null, signal: NodeJS.Signals | null): number {
  return status ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

function runAlone(driver: HostDriver): number {
  const [file, ...first] = driver.compiler;
  const env = environmentOf(driver);
  const stdio = ["inherit", "inherit", "inherit", ...jobServer(env)] as const;
  const child = runChild(file, [...first, ...driver.words], { env, stdio: [...stdio] });
  return child.error === undefined ? statusOf(child.status, child.signal) : cannotRun(driver, child.error);
}

function runNative(driver: HostDriver, input: Buffer | null): Promise<number> {
  const [file, ...first] = driver.compiler;
  return new Promise((resolve) => {
    const env = environmentOf(driver);
    const child = startChild(file, [...first, ...driver.words], {
      env,
      stdio: [input === null ? "inherit" : "pipe", "inherit", "inherit", ...jobServer(env)],
    });
    child.on("error", (error) => resolve(cannotRun(driver, error)));
    child.on("exit", (status, signal) => resolve(statusOf(status, signal)));
    feed(child, input);
  });
}

/** Node keeps other streams than the first three to itself; but -flto asks make's job server, through the two that MAKEFLAGS names. */
function jobServer(env: NodeJS.ProcessEnv): ("ignore" | number)[] {
  const match = / --jobserver-(?:auth|fds)=(\d+),(\d+)/.exec(env.MAKEFLAGS ?? "");
  if (match === null) return [];
  const streams = [Number(match[1]), Number(match[2])].filter((stream) => stream > 2 && isOpen(stream));
  const last = Math.max(2, ...streams);
  return last > MOST_STREAMS
    ? []
    : Array.from({ length: last - 2 }, (_, at) => (streams.includes(at + 3) ? at + 3 : "ignore"));
}

const MOST_STREAMS = 100;

function isOpen(stream: number): boolean {
  try {
    fstatSync(stream);
    return true;
  } catch {
    return false;
  }
}

function feed(child: ChildProcess, input: Buffer | null): void {
  // It may end before it has read everything.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
}

/** What became of one source. */
interface SourceResult {
  readonly source: string;
  readonly bitcode: Buffer | null;
  /** Why there is no bitcode. */
  readonly reason: string;
}

async function makeAll(
  driver: HostDriver,
  line: CommandLine,
  sources: readonly ArgumentPart[],
  input: Buffer | null,
  stop: AbortSignal,
): Promise<SourceResult[]> {
  const results: SourceResult[] = [];
  let next = 0;
  const worker = async () => {
    while (next < sources.length && !stop.aborted) {
      const index = next++;
      results[index] = await makeIr(driver, line, sources[index], input, stop);
    }
  };
  await Promise.all(Array.from({ length: Math.min(sources.length, availableParallelism()) }, worker));
  return results;
}

/** Each time without the options that our clang did not know. */
const MOST_ATTEMPTS = 4;

async function makeIr(
  driver: HostDriver,
  line: CommandLine,
  part: ArgumentPart,
  input: Buffer | null,
  stop: AbortSignal,
): Promise<SourceResult> {
  const source = part.input?.path ?? "";
  const none = (reason: string): SourceResult => ({ source, bitcode: null, reason });
  if (driver.ir === null || part.input?.language === "c++") return none("C++");
  if (part.input?.language.startsWith("assembler")) return none("assembly");
  if (part.input?.language !== "c") return none("not C");
  const { compiler, toolchain, wishes } = driver.ir;
  const plan = irWords(line, part, compiler, toolchain, wishes);
  if (plan.kind === "none") return none(plan.reason);
  let words = plan.words;
  let errors = "";
  for (let attempt = 0; attempt < MOST_ATTEMPTS && !stop.aborted; attempt++) {
    const args = [...toolchain.clang.args, ...words];
    const made = await runIr(toolchain.clang.file, args, driver, source === "-" ? input : null, stop);
    if (made.kind === "bitcode") return { source, bitcode: made.bytes, reason: "" };
    errors = made.errors;
    const unknown = unknownOptions(errors);
    if (unknown.length === 0) break;
    words = words.filter((word) => !unknown.includes(word));
  }
  return none(shortened(firstError(errors), source));
}

function shortened(error: string, source: string): string {
  const match = /^(.*?):(\d+):\d+: (?:fatal )?error: (.*)$/.exec(error);
  if (match === null) return error;
  return match[1] === source ? `line ${match[2]}: ${match[3]}` : `${match[1]}:${match[2]}: ${match[3]}`;
}

type IrResult =
  | { readonly kind: "bitcode"; readonly bytes: Buffer }
  | { readonly kind: "failed"; readonly errors: string };

function runIr(
  file: string,
  args: readonly string[],
  { context }: HostDriver,
  input: Buffer | null,
  signal: AbortSignal,
): Promise<IrResult> {
  return new Promise((resolve) => {
    const { CPATH, C_INCLUDE_PATH } = context.env;
    const child = startChild(file, args, {
      env: { ...compilerEnvironment(context.env), CPATH, C_INCLUDE_PATH },
      stdio: [input === null ? "ignore" : "pipe", "pipe", "pipe"],
      signal,
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => errors.push(chunk));
    child.on("error", (error) => resolve({ kind: "failed", errors: error.message }));
    child.on("close", (status) => {
      if (status === 0) resolve({ kind: "bitcode", bytes: Buffer.concat(output) });
      else resolve({ kind: "failed", errors: Buffer.concat(errors).toString() });
    });
    feed(child, input);
  });
}

/** Puts the IR and the marks into what was made. */
function finish(line: CommandLine, results: readonly SourceResult[], lto: boolean): void {
  if (line.stage === "link") {
    const gathered = lto ? gatherFromLto(line) : { bitcode: [], marks: [] };
    return addTo(line.output ?? "a.out", results, gathered);
  }
  for (const result of results) addTo(line.output ?? objectName(result.source), [result], { bitcode: [], marks: [] });
}

function addTo(
  path: string,
  results: readonly SourceResult[],
  gathered: { readonly bitcode: readonly Buffer[]; readonly marks: readonly Buffer[] },
): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  const parsed = parseElf(readFileSync(path));
  // LTO by clang makes bitcode of its own, in which nothing can be put.
  if (parsed.kind === "bad") return;
  const { elf } = parsed;
  const bitcode = results.flatMap((result) => (result.bitcode === null ? [] : [result.bitcode]));
  const marks = results.flatMap(({ bitcode, source, reason }) =>
    bitcode === null ? [formatUncaptured({ source, symbols: symbolsFor(elf), reason })] : [],
  );
  const withIr = appended(elf, HOST_SECTION, [...gathered.bitcode, ...bitcode]);
  const marked = appended(withIr, UNCAPTURED_SECTION, [...gathered.marks, ...marks]);
  if (marked !== elf) writeFileSync(path, marked.bytes);
}

/** In a linked file a source's own symbols are not to be told from others'. No C code calls a name of C++'s own. */
function symbolsFor(elf: Elf): string[] {
  return elf.type === "object" ? definedSymbols(elf).filter((name) => !name.startsWith("_Z")) : [];
}

/** What the section has already stays in front. */
function appended(elf: Elf, name: string, parts: readonly Buffer[]): Elf {
  const old = contentOf(elf, name);
  const fresh = parts.filter((part) => old === null || !old.includes(part));
  if (fresh.length === 0) return elf;
  const bytes = withSection(elf, name, Buffer.concat([...(old === null ? [] : [old]), ...fresh]));
  const parsed = parseElf(bytes);
  return parsed.kind === "elf" ? parsed.elf : elf;
}
