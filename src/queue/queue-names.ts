// What the queue and the keys beside it are called in Redis. The queue's name has the build of tangent in it: a translated program means
// something to the build that made it only, so a worker of another one never sees its items.

import { createHash } from "node:crypto";
import { engineIdentity } from "../program/identity.js";
import { PREFIX } from "./queue-library.js";

/** A worker says that it is there so often, and is gone if it has not for so long. */
export const NEWS_EVERY_MS = 1000;
export const NEWS_KEPT_MS = 5000;

export const WORKERS_KEY = `${PREFIX}:workers`;
/** Whoever does a job of that id is asked to stop. */
export const STOP_CHANNEL = `${PREFIX}:stop`;

let known: string | null = null;

export function buildIdentity(): string {
  known ??= createHash("sha256").update(engineIdentity()).digest("hex").slice(0, 12);
  return known;
}

/** By the key's name too: who has another key never sees its items. */
export function queueName(keyName: string): string {
  return `items-${buildIdentity()}-${keyName}`;
}

export function newsKey(worker: string): string {
  return `${PREFIX}:worker:${worker}`;
}
