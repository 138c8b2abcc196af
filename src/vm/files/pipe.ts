// A pipe of the process to itself, or between processes, of which one runs at a time. A pipe that a child has too takes
// more than the kernel's: its reader will come to it only when its writer has ended.

import type { RunMemory } from "../run-memory.js";
import { NamedPipeEnd } from "./named-pipe.js";
import { type FileStatus, OPEN, OpenFile, plainStatus, TYPE } from "./open-file.js";
import { LARGE_CAPACITY, PipeBuffer, readPipe, writePipe } from "./pipe-buffer.js";

/** Times and mode are its owner's to set, who is us; nobody looks at them later. */
abstract class PipeEnd extends OpenFile {
  override setTimes(): number {
    return 0;
  }

  override changeMode(): number {
    return 0;
  }
}

class PipeReader extends PipeEnd {
  private readonly buffer: PipeBuffer;
  private readonly inode: number;

  constructor(flags: number, buffer: PipeBuffer, inode: number) {
    super(flags | OPEN.readOnly, null);
    this.buffer = buffer;
    this.inode = inode;
  }

  override status(): FileStatus {
    return plainStatus(TYPE.fifo | 0o600, this.inode);
  }

  override read(into: Uint8Array): number {
    return readPipe(this.buffer, this.flags, into);
  }

  override readyToRead(): boolean {
    return this.buffer.bytes > 0 || this.buffer.writers === 0;
  }

  override get pendingBytes(): number {
    return this.buffer.bytes;
  }

  override close(): void {
    this.buffer.readers--;
    this.buffer.closed();
  }
}

class PipeWriter extends PipeEnd {
  private readonly buffer: PipeBuffer;
  private readonly inode: number;

  constructor(flags: number, buffer: PipeBuffer, inode: number) {
    super(flags | OPEN.writeOnly, null);
    this.buffer = buffer;
    this.inode = inode;
  }

  override status(): FileStatus {
    return plainStatus(TYPE.fifo | 0o600, this.inode);
  }

  override write(from: Uint8Array): number {
    return writePipe(this.buffer, this.flags, from);
  }

  override readyToWrite(): boolean {
    return this.buffer.bytes < this.buffer.capacity || this.buffer.readers === 0;
  }

  override close(): void {
    this.buffer.writers--;
  }

  letGrow(): void {
    this.buffer.capacity = LARGE_CAPACITY;
  }
}

/** A child will have it. */
export function letGrow(file: OpenFile): void {
  if (file instanceof PipeWriter) file.letGrow();
}

/** Read end and write end. `flags` may hold O_NONBLOCK. */
export function makePipe(flags: number, inode: number, memory: RunMemory): readonly [OpenFile, OpenFile] {
  const buffer = new PipeBuffer(memory);
  return [new PipeReader(flags, buffer, inode), new PipeWriter(flags, buffer, inode)];
}

export function isPipe(file: OpenFile): boolean {
  return file instanceof PipeReader || file instanceof PipeWriter || file instanceof NamedPipeEnd;
}
