// System calls that name files: opening, status, links, names, attributes. The old calls and their *at forms share one
// body each; a path is read here, made absolute, and the disk does the rest.

import { ERRNO } from "../errno.js";
import { AT_WORKING_DIRECTORY } from "../files/file-system.js";
import { NamedPipeEnd } from "../files/named-pipe.js";
import type { FileStatus, Timestamp } from "../files/open-file.js";
import type { Kernel } from "../kernel.js";
import { RunStop } from "../run-end.js";
import type { Call, Family } from "./call.js";
import { putExtendedStatus, putSpace, putStatus, twoWords } from "./structures.js";

const AT = { noFollow: 0x100, removeDirectory: 0x200, follow: 0x400, emptyPath: 0x1000 } as const;
const UTIME = { now: 0x3fff_ffff, omit: 0x3fff_fffe } as const;
const CREATE_FLAGS = 0o1101;

type OnPath = (path: string) => number;

/** Reads the path at `pointer`, relative to `directory`, and does something with it. */
function withPath(kernel: Kernel, directory: number, pointer: number, action: OnPath): number {
  const path = kernel.pointers.path(pointer);
  if (typeof path === "number") return path;
  const absolute = kernel.files.absolute(directory, path);
  return typeof absolute === "number" ? absolute : action(absolute);
}

function withTwoPaths(
  kernel: Kernel,
  from: readonly [number, number],
  to: readonly [number, number],
  action: (from: string, to: string) => number,
): number {
  return withPath(kernel, from[0], from[1], (first) =>
    withPath(kernel, to[0], to[1], (second) => action(first, second)),
  );
}

const HERE = AT_WORKING_DIRECTORY;

function open(kernel: Kernel, directory: number, pointer: number, flags: number, mode: number): number {
  const opened = withPath(kernel, directory, pointer, (path) => kernel.files.open(path, flags, mode));
  const file = opened < 0 ? null : kernel.files.get(opened);
  if (file instanceof NamedPipeEnd) awaitOtherEnd(kernel, file);
  return opened;
}

/** Whoever could open the other end of a named pipe has its turn. */
function awaitOtherEnd(kernel: Kernel, file: NamedPipeEnd): void {
  while (file.isWaiting && kernel.life.runAnother()) {}
  if (file.isWaiting) throw new RunStop({ kind: "limit", limit: "blocked" });
}

function answerStatus(kernel: Kernel, address: number, status: FileStatus | number): number {
  return typeof status === "number" ? status : putStatus(kernel.memory, address, status);
}

/** A status by path, or of the descriptor itself if the path is empty and the flags allow that. */
function statusAt(kernel: Kernel, directory: number, pointer: number, flags: number): FileStatus | number {
  const path = kernel.pointers.path(pointer);
  if (typeof path === "number") return path;
  if (path === "" && (flags & AT.emptyPath) !== 0) {
    if (directory === HERE) return kernel.files.disk.status(kernel.files.workingDirectory, true);
    return kernel.files.get(directory)?.status() ?? -ERRNO.EBADF;
  }
  const absolute = kernel.files.absolute(directory, path);
  if (typeof absolute === "number") return absolute;
  return kernel.files.disk.status(absolute, (flags & AT.noFollow) === 0);
}

function access(kernel: Kernel, directory: number, pointer: number, mask: number, flags: number): number {
  if ((mask & ~7) !== 0) return -ERRNO.EINVAL;
  return withPath(kernel, directory, pointer, (path) =>
    kernel.files.disk.access(path, mask, (flags & AT.noFollow) === 0),
  );
}

function readLink(kernel: Kernel, directory: number, pointer: number, buffer: number, size: number): number {
  if (size <= 0) return -ERRNO.EINVAL;
  return withPath(kernel, directory, pointer, (path) => {
    const target = kernel.files.disk.readLink(path);
    if (typeof target === "number") return target;
    const bytes = Buffer.from(target, "latin1").subarray(0, size);
    if (!kernel.pointers.mayWrite(buffer, bytes.length)) return -ERRNO.EFAULT;
    kernel.memory.u8.set(bytes, buffer);
    return bytes.length;
  });
}

/** The two times of utimensat: a time, or null to leave it. A null pointer means now. */
function requestedTimes(
  kernel: Kernel,
  address: number,
  unitNs: number,
): readonly [Timestamp | null, Timestamp | null] | null {
  const now = kernel.clock.timeOfDay();
  if (address === 0) return [now, now];
  const pair = [twoWords(kernel.memory, address), twoWords(kernel.memory, address + 16)];
  const times: (Timestamp | null)[] = [];
  for (const words of pair) {
    if (words === null) return null;
    const [seconds, fraction] = words;
    if (unitNs === 1 && fraction === UTIME.now) times.push(now);
    else if (unitNs === 1 && fraction === UTIME.omit) times.push(null);
    else times.push({ seconds, nanoseconds: fraction * unitNs });
  }
  return [times[0], times[1]];
}

function setTimes(kernel: Kernel, call: Call, unitNs: number, flags: number): number {
  const times = requestedTimes(kernel, call.pointer(2), unitNs);
  if (times === null) return -ERRNO.EFAULT;
  if (call.pointer(1) === 0) return kernel.files.get(call.i32(0))?.setTimes(times[0], times[1]) ?? -ERRNO.EBADF;
  return withPath(kernel, call.i32(0), call.pointer(1), (path) =>
    kernel.files.disk.setTimes(path, times[0], times[1], (flags & AT.noFollow) === 0),
  );
}

/** Ownership is not modelled: who may change it succeeds, and nothing changes. */
function chown(kernel: Kernel, directory: number, pointer: number, follow: boolean): number {
  return withPath(kernel, directory, pointer, (path) => {
    const status = kernel.files.disk.status(path, follow);
    return typeof status === "number" ? status : 0;
  });
}

function unlink(kernel: Kernel, directory: number, pointer: number, flags: number): number {
  return withPath(kernel, directory, pointer, (path) =>
    (flags & AT.removeDirectory) !== 0 ? kernel.files.disk.removeDirectory(path) : kernel.files.disk.unlink(path),
  );
}

function rename(kernel: Kernel, from: readonly [number, number], to: readonly [number, number], flags: number): number {
  return withTwoPaths(kernel, from, to, (old, fresh) => kernel.files.disk.rename(old, fresh, flags));
}

function link(kernel: Kernel, from: readonly [number, number], to: readonly [number, number], flags: number): number {
  return withTwoPaths(kernel, from, to, (old, fresh) => kernel.files.disk.link(old, fresh, (flags & AT.follow) !== 0));
}

function symbolicLink(kernel: Kernel, target: number, directory: number, pointer: number): number {
  const text = kernel.pointers.path(target);
  if (typeof text === "number") return text;
  return withPath(kernel, directory, pointer, (path) => kernel.files.disk.symbolicLink(text, path));
}

function changeMode(kernel: Kernel, directory: number, pointer: number, mode: number, flags: number): number {
  return withPath(kernel, directory, pointer, (path) =>
    kernel.files.disk.changeMode(path, mode, (flags & AT.noFollow) === 0),
  );
}

function makeDirectory(kernel: Kernel, directory: number, pointer: number, mode: number): number {
  return withPath(kernel, directory, pointer, (path) =>
    kernel.files.disk.makeDirectory(path, mode & 0o1777 & ~kernel.files.umask),
  );
}

function makeNode(kernel: Kernel, directory: number, pointer: number, mode: number): number {
  return withPath(kernel, directory, pointer, (path) => kernel.files.disk.makeNode(path, mode & ~kernel.files.umask));
}

export const FILES: Family = {
  2: { name: "open", handler: (k, c) => open(k, HERE, c.pointer(0), c.u32(1), c.u32(2)) },
  257: { name: "openat", handler: (k, c) => open(k, c.i32(0), c.pointer(1), c.u32(2), c.u32(3)) },
  85: { name: "creat", handler: (k, c) => open(k, HERE, c.pointer(0), CREATE_FLAGS, c.u32(1)) },

  4: { name: "stat", handler: (k, c) => answerStatus(k, c.pointer(1), statusAt(k, HERE, c.pointer(0), 0)) },
  5: {
    name: "fstat",
    handler: (k, c) => answerStatus(k, c.pointer(1), k.files.get(c.u32(0))?.status() ?? -ERRNO.EBADF),
  },
  6: { name: "lstat", handler: (k, c) => answerStatus(k, c.pointer(1), statusAt(k, HERE, c.pointer(0), AT.noFollow)) },
  262: {
    name: "newfstatat",
    handler: (k, c) => answerStatus(k, c.pointer(2), statusAt(k, c.i32(0), c.pointer(1), c.u32(3))),
  },
  332: {
    name: "statx",
    handler: (k, c) => {
      const status = statusAt(k, c.i32(0), c.pointer(1), c.u32(2));
      return typeof status === "number" ? status : putExtendedStatus(k.memory, c.pointer(4), status);
    },
  },
  137: {
    name: "statfs",
    handler: (k, c) =>
      withPath(k, HERE, c.pointer(0), (path) => {
        const space = k.files.disk.space(path);
        return typeof space === "number" ? space : putSpace(k.memory, c.pointer(1), space);
      }),
  },
  138: {
    name: "fstatfs",
    handler: (k, c) => {
      const file = k.files.get(c.u32(0));
      if (file === null) return -ERRNO.EBADF;
      const space = k.files.disk.space(file.path ?? "/");
      return typeof space === "number" ? space : putSpace(k.memory, c.pointer(1), space);
    },
  },

  21: { name: "access", handler: (k, c) => access(k, HERE, c.pointer(0), c.u32(1), 0) },
  269: { name: "faccessat", handler: (k, c) => access(k, c.i32(0), c.pointer(1), c.u32(2), 0) },
  439: { name: "faccessat2", handler: (k, c) => access(k, c.i32(0), c.pointer(1), c.u32(2), c.u32(3)) },

  82: { name: "rename", handler: (k, c) => rename(k, [HERE, c.pointer(0)], [HERE, c.pointer(1)], 0) },
  264: { name: "renameat", handler: (k, c) => rename(k, [c.i32(0), c.pointer(1)], [c.i32(2), c.pointer(3)], 0) },
  316: {
    name: "renameat2",
    handler: (k, c) => rename(k, [c.i32(0), c.pointer(1)], [c.i32(2), c.pointer(3)], c.u32(4)),
  },
  86: { name: "link", handler: (k, c) => link(k, [HERE, c.pointer(0)], [HERE, c.pointer(1)], 0) },
  265: {
    name: "linkat",
    handler: (k, c) => link(k, [c.i32(0), c.pointer(1)], [c.i32(2), c.pointer(3)], c.u32(4)),
  },
  87: { name: "unlink", handler: (k, c) => unlink(k, HERE, c.pointer(0), 0) },
  263: { name: "unlinkat", handler: (k, c) => unlink(k, c.i32(0), c.pointer(1), c.u32(2)) },
  88: { name: "symlink", handler: (k, c) => symbolicLink(k, c.pointer(0), HERE, c.pointer(1)) },
  266: { name: "symlinkat", handler: (k, c) => symbolicLink(k, c.pointer(0), c.i32(1), c.pointer(2)) },
  89: { name: "readlink", handler: (k, c) => readLink(k, HERE, c.pointer(0), c.pointer(1), c.i32(2)) },
  267: { name: "readlinkat", handler: (k, c) => readLink(k, c.i32(0), c.pointer(1), c.pointer(2), c.i32(3)) },

  83: { name: "mkdir", handler: (k, c) => makeDirectory(k, HERE, c.pointer(0), c.u32(1)) },
  258: { name: "mkdirat", handler: (k, c) => makeDirectory(k, c.i32(0), c.pointer(1), c.u32(2)) },
  84: { name: "rmdir", handler: (k, c) => unlink(k, HERE, c.pointer(0), AT.removeDirectory) },
  133: { name: "mknod", handler: (k, c) => makeNode(k, HERE, c.pointer(0), c.u32(1)) },
  259: { name: "mknodat", handler: (k, c) => makeNode(k, c.i32(0), c.pointer(1), c.u32(2)) },

  90: { name: "chmod", handler: (k, c) => changeMode(k, HERE, c.pointer(0), c.u32(1), 0) },
  91: { name: "fchmod", handler: (k, c) => k.files.get(c.u32(0))?.changeMode(c.u32(1)) ?? -ERRNO.EBADF },
  268: { name: "fchmodat", handler: (k, c) => changeMode(k, c.i32(0), c.pointer(1), c.u32(2), 0) },
  452: { name: "fchmodat2", handler: (k, c) => changeMode(k, c.i32(0), c.pointer(1), c.u32(2), c.u32(3)) },
  92: { name: "chown", handler: (k, c) => chown(k, HERE, c.pointer(0), true) },
  93: { name: "fchown", handler: (k, c) => (k.files.get(c.u32(0)) === null ? -ERRNO.EBADF : 0) },
  94: { name: "lchown", handler: (k, c) => chown(k, HERE, c.pointer(0), false) },
  260: {
    name: "fchownat",
    handler: (k, c) => chown(k, c.i32(0), c.pointer(1), (c.u32(4) & AT.noFollow) === 0),
  },
  76: {
    name: "truncate",
    handler: (k, c) => {
      const size = c.i64(1);
      if (size < 0) return -ERRNO.EINVAL;
      return withPath(k, HERE, c.pointer(0), (path) => k.files.disk.truncate(path, size));
    },
  },
  77: {
    name: "ftruncate",
    handler: (k, c) => {
      const size = c.i64(1);
      if (size < 0) return -ERRNO.EINVAL;
      return k.files.get(c.u32(0))?.truncate(size) ?? -ERRNO.EBADF;
    },
  },

  132: {
    name: "utime",
    handler: (k, c) => {
      const words = c.pointer(1) === 0 ? null : twoWords(k.memory, c.pointer(1));
      if (words === null && c.pointer(1) !== 0) return -ERRNO.EFAULT;
      const now = k.clock.timeOfDay();
      const accessed = words === null ? now : { seconds: words[0], nanoseconds: 0 };
      const modified = words === null ? now : { seconds: words[1], nanoseconds: 0 };
      return withPath(k, HERE, c.pointer(0), (path) => k.files.disk.setTimes(path, accessed, modified, true));
    },
  },
  235: {
    name: "utimes",
    handler: (k, c) => {
      const times = requestedTimes(k, c.pointer(1), 1000);
      if (times === null) return -ERRNO.EFAULT;
      return withPath(k, HERE, c.pointer(0), (path) => k.files.disk.setTimes(path, times[0], times[1], true));
    },
  },
  261: { name: "futimesat", handler: (k, c) => setTimes(k, c, 1000, 0) },
  280: { name: "utimensat", handler: (k, c) => setTimes(k, c, 1, c.u32(3)) },
};
