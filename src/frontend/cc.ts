// The compiler driver: what `tangent cc` does beyond starting clang with our configuration. Most command lines never come here:
// bin/tangent starts clang itself. Here come those that some rule rewrites, and those whose result needs work afterwards: shared
// libraries (cc-shared.ts), assembly sources (marked, because they have no IR), UBSan's checks and the sanitizers' macros
// (sanitizer-macros.ts), which are to be in the IR only.
// The last two need each source's object by itself, so a command that compiles and links in one is split in steps.
// Invariant: what clang prints goes to the terminal untouched, and its exit status is ours.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { basename, join } from "node:path";
import {
  type ArgumentPart,
  type CommandLine,
  expandResponseFiles,
  type Input,
  parseCommandLine,
  wordsOf,
} from "./arguments.js";
import { applyRules } from "./arguments-rules.js";
import { cacheDirectory } from "./cache.js";
import { ASSEMBLY_SECTION, BITCODE_SECTION, formatAssembly } from "./capture.js";
import { type NativeFolder, prepareNative } from "./cc-native.js";
import { writeSharedLibrary } from "./cc-shared.js";
import { contentOf, parseElf, symbolsOf, withSection } from "./elf.js";
import { sanitizerMacros } from "./sanitizer-macros.js";
import { findToolchain, type Toolchain } from "./toolchain.js";
import { flagsKnownTo, isUndefinedCheck, trappingSanitizers } from "./ubsan.js";

export interface DriverContext {
  readonly env: NodeJS.ProcessEnv;
  readonly packageRoot: string;
  out(text: string): void;
  error(text: string): void;
}

/** Gives the exit status. */
export function runDriver(args: readonly string[], context: DriverContext): number {
  const expanded = expandResponseFiles(args, readText);
  const { own, rest } = takeOwnOptions(parseCommandLine(expanded).parts, context.env);
  const rewritten = applyRules(rest);
  if (rewritten.kind === "refuse") return fail(context, rewritten.message);
  if (rewritten.kind === "answer") {
    context.out(rewritten.text);
    return 0;
  }
  const line = parseCommandLine(rewritten.words);
  const problem = own.problem ?? refusal(line);
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

interface OwnOptions {
  readonly clang: string | null;
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
  const rest = parts.filter(({ option }) => option !== "--clang" && option !== "--tangent-ubsan");
  return { own: { clang: lastValue("--clang"), checks, problem }, rest };
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
  const child = spawnSync(file, [...args, ...config, ...flagsKnownTo(toolchain.major, words), ...plain], {
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

function objectName(source: string): string {
  return `${basename(source).replace(/\.[^.]*$/, "")}.o`;
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
    const globals = symbolsOf(elf).filter(({ binding, defined }) => defined && binding !== "local");
    const symbols = globals.map(({ name }) => name);
    writeFileSync(object, withSection(elf, ASSEMBLY_SECTION, formatAssembly({ source: input.path, symbols })));
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
