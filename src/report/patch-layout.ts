// Where the things of an input lie when it is run below a fresh directory: the deepest directory that holds all of them
// becomes that directory, so that scripts are short and nothing outside is touched. Paths are the invocation's, one
// character a byte.
//
// Whoever made the results may have chosen the paths: none leads out, and nothing is laid through a link.

import { posix } from "node:path";
import { isSystemFile } from "../inputs/system-files.js";
import type { PatchInput, ResultTreeEntry } from "./patch-result.js";

export interface InputLayout {
  /** What became the fresh directory; "/" at the most. */
  readonly base: string;
  /** From there; empty if it is the base. */
  readonly workingDirectory: string;
  /** What has to be made, parents first, links last. Paths are from the base. */
  readonly entries: readonly ResultTreeEntry[];
  /** What could not be laid out, in words. */
  readonly leftOut: readonly string[];
}

export function layoutOf({ workingDirectory, tree, command }: PatchInput): InputLayout {
  const cwd = plain(workingDirectory);
  const leftOut: string[] = [];
  const met = new Set<string>();
  const own: ResultTreeEntry[] = [];
  for (const entry of tree) {
    const path = plain(entry.path);
    if (entry.kind === "missing" || path === "/" || met.has(path) || isSystemFile(path, [cwd])) continue;
    met.add(path);
    if (entry.kind === "socket") leftOut.push(`the socket ${path}`);
    else own.push({ ...entry, path });
  }
  const ends = new Set(own.filter(({ kind }) => kind !== "directory").map(({ path }) => path));
  const usable = own.filter((entry) => {
    if (entry.kind === "link" && leadsAbove(entry.to ?? "", posix.dirname(entry.path))) {
      leftOut.push(`the link ${entry.path}, which leads above the root`);
      return false;
    }
    const isBelowEnd = parentsOf(entry.path).some((path) => ends.has(path));
    const holdsCwd = ends.has(entry.path) && (cwd === entry.path || cwd.startsWith(`${entry.path}/`));
    if (isBelowEnd) leftOut.push(`${entry.path}, which lies behind what is no directory`);
    if (holdsCwd) leftOut.push(`${entry.path}, behind which the program was started`);
    return !isBelowEnd && !holdsCwd;
  });
  const base = commonDirectory([
    cwd,
    ...usable.map((entry) => (entry.kind === "directory" ? entry.path : posix.dirname(entry.path))),
    // A name that goes up must not come out above the fresh directory.
    ...usable.flatMap(({ kind, to = "", path }) => (kind === "link" ? climbs(to, posix.dirname(path)) : [])),
    ...command.slice(1).flatMap((word) => climbs(word, cwd)),
  ]);
  const below = (path: string): string => posix.relative(base, path);
  const rank = ({ kind }: ResultTreeEntry): number => (kind === "directory" ? 0 : kind === "link" ? 2 : 1);
  const entries = usable
    .map((entry) => ({ ...entry, path: below(entry.path) }))
    .filter(({ path }) => path !== "")
    .sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
  return { base, workingDirectory: below(cwd), entries, leftOut };
}

function plain(path: string): string {
  const normal = posix.normalize(`/${path.replaceAll("\0", "")}`).replace(/\/+$/, "");
  return normal === "" ? "/" : normal;
}

function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let at = posix.dirname(path); at !== "/"; at = posix.dirname(at)) parents.push(at);
  return parents;
}

function climbs(word: string, cwd: string): string[] {
  const path = /(?:^|=)(\.\.(?:\/.*)?)$/.exec(word)?.[1] ?? (/^[^/]+\/(?:.*\/)?\.\.(?:\/|$)/.test(word) ? word : null);
  if (path === null) return [];
  const directories: string[] = [];
  // Every directory on the way counts: a/../../b passes above.
  let at = cwd;
  for (const part of path.split("/")) {
    at = posix.normalize(`${at}/${part}`);
    if (part === "..") directories.push(plain(at));
  }
  return directories;
}

/** In a fresh directory that would be somewhere else. */
function leadsAbove(to: string, from: string): boolean {
  let depth = to.startsWith("/") ? 0 : from.split("/").filter((part) => part !== "").length;
  for (const part of to.split("/")) {
    if (part === "..") depth--;
    else if (part !== "" && part !== ".") depth++;
    if (depth < 0) return true;
  }
  return false;
}

function commonDirectory(paths: readonly string[]): string {
  let common = paths[0].split("/");
  for (const path of paths) {
    const parts = path.split("/");
    let length = 0;
    while (length < common.length && common[length] === parts[length]) length++;
    common = common.slice(0, length);
  }
  return common.join("/") || "/";
}
