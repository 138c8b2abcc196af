// The real disk, for `--write-through`: the guest's changes are the host's. Offsets are ours all the same, since Node
// has no lseek; appending is left to the kernel.

import * as fs from "node:fs";
import { ERRNO, errnoOf } from "../errno.js";
import { type Disk, type DiskSpace, RENAME, type SpecialFiles } from "./disk.js";
import { hostDescriptorStatus, hostPath, hostSpace, hostStatus } from "./host-status.js";
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
import { realNames } from "./overlay-tree.js";
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
  private readonly realPath: string;

  constructor(flags: number, path: string) {
    super(flags, path);
    this.realPath = path;
  }

  override status(): FileStatus | number {
    return hostStatus(this.realPath, true);
  }

  protected override list(): DirectoryEntry[] | number {
    const names = realNames(this.realPath);
    if (typeof names === "number") return names;
    const result: DirectoryEntry[] = [];
    for (const name of [".", "..", ...names]) {
      const status = hostStatus(`${this.realPath}/${name}`, false);
      if (typeof status !== "number") {
        result.push({ name, inode: status.inode, type: (status.mode & TYPE.mask) >>> 12 });
      }
    }
    return result;
  }

  override changeMode(mode: number): number {
    return attempt(() => fs.chmodSync(hostPath(this.realPath), mode) as undefined);
  }
}

export class DirectDisk implements Disk {
  private readonly special: SpecialFiles;
  private readonly isSpecial: (path: string) => boolean;
  private readonly hostUmask: number;

  constructor(parts: { special: SpecialFiles; isSpecial: (path: string) => boolean; hostUmask: number }) {
    this.special = parts.special;
    this.isSpecial = parts.isSpecial;
    this.hostUmask = parts.hostUmask;
  }

  status(path: string, follow: boolean): FileStatus | number {
    const status = hostStatus(path, follow);
    return status === -ERRNO.ENOENT ? this.missing(path) : status;
  }

  /** ENOTDIR or ENOENT: Node's quiet stat does not say which. */
  private missing(path: string): number {
    const status = attempt(() => fs.lstatSync(hostPath(path)) as unknown as undefined);
    return typeof status === "number" && status < 0 ? status : -ERRNO.ENOENT;
  }

  open(path: string, flags: number, mode: number): OpenFile | number {
    if (this.isSpecial(path)) return this.special(path, flags) ?? -ERRNO.ENOENT;
    const before = hostStatus(path, (flags & OPEN.noFollow) === 0);
    if (typeof before !== "number") {
      const type = before.mode & TYPE.mask;
      if (type === TYPE.directory && (flags & (OPEN.create | OPEN.accessMode)) === 0) {
        const allowed = this.access(path, 4, true);
        return allowed < 0 ? allowed : new DirectDirectory(flags, path);
      }
      if (type === TYPE.character) return this.special(this.realPath(path), flags) ?? -ERRNO.ENXIO;
    }
    return this.openReal(path, flags, mode, typeof before === "number");
  }

  private openReal(path: string, flags: number, mode: number, isNew: boolean): OpenFile | number {
    try {
      const descriptor = fs.openSync(hostPath(path), flags & ~(OPEN.path | OPEN.temporary), mode);
      // The host's own umask was applied on top of the guest's.
      if (isNew && (mode & this.hostUmask) !== 0) fs.fchmodSync(descriptor, mode);
      return new DirectFile(flags, path, descriptor);
    } catch (error) {
      return errnoOf(error);
    }
  }

  private realPath(path: string): string {
    try {
      return fs.realpathSync(hostPath(path), "buffer").toString("latin1");
    } catch {
      return path;
    }
  }

  directory(path: string): string | number {
    const status = this.status(path, true);
    if (typeof status === "number") return status;
    if ((status.mode & TYPE.mask) !== TYPE.directory) return -ERRNO.ENOTDIR;
    const allowed = this.access(path, 1, true);
    return allowed < 0 ? allowed : this.realPath(path);
  }

  access(path: string, mask: number, follow: boolean): number {
    if (!follow) {
      const status = this.status(path, false);
      if (typeof status === "number") return status;
      if ((status.mode & TYPE.mask) === TYPE.symlink) return 0;
    }
    return attempt(() => fs.accessSync(hostPath(path), mask) as undefined);
  }

  readLink(path: string): string | number {
    try {
      return fs.readlinkSync(hostPath(path), "latin1");
    } catch (error) {
      return errnoOf(error);
    }
  }

  makeDirectory(path: string, mode: number): number {
    return attempt(() => {
      fs.mkdirSync(hostPath(path), mode);
      if ((mode & this.hostUmask) !== 0) fs.chmodSync(hostPath(path), mode);
      return 0;
    });
  }

  makeNode(path: string, mode: number): number {
    const type = mode & TYPE.mask;
    if (type !== TYPE.regular && type !== 0) return -ERRNO.EPERM;
    return attempt(() => fs.closeSync(fs.openSync(hostPath(path), "wx", mode & 0o7777)) as undefined);
  }

  removeDirectory(path: string): number {
    return attempt(() => fs.rmdirSync(hostPath(path)) as undefined);
  }

  unlink(path: string): number {
    return attempt(() => fs.unlinkSync(hostPath(path)) as undefined);
  }

  rename(from: string, to: string, flags: number): number {
    if ((flags & RENAME.exchange) !== 0) return -ERRNO.EINVAL;
    if ((flags & RENAME.noReplace) !== 0 && typeof hostStatus(to, false) !== "number") return -ERRNO.EEXIST;
    return attempt(() => fs.renameSync(hostPath(from), hostPath(to)) as undefined);
  }

  symbolicLink(target: string, path: string): number {
    return attempt(() => fs.symlinkSync(hostPath(target), hostPath(path)) as undefined);
  }

  link(from: string, to: string, follow: boolean): number {
    const source = follow ? this.realPath(from) : from;
    return attempt(() => fs.linkSync(hostPath(source), hostPath(to)) as undefined);
  }

  changeMode(path: string, mode: number, _follow: boolean): number {
    return attempt(() => fs.chmodSync(hostPath(path), mode) as undefined);
  }

  setTimes(path: string, accessed: Timestamp | null, modified: Timestamp | null, follow: boolean): number {
    const status = this.status(path, follow);
    if (typeof status === "number") return status;
    const access = inSeconds(accessed ?? status.accessed);
    const modify = inSeconds(modified ?? status.modified);
    return attempt(
      () =>
        (follow
          ? fs.utimesSync(hostPath(path), access, modify)
          : fs.lutimesSync(hostPath(path), access, modify)) as undefined,
    );
  }

  truncate(path: string, size: number): number {
    return attempt(() => fs.truncateSync(hostPath(path), size) as undefined);
  }

  space(path: string): DiskSpace | number {
    return hostSpace(path);
  }
}
