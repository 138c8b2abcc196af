// Changes of an invocation's tree. Invariant: what is put into a tree has no entries below it unless it is a directory, and nothing
// above it that is neither a directory nor a link, which may lead to one.

import { posix } from "node:path";
import type { Invocation, TreeEntry } from "../invocation.js";
import { isSystemFile } from "../system-files.js";
import { parentOf } from "./invocation-key.js";

export type FileEntry = TreeEntry & { readonly kind: "file" };

/** The absolute path that an argument names, if it names one. */
export function pathOf(invocation: Invocation, text: string): string {
  const path = posix.normalize(text.startsWith("/") ? text : `${invocation.workingDirectory}/${text}`);
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** For people and for arguments: relative to the working directory where that is shorter. */
export function relativePath(invocation: Invocation, path: string): string {
  const inside = `${invocation.workingDirectory}/`;
  return path.startsWith(inside) && path.length > inside.length ? path.slice(inside.length) : path;
}

export function entryAt(invocation: Invocation, path: string): TreeEntry | null {
  return invocation.tree.find((entry) => entry.path === path) ?? null;
}

export function isBelow(path: string, directory: string): boolean {
  return path.startsWith(directory === "/" ? "/" : `${directory}/`) && path !== directory;
}

/** What is in a directory, as far as the tree says. */
export function childrenOf(invocation: Invocation, directory: string): readonly TreeEntry[] {
  return invocation.tree.filter(({ path, kind }) => kind !== "missing" && path !== "/" && parentOf(path) === directory);
}

/** The invocation with an entry in its tree, in the place of what was there; null if there can be nothing. */
export function withEntry(invocation: Invocation, entry: TreeEntry): Invocation | null {
  for (let path = parentOf(entry.path); path !== "/"; path = parentOf(path)) {
    const above = entryAt(invocation, path);
    if (above !== null && above.kind !== "directory" && above.kind !== "link") return null;
  }
  const rest = invocation.tree.filter(
    ({ path }) => path !== entry.path && (entry.kind === "directory" || !isBelow(path, entry.path)),
  );
  return { ...invocation, tree: [...rest, entry] };
}

export function withEntries(invocation: Invocation, entries: readonly TreeEntry[]): Invocation | null {
  let made: Invocation | null = invocation;
  for (const entry of entries) made = made === null ? null : withEntry(made, entry);
  return made;
}

/** A path in a directory that the tree does not know yet. */
export function freshPath(invocation: Invocation, directory: string, name: string): string {
  const prefix = directory === "/" ? "/" : `${directory}/`;
  const taken = new Set(invocation.tree.map(({ path }) => path));
  for (let number = 1; ; number++) {
    const path = `${prefix}${name}${number === 1 ? "" : `-${number}`}`;
    if (!taken.has(path)) return path;
  }
}

/** What an invocation is about: what its operands name, what is below that, and what else is below its working directory. */
export function ownEntries(invocation: Invocation, operands: readonly string[]): readonly TreeEntry[] {
  const named = operands.map((text) => pathOf(invocation, text));
  const rank = ({ path }: TreeEntry): number => {
    const at = named.indexOf(path);
    if (at >= 0) return at;
    const under = named.findIndex((directory) => isBelow(path, directory));
    if (under >= 0) return named.length + under;
    return isBelow(path, invocation.workingDirectory) ? 2 * named.length : Number.POSITIVE_INFINITY;
  };
  // An operand may well name the directory that all the system's files are below.
  const isOwn = ({ path }: TreeEntry): boolean => !isSystemFile(path, [invocation.workingDirectory]);
  return invocation.tree
    .map((entry) => ({ entry, rank: rank(entry) }))
    .filter(({ entry, rank: own }) => Number.isFinite(own) && entry.kind !== "missing" && isOwn(entry))
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}

export function isFile(entry: TreeEntry | null): entry is FileEntry {
  return entry?.kind === "file";
}
