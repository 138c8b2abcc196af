// The nodes of the overlay: what is known of files that were looked at or changed. A directory keeps only its changed
// entries (null: removed) and the directories that were walked through; everything else is asked of the real disk each
// time. A copy of the tree would cost its size, a flat map of paths could not rename directories.
//
// Invariant: a node's `host` is where its unchanged state lies on the real disk, wherever the node itself has moved.

import type { RunMemory } from "../run-memory.js";
import { FileContent } from "./file-content.js";
import type { GivenContent } from "./given-content.js";
import type { HostView } from "./host-view.js";
import { NamedPipe } from "./named-pipe.js";
import { type FileStatus, type OpenFile, type Timestamp, TYPE } from "./open-file.js";
import type { OutputBudget } from "./standard-streams.js";

export interface Attributes {
  mode: number;
  user: number;
  group: number;
  accessed: Timestamp;
  modified: Timestamp;
  changed: Timestamp;
}

/** Where a node's unchanged state lies. */
export interface Origin {
  readonly view: HostView;
  /** On the real disk, without links and dots. */
  readonly path: string;
}

abstract class BaseNode {
  /** Null if it was made in this run, or by us. */
  readonly origin: Origin | null;
  readonly device: number;
  readonly inode: number;
  /** Set when changed or made in this run. */
  attributes: Attributes | null;
  /** Links added in this run; negative if more were removed. */
  addedLinks = 0;

  constructor(origin: Origin | null, device: number, inode: number, attributes: Attributes | null) {
    this.origin = origin;
    this.device = device;
    this.inode = inode;
    this.attributes = attributes;
  }

  /** Where it lies on the real disk, if it does. */
  get host(): string | null {
    return this.origin?.path ?? null;
  }

  /** Size and links of a node made in this run. */
  protected abstract ownSize(): number;

  status(): FileStatus | number {
    const below = this.origin === null ? null : this.realStatus(this.origin);
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
      blocks: changedSize ? this.ownBlocks(size) : host.blocks,
      accessed: attributes.accessed,
      modified: attributes.modified,
      changed: attributes.changed,
    };
  }

  protected sizeChanged(): boolean {
    return false;
  }

  protected ownBlocks(size: number): number {
    return Math.ceil(size / 4096) * 8;
  }

  protected realStatus(origin: Origin): FileStatus | number {
    return origin.view.status(origin.path);
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

export interface MadeEntries {
  names(): readonly string[];
  lookup(name: string): OverlayNode | null;
}

export class DirectoryNode extends BaseNode {
  readonly kind = "directory";
  private readonly known = new Map<string, OverlayNode | null>();
  /** Puts into `children` what the run was told is there; done when somebody looks. */
  unlaid: (() => void) | null = null;
  parent: DirectoryNode | null;
  name: string;
  /** Removed while a descriptor or the working directory may still refer to it. */
  removed = false;
  /** Entries that are made when they are asked for; what `children` says comes first. */
  made: MadeEntries | null = null;
  /** Nothing can be added or removed, not even by root: a part of /proc. */
  fixed = false;
  /** There are directories in it that nobody may list. */
  hasUnknown = false;
  /** What stat says in place of the disk, if the run was told. */
  givenSize: number | null = null;

  constructor(
    parent: DirectoryNode | null,
    name: string,
    origin: Origin | null,
    device: number,
    inode: number,
    attributes: Attributes | null,
  ) {
    super(origin, device, inode, attributes);
    this.parent = parent;
    this.name = name;
    if (origin === null) this.addedLinks = 2;
  }

  get children(): Map<string, OverlayNode | null> {
    if (this.unlaid !== null) {
      const lay = this.unlaid;
      this.unlaid = null;
      lay();
    }
    return this.known;
  }

  /** Directories in it count as links. */
  override status(): FileStatus | number {
    if (this.unlaid !== null) this.children;
    return super.status();
  }

  protected override ownSize(): number {
    return this.givenSize ?? 4096;
  }

  protected override sizeChanged(): boolean {
    return this.givenSize !== null;
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
  given: GivenContent | null = null;
  private content: FileContent | null = null;
  private readonly budget: OutputBudget;
  /** Descriptor of the real file while the node is open. */
  private descriptor = -1;
  private users = 0;

  constructor(
    origin: Origin | null,
    device: number,
    inode: number,
    attributes: Attributes | null,
    budget: OutputBudget,
  ) {
    super(origin, device, inode, attributes);
    this.budget = budget;
    if (origin === null) {
      this.content = new FileContent(null, 0, budget);
      this.addedLinks = 1;
    }
  }

  /** Whether it differs from the real file, so that the overlay must remember it. */
  get changed(): boolean {
    return this.content !== null || this.attributes !== null || this.addedLinks !== 0;
  }

  /** Its content is no longer the disk's. */
  get isWritten(): boolean {
    return this.content !== null;
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

  protected override ownBlocks(size: number): number {
    return this.content === null ? super.ownBlocks(size) : this.content.blocks * 8;
  }

  /** As SEEK_DATA and SEEK_HOLE ask, for an offset before the end; -1 if there is no more data. */
  nextData(offset: number): number {
    return this.content?.nextData(offset) ?? offset;
  }

  nextHole(offset: number): number {
    return this.content?.nextHole(offset) ?? this.size();
  }

  /** It is that long, and nothing of it a hole. */
  fillWithZeros(size: number): void {
    this.content = new FileContent(null, size, this.budget);
  }

  protected override realStatus(origin: Origin): FileStatus | number {
    return this.descriptor >= 0 ? origin.view.descriptorStatus(this.descriptor) : super.realStatus(origin);
  }

  size(): number {
    if (this.content !== null) return this.content.size;
    const status = this.status();
    return typeof status === "number" ? 0 : status.size;
  }

  /** Each open file holds the node once. Opens the real file, so that errors show now. */
  acquire(readReal: boolean): number {
    if (readReal) {
      const status = this.openReal();
      if (status < 0) return status;
    }
    this.users++;
    return 0;
  }

  release(): void {
    this.users--;
    if (this.users === 0) this.closeReal();
  }

  read(into: Uint8Array, offset: number): number {
    return this.content === null ? this.readReal(into, offset) : this.content.read(into, offset);
  }

  write(from: Uint8Array, offset: number): number {
    this.noLongerGiven();
    const content = this.ownContent();
    return typeof content === "number" ? content : content.write(from, offset);
  }

  private noLongerGiven(): void {
    if (this.given !== null) this.given.isChanged = true;
  }

  resize(size: number): number {
    this.noLongerGiven();
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
    if (status < 0 || this.origin === null) return status;
    const count = this.origin.view.read(this.descriptor, into, offset);
    if (!wasOpen && this.users === 0) this.closeReal();
    return count;
  }

  private openReal(): number {
    if (this.descriptor >= 0 || this.origin === null) return 0;
    const descriptor = this.origin.view.open(this.origin.path, this.device, this.inode);
    if (descriptor < 0) return descriptor;
    this.descriptor = descriptor;
    return 0;
  }

  private closeReal(): void {
    if (this.descriptor >= 0) this.origin?.view.close(this.descriptor);
    this.descriptor = -1;
  }
}

export class SymlinkNode extends BaseNode {
  readonly kind = "symlink";
  private readonly leadsTo: string | (() => string);

  /** A target that changes while the program runs is a function. */
  constructor(
    target: string | (() => string),
    origin: Origin | null,
    device: number,
    inode: number,
    attributes: Attributes | null,
  ) {
    super(origin, device, inode, attributes);
    this.leadsTo = target;
    if (origin === null) this.addedLinks = 1;
  }

  get target(): string {
    return typeof this.leadsTo === "string" ? this.leadsTo : this.leadsTo();
  }

  protected override ownSize(): number {
    return this.target.length;
  }

  /** Disks keep a short one where its number is. */
  protected override ownBlocks(size: number): number {
    return size < 60 ? 0 : super.ownBlocks(size);
  }
}

/** A link of /proc/self/fd: its target is only for show, whoever follows it comes to the open file itself. */
export class DescriptorLink extends SymlinkNode {
  readonly opened: OpenedNode;

  constructor(target: string, device: number, inode: number, attributes: Attributes, opened: OpenedNode) {
    super(target, null, device, inode, attributes);
    this.opened = opened;
  }
}

export interface OpenedNode {
  readonly node: MadeNode;
  /** The path of an open directory; null for anything else. */
  readonly directory: string | null;
}

/** Devices, sockets and named pipes. Only pipes are ever opened. */
export class OtherNode extends BaseNode {
  readonly kind = "other";
  private pipe: NamedPipe | null = null;

  constructor(origin: Origin | null, device: number, inode: number, attributes: Attributes | null) {
    super(origin, device, inode, attributes);
    if (origin === null) this.addedLinks = 1;
  }

  /** Null: it is no pipe. */
  open(flags: number, path: string, memory: RunMemory): OpenFile | number | null {
    const status = this.status();
    if (typeof status === "number") return status;
    if ((status.mode & TYPE.mask) !== TYPE.fifo) return null;
    this.pipe ??= new NamedPipe(memory);
    return this.pipe.open(flags, path, () => this.status());
  }

  protected override ownSize(): number {
    return 0;
  }
}

/** Something that we make up: a device, a text, an open file found by its number. Nothing about it can be changed. */
export class MadeNode extends BaseNode {
  readonly kind = "made";
  private readonly shown: () => FileStatus | number;
  readonly open: (flags: number) => OpenFile | number;

  constructor(status: () => FileStatus | number, open: (flags: number) => OpenFile | number) {
    const now = status();
    const { device, inode } = typeof now === "number" ? { device: 0, inode: 0 } : now;
    super(null, device, inode, null);
    this.shown = status;
    this.open = open;
  }

  override status(): FileStatus | number {
    return this.shown();
  }

  protected override ownSize(): number {
    return 0;
  }
}

export type OverlayNode = DirectoryNode | FileNode | SymlinkNode | OtherNode | MadeNode;

/** A node for something found on the real disk. */
export function nodeOnDisk(
  parent: DirectoryNode,
  name: string,
  origin: Origin,
  status: FileStatus,
  budget: OutputBudget,
): OverlayNode | number {
  const { device, inode } = status;
  switch (status.mode & TYPE.mask) {
    case TYPE.directory:
      return new DirectoryNode(parent, name, origin, device, inode, null);
    case TYPE.regular:
      return new FileNode(origin, device, inode, null, budget);
    case TYPE.symlink: {
      const target = origin.view.readLink(origin.path);
      return typeof target === "number" ? target : new SymlinkNode(target, origin, device, inode, null);
    }
    default:
      return new OtherNode(origin, device, inode, null);
  }
}
