// The packages that know how to talk to a queue: BullMQ, and ioredis under it. Who does not use a queue does not install them, so they are
// loaded when one is named.

import { connect as connectTo } from "node:net";
import type { Redis } from "ioredis";
import type { RedisAddress } from "./redis-address.js";

export type RedisStore = Redis;

export interface QueueLibrary {
  readonly bullmq: typeof import("bullmq");
  readonly Redis: typeof import("ioredis").Redis;
}

export const NOT_INSTALLED =
  "a queue needs two packages that are not installed with tangent: npm install bullmq ioredis (with --global if tangent was)";

/** Keys of ours begin with it, whatever else is in the database. */
export const PREFIX = "tangent";
/** Between two attempts to reach Redis again, at the most. */
const MOST_RETRY_MS = 1000;
const FIRST_ANSWER_MS = 10_000;
/** A connection on which nothing was heard for so long is made anew: both ends ask at least every ten seconds. */
const SILENCE_MS = 30_000;

/** Null if they are not installed. */
export async function loadQueueLibrary(): Promise<QueueLibrary | null> {
  try {
    const [bullmq, { Redis }] = await Promise.all([import("bullmq"), import("ioredis")]);
    return { bullmq, Redis };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    return null;
  }
}

/** A connection that comes back by itself: commands wait until it is there again. */
export function connect({ Redis }: QueueLibrary, address: RedisAddress): RedisStore {
  const { host, port, database, user, password, tls } = address;
  const redis = new Redis({
    host,
    port,
    db: database,
    ...(user === null ? {} : { username: user }),
    ...(password === null ? {} : { password }),
    ...(tls ? { tls: { servername: host } } : {}),
    maxRetriesPerRequest: null,
    socketTimeout: SILENCE_MS,
    retryStrategy: (times) => Math.min(100 * times, MOST_RETRY_MS),
  });
  // Told where somebody waits for it; it is never a reason to end.
  redis.on("error", () => {});
  return redis;
}

/** Null if it answers, else in words why not: a wrong address is told at once, not tried for ever. */
export async function troubleWith(redis: RedisStore, { host, port, shown }: RedisAddress): Promise<string | null> {
  let last = "";
  redis.on("error", (error: Error) => {
    last = error.message;
  });
  const patience = timeout(FIRST_ANSWER_MS);
  const reached = await Promise.race([patience.then(() => "no answer"), isOpen(host, port)]);
  const answer =
    reached !== null
      ? reached
      : await Promise.race([
          patience.then(() => last || "no answer"),
          redis.ping().then(
            () => null,
            (error: Error) => error.message,
          ),
        ]);
  return answer === null ? null : `${shown}: ${answer}`;
}

/** Null if somebody listens there. */
function isOpen(host: string, port: number): Promise<string | null> {
  return new Promise((done) => {
    const socket = connectTo({ host, port }, () => {
      socket.destroy();
      done(null);
    });
    socket.on("error", (error) => done(error.message || "nobody answers"));
  });
}

function timeout(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms).unref();
  });
}
