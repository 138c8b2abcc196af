// A pipe of the process to itself, or between processes, of which one runs at a time. Where nobody else can fill an empty
// pipe or empty a full one the kernel would block for ever: the run ends, and says so. A pipe that a child has too takes
// more than the kernel's: its reader will come to it only when its writer has ended.

import { ERRNO } from "../errno.js";
import { RunStop } from "../run-end.js";
import { type FileStatus, OPEN, OpenFile, plainStatus, TYPE } from "./open-file.js";

const CAPACITY = 0x1_0000;
const LARGE_CAPACITY = 0x100_0000;

const FIRST_ROOM = 0x400;

/** What was written is kept as one: a list of what came byte by byte would take a hundred times the room. */
class PipeBuffer {
  private held = new Uint8Array(0);
  private first = 0;
  bytes = 0;
  capacity = CAPACITY;
  readers = 1;
  writers = 1;

  /** There is room for them. */
  add(bytes: Uint8Array): void {
    const total = this.bytes + bytes.length;
    if (this.first + total > this.held.length) {
      // Twice the capacity at most: bytes are moved to the front once in so many, not at every write.
      const next = new Uint8Array(Math.min(2 * this.capacity, Math.max(FIRST_ROOM, 2 * total)));
      next.set(this.held.subarray(this.first, this.first + this.bytes));
      this.held = next;
      this.first = 0;
    }
    this.held.set(bytes, this.first + this.bytes);
    this.bytes = total;
  }

  take(into: Uint8Array): number {
    const count = Math.min(into.length, this.bytes);
    into.set(this.held.subarray(this.first, this.first + count));
    this.first += count;
    this.bytes -= count;
    return count;
  }
}

class PipeReader extends OpenFile {
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
    if (into.length === 0) return 0;
    const count = this.buffer.take(into);
    if (count > 0 || this.buffer.writers === 0) return count;
    if ((this.flags & OPEN.nonBlocking) !== 0) return -ERRNO.EAGAIN;
    throw new RunStop({ kind: "limit", limit: "blocked" });
  }

  override readyToRead(): boolean {
    return this.buffer.bytes > 0 || this.buffer.writers === 0;
  }

  override get pendingBytes(): number {
    return this.buffer.bytes;
  }

  override close(): void {
    this.buffer.readers--;
  }
}

class PipeWriter extends OpenFile {
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
    if (this.buffer.readers === 0) return -ERRNO.EPIPE;
    const room = this.buffer.capacity - this.buffer.bytes;
    if (from.length <= room) {
      this.buffer.add(from);
      return from.length;
    }
    if ((this.flags & OPEN.nonBlocking) === 0) throw new RunStop({ kind: "limit", limit: "blocked" });
    if (room === 0) return -ERRNO.EAGAIN;
    this.buffer.add(from.subarray(0, room));
    return room;
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
export function makePipe(flags: number, inode: number): readonly [OpenFile, OpenFile] {
  const buffer = new PipeBuffer();
  return [new PipeReader(flags, buffer, inode), new PipeWriter(flags, buffer, inode)];
}

export function isPipe(file: OpenFile): boolean {
  return file instanceof PipeReader || file instanceof PipeWriter;
}
