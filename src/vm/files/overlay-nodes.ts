// The nodes of the overlay: what is known of files that were looked at or changed. A directory keeps only its changed
// entries (null: removed) and the directories that were walked through; everything else is asked of the real disk each
// time. A copy of the tree would cost its size, a flat map of paths could not rename directories.
//
// Invariant: a node's `host` is where its unchanged state lies on the real disk, wherever the node itself has moved.

import * as fs from "node:fs";
import { errnoOf } from "../errno.js";
import { FileContent } from "./file-content.js";
import { hostDescriptorStatus, hostPath, hostStatus } from "./host-status.js";
import { type FileStatus, type Timestamp, TYPE } from "./open-file.js";
import type { OutputBudget } from "./standard-streams.js";

export interface Attributes {
  mode: number;
  user: number;
  group: number;
  accessed: Timestamp;
  modified: Timestamp;
  changed: Timestamp;
}

abstract class BaseNode {
  /** Where it lies on the real disk; null if it was made in this run. */
  readonly host: string | null;
  readonly device: number;
  readonly inode: number;
  /** Set when changed or made in this run. */
  attributes: Attributes | null;
  /** Links added in this run; negative if more were removed. */
  addedLinks = 0;

  constructor(host: string | null, device: number, inode: number, attributes: Attributes | null) {
    this.host = host;
    this.device = device;
    this.inode = inode;
    this.attributes = attributes;
  }

  /** Size and links of a node made in this run. */
  protected abstract ownSize(): number;

  status(): FileStatus | number {
    const below = this.host === null ? null : this.realStatus(this.host);
    if (typeof below === "number" && this.attributes === null) return below;
    const host = below === null || typeof below === "number" ? null : below;
    const attributes = this.attributes ?? host;
    if (attributes === null) return below as number;
    const changedSize = this.sizeChanged() || host === null;
    const size = changedSize ? this.ownSize() : host.size;
    return {
      device: this.device,
      inode: this.inode,
      mode: attributes.mode,
      links: (host?.links ?? 0) + this.addedLinks,
      user: attributes.user,
      group: attributes.group,
      rawDevice: host?.rawDevice ?? 0,
      size,
      blockSize: host?.blockSize ?? 4096,
      blocks: changedSize ? Math.ceil(size / 4096) * 8 : host.blocks,
      accessed: attributes.accessed,
      modified: attributes.modified,
      changed: attributes.changed,
    };
  }

  protected sizeChanged(): boolean {
    return false;
  }

  protected realStatus(host: string): FileStatus | number {
    return hostStatus(host, false);
  }

  /** The attributes as something that may be changed. */
  ownAttributes(): Attributes | number {
    if (this.attributes === null) {
      const status = this.status();
      if (typeof status === "number") return status;
      const { mode, user, group, accessed, modified, changed } = status;
      this.attributes = { mode, user, group, accessed, modified, changed };
    }
    return this.attributes;
  }
}

export class DirectoryNode extends BaseNode {
  readonly kind = "directory";
  readonly children = new Map<string, OverlayNode | null>();
  parent: DirectoryNode | null;
  name: string;
  /** Removed while a descriptor or the working directory may still refer to it. */
  removed = false;

  constructor(
    parent: DirectoryNode | null,
    name: string,
    host: string | null,
    device: number,
    inode: number,
    attributes: Attributes | null,
  ) {
    super(host, device, inode, attributes);
    this.parent = parent;
    this.name = name;
    if (host === null) this.addedLinks = 2;
  }

  protected override ownSize(): number {
    return 4096;
  }

  /** The path in the guest's view. */
  path(): string {
    const names: string[] = [];
    for (let at: DirectoryNode | null = this; at !== null && at.parent !== null; at = at.parent) names.push(at.name);
    return `/${names.reverse().join("/")}`;
  }
}

export class FileNode extends BaseNode {
  readonly kind = "file";
  private content: FileContent | null = null;
  private readonly budget: OutputBudget;
  /** Descriptor of the real file while the node is open. */
  private descriptor = -1;
  private users = 0;

  constructor(host: string | null, device: number, inode: number, attributes: Attributes | null, budget: OutputBudget) {
    super(host, device, inode, attributes);
    this.budget = budget;
    if (host === null) {
      this.content = new FileContent(null, 0, budget);
      this.addedLinks = 1;
    }
  }

  /** Whether it differs from the real file, so that the overlay must remember it. */
  get changed(): boolean {
    return this.content !== null || this.attributes !== null || this.addedLinks !== 0;
  }

  get isOpen(): boolean {
    return this.users > 0;
  }

  protected override ownSize(): number {
    return this.content?.size ?? 0;
  }

  protected override sizeChanged(): boolean {
    return this.content !== null;
  }

  protected override realStatus(host: string): FileStatus | number {
    return this.descriptor >= 0 ? hostDescriptorStatus(this.descriptor) : hostStatus(host, false);
  }

  size(): number {
    if (this.content !== null) return this.content.size;
    const status = this.status();
    return typeof status === "number" ? 0 : status.size;
  }

  /** Each open file holds the node once. Opens the real file, so that errors show now. */
  acquire(readReal: boolean): number {
    if (readReal && this.host !== null) {
      const status = this.openReal();
      if (status < 0) return status;
    }
    this.users++;
    return 0;
  }

  release(): void {
    this.users--;
    if (this.users > 0 || this.descriptor < 0) return;
    fs.closeSync(this.descriptor);
    this.descriptor = -1;
  }

  read(into: Uint8Array, offset: number): number {
    return this.content === null ? this.readReal(into, offset) : this.content.read(into, offset);
  }

  write(from: Uint8Array, offset: number): number {
    const content = this.ownContent();
    return typeof content === "number" ? content : content.write(from, offset);
  }

  resize(size: number): number {
    if (size === 0 && this.content === null) {
      this.content = new FileContent(null, 0, this.budget);
      return 0;
    }
    const content = this.ownContent();
    if (typeof content === "number") return content;
    content.resize(size);
    return 0;
  }

  private ownContent(): FileContent | number {
    if (this.content !== null) return this.content;
    const status = this.status();
    if (typeof status === "number") return status;
    this.content = new FileContent((into, offset) => this.readReal(into, offset), status.size, this.budget);
    return this.content;
  }

  private readReal(into: Uint8Array, offset: number): number {
    const wasOpen = this.descriptor >= 0;
    const status = this.openReal();
    if (status < 0) return status;
    try {
      return fs.readSync(this.descriptor, into, 0, into.length, offset);
    } catch (error) {
      return errnoOf(error);
    } finally {
      if (!wasOpen && this.users === 0) {
        fs.closeSync(this.descriptor);
        this.descriptor = -1;
      }
    }
  }

  private openReal(): number {
    if (this.descriptor >= 0 || this.host === null) return 0;
    try {
      this.descriptor = fs.openSync(hostPath(this.host), fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
      return 0;
    } catch (error) {
      return errnoOf(error);
    }
  }
}

export class SymlinkNode extends BaseNode {
  readonly kind = "symlink";
  readonly target: string;

  constructor(target: string, host: string | null, device: number, inode: number, attributes: Attributes | null) {
    super(host, device, inode, attributes);
    this.target = target;
    if (host === null) this.addedLinks = 1;
  }

  protected override ownSize(): number {
    return this.target.length;
  }
}

/** Devices, sockets and named pipes. */
export class OtherNode extends BaseNode {
  readonly kind = "other";

  constructor(host: string | null, device: number, inode: number, attributes: Attributes | null) {
    super(host, device, inode, attributes);
    if (host === null) this.addedLinks = 1;
  }

  protected override ownSize(): number {
    return 0;
  }
}

export type OverlayNode = DirectoryNode | FileNode | SymlinkNode | OtherNode;

/** A node for something found on the real disk. */
export function nodeOnDisk(
  parent: DirectoryNode,
  name: string,
  host: string,
  status: FileStatus,
  budget: OutputBudget,
): OverlayNode | number {
  switch (status.mode & TYPE.mask) {
    case TYPE.directory:
      return new DirectoryNode(parent, name, host, status.device, status.inode, null);
    case TYPE.regular:
      return new FileNode(host, status.device, status.inode, null, budget);
    case TYPE.symlink:
      try {
        const target = fs.readlinkSync(hostPath(host), "latin1");
        return new SymlinkNode(target, host, status.device, status.inode, null);
      } catch (error) {
        return errnoOf(error);
      }
    default:
      return new OtherNode(host, status.device, status.inode, null);
  }
}
