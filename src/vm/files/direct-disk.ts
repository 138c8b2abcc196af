// The real disk, for `--write-through`: the guest's changes are the host's. Paths are resolved as in the overlay, by the
// same walk, and only then given to the host, without links and dots; so what cannot be seen cannot be written either, and
// /dev and /proc are the made ones. Only regular files are opened, and none that could block.
// Offsets are ours all the same, since Node has no lseek; appending is left to the kernel.

import * as fs from "node:fs";
import { ERRNO, errnoOf } from "../errno.js";
import { type Disk, type DiskSpace, RENAME } from "./disk.js";
import { hostDescriptorStatus, hostPath } from "./host-status.js";
import type { HostView } from "./host-view.js";
import {
  type DirectoryEntry,
  type FileStatus,
  OPEN,
  OpenDirectory,
  OpenFile,
  SEEK,
  type Timestamp,
  TYPE,
} from "./open-file.js";
import { type DiskParts, OverlayDisk, withoutSlash } from "./overlay-disk.js";
import type { DirectoryNode, FileNode, OverlayNode } from "./overlay-nodes.js";
import { joinPath, OverlayTree } from "./overlay-tree.js";
import { seekTarget } from "./seek.js";

function attempt(operation: () => number | undefined): number {
  try {
    return operation() ?? 0;
  } catch (error) {
    return errnoOf(error);
  }
}

/** Seconds with a fraction, as Node wants times. */
function inSeconds(time: Timestamp): number {
  return time.seconds + time.nanoseconds / 1e9;
}

class DirectFile extends OpenFile {
  private readonly descriptor: number;
  private offset = 0;

  constructor(flags: number, path: string, descriptor: number) {
    super(flags, path);
    this.descriptor = descriptor;
  }

  override status(): FileStatus | number {
    return hostDescriptorStatus(this.descriptor);
  }

  private size(): number {
    const status = this.status();
    return typeof status === "number" ? 0 : status.size;
  }

  override read(into: Uint8Array): number {
    const count = this.readAt(into, this.offset);
    if (count > 0) this.offset += count;
    return count;
  }

  override write(from: Uint8Array): number {
    const append = (this.flags & OPEN.append) !== 0;
    const count = attempt(() => fs.writeSync(this.descriptor, from, 0, from.length, append ? null : this.offset));
    if (count > 0) this.offset = append ? this.size() : this.offset + count;
    return count;
  }

  override readAt(into: Uint8Array, offset: number): number {
    return attempt(() => fs.readSync(this.descriptor, into, 0, into.length, offset));
  }

  override writeAt(from: Uint8Array, offset: number): number {
    return attempt(() => fs.writeSync(this.descriptor, from, 0, from.length, offset));
  }

  override seek(offset: number, whence: number): number {
    const size = whence === SEEK.set || whence === SEEK.current ? 0 : this.size();
    const target = seekTarget(offset, whence, this.offset, size);
    if (target >= 0) this.offset = target;
    return target;
  }

  override truncate(size: number): number {
    return attempt(() => fs.ftruncateSync(this.descriptor, size) as undefined);
  }

  override changeMode(mode: number): number {
    return attempt(() => fs.fchmodSync(this.descriptor, mode) as undefined);
  }

  override setTimes(accessed: Timestamp | null, modified: Timestamp | null): number {
    const status = this.status();
    if (typeof status === "number") return status;
    const times = [inSeconds(accessed ?? status.accessed), inSeconds(modified ?? status.modified)] as const;
    return attempt(() => fs.futimesSync(this.descriptor, times[0], times[1]) as undefined);
  }

  override close(): void {
    attempt(() => fs.closeSync(this.descriptor) as undefined);
  }
}

class DirectDirectory extends OpenDirectory {
  private readonly view: HostView;
  private readonly tree: OverlayTree;
  private readonly node: DirectoryNode;
  private readonly host: string;

  constructor(flags: number, view: HostView, tree: OverlayTree, node: DirectoryNode, host: string) {
    super(flags, node.path());
    this.view = view;
    this.tree = tree;
    this.node = node;
    this.host = host;
  }

  override status(): FileStatus | number {
    return this.node.status();
  }

  /** The guest may have put a link to somewhere else in its place, and we have only the path. */
  private isStillThere(): boolean {
    const status = this.view.status(this.host);
    // A link may have got the number of the directory that was removed.
    if (typeof status === "number" || (status.mode & TYPE.mask) !== TYPE.directory) return false;
    return status.device === this.node.device && status.inode === this.node.inode;
  }

  protected override list(): string[] | number {
    return this.isStillThere() ? this.tree.names(this.node) : -ERRNO.ENOENT;
  }

  override entry(name: string): DirectoryEntry | null {
    return this.tree.entry(this.node, name);
  }

  override changeMode(mode: number): number {
    if (!this.isStillThere()) return -ERRNO.ENOENT;
    return attempt(() => fs.chmodSync(hostPath(this.host), mode) as undefined);
  }
}

/** Where a path leads on the real disk. */
interface Place {
  /** Without links and dots. */
  readonly host: string;
  /** With the slash that the path ended in, where that decides something and leads through no link. */
  readonly spelled: string;
  readonly node: OverlayNode | null;
  readonly slash: boolean;
}

/** The path leads to what we make up; the overlay over nothing answers for that. */
const MADE = "made";

const NEW_FLAGS = fs.constants.O_CREAT | fs.constants.O_EXCL;
const SAFE_FLAGS = fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY;
const KEPT_FLAGS = OPEN.accessMode | OPEN.append;

export class DirectDisk implements Disk {
  private readonly tree: OverlayTree;
  private readonly view: HostView;
  private readonly made: OverlayDisk;
  private readonly hostUmask: number;
  private readonly deny: DiskParts["deny"];

  constructor(parts: DiskParts, hostUmask: number) {
    this.made = new OverlayDisk(parts);
    this.tree = new OverlayTree({ ...parts, made: () => this.made.madeEntries(), keepsDirectories: false });
    this.view = parts.view;
    this.deny = parts.deny;
    this.hostUmask = hostUmask;
  }

  private at(path: string, follow: boolean): Place | typeof MADE | number {
    const located = this.tree.locate(path, follow);
    if (typeof located === "number") return located;
    const { parent, name, node, asDirectory } = located;
    if (node !== null && node.host === null) return MADE;
    if (node === null && parent.host === null) return MADE;
    const host = node?.host ?? joinPath(parent.host ?? "/", name);
    return { host, spelled: asDirectory && host !== "/" ? `${host}/` : host, node, slash: asDirectory };
  }

  /** The entry itself, for what changes names: a slash at the end follows no link here. */
  private entry(path: string): Place | typeof MADE | number {
    const place = this.at(withoutSlash(path), false);
    if (typeof place === "number" || place === MADE) return place;
    const slash = path.endsWith("/") && place.host !== "/";
    return { ...place, slash, spelled: slash && place.node?.kind !== "symlink" ? `${place.host}/` : place.host };
  }

  /** Whether something may be made there; what the guest cannot see may lie there. */
  private isOpen(place: Place): boolean {
    return this.view.sees(place.host);
  }

  status(path: string, follow: boolean): FileStatus | number {
    const place = this.at(path, follow);
    if (place === MADE) return this.made.status(path, follow);
    if (typeof place === "number") return place;
    return place.node?.status() ?? -ERRNO.ENOENT;
  }

  open(path: string, flags: number, mode: number): OpenFile | number {
    const create = (flags & OPEN.create) !== 0;
    const exclusive = create && (flags & OPEN.exclusive) !== 0;
    const follow = (flags & OPEN.noFollow) === 0 && !exclusive;
    // Linux refuses to create under a name that ends in a slash before it looks at what is there.
    const slash = create && path.endsWith("/");
    const place = slash ? this.entry(path) : this.at(path, follow);
    if (place === MADE) return this.made.open(path, flags, mode);
    if (typeof place === "number") return place;
    if (slash) return -ERRNO.EISDIR;
    const { node, host } = place;
    if (node === null && !create) return -ERRNO.ENOENT;
    if (node === null) return this.isOpen(place) ? this.create(host, flags, mode) : -ERRNO.EACCES;
    if (exclusive) return -ERRNO.EEXIST;
    switch (node.kind) {
      case "symlink":
        return (flags & OPEN.path) !== 0 ? -ERRNO.EOPNOTSUPP : -ERRNO.ELOOP;
      case "directory":
        return this.openDirectory(node, host, flags, create);
      case "file":
        return (flags & OPEN.directory) !== 0 ? -ERRNO.ENOTDIR : this.openFile(node, host, flags);
      default:
        return this.deny(`opening the device or pipe ${path}`, ERRNO.ENXIO);
    }
  }

  private openDirectory(node: DirectoryNode, host: string, flags: number, create: boolean): OpenFile | number {
    if ((flags & OPEN.temporary) !== 0) return -ERRNO.EOPNOTSUPP;
    if (create || (flags & OPEN.accessMode) !== OPEN.readOnly) return -ERRNO.EISDIR;
    const allowed = attempt(() => fs.accessSync(hostPath(host), fs.constants.R_OK) as undefined);
    return allowed < 0 ? allowed : new DirectDirectory(flags, this.view, this.tree, node, host);
  }

  private create(host: string, flags: number, mode: number): OpenFile | number {
    try {
      const descriptor = fs.openSync(hostPath(host), (flags & KEPT_FLAGS) | NEW_FLAGS | SAFE_FLAGS, mode);
      // The host's own umask was applied on top of the guest's.
      if ((mode & this.hostUmask) !== 0) fs.fchmodSync(descriptor, mode);
      return new DirectFile(flags, host, descriptor);
    } catch (error) {
      return errnoOf(error);
    }
  }

  private openFile(node: FileNode, host: string, flags: number): OpenFile | number {
    try {
      const descriptor = fs.openSync(hostPath(host), (flags & KEPT_FLAGS) | SAFE_FLAGS);
      const status = hostDescriptorStatus(descriptor);
      // Emptied only now: what lay there a moment ago may have been put in the place of something else.
      if (typeof status === "number" || status.inode !== node.inode || status.device !== node.device) {
        fs.closeSync(descriptor);
        return -ERRNO.ENOENT;
      }
      const writing = (flags & OPEN.accessMode) !== OPEN.readOnly;
      if (writing && (flags & OPEN.truncate) !== 0) fs.ftruncateSync(descriptor, 0);
      return new DirectFile(flags, host, descriptor);
    } catch (error) {
      return errnoOf(error);
    }
  }

  directory(path: string): string | number {
    const place = this.at(path, true);
    if (place === MADE) return this.made.directory(path);
    if (typeof place === "number") return place;
    if (place.node === null) return -ERRNO.ENOENT;
    if (place.node.kind !== "directory") return -ERRNO.ENOTDIR;
    const allowed = attempt(() => fs.accessSync(hostPath(place.host), fs.constants.X_OK) as undefined);
    return allowed < 0 ? allowed : place.node.path();
  }

  access(path: string, mask: number, follow: boolean): number {
    const place = this.at(path, follow);
    if (place === MADE) return this.made.access(path, mask, follow);
    if (typeof place === "number") return place;
    if (place.node === null) return -ERRNO.ENOENT;
    if (place.node.kind === "symlink") return 0;
    return attempt(() => fs.accessSync(hostPath(place.host), mask) as undefined);
  }

  readLink(path: string): string | number {
    const place = this.at(path, false);
    if (place === MADE) return this.made.readLink(path);
    if (typeof place === "number") return place;
    if (place.node === null) return -ERRNO.ENOENT;
    return place.node.kind === "symlink" ? place.node.target : -ERRNO.EINVAL;
  }

  makeDirectory(path: string, mode: number): number {
    const place = this.entry(path);
    if (place === MADE) return this.made.makeDirectory(path, mode);
    if (typeof place === "number") return place;
    if (place.node !== null) return -ERRNO.EEXIST;
    if (!this.isOpen(place)) return -ERRNO.EACCES;
    return attempt(() => {
      fs.mkdirSync(hostPath(place.host), mode);
      if ((mode & this.hostUmask) !== 0) fs.chmodSync(hostPath(place.host), mode);
      return 0;
    });
  }

  makeNode(path: string, mode: number): number {
    const place = this.entry(path);
    if (place === MADE) return this.made.makeNode(path, mode);
    if (typeof place === "number") return place;
    if (place.node !== null) return -ERRNO.EEXIST;
    if (place.slash) return -ERRNO.ENOENT;
    if (!this.isOpen(place)) return -ERRNO.EACCES;
    const type = mode & TYPE.mask;
    if (type !== TYPE.regular && type !== 0) return -ERRNO.EPERM;
    return attempt(() => fs.closeSync(fs.openSync(hostPath(place.host), "wx", mode & 0o7777)) as undefined);
  }

  removeDirectory(path: string): number {
    const place = this.entry(path);
    if (place === MADE) return this.made.removeDirectory(path);
    if (typeof place === "number") return place;
    // The walk has taken away the dots that the kernel would complain of.
    const last = /([^/]*)\/*$/.exec(path)?.[1];
    if (last === ".") return -ERRNO.EINVAL;
    if (last === "..") return -ERRNO.ENOTEMPTY;
    if (place.node === null) return -ERRNO.ENOENT;
    if (place.slash && place.node.kind === "symlink") return -ERRNO.ENOTDIR;
    return attempt(() => fs.rmdirSync(hostPath(place.spelled)) as undefined);
  }

  unlink(path: string): number {
    const place = this.entry(path);
    if (place === MADE) return this.made.unlink(path);
    if (typeof place === "number") return place;
    if (place.node === null) return -ERRNO.ENOENT;
    if (place.slash && place.node.kind === "symlink") return -ERRNO.ENOTDIR;
    return attempt(() => fs.unlinkSync(hostPath(place.spelled)) as undefined);
  }

  rename(from: string, to: string, flags: number): number {
    if ((flags & RENAME.exchange) !== 0) return -ERRNO.EINVAL;
    const source = this.entry(from);
    if (typeof source === "number") return source;
    const target = this.entry(to);
    if (typeof target === "number") return target;
    if (source === MADE || target === MADE) {
      return source === target ? this.made.rename(from, to, flags) : -ERRNO.EXDEV;
    }
    if (source.node === null) return -ERRNO.ENOENT;
    if (endsInDots(from) || endsInDots(to)) return -ERRNO.EBUSY;
    if (!this.isOpen(target)) return -ERRNO.EACCES;
    if ((flags & RENAME.noReplace) !== 0 && target.node !== null) return -ERRNO.EEXIST;
    const links = [source, target].some((place) => place.slash && place.node?.kind === "symlink");
    if (links) return -ERRNO.ENOTDIR;
    return attempt(() => fs.renameSync(hostPath(source.spelled), hostPath(target.spelled)) as undefined);
  }

  symbolicLink(target: string, path: string): number {
    const place = this.entry(path);
    if (place === MADE) return this.made.symbolicLink(target, path);
    if (typeof place === "number") return place;
    if (place.node !== null) return -ERRNO.EEXIST;
    if (!this.isOpen(place)) return -ERRNO.EACCES;
    return attempt(() => fs.symlinkSync(hostPath(target), hostPath(place.spelled)) as undefined);
  }

  link(from: string, to: string, follow: boolean): number {
    const source = this.at(from, follow);
    if (typeof source === "number") return source;
    if (source !== MADE && source.node === null) return -ERRNO.ENOENT;
    const target = this.entry(to);
    if (typeof target === "number") return target;
    if (source === MADE || target === MADE) {
      return source === target ? this.made.link(from, to, follow) : -ERRNO.EXDEV;
    }
    if (target.node !== null) return -ERRNO.EEXIST;
    if (!this.isOpen(target)) return -ERRNO.EACCES;
    return attempt(() => fs.linkSync(hostPath(source.spelled), hostPath(target.spelled)) as undefined);
  }

  changeMode(path: string, mode: number, follow: boolean): number {
    const place = this.at(path, follow);
    if (place === MADE) return this.made.changeMode(path, mode, follow);
    if (typeof place === "number") return place;
    if (place.node === null) return -ERRNO.ENOENT;
    if (place.node.kind === "symlink") return -ERRNO.EOPNOTSUPP;
    return attempt(() => fs.chmodSync(hostPath(place.host), mode) as undefined);
  }

  setTimes(path: string, accessed: Timestamp | null, modified: Timestamp | null, follow: boolean): number {
    const place = this.at(path, follow);
    if (place === MADE) return this.made.setTimes(path, accessed, modified, follow);
    if (typeof place === "number") return place;
    const status = place.node?.status() ?? -ERRNO.ENOENT;
    if (typeof status === "number") return status;
    const access = inSeconds(accessed ?? status.accessed);
    const modify = inSeconds(modified ?? status.modified);
    return attempt(() => fs.lutimesSync(hostPath(place.host), access, modify) as undefined);
  }

  truncate(path: string, size: number): number {
    const place = this.at(path, true);
    if (place === MADE) return this.made.truncate(path, size);
    if (typeof place === "number") return place;
    if (place.node === null) return -ERRNO.ENOENT;
    if (place.node.kind === "directory") return -ERRNO.EISDIR;
    if (place.node.kind !== "file") return -ERRNO.EINVAL;
    const file = this.openFile(place.node, place.host, OPEN.writeOnly);
    if (typeof file === "number") return file;
    const result = file.truncate(size);
    file.close();
    return result;
  }

  space(path: string): DiskSpace | number {
    const place = this.at(path, true);
    if (place === MADE) return this.made.space(path);
    if (typeof place === "number") return place;
    return place.node === null ? -ERRNO.ENOENT : this.view.space(place.host);
  }
}

/** Whether the last component is one that has no name of its own. */
function endsInDots(path: string): boolean {
  return /(^|\/)\.{0,2}$/.test(path.replace(/\/+$/, ""));
}
