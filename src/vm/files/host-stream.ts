// One of the host's own descriptors.
//
// Node has no lseek. A host descriptor that is a regular file is therefore read at an offset of our own, and the shared
// offset is moved forward at the end of the run to where the guest left it, so that the next program of a shell script
// continues where it would have natively. It cannot be moved back; the guest's own view is right in any case.
//
// A thread that blocks in a read can be neither stopped nor terminated. So a pipe or terminal that is read from is opened once more, not
// blocking, by its name in /proc: whoever else has it hears nothing of that. While nothing comes, the run's clock is looked at.
//
// Invariant: what a file held before the run stays, and so does what others append to it meanwhile. Only what lies behind the
// shared offset, as the guest found it, is the guest's to write again or to cut off (StreamShape's ownStart): a log that was
// opened with >> is only ever appended to.

import * as fs from "node:fs";
import { isatty } from "node:tty";
import { ERRNO, errnoOf } from "../errno.js";
import { hostDescriptorStatus } from "./host-status.js";
import { type FileStatus, OPEN, OpenFile, plainStatus, SEEK, TYPE } from "./open-file.js";
import { type InputRecorder, type OutputBudget, RECORDED_STDIN_LIMIT } from "./standard-streams.js";
import { type InputRecording, ownStart, type StreamShape } from "./stream-shape.js";

/** Between two looks: short at first, for a writer that is at it. */
const FIRST_RETRY_MS = 0.5;
const LONGEST_RETRY_MS = 10;

export interface HostStreamParts {
  readonly budget: OutputBudget;
  /** Tells of what natively works, and gives the error. */
  readonly deny: (what: string, errno: number) => number;
  /** Called now and then while there is nothing to read; it may end the run. */
  readonly waiting: () => void;
}

export class HostStream extends OpenFile {
  private readonly descriptor: number;
  private readonly recorder: InputRecorder | null;
  private readonly regular: boolean;
  /** The guest's offset in a regular file; null as long as writes follow the host's own. */
  private offset: number | null = null;
  private readonly firstOffset: number;
  private readonly firstStatus: FileStatus | number;
  private readonly ownStart: number;
  private readonly terminal: boolean;
  /** The descriptor to read from; null until something is read. */
  private source: number | null = null;

  constructor(
    descriptor: number,
    recorder: InputRecorder | null,
    private readonly parts: HostStreamParts,
  ) {
    const { flags, offset } = descriptorInfo(descriptor);
    super(flags, null);
    this.descriptor = descriptor;
    this.recorder = recorder;
    this.terminal = isatty(descriptor);
    const status = hostDescriptorStatus(descriptor);
    this.firstStatus = status;
    this.regular = typeof status !== "number" && (status.mode & TYPE.mask) === TYPE.regular;
    this.firstOffset = offset;
    if (this.regular && this.readable) this.offset = offset;
    this.ownStart = ownStart(this.shape());
    // Writes would go over what is there already.
    if (this.regular && !this.appends && this.ownStart > offset) this.offset = offset;
  }

  private get appends(): boolean {
    return (this.flags & OPEN.append) !== 0;
  }

  /** What a repetition must look like. */
  shape(): StreamShape {
    // A repetition finds an output as this run did.
    const status = this.recorder === null ? this.firstStatus : this.status();
    return {
      terminal: this.terminal,
      flags: this.flags,
      status: typeof status === "number" ? plainStatus(TYPE.fifo | 0o600, 1) : status,
      offset: this.regular ? this.firstOffset : null,
    };
  }

  /** Standard input for a repetition: a regular file's whole content, otherwise what the recorder kept. */
  recording(): InputRecording {
    const shape = this.shape();
    if (!this.regular || this.recorder === null) {
      return { shape, bytes: this.recorder?.content ?? new Uint8Array(0), complete: this.recorder?.complete ?? true };
    }
    const bytes = new Uint8Array(Math.min(shape.status.size, RECORDED_STDIN_LIMIT));
    let done = 0;
    while (done < bytes.length) {
      const count = this.readAt(bytes.subarray(done), done);
      if (count <= 0) break;
      done += count;
    }
    return { shape, bytes, complete: done === shape.status.size };
  }

  override get isTerminal(): boolean {
    return this.terminal;
  }

  override status(): FileStatus | number {
    return hostDescriptorStatus(this.descriptor);
  }

  override read(into: Uint8Array): number {
    this.source ??= this.openSource();
    const { source, offset } = this;
    const count = this.transfer(() => fs.readSync(source, into, 0, into.length, offset));
    if (count > 0) {
      if (this.offset !== null) this.offset += count;
      else this.recorder?.add(into.subarray(0, count));
    }
    return count;
  }

  override write(from: Uint8Array): number {
    const start = this.appends ? null : this.offset === null ? null : this.placeFor(this.offset);
    const done = this.put(from, start);
    if (start !== null && done > 0) this.offset = start + done;
    return done;
  }

  private put(from: Uint8Array, start: number | null): number {
    const hole = start === null ? 0 : Math.max(0, start - this.size);
    this.parts.budget.written(from.length + hole);
    let done = 0;
    while (done < from.length) {
      const at = start === null ? null : start + done;
      const count = this.transfer(() => fs.writeSync(this.descriptor, from, done, from.length - done, at));
      if (count < 0) return done > 0 ? done : count;
      done += count;
    }
    return done;
  }

  /** What would be written over what is not the guest's is written behind it. */
  private placeFor(offset: number): number {
    return offset < this.ownStart ? this.size : offset;
  }

  private get size(): number {
    const status = this.status();
    return typeof status === "number" ? 0 : status.size;
  }

  override readAt(into: Uint8Array, offset: number): number {
    if (!this.regular) return -ERRNO.ESPIPE;
    return this.transfer(() => fs.readSync(this.descriptor, into, 0, into.length, offset));
  }

  override writeAt(from: Uint8Array, offset: number): number {
    if (!this.regular) return -ERRNO.ESPIPE;
    return this.put(from, this.placeFor(offset));
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
    const { size: before } = this;
    if (this.regular && size < Math.min(before, this.ownStart)) {
      return this.parts.deny("cutting off what its output held before, or may hold of others", ERRNO.EPERM);
    }
    this.parts.budget.written(Math.max(0, size - before));
    return this.transfer(() => {
      fs.ftruncateSync(this.descriptor, size);
      return 0;
    });
  }

  override close(): void {
    // The descriptor is the host's own and stays open.
    this.settle();
    if (this.source !== null && this.source !== this.descriptor) fs.closeSync(this.source);
    this.source = this.descriptor;
  }

  private openSource(): number {
    const { descriptor } = this;
    const status = this.status();
    const isFifo = typeof status !== "number" && (status.mode & TYPE.mask) === TYPE.fifo;
    if (!isFifo && !this.terminal) return descriptor;
    const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = fs.constants;
    try {
      return fs.openSync(`/proc/self/fd/${descriptor}`, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    } catch {
      // Somebody else's, or without /proc.
      return descriptor;
    }
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

  /** Host descriptors may be non-blocking (our own, or a terminal shared with another Node): wait and try again. */
  private transfer(operation: () => number): number {
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)) {
      try {
        return operation();
      } catch (error) {
        const errno = errnoOf(error);
        if (errno === -ERRNO.EINTR) continue;
        if (errno !== -ERRNO.EAGAIN) return errno;
        this.parts.waiting();
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
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
