// Files that are on no disk: the harmless devices, and the few files of /proc/self that programs look at. They are
// recognised by path before the disk is asked, since the real ones would show the host's process or be unrepeatable.
// Other devices can be read, never written.

import * as fs from "node:fs";
import type { Random } from "../../support/random.js";
import { ERRNO, errnoOf } from "../errno.js";
import { hostDescriptorStatus, hostPath } from "./host-status.js";
import { HostStream } from "./host-stream.js";
import { type DirectoryEntry, type FileStatus, OPEN, OpenDirectory, OpenFile, plainStatus, TYPE } from "./open-file.js";
import { seekTarget } from "./seek.js";

const DEVICE = TYPE.character | 0o666;

/** major and minor as st_rdev has them. */
function deviceNumber(major: number, minor: number): number {
  return (major << 8) | minor;
}

class Device extends OpenFile {
  private readonly minor: number;
  private readonly fill: (into: Uint8Array) => number;
  private readonly sink: (from: Uint8Array) => number;

  constructor(
    flags: number,
    path: string,
    minor: number,
    fill: (into: Uint8Array) => number,
    sink: (from: Uint8Array) => number,
  ) {
    super(flags, path);
    this.minor = minor;
    this.fill = fill;
    this.sink = sink;
  }

  override status(): FileStatus {
    return plainStatus(DEVICE, this.minor + 1, deviceNumber(1, this.minor));
  }

  override read(into: Uint8Array): number {
    return this.fill(into);
  }

  override write(from: Uint8Array): number {
    return this.sink(from);
  }

  override readAt(into: Uint8Array): number {
    return this.fill(into);
  }

  override writeAt(from: Uint8Array): number {
    return this.sink(from);
  }

  override seek(): number {
    return 0;
  }
}

/** A text made up by us, read-only. */
class TextFile extends OpenFile {
  private readonly bytes: Uint8Array;
  private offset = 0;

  constructor(flags: number, path: string, bytes: Uint8Array) {
    super(flags, path);
    this.bytes = bytes;
  }

  override status(): FileStatus {
    return plainStatus(TYPE.regular | 0o444, 7);
  }

  override read(into: Uint8Array): number {
    const count = this.readAt(into, this.offset);
    this.offset += count;
    return count;
  }

  override readAt(into: Uint8Array, offset: number): number {
    const part = this.bytes.subarray(offset, offset + into.length);
    into.set(part);
    return part.length;
  }

  override seek(offset: number, whence: number): number {
    const target = seekTarget(offset, whence, this.offset, this.bytes.length);
    if (target >= 0) this.offset = target;
    return target;
  }
}

/** The directory of our own descriptors. */
class DescriptorDirectory extends OpenDirectory {
  private readonly numbers: () => readonly number[];

  constructor(flags: number, path: string, numbers: () => readonly number[]) {
    super(flags, path);
    this.numbers = numbers;
  }

  override status(): FileStatus {
    return plainStatus(TYPE.directory | 0o500, 9);
  }

  protected override list(): DirectoryEntry[] {
    const dots = [".", ".."].map((name) => ({ name, inode: 9, type: TYPE.directory >>> 12 }));
    const numbers = this.numbers().map((number) => ({
      name: String(number),
      inode: 10 + number,
      type: TYPE.symlink >>> 12,
    }));
    return [...dots, ...numbers];
  }
}

/** A device or named pipe of the host, for reading only. */
class HostDevice extends OpenFile {
  private readonly descriptor: number;

  constructor(flags: number, path: string, descriptor: number) {
    super(flags, path);
    this.descriptor = descriptor;
  }

  override status(): FileStatus | number {
    return hostDescriptorStatus(this.descriptor);
  }

  override read(into: Uint8Array): number {
    try {
      return fs.readSync(this.descriptor, into, 0, into.length, null);
    } catch (error) {
      return errnoOf(error);
    }
  }

  override close(): void {
    fs.closeSync(this.descriptor);
  }
}

/** What the special files show of the process. */
export interface SpecialContext {
  readonly random: Random;
  readonly executable: string;
  readonly arguments: readonly (string | Uint8Array)[];
  readonly processId: number;
  descriptors(): readonly number[];
  get(descriptor: number): OpenFile | null;
  /** Opens a path on the disk again, for /proc/self/fd of a regular file. */
  reopen(path: string, flags: number): OpenFile | number;
  deny(what: string, errno: number): number;
}

/** Where the link to a regular file leads of which only the content is known: as the kernel names one that was deleted. */
const UNNAMED = "/input (deleted)";

const DEVICES = new Set(["null", "zero", "full", "tty", "urandom", "random", "stdin", "stdout", "stderr", "fd"]);

export class SpecialFileSet {
  private readonly context: SpecialContext;

  constructor(context: SpecialContext) {
    this.context = context;
  }

  /** The path in its one spelling if we make up what is there; null otherwise. */
  canonical(path: string): string | null {
    const match = /^\/+(dev|proc)\/+(.+?)\/*$/.exec(path);
    if (match === null) return null;
    const parts = match[2].split(/\/+/).filter((part) => part !== ".");
    if (match[1] === "dev") {
      if (!DEVICES.has(parts[0]) || (parts.length > 1 && parts[0] !== "fd")) return null;
      return `/dev/${parts.join("/")}`;
    }
    const own = parts[0] === "self" || parts[0] === "thread-self" || parts[0] === String(this.context.processId);
    return own ? `/proc/self/${parts.slice(1).join("/")}` : null;
  }

  /** Opens a special path; null if it is none. */
  open(path: string, flags: number): OpenFile | number | null {
    const canonical = this.canonical(path);
    if (canonical === null) return this.openOther(path, flags);
    const { random } = this.context;
    const swallow = (from: Uint8Array): number => from.length;
    const zeros = (into: Uint8Array): number => into.fill(0).length;
    switch (canonical) {
      case "/dev/null":
        return new Device(flags, canonical, 3, () => 0, swallow);
      case "/dev/zero":
        return new Device(flags, canonical, 5, zeros, swallow);
      case "/dev/full":
        return new Device(flags, canonical, 7, zeros, () => -ERRNO.ENOSPC);
      case "/dev/random":
      case "/dev/urandom":
        return new Device(
          flags,
          canonical,
          canonical === "/dev/random" ? 8 : 9,
          (into) => {
            random.fill(into);
            return into.length;
          },
          swallow,
        );
      case "/dev/tty":
        return this.openTerminal(flags);
      case "/dev/stdin":
        return this.openDescriptor(0, flags);
      case "/dev/stdout":
        return this.openDescriptor(1, flags);
      case "/dev/stderr":
        return this.openDescriptor(2, flags);
      default:
        return this.openOwn(canonical, flags);
    }
  }

  private openOwn(path: string, flags: number): OpenFile | number {
    const descriptor = /^\/(?:dev|proc\/self)\/fd(?:\/(.*))?$/.exec(path);
    if (descriptor !== null) {
      if (descriptor[1] === undefined) return new DescriptorDirectory(flags, path, () => this.context.descriptors());
      return /^\d+$/.test(descriptor[1]) ? this.openDescriptor(Number(descriptor[1]), flags) : -ERRNO.ENOENT;
    }
    if (path === "/proc/self/exe") return this.context.reopen(this.context.executable, flags);
    const bytes = this.text(path);
    if (bytes === null) return -ERRNO.ENOENT;
    if ((flags & OPEN.accessMode) !== OPEN.readOnly) return -ERRNO.EACCES;
    return new TextFile(flags, path, bytes);
  }

  private text(path: string): Uint8Array | null {
    const name = this.context.executable.split("/").at(-1) ?? "";
    const id = this.context.processId;
    switch (path) {
      case "/proc/self/cmdline":
        return Buffer.concat(this.context.arguments.map((text) => Buffer.concat([Buffer.from(text), Buffer.alloc(1)])));
      case "/proc/self/comm":
        return Buffer.from(`${name.slice(0, 15)}\n`);
      case "/proc/self/maps":
      case "/proc/self/environ":
        return new Uint8Array(0);
      case "/proc/self/stat":
        return Buffer.from(`${id} (${name.slice(0, 15)}) R ${id - 1} ${id} ${id} 0 -1 0${" 0".repeat(43)}\n`);
      case "/proc/self/status":
        return Buffer.from(`Name:\t${name.slice(0, 15)}\nState:\tR (running)\nPid:\t${id}\nThreads:\t1\n`);
      default:
        return null;
    }
  }

  /** The status of a special path; null if it is none. `follow` false shows links as links. */
  status(path: string, follow: boolean): FileStatus | number | null {
    const canonical = this.canonical(path);
    if (canonical === null) return null;
    if (!follow && this.readLink(canonical) !== null) return plainStatus(TYPE.symlink | 0o777, 11);
    if (canonical === "/proc/self/") return plainStatus(TYPE.directory | 0o555, 8);
    if (canonical === "/dev/tty") return plainStatus(DEVICE, 6, deviceNumber(5, 0));
    const file = this.open(canonical, OPEN.readOnly);
    if (file === null || typeof file === "number") return file ?? -ERRNO.ENOENT;
    const status = file.status();
    if (file.references === 0) file.close();
    return status;
  }

  /** Where a special link leads; null if the path is none. */
  readLink(path: string): string | null {
    const canonical = this.canonical(path);
    if (canonical === "/proc/self/exe") return this.context.executable;
    const descriptor = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(canonical ?? "");
    if (descriptor === null) return null;
    const file = this.context.get(Number(descriptor[1]));
    if (file === null) return null;
    return file.path ?? (file.reopened() === null ? `pipe:[${descriptor[1]}]` : UNNAMED);
  }

  /** A regular file is opened again, with an offset of its own; anything else is the same stream. */
  private openDescriptor(descriptor: number, flags: number): OpenFile | number {
    const file = this.context.get(descriptor);
    if (file === null) return -ERRNO.ENOENT;
    const status = file.status();
    const regular = typeof status !== "number" && (status.mode & TYPE.mask) === TYPE.regular;
    if (!regular) return file;
    return file.path !== null ? this.context.reopen(file.path, flags) : (file.reopened() ?? file);
  }

  private openTerminal(flags: number): OpenFile | number {
    try {
      return new HostStream(fs.openSync("/dev/tty", flags & OPEN.accessMode), null, "/dev/tty");
    } catch (error) {
      return errnoOf(error);
    }
  }

  /** A device, socket or named pipe found on the real disk. */
  private openOther(path: string, flags: number): OpenFile | number | null {
    if ((flags & OPEN.accessMode) !== OPEN.readOnly) return this.context.deny(`write to device ${path}`, ERRNO.EACCES);
    try {
      return new HostDevice(flags, path, fs.openSync(hostPath(path), fs.constants.O_RDONLY));
    } catch (error) {
      return errnoOf(error);
    }
  }
}
