// Lays a given tree (vm/given-entry.ts) over the disk before the program starts. Entries become nodes of the overlay, as if an earlier
// run had made them, but without its traces: no time moves because of it.
//
// A directory that is whole is a node of its own beside the disk's. What the disk had there is remembered as long as the tree is laid,
// because an entry in it whose content is not known (a directory that was not read, a file that was not opened) is the disk's if
// that has one. Attributes are set at the end, when contents are in place: a mode may forbid what is yet to be done.
// What is in a given directory is laid when somebody looks into it: an exploration runs a thousand times, and looks at little.

import { ERRNO } from "../errno.js";
import type { GivenEntry } from "../given-entry.js";
import type { User } from "./disk.js";
import { MADE_DEVICE, SHARED_MEMORY_DEVICE, type Timestamp, TYPE } from "./open-file.js";
import { type Attributes, DirectoryNode, FileNode, OtherNode, type OverlayNode, SymlinkNode } from "./overlay-nodes.js";
import { type OverlayTree, PATH_LIMIT } from "./overlay-tree.js";
import type { OutputBudget } from "./standard-streams.js";

const OTHER_TYPES = {
  fifo: TYPE.fifo,
  socket: TYPE.socket,
  character: TYPE.character,
  block: TYPE.block,
} as const;

const LONGEST_NAME = 255;
/** A longer file of which only the size is known is one hole: nobody writes so much for a test. */
const LARGEST_SOLID = 0x4000_0000;

export interface GivenParts {
  readonly tree: OverlayTree;
  readonly user: User;
  readonly now: () => Timestamp;
  readonly budget: OutputBudget;
  readonly nextInode: () => number;
}

type Named = Exclude<GivenEntry, { readonly kind: "missing" }>;

export class GivenLayer {
  /** For a directory that is whole, the disk's. */
  private readonly hidden = new Map<DirectoryNode, DirectoryNode>();
  /** Files of several names, by the number that they have in common. */
  private readonly shared = new Map<number, FileNode>();
  private readonly finished = new Set<OverlayNode>();
  /** Laid before contents were in place; null afterwards. */
  private laid: { readonly node: OverlayNode; readonly entry: Named }[] | null = [];
  private contents: ReadonlyMap<string, readonly GivenEntry[]> = new Map();
  private lastParent: { readonly path: string; readonly node: DirectoryNode } | null = null;

  constructor(private readonly parts: GivenParts) {}

  /** Directories come before what is in them; what is in one is listed in the order in which it is given. */
  lay(entries: readonly GivenEntry[]): void {
    const { tops, contents } = indexOf(entries);
    this.contents = contents;
    for (const entry of tops) this.layTop(entry);
  }

  /** The last step: modes and times. */
  settle(): void {
    for (const { node, entry } of this.laid ?? []) this.finish(node, entry);
    this.laid = null;
  }

  private finish(node: OverlayNode, entry: Named): void {
    // Under another of its names: the program may have changed it since.
    if (this.finished.has(node)) return;
    if (entry.inode !== undefined) this.finished.add(node);
    const mode = entry.kind === "link" ? 0o777 : entry.mode & 0o7777;
    node.attributes = this.attributes(typeOf(entry) | mode, entry);
    const { links } = entry;
    if (links === undefined) return;
    if (node.kind !== "directory" || node.unlaid === null) {
      setLinks(node, links);
      return;
    }
    // What will be laid counts by itself.
    const { unlaid } = node;
    node.unlaid = () => {
      unlaid();
      setLinks(node, links);
    };
  }

  private layTop(entry: GivenEntry): void {
    const { path } = entry;
    if (!path.startsWith("/") || path.length >= PATH_LIMIT) return;
    const parent = this.parentOf(path.slice(0, path.lastIndexOf("/")), entry.kind !== "missing");
    if (parent !== null) this.layIn(parent, entry);
  }

  private layIn(parent: DirectoryNode, entry: GivenEntry): void {
    const name = entry.path.slice(entry.path.lastIndexOf("/") + 1);
    if (name === "" || name === "." || name === ".." || name.length > LONGEST_NAME) return;
    const before = this.lookup(parent, name);
    // What we make up ourselves stays; only /dev/shm takes more.
    if (before?.kind === "directory" && before.device === SHARED_MEMORY_DEVICE && before.parent?.name === "dev") {
      this.layLater(before, entry.path);
      return;
    }
    if (parent.device === MADE_DEVICE) return;
    if (before !== null && (before.kind === "made" || before.device === MADE_DEVICE)) return;
    const wasDirectory = parent.children.get(name) !== undefined || parent.host !== null ? isDirectory(before) : false;
    if (entry.kind === "missing") {
      if (before !== null) parent.children.set(name, null);
      if (wasDirectory) parent.addedLinks--;
      return;
    }
    const node = this.nodeFor(entry, parent, name, before);
    if (isDirectory(node) !== wasDirectory) parent.addedLinks += wasDirectory ? -1 : 1;
    parent.children.set(name, node);
    if (node.kind === "directory") this.layLater(node, entry.path);
    if (this.laid === null) this.finish(node, entry);
    else this.laid.push({ node, entry });
  }

  private layLater(node: DirectoryNode, path: string): void {
    this.lastParent = null;
    const content = this.contents.get(path);
    if (content === undefined) return;
    node.unlaid = () => {
      for (const entry of content) this.layIn(node, entry);
    };
  }

  private nodeFor(entry: Named, parent: DirectoryNode, name: string, before: OverlayNode | null): OverlayNode {
    const fresh = (mode: number): Attributes => this.attributes(typeOf(entry) | mode, {});
    const same = before !== null && before.device === parent.device ? before : null;
    const inode = (): number => (same?.kind === kindOf(entry) ? same.inode : this.parts.nextInode());
    switch (entry.kind) {
      case "directory": {
        const old = before?.kind === "directory" ? before : null;
        if (old !== null && !entry.isWhole) {
          old.parent = parent;
          old.attributes = fresh(0o755);
          if (entry.size !== undefined) old.givenSize = entry.size;
          return old;
        }
        const node = new DirectoryNode(parent, name, null, parent.device, inode(), fresh(0o755));
        if (entry.size !== undefined) node.givenSize = entry.size;
        if (old !== null) this.hidden.set(node, old);
        return node;
      }
      case "file": {
        const known = entry.inode === undefined ? undefined : this.shared.get(entry.inode);
        if (known !== undefined) {
          if (entry.links === undefined) known.addedLinks++;
          return known;
        }
        const node = this.fileNode(entry, parent, before);
        if (entry.inode !== undefined) this.shared.set(entry.inode, node);
        return node;
      }
      case "link":
        return new SymlinkNode(entry.to, null, parent.device, inode(), fresh(0o777));
      default:
        return new OtherNode(null, parent.device, inode(), fresh(0o644));
    }
  }

  private fileNode(
    { size }: Extract<Named, { readonly kind: "file" }>,
    parent: DirectoryNode,
    before: OverlayNode | null,
  ): FileNode {
    const attributes = this.attributes(TYPE.regular | 0o644, {});
    if (before?.kind === "file" && before.size() === size) {
      before.attributes = attributes;
      this.parts.tree.remember(before);
      return before;
    }
    // A number of its own: by the disk's it would be taken for the disk's under another name.
    const node = new FileNode(null, parent.device, this.parts.nextInode(), attributes, this.parts.budget);
    if (size <= LARGEST_SOLID) node.fillWithZeros(size);
    else node.resize(size);
    return node;
  }

  /** What is there: given already, or the disk's, also where a whole directory hides it. */
  private lookup(parent: DirectoryNode, name: string): OverlayNode | null {
    const found = this.parts.tree.lookup(parent, name);
    if (typeof found !== "number") return found;
    const old = found === -ERRNO.ENOENT && !parent.children.has(name) ? this.hidden.get(parent) : undefined;
    return old === undefined ? null : this.lookup(old, name);
  }

  private parentOf(path: string, makes: boolean): DirectoryNode | null {
    if (this.lastParent?.path === path) return this.lastParent.node;
    const node = this.directoryAt(path, makes);
    if (node !== null) this.lastParent = { path, node };
    return node;
  }

  /** The directory of that path; where it is missing it is made, or null. Null too if something else is in its place. */
  private directoryAt(path: string, makes: boolean): DirectoryNode | null {
    const located = this.parts.tree.locate(path === "" ? "/" : path, true);
    if (typeof located !== "number" && located.node !== null) {
      return located.node.kind === "directory" ? located.node : null;
    }
    if (!makes || (typeof located === "number" && located !== -ERRNO.ENOENT)) return null;
    const end = path.lastIndexOf("/");
    const name = path.slice(end + 1);
    const parent = end < 0 || name === "" || name === ".." ? null : this.directoryAt(path.slice(0, end), true);
    if (parent === null || parent.device === MADE_DEVICE || this.lookup(parent, name)?.kind === "symlink") return null;
    const attributes = this.attributes(TYPE.directory | 0o755, {});
    const node = new DirectoryNode(parent, name, null, parent.device, this.parts.nextInode(), attributes);
    parent.children.set(name, node);
    parent.addedLinks++;
    return node;
  }

  private attributes(mode: number, { modified, nanoseconds }: Partial<Named>): Attributes {
    const { user } = this.parts;
    const time = modified === undefined ? this.parts.now() : { seconds: modified, nanoseconds: nanoseconds ?? 0 };
    return { mode, user: user.user, group: user.group, accessed: time, modified: time, changed: time };
  }
}

function setLinks(node: OverlayNode, links: number): void {
  const status = node.status();
  if (typeof status === "number") return;
  // Each directory in it has a link to it.
  if (node.kind === "directory" && links > status.links) node.hasUnknown = true;
  node.addedLinks += links - status.links;
}

interface Index {
  /** Entries whose directory is not given itself. */
  readonly tops: readonly GivenEntry[];
  /** What is in each given directory. */
  readonly contents: ReadonlyMap<string, readonly GivenEntry[]>;
}

/** Runs of one test are given the same list. */
const INDEXES = new WeakMap<readonly GivenEntry[], Index>();

function indexOf(entries: readonly GivenEntry[]): Index {
  const known = INDEXES.get(entries);
  if (known !== undefined) return known;
  const contents = new Map<string, GivenEntry[]>();
  const tops: GivenEntry[] = [];
  for (const entry of entries) {
    const content = contents.get(entry.path.slice(0, entry.path.lastIndexOf("/")));
    if (content === undefined) tops.push(entry);
    else content.push(entry);
    if (entry.kind === "directory" && !contents.has(entry.path)) contents.set(entry.path, []);
  }
  const index = { tops, contents };
  INDEXES.set(entries, index);
  return index;
}

function typeOf({ kind }: Named): number {
  if (kind === "directory") return TYPE.directory;
  if (kind === "file") return TYPE.regular;
  return kind === "link" ? TYPE.symlink : OTHER_TYPES[kind];
}

function kindOf({ kind }: Named): OverlayNode["kind"] {
  if (kind === "directory" || kind === "file") return kind;
  return kind === "link" ? "symlink" : "other";
}

function isDirectory(node: OverlayNode | null): boolean {
  return node?.kind === "directory";
}
