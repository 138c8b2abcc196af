// The one door to the real disk for reading: what of it the guest can see, and nothing that could block or answer for
// the host's own process. The overlay asks here for everything below it; a test records every path that passes.
//
// Visible are directories, symbolic links and regular files, below the roots if some are given. Never visible are /proc,
// /dev and /sys (made-tree.ts has what a program sees in their places), and whatever else lies in a file system that
// the kernel makes up, wherever it is mounted: reading there shows the host's processes, and may change or block something.
// The walk (overlay-tree.ts) resolves links and ".." before it asks, so a path here has neither.
//
// Invariant: a descriptor that `open` gives is of the regular file that `status` described, whatever happened meanwhile.

import * as fs from "node:fs";
import { ERRNO, errnoOf } from "../errno.js";
import type { DiskSpace } from "./disk.js";
import { fromStats, hostPath } from "./host-status.js";
import { type FileStatus, TYPE } from "./open-file.js";
import type { RememberedStatuses } from "./remembered-statuses.js";

/** The functions of Node's that are used; a test puts others in their place. */
export type HostFunctions = Pick<
  typeof fs,
  "lstatSync" | "fstatSync" | "statfsSync" | "openSync" | "closeSync" | "readSync" | "readlinkSync" | "opendirSync"
>;

/** Directories that we make up ourselves. */
const MADE_DIRECTORIES: readonly string[] = ["dev", "proc", "sys"];

/** f_type of file systems that hold no files but interfaces of the kernel. */
const KERNEL_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0x9fa0, // proc
  0x6265_6572, // sysfs
  0x1cd1, // devpts
  0x27_e0eb, // cgroup
  0x6367_7270, // cgroup2
  0x6462_6720, // debugfs
  0x7472_6163, // tracefs
  0x7363_6673, // securityfs
  0xcafe_4a11, // bpf
  0x6265_6570, // configfs
  0xf97c_ff8c, // selinuxfs
  0x4341_5d53, // smackfs
  0xde5e_81e4, // efivarfs
  0x6165_676c, // pstore
  0x1980_0202, // mqueue
  0x0187, // autofs
  0x4249_4e4d, // binfmt_misc
  0x6573_5543, // fusectl
  0x6e73_6673, // nsfs
  0x786f_4256, // vboxsf's control files
]);

/** More names than programs are tested with; each stays in memory while the directory is open. */
const NAME_LIMIT = 0x10_0000;
/** Names fetched at once; Node's own 32 make large directories ten times slower. */
const NAMES_AT_ONCE = 1024;
/** Node takes positions up to here; no file is that long. */
const LAST_POSITION = Number.MAX_SAFE_INTEGER;

const READ_FLAGS = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY;

export class HostView {
  private readonly host: HostFunctions;
  private readonly roots: readonly string[] | null;
  /** By device number: whether its file system is one of ordinary files. */
  private readonly devices = new Map<number, boolean>();

  /** `roots`: absolute paths without links, dots and doubled slashes, one character per byte; null for the whole disk. */
  constructor(
    roots: readonly string[] | null = null,
    host: HostFunctions = fs,
    private readonly remembered: RememberedStatuses | null = null,
  ) {
    this.roots = roots === null ? null : roots.map((root) => root.replace(/\/+$/, ""));
    this.host = host;
  }

  /** Whether a path (without links and dots) may be asked for at all. */
  sees(path: string): boolean {
    const first = /^\/+([^/]*)/.exec(path)?.[1] ?? "";
    if (MADE_DIRECTORIES.includes(first)) return false;
    if (this.roots === null || path === "/") return true;
    return this.roots.some((root) => isBelow(path, root) || isBelow(root, path));
  }

  /** The status of what lies there itself, not of what a link leads to. */
  status(path: string): FileStatus | number {
    if (!this.sees(path)) return -ERRNO.ENOENT;
    return this.remembered === null ? this.ask(path) : this.remembered.of(path, () => this.ask(path));
  }

  private ask(path: string): FileStatus | number {
    try {
      const stats = this.host.lstatSync(hostPath(path), { bigint: true, throwIfNoEntry: false });
      // Node says nothing for ENOTDIR as well as for ENOENT; whoever walks knows which of them it is.
      if (stats === undefined) return -ERRNO.ENOENT;
      const status = fromStats(stats);
      return this.isOrdinary(status, path) ? status : -ERRNO.ENOENT;
    } catch (error) {
      return errnoOf(error);
    }
  }

  readLink(path: string): string | number {
    if (!this.sees(path)) return -ERRNO.ENOENT;
    try {
      return this.host.readlinkSync(hostPath(path), "latin1");
    } catch (error) {
      return errnoOf(error);
    }
  }

  /** Names in the order of the disk: readdirSync would sort them, and a native program sees them unsorted. */
  names(path: string): string[] | number {
    if (!this.sees(path)) return -ERRNO.ENOENT;
    try {
      const directory = this.host.opendirSync(hostPath(path) as unknown as string, {
        encoding: "latin1",
        bufferSize: NAMES_AT_ONCE,
      });
      try {
        const names: string[] = [];
        for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
          if (names.length >= NAME_LIMIT) return -ERRNO.ENOMEM;
          if (this.sees(path === "/" ? `/${entry.name}` : `${path}/${entry.name}`)) names.push(entry.name);
        }
        return names;
      } finally {
        directory.closeSync();
      }
    } catch (error) {
      return errnoOf(error);
    }
  }

  /** Opens a regular file for reading: the one of which `status` told device and inode. */
  open(path: string, device: number, inode: number): number {
    const before = this.status(path);
    if (typeof before === "number") return before;
    if (!isSameRegular(before, device, inode)) return -ERRNO.ENOENT;
    try {
      const descriptor = this.host.openSync(hostPath(path), READ_FLAGS);
      const opened = this.descriptorStatus(descriptor);
      if (typeof opened !== "number" && isSameRegular(opened, device, inode)) return descriptor;
      this.host.closeSync(descriptor);
      return -ERRNO.ENOENT;
    } catch (error) {
      return errnoOf(error);
    }
  }

  read(descriptor: number, into: Uint8Array, offset: number): number {
    if (into.length === 0 || offset > LAST_POSITION) return 0;
    try {
      return this.host.readSync(descriptor, into, 0, into.length, offset);
    } catch (error) {
      return errnoOf(error);
    }
  }

  descriptorStatus(descriptor: number): FileStatus | number {
    try {
      return fromStats(this.host.fstatSync(descriptor, { bigint: true }));
    } catch (error) {
      return errnoOf(error);
    }
  }

  close(descriptor: number): void {
    this.host.closeSync(descriptor);
  }

  space(path: string): DiskSpace | number {
    if (!this.sees(path)) return -ERRNO.ENOENT;
    try {
      const stats = this.host.statfsSync(hostPath(path));
      return {
        type: stats.type,
        blockSize: stats.bsize,
        blocks: stats.blocks,
        free: stats.bfree,
        available: stats.bavail,
        files: stats.files,
        filesFree: stats.ffree,
      };
    } catch (error) {
      return errnoOf(error);
    }
  }

  private isOrdinary(status: FileStatus, path: string): boolean {
    const known = this.devices.get(status.device);
    if (known !== undefined) return known;
    // A link lies in the file system of its directory; asked for itself it would answer for what it leads to.
    const isLink = (status.mode & TYPE.mask) === TYPE.symlink;
    try {
      const { type } = this.host.statfsSync(hostPath(isLink ? path.slice(0, path.lastIndexOf("/") + 1) : path));
      const ordinary = !KERNEL_FILE_SYSTEMS.has(type);
      this.devices.set(status.device, ordinary);
      return ordinary;
    } catch {
      // What cannot be asked is hidden, but asked again next time.
      return false;
    }
  }
}

/** Whether a path is another one or lies below it. */
function isBelow(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}/`);
}

function isSameRegular(status: FileStatus, device: number, inode: number): boolean {
  return (status.mode & TYPE.mask) === TYPE.regular && status.device === device && status.inode === inode;
}
