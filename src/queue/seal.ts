// Who may speak in the queue: whoever has the key. Each order, answer and finding carries an HMAC over what it is, which order it belongs to,
// which build of tangent sent it, and the hash of its bytes. So a message of one order is none of another one or of another campaign, whose
// numbers are drawn at random; and a content that a sealed message names by its hash is what its sender meant, a program's translation too.
// What has no right seal is not even fetched or inflated. Without a key there are no seals: then only this machine is listened to.

import { createHmac, timingSafeEqual } from "node:crypto";
import type { BlobName } from "../project/seed.js";
import { buildIdentity } from "./queue-names.js";

export interface About {
  readonly kind: "order" | "answer" | "event";
  /** The job's number in the queue. */
  readonly order: string;
}

const NAME_LENGTH = 12;
/** Of whoever has none. */
export const NO_KEY = "open";

export class Seal {
  /** Tells keys apart, and nothing of them. */
  readonly keyName: string;

  constructor(private readonly key: Uint8Array | null) {
    this.keyName = key === null ? NO_KEY : hmac(key, ["name"]).toString("hex").slice(0, NAME_LENGTH);
  }

  of(about: About, content: BlobName): string {
    return this.key === null ? "" : this.made(this.key, about, content).toString("hex");
  }

  isRight(about: About, content: BlobName, seal: string): boolean {
    if (this.key === null) return true;
    const made = this.made(this.key, about, content);
    const given = Buffer.from(seal, "hex");
    return given.length === made.length && timingSafeEqual(given, made);
  }

  private made(key: Uint8Array, { kind, order }: About, content: BlobName): Buffer {
    return hmac(key, ["message", buildIdentity(), kind, order, content]);
  }
}

/** Parts are delimited: what is moved from one to the next makes another seal. */
function hmac(key: Uint8Array, parts: readonly string[]): Buffer {
  return createHmac("sha256", key).update(JSON.stringify(parts)).digest();
}
