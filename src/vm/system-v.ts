// System V's message queues, sets of semaphores and segments of shared memory, of all processes of one run: they begin empty,
// and nothing outside of the run is ever seen. Numbers are given out in order, so that runs repeat. What may be in them is
// bounded by Linux's own limits, or less.
// Invariant: an object that was removed is in no table any more; who still holds it sees `isRemoved`.

import { OpenFile, plainStatus, TYPE } from "./files/open-file.js";

export interface Permissions {
  readonly key: number;
  mode: number;
  user: number;
  group: number;
  readonly creator: { readonly user: number; readonly group: number };
}

/** What the three kinds have in common. */
export interface SystemVObject {
  readonly permissions: Permissions;
  /** In seconds. */
  changed: number;
  isRemoved: boolean;
}

/** The objects of one kind, by number and by key. */
export class SystemVTable<T extends SystemVObject> {
  private readonly objects = new Map<number, T>();
  private made = 0;

  constructor(private readonly most: number) {}

  get isFull(): boolean {
    return this.objects.size >= this.most;
  }

  get(id: number): T | null {
    return this.objects.get(id) ?? null;
  }

  /** Its number; -1: there is none with that key. */
  withKey(key: number): number {
    for (const [id, { permissions }] of this.objects) if (permissions.key === key) return id;
    return -1;
  }

  add(object: T): number {
    const id = this.made++;
    this.objects.set(id, object);
    return id;
  }

  remove(id: number): void {
    const object = this.objects.get(id);
    if (object !== undefined) object.isRemoved = true;
    this.objects.delete(id);
  }

  values(): IterableIterator<T> {
    return this.objects.values();
  }
}

export interface Message {
  readonly type: number;
  readonly bytes: Uint8Array;
}

export interface MessageQueue extends SystemVObject {
  readonly messages: Message[];
  bytes: number;
  mostBytes: number;
  sent: number;
  received: number;
  lastSender: number;
  lastReceiver: number;
}

export interface Semaphore {
  value: number;
  /** Of the last process that changed it. */
  processId: number;
}

export interface SemaphoreSet extends SystemVObject {
  readonly semaphores: readonly Semaphore[];
  used: number;
  /** What is added to each semaphore when a process (its files) ends. */
  readonly undo: Map<object, number[]>;
}

/** A segment, as a file that shared mappings are written back to; it lives as long as somebody has it. */
export class SharedSegment extends OpenFile {
  constructor(readonly bytes: Uint8Array) {
    super(2, null);
  }

  override status(): ReturnType<typeof plainStatus> {
    return { ...plainStatus(TYPE.regular | 0o600, 1), size: this.bytes.length };
  }

  override readAt(into: Uint8Array, offset: number): number {
    const part = this.bytes.subarray(offset, offset + into.length);
    into.set(part);
    return part.length;
  }

  override writeAt(from: Uint8Array, offset: number): number {
    this.bytes.set(from, offset);
    return from.length;
  }
}

export interface SegmentObject extends SystemVObject {
  /** As it was asked for; the segment has whole pages. */
  readonly size: number;
  readonly segment: SharedSegment;
  readonly creatorId: number;
  lastId: number;
  attached: number;
  detached: number;
}

/** Of one run. */
const MOST_OBJECTS = 256;
export const MOST_SEMAPHORES = 0x1_0000;
export const MOST_SEGMENT_BYTES = 0x400_0000;

export class SystemV {
  readonly queues = new SystemVTable<MessageQueue>(MOST_OBJECTS);
  readonly sets = new SystemVTable<SemaphoreSet>(MOST_OBJECTS);
  readonly segments = new SystemVTable<SegmentObject>(MOST_OBJECTS);
  /** By number, also of those that are gone: a process that lives its parent's life again attaches them again. */
  readonly segmentBytes: number[] = [];

  get bytesInSegments(): number {
    let bytes = 0;
    for (const { segment } of this.segments.values()) bytes += segment.bytes.length;
    return bytes;
  }

  get semaphores(): number {
    let count = 0;
    for (const { semaphores } of this.sets.values()) count += semaphores.length;
    return count;
  }

  /** A process has ended. */
  leave(owner: object): void {
    for (const { semaphores, undo } of this.sets.values()) {
      const changes = undo.get(owner);
      if (changes === undefined) continue;
      undo.delete(owner);
      for (const [index, change] of changes.entries()) {
        semaphores[index].value = Math.max(0, semaphores[index].value + change);
      }
    }
  }
}
