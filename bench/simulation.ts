// How far a campaign over a queue scales: a simulation (simulation/model.ts) with the times that items took in recorded campaigns, for 1 to 1,000
// workers, and how well it agrees with what is measured.
//
//   npm run bench:simulation -- [--journal PROJECT] [--coordinator MS] [--way MS] [--measure] [--real N [--distance D]] [--plot FILE]
//
// Without anything: the two campaigns that are kept beside the model, with the costs that were measured (docs/results/scale.md).
// `--journal`: a project in which a campaign has ended, instead. `--measure`: orders through a real redis-server whose workers sleep, first
// empty ones for the costs, then those of the first campaign, against the simulation with these costs. `--real N`: a campaign with 1 to N real
// worker processes, up to distance D (0 is a second of work). `--plot`: the curves as SVG.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sleepThrough } from "../scripts/queue/sleeping-items.js";
import { scriptArguments } from "../scripts/usage.js";
import { RedisProcess, ROOT, WorkerProcess, withoutRedis } from "../test/end-to-end/queue-fixture.js";
import { type Simulated, type SimulationSettings, simulate } from "./simulation/model.js";
import { keptTimes, type RecordedTimes, repeated, timesOfJournal, workOf } from "./simulation/recorded-times.js";
import { type SpeedUp, speedUpPlot } from "./simulation/speed-up-plot.js";

const { values } = scriptArguments(import.meta.url, {
  options: {
    journal: { type: "string" },
    coordinator: { type: "string", default: "1.5" },
    way: { type: "string", default: "3" },
    measure: { type: "boolean", default: false },
    real: { type: "string", default: "0" },
    distance: { type: "string", default: "0" },
    plot: { type: "string" },
  },
});

const WORKERS = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000];
/**
 * Sleeping costs nothing, so there may be many; the times are made shorter so that one worker does not take long. Long items show how work is
 * shared, many short ones where the coordinator is the limit.
 */
const SLEPT = [
  { times: 1, share: 0.5, workers: [1, 2, 4, 8, 16, 32] },
  { times: 10, share: 0.02, workers: [4, 16, 64] },
];
const EMPTY_ORDERS = 1500;
const ALONE = 300;
/** Of an order and of its answer, as they are for a test of sed. */
const [ORDER_BYTES, ANSWER_BYTES] = [2500, 2500];

const SETTINGS: Omit<SimulationSettings, "rounds" | "workers"> = {
  ahead: 2,
  coordinatorMs: Number(values.coordinator),
  wayMs: Number(values.way),
  programMs: 1500,
  slowShare: 0,
  slowFactor: 1,
  lifeMs: Number.POSITIVE_INFINITY,
  leaseMs: 15_000,
  replacedMs: 30_000,
  randomSeed: 1,
};

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

const kept = (name: string): RecordedTimes =>
  keptTimes(fileURLToPath(new URL(`../../bench/simulation/${name}.json`, import.meta.url)));
const campaigns =
  values.journal === undefined ? [kept("sed"), kept("markdown")] : [timesOfJournal(values.journal, values.journal)];

interface Curve {
  readonly name: string;
  readonly times: RecordedTimes;
  readonly runs: readonly (readonly [number, Simulated])[];
}

function curveOf(name: string, times: RecordedTimes, change: Partial<SimulationSettings> = {}): Curve {
  const runs = WORKERS.map((workers) => {
    return [workers, simulate({ ...SETTINGS, ...change, rounds: times.rounds, workers })] as const;
  });
  return { name, times, runs };
}

/** Each coordinator has its part of the tests, and its part of the workers; fewer workers than coordinators make no sense. */
function shardedCurve(name: string, times: RecordedTimes, parts: number): Curve {
  const [one] = curveOf(name, times).runs;
  const rounds = times.rounds.map((items) => items.filter((_, index) => index % parts === 0));
  const runs = WORKERS.filter((workers) => workers >= parts).map((workers) => {
    const run = simulate({ ...SETTINGS, rounds, workers: Math.floor(workers / parts) });
    return [workers, run] as const;
  });
  return { name, times, runs: [one, ...runs] };
}

function tell({ name, times, runs }: Curve): void {
  const [, one] = runs[0];
  const items = times.rounds.flat().length;
  say(`\n${name}: ${items} items, ${(workOf(times) / 1000).toFixed(0)} s of work`);
  say("workers   time       speed-up  workers busy  coordinator busy  items lost on the way");
  for (const [workers, { wallMs, busyShare, coordinatorShare, lost }] of runs) {
    const cells = [
      String(workers).padEnd(8),
      `${(wallMs / 1000).toFixed(1)} s`.padEnd(9),
      (one.wallMs / wallMs).toFixed(1).padEnd(8),
      `${(100 * busyShare).toFixed(0)} %`.padEnd(12),
      `${(100 * coordinatorShare).toFixed(0)} %`.padEnd(16),
      String(lost),
    ];
    say(cells.join("  "));
  }
}

const COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf"];

function simulateAll(measured: SpeedUp | null): void {
  const [first] = campaigns;
  const many = repeated(first, 50);
  const curves = [
    ...campaigns.map((times) => curveOf(times.name, times)),
    curveOf(many.name, many),
    curveOf("the same, a tenth of the machines four times slower", many, { slowShare: 0.1, slowFactor: 4 }),
    curveOf("the same, each worker vanishes after 10 minutes", many, { lifeMs: 600_000 }),
    shardedCurve("the same, ten coordinators (--shard)", many, 10),
  ];
  for (const curve of curves) tell(curve);
  if (values.plot === undefined) return;
  const lines = curves.map(({ name, runs }, index): SpeedUp => {
    const points = runs.map(([workers, { wallMs }]) => [workers, runs[0][1].wallMs / wallMs] as const);
    return { name, colour: COLOURS[index], points };
  });
  const title = "A campaign over a queue: simulated, and measured with sleeping workers";
  writeFileSync(values.plot, speedUpPlot(title, measured === null ? lines : [...lines, measured]));
  say(`\n${values.plot}`);
}

/** What each of many empty orders takes, all of it on this machine. */
async function emptyMs(port: number): Promise<number> {
  const rounds = [new Array<number>(EMPTY_ORDERS).fill(0)];
  const bytes = { orderBytes: ORDER_BYTES, answerBytes: ANSWER_BYTES };
  const { wallMs } = await sleepThrough(port, { rounds, workers: 64, ahead: 2, ...bytes });
  return wallMs / EMPTY_ORDERS;
}

/** The same items, slept for by workers over a real queue, and simulated with what empty orders cost here and now. */
async function measure(): Promise<SpeedUp> {
  const redis = await RedisProcess.start();
  try {
    const bytes = { orderBytes: ORDER_BYTES, answerBytes: ANSWER_BYTES };
    const empty = new Array<number>(ALONE).fill(0);
    // One at a time: the two that are always under way, less one.
    const alone = await sleepThrough(redis.port, { rounds: [empty], workers: 1, ahead: -1, ...bytes });
    const wayMs = alone.wallMs / ALONE;
    say(`an empty order takes ${wayMs.toFixed(2)} ms alone`);
    const points: [number, number][] = [];
    for (const { times, share, workers: counts } of SLEPT) {
      const { rounds } = repeated(campaigns[0], times);
      const slept = rounds.map((items) => items.map(({ ms }) => Math.max(1, Math.round(ms * share))));
      const workMs = slept.flat().reduce((sum, ms) => sum + ms, 0);
      say(`\n${slept.flat().length} items, ${(workMs / 1000).toFixed(1)} s of sleep`);
      say("workers   measured   simulated  ratio");
      let oneMs = 0;
      for (const workers of counts) {
        const before = await emptyMs(redis.port);
        const { wallMs } = await sleepThrough(redis.port, { rounds: slept, workers, ahead: 2, ...bytes });
        // Other work on this machine comes and goes.
        const coordinatorMs = (before + (await emptyMs(redis.port))) / 2;
        const simulated = simulate({
          ...SETTINGS,
          rounds: slept.map((items) => items.map((ms) => ({ ms, program: "one" }))),
          workers,
          wayMs,
          coordinatorMs,
          programMs: 0,
        });
        oneMs ||= wallMs;
        // Only the first has a time of one worker.
        if (times === 1) points.push([workers, oneMs / wallMs]);
        const cells = [`${(wallMs / 1000).toFixed(1)} s`, `${(simulated.wallMs / 1000).toFixed(1)} s`];
        const ratio = (wallMs / simulated.wallMs).toFixed(2).padEnd(7);
        const cost = `an empty order ${coordinatorMs.toFixed(2)} ms`;
        say(`${String(workers).padEnd(10)}${cells.map((cell) => cell.padEnd(11)).join("")}${ratio}${cost}`);
      }
    }
    return { name: "measured: sleeping workers", colour: "black", points, isMeasured: true };
  } finally {
    await redis.close();
  }
}

/** A campaign with real workers, one process each, on as many cores as this process may use. */
async function measureReal(most: number): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "tangent-simulation-"));
  const project = join(scratch, "project");
  mkdirSync(project);
  const redis = await RedisProcess.start();
  const run = (...words: readonly string[]): void => {
    const { status, stderr } = spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: project });
    if (status !== 0) throw new Error(String(stderr));
  };
  try {
    const tests = Array.from({ length: 150 }, (_, n) => `printf '# T%s\\n- *a* _b%s_\\n\\n' ${n} ${n * 7} | ./prog`);
    writeFileSync(join(project, "tests.sh"), `${tests.join(" > /dev/null\n")} > /dev/null\n`);
    run("cc", "-g", "-o", "prog", join(ROOT, "bench/seeds/marks.c"));
    run("record", "--", "sh", "tests.sh");
    const address = `redis://127.0.0.1:${redis.port}`;
    const words = ["amplify", "--again", "--distance", values.distance, "--moves", "none", "--time", "60m", "--quiet"];
    // Programs are translated, and the times of items are those of one thread.
    spawnSync("sh", [join(ROOT, "bin/tangent"), ...words, "--jobs", "1"], { cwd: project });
    const times = timesOfJournal(project, "marks");
    const work = `${times.rounds.flat().length} items, ${(workOf(times) / 1000).toFixed(1)} s of work`;
    for (let workers = 1; workers <= most; workers++) {
      const crew = Array.from({ length: workers }, () => new WorkerProcess(address, "--jobs", "1"));
      await Promise.all(crew.map((one) => one.told("ready")));
      const begun = performance.now();
      const child = spawn(process.execPath, [join(ROOT, "dist/src/cli/main.js"), ...words, "--queue", address], {
        cwd: project,
        stdio: "ignore",
      });
      await new Promise((done) => child.once("exit", done));
      const wallMs = performance.now() - begun;
      const { wallMs: simulatedMs } = simulate({ ...SETTINGS, rounds: times.rounds, workers });
      const cells = `${(wallMs / 1000).toFixed(1)} s, simulated ${(simulatedMs / 1000).toFixed(1)} s`;
      say(`${workers} real worker${workers === 1 ? "" : "s"}: ${cells} (${work})`);
      await Promise.all(crew.map((one) => one.kill()));
    }
  } finally {
    await redis.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

const without = withoutRedis();
const isMeasured = without === false && values.measure;
if (without !== false && (values.measure || Number(values.real) > 0)) say(without);
const measured = isMeasured ? await measure() : null;
if (without === false && Number(values.real) > 0) await measureReal(Number(values.real));
simulateAll(measured);
