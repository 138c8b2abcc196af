// The folder `.tangent` of a project: what was recorded and found, and the build. It may have come with the repository, from
// anybody, so nothing in it decides what is executed, moved or deleted (state-folder.ts does), and no symbolic link in
// it is followed: `.tangent/report -> ~` would let a report be written over the user's files.
// Writing is crash-safe: a file appears whole under its name or not at all.

import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { PRIVATE_FOLDER } from "../support/private-modes.js";
import { trustOf } from "./trusted-place.js";

export const FOLDER_NAME = ".tangent";

export class ProjectFolder {
  /** `root`: the project's directory. */
  constructor(
    readonly root: string,
    readonly path = join(root, FOLDER_NAME),
  ) {}

  /** A folder inside, with folders of its own: a second copy of the project, say. */
  within(name: string): ProjectFolder {
    return new ProjectFolder(this.root, this.directory(name));
  }

  /** A path inside; its directory is made. Throws if a symbolic link is on the way, or at its end. */
  file(...names: readonly string[]): string {
    const path = join(this.path, ...names);
    this.makeFolders(dirname(path));
    if (isLink(path)) throw linkRefused(path);
    return path;
  }
  directory(...names: readonly string[]): string {
    const path = join(this.path, ...names);
    this.makeFolders(path);
    return path;
  }

  /**
   * A path inside to be read from, whether it is there or not; the same links are refused, but nothing is made: whoever only
   * looks, in a home folder say, must not make it a project that all below belongs to.
   */
  known(...names: readonly string[]): string {
    const path = join(this.path, ...names);
    for (const at of this.placesTo(path)) if (isLink(at)) throw linkRefused(at);
    return path;
  }

  /** From the folder itself down to the path. */
  private placesTo(path: string): string[] {
    const below = relative(this.path, path);
    if (below.startsWith("..")) throw new Error(`${path} is not inside of ${this.path}`);
    const names = below === "" ? [] : below.split("/");
    return [this.path, ...names.map((_, index) => join(this.path, ...names.slice(0, index + 1)))];
  }

  private makeFolders(path: string): void {
    for (const at of this.placesTo(path)) {
      const status = lstatSync(at, { throwIfNoEntry: false });
      if (status === undefined) mkdirSync(at, { recursive: at === this.path, mode: PRIVATE_FOLDER });
      else if (status.isSymbolicLink()) throw linkRefused(at);
      // A checkout makes it for all to read.
      else if (at === this.path && (status.mode & 0o077) !== 0 && status.uid === process.getuid?.()) {
        chmodSync(at, PRIVATE_FOLDER);
      }
    }
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** As the system would refuse it, which main.ts tells without a stack. */
function linkRefused(path: string): Error {
  const message = `'${path}' is a symbolic link, and could lead anywhere; remove it, then give the command again`;
  return Object.assign(new Error(message), { code: "ELOOP", syscall: "open" });
}

/**
 * The nearest directory from `start` upwards that has a `.tangent` folder or a tangent.toml; else `start` itself. What another
 * user can have put there does not count: anybody can make a /tmp/tangent.toml, and it would say what is executed.
 */
export function findProject(start: string): ProjectFolder {
  const first = outsideOfCopy(resolve(start));
  const marks = (at: string): boolean =>
    [FOLDER_NAME, "tangent.toml"].some((name) => trustOf(join(at, name), first).kind === "ours");
  for (let at = first; ; at = dirname(at)) {
    if (marks(at)) return new ProjectFolder(at);
    if (dirname(at) === at) return new ProjectFolder(first);
  }
}

/** In a build copy one is in the project that it is a copy of, tangent.toml and all. */
function outsideOfCopy(path: string): string {
  const at = `${path}/`.search(new RegExp(`/${FOLDER_NAME.replace(".", "\\.")}/(build|patch)/`));
  return at <= 0 ? path : path.slice(0, at);
}

/** Whole or not at all, and on the disk when this returns. */
export function writeSafely(path: string, content: string | Uint8Array, mode = 0o666): void {
  // Node's permission model, with which a worker may be started, forbids it.
  write(path, content, mode, process.permission === undefined);
}

/**
 * Whole or not at all, unless the machine itself stops within seconds: for what is checked when it is read and can be had again. Waiting
 * for the disk takes milliseconds a file, and a suite makes ten thousand of them.
 */
export function writeQuickly(path: string, content: string | Uint8Array, mode = 0o666): void {
  write(path, content, mode, false);
}

function write(path: string, content: string | Uint8Array, mode: number, waits: boolean): void {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  const bytes = Buffer.from(content as Uint8Array);
  const file = openSync(temporary, "wx", mode);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    if (waits) fsyncSync(file);
  } catch (error) {
    closeSync(file);
    rmSync(temporary, { force: true });
    // Node does not say which file it was.
    if (error instanceof Error) error.message += ` '${path}'`;
    throw error;
  }
  closeSync(file);
  renameSync(temporary, path);
}
