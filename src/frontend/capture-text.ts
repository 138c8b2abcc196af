// IR as text: what the parser reads. Bitcode goes through the compiler, one process for each module, because LLVM's printer
// is the only reader of all its versions; writing a bitcode reader would be the alternative. A process costs 13 ms, a hit in
// the cache a file's reading, so texts are kept by the hash of their bitcode.
// Invariant: texts are latin1 strings, one character for each byte; LLVM prints nothing but ASCII.

import { availableParallelism } from "node:os";
import type { SharedLibrary } from "../ir/module.js";
import { startChild } from "../support/child-process.js";
import { targetOf } from "./bitcode-target.js";
import { type Cache, cacheKey } from "./cache.js";
import { extractProgram, type ForeignLibrary, readInput, type UncapturedSource } from "./capture.js";
import { bitcodeToText, type Command, compilerEnvironment, compileToText, type Toolchain } from "./toolchain.js";

export interface CapturedModule {
  /** The source file as the compiler was told it, else the input's path. */
  readonly name: string;
  readonly text: string;
  /** Null or absent: part of the program itself. */
  readonly library?: SharedLibrary | null;
  /** Names that the file it comes from was linked with `--wrap` for. */
  readonly wrapped?: readonly string[];
}

export interface CaptureProgress {
  readonly done: number;
  readonly total: number;
}

export interface CaptureOptions {
  readonly toolchain: Toolchain;
  readonly cache: Cache;
  readonly env: NodeJS.ProcessEnv;
  /** For sources among the inputs: -I, -D, -std, -fsanitize ... */
  readonly flags?: readonly string[];
  /** Called when a module that was not in the cache is done. */
  readonly onProgress?: (progress: CaptureProgress) => void;
}

export type CaptureResult =
  | {
      readonly kind: "loaded";
      readonly modules: readonly CapturedModule[];
      readonly uncaptured: readonly UncapturedSource[];
      readonly foreign: readonly ForeignLibrary[];
      /** What the programs define natively, whether there is IR of it or not. */
      readonly natives: readonly string[];
      /** Shared libraries whose IR is among the modules: changing one of these files changes the program. */
      readonly files: readonly string[];
      /** Why there may be no `main` among the modules; null if that is not known. */
      readonly mainIsElsewhere: string | null;
    }
  | { readonly kind: "failed"; readonly message: string };

/** A module to be: where its text comes from. */
type Work =
  | { readonly kind: "text"; readonly name: string; readonly text: string }
  | {
      readonly kind: "bitcode";
      readonly path: string;
      readonly bytes: Buffer;
      readonly library: SharedLibrary | null;
      readonly wrapped: readonly string[];
    }
  | { readonly kind: "source"; readonly path: string };

/** C, as it was written or preprocessed. */
function isCSource(path: string): boolean {
  return /\.[ci]$/.test(path);
}

/** The IR of any mixture of programs, objects, archives, .c, .i, .ll and .bc files. */
export async function loadInputs(paths: readonly string[], options: CaptureOptions): Promise<CaptureResult> {
  const work: Work[] = [];
  const uncaptured: UncapturedSource[] = [];
  const foreign: ForeignLibrary[] = [];
  const natives: string[] = [];
  const files: string[] = [];
  const libraryWork: Work[] = [];
  let mainIsElsewhere: string | null = null;
  for (const path of paths) {
    if (/\.(cc|cpp|cxx|C|c\+\+)$/.test(path)) {
      return { kind: "failed", message: `${path}: C++ is not supported; only C sources are` };
    }
    const isC = isCSource(path);
    if (isC || path.endsWith(".ll")) {
      const file = readInput(path);
      if (file.kind === "failed") return file;
      if (isC) work.push({ kind: "source", path });
      else work.push({ kind: "text", name: path, text: file.bytes.toString("latin1") });
      continue;
    }
    const extracted = extractProgram(path, options.env);
    if (extracted.kind === "failed") return extracted;
    const { wrapped } = extracted;
    for (const bytes of extracted.modules)
      work.push({ kind: "bitcode", path: extracted.path, bytes, library: null, wrapped });
    for (const { name, path, exports, modules, wrapped } of extracted.libraries) {
      if (files.includes(path)) continue;
      files.push(path);
      const library = { name, exports: new Set(exports) };
      for (const bytes of modules) libraryWork.push({ kind: "bitcode", path, bytes, library, wrapped });
    }
    uncaptured.push(...extracted.uncaptured);
    natives.push(...extracted.natives);
    foreign.push(...extracted.foreign.filter(({ name }) => !foreign.some((other) => other.name === name)));
    mainIsElsewhere ??= extracted.mainIsElsewhere;
  }
  const texts = await textsOf([...work, ...libraryWork], options);
  return texts.kind === "failed" ? texts : { ...texts, uncaptured, foreign, natives, files, mainIsElsewhere };
}

async function textsOf(
  work: readonly Work[],
  options: CaptureOptions,
): Promise<
  | { readonly kind: "loaded"; readonly modules: readonly CapturedModule[] }
  | { readonly kind: "failed"; readonly message: string }
> {
  const { toolchain, cache } = options;
  const modules: (CapturedModule | undefined)[] = work.map(() => undefined);
  const misses: number[] = [];
  const keys = new Map<number, string>();
  for (const [index, item] of work.entries()) {
    if (item.kind === "text") modules[index] = { name: item.name, text: item.text };
    else if (item.kind === "source") misses.push(index);
    else {
      const key = cacheKey([TEXT_VERSION, toolchain.identity, item.bytes]);
      const hit = cache.get("captured", key);
      if (hit === null) {
        misses.push(index);
        keys.set(index, key);
      } else modules[index] = named(hit.toString("latin1"), item);
    }
  }
  let next = 0;
  let done = 0;
  let failure: string | null = null;
  const environment = compilerEnvironment(options.env);
  const worker = async () => {
    while (next < misses.length && failure === null) {
      const index = misses[next++];
      const item = work[index];
      if (item.kind === "text") continue;
      const command =
        item.kind === "source"
          ? compileToText(toolchain, item.path, "-", options.flags)
          : readingStandardInput(bitcodeToText(toolchain, "-", "-", ownTarget(item.bytes)));
      const output = await run(command, item.kind === "bitcode" ? item.bytes : null, environment);
      if (output.kind === "failed") {
        const what = item.kind === "source" ? "does not compile" : "holds IR that the compiler cannot read";
        failure ??= `${item.path} ${what}:\n${output.message}`;
        return;
      }
      const key = keys.get(index);
      const text = withoutOptnone(output.bytes.toString("latin1"));
      if (key !== undefined) cache.put("captured", key, Buffer.from(text, "latin1"));
      modules[index] = named(text, item);
      done++;
      options.onProgress?.({ done, total: misses.length });
    }
  };
  // Threads beyond the processors would only wait; a machine with one still gains by overlapping start and end.
  const workers = Math.min(misses.length, Math.max(2, availableParallelism()));
  await Promise.all(Array.from({ length: workers }, worker));
  if (failure !== null) return { kind: "failed", message: failure };
  return { kind: "loaded", modules: modules.filter((module) => module !== undefined) };
}

/** Raised when texts are made differently from the same bitcode. */
const TEXT_VERSION = "3";

/** At -O0 clang forbids the inlining of every function, which says nothing about the source: not a wish of the user's. */
function withoutOptnone(text: string): string {
  if (!text.includes(" optnone ")) return text;
  return text.replace(/^attributes #\d+ = \{.* optnone .*$/gm, (line) => line.replace(/ (noinline|optnone)(?= )/g, ""));
}

/** Only targets that tell a libc: what stands in a file decides nothing else. */
function ownTarget(module: Buffer): string | null {
  const target = targetOf(module);
  return target !== null && /^x86_64-(\w+-)?linux-(gnu|musl)$/.test(target) ? target : null;
}

/** `-` alone is taken for C; the language must be named before it. */
function readingStandardInput(command: Command): Command {
  const at = command.args.indexOf("-");
  return { file: command.file, args: [...command.args.slice(0, at), "-x", "ir", ...command.args.slice(at)] };
}

function named(text: string, item: Exclude<Work, { kind: "text" }>): CapturedModule {
  const { library, wrapped } = item.kind === "bitcode" ? item : { library: null, wrapped: [] };
  return { name: sourceName(text) ?? item.path, text, library, wrapped };
}

function sourceName(text: string): string | null {
  const match = /^source_filename = "((?:[^"\\]|\\.)*)"$/m.exec(text.slice(0, 5000));
  return match === null
    ? null
    : match[1].replace(/\\([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}

type RunResult =
  | { readonly kind: "done"; readonly bytes: Buffer }
  | { readonly kind: "failed"; readonly message: string };

function run(command: Command, input: Buffer | null, env: NodeJS.ProcessEnv): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = startChild(command.file, command.args, {
      env,
      stdio: [input === null ? "ignore" : "pipe", "pipe", "pipe"],
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => errors.push(chunk));
    child.on("error", (error) => resolve({ kind: "failed", message: `cannot run ${command.file}: ${error.message}` }));
    child.on("close", (status, signal) => {
      if (status === 0) resolve({ kind: "done", bytes: Buffer.concat(output) });
      else {
        const text = Buffer.concat(errors).toString("utf8").trimEnd();
        resolve({ kind: "failed", message: text || `the compiler ended with ${status ?? signal}` });
      }
    });
    // The compiler may refuse what it reads and be gone before all is written.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}
