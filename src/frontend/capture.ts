// What `tangent cc` left inside a file: the bitcode of every module that went into it, in section .llvmbc, and the names of what
// was written in assembly, in section .tangent.asm. A linker joins such sections by itself, so the IR of an executable
// travels in the executable, through archives, `mv`, `cp`, `make install` and `strip`. The alternative, a database or files beside the
// objects, is lost at the first `mv`.
// Invariant: a file's modules come in the order they were linked.

import { basename, dirname, join } from "node:path";
import { readRegularFile } from "../support/regular-file.js";
import { isArchive, readArchive } from "./ar.js";
import { isBitcode, splitModules } from "./bitcode.js";
import { contentOf, isElf, parseElf } from "./elf.js";

export const BITCODE_SECTION = ".llvmbc";
export const ASSEMBLY_SECTION = ".tangent.asm";

/** An object made from an assembly source: it has no IR, so its symbols are unknown to us. */
export interface AssemblyObject {
  readonly source: string;
  readonly symbols: readonly string[];
}

export type ExtractResult =
  | {
      readonly kind: "captured";
      /** The file that was read: not the one named when that is libtool's wrapper script. */
      readonly path: string;
      readonly modules: readonly Buffer[];
      readonly assembly: readonly AssemblyObject[];
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
    return { kind: "captured", path, modules: split.modules, assembly: [] };
  }
  if (isArchive(bytes)) return extractFromArchive(path, bytes);
  if (isElf(bytes)) return extractFromElf(path, bytes, path);
  const what = bytes.toString("latin1", 0, 2) === "#!" ? "a script" : "neither an ELF file nor an archive";
  return failed(`${path} is ${what}; name a program that \`tangent cc\` has built, or a .c, .i, .ll or .bc file`);
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
  const bitcode = contentOf(parsed.elf, BITCODE_SECTION);
  const assembly = parseAssembly(contentOf(parsed.elf, ASSEMBLY_SECTION));
  if (bitcode === null && assembly.length === 0) {
    return failed(`${shownAs} was not built by \`tangent cc\`: it holds no LLVM IR; ${HOW_TO_BUILD}`);
  }
  const split = splitModules(bitcode ?? Buffer.alloc(0));
  if (split.kind === "bad") return failed(`${shownAs} is damaged: in section ${BITCODE_SECTION}, ${split.problem}`);
  return { kind: "captured", path, modules: split.modules, assembly };
}

function extractFromArchive(path: string, bytes: Buffer): ExtractResult {
  const archive = readArchive(bytes, path);
  if (archive.kind === "bad") return failed(`${path} cannot be used: ${archive.problem}`);
  const modules: Buffer[] = [];
  const assembly: AssemblyObject[] = [];
  for (const member of archive.members) {
    if (!isElf(member.bytes)) continue;
    const part = extractFromElf(path, member.bytes, `${path}(${member.name})`);
    if (part.kind === "failed") return part;
    modules.push(...part.modules);
    assembly.push(...part.assembly);
  }
  if (modules.length === 0) return failed(`${path} holds no LLVM IR; ${HOW_TO_BUILD}`);
  return { kind: "captured", path, modules, assembly };
}

/** libtool puts a script in place of a program that is linked with a library not yet installed. */
function isLibtoolWrapper(bytes: Buffer): boolean {
  return (
    bytes[0] === 0x23 && bytes[1] === 0x21 && bytes.toString("latin1", 0, 2000).includes("temporary wrapper script")
  );
}

function extractFromWrapped(path: string): ExtractResult {
  const name = basename(path);
  let result: ExtractResult = failed(`${path} is libtool's wrapper script`);
  for (const wrapped of [`lt-${name}`, name]) {
    result = extractBitcode(join(dirname(path), ".libs", wrapped));
    if (result.kind === "captured") break;
  }
  return result;
}

/** The form of the section: for each source its name and its symbols, each ended by NUL, and a further NUL. */
export function formatAssembly({ source, symbols }: AssemblyObject): Buffer {
  return Buffer.from(`${[source, ...symbols].map((name) => `${name}\0`).join("")}\0`, "latin1");
}

export function parseAssembly(content: Buffer | null): AssemblyObject[] {
  const objects: AssemblyObject[] = [];
  if (content === null) return objects;
  for (const entry of content.toString("latin1").split("\0\0")) {
    const [source, ...symbols] = entry.split("\0").filter((name) => name !== "");
    if (source !== undefined) objects.push({ source, symbols });
  }
  return objects;
}
