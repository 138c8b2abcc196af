// The cache's size: every build of a program adds a translation of some megabytes, so a cache that only grows fills the disk in the end. Now and
// then what was not used for longest is removed. Anything may be missing from a cache, so it needs no lock and no care for who reads; but what was
// used a short time ago stays, because a thread may be about to read what another has stored.
// Invariant: only files with the name of an entry, in the place of one, are removed, and links are never followed.

import { lstatSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { makeFolder, STORED_SINCE, STORED_UNIT } from "./cache.js";

const GIGABYTE = 2 ** 30;
export const DEFAULT_CACHE_BYTES = 2 * GIGABYTE;
/** Below the limit by so much, so that the next entry does not make it full again. */
const LEFT_SHARE = 0.75;
const HOUR_MS = 3600_000;
/** Looking at every entry takes a while, so it is not done by each command, unless much was stored since the last time. */
const BETWEEN_MS = 6 * HOUR_MS;
const STAMP = "last-trimmed";

/** As `cache.ts` names entries: a kind, two digits of the key, the others; with more behind them while it is written. */
const DIGITS = /^[0-9a-f]{2}$/;
const ENTRY = /^[0-9a-f]{38}(\.\d+-[0-9a-f]{8}\.tmp)?$/;

export interface TrimOptions {
  /** The most bytes that all entries together may have. */
  readonly limit: number;
  readonly now: number;
}

/** TANGENT_CACHE_SIZE in gigabytes, else 2. */
export function cacheLimit(env: NodeJS.ProcessEnv): number {
  const wanted = Number(env.TANGENT_CACHE_SIZE);
  return env.TANGENT_CACHE_SIZE && wanted >= 0 ? wanted * GIGABYTE : DEFAULT_CACHE_BYTES;
}

/** If it is time to. Returns how many bytes were removed. What cannot be done is left for the next time. */
export function trimCacheNowAndThen(directory: string, options: TrimOptions): number {
  try {
    const stamp = join(directory, STAMP);
    const last = lstatSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const since = join(directory, STORED_SINCE);
    const stored = STORED_UNIT * (lstatSync(since, { throwIfNoEntry: false })?.size ?? 0);
    if (options.now - last < BETWEEN_MS && stored < options.limit * (1 - LEFT_SHARE)) return 0;
    makeFolder(directory);
    writeFileSync(stamp, "", { mode: PRIVATE_FILE });
    writeFileSync(since, "", { mode: PRIVATE_FILE });
    return trimCache(directory, options);
  } catch {
    // A cache that cannot be written, or that another command removes at this moment.
    return 0;
  }
}

export function trimCache(directory: string, { limit, now }: TrimOptions): number {
  const entries = [...entriesOf(directory)].sort((a, b) => a.usedMs - b.usedMs);
  let size = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  if (size <= limit) return 0;
  const before = size;
  for (const { path, bytes, usedMs } of entries) {
    if (size <= limit * LEFT_SHARE || now - usedMs < HOUR_MS) break;
    rmSync(path, { force: true });
    size -= bytes;
  }
  return before - size;
}

export interface CacheUse {
  readonly entries: number;
  readonly bytes: number;
}

/** By kind of entry. */
export function cacheUse(directory: string): ReadonlyMap<string, CacheUse> {
  const kinds = new Map<string, CacheUse>();
  for (const { kind, bytes } of entriesOf(directory)) {
    const known = kinds.get(kind) ?? { entries: 0, bytes: 0 };
    kinds.set(kind, { entries: known.entries + 1, bytes: known.bytes + bytes });
  }
  return kinds;
}

/** Removes every entry, whoever may be about to read one; returns how many bytes they had. */
export function clearCache(directory: string): number {
  let removed = 0;
  for (const { path, bytes } of [...entriesOf(directory)]) {
    rmSync(path, { force: true });
    removed += bytes;
  }
  return removed;
}

interface Entry {
  readonly kind: string;
  readonly path: string;
  readonly bytes: number;
  /** `Cache.get` sets a file's time when it is used. */
  readonly usedMs: number;
}

function* entriesOf(directory: string): Generator<Entry> {
  if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) return;
  for (const kind of foldersIn(directory)) {
    for (const digits of foldersIn(join(directory, kind))) {
      if (!DIGITS.test(digits)) continue;
      const folder = join(directory, kind, digits);
      for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        const status = ENTRY.test(name) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
        if (status?.isFile()) yield { kind, path, bytes: status.size, usedMs: status.mtimeMs };
      }
    }
  }
}

function foldersIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
