// Files and directories opened through the overlay. The offset is ours: Node offers no lseek, and positioned reads need
// none.

import { ERRNO } from "../errno.js";
import type { GivenContent } from "./given-content.js";
import {
  type DirectoryEntry,
  type FileStatus,
  OPEN,
  OpenDirectory,
  OpenFile,
  SEEK,
  type Timestamp,
} from "./open-file.js";
import type { DirectoryNode, FileNode } from "./overlay-nodes.js";
import { seekTarget } from "./seek.js";

/** What an open file tells its disk. */
export interface OverlayEvents {
  /** The content changed: times move, and the overlay must remember the node. */
  fileChanged(node: FileNode): void;
  fileClosed(node: FileNode): void;
  changeMode(node: FileNode | DirectoryNode, mode: number): number;
  setTimes(node: FileNode | DirectoryNode, accessed: Timestamp | null, modified: Timestamp | null): number;
  names(node: DirectoryNode): string[] | number;
  listed(node: DirectoryNode, name: string): DirectoryEntry | null;
}

export class OverlayFile extends OpenFile {
  private readonly node: FileNode;
  private readonly events: OverlayEvents;
  private offset = 0;

  constructor(node: FileNode, flags: number, path: string, events: OverlayEvents) {
    super(flags, path);
    this.node = node;
    this.events = events;
  }

  override status(): FileStatus | number {
    return this.node.status();
  }

  override get givenContent(): GivenContent | null {
    return this.node.given;
  }

  /** What it holds now is what the run was given under this name. */
  isGivenAs(path: string): void {
    this.node.given = { path, isChanged: false };
  }

  override get readOffset(): number {
    return this.offset;
  }

  override read(into: Uint8Array): number {
    const count = this.node.read(into, this.offset);
    if (count > 0) this.offset += count;
    return count;
  }

  override write(from: Uint8Array): number {
    if ((this.flags & OPEN.append) !== 0) this.offset = this.node.size();
    const count = this.writeAt(from, this.offset);
    if (count > 0) this.offset += count;
    return count;
  }

  override readAt(into: Uint8Array, offset: number): number {
    return this.node.read(into, offset);
  }

  override writeAt(from: Uint8Array, offset: number): number {
    if (from.length === 0) return 0;
    const status = this.node.write(from, offset);
    if (status < 0) return status;
    this.events.fileChanged(this.node);
    return from.length;
  }

  override seek(offset: number, whence: number): number {
    const size = whence === SEEK.set || whence === SEEK.current ? 0 : this.node.size();
    let target = seekTarget(offset, whence, this.offset, size);
    if (target >= 0 && whence === SEEK.hole) target = this.node.nextHole(offset);
    if (target >= 0 && whence === SEEK.data) target = this.node.nextData(offset);
    // Only a hole is left.
    if (target === -1 && whence === SEEK.data) return -ERRNO.ENXIO;
    if (target >= 0) this.offset = target;
    return target;
  }

  override truncate(size: number): number {
    if (!this.writable) return -ERRNO.EINVAL;
    const status = this.node.resize(size);
    if (status === 0) this.events.fileChanged(this.node);
    return status;
  }

  override changeMode(mode: number): number {
    return this.events.changeMode(this.node, mode);
  }

  override setTimes(accessed: Timestamp | null, modified: Timestamp | null): number {
    return this.events.setTimes(this.node, accessed, modified);
  }

  override close(): void {
    this.node.release();
    this.events.fileClosed(this.node);
  }
}

export class OverlayDirectory extends OpenDirectory {
  private readonly node: DirectoryNode;
  private readonly events: OverlayEvents;

  constructor(node: DirectoryNode, flags: number, path: string, events: OverlayEvents) {
    super(flags, path);
    this.node = node;
    this.events = events;
  }

  override status(): FileStatus | number {
    return this.node.status();
  }

  protected override list(): string[] | number {
    return this.node.removed ? -ERRNO.ENOENT : this.events.names(this.node);
  }

  override entry(name: string): DirectoryEntry | null {
    return this.events.listed(this.node, name);
  }

  override changeMode(mode: number): number {
    return this.events.changeMode(this.node, mode);
  }

  override setTimes(accessed: Timestamp | null, modified: Timestamp | null): number {
    return this.events.setTimes(this.node, accessed, modified);
  }
}
