// The content-addressed cache: what a key names never changes, so an entry is either right or absent, and processes that
// run at the same time need no lock: each writes a file of its own and renames it into place. A database would be the
// alternative; the file system already is one. Caching is a help, never a duty: when the disk is full or read-only,
// `put` says so and the work was merely done for nothing.
// Invariant: an entry ends in its length and a mark, so that one cut short by a crash reads as absent.

import { createHash, randomBytes } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../support/private-modes.js";

export interface Cache {
  /** The folder everything lies in. */
  readonly directory: string;
  /** For ZIG_GLOBAL_CACHE_DIR, so that zig writes nowhere else. */
  readonly zigDirectory: string;
  /** Null: absent, unreadable or cut short. */
  get(kind: string, key: string): Buffer | null;
  has(kind: string, key: string): boolean;
  /** False: could not be stored (full disk, no permission); nothing is left behind. */
  put(kind: string, key: string, content: Uint8Array | string): boolean;
}

/** Bumped when the form of the entries changes. */
const MARK = Buffer.from("TANGENT1", "latin1");
const FOOTER = 8 + MARK.length;

/** TANGENT_CACHE, else $XDG_CACHE_HOME/tangent, else ~/.cache/tangent. */
export function cacheDirectory(env: NodeJS.ProcessEnv): string {
  if (env.TANGENT_CACHE) return env.TANGENT_CACHE;
  // The XDG specification says to ignore a relative path.
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return join(env.XDG_CACHE_HOME, "tangent");
  return join(env.HOME || homedir(), ".cache", "tangent");
}

export function openCache(directory: string): Cache {
  return {
    directory,
    zigDirectory: join(directory, "zig"),
    get: (kind, key) => readEntry(entryPath(directory, kind, key)),
    has: (kind, key) => existsSync(entryPath(directory, kind, key)),
    put: (kind, key, content) => {
      const isStored = writeEntry(entryPath(directory, kind, key), content);
      if (isStored) noteStored(directory, content.length);
      return isStored;
    },
  };
}

/** Names content by everything it was made from. Parts are delimited: ["ab", "c"] and ["a", "bc"] differ. */
export function cacheKey(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest("hex").slice(0, 40);
}

function entryPath(directory: string, kind: string, key: string): string {
  return join(directory, kind, key.slice(0, 2), key.slice(2));
}

function readEntry(path: string): Buffer | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return null;
  }
  const length = bytes.length - FOOTER;
  if (length < 0 || !bytes.subarray(length + 8).equals(MARK)) return null;
  if (Number(bytes.readBigUInt64LE(length)) !== length) return null;
  noteUse(path);
  return bytes.subarray(0, length);
}

/** A use within this time of the last one need not be noted. */
const NOTED_MS = 1800_000;

/** So that what is used stays when the cache is trimmed (cache-trim.ts). */
function noteUse(path: string): void {
  try {
    const now = Date.now();
    if (now - statSync(path).mtimeMs > NOTED_MS) utimesSync(path, now / 1000, now / 1000);
  } catch {
    // Read-only: then nobody trims it either.
  }
}

/** A file that has a byte for each of so many stored since the cache was last trimmed: processes add to it without a lock. */
export const STORED_SINCE = "stored-since-trimmed";
export const STORED_UNIT = 0x1_0000;

/** So that it is trimmed in time (cache-trim.ts). */
function noteStored(directory: string, bytes: number): void {
  try {
    appendFileSync(join(directory, STORED_SINCE), ".".repeat(Math.ceil(bytes / STORED_UNIT)), { mode: PRIVATE_FILE });
  } catch {
    // Then it is trimmed by the clock.
  }
}

function writeEntry(path: string, content: Uint8Array | string): boolean {
  const body = typeof content === "string" ? Buffer.from(content) : content;
  const footer = Buffer.alloc(FOOTER);
  footer.writeBigUInt64LE(BigInt(body.length), 0);
  MARK.copy(footer, 8);
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
  try {
    makeFolder(dirname(path));
    const file = openSync(temporary, "wx", PRIVATE_FILE);
    try {
      writeAll(file, body);
      writeAll(file, footer);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    return true;
  } catch {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // What could not be written can often not be removed either; a later cleaning of the cache will.
    }
    return false;
  }
}

/**
 * With its parents. Not by mkdirSync's `recursive`: where a folder can never be made although its parent exists (below
 * /proc), Node tries for ever.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, PRIVATE_FOLDER);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    try {
      mkdirSync(path, PRIVATE_FOLDER);
    } catch (again) {
      if ((again as NodeJS.ErrnoException).code !== "EEXIST") throw again;
    }
  }
}

/** A nearly full disk takes part of a write and refuses only the next. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
