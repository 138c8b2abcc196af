// Orders whose workers sleep, through the real queue: rounds of items, so many under way at a time, as a campaign has them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { OrderBook } from "../../src/queue/order-book.js";
import { connect, loadQueueLibrary } from "../../src/queue/queue-library.js";
import { queueName } from "../../src/queue/queue-names.js";
import { readAddress } from "../../src/queue/redis-address.js";
import { NO_KEY } from "../../src/queue/seal.js";
import { ROOT } from "../../test/end-to-end/queue-fixture.js";

export interface SleepingItems {
  /** Milliseconds of each item, round after round. */
  readonly rounds: readonly (readonly number[])[];
  readonly workers: number;
  /** Orders under way for each worker. */
  readonly ahead: number;
  readonly orderBytes: number;
  readonly answerBytes: number;
}

export interface SleptItems {
  readonly wallMs: number;
  /** Of this process, which puts the orders there and takes the answers. */
  readonly processorMs: number;
}

/** So many workers are one process: they only sleep. */
const WORKERS_A_PROCESS = 50;

export async function sleepThrough(port: number, items: SleepingItems): Promise<SleptItems> {
  const library = await loadQueueLibrary();
  const address = readAddress(`redis://127.0.0.1:${port}`, null);
  if (library === null || typeof address === "string") throw new Error("bullmq is not installed");
  const processes = await Promise.all(
    Array.from({ length: Math.ceil(items.workers / WORKERS_A_PROCESS) }, async (_, index) => {
      const jobs = Math.min(WORKERS_A_PROCESS, items.workers - index * WORKERS_A_PROCESS);
      const script = join(ROOT, "dist/scripts/queue/sleeping-worker.js");
      const child = spawn(process.execPath, [script, String(port), String(jobs)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      return child;
    }),
  );
  const redis = connect(library, address);
  const book = new OrderBook(library, redis, queueName(NO_KEY));
  await book.ready();
  const padding = "x".repeat(items.orderBytes);
  const used = process.cpuUsage();
  const begun = performance.now();
  let id = 0;
  for (const round of items.rounds) {
    let next = 0;
    const hand = async (): Promise<void> => {
      while (next < round.length) {
        const data = { sleepMs: round[next++], answerBytes: items.answerBytes, order: padding };
        const end = await book.put(`slept-${process.pid}-${begun.toFixed(0)}-${id++}`, data, () => {}).end;
        if (end.kind !== "answered") throw new Error(`an item was lost: ${JSON.stringify(end)}`);
      }
    };
    await Promise.all(Array.from({ length: Math.min(round.length, items.ahead * items.workers + 2) }, hand));
  }
  const wallMs = performance.now() - begun;
  const { user, system } = process.cpuUsage(used);
  await book.close();
  redis.disconnect();
  for (const child of processes) child.kill("SIGKILL");
  return { wallMs, processorMs: (user + system) / 1000 };
}
