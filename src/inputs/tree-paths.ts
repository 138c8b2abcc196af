// An invocation's tree laid out somewhere else, below another directory (natively: in a scratch directory): where its links lead there,
// and which words and variables name something of it by its absolute path and must be led to the copy.
// Paths are strings of one character a byte.

/** What of an entry matters here. */
export interface TreeLink {
  readonly kind: string;
  readonly path: string;
  readonly to?: string;
}

const MOST_LINKS = 40;

/** Follows the links of a tree as the kernel would if the tree's root were the real one. */
export class TreeLinks {
  private readonly targets = new Map<string, string>();

  constructor(tree: readonly TreeLink[]) {
    for (const { kind, path, to } of tree) {
      if (kind === "link" && to !== undefined && to !== "") this.targets.set(path, to);
    }
  }

  /** The path without links and dots; null if it leads above the root, which natively would be out of the copy, or has no end. */
  resolved(path: string, followsLast: boolean): string | null {
    const pending = path.split("/").reverse();
    const at: string[] = [];
    let links = 0;
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (name === "" || name === ".") continue;
      if (name === "..") {
        if (at.length === 0) return null;
        at.pop();
        continue;
      }
      at.push(name);
      const isLast = pending.every((rest) => rest === "");
      const target = isLast && !followsLast ? undefined : this.targets.get(`/${at.join("/")}`);
      if (target === undefined) continue;
      links++;
      if (links > MOST_LINKS) return null;
      at.pop();
      if (target.startsWith("/")) at.length = 0;
      pending.push(...target.split("/").reverse());
    }
    return `/${at.join("/")}`;
  }

  /** Whether a link stays in the copy, wherever the links on its way lead. A loop leads nowhere, which does no harm. */
  staysInside(path: string, to: string): boolean {
    const directory = this.resolved(path.slice(0, path.lastIndexOf("/")), true);
    if (directory === null) return false;
    return climbs(to) ? this.resolved(to.startsWith("/") ? to : `${directory}/${to}`, true) !== null : true;
  }
}

export interface PlainTree<T> {
  /** Parents first, each path once, without links and dots on its way. */
  readonly entries: readonly T[];
  readonly links: TreeLinks;
  /** Paths of entries that lead out of the tree, or that no place can be said of. */
  readonly dropped: readonly string[];
}

/** Every entry at the place where it really lies: only then do the links that are known say where a path leads. */
export function plainTree<T extends TreeLink>(tree: readonly T[]): PlainTree<T> {
  const dropped: string[] = [];
  const first = new TreeLinks(tree);
  const byPath = new Map<string, T>();
  for (const entry of tree) {
    const path = entry.path.includes("\0") ? null : first.resolved(entry.path, false);
    if (path === null || path === "/") dropped.push(entry.path);
    else if (!byPath.has(path)) byPath.set(path, { ...entry, path });
  }
  let entries = [...byPath.values()].sort((a, b) => depthOf(a.path) - depthOf(b.path));
  for (;;) {
    const links = new TreeLinks(entries);
    const kept = entries.filter(({ path }) => links.resolved(path, false) === path);
    if (kept.length === entries.length) return { entries, links, dropped };
    for (const entry of entries) if (!kept.includes(entry)) dropped.push(entry.path);
    entries = kept;
  }
}

function depthOf(path: string): number {
  return path.split("/").length;
}

function climbs(to: string): boolean {
  return to.split("/").includes("..");
}

/** Directories whose paths are led to the copy: where the entries lie, and none that is below another. */
export function movedRoots(workingDirectory: string, paths: readonly string[]): readonly string[] {
  const all = [workingDirectory, ...paths.map((path) => path.slice(0, path.lastIndexOf("/")) || path)];
  const roots: string[] = [];
  for (const path of [...new Set(all.filter((one) => one !== "/" && one !== ""))].sort()) {
    if (!roots.some((root) => path.startsWith(`${root}/`))) roots.push(path);
  }
  return roots;
}

const PATH_CHARACTER = /[\w./-]/;

/** Where in a word an absolute path below one of the roots begins. Behind an option's letter too; never inside another path. */
export function pathsIn(word: string, roots: readonly string[]): readonly number[] {
  const found: number[] = [];
  const isOption = word.startsWith("-");
  for (let at = word.indexOf("/"); at >= 0; at = word.indexOf("/", at + 1)) {
    const root = roots.find((one) => word.startsWith(one, at) && !isInName(word[at + one.length]));
    const before = word[at - 1];
    const begins =
      before === undefined || !PATH_CHARACTER.test(before) || (isOption && /^-\w*$/.test(word.slice(0, at)));
    if (root === undefined || !begins) continue;
    found.push(at);
    at += root.length - 1;
  }
  return found;
}

function isInName(character: string | undefined): boolean {
  return character !== undefined && character !== "/" && PATH_CHARACTER.test(character);
}
