// The name of a file's content. What will be executed or translated is looked at by this first, because its path alone
// says nothing: a seed, a journal or a link may name any file of the disk.

import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import type { BlobName } from "./seed.js";

/** Null if there is no regular file to be read; opening a named pipe must not wait for its other end. */
export function contentHash(path: string | Buffer): BlobName | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    return fstatSync(file).isFile() ? hashOf(readFileSync(file)) : null;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

export function hashOf(bytes: Uint8Array): BlobName {
  return createHash("sha256").update(bytes).digest("hex");
}

export function isContentName(name: unknown): name is BlobName {
  return typeof name === "string" && /^[0-9a-f]{64}$/.test(name);
}
