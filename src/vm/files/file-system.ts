// The files of the guest process: its descriptors, working directory and umask, over a disk that is either the
// copy-on-write overlay or, when the user asks for it, the real one. Paths are strings of one character per byte.
//
// Invariant: a descriptor number is always the lowest free one, as POSIX wants it.

import type { Random } from "../../support/random.js";
import { ERRNO } from "../errno.js";
import type { RunMemory } from "../run-memory.js";
import type { Recording, RunOptions } from "../run-options.js";
import type { SharedObjects } from "../shared-objects.js";
import { DirectDisk } from "./direct-disk.js";
import type { Disk, User } from "./disk.js";
import { HostStream, type HostStreamParts } from "./host-stream.js";
import { HostView } from "./host-view.js";
import { type MadeContext, madeEntries } from "./made-tree.js";
import { NamedPipeEnd } from "./named-pipe.js";
import { OPEN, type OpenFile, type Timestamp, TYPE } from "./open-file.js";
import { changesBetween, type FileChange } from "./overlay-changes.js";
import { type DiskParts, OverlayDisk } from "./overlay-disk.js";
import { OverlayFile } from "./overlay-files.js";
import type { GivenLayer } from "./overlay-given.js";
import { letGrow, makePipe } from "./pipe.js";
import {
  fullShape,
  GivenInput,
  HeldOutput,
  InputRecorder,
  inputShape,
  OutputBudget,
  pipeShape,
  STANDARD_FLAGS,
} from "./standard-streams.js";
import type { FailingOutput } from "./stream-shape.js";

/** As RLIMIT_NOFILE says. */
export const DESCRIPTOR_LIMIT = 1024;
/** Numbers of pipes that a process may make before its child's have the same ones, which only status() tells. */
const FEW_PIPES = 100;
/** dirfd of the *at calls: the working directory. */
export const AT_WORKING_DIRECTORY = -100;

export interface Descriptor {
  readonly file: OpenFile;
  closeOnExec: boolean;
}

export interface FileSystemParts {
  readonly options: RunOptions;
  readonly user: User;
  readonly random: Random;
  readonly processId: number;
  readonly now: () => Timestamp;
  readonly deny: (what: string, errno: number) => number;
  readonly memory: RunMemory;
  /** Called while something outside is waited for; may end the run. */
  readonly waiting: () => void;
  readonly shared: SharedObjects;
}

export class FileSystem {
  private readonly table: (Descriptor | null)[] = [];
  private readonly parts: FileSystemParts;
  private readonly budget: OutputBudget;
  private madeDisk: Disk | null = null;
  private nextPipe = 100;
  readonly stdin: HostStream | GivenInput;
  readonly stdout: HostStream | HeldOutput;
  readonly stderr: HostStream | HeldOutput;
  /** Regular files opened for reading that were there before the run, in order. */
  readonly filesRead: Set<string> = new Set();
  /** Numbers that the process has closed, and nothing has opened since. */
  readonly closedNumbers = new Set<number>();
  workingDirectory: string;
  umask: number;

  /** `parent`: of a process that has just been made. */
  constructor(parts: FileSystemParts, parent: FileSystem | null = null) {
    const { options } = parts;
    this.parts = parts;
    if (parent !== null) {
      ({ budget: this.budget, stdin: this.stdin, stdout: this.stdout, stderr: this.stderr } = parent);
      ({ workingDirectory: this.workingDirectory, umask: this.umask, filesRead: this.filesRead } = parent);
      this.madeDisk = parent.disk;
      this.nextPipe = parent.nextPipe + FEW_PIPES;
      for (const [index, entry] of parent.table.entries()) {
        if (entry !== null) this.set(index, entry.file, entry.closeOnExec);
      }
      return;
    }
    const budget = new OutputBudget(options.limits.outputBytes, parts.memory);
    this.budget = budget;
    this.workingDirectory = Buffer.from(options.workingDirectory).toString("latin1");
    this.umask = options.umask;
    const streams = { budget, deny: parts.deny, waiting: parts.waiting };
    this.stdin = openInput(options, streams);
    const { outputs = {} } = options;
    this.stdout = openOutput(1, options.stdout, outputs.stdout, streams);
    this.stderr = openOutput(2, options.stderr, outputs.stderr, streams);
    this.install(this.stdin);
    this.install(this.stdout);
    this.install(this.stderr);
    if (options.stdinKind === "closed" && this.stdin instanceof GivenInput) this.close(0);
    if (outputs.stdout === "closed" && this.stdout instanceof HeldOutput) this.close(1);
    if (outputs.stderr === "closed" && this.stderr instanceof HeldOutput) this.close(2);
    for (const path of options.missing ?? []) this.disk.unlink(path);
    for (const path of options.directories ?? []) this.makeDirectories(path);
    const layer = this.givenLayer();
    layer?.lay(options.tree ?? []);
    for (const { path, bytes } of options.files ?? []) this.give(path, bytes);
    layer?.settle();
  }

  /** Made when first asked for: most runs of an exploration open no file. */
  get disk(): Disk {
    this.madeDisk ??= this.makeDisk();
    return this.madeDisk;
  }

  private makeDisk(): Disk {
    const { options, user, now, deny } = this.parts;
    const roots = options.roots?.map((root) => Buffer.from(root).toString("latin1")) ?? null;
    const parts: DiskParts = {
      view: new HostView(roots, undefined, options.remembered ?? null),
      ...{ budget: this.budget, user, now, deny },
      made: (root) => madeEntries(root, this.madeContext()),
    };
    return options.writeThrough ? new DirectDisk(parts, options.umask) : new OverlayDisk(parts);
  }

  private madeContext(): MadeContext {
    const { options, random, processId, user } = this.parts;
    return {
      random,
      id: processId,
      ...{ user: user.user, group: user.group },
      executable: Buffer.from(options.executable).toString("latin1"),
      arguments: options.arguments,
      environment: options.environment,
      workingDirectory: () => this.workingDirectory,
      descriptors: () => [...this.table.keys()].filter((index) => this.table[index] !== null),
      get: (descriptor) => this.get(descriptor),
      streams: () => [this.stdin, this.stdout, this.stderr],
      reopen: (path, flags) => this.disk.open(path, flags, 0),
    };
  }

  /** The real disk is never given a tree. */
  private givenLayer(): GivenLayer | null {
    if ((this.parts.options.tree ?? []).length === 0) return null;
    const { disk } = this;
    return disk instanceof OverlayDisk ? disk.givenLayer() : null;
  }

  /** Puts a file into the overlay before the program starts. */
  private give(path: string, bytes: Uint8Array): void {
    const flags = OPEN.create | OPEN.truncate | OPEN.writeOnly;
    let file = this.disk.open(path, flags, 0o644);
    if (file === -ERRNO.ENOENT) {
      // Tests work in temporary directories that are gone by now.
      this.makeDirectories(path.slice(0, path.lastIndexOf("/")));
      file = this.disk.open(path, flags, 0o644);
    }
    // A named pipe that a test read from is a file with what came out of it.
    const isPipe = file === -ERRNO.ENXIO || file instanceof NamedPipeEnd;
    if (isPipe && !this.parts.options.writeThrough && this.disk.unlink(path) === 0) {
      file = this.disk.open(path, flags, 0o644);
    }
    if (typeof file === "number") return;
    file.write(bytes);
    if (file instanceof OverlayFile) file.isGivenAs(path);
    file.close();
  }

  /** Makes a directory and those above it, as far as they are missing; never on the real disk. */
  private makeDirectories(path: string): void {
    if (this.parts.options.writeThrough || this.disk.directory(path) !== -ERRNO.ENOENT) return;
    for (let end = path.indexOf("/", 1); ; end = path.indexOf("/", end + 1)) {
      this.disk.makeDirectory(end < 0 ? path : path.slice(0, end), 0o755);
      if (end < 0) return;
    }
  }

  /** What all processes of the run have together. */
  get shared(): SharedObjects {
    return this.parts.shared;
  }

  /** The description behind a descriptor, or null. */
  get(descriptor: number): OpenFile | null {
    return this.table[descriptor]?.file ?? null;
  }

  descriptor(descriptor: number): Descriptor | null {
    return this.table[descriptor] ?? null;
  }

  /** Gives a description the lowest free descriptor from `from` on. */
  install(file: OpenFile, closeOnExec = false, from = 0): number {
    let descriptor = from;
    while (descriptor < this.table.length && this.table[descriptor] !== null) descriptor++;
    if (descriptor >= DESCRIPTOR_LIMIT) {
      if (file.references === 0) file.close();
      return -ERRNO.EMFILE;
    }
    this.set(descriptor, file, closeOnExec);
    return descriptor;
  }

  /** Makes `descriptor` refer to a description, closing what it was. */
  replace(descriptor: number, file: OpenFile, closeOnExec: boolean): number {
    if (descriptor < 0 || descriptor >= DESCRIPTOR_LIMIT) return -ERRNO.EBADF;
    file.references++;
    this.close(descriptor);
    file.references--;
    this.set(descriptor, file, closeOnExec);
    return descriptor;
  }

  private set(descriptor: number, file: OpenFile, closeOnExec: boolean): void {
    while (this.table.length <= descriptor) this.table.push(null);
    this.table[descriptor] = { file, closeOnExec };
    this.closedNumbers.delete(descriptor);
    file.references++;
  }

  close(descriptor: number): number {
    const entry = this.table[descriptor];
    if (entry === null || entry === undefined) return -ERRNO.EBADF;
    this.table[descriptor] = null;
    this.shared.locks.release(this, entry.file);
    entry.file.references--;
    if (entry.file.references === 0) entry.file.close();
    return 0;
  }

  /** For a child: descriptors of its own for the same open files, on the same disk. */
  forked(): FileSystem {
    for (const entry of this.table) if (entry !== null) letGrow(entry.file);
    return new FileSystem(this.parts, this);
  }

  /** The process becomes another program. */
  closeOnExec(): void {
    for (const [index, entry] of this.table.entries()) if (entry?.closeOnExec === true) this.close(index);
  }

  pipe(flags: number): readonly [number, number] | number {
    const [reader, writer] = makePipe(flags & OPEN.nonBlocking, this.nextPipe, this.parts.memory);
    this.nextPipe++;
    const closeOnExec = (flags & OPEN.closeOnExec) !== 0;
    const first = this.install(reader, closeOnExec);
    if (first < 0) return first;
    const second = this.install(writer, closeOnExec);
    if (second >= 0) return [first, second];
    this.close(first);
    return second;
  }

  /** The absolute path a path given to an *at call means, or a negated error number. */
  absolute(directory: number, path: string): string | number {
    if (path === "") return -ERRNO.ENOENT;
    if (path.startsWith("/")) return path;
    if (directory === AT_WORKING_DIRECTORY) return `${this.workingDirectory}/${path}`;
    const file = this.get(directory);
    if (file === null) return -ERRNO.EBADF;
    const status = file.status();
    if (file.path === null || typeof status === "number" || (status.mode & TYPE.mask) !== TYPE.directory) {
      return -ERRNO.ENOTDIR;
    }
    return `${file.path}/${path}`;
  }

  /** Opens an absolute path and gives it a descriptor. */
  open(path: string, flags: number, mode: number): number {
    const file = this.disk.open(path, flags, mode & ~this.umask);
    if (typeof file === "number") return file;
    if (file.readable && file.path !== null && (flags & OPEN.truncate) === 0) this.record(file);
    // Only the flags that last; those of the opening itself are no part of F_GETFL.
    if (file.references === 0) {
      file.flags = flags & ~(OPEN.create | OPEN.exclusive | OPEN.truncate | OPEN.noTerminal | OPEN.closeOnExec);
    }
    return this.install(file, (flags & OPEN.closeOnExec) !== 0);
  }

  private record(file: OpenFile): void {
    // What we make up is no input.
    if (file.path === null || this.filesRead.has(file.path) || /^\/(dev|proc)\//.test(file.path)) return;
    const status = file.status();
    if (typeof status === "number" || (status.mode & TYPE.mask) !== TYPE.regular) return;
    // One file can be read under many names.
    this.budget.take(file.path.length);
    this.filesRead.add(file.path);
  }

  changeDirectory(path: string): number {
    const directory = this.disk.directory(path);
    if (typeof directory === "number") return directory;
    this.workingDirectory = directory;
    return 0;
  }

  /** What a repetition of the run needs. */
  recording(): Recording {
    return {
      stdin: this.stdin.recording(),
      stdout: this.stdout.shape(),
      stderr: this.stderr.shape(),
    };
  }

  /** What the program has changed since its start: what it was given is no change. Nothing is known of the real disk. */
  changes(): readonly FileChange[] {
    const { madeDisk } = this;
    if (!(madeDisk instanceof OverlayDisk)) return [];
    const { disk } = new FileSystem(this.parts);
    return disk instanceof OverlayDisk ? changesBetween(disk.changes(), madeDisk.changes()) : [];
  }

  /** The run is over: close everything, which leaves the host's descriptors as the guest would have. */
  finish(): void {
    for (const descriptor of this.table.keys()) this.close(descriptor);
    this.shared.systemV.leave(this);
  }
}

function openInput({ stdin, stdinKind, startTimeMs }: RunOptions, parts: HostStreamParts): HostStream | GivenInput {
  if (stdin === "inherit") return new HostStream(0, new InputRecorder(), parts);
  if (!(stdin instanceof Uint8Array)) return new GivenInput(stdin);
  const started: Timestamp = { seconds: Math.floor(startTimeMs / 1000), nanoseconds: 0 };
  const shape = inputShape(stdinKind ?? "pipe", STANDARD_FLAGS.input, stdin.length, started);
  return new GivenInput({ shape, bytes: stdin, complete: true });
}

function openOutput(
  descriptor: number,
  output: RunOptions["stdout"],
  failing: FailingOutput | undefined,
  parts: HostStreamParts,
): HostStream | HeldOutput {
  if (output === "inherit") return new HostStream(descriptor, null, parts);
  const held = output === "capture" ? parts.budget : null;
  const flags = STANDARD_FLAGS.output;
  if (failing === "full") return new HeldOutput(fullShape(flags), held);
  const shape = output === "capture" ? pipeShape(flags, descriptor + 1) : output;
  return new HeldOutput(typeof failing === "object" ? { ...shape, brokenAfter: failing.brokenAfter } : shape, held);
}
