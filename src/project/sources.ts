// Which files a report may show. Where a source lies is said by debugging information or by a results file, and both may come
// from anybody: a report that is published must not carry a file of the user's that a repository has named. So only text
// below the project is read, by its real path, and nothing in hidden folders there.

import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { FOLDER_NAME } from "./project-folder.js";

export type ReadSource = (file: string) => string | null;

/** For reports that show no sources. */
export const NO_SOURCES: ReadSource = () => null;

/** Longer ones are no sources that anybody reads. */
const MOST_BYTES = 16 << 20;

export function sourcesBelow(roots: readonly string[]): ReadSource {
  const real = roots.flatMap((root) => realPath(root) ?? []);
  return (file) => {
    const path = realPath(resolve(file));
    return path !== null && real.some((root) => isShown(relative(root, path))) ? textOf(path) : null;
  };
}

/**
 * Of a version that was built in a tree of its own (patch/versions.ts): debugging information calls its files as if they lay in
 * `shownAs`, and what lies there may be another version.
 */
export function sourcesOfVersion(tree: string, shownAs: string): ReadSource {
  const real = realPath(tree);
  return (file) => {
    const below = relative(shownAs, resolve(shownAs, file));
    const path = below.startsWith("..") || below === "" ? null : realPath(join(tree, below));
    if (path === null || real === null) return null;
    const inside = relative(real, path);
    return !inside.startsWith("..") && inside.split("/").every((name) => !name.startsWith(".")) ? textOf(path) : null;
  };
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
function textOf(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return null;
  }
  try {
    const status = fstatSync(file);
    if (!status.isFile() || status.size > MOST_BYTES) return null;
    const text = readFileSync(file, "utf8");
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
