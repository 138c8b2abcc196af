// The first pass of a campaign over all recorded tests of a project: processor time of it all, programs' translation included, against that
// of the suite itself; when the first check was made; and how many checks are made in what time if tests are taken by promise, as they were
// recorded, or at random. The pass is made once, by promise, with one thread; the other two orders are computed from what each test and
// each program's translation took in it.
//
//   node dist/bench/first-pass.js PROJECT [--suite SECONDS] [--jobs N] [--fresh] [--rows FILE] [--time SECONDS]
//
// PROJECT is a directory in which `tangent record` has run; it is not changed. SUITE is the processor time of its test command, if it is
// known; otherwise that of the recorded programs counts. --fresh: with an empty cache for programs (what libc was compiled to is kept).
// --rows: what each test and each program took, as JSON. --time: ends after so long by the clock, and says how many tests were done.

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { scriptArguments } from "../scripts/usage.js";
import { Campaign } from "../src/campaign/campaign.js";
import type { CampaignEvent } from "../src/campaign/events.js";
import type { Technique } from "../src/campaign/technique.js";
import { cacheDirectory } from "../src/frontend/cache.js";
import { BlobStore } from "../src/project/blob-store.js";
import { ProjectFolder } from "../src/project/project-folder.js";
import type { Seed } from "../src/project/seed.js";
import { SeedStore } from "../src/project/seed-store.js";
import { Random } from "../src/support/random.js";
import type { AmplifyResult, AmplifyWork } from "../src/techniques/amplify-item.js";
import { AmplifyTechnique, DEFAULT_AMPLIFY_PLAN } from "../src/techniques/amplify-technique.js";

const HOUR_MS = 3600_000;
const SHARES = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1];

interface Done {
  readonly seed: Seed;
  readonly ms: number;
  readonly checks: number;
  readonly isPutOff: boolean;
}

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;

/** Of this process and of those that it started: the compiler prints each module's IR. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  // Behind the name, which may hold anything; the times of children are the 16th and 17th field of all.
  const fields = readFileSync("/proc/self/stat", "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (user + system) / 1000 + TICK_MS * (Number(fields[13]) + Number(fields[14]));
}

/** Only the first round. */
function firstRound(technique: AmplifyTechnique): Technique<AmplifyWork, AmplifyResult> {
  let isOver = false;
  return {
    name: technique.name,
    settings: technique.settings,
    nextRound: () => {
      if (isOver) return null;
      isOver = true;
      return technique.nextRound();
    },
    absorb: (item, report) => technique.absorb(item, report),
    memoryOf: (report, item) => technique.memoryOf(report, item),
    recall: (item, memory) => technique.recall(item, memory),
  };
}

class Pass {
  readonly done: Done[] = [];
  readonly loading = new Map<string, number>();
  failed = 0;
  skipped = 0;
  firstCheckMs: number | null = null;
  private before = processorMs();
  private readonly startedMs = performance.now();

  listen(event: CampaignEvent<AmplifyWork, AmplifyResult>): void {
    if (event.kind === "program-failed") this.failed++;
    if (event.kind === "item-skipped" || event.kind === "item-lost") this.skipped++;
    if (event.kind === "program-ready") this.loading.set(event.program.content, this.since());
    else if (event.kind === "item-begins") this.since();
    if (event.kind !== "item-ended") return;
    const { result } = event.report;
    const { work } = event.item;
    if (result.isMoves === true || !("seed" in work)) return;
    const checks = result.isPlain === true ? 0 : result.checks;
    if (checks > 0) this.firstCheckMs ??= performance.now() - this.startedMs;
    const isPutOff = result.isPlain !== true && result.isPutOff === true;
    this.done.push({ seed: work.seed, ms: this.since(), checks, isPutOff });
  }

  private since(): number {
    const now = processorMs();
    const ms = now - this.before;
    this.before = now;
    return ms;
  }

  /** Checks that are made after each share of the whole time, in this order. */
  curve(order: readonly Done[]): string {
    const ready = new Set<string>();
    const points: (readonly [number, number])[] = [];
    let ms = 0;
    let checks = 0;
    for (const one of order) {
      const { programContent } = one.seed;
      if (!ready.has(programContent)) ms += this.loading.get(programContent) ?? 0;
      ready.add(programContent);
      ms += one.ms;
      checks += one.checks;
      points.push([ms, checks]);
    }
    const shares = SHARES.map((share) => points.findLast(([at]) => at <= share * ms + 0.001)?.[1] ?? 0);
    return shares.map((made) => `${((100 * made) / Math.max(1, checks)).toFixed(0)} %`).join(" | ");
  }
}

function shuffled<T>(values: readonly T[]): T[] {
  const random = new Random(1);
  const result = [...values];
  for (let i = result.length - 1; i > 0; i--) {
    const other = random.next() % (i + 1);
    [result[i], result[other]] = [result[other], result[i]];
  }
  return result;
}

const { positionals, values } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    suite: { type: "string" },
    jobs: { type: "string" },
    fresh: { type: "boolean" },
    rows: { type: "string" },
    time: { type: "string" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "tangent-pass-"));
try {
  cpSync(join(resolve(positionals[0]), ".tangent"), join(folder, ".tangent"), { recursive: true });
  const env = { ...process.env };
  if (values.fresh === true) {
    env.TANGENT_CACHE = join(folder, "cache");
    mkdirSync(env.TANGENT_CACHE);
    const usual = cacheDirectory(process.env);
    for (const kind of ["libc", "libc-pack", "zig"].filter((name) => existsSync(join(usual, name)))) {
      cpSync(join(usual, kind), join(env.TANGENT_CACHE, kind), { recursive: true });
    }
  }
  const project = new ProjectFolder(folder);
  const seeds = new SeedStore(project).list();
  const blobs = new BlobStore(project);
  const technique = new AmplifyTechnique(seeds, DEFAULT_AMPLIFY_PLAN, (content) => blobs.sizeOf(content));
  const programs = [...new Map(seeds.map((seed) => [seed.programContent, seed])).values()].map(
    ({ programContent: content, program }) => ({ content, path: program, name: program }),
  );
  const pass = new Pass();
  const before = processorMs();
  const campaign = new Campaign<AmplifyWork, AmplifyResult>(
    {
      technique: firstRound(technique),
      programs,
      script: new URL("../src/jobs/campaign-worker.js", import.meta.url),
      setup: {
        technique: technique.name,
        setup: technique.setup(folder),
        env,
        startable: programs.map(({ name, path }) => ({ name, path })),
      },
      journalPath: project.file("campaign.journal"),
      listen: (event) => pass.listen(event),
    },
    {
      budgetMs: values.time === undefined ? HOUR_MS : 1000 * Number(values.time),
      itemMs: 30_000,
      workers: Number(values.jobs ?? 1),
      again: true,
    },
  );
  const { durationMs } = await campaign.run();
  const all = processorMs() - before;
  const { done, loading } = pass;
  const native = seeds.reduce((sum, { recorded }) => sum + (recorded.processorMicroseconds ?? 0) / 1000, 0);
  const suite = values.suite === undefined ? native : 1000 * Number(values.suite);
  const sum = (of: readonly number[]): number => of.reduce((total, one) => total + one, 0);
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  console.log(
    `${done.length} of ${seeds.length} tests (${pass.skipped} skipped or lost), ${loading.size} programs (${pass.failed} failed)`,
  );
  console.log(
    `processor ${seconds(all)} s (programs ${seconds(sum([...loading.values()]))}, tests ${seconds(sum(done.map(({ ms }) => ms)))}), ` +
      `clock ${seconds(durationMs)} s; the suite ${seconds(suite)} s: ${(all / suite).toFixed(1)} times`,
  );
  console.log(
    `first check after ${seconds(pass.firstCheckMs ?? Number.NaN)} s by the clock; ${sum(done.map(({ checks }) => checks))} checks; ` +
      `${done.filter(({ isPutOff }) => isPutOff).length} tests with checks put off; ${campaign.found.count} findings`,
  );
  if (values.rows !== undefined) {
    const rows = done.map(({ seed, ...rest }) => ({ id: seed.id, program: seed.programContent, ...rest }));
    writeFileSync(values.rows, JSON.stringify({ loading: [...loading], rows }));
  }
  const byId = new Map(done.map((one) => [one.seed.id, one]));
  const recorded = [...seeds]
    .sort((a, b) => (a.recorded.at < b.recorded.at ? -1 : 1))
    .flatMap(({ id }) => byId.get(id) ?? []);
  console.log(`| checks made after | ${SHARES.map((share) => `${100 * share} %`).join(" | ")} |`);
  console.log(`|---|${SHARES.map(() => "---").join("|")}|`);
  console.log(`| by promise | ${pass.curve(done)} |`);
  console.log(`| as recorded | ${pass.curve(recorded)} |`);
  console.log(`| at random | ${pass.curve(shuffled(done))} |`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
