// The shared libraries of a program, as the loader would find them: DT_NEEDED, breadth first, through DT_RPATH, LD_LIBRARY_PATH,
// DT_RUNPATH and the system's folders; and, since the programs of a build tree are often started through a script, through the
// program's own folder and libtool's .libs below it. glibc's own libraries are left out: the machine has a libc of its own.
// Invariant: a library comes once, where it is first needed, as in the loader's order of symbols.

import { realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readRegularFile } from "../support/regular-file.js";
import { type Elf, parseElf } from "./elf.js";
import { type DynamicInfo, dynamicInfo } from "./elf-dynamic.js";

export interface NeededLibrary {
  readonly name: string;
  /** Null: it was not found, or cannot be read. */
  readonly found: { readonly path: string; readonly elf: Elf; readonly dynamic: DynamicInfo } | null;
}

export interface LibrarySearch {
  /** Before all others: libraries with IR that stand for those of the system (TANGENT_LIBRARIES). */
  readonly first: readonly string[];
  /** LD_LIBRARY_PATH of the program's environment. */
  readonly libraryPath: readonly string[];
  /** Further folders, before the system's. */
  readonly folders: readonly string[];
}

/** The libc and what belongs to it or to the compiler. */
const PERSONALITY =
  /^(lib(c|m|pthread|dl|rt|util|resolv|crypt|anl|nsl|mvec|thread_db|BrokenLocale|gcc_s|asan|ubsan|lsan|tsan|gcov)\.so|ld-(linux|musl)|linux-vdso)/;
const SYSTEM =
  "/usr/local/lib/x86_64-linux-gnu /usr/local/lib /lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu /lib64 /usr/lib64 /lib /usr/lib";
/** A hostile file could name any number. */
const MOST_LIBRARIES = 1000;

export function neededLibraries(named: string, dynamic: DynamicInfo, search: LibrarySearch): NeededLibrary[] {
  // $ORIGIN is where the program lies, not where a link to it does.
  const path = realpathSync(named);
  const libraries: NeededLibrary[] = [];
  const seen = new Set<string>();
  const queue = [{ path, dynamic }];
  const nearby = [dirname(named), dirname(path), join(dirname(path), ".libs")];
  for (const user of queue) {
    for (const name of user.dynamic.needed) {
      if (seen.has(name) || PERSONALITY.test(name) || seen.size > MOST_LIBRARIES) continue;
      seen.add(name);
      const found = findLibrary(name, foldersFor(user, dynamic, path, search, nearby));
      libraries.push({ name, found });
      if (found !== null) queue.push({ path: found.path, dynamic: found.dynamic });
    }
  }
  return libraries;
}

interface User {
  readonly path: string;
  readonly dynamic: DynamicInfo;
}

function foldersFor(
  user: User,
  program: DynamicInfo,
  programPath: string,
  { first, libraryPath, folders }: LibrarySearch,
  nearby: readonly string[],
): string[] {
  const own = (list: readonly string[], path: string) =>
    list.map((folder) => folder.replace(/\$(ORIGIN|\{ORIGIN\})/g, dirname(path)));
  // DT_RPATH counts only without DT_RUNPATH, and that of the program for its libraries too.
  const rpath = user.dynamic.runpath.length > 0 ? [] : own(user.dynamic.rpath, user.path);
  const inherited = program.runpath.length > 0 ? [] : own(program.rpath, programPath);
  return [
    ...first,
    ...rpath,
    ...inherited,
    ...libraryPath,
    ...own(user.dynamic.runpath, user.path),
    // The program's own DT_RUNPATH does not count for libraries of libraries; in a build tree they lie there nevertheless.
    ...own(program.runpath, programPath),
    ...folders,
    ...nearby,
    ...SYSTEM.split(" "),
  ];
}

function findLibrary(name: string, folders: readonly string[]): NeededLibrary["found"] {
  for (const path of name.includes("/") ? [name] : folders.map((folder) => join(folder, name))) {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue;
    try {
      const parsed = parseElf(readRegularFile(path));
      const dynamic = parsed.kind === "elf" ? dynamicInfo(parsed.elf) : null;
      if (parsed.kind === "elf" && dynamic !== null) return { path, elf: parsed.elf, dynamic };
    } catch {
      // The loader would look on as well.
    }
  }
  return null;
}
