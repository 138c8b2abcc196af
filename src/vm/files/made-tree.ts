// /dev and /proc as the guest sees them: nodes of the overlay that lie on no disk. They are nodes like any other, so
// every path is resolved first, however it is spelled and whatever links lead there, and nobody compares path strings.
// /sys is not there at all. A file added here needs nothing else.
//
// The links in /proc/self/fd lead to open files and not to names, as the kernel's do: see DescriptorLink.

import type { Random } from "../../support/random.js";
import { ERRNO } from "../errno.js";
import {
  Device,
  type DeviceBehaviour,
  memoryDeviceStatus,
  openText,
  TerminalFile,
  terminalStatus,
} from "./made-files.js";
import { MACHINE_TEXTS, processTexts, type ShownProcess } from "./made-texts.js";
import {
  type FileStatus,
  MADE_DEVICE,
  OPEN,
  OpenDirectory,
  type OpenFile,
  plainStatus,
  SHARED_MEMORY_DEVICE,
  type Timestamp,
  TYPE,
} from "./open-file.js";
import {
  type Attributes,
  DescriptorLink,
  DirectoryNode,
  type MadeEntries,
  MadeNode,
  type OverlayNode,
  SymlinkNode,
} from "./overlay-nodes.js";

/** What the made files show of the process, and do with it. */
export interface MadeContext extends ShownProcess {
  readonly random: Random;
  workingDirectory(): string;
  descriptors(): readonly number[];
  get(descriptor: number): OpenFile | null;
  /** Standard input, output and error as the run began with them. */
  streams(): readonly OpenFile[];
  /** Opens a path on the disk again, for /proc/self/fd of a regular file. */
  reopen(path: string, flags: number): OpenFile | number;
}

/** Where the link to a regular file leads of which only the content is known: as the kernel names one that was deleted. */
const UNNAMED = "/input (deleted)";
const NEVER: Timestamp = { seconds: 0, nanoseconds: 0 };

class MadeTree {
  private readonly context: MadeContext;
  private nextInode = 0x1000;

  constructor(context: MadeContext) {
    this.context = context;
  }

  devices(root: DirectoryNode): DirectoryNode {
    const { random } = this.context;
    const swallow = (from: Uint8Array): number => from.length;
    const zeros = (into: Uint8Array): number => into.fill(0).length;
    const draw = (into: Uint8Array): number => {
      random.fill(into);
      return into.length;
    };
    const dev = this.folder(root, "dev", 0o755);
    this.device(dev, "null", { minor: 3, fill: () => 0, sink: swallow });
    this.device(dev, "zero", { minor: 5, fill: zeros, sink: swallow });
    this.device(dev, "full", { minor: 7, fill: zeros, sink: () => -ERRNO.ENOSPC });
    this.device(dev, "random", { minor: 8, fill: draw, sink: swallow });
    this.device(dev, "urandom", { minor: 9, fill: draw, sink: swallow });
    dev.children.set("tty", new MadeNode(terminalStatus, (flags) => this.openTerminal(flags)));
    this.link(dev, "fd", () => "/proc/self/fd");
    for (const [number, name] of ["stdin", "stdout", "stderr"].entries()) {
      this.link(dev, name, () => `/proc/self/fd/${number}`);
    }
    // Shared memory by name is files in here.
    dev.children.set("shm", this.folder(dev, "shm", 0o1777, 0, SHARED_MEMORY_DEVICE));
    return dev;
  }

  private device(folder: DirectoryNode, name: string, behaviour: DeviceBehaviour): void {
    const status = (): FileStatus => memoryDeviceStatus(behaviour.minor);
    folder.children.set(name, new MadeNode(status, (flags) => new Device(flags, `/dev/${name}`, behaviour)));
  }

  private openTerminal(flags: number): OpenFile | number {
    const streams = this.context.streams();
    // A process none of whose streams is a terminal is taken for one that has none.
    return streams.some((stream) => stream.isTerminal) ? new TerminalFile(flags, streams) : -ERRNO.ENXIO;
  }

  processes(root: DirectoryNode): DirectoryNode {
    const { context } = this;
    const proc = this.folder(root, "proc", 0o555);
    for (const [path, make] of Object.entries(MACHINE_TEXTS)) this.text(proc, path, make, 0);
    const id = String(context.id);
    this.link(proc, "self", () => id);
    this.link(proc, "thread-self", () => id);
    this.link(proc, "mounts", () => "self/mounts");
    const own = this.folder(proc, id, 0o555);
    proc.children.set(id, own);
    for (const [name, make] of Object.entries(processTexts(context, root.device)))
      this.text(own, name, make, context.user);
    this.link(own, "exe", () => context.executable);
    this.link(own, "cwd", () => context.workingDirectory());
    this.link(own, "root", () => "/");
    own.children.set("fd", this.descriptorFolder(own));
    for (const folder of [proc, own]) folder.fixed = true;
    return proc;
  }

  private descriptorFolder(parent: DirectoryNode): DirectoryNode {
    const { context } = this;
    const folder = this.folder(parent, "fd", 0o500, context.user);
    folder.fixed = true;
    folder.made = {
      names: () => context.descriptors().map(String),
      lookup: (name) => {
        const file = /^(0|[1-9]\d*)$/.test(name) ? context.get(Number(name)) : null;
        return file === null ? null : this.descriptorLink(Number(name), file);
      },
    };
    return folder;
  }

  private descriptorLink(descriptor: number, file: OpenFile): OverlayNode {
    const target = file.path ?? (file.reopened() === null ? `pipe:[${descriptor}]` : UNNAMED);
    const opened = new MadeNode(
      () => file.status(),
      (flags) => this.openAgain(file, flags),
    );
    return new DescriptorLink(target, MADE_DEVICE, 0x100 + descriptor, this.attributes(TYPE.symlink | 0o777, 0), {
      node: opened,
      directory: file instanceof OpenDirectory ? file.path : null,
    });
  }

  /** A regular file is opened again, with an offset of its own; anything else is the same stream. */
  private openAgain(file: OpenFile, flags: number): OpenFile | number {
    const status = file.status();
    const regular = typeof status !== "number" && (status.mode & TYPE.mask) === TYPE.regular;
    if (!regular) return file;
    const again = flags & ~(OPEN.create | OPEN.exclusive);
    return file.path !== null ? this.context.reopen(file.path, again) : (file.reopened() ?? file);
  }

  /** A text by its path below a folder, with the folders on the way. */
  private text(folder: DirectoryNode, path: string, make: () => Uint8Array, user: number): void {
    const names = path.split("/");
    const name = names.pop() ?? "";
    let parent = folder;
    for (const step of names) {
      const next = parent.children.get(step) ?? this.folder(parent, step, 0o555);
      parent.children.set(step, next);
      if (next.kind !== "directory") return;
      next.fixed = true;
      parent = next;
    }
    const status = { ...plainStatus(TYPE.regular | 0o444, this.nextInode), user };
    this.nextInode++;
    parent.children.set(
      name,
      new MadeNode(
        () => status,
        (flags) => openText(flags, `${parent.path()}/${name}`, make(), status),
      ),
    );
  }

  private link(folder: DirectoryNode, name: string, target: () => string): void {
    const attributes = this.attributes(TYPE.symlink | 0o777, 0);
    folder.children.set(name, new SymlinkNode(target, null, MADE_DEVICE, this.nextInode, attributes));
    this.nextInode++;
  }

  private folder(
    parent: DirectoryNode,
    name: string,
    mode: number,
    user = 0,
    device: number = MADE_DEVICE,
  ): DirectoryNode {
    const attributes = this.attributes(TYPE.directory | mode, user);
    const inode = this.nextInode;
    this.nextInode++;
    return new DirectoryNode(parent, name, null, device, inode, attributes);
  }

  private attributes(mode: number, user: number): Attributes {
    return { mode, user, group: 0, accessed: NEVER, modified: NEVER, changed: NEVER };
  }
}

/** What the root of an overlay has besides the disk. Made when asked for: most runs of an exploration need none of it. */
export function madeEntries(root: DirectoryNode, context: MadeContext): MadeEntries {
  const tree = new MadeTree(context);
  return {
    names: () => ["dev", "proc"],
    lookup: (name) => (name === "dev" ? tree.devices(root) : name === "proc" ? tree.processes(root) : null),
  };
}
