// Pipes that have a name on the disk (mkfifo). Their ends are opened by the same process, by its children, or by nobody that we know
// of: the other end may belong to whoever started the test. Who opens one end waits for the other, as in Linux: others have their
// turn (isWaiting), and if that does not help the run ends as blocked. O_NONBLOCK and O_RDWR wait for nobody.

import { ERRNO } from "../errno.js";
import type { RunMemory } from "../run-memory.js";
import { type FileStatus, OPEN, OpenFile } from "./open-file.js";
import { LARGE_CAPACITY, PipeBuffer, readPipe, writePipe } from "./pipe-buffer.js";

export class NamedPipe {
  private readonly buffer: PipeBuffer;
  /** Ends opened so far. */
  private readersSeen = 0;
  private writersSeen = 0;

  constructor(memory: RunMemory) {
    this.buffer = new PipeBuffer(memory);
    this.buffer.readers = 0;
    this.buffer.writers = 0;
    this.buffer.capacity = LARGE_CAPACITY;
  }

  open(flags: number, path: string, status: () => FileStatus | number): OpenFile | number {
    const { buffer } = this;
    if ((flags & OPEN.path) !== 0) return new NamedPipeEnd(flags, path, { buffer, status, isWaiting: () => false });
    const mode = flags & OPEN.accessMode;
    const waits = (flags & OPEN.nonBlocking) === 0 && mode !== OPEN.readWrite;
    if (mode === OPEN.writeOnly && !waits && buffer.readers === 0) return -ERRNO.ENXIO;
    if (mode !== OPEN.writeOnly) {
      buffer.readers++;
      this.readersSeen++;
    }
    if (mode !== OPEN.readOnly) {
      buffer.writers++;
      this.writersSeen++;
    }
    // Somebody who came and went while it waited has been there.
    const { readersSeen, writersSeen } = this;
    const isWaiting = (): boolean => {
      if (!waits) return false;
      if (mode === OPEN.readOnly) return buffer.writers === 0 && this.writersSeen === writersSeen;
      return buffer.readers === 0 && this.readersSeen === readersSeen;
    };
    return new NamedPipeEnd(flags, path, { buffer, status, isWaiting });
  }
}

interface PipeEndParts {
  readonly buffer: PipeBuffer;
  readonly status: () => FileStatus | number;
  readonly isWaiting: () => boolean;
}

export class NamedPipeEnd extends OpenFile {
  constructor(
    flags: number,
    path: string,
    private readonly parts: PipeEndParts,
  ) {
    super(flags, path);
  }

  /** Nobody has the other end yet, and the opening is not over before somebody has. */
  get isWaiting(): boolean {
    return this.parts.isWaiting();
  }

  override status(): FileStatus | number {
    return this.parts.status();
  }

  override read(into: Uint8Array): number {
    return readPipe(this.parts.buffer, this.flags, into);
  }

  override write(from: Uint8Array): number {
    return writePipe(this.parts.buffer, this.flags, from);
  }

  override readyToRead(): boolean {
    const { bytes, writers } = this.parts.buffer;
    return bytes > 0 || writers === 0;
  }

  override readyToWrite(): boolean {
    const { bytes, capacity, readers } = this.parts.buffer;
    return bytes < capacity || readers === 0;
  }

  override get pendingBytes(): number {
    return this.parts.buffer.bytes;
  }

  override close(): void {
    const { buffer } = this.parts;
    if (this.readable) buffer.readers--;
    if (this.writable) buffer.writers--;
  }
}
