// What is in a pipe, with a name or without, and who has its ends. Where nobody else can fill an empty pipe or empty a full one the
// kernel would block for ever: the run ends, and says so.

import { ERRNO } from "../errno.js";
import { RunStop } from "../run-end.js";
import type { RunMemory } from "../run-memory.js";
import { OPEN } from "./open-file.js";

const CAPACITY = 0x1_0000;
export const LARGE_CAPACITY = 0x100_0000;

const FIRST_ROOM = 0x400;

/** What was written is kept as one: a list of what came byte by byte would take a hundred times the room. */
export class PipeBuffer {
  private held = new Uint8Array(0);
  private first = 0;
  bytes = 0;
  capacity = CAPACITY;
  readers = 1;
  writers = 1;

  constructor(private readonly memory: RunMemory) {}

  /** There is room for them; false if there is no memory. */
  add(bytes: Uint8Array): boolean {
    const total = this.bytes + bytes.length;
    if (this.first + total > this.held.length) {
      // Twice the capacity at most: bytes are moved to the front once in so many, not at every write.
      const room = Math.min(2 * this.capacity, Math.max(FIRST_ROOM, 2 * total));
      if (!this.memory.take(room - this.held.length)) return false;
      const next = new Uint8Array(room);
      next.set(this.held.subarray(this.first, this.first + this.bytes));
      this.held = next;
      this.first = 0;
    }
    this.held.set(bytes, this.first + this.bytes);
    this.bytes = total;
    return true;
  }

  /** An end was closed: what nobody can read any more is forgotten. */
  closed(): void {
    if (this.readers > 0) return;
    this.memory.give(this.held.length);
    this.held = new Uint8Array(0);
    this.first = 0;
    this.bytes = 0;
  }

  take(into: Uint8Array): number {
    const count = Math.min(into.length, this.bytes);
    into.set(this.held.subarray(this.first, this.first + count));
    this.first += count;
    this.bytes -= count;
    return count;
  }
}

export function readPipe(buffer: PipeBuffer, flags: number, into: Uint8Array): number {
  if (into.length === 0) return 0;
  const count = buffer.take(into);
  if (count > 0 || buffer.writers === 0) return count;
  if ((flags & OPEN.nonBlocking) !== 0) return -ERRNO.EAGAIN;
  throw new RunStop({ kind: "limit", limit: "blocked" });
}

export function writePipe(buffer: PipeBuffer, flags: number, from: Uint8Array): number {
  if (buffer.readers === 0) return -ERRNO.EPIPE;
  const room = buffer.capacity - buffer.bytes;
  if (from.length <= room) return buffer.add(from) ? from.length : -ERRNO.ENOMEM;
  if ((flags & OPEN.nonBlocking) === 0) throw new RunStop({ kind: "limit", limit: "blocked" });
  if (room === 0) return -ERRNO.EAGAIN;
  return buffer.add(from.subarray(0, room)) ? room : -ERRNO.ENOMEM;
}
