// Compiling sources of the library, several at a time, each result kept in the cache under everything it was made from.
// A process per source: clang itself starts processes when given several, so nothing would be saved by one call.

import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runChild, startChild } from "../support/child-process.js";
import { type Cache, cacheKey, makeFolder } from "./cache.js";
import { compileSource, groupOf, libcFolders, type SourceName, sourcePath } from "./libc-sources.js";
import { stripText } from "./libc-text.js";
import { type Command, compilerEnvironment, type Toolchain, zigEnvironment } from "./toolchain.js";

export interface LibcCompiler {
  readonly toolchain: Toolchain;
  readonly cache: Cache;
  readonly env: NodeJS.ProcessEnv;
  /** Hash of what all sources depend on: compiler, flags, headers. */
  readonly identity: string;
}

/** Our own bug, or a broken installation: the library's sources are ours to keep compilable. */
export class LibcError extends Error {}

/** The texts of all the sources. `onDone` is called after each one that had to be compiled. */
export async function compileAll(
  compiler: LibcCompiler,
  sources: readonly SourceName[],
  jobs: number,
  onDone: (done: number, total: number) => void,
): Promise<Map<SourceName, string>> {
  const texts = new Map<SourceName, string>();
  const missing: SourceName[] = [];
  for (const source of sources) {
    const text = cached(compiler, source);
    if (text === null) missing.push(source);
    else texts.set(source, text);
  }
  if (missing.length === 0) return texts;
  // The Zig ones take seconds: they must not come last.
  missing.sort((a, b) => Number(groupOf(b) === "zig") - Number(groupOf(a) === "zig"));
  const folder = workFolder(compiler.toolchain);
  let next = 0;
  let done = 0;
  let failure: LibcError | null = null;
  const worker = async (): Promise<void> => {
    while (next < missing.length && failure === null) {
      const source = missing[next++];
      const output = join(folder, `${next}.ll`);
      const command = compileSource(compiler.toolchain, source, output);
      const problem = await run(command, folder, environment(compiler, source, folder));
      if (problem === null) texts.set(source, keep(compiler, source, output));
      else failure ??= new LibcError(failureMessage(source, command, problem));
      onDone(++done, missing.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(jobs, missing.length) }, worker));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (failure !== null) throw failure;
  return texts;
}

/** One source, now: for what could not be foreseen. */
export function compileOne(compiler: LibcCompiler, source: SourceName): string {
  const text = cached(compiler, source);
  if (text !== null) return text;
  const folder = workFolder(compiler.toolchain);
  try {
    const output = join(folder, "one.ll");
    const command = compileSource(compiler.toolchain, source, output);
    const result = runChild(command.file, [...command.args], {
      cwd: folder,
      env: environment(compiler, source, folder),
      encoding: "utf8",
    });
    if (result.error !== undefined || result.status !== 0) {
      throw new LibcError(failureMessage(source, command, result.error?.message ?? result.stderr));
    }
    return keep(compiler, source, output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function entryKey(compiler: LibcCompiler, source: SourceName): string {
  const path = sourcePath(libcFolders(compiler.toolchain), source);
  return cacheKey([compiler.identity, source, readFileSync(path)]);
}

function cached(compiler: LibcCompiler, source: SourceName): string | null {
  return compiler.cache.get("libc", entryKey(compiler, source))?.toString("latin1") ?? null;
}

function keep(compiler: LibcCompiler, source: SourceName, output: string): string {
  const text = stripText(readFileSync(output, "latin1"));
  rmSync(output);
  compiler.cache.put("libc", entryKey(compiler, source), Buffer.from(text, "latin1"));
  return text;
}

/** zig insists on a cache of its own: where ours is, or with the outputs if that cannot be written. */
function environment(compiler: LibcCompiler, source: SourceName, folder: string): NodeJS.ProcessEnv {
  const env = compilerEnvironment(compiler.env);
  if (groupOf(source) !== "zig") return env;
  let directory = compiler.cache.zigDirectory;
  try {
    makeFolder(directory);
  } catch {
    directory = join(folder, "zig-cache");
  }
  return zigEnvironment(compiler.toolchain, directory, env);
}

/** A folder for the outputs, laid out so that the roots of runtime/zig find the library's files beside themselves. */
function workFolder(toolchain: Toolchain): string {
  let folder: string;
  try {
    // TMPDIR may be relative, and compilers run elsewhere.
    folder = mkdtempSync(join(resolve(tmpdir()), "tangent-libc-"));
  } catch (error) {
    throw new LibcError(
      `The C library cannot be compiled: no temporary folder can be made in ${tmpdir()} (${(error as Error).message}). ` +
        "Make room there, or set TMPDIR to another folder.",
    );
  }
  const { runtime, zigLibrary } = libcFolders(toolchain);
  const roots = join(runtime, "zig");
  for (const root of readdirSync(roots)) copyFileSync(join(roots, root), join(folder, root));
  for (const name of ["compiler_rt", "c"]) {
    try {
      symlinkSync(join(zigLibrary, name), join(folder, name), "dir");
    } catch {
      cpSync(join(zigLibrary, name), join(folder, name), { recursive: true });
    }
  }
  return folder;
}

function run(command: Command, cwd: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  return new Promise((resolve) => {
    const child = startChild(command.file, [...command.args], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      errors += chunk;
    });
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? null : `${errors}ended with ${code ?? signal}`));
  });
}

function failureMessage(source: SourceName, command: Command, problem: string): string {
  return (
    `The C library's source ${source} could not be compiled: ${problem.trim()}\n` +
    `The command was: ${command.file} ${command.args.join(" ")}\n` +
    "If the disk is not full and the toolchain is complete, this is a bug in Tangent: please report it."
  );
}
