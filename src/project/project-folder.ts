// The folder `.tangent` of a project: where everything about it lives. Writing is crash-safe: a file appears whole under
// its name or not at all.

import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export const FOLDER_NAME = ".tangent";

export class ProjectFolder {
  readonly path: string;

  /** `root`: the project's directory. */
  constructor(readonly root: string) {
    this.path = join(root, FOLDER_NAME);
  }

  /** A path inside; its directory is made. */
  file(...names: readonly string[]): string {
    const path = join(this.path, ...names);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  }
  directory(...names: readonly string[]): string {
    const path = join(this.path, ...names);
    mkdirSync(path, { recursive: true });
    return path;
  }
}

/** The nearest directory from `start` upwards that has a `.tangent` folder or a tangent.toml; else `start` itself. */
export function findProject(start: string): ProjectFolder {
  for (let at = resolve(start); ; at = dirname(at)) {
    if (existsSync(join(at, FOLDER_NAME)) || existsSync(join(at, "tangent.toml"))) return new ProjectFolder(at);
    if (dirname(at) === at) return new ProjectFolder(resolve(start));
  }
}

/** Whole or not at all, and on the disk when this returns. */
export function writeSafely(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  const bytes = Buffer.from(content as Uint8Array);
  const file = openSync(temporary, "wx");
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
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
