// System calls on descriptors: offsets, duplication, flags and locks, directories, the working directory, terminals.

import { ERRNO } from "../errno.js";
import { DESCRIPTOR_LIMIT } from "../files/file-system.js";
import { OPEN, OpenDirectory, type OpenFile } from "../files/open-file.js";
import type { Kernel } from "../kernel.js";
import { SETTINGS_SIZE } from "../terminal.js";
import type { Call, Family } from "./call.js";
import { fileLock, wholeFileLock } from "./locks.js";

const FCNTL = {
  duplicate: 0,
  getDescriptorFlags: 1,
  setDescriptorFlags: 2,
  getFlags: 3,
  setFlags: 4,
  getLock: 5,
  setLock: 6,
  setLockWait: 7,
  getOwner: 9,
  setOwner: 8,
  getOpenLock: 36,
  setOpenLock: 37,
  setOpenLockWait: 38,
  duplicateCloseOnExec: 1030,
  getPipeSize: 1032,
  setPipeSize: 1031,
} as const;
const CHANGEABLE_FLAGS = OPEN.append | OPEN.nonBlocking;

const IOCTL = {
  getSettings: 0x5401,
  setSettings: 0x5402,
  setSettingsDrain: 0x5403,
  setSettingsFlush: 0x5404,
  flush: 0x540b,
  sendBreak: 0x5409,
  getProcessGroup: 0x540f,
  setProcessGroup: 0x5410,
  getWindow: 0x5413,
  setWindow: 0x5414,
  available: 0x541b,
  nonBlocking: 0x5421,
  closeOnExec: 0x5451,
  noCloseOnExec: 0x5450,
} as const;

function isDescriptor(number: number): boolean {
  return number >= 0 && number < DESCRIPTOR_LIMIT;
}

function fcntl(kernel: Kernel, call: Call): number {
  const { files } = kernel;
  const entry = files.descriptor(call.u32(0));
  if (entry === null) return -ERRNO.EBADF;
  switch (call.u32(1)) {
    case FCNTL.duplicate:
      return isDescriptor(call.i32(2)) ? files.install(entry.file, false, call.i32(2)) : -ERRNO.EINVAL;
    case FCNTL.duplicateCloseOnExec:
      return isDescriptor(call.i32(2)) ? files.install(entry.file, true, call.i32(2)) : -ERRNO.EINVAL;
    case FCNTL.getDescriptorFlags:
      return entry.closeOnExec ? 1 : 0;
    case FCNTL.setDescriptorFlags:
      entry.closeOnExec = (call.u32(2) & 1) !== 0;
      return 0;
    case FCNTL.getFlags:
      return entry.file.flags;
    case FCNTL.setFlags:
      entry.file.flags = (entry.file.flags & ~CHANGEABLE_FLAGS) | (call.u32(2) & CHANGEABLE_FLAGS);
      return 0;
    case FCNTL.getLock:
      return fileLock(kernel, entry.file, call.pointer(2), "get", false);
    case FCNTL.setLock:
      return fileLock(kernel, entry.file, call.pointer(2), "set", false);
    case FCNTL.setLockWait:
      return fileLock(kernel, entry.file, call.pointer(2), "wait", false);
    case FCNTL.getOpenLock:
      return fileLock(kernel, entry.file, call.pointer(2), "get", true);
    case FCNTL.setOpenLock:
      return fileLock(kernel, entry.file, call.pointer(2), "set", true);
    case FCNTL.setOpenLockWait:
      return fileLock(kernel, entry.file, call.pointer(2), "wait", true);
    case FCNTL.setOwner:
    case FCNTL.getOwner:
      return 0;
    case FCNTL.getPipeSize:
    case FCNTL.setPipeSize:
      return 0x1_0000;
    default:
      return -ERRNO.EINVAL;
  }
}

function ioctl(kernel: Kernel, call: Call): number {
  const { memory, pointers, terminal, files } = kernel;
  const entry = files.descriptor(call.u32(0));
  if (entry === null) return -ERRNO.EBADF;
  const { file } = entry;
  const request = call.u32(1);
  const address = call.pointer(2);
  switch (request) {
    case IOCTL.closeOnExec:
    case IOCTL.noCloseOnExec:
      entry.closeOnExec = request === IOCTL.closeOnExec;
      return 0;
    case IOCTL.nonBlocking:
      if (!pointers.mayRead(address, 4)) return -ERRNO.EFAULT;
      file.flags =
        memory.view.getInt32(address, true) !== 0 ? file.flags | OPEN.nonBlocking : file.flags & ~OPEN.nonBlocking;
      return 0;
    case IOCTL.available: {
      const bytes = file.pendingBytes;
      if (bytes < 0) return -ERRNO.ENOTTY;
      return putInt(kernel, address, bytes);
    }
  }
  if (!file.isTerminal) return -ERRNO.ENOTTY;
  switch (request) {
    case IOCTL.getSettings:
      if (!pointers.mayWrite(address, SETTINGS_SIZE)) return -ERRNO.EFAULT;
      memory.u8.set(terminal.settings, address);
      return 0;
    case IOCTL.setSettings:
    case IOCTL.setSettingsDrain:
    case IOCTL.setSettingsFlush:
      if (!pointers.mayRead(address, SETTINGS_SIZE)) return -ERRNO.EFAULT;
      terminal.settings.set(memory.u8.subarray(address, address + SETTINGS_SIZE));
      return 0;
    case IOCTL.getWindow:
      if (!pointers.mayWrite(address, 8)) return -ERRNO.EFAULT;
      memory.view.setUint16(address, terminal.window.rows, true);
      memory.view.setUint16(address + 2, terminal.window.columns, true);
      memory.view.setUint32(address + 4, 0, true);
      return 0;
    case IOCTL.setWindow:
      if (!pointers.mayRead(address, 8)) return -ERRNO.EFAULT;
      terminal.window = {
        rows: memory.view.getUint16(address, true),
        columns: memory.view.getUint16(address + 2, true),
      };
      return 0;
    case IOCTL.getProcessGroup:
      return putInt(kernel, address, terminal.processGroup);
    case IOCTL.setProcessGroup:
    case IOCTL.flush:
    case IOCTL.sendBreak:
      return 0;
    default:
      return kernel.deny(`ioctl 0x${request.toString(16)}`, ERRNO.ENOTTY);
  }
}

function putInt(kernel: Kernel, address: number, value: number): number {
  if (!kernel.pointers.mayWrite(address, 4)) return -ERRNO.EFAULT;
  kernel.memory.view.setInt32(address, value, true);
  return 0;
}

function pipe(kernel: Kernel, address: number, flags: number): number {
  if (kernel.memory.firstUnwritable(address, 8) >= 0) return -ERRNO.EFAULT;
  const pair = kernel.files.pipe(flags);
  if (typeof pair === "number") return pair;
  kernel.memory.view.setInt32(address, pair[0], true);
  kernel.memory.view.setInt32(address + 4, pair[1], true);
  return 0;
}

/** Writes as many whole entries as fit. */
function getDirectoryEntries(kernel: Kernel, file: OpenFile, address: number, size: number): number {
  if (!(file instanceof OpenDirectory)) return -ERRNO.ENOTDIR;
  const names = file.names();
  if (typeof names === "number") return names;
  const { memory } = kernel;
  let at = address;
  while (file.position < names.length) {
    const entry = file.entry(names[file.position]);
    if (entry === null) {
      file.position++;
      continue;
    }
    const name = Buffer.from(entry.name, "latin1");
    const length = Math.ceil((19 + name.length + 1) / 8) * 8;
    if (at + length > address + size) {
      return at === address ? -ERRNO.EINVAL : at - address;
    }
    if (!kernel.pointers.mayWrite(at, length)) return -ERRNO.EFAULT;
    memory.u8.fill(0, at, at + length);
    file.position++;
    memory.setI64(at, entry.inode);
    memory.setI64(at + 8, file.position);
    memory.view.setUint16(at + 16, length, true);
    memory.view.setUint8(at + 18, entry.type);
    memory.u8.set(name, at + 19);
    at += length;
  }
  return at - address;
}

/** For calls that only need the descriptor to be there. */
function needsFile(kernel: Kernel, descriptor: number): number {
  return kernel.files.get(descriptor) === null ? -ERRNO.EBADF : 0;
}

function closeRange(kernel: Kernel, first: number, last: number): number {
  if (first > last) return -ERRNO.EINVAL;
  for (let descriptor = first; descriptor <= Math.min(last, 1024); descriptor++) kernel.files.close(descriptor);
  return 0;
}

export const DESCRIPTORS: Family = {
  3: { name: "close", handler: (k, c) => k.files.close(c.u32(0)) },
  8: {
    name: "lseek",
    handler: (k, c) => {
      const file = k.files.get(c.u32(0));
      return file === null ? -ERRNO.EBADF : file.seek(c.i64(1), c.u32(2));
    },
  },
  16: { name: "ioctl", handler: ioctl },
  22: { name: "pipe", handler: (k, c) => pipe(k, c.pointer(0), 0) },
  293: { name: "pipe2", handler: (k, c) => pipe(k, c.pointer(0), c.u32(1)) },
  32: {
    name: "dup",
    handler: (k, c) => {
      const file = k.files.get(c.u32(0));
      return file === null ? -ERRNO.EBADF : k.files.install(file);
    },
  },
  33: {
    name: "dup2",
    handler: (k, c) => {
      const file = k.files.get(c.u32(0));
      if (file === null) return -ERRNO.EBADF;
      return c.u32(0) === c.u32(1) ? c.i32(1) : k.files.replace(c.i32(1), file, false);
    },
  },
  292: {
    name: "dup3",
    handler: (k, c) => {
      const file = k.files.get(c.u32(0));
      if (file === null) return -ERRNO.EBADF;
      if (c.u32(0) === c.u32(1)) return -ERRNO.EINVAL;
      return k.files.replace(c.i32(1), file, (c.u32(2) & OPEN.closeOnExec) !== 0);
    },
  },
  72: { name: "fcntl", handler: fcntl },
  73: {
    name: "flock",
    handler: (k, c) => {
      const file = k.files.get(c.u32(0));
      return file === null ? -ERRNO.EBADF : wholeFileLock(k, file, c.u32(1));
    },
  },
  74: { name: "fsync", handler: (k, c) => needsFile(k, c.u32(0)) },
  75: { name: "fdatasync", handler: (k, c) => needsFile(k, c.u32(0)) },
  162: { name: "sync", handler: () => 0 },
  306: { name: "syncfs", handler: (k, c) => needsFile(k, c.u32(0)) },
  221: { name: "fadvise64", handler: (k, c) => needsFile(k, c.u32(0)) },
  285: {
    name: "fallocate",
    handler: (k, c) => {
      const file = k.files.get(c.u32(0));
      if (file === null) return -ERRNO.EBADF;
      const status = file.status();
      if (typeof status === "number") return status;
      if (c.u32(1) !== 0) return -ERRNO.EOPNOTSUPP;
      const end = c.i64(2) + c.i64(3);
      return end > status.size ? file.truncate(end) : 0;
    },
  },
  436: { name: "close_range", handler: (k, c) => closeRange(k, c.u32(0), c.u32(1)) },

  217: {
    name: "getdents64",
    handler: (k, c) => {
      const file = k.files.get(c.u32(0));
      return file === null ? -ERRNO.EBADF : getDirectoryEntries(k, file, c.pointer(1), c.u32(2));
    },
  },
  79: {
    name: "getcwd",
    handler: (k, c) => {
      const directory = k.files.disk.directory(k.files.workingDirectory);
      if (typeof directory === "number") return -ERRNO.ENOENT;
      const bytes = Buffer.from(`${directory}\0`, "latin1");
      if (bytes.length > c.pointer(1)) return -ERRNO.ERANGE;
      if (!k.pointers.mayWrite(c.pointer(0), bytes.length)) return -ERRNO.EFAULT;
      k.memory.u8.set(bytes, c.pointer(0));
      return bytes.length;
    },
  },
  80: {
    name: "chdir",
    handler: (k, c) => {
      const path = k.pointers.path(c.pointer(0));
      if (typeof path === "number") return path;
      const absolute = k.files.absolute(-100, path);
      return typeof absolute === "number" ? absolute : k.files.changeDirectory(absolute);
    },
  },
  81: {
    name: "fchdir",
    handler: (k, c) => {
      const file = k.files.get(c.u32(0));
      if (file === null) return -ERRNO.EBADF;
      return file.path === null ? -ERRNO.ENOTDIR : k.files.changeDirectory(file.path);
    },
  },
  95: {
    name: "umask",
    handler: (k, c) => {
      const before = k.files.umask;
      k.files.umask = c.u32(0) & 0o777;
      return before;
    },
  },
};
