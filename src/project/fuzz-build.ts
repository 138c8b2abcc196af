// How a fuzz target becomes a program: its source, our `main` (runtime/symbolic/fuzzer-main.c), and what the project's build has made. Which
// folders its headers are in, and which libraries it needs, is found by looking: the project's own rules for it want clang's libFuzzer.

import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { definedSymbols, parseElf } from "../frontend/elf.js";
import { dynamicInfo } from "../frontend/elf-dynamic.js";
import { readRegularFile } from "../support/regular-file.js";
import { type FuzzTarget, textOf } from "./fuzz-targets.js";
import { foldersBelow } from "./stand-ins.js";

export const FUZZ_DRIVER = fileURLToPath(new URL("../../../runtime/symbolic/fuzzer-main.c", import.meta.url));
const SYSTEM_HEADERS = ["/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu"];
const MOST_HEADERS = 400;
/** Every program has them. */
const ALWAYS_LINKED = /^(libc\.so|ld-linux|linux-vdso|libgcc_s\.so)/;

/** What a build has left in a folder, for linking. */
export interface Built {
  readonly root: string;
  readonly headers: readonly string[];
  readonly archives: readonly string[];
  readonly shared: readonly string[];
  readonly objects: readonly string[];
  /** Of the system, as the loader names them. */
  readonly needed: readonly string[];
}

/** `programs`: what was linked there; the target will need the same libraries of the system. */
export function lookAround(root: string, programs: readonly string[]): Built {
  const headers: string[] = [];
  const archives: string[] = [];
  const shared: string[] = [];
  const objects: string[] = [];
  for (const { path, entry } of foldersBelow(root)) {
    if (!entry.isFile()) continue;
    if (/\.(h|inc|def)$/.test(entry.name)) headers.push(path);
    else if (entry.name.endsWith(".a")) archives.push(path);
    else if (/\.so(\.[\w.]+)?$/.test(entry.name)) shared.push(path);
    else if (entry.name.endsWith(".o")) objects.push(path);
  }
  const own = new Set(shared.map((path) => stem(path)));
  const needed = new Set([...programs, ...shared].flatMap(neededBy));
  const foreign = [...needed].filter((name) => !ALWAYS_LINKED.test(name) && !own.has(stem(name)));
  return { root, headers: headers.sort(), archives: archives.sort(), shared, objects, needed: foreign.sort() };
}

function stem(path: string): string {
  return basename(path).replace(/\.a$|\.so(\.[\w.]+)?$/, "");
}

function neededBy(path: string): readonly string[] {
  const elf = elfAt(path);
  return elf === null ? [] : (dynamicInfo(elf)?.needed ?? []);
}

function elfAt(path: string): Extract<ReturnType<typeof parseElf>, { kind: "elf" }>["elf"] | null {
  try {
    const parsed = parseElf(readRegularFile(path));
    return parsed.kind === "elf" ? parsed.elf : null;
  } catch {
    return null;
  }
}

/** The words behind `tangent cc`. `more`: sources and objects beside the libraries. */
export function linkWords(
  target: FuzzTarget,
  built: Built,
  output: string,
  flags: readonly string[],
  more: readonly string[] = [],
): readonly string[] {
  const folders = headerFolders(target.source, built);
  const hasConfig = built.headers.some((path) => basename(path) === "config.h");
  return [
    ...["-g", "-O1", "-w"],
    ...(hasConfig ? ["-DHAVE_CONFIG_H"] : []),
    ...folders.map((folder) => `-I${folder}`),
    ...flags,
    ...["-o", output, target.source, FUZZ_DRIVER, ...more],
    ...libraryWords(target, built),
    ...built.needed.map((name) => `-l:${name}`),
  ];
}

/** Archives before shared libraries of the same name; objects where there are neither. */
function libraryWords(target: FuzzTarget, { archives, shared, objects }: Built): readonly string[] {
  const inArchive = new Set(archives.map(stem));
  const dynamic = [...new Map(shared.map((path) => [stem(path), path])).values()].filter(
    (path) => !inArchive.has(stem(path)),
  );
  if (archives.length + dynamic.length > 0) {
    const rpaths = new Set(dynamic.map((path) => `-Wl,-rpath,${dirname(path)}`));
    return ["-Wl,--start-group", ...archives, ...dynamic, "-Wl,--end-group", ...rpaths];
  }
  return objects.filter((path) => basename(path, ".o") !== basename(target.source, ".c") && !hasMain(path));
}

function hasMain(path: string): boolean {
  const elf = elfAt(path);
  return elf === null || definedSymbols(elf).some((name) => name === "main" || name === "LLVMFuzzerTestOneInput");
}

/**
 * What a linker missed, as far as it is here: objects of the build, and helpers beside the target that are no programs of their own.
 * Empty if nothing more can be offered.
 */
export function whatIsMissing(
  target: FuzzTarget,
  built: Built,
  said: string,
  given: readonly string[],
): readonly string[] {
  const names = new Set(
    [...said.matchAll(/undefined (?:reference to|symbol:?) [`'"]?([A-Za-z_]\w*)/g)].map(([, name]) => name),
  );
  if (names.size === 0) return [];
  const objects = built.objects.filter((path) => {
    if (hasMain(path)) return false;
    const elf = elfAt(path);
    return elf !== null && definedSymbols(elf).some((name) => names.has(name));
  });
  const helpers = readdirSync(dirname(target.source))
    .filter((name) => name.endsWith(".c"))
    .map((name) => join(dirname(target.source), name))
    .filter((path) => {
      const text = path === target.source ? null : textOf(path);
      if (text === null || /\bLLVMFuzzerTestOneInput\b|\bmain\s*\(/.test(text)) return false;
      return [...names].some((name) => text.includes(name));
    });
  // A helper may be among the objects already.
  const made = new Set(objects.map((path) => basename(path, ".o")));
  const found = [...objects, ...helpers.filter((path) => !made.has(basename(path, ".c")))];
  return found.filter((path) => !given.includes(path));
}

/** Where the headers are that a source includes, and those that these include. */
export function headerFolders(source: string, { root, headers }: Pick<Built, "root" | "headers">): readonly string[] {
  const folders = new Set([dirname(source), root]);
  const waiting = [source];
  const seen = new Set(waiting);
  for (let path = waiting.shift(); path !== undefined && seen.size < MOST_HEADERS; path = waiting.shift()) {
    for (const { name, isOwn } of includesOf(path)) {
      const beside = join(dirname(path), name);
      const found = isOwn && existsSync(beside) ? beside : headerNamed(name, isOwn, headers);
      if (found === null || seen.has(found)) continue;
      seen.add(found);
      waiting.push(found);
      if (found !== beside) folders.add(found.slice(0, -name.length - 1));
    }
  }
  return [...folders];
}

function includesOf(path: string): { readonly name: string; readonly isOwn: boolean }[] {
  if (!/^\.(c|h|inc|def)$/.test(extname(path))) return [];
  const text = textOf(path) ?? "";
  return [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]/gm)].map(([, open, name]) => ({
    name,
    isOwn: open === '"',
  }));
}

/** The one nearest to the top, in a folder for public headers if there is one. */
function headerNamed(name: string, isOwn: boolean, headers: readonly string[]): string | null {
  if (!isOwn && SYSTEM_HEADERS.some((folder) => existsSync(join(folder, name)))) return null;
  const found = headers.filter((path) => path.endsWith(`${sep}${name}`));
  const rank = (path: string): number => path.split(sep).length - (path.includes(`${sep}include${sep}`) ? 1.5 : 0);
  return found.sort((a, b) => rank(a) - rank(b))[0] ?? null;
}
