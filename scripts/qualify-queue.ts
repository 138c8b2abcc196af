// Qualification of the queue, longer than the tests have time for:
//
//   npm run qualify:queue -- [trouble] [overhead] [--items N] [--kill SECONDS]
//
// `trouble`: a campaign over three worker processes of which one is killed every so often, Redis restarted and the network cut every sixth
// kill, against the same campaign in one process: findings and items must be the same, each once.
// `overhead`: N (10,000) small items: orders that nothing is done for; and that many tests of a tiny program, in one thread and over a
// queue with one worker, in processor time. Needs redis-server; listens on loopback only.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ProjectFolder } from "../src/project/project-folder.js";
import { SeedStore, seedId } from "../src/project/seed-store.js";
import type { AmplifyCampaignResult } from "../src/report/campaign-result.js";
import {
  CuttableWay,
  journalled,
  PROGRAM,
  RedisProcess,
  ROOT,
  WorkerProcess,
  withoutRedis,
} from "../test/end-to-end/queue-fixture.js";
import { sleepThrough } from "./queue/sleeping-items.js";
import { scriptArguments } from "./usage.js";

const { values, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: { items: { type: "string", default: "10000" }, kill: { type: "string", default: "1" } },
});
const wanted = new Set(positionals.length === 0 ? ["trouble", "overhead"] : positionals);
const MAIN = join(ROOT, "dist/src/cli/main.js");
const scratch = mkdtempSync(join(tmpdir(), "tangent-qualify-queue-"));
const empty = join(scratch, "empty");
mkdirSync(empty);
let failures = 0;

const TINY = `#include <stdlib.h>
static const char letters[16] = "abcdefghijklmno";
int main(int argc, char **argv) { return letters[atoi(argv[1]) & 15] == 'q'; }
`;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function check(isTrue: boolean, text: string): void {
  say(`${isTrue ? "ok  " : "FAIL"} ${text}`);
  if (!isTrue) failures++;
}

/** A project with a program and what runs its tests, recorded. */
function recorded(name: string, source: string, tests: string): string {
  const project = join(scratch, name);
  mkdirSync(project);
  writeFileSync(join(project, "prog.c"), source);
  writeFileSync(join(project, "tests.sh"), tests);
  for (const words of [
    ["cc", "-g", "-o", "prog", "prog.c"],
    ["record", "--", "sh", "tests.sh"],
  ]) {
    const { status, stderr } = spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: project });
    if (status !== 0) throw new Error(String(stderr));
  }
  return project;
}

interface Ran {
  readonly status: number | null;
  readonly wallMs: number;
  readonly processorMs: number;
  readonly said: string;
}

async function amplified(project: string, ...words: readonly string[]): Promise<Ran> {
  for (const name of ["campaign.journal", "findings.journal"]) rmSync(join(project, ".tangent", name), { force: true });
  const begun = performance.now();
  // The shell knows what its children used.
  const command = ['"$@"; s=$?; times >&2; exit $s', "sh", process.execPath, MAIN, "amplify", "--quiet", ...words];
  const child = spawn("/bin/sh", ["-c", ...command], { cwd: project, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (data: Buffer) => {
    said += data.toString();
  });
  const status = await new Promise<number | null>((done) => child.once("close", done));
  const times = [...(said.trimEnd().split("\n").pop() ?? "").matchAll(/(\d+)m([\d.]+)s/g)];
  const processorMs = times.reduce((sum, [, m, s]) => sum + 60_000 * Number(m) + 1000 * Number(s), 0);
  return { status, wallMs: performance.now() - begun, processorMs, said };
}

function findingsOf(project: string): string {
  const result = JSON.parse(
    readFileSync(join(project, ".tangent/report/results.json"), "utf8"),
  ) as AmplifyCampaignResult;
  const found = result.findings.map(({ id, group, fingerprint, seedId: seed, inputs }) =>
    JSON.stringify({ id, group, fingerprint, seed, inputs }),
  );
  return [`${result.reason} ${result.totals.checks} checks`, ...found].join("\n");
}

async function trouble(): Promise<void> {
  const tests = Array.from({ length: 150 }, (_, n) => `printf 'w%s\\n' ${n * 7} | ./prog ${n % 15} > /dev/null`);
  const project = recorded("words", PROGRAM, tests.join("\n"));
  const limits = ["--distance", "1", "--time", "60m", "--moves", "none"];
  const alone = await amplified(project, ...limits, "--jobs", "1", "--root", empty);
  const [expected, keys] = [findingsOf(project), [...journalled(project)].sort()];
  say(
    `one process: ${(alone.wallMs / 1000).toFixed(1)} s, ${keys.length} items, ${expected.split("\n").length - 1} findings`,
  );
  const redis = await RedisProcess.start();
  const way = new CuttableWay(redis.port);
  const address = `redis://127.0.0.1:${await way.listen()}`;
  const start = (): WorkerProcess => new WorkerProcess(address, "--jobs", "1", "--lease", "2s");
  const crew = [start(), start(), start()];
  let isOver = false;
  const ran = amplified(project, ...limits, "--queue", address).finally(() => {
    isOver = true;
  });
  const counts = { kills: 0, restarts: 0, cuts: 0 };
  let [doneBefore, lastDone] = [0, 0];
  while (!isOver) {
    await delay(1000 * Number(values.kill));
    if (isOver) break;
    // On a slow machine a worker needs longer to start: something must have been done.
    const done = doneBefore + crew.reduce((sum, one) => sum + one.done, 0);
    if (done <= lastDone) continue;
    lastDone = done;
    const victim = counts.kills++ % crew.length;
    await crew[victim].kill();
    doneBefore += crew[victim].done;
    crew[victim] = start();
    if (counts.kills % 6 === 1) {
      await redis.restart();
      counts.restarts++;
    }
    if (counts.kills % 6 === 3) {
      await way.cut(2000);
      counts.cuts++;
    }
  }
  const { status, wallMs, said } = await ran;
  say(`over the queue: ${(wallMs / 1000).toFixed(1)} s, ${JSON.stringify(counts)}`);
  check(status === alone.status, `the same status ${status}\n${status === alone.status ? "" : said}`);
  check(findingsOf(project) === expected, "the same findings, with the same inputs, and as many checks");
  check(JSON.stringify([...journalled(project)].sort()) === JSON.stringify(keys), "the same items, each once");
  await Promise.all(crew.map((one) => one.kill()));
  way.close();
  await redis.close();
}

async function overhead(): Promise<void> {
  const count = Number(values.items);
  const redis = await RedisProcess.start();
  for (const workers of [1, 8]) {
    const items = {
      rounds: [new Array<number>(count).fill(0)],
      workers,
      ahead: 2,
      orderBytes: 2500,
      answerBytes: 2500,
    };
    const { wallMs, processorMs } = await sleepThrough(redis.port, items);
    say(
      `${count} empty orders, ${workers} at a time: ${(wallMs / count).toFixed(2)} ms each on the clock, ` +
        `${(processorMs / count).toFixed(2)} ms of the coordinator's processor time`,
    );
  }
  const project = recorded("tiny", TINY, "./prog 3");
  const store = new SeedStore(new ProjectFolder(project));
  const [first] = store.list();
  for (let n = 0; n < count - 1; n++) {
    const seed = { ...first, arguments: [first.arguments[0], String(100_000 + n)] };
    store.add({ ...seed, id: seedId(seed) });
  }
  const limits = ["--distance", "0", "--time", "60m", "--moves", "none"];
  const alone = await amplified(project, ...limits, "--jobs", "1", "--root", empty);
  const worker = new WorkerProcess(`redis://127.0.0.1:${redis.port}`, "--jobs", "1");
  await worker.told("ready");
  const over = await amplified(project, ...limits, "--queue", `redis://127.0.0.1:${redis.port}`);
  const each = (ms: number): string => (ms / count).toFixed(2);
  say(`${journalled(project).length} tests, one thread: ${each(alone.processorMs)} ms of processor time each`);
  say(`the same over a queue: ${each(over.processorMs)} ms of the coordinator's each`);
  check(journalled(project).length === count, `${count} tests over the queue, each once`);
  await worker.kill();
  await redis.close();
}

const without = withoutRedis();
if (without !== false) {
  say(without);
  process.exitCode = 3;
} else {
  try {
    if (wanted.has("overhead")) await overhead();
    if (wanted.has("trouble")) await trouble();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  process.exitCode = failures === 0 ? 0 : 1;
}
