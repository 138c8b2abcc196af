// An open file description: what several descriptors may share (offset, status flags). Each kind of file is a class
// that overrides what it can do; the base class answers everything else as the kernel answers for a file that cannot.
// All results are counts or negated error numbers.

import { ERRNO } from "../errno.js";
import type { GivenContent } from "./given-content.js";

export const OPEN = {
  readOnly: 0,
  writeOnly: 1,
  readWrite: 2,
  accessMode: 3,
  create: 0o100,
  exclusive: 0o200,
  noTerminal: 0o400,
  truncate: 0o1000,
  append: 0o2000,
  nonBlocking: 0o4000,
  directory: 0o200000,
  noFollow: 0o400000,
  closeOnExec: 0o2000000,
  path: 0o10000000,
  /** O_TMPFILE without the O_DIRECTORY it contains. */
  temporary: 0o20000000,
} as const;

export const SEEK = { set: 0, current: 1, end: 2, data: 3, hole: 4 } as const;

/** The file type bits of a mode. */
export const TYPE = {
  mask: 0o170000,
  fifo: 0o010000,
  character: 0o020000,
  directory: 0o040000,
  block: 0o060000,
  regular: 0o100000,
  symlink: 0o120000,
  socket: 0o140000,
} as const;

export interface Timestamp {
  readonly seconds: number;
  readonly nanoseconds: number;
}

export interface FileStatus {
  readonly device: number;
  readonly inode: number;
  readonly mode: number;
  readonly links: number;
  readonly user: number;
  readonly group: number;
  readonly rawDevice: number;
  readonly size: number;
  readonly blockSize: number;
  readonly blocks: number;
  readonly accessed: Timestamp;
  readonly modified: Timestamp;
  readonly changed: Timestamp;
}

/** st_dev of what lies on no disk. */
export const MADE_DEVICE = 6;
/** st_dev of what lies in /dev/shm, which is a file system of its own. */
export const SHARED_MEMORY_DEVICE = 7;

/** A status of something that is on no disk: devices, pipes, captured streams. */
export function plainStatus(mode: number, inode: number, rawDevice = 0): FileStatus {
  const never: Timestamp = { seconds: 0, nanoseconds: 0 };
  return {
    device: MADE_DEVICE,
    inode,
    mode,
    links: 1,
    user: 0,
    group: 0,
    rawDevice,
    size: 0,
    blockSize: 4096,
    blocks: 0,
    accessed: never,
    modified: never,
    changed: never,
  };
}

export interface DirectoryEntry {
  readonly name: string;
  readonly inode: number;
  /** The file type as getdents64 has it: mode bits shifted down by 12. */
  readonly type: number;
}

export abstract class OpenFile {
  /** As fcntl(F_GETFL) shows them. */
  flags: number;
  /** Absolute path it was opened by, one character per byte; null if it has none. */
  readonly path: string | null;
  /** Descriptors that refer to it. */
  references = 0;

  constructor(flags: number, path: string | null) {
    this.flags = flags;
    this.path = path;
  }

  get readable(): boolean {
    return (this.flags & OPEN.accessMode) !== OPEN.writeOnly && (this.flags & OPEN.path) === 0;
  }

  get writable(): boolean {
    return (this.flags & OPEN.accessMode) !== OPEN.readOnly && (this.flags & OPEN.path) === 0;
  }

  get isTerminal(): boolean {
    return false;
  }

  /** Null: the run was not given what it holds. */
  get givenContent(): GivenContent | null {
    return null;
  }

  /** Where the next read begins; -1 if that has no meaning. */
  get readOffset(): number {
    return -1;
  }

  abstract status(): FileStatus | number;

  read(_into: Uint8Array): number {
    return -ERRNO.EINVAL;
  }

  write(_from: Uint8Array): number {
    return -ERRNO.EINVAL;
  }

  readAt(_into: Uint8Array, _offset: number): number {
    return -ERRNO.ESPIPE;
  }

  writeAt(_from: Uint8Array, _offset: number): number {
    return -ERRNO.ESPIPE;
  }

  seek(_offset: number, _whence: number): number {
    return -ERRNO.ESPIPE;
  }

  truncate(_size: number): number {
    return -ERRNO.EINVAL;
  }

  changeMode(_mode: number): number {
    return -ERRNO.EPERM;
  }

  /** Null leaves a time as it is. */
  setTimes(_accessed: Timestamp | null, _modified: Timestamp | null): number {
    return -ERRNO.EPERM;
  }

  /** What opening /proc/self/fd/N gives, where that is another description: a regular file without a path. */
  reopened(): OpenFile | null {
    return null;
  }

  /** What FIONREAD answers; -1 if it cannot be known. */
  get pendingBytes(): number {
    return -1;
  }

  /** Whether a read or a write would not block now. */
  readyToRead(): boolean {
    return true;
  }

  readyToWrite(): boolean {
    return true;
  }

  /** The last descriptor is gone. */
  close(): void {}
}

/**
 * An open directory: a snapshot of its names, taken at the first read and anew after rewinding. What lies under a name is
 * looked at when it is delivered: of a directory with a million entries nobody may ever ask for the last.
 */
export abstract class OpenDirectory extends OpenFile {
  private snapshot: readonly string[] | null = null;
  /** Index of the next name to deliver. */
  position = 0;

  /** Names with "." and "..", or a negated error number. */
  protected abstract list(): readonly string[] | number;
  /** What lies under a name; null if nothing does any more. */
  abstract entry(name: string): DirectoryEntry | null;

  names(): readonly string[] | number {
    if (this.snapshot === null) {
      const list = this.list();
      if (typeof list === "number") return list;
      this.snapshot = list;
    }
    return this.snapshot;
  }

  override read(_into: Uint8Array): number {
    return -ERRNO.EISDIR;
  }

  override seek(offset: number, whence: number): number {
    const target = whence === SEEK.set ? offset : whence === SEEK.current ? this.position + offset : -1;
    if (target < 0) return -ERRNO.EINVAL;
    if (target === 0) this.snapshot = null;
    this.position = target;
    return target;
  }
}
