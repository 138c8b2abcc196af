// What each part of the search for targets is worth, as in KATCH's table: npm run qualify:ablations -- LIST --results FILE --from FILE...
// [--draw 60] [--seed N] [--target-time S] [--variants a,b]. LIST is that of qualify:patches, and the files after --from are its results,
// which say what no test covers. The targets are drawn from those first and written to FILE.draw.json; a draw that is there already is
// kept, and must have been made in the same way.
//
// Then every variant (patches/ablation-variants.ts) searches for each drawn target alone, for S seconds by the clock, with one thread;
// loading and the survey of the tests are not counted in them. The variants' order is another one for each target, so that none
// has a warm machine more often than others. A row for each target and variant is appended to FILE; rows that are there, also of searches
// that were lost, are not done again.

import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { subjectOf } from "../src/jobs/patch-campaign.js";
import { GuardedThread, newCell, type ThreadEnd } from "../src/support/guarded-thread.js";
import { Random } from "../src/support/random.js";
import type { BenchOutcome, BenchSetup } from "./patches/ablation-bench.js";
import { type AblationRow, ablationTable } from "./patches/ablation-table.js";
import { type Variant, variantsNamed } from "./patches/ablation-variants.js";
import type { AblationMessage, AblationTask } from "./patches/ablation-worker.js";
import { executesTarget } from "./patches/confirm-natively.js";
import { type ListedPatch, readPatches } from "./patches/patch-list.js";
import type { PatchRow } from "./patches/patch-table.js";
import { testsOf } from "./patches/patch-tests.js";
import { type Draw, type DrawnTarget, drawTargets, keyOf, uncoveredTargets } from "./patches/target-draw.js";
import { scriptArguments } from "./usage.js";

const { values, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    results: { type: "string" },
    from: { type: "string", multiple: true, default: [] },
    draw: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    "target-time": { type: "string", default: "60" },
    variants: { type: "string" },
  },
});

const LOAD_MS = 1_800_000;
/** A search keeps its time by itself; so much later it is asked to stop, and then ended. */
const PATIENCE_MS = 10_000;
const GRACE_MS = 5_000;

function refuse(message: string): never {
  console.error(`qualify:ablations: ${message} (see the first lines of scripts/qualify-ablations.ts)`);
  process.exit(2);
}

function numberOf(name: "draw" | "seed" | "target-time"): number {
  const number = Number(values[name]);
  return Number.isFinite(number) && number >= 0 ? number : refuse(`--${name} wants a number`);
}

function rowsIn<T>(path: string): T[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as T);
}

/** Made once, before anything is searched for. */
function drawOnce(path: string, patches: readonly ListedPatch[]): Draw {
  for (const file of values.from) if (!existsSync(file)) refuse(`there is no ${file}`);
  const isListed = (project: string, commit: string): boolean =>
    patches.some((patch) => patch.project === project && patch.commit === commit);
  if (existsSync(path)) {
    const known = JSON.parse(readFileSync(path, "utf8")) as Draw;
    if (known.seed === numberOf("seed") && known.wanted === numberOf("draw")) return known;
    return refuse(`${path} was drawn with --seed ${known.seed} --draw ${known.wanted}; name another results file`);
  }
  const open = uncoveredTargets(
    values.from.flatMap((file) => rowsIn<PatchRow>(file)),
    isListed,
  );
  if (open.length === 0) refuse("name results of qualify:patches after --from, with targets that no test covers");
  const draw = drawTargets(open, numberOf("draw"), numberOf("seed"));
  writeFileSync(path, `${JSON.stringify(draw, null, 1)}\n`, { flag: "wx" });
  return draw;
}

interface Search {
  readonly drawn: DrawnTarget;
  readonly variant: Variant;
  readonly randomSeed: number;
}

/** One commit's searches, in one thread as long as it lives. */
class CommitSearches {
  private thread: GuardedThread<AblationTask, AblationMessage> | null = null;
  private readonly setup: BenchSetup;
  private loadMs = 0;

  constructor(
    private readonly patch: ListedPatch,
    searches: readonly Search[],
    private readonly variants: readonly Variant[],
  ) {
    const { seeds, programs } = testsOf(patch);
    const files = new Set(searches.map(({ drawn }) => drawn.target.replace(/:\d+:\d+$/, "")));
    const places = patch.places.filter(({ file }) => files.has(file));
    const subject = subjectOf({ seeds, programs, changes: null, places, functions: [], sourceRoot: patch.newTree });
    this.setup = { root: patch.newTree, ...subject, startable: programs, randomSeed: 1 };
  }

  async search({ drawn, variant, randomSeed }: Search, timeMs: number): Promise<AblationRow> {
    const row = { ...drawn, variant: variant.name, limitMs: timeMs };
    const nothing = { by: null, searchMs: 0, cpuMs: 0, distance: null, command: "", confirmed: null };
    const problem = await this.begin();
    const loadMs = this.loadMs;
    this.loadMs = 0;
    if (problem !== null) return { ...row, outcome: "lost", ...nothing, loadMs, why: problem };
    const startedMs = performance.now();
    const { last, end } = await this.ask({ kind: "search", target: drawn.target, variant, timeMs, randomSeed }, timeMs);
    if (last?.kind === "searched") return { ...row, ...this.told(last.outcome), loadMs };
    const why = end.kind === "died" ? end.message : last?.kind === "failed" ? last.message : "it did not end in time";
    const searchMs = Math.round(performance.now() - startedMs);
    return { ...row, outcome: "lost", ...nothing, loadMs, searchMs, why };
  }

  end(): void {
    this.thread?.discard();
  }

  /** In words, what is wrong; null if a thread is ready. */
  private async begin(): Promise<string | null> {
    if (this.thread?.isAlive === true) return null;
    const startedMs = performance.now();
    this.thread = new GuardedThread(new URL("./patches/ablation-worker.js", import.meta.url));
    const { last, end } = await this.ask({ kind: "begin", setup: this.setup, variants: this.variants }, LOAD_MS);
    this.loadMs = Math.round(performance.now() - startedMs);
    if (last?.kind === "ready") return null;
    this.thread?.discard();
    return end.kind === "died" ? end.message : last?.kind === "failed" ? last.message : "loading did not end in time";
  }

  private async ask(
    task: DistributiveOmit<AblationTask, "cell">,
    timeMs: number,
  ): Promise<{ readonly last: AblationMessage | null; readonly end: ThreadEnd }> {
    let last: AblationMessage | null = null;
    const { thread } = this;
    if (thread === null) return { last, end: { kind: "died", message: "there is no thread" } };
    const limits = { timeMs: timeMs + PATIENCE_MS, graceMs: GRACE_MS };
    const end = await thread.run({ ...task, cell: newCell() }, limits, (message) => {
      if (message.kind === "note") console.log(`  note: ${message.text}`);
      else last = message;
      return message.kind !== "note";
    });
    return { last, end };
  }

  private told({
    kind,
    target,
    distance,
    reached,
    why,
    searchMs,
    cpuMs,
  }: BenchOutcome): Omit<AblationRow, "project" | "commit" | "target" | "variant" | "limitMs" | "loadMs"> {
    const common = { outcome: kind, distance, why, searchMs, cpuMs };
    if (reached === null || target === null) return { ...common, by: null, command: "", confirmed: null };
    const { invocation, program, steps, by } = reached;
    const words = [invocation.program, ...invocation.arguments.map((bytes) => Buffer.from(bytes).toString("latin1"))];
    const command = `${words.join(" ")}${steps.length === 0 ? "" : `   # ${steps.join("; ")}`}`;
    return { ...common, by, command, confirmed: executesTarget(invocation, program, target, this.patch) };
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Another order for each target. */
function shuffled<T>(list: readonly T[], random: Random): T[] {
  const made = [...list];
  for (let at = made.length - 1; at > 0; at--) {
    const other = random.next() % (at + 1);
    [made[at], made[other]] = [made[other], made[at]];
  }
  return made;
}

const [list] = positionals;
const { results } = values;
if (list === undefined || results === undefined) refuse("name the list of patches and, after --results, a file");
const variants = variantsNamed(values.variants);
if ("unknown" in variants) refuse(`no variant is called ${variants.unknown}`);
const timeMs = numberOf("target-time") * 1000;
const patches = readPatches(list);
const draw = drawOnce(`${results}.draw.json`, patches);
const rows = rowsIn<AblationRow>(results);
const other = rows.find(({ limitMs }) => limitMs !== timeMs);
if (other !== undefined) refuse(`${results} has searches of ${other.limitMs / 1000} s; name another results file`);
console.log(
  `${draw.targets.length} of ${draw.open} targets in ${draw.commits} commits were drawn (seed ${draw.seed}); ` +
    `${variants.length} variants, ${timeMs / 1000} s each`,
);
const isDone = (drawn: DrawnTarget, { name }: Variant): boolean =>
  rows.some((row) => row.variant === name && keyOf(row) === keyOf(drawn));
for (const patch of patches) {
  const searches = draw.targets.flatMap((drawn, number): Search[] => {
    if (drawn.project !== patch.project || drawn.commit !== patch.commit) return [];
    const randomSeed = draw.seed * 1000 + number;
    return shuffled(variants, new Random(randomSeed)).flatMap((variant) =>
      isDone(drawn, variant) ? [] : [{ drawn, variant, randomSeed }],
    );
  });
  if (searches.length === 0) continue;
  console.log(`${patch.project} ${patch.commit}: ${searches.length} searches`);
  const own = new CommitSearches(
    patch,
    searches,
    variants.filter((variant) => searches.some((search) => search.variant === variant)),
  );
  for (const search of searches) {
    const row = await own.search(search, timeMs);
    appendFileSync(results, `${JSON.stringify(row)}\n`);
    rows.push(row);
    const { target, variant, outcome, by, searchMs, loadMs, why } = row;
    console.log(
      `  ${target} ${variant}: ${outcome}${by === null ? "" : ` by ${by}`} in ${(searchMs / 1000).toFixed(1)} s` +
        `${loadMs === 0 ? "" : ` (after loading for ${(loadMs / 1000).toFixed(0)} s)`}${outcome === "lost" ? `: ${why}` : ""}`,
    );
  }
  own.end();
}
console.log(
  ablationTable(
    rows,
    draw.targets,
    variants.map(({ name }) => name),
  ),
);
