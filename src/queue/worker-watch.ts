// Which workers there are, as they say themselves every second: how many items can be done at the same time, and whether some are of another
// build of tangent, which cannot help.

import { readNews, type WorkerNews } from "./messages.js";
import type { RedisStore } from "./queue-library.js";
import { buildIdentity, NEWS_EVERY_MS, newsKey, WORKERS_KEY } from "./queue-names.js";

export interface WorkersSeen {
  readonly workers: number;
  /** Of all of them. */
  readonly jobs: number;
  /** Those of another build. */
  readonly strangers: number;
  /** Those of this build with another key, or none. */
  readonly otherKeys: number;
}

export class WorkerWatch {
  private seen: WorkersSeen = { workers: 0, jobs: 0, strangers: 0, otherKeys: 0 };
  private readonly timer: NodeJS.Timeout;
  private isLooking = false;

  constructor(
    private readonly redis: RedisStore,
    private readonly keyName: string,
    private readonly tell: (seen: WorkersSeen) => void,
  ) {
    this.timer = setInterval(() => void this.look(), NEWS_EVERY_MS);
  }

  get jobs(): number {
    return this.seen.jobs;
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** While Redis is away, what was seen last stands. */
  async look(): Promise<void> {
    if (this.isLooking || this.redis.status !== "ready") return;
    this.isLooking = true;
    try {
      const ids = await this.redis.smembers(WORKERS_KEY);
      const lines = ids.length === 0 ? [] : await this.redis.mget(ids.map(newsKey));
      const gone = ids.filter((_, index) => lines[index] === null);
      if (gone.length > 0) await this.redis.srem(WORKERS_KEY, ...gone);
      this.note(lines.flatMap((line) => readNews(line) ?? []));
    } catch {
      // The next look may find it there again.
    } finally {
      this.isLooking = false;
    }
  }

  private note(news: readonly WorkerNews[]): void {
    const same = news.filter(({ identity }) => identity === buildIdentity());
    const ours = same.filter(({ key }) => key === this.keyName);
    const jobs = ours.reduce((sum, one) => sum + one.jobs, 0);
    const strangers = news.length - same.length;
    const now: WorkersSeen = { workers: ours.length, jobs, strangers, otherKeys: same.length - ours.length };
    const isNew = JSON.stringify(now) !== JSON.stringify(this.seen);
    this.seen = now;
    if (isNew) this.tell(now);
  }
}
