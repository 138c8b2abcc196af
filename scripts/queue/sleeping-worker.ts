// A process that takes orders from the queue as a worker does, sleeps for as long as the order says and answers so many bytes: a worker of which
// hundreds fit on one machine. Started by qualify-queue.ts and bench/simulation.ts:
//
//   node dist/scripts/queue/sleeping-worker.js PORT AT-A-TIME

import { setTimeout as delay } from "node:timers/promises";
import { loadQueueLibrary, PREFIX } from "../../src/queue/queue-library.js";
import { queueName } from "../../src/queue/queue-names.js";
import { NO_KEY } from "../../src/queue/seal.js";

const [port, jobs] = process.argv.slice(2).map(Number);
const library = await loadQueueLibrary();
if (library === null) throw new Error("bullmq is not installed");
const redis = new library.Redis({ host: "127.0.0.1", port, maxRetriesPerRequest: null });
const worker = new library.bullmq.Worker(
  queueName(NO_KEY),
  async ({ data }) => {
    const { sleepMs, answerBytes } = data as { readonly sleepMs: number; readonly answerBytes: number };
    if (sleepMs > 0) await delay(sleepMs);
    return { inline: "x".repeat(answerBytes) };
  },
  { connection: redis, prefix: PREFIX, concurrency: jobs },
);
worker.on("error", () => {});
await worker.waitUntilReady();
process.stdout.write("ready\n");
