// A worker's only folder: contents that it was sent, by their names, so that the next item need not fetch them again. It has a limit; what was
// not used for longest goes first, but never what an item at work may read.

import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { BlobStore } from "../project/blob-store.js";
import { isContentName } from "../project/content-hash.js";
import { ProjectFolder } from "../project/project-folder.js";
import type { BlobName } from "../project/seed.js";
import type { BlobTransport } from "./blob-transport.js";

const BLOBS = "blobs";
const OWN = "item-";
const SCRATCH_BYTES = 4 * 2 ** 30;

export class Scratch {
  private readonly folder: ProjectFolder;
  private readonly blobs: BlobStore;
  /** How large each is; used last is last. */
  private readonly kept = new Map<BlobName, number>();
  /** How many items at work need it, or wait for it. */
  private readonly users = new Map<BlobName, number>();
  private readonly coming = new Map<BlobName, Promise<boolean>>();
  private bytes = 0;

  constructor(
    readonly root: string,
    private readonly limit: number = SCRATCH_BYTES,
  ) {
    this.folder = new ProjectFolder(root);
    this.blobs = new BlobStore(this.folder);
    this.folder.directory(BLOBS);
    // Of a worker that was killed.
    for (const name of readdirSync(root)) if (name.startsWith(OWN)) rmSync(join(root, name), { recursive: true });
    this.readFolder();
  }

  /** Has these contents until they are released; gives those that are nowhere to be found, or have no room. */
  async take(names: readonly BlobName[], from: BlobTransport): Promise<readonly BlobName[]> {
    const wanted = [...new Set(names)];
    for (const name of wanted) this.users.set(name, (this.users.get(name) ?? 0) + 1);
    const missing: BlobName[] = [];
    // One after the other: each may be large, and all together are in memory otherwise.
    for (const name of wanted) if (!(await this.bring(name, from))) missing.push(name);
    this.trim(0);
    return missing;
  }

  release(names: readonly BlobName[]): void {
    for (const name of new Set(names)) {
      const users = (this.users.get(name) ?? 0) - 1;
      if (users > 0) this.users.set(name, users);
      else this.users.delete(name);
    }
  }

  /** Where contents are; whoever does items only reads there. */
  get shelf(): string {
    return this.folder.path;
  }

  /** A folder for whoever does items, which is nobody else's. */
  ownFolder(): string {
    return join(this.root, `${OWN}${randomBytes(8).toString("hex")}`);
  }

  /** Where a content lies that was taken. */
  path(name: BlobName): string {
    return this.folder.known(...placeOf(name));
  }

  private async bring(name: BlobName, from: BlobTransport): Promise<boolean> {
    if (!isContentName(name)) return false;
    const size = this.kept.get(name);
    if (size !== undefined && existsSync(this.path(name))) {
      this.note(name, size);
      return true;
    }
    const before = this.coming.get(name);
    if (before !== undefined) return before;
    const coming = this.fetch(name, from).finally(() => this.coming.delete(name));
    this.coming.set(name, coming);
    return coming;
  }

  private async fetch(name: BlobName, from: BlobTransport): Promise<boolean> {
    const bytes = await from.get(name, this.limit);
    if (bytes === null) return false;
    this.trim(bytes.length);
    // All that is there is at work: there is no room for more than the limit, whatever an order names.
    if (this.bytes + bytes.length > this.limit) return false;
    this.blobs.put(bytes);
    this.note(name, bytes.length);
    return true;
  }

  private note(name: BlobName, bytes: number): void {
    this.bytes += bytes - (this.kept.get(name) ?? 0);
    this.kept.delete(name);
    this.kept.set(name, bytes);
  }

  private trim(room: number): void {
    for (const [name, bytes] of this.kept) {
      if (this.bytes + room <= this.limit) return;
      if (this.users.has(name)) continue;
      rmSync(this.path(name), { force: true });
      this.kept.delete(name);
      this.bytes -= bytes;
    }
  }

  /** What an earlier worker has left there. A damaged one is noticed when it is read, and fetched again. */
  private readFolder(): void {
    const found: { readonly name: BlobName; readonly bytes: number; readonly usedMs: number }[] = [];
    const directory = this.folder.known(BLOBS);
    for (const first of readdirSync(directory)) {
      if (!/^[0-9a-f]{2}$/.test(first)) continue;
      for (const rest of readdirSync(join(directory, first))) {
        const name = `${first}${rest}`;
        if (!isContentName(name)) continue;
        // Another machine's disk may have cut it.
        if (this.blobs.get(name) === null) {
          rmSync(join(directory, first, rest), { force: true });
          continue;
        }
        const { size, mtimeMs } = statSync(join(directory, first, rest));
        found.push({ name, bytes: size, usedMs: mtimeMs });
      }
    }
    for (const { name, bytes } of found.sort((a, b) => a.usedMs - b.usedMs)) this.note(name, bytes);
  }
}

function placeOf(name: BlobName): readonly string[] {
  return [BLOBS, name.slice(0, 2), name.slice(2)];
}
