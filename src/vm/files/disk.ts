// What the file system needs from a disk. There are two: the overlay (the default; nothing reaches the real disk) and
// the real disk itself (`--write-through`). Both show the same: what host-view.ts lets be seen, and /dev and /proc as
// made-tree.ts makes them. Paths are absolute and may hold "..", symbolic links and doubled slashes;
// results are values or negated error numbers.

import type { FileStatus, OpenFile, Timestamp } from "./open-file.js";

export interface DiskSpace {
  readonly type: number;
  readonly blockSize: number;
  readonly blocks: number;
  readonly free: number;
  readonly available: number;
  readonly files: number;
  readonly filesFree: number;
}

export interface Disk {
  status(path: string, follow: boolean): FileStatus | number;
  /** `mode` has the umask applied. */
  open(path: string, flags: number, mode: number): OpenFile | number;
  /** The path without links, dots and doubled slashes, if it is a directory that may be entered. */
  directory(path: string): string | number;
  /** 0 if the user may do what `mask` (4 read, 2 write, 1 execute or search) says. */
  access(path: string, mask: number, follow: boolean): number;
  readLink(path: string): string | number;
  makeDirectory(path: string, mode: number): number;
  makeNode(path: string, mode: number): number;
  removeDirectory(path: string): number;
  unlink(path: string): number;
  rename(from: string, to: string, flags: number): number;
  symbolicLink(target: string, path: string): number;
  link(from: string, to: string, follow: boolean): number;
  changeMode(path: string, mode: number, follow: boolean): number;
  setTimes(path: string, accessed: Timestamp | null, modified: Timestamp | null, follow: boolean): number;
  truncate(path: string, size: number): number;
  space(path: string): DiskSpace | number;
}

export const RENAME = { noReplace: 1, exchange: 2 } as const;

export interface User {
  readonly user: number;
  readonly group: number;
  readonly groups: readonly number[];
}

/** Whether the mode bits of a file let the user do all that `mask` says. */
export function permits(status: Pick<FileStatus, "mode" | "user" | "group">, user: User, mask: number): boolean {
  if (user.user === 0) return (mask & 1) === 0 || (status.mode & 0o111) !== 0 || (status.mode & 0o170000) === 0o040000;
  if (status.user === user.user) return ((status.mode >>> 6) & mask) === mask;
  if (status.group === user.group || user.groups.includes(status.group)) return ((status.mode >>> 3) & mask) === mask;
  return (status.mode & mask) === mask;
}
