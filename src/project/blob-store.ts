// Contents by their SHA-256, each stored once however many seeds share it. What a name stands for never changes, so two
// processes may store the same content at the same time and both are right.

import { lstatSync } from "node:fs";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { readRegularFile } from "../support/regular-file.js";
import { hashOf, isContentName } from "./content-hash.js";
import { type ProjectFolder, writeQuickly } from "./project-folder.js";
import type { BlobName } from "./seed.js";

export class BlobStore {
  private readonly sizes = new Map<BlobName, number>();

  constructor(readonly folder: ProjectFolder) {}

  put(bytes: Uint8Array): BlobName {
    const name = hashOf(bytes);
    const path = this.folder.file(...placeOf(name));
    // One that a machine which stopped has left empty is written again.
    if (lstatSync(path, { throwIfNoEntry: false })?.size !== bytes.length) writeQuickly(path, bytes, PRIVATE_FILE);
    return name;
  }

  /** In bytes, without reading it; 0 if it is gone. */
  sizeOf(name: BlobName): number {
    if (!isContentName(name)) return 0;
    // Thousands of tests share a few contents, and each is asked for several times.
    const known = this.sizes.get(name);
    if (known !== undefined) return known;
    const size = lstatSync(this.folder.known(...placeOf(name)), { throwIfNoEntry: false })?.size;
    if (size !== undefined) this.sizes.set(name, size);
    return size ?? 0;
  }

  /** Null if it is gone, or is not what its name says. */
  get(name: BlobName): Uint8Array | null {
    // A seed from anywhere may name anything.
    if (!isContentName(name)) return null;
    try {
      const bytes = readRegularFile(this.folder.known(...placeOf(name)));
      return hashOf(bytes) === name ? bytes : null;
    } catch {
      return null;
    }
  }
}

function placeOf(name: BlobName): readonly string[] {
  return ["blobs", name.slice(0, 2), name.slice(2)];
}
