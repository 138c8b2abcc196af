// A campaign whose items are done by worker processes, over a real redis-server: workers are killed, Redis is restarted, the network is cut, and
// the findings are those of one process. Whoever lies in the queue is not believed.

import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { queueName } from "../../src/queue/queue-names.js";
import { NO_KEY, Seal } from "../../src/queue/seal.js";
import { encode } from "../../src/queue/wire.js";
import type { AmplifyCampaignResult } from "../../src/report/campaign-result.js";
import { CuttableWay, journalled, PROGRAM, RedisProcess, ROOT, WorkerProcess, withoutRedis } from "./queue-fixture.js";

/** A test of it takes seconds, but for what is looked at first. */
const SLOW = `#include <stdio.h>
#include <stdlib.h>
static const char letters[16] = "abcdefghijklmno";
int main(int argc, char **argv) {
  putchar(letters[atoi(argv[1]) & 31]);
  if (getchar() == '7') for (volatile int i = 0; i < 300000000; i++);
  return 0;
}
`;
/** So many that troubles can come between them; the last test has a file, which workers get by its content. */
const TESTS = `for n in 1 2 3 4 5 6 7 8 9; do for w in w x; do printf '%s%s\\n' $w $n | ./prog $n > /dev/null; done; done
for n in 10 11 12; do printf 'ab\\ncd' | ./prog $n > /dev/null; done
printf '\\002' > size.bin
./prog 12 size.bin < /dev/null > /dev/null
rm size.bin
`;
const LIMITS = ["--distance", "1", "--time", "10m", "--moves", "none", "--quiet"];

function tangent(project: string, ...words: string[]): ReturnType<typeof spawnSync> {
  return spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: project, encoding: "utf8" });
}

function resultOf(project: string): AmplifyCampaignResult {
  return JSON.parse(readFileSync(join(project, ".tangent/report/results.json"), "utf8")) as AmplifyCampaignResult;
}

/** What must be the same, whoever did the work. */
function essence({ findings, files, totals, reason }: AmplifyCampaignResult): unknown {
  const { seeds, checks, distance } = totals;
  // Not which of two tests shows it: their order depends on what a first look at each came to, which the clock cuts on a busy machine.
  const found = findings.map(({ id, group, fingerprint, kind, stack }) => ({ id, group, fingerprint, kind, stack }));
  const sorted = found.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { found: sorted, files, totals: { seeds, checks, distance }, reason };
}

describe("a campaign over a queue", { skip: withoutRedis() }, () => {
  const scratch = mkdtempSync(join(tmpdir(), "tangent-queue-"));
  const project = join(scratch, "project");
  let redis: RedisProcess;
  let local: AmplifyCampaignResult;
  let localKeys: readonly string[] = [];
  const workers: WorkerProcess[] = [];

  function worker(address: string, ...words: string[]): WorkerProcess {
    const one = new WorkerProcess(address, "--jobs", "1", ...words);
    workers.push(one);
    return one;
  }

  function coordinator(address: string, ...words: string[]): ChildProcess {
    // What was found before would be shown again.
    for (const name of ["campaign.journal", "findings.journal", "report/results.json"])
      rmSync(join(project, ".tangent", name), { force: true });
    const given = ["amplify", ...LIMITS, "--queue", address, ...words];
    return spawn(process.execPath, [join(ROOT, "dist/src/cli/main.js"), ...given], {
      cwd: project,
      stdio: ["ignore", "ignore", "pipe"],
    });
  }

  before(async () => {
    mkdirSync(project);
    writeFileSync(join(project, "prog.c"), PROGRAM);
    writeFileSync(join(project, "tests.sh"), TESTS);
    assert.equal(tangent(project, "cc", "-g", "-o", "prog", "prog.c").status, 0);
    assert.equal(tangent(project, "record", "--", "sh", "tests.sh").status, 0);
    // As a worker sees the disk: nothing of it.
    const empty = join(scratch, "empty");
    mkdirSync(empty);
    const alone = tangent(project, "amplify", ...LIMITS, "--jobs", "1", "--root", empty);
    assert.equal(alone.status, 1, String(alone.stderr));
    local = resultOf(project);
    localKeys = journalled(project);
    assert.ok(local.findings.length >= 3);
    redis = await RedisProcess.start();
  });

  after(async () => {
    await Promise.all(workers.map((one) => one.kill()));
    await redis?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  it("workers are killed, Redis is restarted, the network is cut: the same findings, nothing lost, nothing twice", async () => {
    const proxy = new CuttableWay(redis.port);
    const address = `redis://127.0.0.1:${await proxy.listen()}`;
    const store = join(scratch, "store");
    let started = 0;
    const walls = (): string => (started++ % 2 === 0 ? "auto" : "node");
    const start = (): WorkerProcess => worker(address, "--lease", "1s", "--store", store, "--walls", walls());
    const crew = [start(), start(), start()];
    const doneBy = (): number => crew.reduce((sum, { done }) => sum + done, 0);
    const process = coordinator(address, "--store", store);
    const ended = new Promise<number | null>((done) => process.once("exit", done));
    let said = "";
    process.stderr?.on("data", (data: Buffer) => {
      said += data.toString();
    });
    const troubles = [() => redis.restart(), () => proxy.cut(1500)];
    let isOver = false;
    let kills = 0;
    let before = 0;
    void ended.then(() => {
      isOver = true;
    });
    // As fast as it can bear: after each trouble something must have been done.
    while (!isOver) {
      await delay(30);
      const done = doneBy();
      if (isOver || kills === 6 || done < before + 2) continue;
      const victim = kills++ % crew.length;
      await crew[victim].kill();
      crew[victim] = start();
      before = doneBy();
      await troubles.shift()?.();
    }
    proxy.close();
    assert.equal(await ended, 1, said);
    assert.deepEqual(essence(resultOf(project)), essence(local));
    assert.ok(kills >= 2, `${kills} workers were killed`);
    assert.deepEqual(troubles, []);
    const keys = journalled(project);
    assert.deepEqual([...new Set(keys)].sort(), [...keys].sort(), "an item was written down twice");
    assert.deepEqual([...keys].sort(), [...localKeys].sort());
    await Promise.all(crew.map((one) => one.kill()));
  });

  it("Ctrl-C: a worker gives its item back and another does it; the coordinator keeps what was found", async () => {
    const slow = join(scratch, "slow");
    mkdirSync(slow);
    writeFileSync(join(slow, "prog.c"), SLOW);
    writeFileSync(join(slow, "tests.sh"), "printf '7\\n' | ./prog 12 > /dev/null\n");
    assert.equal(tangent(slow, "cc", "-g", "-O0", "-o", "prog", "prog.c").status, 0);
    assert.equal(tangent(slow, "record", "--", "sh", "tests.sh").status, 0);
    const address = `redis://127.0.0.1:${redis.port}/1`;
    const given = ["amplify", ...LIMITS, "--queue", address];
    const process = spawn(globalThis.process.execPath, [join(ROOT, "dist/src/cli/main.js"), ...given], {
      cwd: slow,
      stdio: "ignore",
    });
    const ended = new Promise<number | null>((done) => process.once("exit", done));
    const first = worker(address);
    // Its first look, cut short, then the long one.
    while (first.lines.filter(({ kind }) => kind === "begins").length < 3) await delay(20);
    first.child.kill("SIGINT");
    assert.equal(await first.exited, 0);
    assert.ok(first.lines.some(({ kind }) => kind === "given-back"));
    const second = worker(address);
    await second.told("begins");
    process.kill("SIGINT");
    assert.equal(await ended, 1);
    assert.equal(resultOf(slow).reason, "aborted");
    assert.ok(resultOf(slow).findings.length >= 1);
    await second.kill();
  });

  it("with a key: the same findings; nobody without it is given work, and nothing of theirs is taken", async () => {
    const { Queue, Worker } = await import("bullmq");
    const { Redis } = await import("ioredis");
    const address = `redis://127.0.0.1:${redis.port}/3`;
    const key = "a key that nobody guesses, of 40 letters";
    const file = join(scratch, "key");
    writeFileSync(file, key, { mode: 0o600 });
    const name = queueName(new Seal(Buffer.from(key)).keyName);
    const clients = [0, 1].map(() => new Redis({ ...{ port: redis.port, db: 3 }, maxRetriesPerRequest: null }));
    const queue = new Queue(name, { connection: clients[0], prefix: "tangent" });
    // Somebody who takes orders without the key keeps the first, and answers it.
    let kept: unknown = null;
    let forged = 0;
    const answer = {
      kind: "done",
      end: "done",
      message: "",
      events: [],
      last: { kind: "skipped", why: "no" },
      contents: [],
    };
    const forger = new Worker(
      name,
      async (job) => {
        kept ??= job.data;
        forged++;
        return { inline: Buffer.from(await encode(answer)).toString("base64"), seal: "00".repeat(32) };
      },
      { connection: clients[1], prefix: "tangent" },
    );
    const process = coordinator(address, "--queue-key", file);
    let said = "";
    process.stderr?.on("data", (data: Buffer) => {
      said += data.toString();
    });
    const ended = new Promise<number | null>((done) => process.once("exit", done));
    while (forged < 3) await delay(20);
    await forger.close(true);
    const keyless = worker(address);
    await keyless.told("ready");
    const honest = worker(address, "--queue-key", file);
    await honest.told("begins");
    // An order that was kept is not the order of another number, and an order without a seal is none.
    const old = await queue.add("item", kept, { jobId: "another" });
    const bare = await queue.add("item", { order: { inline: Buffer.from(await encode({})).toString("base64") } });
    assert.equal(await ended, 1, said);
    while (honest.lines.filter(({ kind }) => kind === "refused").length < 2) await delay(50);
    assert.ok((await Promise.all([old, bare].map((job) => job.isFailed()))).every(Boolean));
    assert.deepEqual(essence(resultOf(project)), essence(local));
    assert.equal(keyless.done, 0);
    assert.match(said, /1 worker with another key, or none, cannot help/);
    await Promise.all([keyless.kill(), honest.kill(), queue.close()]);
    for (const client of clients) client.disconnect();
  });

  it("a queue that is not on this machine is not listened to without a key", () => {
    const { status, stderr } = tangent(project, "worker", "--queue", "redis://queue.invalid");
    assert.equal(status, 3);
    assert.match(String(stderr), /not on this machine, so whoever reaches it could send work: give --queue-key FILE/);
  });

  it("an order that is none is refused, and the worker goes on; an answer that is none costs its item", async () => {
    const { Queue, Worker } = await import("bullmq");
    const address = `redis://127.0.0.1:${redis.port}/2`;
    const connection = { host: "127.0.0.1", port: redis.port, db: 2, maxRetriesPerRequest: null };
    const { Redis } = await import("ioredis");
    const clients = [new Redis(connection), new Redis(connection)];
    const queue = new Queue(queueName(NO_KEY), { connection: clients[0], prefix: "tangent" });
    const inline = async (value: unknown): Promise<string> => Buffer.from(await encode(value)).toString("base64");
    const orders = [
      null,
      {},
      { order: "x" },
      { order: { inline: "!" } },
      { order: { inline: await inline({ technique: "amplify" }) } },
    ];
    const jobs = await Promise.all(orders.map((order) => queue.add("item", order)));
    const honest = worker(address);
    while ((await queue.getFailedCount()) < jobs.length) await delay(50);
    assert.equal(honest.lines.filter(({ kind }) => kind === "refused").length, jobs.length);
    await honest.kill();
    // Somebody who says that all was done, that something was found, or nonsense.
    const lies: unknown[] = [
      5,
      { kind: "done" },
      { kind: "done", end: "done", message: "", events: [], last: { kind: "report", report: {} }, contents: [] },
      { kind: "done", end: "done", message: "", events: [{ kind: "finding", found: {} }], last: null, contents: [] },
      { kind: "done", end: "done", message: "", events: [], last: { kind: "wanted", path: "/bin/sh" }, contents: [] },
    ];
    const finding = {
      ...{ kind: "heap-buffer-overflow", access: "write", size: 1, address: 1, firstBadAddress: 1, stack: [] },
      ...{ userFrame: -1, object: null, message: "believe me", check: null, confirmed: true },
    };
    const found = {
      ...{ finding, identity: { id: "abcdefabcdef" }, witness: [], seedValues: [], witnessCommand: [], depth: 1 },
    };
    const events = [{ kind: "finding", found }];
    lies.push({ kind: "done", end: "done", message: "", events, last: { kind: "skipped", why: "no" }, contents: [] });
    let told = 0;
    const liar = new Worker(queueName(NO_KEY), async () => ({ inline: await inline(lies[told++ % lies.length]) }), {
      connection: clients[1],
      prefix: "tangent",
    });
    const process = coordinator(address);
    let said = "";
    process.stderr?.on("data", (data: Buffer) => {
      said += data.toString();
    });
    const status = await new Promise<number | null>((done) => process.once("exit", done));
    await Promise.all([liar.close(), queue.close()]);
    for (const client of clients) client.disconnect();
    assert.ok(told >= lies.length, `${told} lies were told`);
    assert.match(said, /makes no sense/);
    assert.notEqual(status, 1, said);
    // Nothing came of it: there is nothing to report, or nothing was found.
    const results = join(project, ".tangent/report/results.json");
    assert.deepEqual(existsSync(results) ? resultOf(project).findings : [], []);
  });
});
