// Locks: fcntl's, of a process or an open file, and flock. A lock that another process holds is waited for by letting the
// others run; if none of them can, nobody will ever give it back.

import { ERRNO } from "../errno.js";
import { type FileLock, lockName } from "../files/file-locks.js";
import type { OpenFile } from "../files/open-file.js";
import type { Kernel } from "../kernel.js";
import { waitUntil } from "./waiting.js";

export type LockCommand = "get" | "set" | "wait";

/** struct flock. */
const FLOCK = { size: 32, type: 0, whence: 2, start: 8, length: 16, process: 24 } as const;
const TYPE = { read: 0, write: 1, none: 2 } as const;
/** flock's. */
const SHARED = 1;
const EXCLUSIVE = 2;
const NO_WAIT = 4;
const UNLOCK = 8;
const OF_OPEN_FILE = -1;

/** `isOfFile`: the lock belongs to the open file, not to the process. */
export function fileLock(
  kernel: Kernel,
  file: OpenFile,
  address: number,
  command: LockCommand,
  isOfFile: boolean,
): number {
  const { memory, files } = kernel;
  if (!kernel.pointers.mayRead(address, FLOCK.size)) return -ERRNO.EFAULT;
  memory.take(address, FLOCK.size);
  const type = memory.view.getInt16(address + FLOCK.type, true);
  const start = beginning(
    file,
    memory.view.getInt16(address + FLOCK.whence, true),
    memory.getI64(address + FLOCK.start),
  );
  if (start === null || type < TYPE.read || type > TYPE.none) return -ERRNO.EINVAL;
  const length = memory.getI64(address + FLOCK.length);
  const range =
    length < 0 ? { start: start + length, end: start } : { start, end: length === 0 ? Infinity : start + length };
  if (range.start < 0) return -ERRNO.EINVAL;
  if (isOfFile && memory.view.getInt32(address + FLOCK.process, true) !== 0) return -ERRNO.EINVAL;
  const lock: FileLock = {
    ...range,
    ...{ space: "fcntl", file: lockName(file), isWrite: type === TYPE.write },
    owner: isOfFile ? file : files,
    processId: isOfFile ? OF_OPEN_FILE : kernel.processId,
  };
  if (command === "get") {
    if (type === TYPE.none) return -ERRNO.EINVAL;
    if (!kernel.pointers.mayWrite(address, FLOCK.size)) return -ERRNO.EFAULT;
    tell(kernel, address, files.shared.locks.conflict(lock));
    return 0;
  }
  if (type === TYPE.none) {
    files.shared.locks.clear(lock);
    return 0;
  }
  if (type === TYPE.read ? !file.readable : !file.writable) return -ERRNO.EBADF;
  return acquire(kernel, lock, command === "wait");
}

export function wholeFileLock(kernel: Kernel, file: OpenFile, operation: number): number {
  const kind = operation & ~NO_WAIT;
  const lock: FileLock = {
    ...{ space: "flock", file: lockName(file), isWrite: kind === EXCLUSIVE, owner: file },
    ...{ processId: kernel.processId, start: 0, end: Infinity },
  };
  if (kind === UNLOCK) {
    kernel.files.shared.locks.clear(lock);
    return 0;
  }
  if (kind !== SHARED && kind !== EXCLUSIVE) return -ERRNO.EINVAL;
  return acquire(kernel, lock, (operation & NO_WAIT) === 0);
}

function acquire(kernel: Kernel, lock: FileLock, mayWait: boolean): number {
  const { locks } = kernel.files.shared;
  const isFree = (): boolean => locks.conflict(lock) === null;
  if (!mayWait && !isFree()) return -ERRNO.EAGAIN;
  const waited = mayWait ? waitUntil(kernel, isFree) : 0;
  if (waited === 0) locks.set(lock);
  return waited;
}

/** Where a lock's range is counted from; null: nowhere. */
function beginning(file: OpenFile, whence: number, offset: number): number | null {
  const status = file.status();
  const base = [0, Math.max(0, file.readOffset), typeof status === "number" ? 0 : status.size][whence];
  return base === undefined || base + offset < 0 ? null : base + offset;
}

/** F_GETLK's answer: the lock in the way, or that there is none. */
function tell({ memory }: Kernel, address: number, lock: FileLock | null): void {
  const { view } = memory;
  if (lock === null) {
    view.setInt16(address + FLOCK.type, TYPE.none, true);
    return;
  }
  view.setInt16(address + FLOCK.type, lock.isWrite ? TYPE.write : TYPE.read, true);
  view.setInt16(address + FLOCK.whence, 0, true);
  memory.setI64(address + FLOCK.start, lock.start);
  memory.setI64(address + FLOCK.length, lock.end === Infinity ? 0 : lock.end - lock.start);
  view.setInt32(address + FLOCK.process, lock.processId, true);
}
