// What a build has made, when none of it is a program that we can look at: programs of another compiler, libraries alone, C++ alone,
// nothing at all. From that follows what to do, which is another thing each time.

import { closeSync, openSync, readSync, statSync } from "node:fs";
import { relative } from "node:path";
import { BITCODE_SECTION, HOST_SECTION } from "../frontend/capture.js";
import { contentOf, parseElf } from "../frontend/elf.js";
import { readRegularFile } from "../support/regular-file.js";
import { foldersBelow } from "./stand-ins.js";

interface Made {
  /** Relative to where it was looked for. */
  readonly name: string;
  readonly kind: "program" | "shared" | "object";
  readonly hasIr: boolean;
  readonly isCxx: boolean;
  /** By its section .comment: "GCC: (Debian 12.2.0-14) 12.2.0". */
  readonly maker: string | null;
}

/** So many files are looked into. */
const MOST_FILES = 2000;

/** Sentences for people, the first what was made, the others what follows. */
export function explainYield(directory: string): string[] {
  const made = madeIn(directory);
  const archives = countOf(directory, (name) => /\.a$/.test(name));
  const programs = made.filter(({ kind }) => kind === "program");
  const foreign = programs.filter(({ hasIr }) => !hasIr);
  const cxx = foreign.filter(({ isCxx }) => isCxx);
  if (cxx.length > 0 && cxx.length === foreign.length) {
    return [
      `it made ${counted(cxx.length, "program")} in C++ (${names(cxx)}); C++ is built as ever, but not analysed`,
      "a program whose main is C can be: a test program in C that calls the library, perhaps",
    ];
  }
  if (foreign.length > 0) {
    const [{ maker }] = foreign.filter((one) => !one.isCxx);
    const who = maker === null ? "another compiler" : maker;
    return [
      `it made ${counted(foreign.length, "program")} (${names(foreign)}) with ${who}, not with $CC`,
      'a makefile that sets CC itself needs: make CC="$CC"; a configure script that ignores the environment: ./configure CC="$CC"',
    ];
  }
  const libraries = [...made.filter(({ kind }) => kind === "shared"), ...Array(archives).fill(null)].length;
  if (libraries > 0) {
    return [
      `it made ${libraries === 1 ? "a library" : `${libraries} libraries`} and no program; a library is analysed through programs that use it, its tests most likely`,
      "let the build make them: make check TESTS=, an option such as -DBUILD_TESTING=ON or -Dtests=true, or a target of the makefile's",
    ];
  }
  if (made.length > 0) {
    return [
      `it made ${counted(made.length, "object")} and linked none of them`,
      "name a target that links a program in the build command",
    ];
  }
  const sources = countOf(directory, (name) => /\.(cc|cpp|cxx|C)$/.test(name));
  const isC = countOf(directory, (name) => name.endsWith(".c")) > 0;
  return [
    "it made nothing that was compiled: no object, no library, no program",
    !isC && sources > 0
      ? "this is a project in C++, which is not analysed"
      : "is the build command in tangent.toml the right one? $CC is the compiler to use",
  ];
}

function madeIn(directory: string): Made[] {
  const made: Made[] = [];
  let looked = 0;
  for (const { path, entry } of foldersBelow(directory)) {
    if (!entry.isFile() || looked >= MOST_FILES || !isElfFile(path)) continue;
    looked++;
    const one = describe(path, relative(directory, path));
    if (one !== null) made.push(one);
  }
  return made;
}

function describe(path: string, name: string): Made | null {
  let bytes: Buffer;
  try {
    bytes = readRegularFile(path);
  } catch {
    return null;
  }
  const parsed = parseElf(bytes);
  if (parsed.kind === "bad") return null;
  const { elf } = parsed;
  const isProgram = elf.type === "executable" || contentOf(elf, ".interp") !== null;
  const kind = isProgram ? "program" : elf.type === "shared" ? "shared" : "object";
  const comment =
    contentOf(elf, ".comment")
      ?.toString("latin1")
      .split("\0")
      .find((text) => text !== "") ?? null;
  const strings = contentOf(elf, ".dynstr")?.toString("latin1") ?? "";
  const hasIr = [BITCODE_SECTION, HOST_SECTION].some((section) => contentOf(elf, section) !== null);
  return {
    name,
    kind,
    hasIr,
    isCxx: strings.includes("libstdc++.so") || strings.includes("libc++.so"),
    maker: comment,
  };
}

function isElfFile(path: string): boolean {
  const start = Buffer.alloc(4);
  try {
    const file = openSync(path, "r");
    const count = readSync(file, start, 0, 4, 0);
    closeSync(file);
    return count === 4 && start.readUInt32BE(0) === 0x7f454c46;
  } catch {
    return false;
  }
}

function countOf(directory: string, wanted: (name: string) => boolean): number {
  let count = 0;
  for (const { path, entry } of foldersBelow(directory)) {
    if (entry.isFile() && wanted(entry.name) && statSync(path, { throwIfNoEntry: false }) !== undefined) count++;
  }
  return count;
}

function names(made: readonly Made[]): string {
  const shown = made
    .slice(0, 3)
    .map(({ name }) => name)
    .join(", ");
  return made.length > 3 ? `${shown} and others` : shown;
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
