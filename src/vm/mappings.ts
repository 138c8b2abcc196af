// Memory that the program maps itself. Regions come from the same place as the heap's and keep an unaddressable page
// behind them; protection is expressed in address states, so that a write to a read-only mapping is seen like any other
// wrong access. A region given back is reused late, so that a use after munmap has a chance to be seen.
//
// Invariant: addresses and sizes here are multiples of PAGE_SIZE.

import { STATE_FULL, STATE_NONE, STATE_READ_ONLY } from "../jit/memory-layout.js";
import type { OpenFile } from "./files/open-file.js";
import type { GuestMemory } from "./guest-memory.js";
import { SharedSegment } from "./system-v.js";

export const PAGE_SIZE = 4096;
export const PROTECTION = { none: 0, read: 1, write: 2, execute: 4 } as const;
const GROW_UNIT = 0x1_0000;
/** Given back regions are reused only when there is more than this of them. */
const REUSE_ABOVE = 0x400_0000;

interface Extent {
  readonly address: number;
  readonly size: number;
}
interface Region extends Extent {
  /** The unaddressable page behind it is its own. */
  readonly guarded: boolean;
}
/** A shared mapping of a file or a segment: what must be written back. */
export interface SharedMapping extends Extent {
  readonly file: OpenFile;
  readonly offset: number;
}

export function pages(bytes: number): number {
  return Math.ceil(bytes / PAGE_SIZE) * PAGE_SIZE;
}

export class Mappings {
  private readonly memory: GuestMemory;
  private readonly grow: (bytes: number) => number;
  private readonly stored: (file: OpenFile, address: number, size: number) => void;
  /** Regions handed out, by address; sorted when needed. */
  private regions: Region[] = [];
  private free: Extent[] = [];
  private freeBytes = 0;
  private shared: SharedMapping[] = [];
  /** Mapped with MAP_SHARED and no file: theirs alone until there is a child. */
  private sharedAnonymous: Extent[] = [];

  /** `stored` hears of what is about to be written back. */
  constructor(
    memory: GuestMemory,
    grow: (bytes: number) => number,
    stored: (file: OpenFile, address: number, size: number) => void,
  ) {
    this.memory = memory;
    this.grow = grow;
    this.stored = stored;
  }

  /** What is mapped now. */
  ranges(): readonly { readonly address: number; readonly size: number }[] {
    return this.regions;
  }

  /** Zeroed memory with that protection, or 0. */
  map(bytes: number, protection: number): number {
    const size = pages(bytes);
    let address = this.freeBytes > REUSE_ABOVE ? this.reuse(size + PAGE_SIZE) : 0;
    if (address === 0) {
      const total = Math.ceil((size + PAGE_SIZE) / GROW_UNIT) * GROW_UNIT;
      address = this.grow(total);
      if (address !== 0 && total > size + PAGE_SIZE) {
        this.addFree({ address: address + size + PAGE_SIZE, size: total - size - PAGE_SIZE });
      } else if (address === 0) {
        address = this.reuse(size + PAGE_SIZE);
      }
    }
    if (address === 0) return 0;
    this.regions.push({ address, size, guarded: true });
    this.protect(address, size, protection);
    return address;
  }

  /** Whether all of the range is mapped by us (and so no heap, stack or global). */
  covers(address: number, size: number): boolean {
    let at = address;
    while (at < address + size) {
      const region = this.regions.find((one) => one.address <= at && at < one.address + one.size);
      if (region === undefined) return false;
      at = region.address + region.size;
    }
    return true;
  }

  /** Whether the address lies in pages that are or were mapped, or in the page behind them. */
  owns(address: number): boolean {
    const holds = (one: Extent): boolean => one.address <= address && address < one.address + one.size;
    const guarded = (one: Region): boolean =>
      holds(one.guarded ? { address: one.address, size: one.size + PAGE_SIZE } : one);
    return this.regions.some(guarded) || this.free.some(holds);
  }

  protect(address: number, size: number, protection: number): void {
    const state =
      (protection & PROTECTION.write) !== 0
        ? STATE_FULL
        : (protection & (PROTECTION.read | PROTECTION.execute)) !== 0
          ? STATE_FULL | STATE_READ_ONLY
          : STATE_NONE;
    this.memory.u8.fill(state, address >>> 3, (address + size) >>> 3);
  }

  /** Takes pages back; parts that are not ours are left alone, as the kernel does for unmapped ones. */
  unmap(address: number, size: number): void {
    const end = address + size;
    const kept: Region[] = [];
    for (const region of this.regions) {
      const from = Math.max(region.address, address);
      const to = Math.min(region.address + region.size, end);
      if (from >= to) {
        kept.push(region);
        continue;
      }
      this.writeBack(from, to - from);
      this.protect(from, to - from, PROTECTION.none);
      const regionEnd = region.address + region.size;
      const guard = to === regionEnd && region.guarded ? PAGE_SIZE : 0;
      this.addFree({ address: from, size: to - from + guard });
      if (region.address < from) kept.push({ address: region.address, size: from - region.address, guarded: false });
      if (to < regionEnd) kept.push({ address: to, size: regionEnd - to, guarded: region.guarded });
    }
    this.regions = kept;
    this.forgetShared(address, end);
  }

  share(address: number, size: number, file: OpenFile, offset: number): void {
    file.references++;
    this.shared.push({ address, size, file, offset });
  }

  shareAnonymous(address: number, size: number): void {
    this.sharedAnonymous.push({ address, size });
  }

  /** How long the region is that begins just there. */
  sizeAt(address: number): number {
    return this.regions.find((region) => region.address === address)?.size ?? 0;
  }

  /** One attachment of the segment there less. */
  leave(address: number): void {
    const index = this.shared.findIndex((mapping) => mapping.address === address);
    if (index >= 0) this.shared.splice(index, 1)[0].file.references--;
  }

  /** Where the segment is attached; 0: it is not. */
  attachedAt(segment: SharedSegment): number {
    return this.shared.find(({ file }) => file === segment)?.address ?? 0;
  }

  /** The segment that is attached just there. */
  segmentAt(address: number): { readonly segment: SharedSegment; readonly size: number } | null {
    for (const { file, address: at, size } of this.shared) {
      if (at === address && file instanceof SharedSegment) return { segment: file, size };
    }
    return null;
  }

  /** What a child that is made now shares with the process: a process that was alone shared nothing. */
  sharedWithChild(charge: (bytes: number) => void): readonly SharedMapping[] {
    for (const { address, size } of this.sharedAnonymous) {
      if (!this.covers(address, size)) continue;
      charge(size);
      this.share(address, size, new SharedSegment(this.memory.u8.slice(address, address + size)), 0);
    }
    this.sharedAnonymous = [];
    const segments = this.shared.filter(({ file }) => file instanceof SharedSegment);
    // Until the child has them itself.
    for (const { file } of segments) file.references++;
    return segments;
  }

  /** The process, so far its parent, is a child now. */
  adopt(shared: readonly SharedMapping[], changed: (address: number, bytes: Uint8Array) => void): void {
    this.forgetShared(0, 0x1_0000_0000);
    this.sharedAnonymous = [];
    this.shared = [...shared];
    this.handIn(changed);
  }

  /** Others are about to run: what the process has put into shared segments is theirs to see. */
  handOut(): void {
    for (const { address, size, file } of this.shared) {
      if (!(file instanceof SharedSegment)) continue;
      this.memory.take(address, size);
      file.writeAt(this.memory.u8.subarray(address, address + size), 0);
    }
  }

  /** Others have run. */
  handIn(changed?: (address: number, bytes: Uint8Array) => void): void {
    for (const { address, size, file } of this.shared) {
      if (!(file instanceof SharedSegment)) continue;
      const here = this.memory.u8.subarray(address, address + size);
      if (Buffer.compare(here, file.bytes) === 0) continue;
      this.memory.onWrite?.(address, size);
      here.set(file.bytes);
      changed?.(address, file.bytes.slice());
    }
  }

  /** Writes what the program put into shared mappings to their files. */
  writeBack(address: number, size: number): void {
    for (const mapping of this.shared) {
      const from = Math.max(mapping.address, address);
      const to = Math.min(mapping.address + mapping.size, address + size);
      if (from >= to) continue;
      const offset = mapping.offset + from - mapping.address;
      const status = mapping.file.status();
      const fileSize = typeof status === "number" ? 0 : status.size;
      const end = Math.min(to, from + fileSize - offset);
      if (end <= from) continue;
      this.stored(mapping.file, from, end - from);
      mapping.file.writeAt(this.memory.u8.subarray(from, end), offset);
    }
  }

  /** At the end of the run. */
  finish(): void {
    try {
      this.writeBack(0, 0x1_0000_0000);
    } finally {
      this.forgetShared(0, 0x1_0000_0000);
    }
  }

  private forgetShared(address: number, end: number): void {
    this.shared = this.shared.filter((mapping) => {
      if (mapping.address < address || mapping.address + mapping.size > end) return true;
      mapping.file.references--;
      if (mapping.file.references === 0) mapping.file.close();
      return false;
    });
  }

  private reuse(size: number): number {
    const index = this.free.findIndex((extent) => extent.size >= size);
    if (index < 0) return 0;
    const { address, size: available } = this.free[index];
    if (available > size) this.free[index] = { address: address + size, size: available - size };
    else this.free.splice(index, 1);
    this.freeBytes -= size;
    this.memory.u8.fill(0, address, address + size);
    return address;
  }

  /** Keeps the free list sorted and merged. */
  private addFree(extent: Extent): void {
    this.freeBytes += extent.size;
    let index = this.free.findIndex((other) => other.address > extent.address);
    if (index < 0) index = this.free.length;
    this.free.splice(index, 0, extent);
    for (let i = Math.max(0, index - 1); i + 1 < this.free.length && i <= index; ) {
      const left = this.free[i];
      const right = this.free[i + 1];
      if (left.address + left.size === right.address) {
        this.free.splice(i, 2, { address: left.address, size: left.size + right.size });
      } else {
        i++;
      }
    }
  }
}
