// The compiler driver: chooses the personality, and does what `tangent cc` does in the embedded one beyond starting clang with our
// configuration (host-cc.ts is the driver of the other). Most command lines never come here:
// bin/tangent starts clang itself. Here come those that some rule rewrites, and those whose result needs work afterwards: shared
// libraries (cc-shared.ts), assembly sources (marked, because they have no IR) and UBSan's checks, which are to be in the IR only.
// The last two need each source's object by itself, so a command that compiles and links in one is split in steps.
// Invariant: what clang prints goes to the terminal untouched, and its exit status is ours.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { runChild } from "../support/child-process.js";
import {
  type ArgumentPart,
  type CommandLine,
  expandResponseFiles,
  type Input,
  objectName,
  parseCommandLine,
  wordsOf,
} from "./arguments.js";
import { applyRules } from "./arguments-rules.js";
import { cacheDirectory, openCache } from "./cache.js";
import { BITCODE_SECTION, formatUncaptured, UNCAPTURED_SECTION } from "./capture.js";
import { type NativeFolder, prepareNative } from "./cc-native.js";
import { writeSharedLibrary } from "./cc-shared.js";
import type { DriverContext } from "./driver-context.js";
import { contentOf, definedSymbols, parseElf, withSection } from "./elf.js";
import { INSIDE, runHostDriver } from "./host-cc.js";
import { chooseCompiler, chooseCxx } from "./host-compiler.js";
import { prepareLaunch } from "./host-launch.js";
import { tellRecording } from "./recorded-link.js";
import { sanitizerMacros } from "./sanitizer-macros.js";
import { findToolchain, type Toolchain } from "./toolchain.js";
import { flagsKnownTo, isUndefinedCheck, trappingSanitizers } from "./ubsan.js";
import { noteWrapped, wrappedSymbols } from "./wrapped-symbols.js";

/** Gives the exit status. */
export async function runDriver(args: readonly string[], context: DriverContext): Promise<number> {
  const nativeDone = args[0] === NATIVE_DONE;
  const given = nativeDone ? args.slice(1) : args;
  const expanded = expandResponseFiles(given, readText);
  const { own, rest } = takeOwnOptions(parseCommandLine(expanded).parts, context.env);
  if (own.problem !== null) return fail(context, own.problem);
  const choice = chooseCompiler({
    env: context.env,
    named: own.compiler,
    launcher: join(context.packageRoot, "bin", "tangent"),
    cache: openCache(cacheDirectory(context.env)),
    root: rest.filter(({ option }) => option === "--sysroot" || option === "-isysroot").flatMap(({ words }) => words),
  });
  if (choice.kind === "missing") return fail(context, choice.message);
  const tell = async (status: number): Promise<number> => {
    if (status === 0) await tellRecording(parseCommandLine(wordsOf(rest)), context.env);
    return status;
  };
  if (choice.kind === "embedded") return tell(runEmbedded(own, rest, context));
  if (context.env[INSIDE] !== undefined) {
    return fail(context, `${choice.compiler.words[0]} is tangent itself; set TANGENT_CC to the compiler to be called`);
  }
  const found = findToolchain({ env: context.env, clang: own.clang });
  if (found.kind === "missing") return fail(context, found.message);
  const { toolchain } = found;
  if (own.clang === null && own.compiler === null) prepareLaunch({ compiler: choice.compiler, toolchain, ...context });
  const wishes = { checks: own.checks, macros: sanitizerMacros(context.env) };
  const status = await runHostDriver({
    context,
    compiler: choice.compiler.words,
    ir: { compiler: choice.compiler, toolchain, wishes },
    // Options of ours in response files are nobody's.
    words: wordsOf(takeOwnOptions(parseCommandLine(given).parts, {}).rest),
    expanded: wordsOf(rest),
    nativeDone,
  });
  return tell(status);
}

/** `tangent c++`: the user's own compiler of C++, whose objects say that they have no IR. */
export async function runCxxDriver(words: readonly string[], context: DriverContext): Promise<number> {
  const compiler = chooseCxx({ env: context.env, launcher: join(context.packageRoot, "bin", "tangent") });
  if (compiler === null) {
    context.error("tangent c++: there is no compiler of C++ (TANGENT_CXX, c++, g++, clang++)\n");
    return 1;
  }
  const expanded = expandResponseFiles(words, readText);
  return runHostDriver({ context, compiler, ir: null, words, expanded, nativeDone: false });
}

function runEmbedded(own: OwnOptions, rest: readonly ArgumentPart[], context: DriverContext): number {
  const rewritten = applyRules(rest);
  if (rewritten.kind === "refuse") return fail(context, rewritten.message);
  if (rewritten.kind === "answer") {
    context.out(rewritten.text);
    return 0;
  }
  const line = parseCommandLine(rewritten.words);
  const problem = refusal(line);
  if (problem !== null) return fail(context, problem);
  const found = findToolchain({ env: context.env, clang: own.clang });
  if (found.kind === "missing") return fail(context, found.message);
  const native = prepareNative({
    toolchain: found.toolchain,
    cacheDirectory: cacheDirectory(context.env),
    packageRoot: context.packageRoot,
    env: context.env,
    onNote: (text) => context.error(`tangent cc: ${text}\n`),
  });
  if (native.kind === "failed") return fail(context, native.message);
  const driver: Driver = {
    context,
    toolchain: found.toolchain,
    folder: native.folder,
    checks: own.checks,
    macros: sanitizerMacros(context.env),
    line,
  };
  const status = make(driver);
  // No linker makes our shared libraries.
  if (status !== 0 || isShared(line)) return status;
  try {
    noteWrapped(line.output ?? "a.out", wrappedSymbols(line));
  } catch (error) {
    return fail(context, `what --wrap says could not be kept: ${(error as Error).message}`);
  }
  return 0;
}

function make(driver: Driver): number {
  const { line } = driver;
  const special = line.inputs.some((input) => needsWork(driver, input)) || (isShared(line) && line.stage === "link");
  if (!special || (line.stage !== "object" && line.stage !== "link")) return compile(driver, wordsOf(line.parts));
  return line.stage === "object" ? compileObjects(driver) : compileAndLink(driver);
}

interface Driver {
  readonly context: DriverContext;
  readonly toolchain: Toolchain;
  readonly folder: NativeFolder;
  /** UBSan's checks for the IR; empty: none. */
  readonly checks: string;
  /** Options that make the sanitizers' macros; empty: none. */
  readonly macros: readonly string[];
  readonly line: CommandLine;
}

function fail(context: DriverContext, message: string): number {
  context.error(`tangent cc: ${message}\n`);
  return 1;
}

/** Before all others: the helper of bin/tangent has made the object natively, and could not make the IR. */
const NATIVE_DONE = "--tangent-native-done";

const OWN_OPTIONS: ReadonlySet<string> = new Set(["--clang", "--cc", "--tangent-ubsan"]);

interface OwnOptions {
  readonly clang: string | null;
  /** The user's own, or "embedded". */
  readonly compiler: string | null;
  readonly checks: string;
  readonly problem: string | null;
}

function takeOwnOptions(
  parts: readonly ArgumentPart[],
  env: NodeJS.ProcessEnv,
): { readonly own: OwnOptions; readonly rest: readonly ArgumentPart[] } {
  const lastValue = (name: string) => parts.findLast(({ option }) => option === name)?.value ?? null;
  const checks = lastValue("--tangent-ubsan") ?? env.TANGENT_UBSAN ?? "";
  const unknown = checks.split(",").find((name) => name !== "" && !isUndefinedCheck(name));
  const problem = unknown === undefined ? null : `${unknown} is none of UBSan's checks for C`;
  const rest = parts.filter(({ option }) => !OWN_OPTIONS.has(option ?? ""));
  return { own: { clang: lastValue("--clang"), compiler: lastValue("--cc"), checks, problem }, rest };
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function refusal(line: CommandLine): string | null {
  // Preprocessing is harmless, and configure scripts try `-x c++ -E`.
  if (line.stage === "preprocess") return null;
  for (const { path, language } of line.inputs) {
    if (language === "c++") return `${path}: C++ is not supported; tangent runs C programs`;
    if (language === "other") return `${path}: this language is not supported; tangent runs C programs`;
  }
  return null;
}

function isShared(line: CommandLine): boolean {
  return line.parts.some(({ words }) => words[0] === "-shared" || words[0] === "-Wl,-shared");
}

function isSource({ language }: Input): boolean {
  return language !== "object" && language !== "header";
}

function isAssembly({ language }: Input): boolean {
  return language === "assembler" || language === "assembler-with-cpp";
}

function needsWork(driver: Driver, input: Input): boolean {
  // Standard input can be read only once.
  if (input.path === "-") return false;
  return isAssembly(input) || ((driver.checks !== "" || driver.macros.length > 0) && input.language === "c");
}

function compile(driver: Driver, words: readonly string[], stdio: "inherit" | "pipe" = "inherit"): number {
  const { toolchain, folder, context } = driver;
  const bare = words.includes("-nostdinc");
  const config = ["--config", bare ? folder.bareConfig : folder.config];
  // Bitcode made on demand is not to have itself inside.
  const plain = words.includes("-emit-llvm") ? ["-Xclang", "-fembed-bitcode=off"] : [];
  const { file, args } = toolchain.clang;
  const child = runChild(file, [...args, ...config, ...flagsKnownTo(toolchain.major, words), ...plain], {
    env: context.env,
    stdio: ["inherit", stdio, "inherit"],
  });
  if (child.error !== undefined) return fail(context, `cannot run ${file}: ${child.error.message}`);
  return child.status ?? 128 + (child.signal === null ? 0 : constants.signals[child.signal]);
}

function compileObjects(driver: Driver): number {
  const { line } = driver;
  const status = compile(driver, wordsOf(line.parts));
  if (status !== 0) return status;
  for (const input of line.inputs) {
    if (!isSource(input)) continue;
    const finished = finish(driver, input, line.output ?? objectName(input.path));
    if (finished !== 0) return finished;
  }
  return 0;
}

function compileAndLink(driver: Driver): number {
  const { line, context, folder } = driver;
  const temporary = mkdtempSync(join(tmpdir(), "tangent-cc-"));
  try {
    const linked: ArgumentPart[] = [];
    for (const [index, part] of line.parts.entries()) {
      // Objects follow whose language is not to be named.
      if (part.option === "-x") continue;
      if (part.input === null || !isSource(part.input)) {
        linked.push(part);
        continue;
      }
      const object = join(temporary, `${index}-${objectName(part.input.path)}`);
      const status = compile(driver, [...compileWords(line, part), "-c", "-o", object]);
      if (status !== 0) return status;
      const finished = finish(driver, part.input, object);
      if (finished !== 0) return finished;
      linked.push({ words: [object], option: null, value: null, input: { path: object, language: "object" } });
    }
    if (!isShared(line)) return compile(driver, wordsOf(linked));
    const written = writeSharedLibrary(linked, line.output ?? "a.out", folder.libraries);
    return written.kind === "failed" ? fail(context, written.message) : 0;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

const LINKING =
  /^-(Wl,.*|Xlinker|shared|static|static-libgcc|r|rdynamic|s|pie|no-pie|nostdlib|nostartfiles|nodefaultlibs)$/;

/** What concerns the compiling of one of the sources. */
function compileWords(line: CommandLine, source: ArgumentPart): string[] {
  const words: string[] = [];
  for (const part of line.parts) {
    if (part === source) words.push(...part.words);
    else if (part.input !== null || part.option === "-o" || part.option === "-l" || part.option === "-L") continue;
    else if (!LINKING.test(part.words[0])) words.push(...part.words);
  }
  return words;
}

/** Marks what was assembled; replaces the IR of what was compiled by the IR with checks. */
function finish(driver: Driver, input: Input, object: string): number {
  if (!needsWork(driver, input)) return 0;
  const parsed = parseElf(readFileSync(object));
  if (parsed.kind === "bad") return fail(driver.context, `${object}: ${parsed.problem}`);
  const { elf } = parsed;
  if (isAssembly(input)) {
    // What -S wrote holds its IR already.
    if (contentOf(elf, BITCODE_SECTION) !== null) return 0;
    const mark = { source: input.path, symbols: definedSymbols(elf), reason: "assembly" };
    writeFileSync(object, withSection(elf, UNCAPTURED_SECTION, formatUncaptured(mark)));
    return 0;
  }
  const bitcode = `${object}.${process.pid}.bc`;
  try {
    const part = driver.line.parts.find((candidate) => candidate.input === input);
    const own = part === undefined ? [] : withoutDependencies(compileWords(driver.line, part));
    const checks = trappingSanitizers(driver.checks);
    const unoptimised = ["-c", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-w", "-Qunused-arguments"];
    const status = compile(driver, [...own, ...checks, ...driver.macros, ...unoptimised, "-o", bitcode]);
    if (status !== 0 && checks.length === 0) {
      // It may need headers or functions that only a sanitizer has; the IR of the plain compile is there.
      driver.context.error(
        `tangent cc: ${input.path} is kept without the sanitizers' macros, which it does not compile with\n`,
      );
      return 0;
    }
    if (status === 0) writeFileSync(object, withSection(elf, BITCODE_SECTION, readFileSync(bitcode)));
    return status;
  } finally {
    rmSync(bitcode, { force: true });
  }
}

/** The second compile of a source must not write its dependencies again, for another output. */
function withoutDependencies(words: readonly string[]): string[] {
  const result: string[] = [];
  for (let at = 0; at < words.length; at++) {
    if (/^-(MF|MT|MQ|MJ)$/.test(words[at])) at++;
    else if (!/^-(M|MM|MD|MMD|MP|MG|MF.+|MT.+|MQ.+|Wp,-M.*)$/.test(words[at])) result.push(words[at]);
  }
  return result;
}
