// Finding things in the overlay: path walking with symbolic links, lookups that fall through to the real disk, merged
// directory listings. Directories that were walked through are kept, so that a path costs one question to the real disk
// (for its last component) and not one per component.

import * as fs from "node:fs";
import { ERRNO, errnoOf } from "../errno.js";
import { hostPath, hostStatus } from "./host-status.js";
import { type DirectoryEntry, TYPE } from "./open-file.js";
import { DirectoryNode, type FileNode, nodeOnDisk, type OverlayNode } from "./overlay-nodes.js";
import type { OutputBudget } from "./standard-streams.js";

const LINK_LIMIT = 40;
const PATH_LIMIT = 4096;

/** Where a path leads: a node, or the place where one could be made. */
export interface Located {
  readonly parent: DirectoryNode;
  /** Empty if the path ends in a directory reached by "/", "." or "..". */
  readonly name: string;
  readonly node: OverlayNode | null;
  /** The path ended in a slash. */
  readonly asDirectory: boolean;
}
/** The path leads out of the disk, into what FileSystem makes up itself (/proc/self, /dev/fd). */
export interface LocatedSpecial {
  readonly special: string;
}

export class OverlayTree {
  readonly root: DirectoryNode;
  /** Files of the real disk that are open or changed, by device and inode: hard links are one file. */
  private readonly known = new Map<string, FileNode>();
  private readonly budget: OutputBudget;
  private readonly isSpecial: (path: string) => boolean;

  constructor(budget: OutputBudget, isSpecial: (path: string) => boolean) {
    this.budget = budget;
    this.isSpecial = isSpecial;
    const status = hostStatus("/", true);
    const { device, inode } = typeof status === "number" ? { device: 1, inode: 2 } : status;
    this.root = new DirectoryNode(null, "", "/", device, inode, null);
  }

  /** Keeps a file as long as the overlay must know it again. */
  remember(node: FileNode): void {
    this.known.set(key(node.device, node.inode), node);
  }

  forgetIfUnchanged(node: FileNode): void {
    if (!node.changed && !node.isOpen) this.known.delete(key(node.device, node.inode));
  }

  lookup(directory: DirectoryNode, name: string): OverlayNode | number {
    const own = directory.children.get(name);
    if (own !== undefined) return own ?? -ERRNO.ENOENT;
    if (directory.host === null) return -ERRNO.ENOENT;
    const host = joinPath(directory.host, name);
    const status = hostStatus(host, false);
    if (typeof status === "number") return status;
    if ((status.mode & TYPE.mask) === TYPE.regular) {
      const known = this.known.get(key(status.device, status.inode));
      if (known !== undefined) return known;
    }
    const node = nodeOnDisk(directory, name, host, status, this.budget);
    if (node instanceof DirectoryNode) directory.children.set(name, node);
    return node;
  }

  /** Walks an absolute path. `follow` is about a symbolic link as its last component. */
  locate(path: string, follow: boolean): Located | LocatedSpecial | number {
    if (path.length >= PATH_LIMIT) return -ERRNO.ENAMETOOLONG;
    if (this.isSpecial(path)) return { special: path };
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
        if (node.target === "") return -ERRNO.ENOENT;
        if (node.target.startsWith("/")) {
          const whole = [node.target, ...pending.slice().reverse()].join("/");
          if (this.isSpecial(whole)) return { special: whole };
          directory = this.root;
        } else if (this.isSpecial(joinPath(directory.path(), node.target))) {
          return { special: joinPath(directory.path(), node.target) };
        }
        pending.push(...node.target.split("/").reverse());
      } else {
        if (more) return -ERRNO.ENOTDIR;
        return { parent: directory, name, node, asDirectory: false };
      }
    }
    return { parent: directory.parent ?? directory, name: "", node: directory, asDirectory: true };
  }

  /** Entries with "." and "..": the real directory's in its own order, then what was made in this run. */
  entries(directory: DirectoryNode): DirectoryEntry[] | number {
    const up = directory.parent ?? directory;
    const result: DirectoryEntry[] = [
      { name: ".", inode: directory.inode, type: TYPE.directory >>> 12 },
      { name: "..", inode: up.inode, type: TYPE.directory >>> 12 },
    ];
    const real = directory.host === null ? [] : realNames(directory.host);
    if (typeof real === "number") return real;
    const seen = new Set<string>();
    for (const name of real) {
      if (directory.children.get(name) === null) continue;
      seen.add(name);
      const node = this.lookup(directory, name);
      if (typeof node !== "number") result.push(entryOf(name, node));
    }
    for (const [name, node] of directory.children) {
      if (node !== null && !seen.has(name)) result.push(entryOf(name, node));
    }
    return result;
  }

  isEmpty(directory: DirectoryNode): boolean {
    for (const node of directory.children.values()) if (node !== null) return false;
    const real = directory.host === null ? [] : realNames(directory.host);
    return typeof real === "number" || real.every((name) => directory.children.get(name) === null);
  }
}

export function joinPath(directory: string, name: string): string {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}

/** Names in the order of the disk: readdirSync would sort them, and a native program sees them unsorted. */
export function realNames(path: string): string[] | number {
  try {
    const directory = fs.opendirSync(hostPath(path) as unknown as string, { encoding: "latin1" });
    try {
      const names: string[] = [];
      for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) names.push(entry.name);
      return names;
    } finally {
      directory.closeSync();
    }
  } catch (error) {
    return errnoOf(error);
  }
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
