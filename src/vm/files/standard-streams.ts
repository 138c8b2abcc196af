// Descriptors 0, 1 and 2 that are not the host's: bytes given, bytes collected, bytes thrown away. What standard input
// delivers is kept, up to a limit, so that the run can be repeated.

import { ERRNO } from "../errno.js";
import { RunStop } from "../run-end.js";
import type { RunMemory } from "../run-memory.js";
import { ByteCollector } from "./byte-collector.js";
import { type FileStatus, OPEN, OpenFile, plainStatus, type Timestamp, TYPE } from "./open-file.js";
import { seekTarget } from "./seek.js";
import { type InputKind, type InputRecording, ownStart, type StreamShape } from "./stream-shape.js";

/** More than any test's input; beyond it a run cannot be repeated exactly. */
export const RECORDED_STDIN_LIMIT = 0x400_0000;

/** In which st_blocks counts. */
const SECTOR_SIZE = 512;
/** st_rdev of /dev/null: major 1, minor 3. */
const NULL_DEVICE = 0x103;
const FULL_DEVICE = 0x107;

/** The shape of streams that nobody described: pipes. */
export function pipeShape(flags: number, inode: number): StreamShape {
  return { terminal: false, flags, status: plainStatus(TYPE.fifo | 0o600, inode), offset: null };
}

/** The shape of an output that is /dev/full. */
export function fullShape(flags: number): StreamShape {
  const status = plainStatus(TYPE.character | 0o666, 8, FULL_DEVICE);
  return { terminal: false, flags, status, offset: null };
}

/** The shape of standard input that was described. A file was last written to when the run began. */
export function inputShape(kind: InputKind, flags: number, size: number, started: Timestamp): StreamShape {
  const inode = 1;
  if (kind === "null") {
    return { terminal: false, flags, status: plainStatus(TYPE.character | 0o666, inode, NULL_DEVICE), offset: null };
  }
  if (kind !== "file") return pipeShape(flags, inode);
  const blocks = Math.ceil(size / SECTOR_SIZE);
  const times = { accessed: started, modified: started, changed: started };
  const status = { ...plainStatus(TYPE.regular | 0o644, inode), size, blocks, ...times };
  return { terminal: false, flags, status, offset: 0 };
}

/** Keeps the bytes that standard input delivered. */
export class InputRecorder {
  private readonly bytes = new ByteCollector();
  complete = true;

  add(piece: Uint8Array): void {
    const kept = Math.min(piece.length, RECORDED_STDIN_LIMIT - this.bytes.size);
    if (kept < piece.length) this.complete = false;
    if (kept > 0) this.bytes.add(piece.subarray(0, kept));
  }

  get content(): Uint8Array {
    return this.bytes.content;
  }
}

/** Counts bytes that stay in our memory or go to the host's outputs, and ends the run when there are too many. */
export class OutputBudget {
  private left: number;

  constructor(
    bytes: number,
    readonly memory: RunMemory,
  ) {
    this.left = bytes;
  }

  /** They stay in our memory. */
  take(bytes: number): void {
    this.written(bytes);
    this.memory.must(bytes);
  }

  /** They go to the host. */
  written(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw new RunStop({ kind: "limit", limit: "output" });
  }
}

/** Standard input from bytes given beforehand. */
export class GivenInput extends OpenFile {
  private readonly given: InputRecording;
  private offset: number;

  constructor(given: InputRecording) {
    super(given.shape.flags, null);
    this.given = given;
    this.offset = given.shape.offset ?? 0;
  }

  /** The same again. */
  recording(): InputRecording {
    return this.given;
  }

  /** A file opened again is read from its start; a pipe stays the one that it is. */
  override reopened(): OpenFile | null {
    const { shape } = this.given;
    return shape.offset === null ? null : new GivenInput({ ...this.given, shape: { ...shape, offset: 0 } });
  }

  override get isTerminal(): boolean {
    return this.given.shape.terminal;
  }

  override status(): FileStatus {
    return this.given.shape.status;
  }

  override get readOffset(): number {
    return this.offset;
  }

  override read(into: Uint8Array): number {
    const part = this.given.bytes.subarray(this.offset, this.offset + into.length);
    into.set(part);
    this.offset += part.length;
    return part.length;
  }

  /** /dev/null can be sought in, and is always at its start. */
  private get isNullDevice(): boolean {
    const { terminal, status } = this.given.shape;
    return !terminal && (status.mode & TYPE.mask) === TYPE.character;
  }

  override readAt(into: Uint8Array, offset: number): number {
    if (this.given.shape.offset === null) return this.isNullDevice ? 0 : -ERRNO.ESPIPE;
    const part = this.given.bytes.subarray(offset, offset + into.length);
    into.set(part);
    return part.length;
  }

  override seek(offset: number, whence: number): number {
    if (this.given.shape.offset === null) return this.isNullDevice ? 0 : -ERRNO.ESPIPE;
    const target = seekTarget(offset, whence, this.offset, this.given.bytes.length);
    if (target >= 0) this.offset = target;
    return target;
  }

  override get pendingBytes(): number {
    return Math.max(0, this.given.bytes.length - this.offset);
  }
}

/** Output that does not reach the host: collected, or thrown away when a run is only repeated. */
export class HeldOutput extends OpenFile {
  private readonly bytes = new ByteCollector();
  private readonly held: StreamShape;
  private readonly budget: OutputBudget | null;
  private offset: number;

  /** Without a budget the bytes are thrown away. */
  constructor(shape: StreamShape, budget: OutputBudget | null) {
    super(shape.flags, null);
    this.held = shape;
    this.budget = budget;
    this.offset = shape.offset ?? 0;
  }

  shape(): StreamShape {
    return this.held;
  }

  override get isTerminal(): boolean {
    return this.held.terminal;
  }

  override status(): FileStatus {
    return this.held.status;
  }

  private get isFull(): boolean {
    return this.held.status.rawDevice === FULL_DEVICE;
  }

  override write(from: Uint8Array): number {
    if (this.isFull) return from.length === 0 ? 0 : -ERRNO.ENOSPC;
    if (this.offset + from.length > (this.held.brokenAfter ?? Number.POSITIVE_INFINITY)) return -ERRNO.EPIPE;
    this.offset += from.length;
    if (this.budget !== null) {
      this.budget.take(from.length);
      this.bytes.add(from);
    }
    return from.length;
  }

  /** Its times and its mode are its owner's to set, who is us; nobody looks at them later. */
  override setTimes(): number {
    return this.isFull ? -ERRNO.EPERM : 0;
  }

  override changeMode(): number {
    return this.isFull ? -ERRNO.EPERM : 0;
  }

  override seek(offset: number, whence: number): number {
    if (this.isFull) return 0;
    if (this.held.offset === null) return -ERRNO.ESPIPE;
    const target = seekTarget(offset, whence, this.offset, Math.max(this.offset, this.held.status.size));
    if (target >= 0) this.offset = target;
    return target;
  }

  /** As the host's own answers it (host-stream.ts); the bytes stay what was written. */
  override truncate(size: number): number {
    if (this.isFull || this.held.offset === null) return -ERRNO.EINVAL;
    return size < Math.min(Math.max(this.offset, this.held.status.size), ownStart(this.held)) ? -ERRNO.EPERM : 0;
  }

  get content(): Uint8Array {
    return this.bytes.content;
  }
}

export const STANDARD_FLAGS = { input: OPEN.readOnly, output: OPEN.writeOnly } as const;
