// The copy-on-write disk: reads come from the real one, changes stay in memory and are seen by later reads of this run.
// No function of Node's that changes a disk is called here or in the files this one uses; a test checks a tree's
// checksum before and after, and the imports of these files.

import { ERRNO } from "../errno.js";
import { type Disk, type DiskSpace, permits, RENAME, type User } from "./disk.js";
import type { HostView } from "./host-view.js";
import {
  type DirectoryEntry,
  type FileStatus,
  MADE_DEVICE,
  OPEN,
  type OpenFile,
  SHARED_MEMORY_DEVICE,
  type Timestamp,
  TYPE,
} from "./open-file.js";
import { type FileChange, overlayChanges } from "./overlay-changes.js";
import { OverlayDirectory, type OverlayEvents, OverlayFile } from "./overlay-files.js";
import { GivenLayer } from "./overlay-given.js";
import {
  type Attributes,
  DirectoryNode,
  FileNode,
  type MadeEntries,
  OtherNode,
  type OverlayNode,
  SymlinkNode,
} from "./overlay-nodes.js";
import { joinPath, type Located, OverlayTree, PATH_LIMIT } from "./overlay-tree.js";
import type { OutputBudget } from "./standard-streams.js";

/** Inodes of files made in a run; far above what real disks have, and exact as a number. */
const FIRST_INODE = 0x10_0000_0000;
/** About what a node costs us; a program that makes files without end must come to one. */
const NODE_BYTES = 0x400;
/** statfs of what lies on no disk, as a small tmpfs has it. */
const NO_SPACE: DiskSpace = {
  type: 0x0102_1994,
  blockSize: 4096,
  ...{ blocks: 0, free: 0, available: 0, files: 0, filesFree: 0 },
};

export interface DiskParts {
  readonly view: HostView;
  readonly budget: OutputBudget;
  readonly user: User;
  readonly now: () => Timestamp;
  /** What there is besides the disk. */
  readonly made: (root: DirectoryNode) => MadeEntries;
  /** Counts something that is refused and gives the error. */
  readonly deny: (what: string, errno: number) => number;
}

export class OverlayDisk implements Disk, OverlayEvents {
  private readonly tree: OverlayTree;
  private readonly budget: OutputBudget;
  private readonly user: User;
  private readonly now: () => Timestamp;
  private readonly view: HostView;
  private readonly deny: DiskParts["deny"];
  private nextInode = FIRST_INODE;

  constructor(parts: DiskParts) {
    this.tree = new OverlayTree({ ...parts, keepsDirectories: true });
    this.budget = parts.budget;
    this.user = parts.user;
    this.now = parts.now;
    this.view = parts.view;
    this.deny = parts.deny;
  }

  /** What a given tree is laid with, before the program starts. */
  givenLayer(): GivenLayer {
    const { tree, user, now, budget } = this;
    return new GivenLayer({ tree, user, now, budget, nextInode: () => this.nextInode++ });
  }

  /** How it differs from the real disk. */
  changes(): ReadonlyMap<string, FileChange> {
    return overlayChanges(this.tree);
  }

  /** What there is besides the disk, for another tree over it. */
  madeEntries(): MadeEntries {
    const { root } = this.tree;
    const lookup = (name: string): OverlayNode | null => {
      const node = root.made?.names().includes(name) ? this.tree.lookup(root, name) : null;
      return node === null || typeof node === "number" ? null : node;
    };
    return { names: () => root.made?.names() ?? [], lookup };
  }

  status(path: string, follow: boolean): FileStatus | number {
    const found = this.find(path, follow);
    return typeof found === "number" ? found : found.node.status();
  }

  open(path: string, flags: number, mode: number): OpenFile | number {
    const create = (flags & OPEN.create) !== 0;
    const exclusive = create && (flags & OPEN.exclusive) !== 0;
    const follow = (flags & OPEN.noFollow) === 0 && !exclusive;
    // Linux refuses to create under a name that ends in a slash before it looks at what is there.
    const slash = create && path.endsWith("/");
    const located = this.tree.locate(slash ? withoutSlash(path) : path, follow && !slash);
    if (typeof located === "number") return located;
    if (slash) return -ERRNO.EISDIR;
    const { node } = located;
    if (node === null) {
      if (!create) return -ERRNO.ENOENT;
      return this.create(located, flags, mode);
    }
    if (exclusive) return -ERRNO.EEXIST;
    return this.openNode(node, located, flags, create);
  }

  private create(located: Located, flags: number, mode: number): OpenFile | number {
    const node = this.add(located, (device, inode) => {
      return new FileNode(null, device, inode, this.freshAttributes(TYPE.regular | (mode & 0o7777)), this.budget);
    });
    if (typeof node === "number") return node;
    node.acquire(false);
    return new OverlayFile(node, flags, joinPath(located.parent.path(), located.name), this);
  }

  private openNode(node: OverlayNode, located: Located, flags: number, create: boolean): OpenFile | number {
    const path = node.kind === "directory" ? node.path() : joinPath(located.parent.path(), located.name);
    const writing = (flags & OPEN.accessMode) !== OPEN.readOnly;
    if (node.kind === "symlink") return (flags & OPEN.path) !== 0 ? -ERRNO.EOPNOTSUPP : -ERRNO.ELOOP;
    const allowed = (flags & OPEN.path) !== 0 ? 0 : this.allowed(node, openMask(flags));
    if (allowed < 0) return allowed;
    if (node.kind === "directory") {
      if ((flags & OPEN.temporary) !== 0) return -ERRNO.EOPNOTSUPP;
      return writing || create ? -ERRNO.EISDIR : new OverlayDirectory(node, flags, path, this);
    }
    if ((flags & OPEN.directory) !== 0) return -ERRNO.ENOTDIR;
    if (node.kind === "made") return node.open(flags);
    if (node.kind === "other") {
      // Whoever opens it again must find the same.
      located.parent.children.set(located.name, node);
      // A device may do anything.
      return node.open(flags, path, this.budget.memory) ?? this.deny(`opening the device ${path}`, ERRNO.ENXIO);
    }
    const truncate = (flags & OPEN.truncate) !== 0 && writing;
    const status = node.acquire((flags & OPEN.accessMode) !== OPEN.writeOnly && !truncate);
    if (status < 0) return status;
    this.tree.remember(node);
    if (truncate) {
      node.resize(0);
      this.fileChanged(node);
    }
    return new OverlayFile(node, flags, path, this);
  }

  directory(path: string): string | number {
    const found = this.find(path, true);
    if (typeof found === "number") return found;
    if (found.node.kind !== "directory") return -ERRNO.ENOTDIR;
    const allowed = this.allowed(found.node, 1);
    return allowed < 0 ? allowed : found.node.path();
  }

  access(path: string, mask: number, follow: boolean): number {
    const found = this.find(path, follow);
    if (typeof found === "number") return found;
    return mask === 0 ? 0 : this.allowed(found.node, mask);
  }

  readLink(path: string): string | number {
    const found = this.find(path, false);
    if (typeof found === "number") return found;
    return found.node.kind === "symlink" ? found.node.target : -ERRNO.EINVAL;
  }

  makeDirectory(path: string, mode: number): number {
    const place = this.place(path);
    if (typeof place === "number") return place;
    const attributes = this.freshAttributes(TYPE.directory | (mode & 0o7777));
    const node = this.add(place, (device, inode) => {
      return new DirectoryNode(place.parent, place.name, null, device, inode, attributes);
    });
    if (typeof node === "number") return node;
    place.parent.addedLinks++;
    return 0;
  }

  makeNode(path: string, mode: number): number {
    const place = this.place(path);
    if (typeof place === "number") return place;
    if (place.asDirectory) return -ERRNO.ENOENT;
    const type = mode & TYPE.mask;
    if (type !== TYPE.fifo && type !== TYPE.regular && type !== 0) return -ERRNO.EPERM;
    const attributes = this.freshAttributes((type === 0 ? TYPE.regular : type) | (mode & 0o7777));
    const node = this.add(place, (device, inode) => {
      return type === TYPE.fifo
        ? new OtherNode(null, device, inode, attributes)
        : new FileNode(null, device, inode, attributes, this.budget);
    });
    return typeof node === "number" ? node : 0;
  }

  symbolicLink(target: string, path: string): number {
    if (target === "") return -ERRNO.ENOENT;
    if (target.length >= PATH_LIMIT) return -ERRNO.ENAMETOOLONG;
    const place = this.place(path);
    if (typeof place === "number") return place;
    if (place.asDirectory) return -ERRNO.ENOENT;
    this.budget.take(target.length);
    const attributes = this.freshAttributes(TYPE.symlink | 0o777);
    const node = this.add(place, (device, inode) => new SymlinkNode(target, null, device, inode, attributes));
    return typeof node === "number" ? node : 0;
  }

  link(from: string, to: string, follow: boolean): number {
    const found = this.find(from, follow);
    if (typeof found === "number") return found;
    const { node } = found;
    const place = this.place(to);
    if (typeof place === "number") return place;
    if (place.asDirectory) return -ERRNO.ENOENT;
    if (node.kind === "directory") return -ERRNO.EPERM;
    if (place.parent.device !== node.device) return -ERRNO.EXDEV;
    const added = this.add(place, () => node);
    if (typeof added === "number") return added;
    // A node that was only looked up must become the overlay's own under its first name too.
    if (node.kind === "file") this.tree.remember(node);
    else found.parent.children.set(found.name, node);
    node.addedLinks++;
    return this.touchChanged(node);
  }

  removeDirectory(path: string): number {
    const found = this.entry(path);
    if (typeof found === "number") return found;
    const { node } = found;
    if (node.kind !== "directory") return -ERRNO.ENOTDIR;
    if (found.name === "") return /(^|\/)\.\/*$/.test(path) ? -ERRNO.EINVAL : -ERRNO.ENOTEMPTY;
    if (!this.tree.isEmpty(node)) return -ERRNO.ENOTEMPTY;
    const status = this.removeEntry(found.parent, found.name);
    if (status < 0) return status;
    this.unlinked(node, found.parent);
    return 0;
  }

  unlink(path: string): number {
    const found = this.entry(path);
    if (typeof found === "number") return found;
    const { node } = found;
    if (node.kind === "directory") return -ERRNO.EISDIR;
    if (found.slash) return -ERRNO.ENOTDIR;
    const status = this.removeEntry(found.parent, found.name);
    if (status < 0) return status;
    this.unlinked(node, found.parent);
    return 0;
  }

  rename(from: string, to: string, flags: number): number {
    // Both ways to the parents are walked before anything is said about the last components.
    const located = this.tree.locate(withoutSlash(from), false);
    if (typeof located === "number") return located;
    const target = this.tree.locate(withoutSlash(to), false);
    if (typeof target === "number") return target;
    if (located.parent.device !== target.parent.device) return -ERRNO.EXDEV;
    if (located.node === null) return -ERRNO.ENOENT;
    const source: Entry = { ...located, node: located.node, slash: from.endsWith("/") };
    if (source.name === "" || target.name === "") return -ERRNO.EBUSY;
    const slash = source.slash || (to.endsWith("/") && (flags & RENAME.exchange) === 0);
    const refused = this.renameRefused(source, target, slash, flags);
    if (refused < 0) return refused;
    if (source.node === target.node || sameFile(source.node, target.node)) return 0;
    const allowed = Math.min(this.mayChange(source.parent), this.mayChange(target.parent));
    if (allowed < 0) return allowed;
    this.move(source, target, (flags & RENAME.exchange) !== 0);
    return this.touchChanged(source.node);
  }

  private move(source: Entry, target: Located, exchange: boolean): void {
    const replaced = target.node;
    if (source.node.kind === "file") this.tree.remember(source.node);
    this.put(target.parent, target.name, source.node);
    if (source.node.kind === "directory") {
      source.parent.addedLinks--;
      target.parent.addedLinks++;
    }
    if (exchange && replaced !== null) {
      if (replaced.kind === "file") this.tree.remember(replaced);
      if (replaced.kind === "directory") {
        target.parent.addedLinks--;
        source.parent.addedLinks++;
      }
      this.put(source.parent, source.name, replaced);
    } else {
      this.drop(source.parent, source.name);
      if (replaced !== null) this.unlinked(replaced, target.parent);
    }
  }

  /** The checks of Linux, in its order. */
  private renameRefused(source: Entry, target: Located, slash: boolean, flags: number): number {
    if ((flags & RENAME.exchange) !== 0 && target.node === null) return -ERRNO.ENOENT;
    if ((flags & RENAME.noReplace) !== 0 && target.node !== null) return -ERRNO.EEXIST;
    const { node } = source;
    if (node.kind !== "directory" && slash) return -ERRNO.ENOTDIR;
    if (node.kind === "directory" && isWithin(target.parent, node)) return -ERRNO.EINVAL;
    if ((flags & RENAME.exchange) !== 0) return 0;
    if (target.node?.kind === "directory" && isWithin(source.parent, target.node)) return -ERRNO.ENOTEMPTY;
    if (target.node === null || target.node === node) return 0;
    if (node.kind === "directory") {
      if (target.node.kind !== "directory") return -ERRNO.ENOTDIR;
      return this.tree.isEmpty(target.node) ? 0 : -ERRNO.ENOTEMPTY;
    }
    return target.node.kind === "directory" ? -ERRNO.EISDIR : 0;
  }

  changeMode(path: string | OverlayNode, mode: number, follow = true): number {
    return this.changeAttributes(path, follow, (attributes) => {
      if (!this.owns(attributes)) return -ERRNO.EPERM;
      attributes.mode = (attributes.mode & TYPE.mask) | (mode & 0o7777);
      return 0;
    });
  }

  setTimes(path: string | OverlayNode, accessed: Timestamp | null, modified: Timestamp | null, follow = true): number {
    return this.changeAttributes(path, follow, (attributes) => {
      if (!this.owns(attributes)) return -ERRNO.EPERM;
      if (accessed !== null) attributes.accessed = accessed;
      if (modified !== null) attributes.modified = modified;
      return 0;
    });
  }

  private owns(attributes: Attributes): boolean {
    return this.user.user === 0 || attributes.user === this.user.user;
  }

  private changeAttributes(
    path: string | OverlayNode,
    follow: boolean,
    change: (attributes: Attributes) => number,
  ): number {
    let node: OverlayNode;
    if (typeof path === "string") {
      const found = this.find(path, follow);
      if (typeof found === "number") return found;
      node = found.node;
      if (node.kind === "symlink" || node.kind === "other") found.parent.children.set(found.name, node);
    } else {
      node = path;
    }
    const attributes = node.ownAttributes();
    if (typeof attributes === "number") return attributes;
    const status = change(attributes);
    if (status < 0) return status;
    attributes.changed = this.now();
    if (node.kind === "file") this.tree.remember(node);
    return 0;
  }

  truncate(path: string, size: number): number {
    const found = this.find(path, true);
    if (typeof found === "number") return found;
    const { node } = found;
    if (node.kind === "directory") return -ERRNO.EISDIR;
    if (node.kind !== "file") return -ERRNO.EINVAL;
    const allowed = this.allowed(node, 2);
    if (allowed < 0) return allowed;
    const status = node.resize(size);
    if (status === 0) this.fileChanged(node);
    return status;
  }

  space(path: string): DiskSpace | number {
    const found = this.find(path, true);
    if (typeof found === "number") return found;
    const { node } = found;
    const isOnNoDisk = node.device === MADE_DEVICE || node.device === SHARED_MEMORY_DEVICE;
    if (node.kind === "made" || isOnNoDisk) return NO_SPACE;
    let directory = node.kind === "directory" ? node : found.parent;
    while (directory.host === null && directory.parent !== null) directory = directory.parent;
    return this.view.space(node.host ?? directory.host ?? "/");
  }

  fileChanged(node: FileNode): void {
    const attributes = node.ownAttributes();
    if (typeof attributes !== "number") {
      attributes.modified = this.now();
      attributes.changed = attributes.modified;
    }
    this.tree.remember(node);
  }

  fileClosed(node: FileNode): void {
    this.tree.forgetIfUnchanged(node);
  }

  names(node: DirectoryNode): string[] | number {
    return this.tree.names(node);
  }

  listed(node: DirectoryNode, name: string): DirectoryEntry | null {
    return this.tree.entry(node, name);
  }

  /** An existing node, or a negated error number. */
  private find(path: string, follow: boolean): { parent: DirectoryNode; name: string; node: OverlayNode } | number {
    const located = this.tree.locate(path, follow);
    if (typeof located === "number") return located;
    if (located.node === null) return -ERRNO.ENOENT;
    return { parent: located.parent, name: located.name, node: located.node };
  }

  /** An existing entry itself, for what changes names: a slash at the end does not follow a link here. */
  private entry(path: string): Entry | number {
    const found = this.find(withoutSlash(path), false);
    return typeof found === "number" ? found : { ...found, slash: path.endsWith("/") };
  }

  /** A place where nothing is yet. */
  private place(path: string): Located | number {
    const located = this.tree.locate(withoutSlash(path), false);
    if (typeof located === "number") return located;
    if (located.node !== null) return -ERRNO.EEXIST;
    return { ...located, asDirectory: path.endsWith("/") };
  }

  private add<T extends OverlayNode>(place: Located, make: (device: number, inode: number) => T): T | number {
    const allowed = this.mayChange(place.parent);
    if (allowed < 0) return allowed;
    if (place.parent.removed) return -ERRNO.ENOENT;
    if (place.name.length > 255) return -ERRNO.ENAMETOOLONG;
    this.budget.take(NODE_BYTES + place.name.length);
    const node = make(place.parent.device, this.nextInode);
    this.nextInode++;
    this.put(place.parent, place.name, node);
    return node;
  }

  private removeEntry(parent: DirectoryNode, name: string): number {
    const allowed = this.mayChange(parent);
    if (allowed < 0) return allowed;
    this.drop(parent, name);
    return 0;
  }

  private put(parent: DirectoryNode, name: string, node: OverlayNode): void {
    parent.children.set(name, node);
    if (node.kind === "directory") {
      node.parent = parent;
      node.name = name;
    }
    this.touchModified(parent);
  }

  private drop(parent: DirectoryNode, name: string): void {
    if (parent.host === null) parent.children.delete(name);
    else parent.children.set(name, null);
    this.touchModified(parent);
  }

  /** A node has lost a name. */
  private unlinked(node: OverlayNode, parent: DirectoryNode): void {
    node.addedLinks--;
    if (node.kind === "file") this.tree.remember(node);
    if (node.kind === "directory") {
      node.removed = true;
      parent.addedLinks--;
    }
    this.touchChanged(node);
  }

  private allowed(node: OverlayNode, mask: number): number {
    const status = node.status();
    if (typeof status === "number") return status;
    return permits(status, this.user, mask) ? 0 : -ERRNO.EACCES;
  }

  private mayChange(directory: DirectoryNode): number {
    if (directory.fixed) return -ERRNO.EPERM;
    return this.user.user === 0 ? 0 : this.allowed(directory, 3);
  }

  private touchModified(directory: DirectoryNode): void {
    const attributes = directory.ownAttributes();
    if (typeof attributes === "number") return;
    attributes.modified = this.now();
    attributes.changed = attributes.modified;
  }

  private touchChanged(node: OverlayNode): number {
    const attributes = node.ownAttributes();
    if (typeof attributes !== "number") attributes.changed = this.now();
    return 0;
  }

  private freshAttributes(mode: number): Attributes {
    const now = this.now();
    return {
      mode,
      user: this.user.user,
      group: this.user.group,
      accessed: now,
      modified: now,
      changed: now,
    };
  }
}

interface Entry {
  readonly parent: DirectoryNode;
  readonly name: string;
  readonly node: OverlayNode;
  /** The path ended in a slash. */
  readonly slash: boolean;
}

export function withoutSlash(path: string): string {
  return path.replace(/\/+$/, "") || "/";
}

/** Whether a directory is another one or lies below it. */
function isWithin(directory: DirectoryNode, other: DirectoryNode): boolean {
  for (let at: DirectoryNode | null = directory; at !== null; at = at.parent) if (at === other) return true;
  return false;
}

/** What open needs to be allowed: 4 to read, 2 to write. */
function openMask(flags: number): number {
  const mode = flags & OPEN.accessMode;
  return mode === OPEN.readOnly ? 4 : mode === OPEN.writeOnly ? 2 : 6;
}

function sameFile(a: OverlayNode, b: OverlayNode | null): boolean {
  // Nodes that are only looked up are made anew each time, so identity is no test.
  return b !== null && a.device === b.device && a.inode === b.inode;
}
