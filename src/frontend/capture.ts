// What `tangent cc` left inside a file: the bitcode of every module that went into it, and marks for the sources that have none. A linker
// joins such sections by itself, so the IR of an executable travels in the executable, through archives, `mv`, `cp`, `make install` and
// `strip`. The alternative, a database or files beside the objects, is lost at the first `mv`.
// clang's own section is .llvmbc. In objects of the user's compiler ours is called otherwise: where LLVM's plugin for binutils is installed,
// the host's ar takes an object with .llvmbc for LLVM's and leaves its symbols out of the index.
// Invariant: a file's modules come in the order they were linked.

import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readRegularFile } from "../support/regular-file.js";
import { isArchive, readArchive } from "./ar.js";
import { isBitcode, splitModules } from "./bitcode.js";
import { contentOf, definedSymbols, type Elf, isElf, parseElf } from "./elf.js";
import { type DynamicInfo, dynamicInfo } from "./elf-dynamic.js";
import { neededLibraries } from "./needed-libraries.js";
import { parseWrapped, WRAP_SECTION } from "./wrapped-symbols.js";

export const BITCODE_SECTION = ".llvmbc";
/** In objects that the user's own compiler made. */
export const HOST_SECTION = ".tangent.ir";
export const UNCAPTURED_SECTION = ".tangent.none";

/** A source without IR: what it defines is unknown to us. */
export interface UncapturedSource {
  readonly source: string;
  readonly symbols: readonly string[];
  /** "assembly", "C++", or what our clang did not understand. */
  readonly reason: string;
}

/** A shared library that a program needs and that was not built with `tangent cc`. */
export interface ForeignLibrary {
  /** libz.so.1 */
  readonly name: string;
  /** Null: it was not found. */
  readonly path: string | null;
  /** What it defines. */
  readonly symbols: readonly string[];
}

/** One file's IR. */
export type ExtractResult =
  | {
      readonly kind: "captured";
      /** The file that was read: not the one named when that is libtool's wrapper script. */
      readonly path: string;
      readonly modules: readonly Buffer[];
      readonly uncaptured: readonly UncapturedSource[];
      /** Names that it was linked with `--wrap` for. */
      readonly wrapped: readonly string[];
    }
  | { readonly kind: "failed"; readonly message: string };

/** A shared library that was built with `tangent cc`. */
export interface CapturedLibrary {
  readonly name: string;
  readonly path: string;
  /** The names that it gives to others; all else it defines is its own. */
  readonly exports: readonly string[];
  readonly modules: readonly Buffer[];
  readonly wrapped: readonly string[];
}

/** A program's IR, with that of the shared libraries it needs, in the loader's order. */
export type ProgramResult =
  | {
      readonly kind: "captured";
      readonly path: string;
      readonly modules: readonly Buffer[];
      readonly wrapped: readonly string[];
      readonly libraries: readonly CapturedLibrary[];
      readonly uncaptured: readonly UncapturedSource[];
      readonly foreign: readonly ForeignLibrary[];
      /** What the file itself defines, for a program that is linked with shared libraries. */
      readonly natives: readonly string[];
      /** Why there may be no `main` among the modules; null if that is not known. */
      readonly mainIsElsewhere: string | null;
    }
  | { readonly kind: "failed"; readonly message: string };

const HOW_TO_BUILD = 'build it with CC="tangent cc"';

/** Reads an executable, an object, an archive or a bitcode file. */
export function extractBitcode(path: string): ExtractResult {
  const file = readInput(path);
  if (file.kind === "failed") return file;
  const { bytes } = file;
  if (isLibtoolWrapper(bytes)) return extractFromWrapped(path);
  if (bytes.length === 0) return failed(`${path} is empty`);
  if (isBitcode(bytes)) {
    const split = splitModules(bytes);
    if (split.kind === "bad") return failed(`${path} is damaged: ${split.problem}`);
    return { kind: "captured", path, modules: split.modules, uncaptured: [], wrapped: [] };
  }
  if (isArchive(bytes)) return extractFromArchive(path, bytes);
  if (isElf(bytes)) return extractFromElf(path, bytes, path);
  const what = bytes.toString("latin1", 0, 2) === "#!" ? "a script" : "neither an ELF file nor an archive";
  return failed(`${path} is ${what}; name a program that \`tangent cc\` has built, or a .c, .i, .ll or .bc file`);
}

/** The same with the shared libraries that the loader would find in this environment. */
export function extractProgram(path: string, env: NodeJS.ProcessEnv): ProgramResult {
  const extracted = extractBitcode(path);
  const file = extracted.kind === "captured" ? extracted.path : (wrappedBy(path) ?? path);
  const own = dynamicOf(file);
  const empty = { libraries: [], foreign: [], natives: [], mainIsElsewhere: null };
  if (own === null) return extracted.kind === "failed" ? extracted : { ...extracted, ...empty };
  const search = {
    first: foldersIn(env.TANGENT_LIBRARIES),
    libraryPath: foldersIn(env.LD_LIBRARY_PATH),
    folders: wrapperFolders(path),
  };
  const needed = neededLibraries(file, own.dynamic, search);
  const libraries: CapturedLibrary[] = [];
  const foreign: ForeignLibrary[] = [];
  const uncaptured = extracted.kind === "captured" ? [...extracted.uncaptured] : [];
  for (const { name, found } of needed) {
    const part = found === null ? null : extractFromParsed(found.path, found.elf, found.path);
    if (found === null || part?.kind !== "captured") {
      foreign.push({ name, path: found?.path ?? null, symbols: found?.dynamic.exports ?? [] });
      continue;
    }
    const { modules, wrapped } = part;
    libraries.push({ name, path: found.path, exports: found.dynamic.exports, modules, wrapped });
    uncaptured.push(...part.uncaptured);
  }
  const isCxx = own.dynamic.needed.some((name) => /^lib(std)?c\+\+/.test(name));
  const mainIsElsewhere = isCxx ? "it is written in C++, which is not analysed" : null;
  if (extracted.kind === "failed") {
    // Its libraries alone are not a program.
    if (libraries.length === 0) return extracted;
    const why = mainIsElsewhere ?? "its own sources were not compiled by `tangent cc`";
    return failed(
      `${path} cannot be analysed: ${why}; of its libraries ${libraries.map(({ name }) => name).join(", ")} could be`,
    );
  }
  return { ...extracted, libraries, foreign, uncaptured, natives: definedSymbols(own.elf), mainIsElsewhere };
}

function foldersIn(list: string | undefined): string[] {
  return (list ?? "").split(/[:;]/).filter((folder) => folder !== "");
}

function dynamicOf(path: string): { readonly elf: Elf; readonly dynamic: DynamicInfo } | null {
  const file = readInput(path);
  if (file.kind === "failed" || !isElf(file.bytes)) return null;
  const parsed = parseElf(file.bytes);
  if (parsed.kind === "bad") return null;
  const dynamic = dynamicInfo(parsed.elf);
  return dynamic === null ? null : { elf: parsed.elf, dynamic };
}

/** The folders that libtool's wrapper script puts into LD_LIBRARY_PATH: of the program itself, or of the one in .libs below it. */
function wrapperFolders(path: string): string[] {
  const outside = join(dirname(path), "..", basename(path).replace(/^lt-/, ""));
  for (const script of basename(dirname(resolve(path))) === ".libs" ? [path, outside] : [path]) {
    const file = readInput(script);
    if (file.kind === "failed" || !isLibtoolWrapper(file.bytes)) continue;
    const text = file.bytes.toString("latin1", 0, 100_000);
    return foldersIn(/^\s*LD_LIBRARY_PATH="([^"$]*)/m.exec(text)?.[1]);
  }
  return [];
}

export type ReadResult =
  | { readonly kind: "read"; readonly bytes: Buffer }
  | { readonly kind: "failed"; readonly message: string };

export function readInput(path: string): ReadResult {
  try {
    return { kind: "read", bytes: readRegularFile(path) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return failed(`${path}: no such file`);
    if (code === "EISDIR") return failed(`${path} is a directory; name a program that \`tangent cc\` has built`);
    if (code === "EACCES") return failed(`${path} cannot be read: permission denied`);
    return failed(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function failed(message: string): { readonly kind: "failed"; readonly message: string } {
  return { kind: "failed", message };
}

function extractFromElf(path: string, bytes: Buffer, shownAs: string): ExtractResult {
  const parsed = parseElf(bytes);
  if (parsed.kind === "bad") return failed(`${shownAs} cannot be used: ${parsed.problem}`);
  return extractFromParsed(path, parsed.elf, shownAs);
}

const NOT_OURS = "it was not compiled by tangent cc";

function holdsOurs({ sections }: Elf): boolean {
  return sections.some(({ name }) => [BITCODE_SECTION, HOST_SECTION, UNCAPTURED_SECTION].includes(name));
}

function extractFromParsed(path: string, elf: Elf, shownAs: string): ExtractResult {
  const uncaptured = parseUncaptured(contentOf(elf, UNCAPTURED_SECTION));
  const sections = [BITCODE_SECTION, HOST_SECTION].filter((name) => contentOf(elf, name) !== null);
  if (sections.length === 0 && uncaptured.length === 0) {
    return failed(`${shownAs} was not built by \`tangent cc\`: it holds no LLVM IR; ${HOW_TO_BUILD}`);
  }
  const modules: Buffer[] = [];
  for (const name of sections) {
    const split = splitModules(contentOf(elf, name) ?? Buffer.alloc(0));
    if (split.kind === "bad") return failed(`${shownAs} is damaged: in section ${name}, ${split.problem}`);
    modules.push(...split.modules);
  }
  const wrapped = parseWrapped(contentOf(elf, WRAP_SECTION));
  return { kind: "captured", path, modules, uncaptured, wrapped };
}

function extractFromArchive(path: string, bytes: Buffer): ExtractResult {
  const archive = readArchive(bytes, path);
  if (archive.kind === "bad") return failed(`${path} cannot be used: ${archive.problem}`);
  const modules: Buffer[] = [];
  const uncaptured: UncapturedSource[] = [];
  for (const member of archive.members) {
    if (!isElf(member.bytes)) continue;
    const shownAs = `${path}(${member.name})`;
    const parsed = parseElf(member.bytes);
    if (parsed.kind === "elf" && !holdsOurs(parsed.elf)) {
      const symbols = definedSymbols(parsed.elf);
      uncaptured.push({ source: `${basename(path)}(${member.name})`, symbols, reason: NOT_OURS });
      continue;
    }
    const part = extractFromElf(path, member.bytes, shownAs);
    if (part.kind === "failed") return part;
    modules.push(...part.modules);
    uncaptured.push(...part.uncaptured);
  }
  if (modules.length === 0) return failed(`${path} holds no LLVM IR; ${HOW_TO_BUILD}`);
  return { kind: "captured", path, modules, uncaptured, wrapped: [] };
}

/** libtool puts a script in place of a program that is linked with a library not yet installed. */
function isLibtoolWrapper(bytes: Buffer): boolean {
  return (
    bytes[0] === 0x23 && bytes[1] === 0x21 && bytes.toString("latin1", 0, 2000).includes("temporary wrapper script")
  );
}

function extractFromWrapped(path: string): ExtractResult {
  const wrapped = wrappedBy(path);
  return wrapped === null
    ? failed(`${path} is libtool's wrapper script, and what it starts is not there`)
    : extractBitcode(wrapped);
}

/** The program that libtool's wrapper script starts; null: there is none, or it is no such script. */
function wrappedBy(path: string): string | null {
  const file = readInput(path);
  if (file.kind === "failed" || !isLibtoolWrapper(file.bytes)) return null;
  const candidates = [`lt-${basename(path)}`, basename(path)].map((name) => join(dirname(path), ".libs", name));
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}

/** The form of the section: a line of JSON for each source, so that lines of several objects are a section again. */
export function formatUncaptured({ source, symbols, reason }: UncapturedSource): Buffer {
  return Buffer.from(`${JSON.stringify({ source, symbols, reason })}\n`);
}

export function parseUncaptured(content: Buffer | null): UncapturedSource[] {
  return (content?.toString() ?? "").split("\n").flatMap((line) => {
    // Linkers may fill up by zeros. What is not ours is nobody's.
    const entry = parsedOrNull(line.replaceAll("\0", ""));
    if (entry === null || typeof entry.source !== "string" || typeof entry.reason !== "string") return [];
    const symbols = Array.isArray(entry.symbols) ? entry.symbols.filter((name) => typeof name === "string") : [];
    return [{ source: entry.source, symbols, reason: entry.reason }];
  });
}

function parsedOrNull(line: string): { source?: unknown; symbols?: unknown; reason?: unknown } | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
