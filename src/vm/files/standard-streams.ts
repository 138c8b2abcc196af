// Descriptors 0, 1 and 2: the host's own, or bytes given and bytes collected. What standard input delivers is kept, up
// to a limit, so that the run can be repeated.
//
// Node has no lseek. A host descriptor that is a regular file is therefore read at an offset of our own, and the shared
// offset is moved forward at the end of the run to where the guest left it, so that the next program of a shell script
// continues where it would have natively. It cannot be moved back; the guest's own view is right in any case.

import * as fs from "node:fs";
import { isatty } from "node:tty";
import { ERRNO, errnoOf } from "../errno.js";
import { RunStop } from "../run-end.js";
import { hostDescriptorStatus } from "./host-status.js";
import { type FileStatus, OPEN, OpenFile, plainStatus, SEEK, TYPE } from "./open-file.js";

/** More than any test's input; beyond it a run cannot be repeated exactly. */
export const RECORDED_STDIN_LIMIT = 0x400_0000;
const RETRY_MS = 2;

/** Keeps the bytes that standard input delivered. */
export class InputRecorder {
  private readonly pieces: Uint8Array[] = [];
  private bytes = 0;
  complete = true;

  add(piece: Uint8Array): void {
    const kept = Math.min(piece.length, RECORDED_STDIN_LIMIT - this.bytes);
    if (kept < piece.length) this.complete = false;
    if (kept === 0) return;
    this.pieces.push(piece.slice(0, kept));
    this.bytes += kept;
  }

  get content(): Uint8Array {
    return Buffer.concat(this.pieces);
  }
}

/** Counts bytes that stay in our memory, and ends the run when there are too many. */
export class OutputBudget {
  private left: number;

  constructor(bytes: number) {
    this.left = bytes;
  }

  take(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw new RunStop({ kind: "limit", limit: "output" });
  }
}

/** Bytes given beforehand, seen as the read end of a pipe is. */
export class GivenInput extends OpenFile {
  private readonly bytes: Uint8Array;
  private readonly recorder: InputRecorder;
  private offset = 0;

  constructor(bytes: Uint8Array, recorder: InputRecorder) {
    super(OPEN.readOnly, null);
    this.bytes = bytes;
    this.recorder = recorder;
  }

  override status(): FileStatus {
    return plainStatus(TYPE.fifo | 0o600, 1);
  }

  override read(into: Uint8Array): number {
    const count = Math.min(into.length, this.bytes.length - this.offset);
    const piece = this.bytes.subarray(this.offset, this.offset + count);
    into.set(piece);
    this.recorder.add(piece);
    this.offset += count;
    return count;
  }
}

/** Output collected in memory, seen as the write end of a pipe is. */
export class CapturedOutput extends OpenFile {
  private readonly pieces: Uint8Array[] = [];
  private readonly budget: OutputBudget;
  private readonly inode: number;

  constructor(budget: OutputBudget, inode: number) {
    super(OPEN.writeOnly, null);
    this.budget = budget;
    this.inode = inode;
  }

  override status(): FileStatus {
    return plainStatus(TYPE.fifo | 0o600, this.inode);
  }

  override write(from: Uint8Array): number {
    this.budget.take(from.length);
    this.pieces.push(from.slice());
    return from.length;
  }

  get content(): Uint8Array {
    return Buffer.concat(this.pieces);
  }
}

/** One of the host's own descriptors. */
export class HostStream extends OpenFile {
  private readonly descriptor: number;
  private readonly recorder: InputRecorder | null;
  private readonly regular: boolean;
  /** The guest's offset in a regular file; null as long as writes follow the host's own. */
  private offset: number | null = null;
  private readonly firstOffset: number;

  constructor(descriptor: number, recorder: InputRecorder | null, path: string | null = null) {
    const { flags, offset } = descriptorInfo(descriptor);
    super(flags, path);
    this.descriptor = descriptor;
    this.recorder = recorder;
    const status = hostDescriptorStatus(descriptor);
    this.regular = typeof status !== "number" && (status.mode & TYPE.mask) === TYPE.regular;
    this.firstOffset = offset;
    if (this.regular && this.readable) this.offset = offset;
  }

  override get isTerminal(): boolean {
    return isatty(this.descriptor);
  }

  override status(): FileStatus | number {
    return hostDescriptorStatus(this.descriptor);
  }

  override read(into: Uint8Array): number {
    const count = this.transfer(() => fs.readSync(this.descriptor, into, 0, into.length, this.offset));
    if (count > 0) {
      if (this.offset !== null) this.offset += count;
      this.recorder?.add(into.subarray(0, count));
    }
    return count;
  }

  override write(from: Uint8Array): number {
    const start = (this.flags & OPEN.append) !== 0 ? null : this.offset;
    let done = 0;
    while (done < from.length) {
      const at = start === null ? null : start + done;
      const count = this.transfer(() => fs.writeSync(this.descriptor, from, done, from.length - done, at));
      if (count < 0) return done > 0 ? done : count;
      done += count;
    }
    if (start !== null) this.offset = start + done;
    return done;
  }

  override readAt(into: Uint8Array, offset: number): number {
    if (!this.regular) return -ERRNO.ESPIPE;
    return this.transfer(() => fs.readSync(this.descriptor, into, 0, into.length, offset));
  }

  override writeAt(from: Uint8Array, offset: number): number {
    if (!this.regular) return -ERRNO.ESPIPE;
    return this.transfer(() => fs.writeSync(this.descriptor, from, 0, from.length, offset));
  }

  override seek(offset: number, whence: number): number {
    if (!this.regular) return -ERRNO.ESPIPE;
    const status = this.status();
    if (typeof status === "number") return status;
    const shared = this.offset === null ? descriptorInfo(this.descriptor).offset : -1;
    const current = this.offset ?? shared;
    const base = whence === SEEK.set ? 0 : whence === SEEK.current ? current : whence === SEEK.end ? status.size : -1;
    if (base < 0 || base + offset < 0) return -ERRNO.EINVAL;
    const target = base + offset;
    // Asking where we are must not part us from the host's offset: others may write to the same file.
    if (target !== shared) this.offset = target;
    return target;
  }

  override truncate(size: number): number {
    return this.transfer(() => {
      fs.ftruncateSync(this.descriptor, size);
      return 0;
    });
  }

  /** Moves the host's offset to where the guest's is, for the programs that share it. */
  private settle(): void {
    if (this.offset === null || !this.readable) return;
    const piece = new Uint8Array(0x1_0000);
    let left = this.offset - this.firstOffset;
    while (left > 0) {
      const wanted = Math.min(piece.length, left);
      const count = this.transfer(() => fs.readSync(this.descriptor, piece, 0, wanted, null));
      if (count <= 0) return;
      left -= count;
    }
  }

  override close(): void {
    // The standard ones are the host's; only a terminal opened for the guest is ours to close.
    if (this.path === null) this.settle();
    else fs.closeSync(this.descriptor);
  }

  /** Host descriptors may be non-blocking (a terminal shared with another Node): wait and try again. */
  private transfer(operation: () => number): number {
    for (;;) {
      try {
        return operation();
      } catch (error) {
        const errno = errnoOf(error);
        if (errno === -ERRNO.EINTR) continue;
        if (errno !== -ERRNO.EAGAIN) return errno;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }
}

/** Offset and flags of one of our own descriptors, from /proc; harmless guesses where there is none. */
function descriptorInfo(descriptor: number): { flags: number; offset: number } {
  let text = "";
  try {
    text = fs.readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1");
  } catch {
    return { flags: descriptor === 0 ? OPEN.readOnly : OPEN.writeOnly, offset: 0 };
  }
  const offset = /^pos:\s*(\d+)/m.exec(text);
  const flags = /^flags:\s*([0-7]+)/m.exec(text);
  return {
    offset: offset === null ? 0 : Number(offset[1]),
    flags: flags === null ? OPEN.readWrite : Number.parseInt(flags[1], 8) & ~OPEN.closeOnExec,
  };
}
