// Turns the events of an amplification campaign into the value that every report is made from.

import type { Campaign } from "../campaign/campaign.js";
import type { CampaignEvent } from "../campaign/events.js";
import type { PlacedFinding } from "../campaign/found-once.js";
import type { ItemReport, WorkItem } from "../campaign/technique.js";
import { goneOf, lossInWords } from "../concolic/losses.js";
import { Causes } from "../findings/causes.js";
import type { BlobStore } from "../project/blob-store.js";
import { recordedPart } from "../project/made-seed.js";
import type { Seed } from "../project/seed.js";
import {
  type AmplifyCampaignResult,
  RESULT_VERSION,
  type ResultFinding,
  type ResultSeed,
  resultFinding,
  TOOK_ALL_THEIR_TIME,
} from "../report/campaign-result.js";
import { whyNothingChecked } from "../report/extent.js";
import { version } from "../support/version.js";
import type { Checked } from "../techniques/amplify-account.js";
import {
  type AmplifyResult,
  type AmplifyWork,
  type ExploredResult,
  PLAIN,
  type TestWork,
} from "../techniques/amplify-item.js";
import { recalledChecks, recalledCounts } from "../techniques/amplify-technique.js";
import type { MovesWork } from "../techniques/moved/moved-input.js";
import { RANDOM_STEP } from "../techniques/moved/moved-input.js";
import type { PlainSummary } from "../techniques/plain-run.js";
import type { AmplifyOwn } from "../techniques/tell-finding.js";
import { CampaignResults, type LostWords } from "./campaign-results.js";
import { type MadeOf, madeOfTest } from "./made-of-test.js";
import { NotToldFailures } from "./not-told-failures.js";

export type AmplifyEvent = CampaignEvent<AmplifyWork, AmplifyResult>;

/** How far it is, while it goes on. */
export interface AmplifyStatus {
  readonly elapsedMs: number;
  readonly distance: number;
  /** Inputs are being made of the tests. */
  readonly isMoves: boolean;
  readonly seed: number;
  readonly seeds: number;
  readonly command: string;
  readonly checks: number;
  readonly paths: number;
  readonly findings: number;
}

const LEFT_OUT = "checks left out: too costly, or asked before beyond the distance's bound";

/** What was done of a test at a distance. */
interface Counts {
  readonly checks: number;
  readonly paths: number;
  readonly queries: number;
}

/** By the last time alone. */
interface MadeCounts extends Counts {
  readonly checksSkipped: number;
}

const NOTHING: Counts = { checks: 0, paths: 0, queries: 0 };

function countKey({ id }: Seed, distance: number): string {
  return `${id}/${distance}`;
}

export class AmplifyResults extends CampaignResults<AmplifyWork, AmplifyResult> {
  private readonly seeds = new Map<string, ResultSeed>();
  /** Told once, not for each of their tests. */
  private readonly failedPrograms = new Set<string>();
  /** Tests whose plain run was cut by its time, and those that end otherwise than natively, with how. */
  private readonly plainlyCut = new Set<string>();
  private readonly otherEnds = new Map<string, string>();
  /** By what would have been the finding's id. */
  private readonly notTold = new NotToldFailures();
  private readonly moves = { tried: 0, amplified: new Set<string>() };
  /** By test: checks of its own path that a look left out. */
  private readonly putOff = new Map<string, number>();
  /** By test and distance: what was done of it so far, by this campaign or earlier ones. */
  private readonly counted = new Map<string, Counts>();
  private distance = 0;
  private checks = 0;
  /** Of earlier campaigns that this one goes on with. */
  private queriesBefore = 0;

  /** What is different in an input that edits at random made, beside the test that is nearest. */
  readonly madeOf: MadeOf = (made) => madeOfTest(made, this.all, (content) => this.blobs.get(content));

  constructor(
    root: string,
    private readonly all: readonly Seed[],
    private readonly blobs: BlobStore,
    private readonly campaign: () => Campaign<AmplifyWork, AmplifyResult>,
  ) {
    super(root, campaign);
    for (const seed of all) this.seeds.set(seed.id, seedResult(seed, blobs));
  }

  protected override get checksSoFar(): number {
    return this.checks;
  }

  protected override begins({ work }: WorkItem<AmplifyWork>): void {
    this.distance = Math.max(this.distance, distanceOf(work));
  }

  /** What an input covers that was made of a test, no test covers. */
  protected override isOfTests({ work }: WorkItem<AmplifyWork>): boolean {
    return !isMoves(work) && work.moved === undefined;
  }

  protected override programFailed(content: string): void {
    this.failedPrograms.add(content);
  }

  protected override lostWords({ label, work }: WorkItem<AmplifyWork>, why: "overdue" | "died"): LostWords {
    if (isMoves(work)) return { what: `the moves of ${label}`, counted: MOVES_LOST, goesOn: "the campaign" };
    if (work.distance === PLAIN) {
      return { what: `${label}, run for what it covers`, counted: NOT_RUN_PLAINLY, goesOn: "the campaign" };
    }
    const counted =
      why === "overdue"
        ? "tests at a distance that did not end by themselves and were terminated (limit)"
        : "tests at a distance that were lost because of an error of tangent's own";
    return { what: `${label} at distance ${distanceOf(work)}`, counted, goesOn: "the campaign" };
  }

  status({ item, index, count }: Extract<AmplifyEvent, { readonly kind: "item-begins" }>): AmplifyStatus {
    const { checks } = this;
    const { paths } = this.sums;
    return {
      elapsedMs: this.campaign().elapsedMs(),
      distance: distanceOf(item.work),
      isMoves: isMoves(item.work),
      seed: index + 1,
      seeds: count,
      command: item.label,
      checks,
      paths,
      findings: this.campaign().found.count,
    };
  }

  result(reason: AmplifyCampaignResult["reason"], durationMs: number): AmplifyCampaignResult {
    const { found } = this.campaign();
    const { record } = this;
    this.count("failures that are the virtual machine's own doing", record.unreported);
    for (const [words, count] of this.notTold.counts((id) => found.has(id))) this.count(words, count);
    this.count(NOT_RUN_PLAINLY, this.plainlyCut.size);
    this.count("tests that end otherwise in the virtual machine than natively", this.otherEnds.size);
    for (const checksSkipped of this.putOff.values()) this.count(LEFT_OUT, checksSkipped);
    this.count("tests with slow checks on their own paths that were put off and not made", this.putOff.size);
    const causes = new Causes();
    const seeds = [...this.seeds.values()].map((seed) => {
      const machineEnd = this.otherEnds.get(seed.id);
      return machineEnd === undefined ? seed : { ...seed, machineEnd };
    });
    const nothingChecked =
      found.count > 0 ? null : whyNothingChecked({ seeds }, this.sums.queries + this.queriesBefore);
    return {
      version: RESULT_VERSION,
      technique: "amplify",
      tool: `tangent ${version()}`,
      project: this.root,
      startedAt: record.startedAt,
      durationMs: Math.round(durationMs),
      reason,
      totals: {
        seeds: this.all.length,
        invocations: this.all.reduce((sum, { recorded }) => sum + recorded.times, 0),
        distance: this.distance,
        checks: this.checks,
        ...(this.moves.tried === 0 ? {} : { tried: this.moves.tried, moved: this.moves.amplified.size }),
        ...this.sums,
        solverMs: Math.round(this.sums.solverMs),
      },
      findings: found.list().map((placed) => findingResult(placed, causes, this.madeOf)),
      seeds,
      ...(nothingChecked === null ? {} : { nothingChecked }),
      files: record.files(),
      timeline: record.timeline,
      notExplored: record.notExplored,
      notes: record.notes,
      seen: [...record.seen],
    };
  }

  protected override own(_item: WorkItem<AmplifyWork>, value: unknown): void {
    const own = value as AmplifyOwn;
    const { literalBytesLeftOut, sizesLeftOut } = own;
    this.notTold.take(own);
    this.count("bytes of literals that stayed as they are (limit)", literalBytesLeftOut ?? 0);
    this.count("numbers that stayed as they are, because they are sizes", sizesLeftOut ?? 0);
  }

  protected override known({ work }: WorkItem<AmplifyWork>, memory: unknown): void {
    if (isMoves(work)) return;
    this.distance = Math.max(this.distance, distanceOf(work));
    const { seed, distance } = work;
    const recalled = distance === 0 ? recalledChecks(memory) : null;
    const { queries, paths } = recalledCounts(memory);
    this.queriesBefore += queries;
    // A campaign that goes on has what the one before it had, and counts on.
    this.sums.paths += paths;
    const checks = recalled?.checks ?? 0;
    this.checks += checks;
    // More may be asked of it later: what it comes to then has these in it.
    this.counted.set(countKey(seed, distance), { checks, paths, queries });
    if (recalled?.isPutOff === true) this.putOff.set(seed.id, 0);
    this.update(seed, (known) => ({
      distance: Math.max(known.distance, distance),
      paths: known.paths + paths,
      ...(recalled === null ? {} : { checks: known.checks + recalled.checks, ...checkedWords(recalled.checked) }),
    }));
  }

  protected override ended({ work }: WorkItem<AmplifyWork>, { result, isComplete }: ItemReport<AmplifyResult>): void {
    if (result.isMoves === true) {
      this.moves.tried += result.tried;
      this.count("promising inputs that moves made, beyond the limit of their number", result.leftOut);
      if (!result.isWhole && isMoves(work) && work.isByChance !== true) this.count(MOVES_LOST, 1);
      this.record.pass();
      return;
    }
    if (isMoves(work)) return;
    const { seed, distance } = work;
    if (work.moved !== undefined) this.moves.amplified.add(seed.id);
    if (result.plain !== null && result.plain !== undefined) this.ranPlainly(seed, result.plain);
    if (result.isPlain === true) return;
    const { statistics, passedOver, departuresCut = 0, checked } = result;
    const { sums: totals } = this;
    const { checks, checksSkipped, paths, queries } = this.madeNow(seed, distance, result);
    this.checks += checks;
    totals.paths += paths;
    totals.queries += queries;
    totals.solverMs += statistics.solver.timeMs;
    totals.divergences += statistics.divergences;
    this.update(seed, (known) => ({
      // A second look is nearer than what was done in between.
      distance: Math.max(known.distance, distance),
      checks: known.checks + checks,
      paths: known.paths + paths,
      milliseconds: known.milliseconds + Math.round(statistics.timeMs),
      ...(checked === null || checked === undefined ? {} : checkedWords(checked)),
    }));
    this.count(LEFT_OUT, checksSkipped);
    this.count("paths beyond the distance's bound", passedOver);
    this.count("departures whose time was over (--branch-time)", departuresCut);
    if (result.isPutOff !== true) this.count("solver gave up", statistics.unknown);
    this.count("paths dropped for want of memory", statistics.dropped);
    const gone = goneOf(statistics.losses);
    for (const [loss, count] of Object.entries(statistics.losses)) {
      this.count(gone.includes(loss) ? lossInWords(loss) : `made concrete: ${loss}`, count);
    }
    for (const [end, count] of Object.entries(statistics.ends)) {
      // What was put off is done again.
      if (end === "limit" && result.isPutOff === true) continue;
      if (end === "limit" || end === "unsupported") this.count(`paths that ended in ${end}`, count ?? 0);
    }
    if (!isComplete && result.isPutOff !== true) {
      this.count(TOOK_ALL_THEIR_TIME, 1);
    }
    this.record.pass();
  }

  /**
   * Checks that were put off are made later, together with those that had been made: what counts is the time that came further. No
   * count goes back, whatever the later one came to.
   */
  private madeNow(seed: Seed, distance: number, result: ExploredResult): MadeCounts {
    const { isPutOff, checks, checksSkipped, statistics } = result;
    const key = countKey(seed, distance);
    const before = this.counted.get(key) ?? NOTHING;
    const now = {
      checks: Math.max(checks, before.checks),
      paths: Math.max(statistics.paths, before.paths),
      queries: Math.max(statistics.solver.queries, before.queries),
    };
    this.counted.set(key, now);
    if (isPutOff === true) this.putOff.set(seed.id, checksSkipped);
    else if (distance === 0) this.putOff.delete(seed.id);
    return {
      checks: now.checks - before.checks,
      paths: now.paths - before.paths,
      queries: now.queries - before.queries,
      checksSkipped: isPutOff === true ? 0 : checksSkipped,
    };
  }

  protected override skipped({ work, program, label }: WorkItem<AmplifyWork>, why: string): string | null {
    if (isMoves(work)) return this.failedPrograms.has(program) ? null : `the moves of ${label}: ${why}`;
    const { seed } = work;
    if (this.seeds.get(seed.id)?.skipped !== null) return null;
    this.update(seed, () => ({ skipped: why }));
    return this.failedPrograms.has(program) ? null : `${seed.arguments.join(" ")}: ${why}`;
  }

  /** What it covers has been told. If it ends otherwise than it did natively, the machine is to blame. */
  private ranPlainly(seed: Seed, { end, isWhole }: PlainSummary): void {
    if (!isWhole) this.plainlyCut.add(seed.id);
    else this.plainlyCut.delete(seed.id);
    const native = endOf(seed);
    if (isWhole && native !== "unknown" && end !== native) this.otherEnds.set(seed.id, end);
  }

  private update(seed: Seed, change: (known: ResultSeed) => Partial<ResultSeed>): void {
    const known = this.seeds.get(seed.id);
    if (known !== undefined) this.seeds.set(seed.id, { ...known, ...change(known) });
  }

  private count(reason: string, count: number): void {
    this.record.count(reason, count);
  }
}

export function findingResult({ found, item, atMs }: PlacedFinding, causes: Causes, madeOf: MadeOf): ResultFinding {
  const work = item.work as TestWork;
  const { moved } = work;
  const seed = recordedPart(work.seed);
  const result = resultFinding({
    ...found,
    identity: causes.joined(found.finding.kind, found.identity),
    distance: distanceOf(work),
    atMs,
    program: seed.program,
    programContent: seed.programContent,
    seedId: seed.id,
    seedCommand: seed.arguments,
    workingDirectory: seed.workingDirectory,
  });
  // Where only literals were changed, the test is the recorded one.
  if (moved === undefined || work.seed.literals !== undefined) return result;
  const { from, command, steps } = moved;
  const isRandom = steps.every((step) => step === RANDOM_STEP);
  const nearest = isRandom ? madeOf(work.seed) : null;
  return { ...result, isMade: true, moved: nearest ?? { from, command, steps } };
}

function isMoves(work: AmplifyWork): work is MovesWork {
  return "bases" in work;
}

/** A move counts as one decision. */
function distanceOf(work: AmplifyWork): number {
  return isMoves(work) ? 1 : work.distance + (work.moved?.steps.length ?? 0);
}

function seedResult(seed: Seed, blobs: BlobStore): ResultSeed {
  return {
    id: seed.id,
    program: seed.program,
    command: seed.arguments,
    stdinBytes: seed.stdin.kind === "bytes" ? blobs.sizeOf(seed.stdin.content) : null,
    files: seed.files.filter(({ content }) => content !== null).map(({ path }) => path),
    end: endOf(seed),
    distance: -1,
    checks: 0,
    paths: 0,
    milliseconds: 0,
    skipped: null,
  };
}

const MOVES_LOST = "programs whose inputs were not all tried with other sizes and options (limit)";
const NOT_RUN_PLAINLY = "tests whose plain run, for what they cover, did not end in its time (limit)";

function endOf({ end }: Seed): string {
  return end.kind === "exit" ? `exit ${end.code}` : end.kind === "signal" ? `signal ${end.signal}` : "unknown";
}

function checkedWords({ extent, why }: Checked): Pick<ResultSeed, "checked" | "why"> {
  return why.length === 0 ? { checked: extent } : { checked: extent, why };
}
