// Open files that are on no disk: the harmless devices, texts that we make up, the terminal. Nothing here touches the
// host; the terminal is the program's own standard streams, as far as they are one.

import { ERRNO } from "../errno.js";
import { type FileStatus, OPEN, OpenFile, plainStatus, TYPE } from "./open-file.js";
import { seekTarget } from "./seek.js";

const DEVICE_MODE = TYPE.character | 0o666;
const MEMORY_MAJOR = 1;
const TERMINAL_MAJOR = 5;

/** st_rdev of a device, for the small numbers there are here. */
function deviceNumber(major: number, minor: number): number {
  return (major << 8) | minor;
}

export function memoryDeviceStatus(minor: number): FileStatus {
  return plainStatus(DEVICE_MODE, minor + 1, deviceNumber(MEMORY_MAJOR, minor));
}

export function terminalStatus(): FileStatus {
  return plainStatus(DEVICE_MODE, 6, deviceNumber(TERMINAL_MAJOR, 0));
}

/** What a device does with bytes: counts, or negated error numbers. */
export interface DeviceBehaviour {
  readonly minor: number;
  fill(into: Uint8Array): number;
  sink(from: Uint8Array): number;
}

/** /dev/null and its like. */
export class Device extends OpenFile {
  private readonly behaviour: DeviceBehaviour;

  constructor(flags: number, path: string, behaviour: DeviceBehaviour) {
    super(flags, path);
    this.behaviour = behaviour;
  }

  override status(): FileStatus {
    return memoryDeviceStatus(this.behaviour.minor);
  }

  override read(into: Uint8Array): number {
    return this.behaviour.fill(into);
  }

  override write(from: Uint8Array): number {
    return this.behaviour.sink(from);
  }

  override readAt(into: Uint8Array): number {
    return this.behaviour.fill(into);
  }

  override writeAt(from: Uint8Array): number {
    return this.behaviour.sink(from);
  }

  override seek(): number {
    return 0;
  }
}

/** A text made up by us, read-only. */
class TextFile extends OpenFile {
  private readonly bytes: Uint8Array;
  private readonly shown: FileStatus;
  private offset = 0;

  constructor(flags: number, path: string, bytes: Uint8Array, status: FileStatus) {
    super(flags, path);
    this.bytes = bytes;
    this.shown = status;
  }

  override status(): FileStatus {
    return this.shown;
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

/**
 * /dev/tty. The host's terminal is never opened: what is read comes from standard input and what is written goes to
 * standard output or error, if those are a terminal; else there is an error, as for a terminal that has hung up.
 */
export class TerminalFile extends OpenFile {
  private readonly input: OpenFile | null;
  private readonly output: OpenFile | null;

  constructor(flags: number, streams: readonly OpenFile[]) {
    super(flags, "/dev/tty");
    const terminals = streams.filter((stream) => stream.isTerminal);
    this.input = terminals.find((stream) => stream === streams[0]) ?? null;
    this.output = terminals.find((stream) => stream !== streams[0]) ?? null;
  }

  override get isTerminal(): boolean {
    return true;
  }

  override status(): FileStatus {
    return terminalStatus();
  }

  override read(into: Uint8Array): number {
    return this.input?.read(into) ?? -ERRNO.EIO;
  }

  override write(from: Uint8Array): number {
    return this.output?.write(from) ?? -ERRNO.EIO;
  }
}

export function openText(flags: number, path: string, bytes: Uint8Array, status: FileStatus): OpenFile | number {
  if ((flags & OPEN.accessMode) !== OPEN.readOnly) return -ERRNO.EACCES;
  return new TextFile(flags, path, bytes, status);
}
