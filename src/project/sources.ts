// Which files a report may show. Where a source lies is said by debugging information or by a results file, and both may come
// from anybody: a report that is published must not carry a file of the user's that a repository has named. So only text
// below the project is read, by its real path, and nothing in hidden folders there.

import { createHash } from "node:crypto";
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, normalize, relative, resolve } from "node:path";
import type { ProgramImage } from "../jit/image.js";
import { DEFAULT_TAB_WIDTH, tabWidths } from "./editor-config.js";
import { FOLDER_NAME } from "./project-folder.js";

export interface ReadSource {
  (file: string): string | null;
  /** How wide a tab is in a file; as usual, if it is left out. */
  readonly tabWidth?: (file: string) => number;
}

/** For reports that show no sources. */
export const NO_SOURCES: ReadSource = () => null;

/** Longer ones are no sources that anybody reads. */
const MOST_BYTES = 16 << 20;

/**
 * What is below these roots. With `compiled` (MD5 by path, as compilers note it), of the files that it names only the content that was
 * compiled, wherever that lies: in the project or in the copy that was built.
 */
export function sourcesBelow(given: readonly string[], compiled: ReadonlyMap<string, string> = new Map()): ReadSource {
  const roots = given.flatMap((root) => [root, ...sourcesAround(root)]);
  const real = roots.flatMap((root) => realPath(root) ?? []);
  const read = (file: string): string | null => {
    for (const place of placesOf(file, roots)) {
      const path = realPath(place);
      if (path === null) continue;
      const text = real.some((root) => isShown(relative(root, path))) ? textOf(path, compiled.get(file)) : null;
      if (text !== null) return text;
    }
    return null;
  };
  const widths = roots.map((root) => ({ root, widthOf: tabWidths(root) }));
  const tabWidth = (file: string): number =>
    widths.find(({ root }) => !relative(root, resolve(root, file)).startsWith(".."))?.widthOf(file) ??
    DEFAULT_TAB_WIDTH;
  return Object.assign(read, { tabWidth });
}

/** By path, for `sourcesBelow`. */
export function compiledContents(sources: ProgramImage["sources"]): ReadonlyMap<string, string> {
  return new Map(sources?.files.map(({ path, content }) => [path, content]));
}

/** Each file is read when it is first asked for, and not again. */
export function readOnce(readSource: ReadSource): ReadSource {
  const known = new Map<string, string | null>();
  return (file) => {
    const text = known.get(file);
    if (text !== undefined) return text;
    const read = readSource(file);
    known.set(file, read);
    return read;
  };
}

const BUILT = ["build.ninja", "CMakeCache.txt", "config.status"];
const SOURCES = ["meson.build", "CMakeLists.txt", "configure.ac", "configure.in", "configure"];
/** From a folder that a project is built in to its sources. */
const MOST_LEVELS = 3;

/** Whoever works in a build's own folder has the sources above it, at `../lib/a.c`. Nothing else above a root is looked at. */
export function sourcesAround(root: string): readonly string[] {
  const has = (at: string, names: readonly string[]): boolean => names.some((name) => existsSync(join(at, name)));
  if (!has(root, BUILT) || has(root, SOURCES)) return [];
  let at = dirname(resolve(root));
  for (let level = 0; level < MOST_LEVELS; level++, at = dirname(at)) {
    if (at === homedir() || dirname(at) === at) return [];
    if (has(at, SOURCES)) return [at];
  }
  return [];
}

/**
 * Where a file may lie: at its name; in the copy that was built, if the build has made it there (it is called as if it lay in the
 * project); and, if the compiler named it without saying where that is, below a root.
 */
function placesOf(file: string, roots: readonly string[]): readonly string[] {
  const isAbsolute = file.startsWith("/");
  const below = isAbsolute ? null : normalize(file).replace(/^(\.\.\/)+/, "");
  return [
    resolve(file),
    ...roots.flatMap((root) => {
      const inside = below ?? relative(root, resolve(file));
      if (inside === "" || inside.startsWith("..")) return [];
      return [...(isAbsolute ? [] : [join(root, inside)]), join(root, FOLDER_NAME, "build", inside)];
    }),
  ];
}

/**
 * Of a version that was built in a tree of its own (patch/versions.ts): debugging information calls its files as if they lay in
 * `shownAs`, and what lies there may be another version.
 */
export function sourcesOfVersion(tree: string, shownAs: string): ReadSource {
  const real = realPath(tree);
  const read = (file: string): string | null => {
    const below = relative(shownAs, resolve(shownAs, file));
    const path = below.startsWith("..") || below === "" ? null : realPath(join(tree, below));
    if (path === null || real === null) return null;
    const inside = relative(real, path);
    return !inside.startsWith("..") && inside.split("/").every((name) => !name.startsWith(".")) ? textOf(path) : null;
  };
  const widthOf = tabWidths(tree);
  return Object.assign(read, { tabWidth: (file: string) => widthOf(relative(shownAs, resolve(shownAs, file))) });
}

/** Of a file that is shown. */
export function tabWidthOf(readSource: ReadSource, file: string): number {
  return readSource.tabWidth?.(file) ?? DEFAULT_TAB_WIDTH;
}

/**
 * Where the sources of a program that the user names may lie: below the project or checkout that the program, or the current
 * directory, is in; else below that directory itself.
 */
export function sourceRoots(program: string, directory: string): string[] {
  return [
    enclosing(directory),
    enclosing(dirname(realPath(resolve(directory, program)) ?? resolve(directory, program))),
  ];
}

function enclosing(directory: string): string {
  for (let at = directory; dirname(at) !== at && at !== homedir(); at = dirname(at)) {
    if ([".git", FOLDER_NAME, "tangent.toml"].some((name) => existsSync(join(at, name)))) return at;
  }
  return directory;
}

/** Relative to a root. A build that could not map its paths names the copy it was built in. */
function isShown(below: string): boolean {
  const names = below.split("/");
  const own = names[0] === FOLDER_NAME && names[1] === "build" ? names.slice(2) : names;
  return below !== "" && own.every((name) => !name.startsWith("."));
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Null if it is no regular file of text, or cannot be read. */
function textOf(path: string, content?: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return null;
  }
  try {
    const status = fstatSync(file);
    if (!status.isFile() || status.size > MOST_BYTES) return null;
    const bytes = readFileSync(file);
    if (content !== undefined && createHash("md5").update(bytes).digest("hex") !== content) return null;
    const text = bytes.toString();
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
