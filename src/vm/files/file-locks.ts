// Locks on files, of all processes of a run: those of fcntl, which belong to a process (its FileSystem) or to an open file,
// and those of flock. They are about who may go on, never about bytes. What a process or an open file held is gone when it is.
// Invariant: of one owner's locks on a file no two overlap.

import type { OpenFile } from "./open-file.js";

/** A process's files, or an open file: its locks go when nothing refers to it. */
export type LockOwner = object | OpenFile;

/** flock and fcntl do not see each other. */
export type LockSpace = "fcntl" | "flock";

export interface LockRange {
  readonly isWrite: boolean;
  /** Bytes from `start` up to `end`, which may be Infinity. */
  readonly start: number;
  readonly end: number;
}

export interface FileLock extends LockRange {
  readonly space: LockSpace;
  readonly file: string;
  readonly owner: LockOwner;
  /** What F_GETLK says: -1 for those of an open file. */
  readonly processId: number;
}

export class FileLocks {
  private held: FileLock[] = [];

  /** The first of another owner's locks that is in the way, or null. */
  conflict(wanted: FileLock): FileLock | null {
    if (this.held.length > 0) this.held = this.held.filter(({ owner }) => !isGone(owner));
    const others = this.held.filter((lock) => isSamePlace(lock, wanted) && lock.owner !== wanted.owner);
    const inTheWay = others.filter((lock) => overlaps(lock, wanted) && (lock.isWrite || wanted.isWrite));
    return inTheWay.sort((a, b) => a.start - b.start)[0] ?? null;
  }

  /** Nothing may be in its way. It replaces what the owner had there, and grows together with its like. */
  set(lock: FileLock): void {
    this.clear(lock);
    let { start, end } = lock;
    this.held = this.held.filter((other) => {
      const isLike = isSamePlace(other, lock) && other.owner === lock.owner && other.isWrite === lock.isWrite;
      if (!isLike || (other.end !== start && other.start !== end)) return true;
      start = Math.min(start, other.start);
      end = Math.max(end, other.end);
      return false;
    });
    this.held.push({ ...lock, start, end });
  }

  /** The owner has none there any more. */
  clear(range: FileLock): void {
    this.held = this.held.flatMap((lock) => {
      if (!isSamePlace(lock, range) || lock.owner !== range.owner || !overlaps(lock, range)) return [lock];
      const rest: FileLock[] = [];
      if (lock.start < range.start) rest.push({ ...lock, end: range.start });
      if (range.end < lock.end) rest.push({ ...lock, start: range.end });
      return rest;
    });
  }

  /** The process closes one of its descriptors of the file: all its locks there are gone, as POSIX has it. */
  release(owner: LockOwner, file: OpenFile): void {
    if (!this.held.some((lock) => lock.owner === owner)) return;
    const name = lockName(file);
    this.held = this.held.filter((lock) => lock.owner !== owner || lock.file !== name);
  }
}

/** Which file it is, whatever it was opened by. */
export function lockName(file: OpenFile): string {
  const status = file.status();
  return typeof status === "number" ? (file.path ?? "") : `${status.device}:${status.inode}`;
}

function isGone(owner: LockOwner): boolean {
  return "references" in owner && owner.references === 0;
}

function isSamePlace(a: FileLock, b: FileLock): boolean {
  return a.space === b.space && a.file === b.file;
}

function overlaps(a: LockRange, b: LockRange): boolean {
  return a.start < b.end && b.start < a.end;
}
