// The coordinator's orders in the queue: each is put there once, and ends once, whatever is heard of it how often. BullMQ tells of an end by an
// event; events can be missed, so what is out for a while is also looked up, and what Redis has forgotten is put there again.

import type { Queue, QueueEvents } from "bullmq";
import { PREFIX, type QueueLibrary, type RedisStore } from "./queue-library.js";
import { STOP_CHANNEL } from "./queue-names.js";

export type OrderEnd =
  | { readonly kind: "answered"; readonly parcel: unknown }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "withdrawn"; readonly isBegun: boolean };

export interface Order {
  readonly id: string;
  readonly end: Promise<OrderEnd>;
  /** It is asked to stop, and after that time no longer waited for. */
  stop(graceMs: number): void;
}

interface Open {
  readonly data: unknown;
  readonly end: (end: OrderEnd) => void;
  readonly progress: (data: unknown) => void;
  /** When it was put there, or looked up last. */
  lookedMs: number;
  isBegun: boolean;
}

/** Of a worker's trouble with an order, as when it cannot reach what it needs. */
const ATTEMPTS = 6;
const BACK_OFF_MS = 300;
const KEPT_SECONDS = 3600;
/** How often orders are looked up, how many of them, and how old they are then. */
const LOOK_EVERY_MS = 2000;
const MOST_LOOKED = 200;
const LOOKED_AFTER_MS = 3000;
/** Ends are told once and taken at once; nobody reads older events. */
const MOST_EVENTS = 2000;

export class OrderBook {
  private readonly queue: Queue;
  private readonly events: QueueEvents;
  private readonly open = new Map<string, Open>();
  private readonly timer: NodeJS.Timeout;
  private isLooking = false;

  constructor(
    { bullmq }: QueueLibrary,
    private readonly redis: RedisStore,
    name: string,
  ) {
    const options = { connection: redis, prefix: PREFIX };
    this.queue = new bullmq.Queue(name, { ...options, streams: { events: { maxLen: MOST_EVENTS } } });
    this.events = new bullmq.QueueEvents(name, options);
    this.queue.on("error", () => {});
    this.events.on("error", () => {});
    this.events.on("active", ({ jobId }) => {
      const open = this.open.get(jobId);
      if (open !== undefined) open.isBegun = true;
    });
    this.events.on("progress", ({ jobId, data }) => this.open.get(jobId)?.progress(data));
    this.events.on("completed", ({ jobId, returnvalue }) =>
      this.ended(jobId, { kind: "answered", parcel: returnvalue }),
    );
    this.events.on("failed", ({ jobId, failedReason }) => this.ended(jobId, { kind: "failed", message: failedReason }));
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
  }

  async ready(): Promise<void> {
    await this.events.waitUntilReady();
  }

  put(id: string, data: unknown, progress: (data: unknown) => void): Order {
    let end: Open["end"] = () => {};
    const ended = new Promise<OrderEnd>((resolve) => {
      end = resolve;
    });
    this.open.set(id, { data, end, progress, lookedMs: performance.now(), isBegun: false });
    void this.add(id, data);
    let isStopping = false;
    const stop = (graceMs: number): void => {
      if (isStopping) return;
      isStopping = true;
      this.redis.publish(STOP_CHANNEL, id).catch(() => {});
      setTimeout(() => this.ended(id, { kind: "withdrawn", isBegun: this.open.get(id)?.isBegun ?? false }), graceMs);
    };
    return { id, end: ended, stop };
  }

  /** Whoever still waits is told that it was withdrawn. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    for (const [id, { isBegun }] of this.open) this.ended(id, { kind: "withdrawn", isBegun });
    const closed = Promise.all([this.events.close(), this.queue.close()]);
    await Promise.race([closed, new Promise((done) => setTimeout(done, LOOK_EVERY_MS).unref())]).catch(() => {});
  }

  private async add(id: string, data: unknown): Promise<void> {
    try {
      await this.queue.add("item", data, {
        jobId: id,
        attempts: ATTEMPTS,
        backoff: { type: "exponential", delay: BACK_OFF_MS },
        removeOnComplete: { age: KEPT_SECONDS },
        removeOnFail: { age: KEPT_SECONDS },
      });
      // It was withdrawn meanwhile.
      if (!this.open.has(id)) await this.queue.remove(id);
    } catch {
      // It is not there, and will be put there again.
    }
  }

  private ended(id: string, end: OrderEnd): void {
    const open = this.open.get(id);
    if (open === undefined) return;
    this.open.delete(id);
    // One that is at work cannot be removed; it goes by its age.
    this.queue.remove(id).catch(() => {});
    open.end(end);
  }

  private async look(): Promise<void> {
    if (this.isLooking || this.redis.status !== "ready") return;
    this.isLooking = true;
    try {
      const old = [...this.open].filter(([, { lookedMs }]) => performance.now() - lookedMs >= LOOKED_AFTER_MS);
      old.sort(([, a], [, b]) => a.lookedMs - b.lookedMs);
      for (const [id, open] of old.slice(0, MOST_LOOKED)) {
        open.lookedMs = performance.now();
        const job = await this.queue.getJob(id);
        if (job === undefined && this.open.has(id)) {
          await this.add(id, open.data);
        } else if (job?.finishedOn !== undefined && job.finishedOn !== null) {
          const isAnswered = job.returnvalue !== null && job.returnvalue !== undefined;
          const message = job.failedReason ?? "";
          this.ended(id, isAnswered ? { kind: "answered", parcel: job.returnvalue } : { kind: "failed", message });
        } else if (job?.processedOn !== undefined) open.isBegun = true;
      }
    } catch {
      // The next look may find Redis there again.
    } finally {
      this.isLooking = false;
    }
  }
}
