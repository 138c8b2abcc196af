// Contents on their way between machines, each by its SHA-256: programs' images, files of tests, long messages. Two places hold them: Redis,
// which everybody has who has the queue, and a folder that all machines see, for what is large. A store that speaks S3's protocol would be
// another implementation of the same interface; there is none yet.
// Invariant: whatever is got was compared with its name, so no place needs to be trusted.

import { constants, existsSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { makeFolder } from "../frontend/cache.js";
import { hashOf, isContentName } from "../project/content-hash.js";
import { writeSafely } from "../project/project-folder.js";
import { PRIVATE_FILE } from "../support/private-modes.js";
import type { RedisStore } from "./queue-library.js";

export interface BlobTransport {
  /** Gives its name. Throws if no place takes it. */
  put(bytes: Uint8Array): Promise<string>;
  /** Null if it is nowhere, or nowhere whole, or larger than that. */
  get(name: string, mostBytes?: number): Promise<Uint8Array | null>;
  /** It is no longer wanted by whoever put it; it may stay. */
  drop(name: string): Promise<void>;
}

/** Larger ones go to the folder, if there is one. */
const SMALL_BYTES = 0x4_0000;
/** Redis takes 512 MB at the most, and all of it is in its memory. */
const MOST_IN_REDIS = 0x800_0000;
const MOST_BYTES = 0x4000_0000;
/** What is inflated between two looks at the clock. */
const PIECE_BYTES = 0x4_0000;
const LEAST_BYTES = 1024;
/** What nobody has asked for or sent since is forgotten. */
const KEPT_SECONDS = 86_400;

const [smaller, larger] = [promisify(deflateRaw), promisify(inflateRaw)];

export class RedisBlobs implements BlobTransport {
  constructor(
    private readonly redis: RedisStore,
    private readonly prefix: string,
  ) {}

  async put(bytes: Uint8Array): Promise<string> {
    if (bytes.length > MOST_IN_REDIS) {
      const megabytes = Math.ceil(bytes.length / 1e6);
      throw new Error(`${megabytes} MB are too much for Redis: give --store DIR, a folder that all machines see`);
    }
    const name = hashOf(bytes);
    const isThere = (await this.redis.expire(this.key(name), KEPT_SECONDS)) === 1;
    if (!isThere) await this.redis.set(this.key(name), await smaller(bytes, { level: 3 }), "EX", KEPT_SECONDS);
    return name;
  }

  async get(name: string, mostBytes = MOST_IN_REDIS): Promise<Uint8Array | null> {
    if (!isContentName(name)) return null;
    // Deflating never adds more than that: what is larger would not be taken anyway.
    const most = mostBytes + (mostBytes >>> 10) + LEAST_BYTES;
    const stored = (await this.redis.strlen(this.key(name))) > most ? null : await this.redis.getBuffer(this.key(name));
    if (stored === null) return null;
    try {
      return checked(name, await larger(stored, { maxOutputLength: mostBytes, chunkSize: PIECE_BYTES }));
    } catch {
      return null;
    }
  }

  async drop(name: string): Promise<void> {
    if (isContentName(name)) await this.redis.del(this.key(name));
  }

  private key(name: string): string {
    return `${this.prefix}:blob:${name}`;
  }
}

export class FolderBlobs implements BlobTransport {
  constructor(private readonly folder: string) {}

  put(bytes: Uint8Array): Promise<string> {
    const name = hashOf(bytes);
    const path = this.path(name);
    if (!existsSync(path)) {
      makeFolder(join(this.folder, name.slice(0, 2)));
      writeSafely(path, bytes, PRIVATE_FILE);
    }
    return Promise.resolve(name);
  }

  async get(name: string, mostBytes = MOST_BYTES): Promise<Uint8Array | null> {
    if (!isContentName(name)) return null;
    try {
      const file = await open(this.path(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const status = await file.stat();
        return status.isFile() && status.size <= mostBytes ? checked(name, await file.readFile()) : null;
      } finally {
        await file.close();
      }
    } catch {
      return null;
    }
  }

  async drop(name: string): Promise<void> {
    if (isContentName(name)) await rm(this.path(name), { force: true });
  }

  private path(name: string): string {
    return join(this.folder, name.slice(0, 2), name.slice(2));
  }
}

/** Small ones in the first place, large ones in the second, if there is one. */
export class SizedBlobs implements BlobTransport {
  constructor(
    private readonly small: BlobTransport,
    private readonly large: BlobTransport | null,
  ) {}

  put(bytes: Uint8Array): Promise<string> {
    return (bytes.length > SMALL_BYTES ? (this.large ?? this.small) : this.small).put(bytes);
  }

  async get(name: string, mostBytes?: number): Promise<Uint8Array | null> {
    return (await this.small.get(name, mostBytes)) ?? (await this.large?.get(name, mostBytes)) ?? null;
  }

  async drop(name: string): Promise<void> {
    await Promise.all([this.small.drop(name), this.large?.drop(name)]);
  }
}

function checked(name: string, bytes: Uint8Array): Uint8Array | null {
  return hashOf(bytes) === name ? bytes : null;
}
