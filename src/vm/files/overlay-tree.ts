// Finding things in the overlay: path walking with symbolic links, lookups that fall through to the real disk, merged
// directory listings. A path is resolved here, component by component, before anybody decides what may be done with it:
// what is not on the disk (/dev, /proc) are nodes too, and what is on it is asked for by names without links and dots.
// Directories that were walked through are kept, so that a path costs one question to the real disk (for its last
// component) and not one per component; except where the guest changes the real disk itself.

import { ERRNO } from "../errno.js";
import { permits, type User } from "./disk.js";
import type { HostView } from "./host-view.js";
import { type DirectoryEntry, TYPE } from "./open-file.js";
import {
  DescriptorLink,
  DirectoryNode,
  type FileNode,
  type MadeEntries,
  nodeOnDisk,
  type OverlayNode,
} from "./overlay-nodes.js";
import type { OutputBudget } from "./standard-streams.js";

const LINK_LIMIT = 40;
/** PATH_MAX. */
export const PATH_LIMIT = 4096;

/** Where a path leads: a node, or the place where one could be made. */
export interface Located {
  readonly parent: DirectoryNode;
  /** Empty if the path ends in a directory reached by "/", "." or "..". */
  readonly name: string;
  readonly node: OverlayNode | null;
  /** The path ended in a slash. */
  readonly asDirectory: boolean;
}

export interface TreeParts {
  readonly view: HostView;
  readonly budget: OutputBudget;
  readonly user: User;
  /** What the root has besides the disk. */
  readonly made: (root: DirectoryNode) => MadeEntries;
  /** Whether directories of the disk stay as they are while the run lasts, as far as it is concerned. */
  readonly keepsDirectories: boolean;
}

export class OverlayTree {
  readonly root: DirectoryNode;
  /** Files of the real disk that are open or changed, by device and inode: hard links are one file. */
  private readonly known = new Map<string, FileNode>();
  private readonly parts: TreeParts;

  constructor(parts: TreeParts) {
    this.parts = parts;
    const status = parts.view.status("/");
    const { device, inode } = typeof status === "number" ? { device: 1, inode: 2 } : status;
    this.root = new DirectoryNode(null, "", { view: parts.view, path: "/" }, device, inode, null);
    this.root.made = parts.made(this.root);
  }

  /** Keeps a file as long as the overlay must know it again. */
  remember(node: FileNode): void {
    this.known.set(key(node.device, node.inode), node);
  }

  forgetIfUnchanged(node: FileNode): void {
    if (!node.changed && !node.isOpen) this.known.delete(key(node.device, node.inode));
  }

  /** Those that it knows by their inode. */
  knownFiles(): Iterable<FileNode> {
    return this.known.values();
  }

  /** Whether the real disk has something under that name, whatever the overlay says. */
  isOnDisk(directory: DirectoryNode, name: string): boolean {
    return directory.host !== null && typeof this.parts.view.status(joinPath(directory.host, name)) !== "number";
  }

  lookup(directory: DirectoryNode, name: string): OverlayNode | number {
    const own = directory.children.get(name);
    if (own !== undefined) return own ?? -ERRNO.ENOENT;
    const made = directory.made?.lookup(name) ?? null;
    if (made !== null) {
      if (made instanceof DirectoryNode) directory.children.set(name, made);
      return made;
    }
    const node = this.lookBelow(directory, name);
    if (node instanceof DirectoryNode && this.parts.keepsDirectories) directory.children.set(name, node);
    return node;
  }

  /** What the real disk has under that name. */
  private lookBelow(directory: DirectoryNode, name: string): OverlayNode | number {
    if (directory.host === null) return -ERRNO.ENOENT;
    const { view, budget } = this.parts;
    const host = joinPath(directory.host, name);
    const status = view.status(host);
    if (typeof status === "number") return status;
    if ((status.mode & TYPE.mask) === TYPE.regular) {
      const known = this.known.get(key(status.device, status.inode));
      if (known !== undefined) return known;
    }
    return nodeOnDisk(directory, name, { view, path: host }, status, budget);
  }

  /** Walks an absolute path. `follow` is about a symbolic link as its last component. */
  locate(path: string, follow: boolean): Located | number {
    if (path.length >= PATH_LIMIT) return -ERRNO.ENAMETOOLONG;
    const pending = path.split("/").reverse();
    let directory = this.root;
    let links = 0;
    while (pending.length > 0) {
      const name = pending.pop();
      if (name === undefined || name === "" || name === ".") continue;
      if (name === "..") {
        directory = directory.parent ?? directory;
        continue;
      }
      const more = pending.length > 0;
      if (!this.maySearch(directory)) return -ERRNO.EACCES;
      const node = this.lookup(directory, name);
      if (typeof node === "number") {
        if (node !== -ERRNO.ENOENT || pending.some((rest) => rest !== "")) return node;
        return { parent: directory, name, node: null, asDirectory: more };
      }
      if (node.kind === "directory") {
        if (!more) return { parent: directory, name, node, asDirectory: false };
        directory = node;
        if (pending.every((rest) => rest === "")) {
          return { parent: directory.parent ?? directory, name, node, asDirectory: true };
        }
      } else if (node.kind === "symlink" && (more || follow)) {
        links++;
        if (links > LINK_LIMIT) return -ERRNO.ELOOP;
        let { target } = node;
        if (node instanceof DescriptorLink) {
          if (node.opened.directory === null) {
            if (more) return -ERRNO.ENOTDIR;
            return { parent: directory, name, node: node.opened.node, asDirectory: false };
          }
          target = node.opened.directory;
        }
        if (target === "") return -ERRNO.ENOENT;
        if (target.startsWith("/")) directory = this.root;
        pending.push(...target.split("/").reverse());
      } else {
        if (more) return -ERRNO.ENOTDIR;
        return { parent: directory, name, node, asDirectory: false };
      }
    }
    return { parent: directory.parent ?? directory, name: "", node: directory, asDirectory: true };
  }

  /** Of a directory of the disk, as long as it is unchanged, the disk says so itself. */
  private maySearch({ attributes }: DirectoryNode): boolean {
    const { user } = this.parts;
    return attributes === null || user.user === 0 || permits(attributes, user, 1);
  }

  /** Names with "." and "..": the real directory's in its own order, then what was made in this run. */
  names(directory: DirectoryNode): string[] | number {
    const real = directory.host === null ? [] : this.parts.view.names(directory.host);
    if (typeof real === "number") return real;
    const { children } = directory;
    const changed = new Set<string>();
    const names = [".", ".."];
    for (const name of [...real, ...(directory.made?.names() ?? [])]) {
      const own = children.get(name);
      if (own !== undefined) changed.add(name);
      if (own !== null) names.push(name);
    }
    for (const [name, node] of children) if (node !== null && !changed.has(name)) names.push(name);
    return names;
  }

  /** What a listing says of a name; null if it is gone by now. Only asked for what is delivered: directories are large. */
  entry(directory: DirectoryNode, name: string): DirectoryEntry | null {
    if (name === "." || name === "..") {
      const { inode } = name === "." ? directory : (directory.parent ?? directory);
      return { name, inode, type: TYPE.directory >>> 12 };
    }
    const own = directory.children.get(name);
    if (own === null) return null;
    const node = own ?? directory.made?.lookup(name) ?? this.lookBelow(directory, name);
    return typeof node === "number" ? null : entryOf(name, node);
  }

  isEmpty(directory: DirectoryNode): boolean {
    const names = this.names(directory);
    if (directory.hasUnknown) return false;
    return typeof names === "number" || names.length === 2;
  }
}

export function joinPath(directory: string, name: string): string {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}

function entryOf(name: string, node: OverlayNode): DirectoryEntry {
  return { name, inode: node.inode, type: typeOf(node) };
}

function typeOf(node: OverlayNode): number {
  if (node.kind === "directory") return TYPE.directory >>> 12;
  if (node.kind === "file") return TYPE.regular >>> 12;
  if (node.kind === "symlink") return TYPE.symlink >>> 12;
  const status = node.status();
  return typeof status === "number" ? 0 : (status.mode & TYPE.mask) >>> 12;
}

function key(device: number, inode: number): string {
  return `${device}:${inode}`;
}
