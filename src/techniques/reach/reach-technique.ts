// Patch testing as a campaign's technique (KATCH): every test is surveyed; then each target that no test executes is searched for, the
// nearest first, all of them for a short while before any of them for long. What a search finds serves the others: an input that reaches a
// target, or comes nearer than the tests, is where later searches begin.

import type { ItemReport, Technique, WorkItem } from "../../campaign/technique.js";
import type { Seed } from "../../project/seed.js";
import { DEFAULT_TEST_LIMITS, type TestLimits } from "../test-limits.js";
import type { ReachInput } from "./reach-pool.js";
import type {
  GivenInput,
  MeasuredResult,
  ReachNeed,
  ReachResult,
  ReachSetup,
  ReachWork,
  Standing,
  SurveyedRun,
  SurveyResult,
} from "./reach-work.js";
import type { Strategy } from "./target-search.js";
import type { TargetPlace, Wanted } from "./targets.js";
import type { WhyNot } from "./why-not.js";

export interface ReachPlan extends TestLimits {
  readonly wanted: readonly Wanted[];
  readonly without: readonly Strategy[];
  /** For one target, over all of its searches. */
  readonly targetMs: number;
  /** For all searches together. */
  readonly searchMs: number;
  readonly workers: number;
  readonly newRoots: readonly string[];
  readonly oldRoots: readonly string[];
  readonly oldPrograms: Readonly<Record<string, string>>;
  /** What executes the patch is amplified up to this distance; -1: not at all. */
  readonly amplifyDistance: number;
}

export const DEFAULT_REACH_PLAN: Omit<ReachPlan, "wanted"> = {
  without: [],
  targetMs: 60_000,
  searchMs: 5 * 60_000,
  workers: 1,
  newRoots: [],
  oldRoots: [],
  oldPrograms: {},
  amplifyDistance: 4,
  ...DEFAULT_TEST_LIMITS,
  solverQueryMs: 3_000,
};

/** How long a target is searched for, pass by pass; what it may take in all is `targetMs`. */
const PASSES_MS = [1_000, 4_000, 12_000, 40_000, 120_000];
const SEEDS_A_SURVEY = 32;
/** Tests of a program that are run by both versions. */
const MOST_COMPARED = 200;
/** Tests that execute a target and are amplified, and how many in all. */
const AMPLIFIED_A_TARGET = 5;
const MOST_AMPLIFIED = 64;
/** Inputs that a search is given: the nearest, and some that are different for moves to take from. */
const NEAREST_GIVEN = 12;
const OTHERS_GIVEN = 24;

/** What is known of an input of a program. */
interface KnownInput {
  readonly given: GivenInput;
  readonly standing: Standing;
}

/** A target with what is known of it, over all programs. */
export interface TargetRecord {
  readonly target: TargetPlace;
  /** Programs that it is in, by content. */
  readonly programs: Set<string>;
  /** The nearest test at the start; null if no way leads there from any. */
  firstDistance: number | null;
  coveredBy: string | null;
  reached: {
    readonly input: ReachInput;
    readonly program: string;
    readonly milliseconds: number;
    /** As which it was kept. */
    readonly seed: Seed | null;
  } | null;
  /** By program: proven that nothing leads there. */
  readonly unreachable: Map<string, string>;
  why: WhyNot | null;
  spentMs: number;
  isGivenUp: boolean;
}

type Item = WorkItem<ReachWork> & { readonly needs?: readonly ReachNeed[] };

export class ReachTechnique implements Technique<ReachWork, ReachResult> {
  readonly name = "patch";
  readonly settings: Technique<ReachWork, ReachResult>["settings"];
  readonly records = new Map<string, TargetRecord>();
  /** By program: its targets' ids in the order of its standings. */
  private readonly order = new Map<string, readonly string[]>();
  private readonly known = new Map<string, KnownInput[]>();
  /** By program, until it is measured. */
  private readonly surveys = new Map<string, { readonly seed: Seed; readonly run: SurveyedRun }[]>();
  private isSurveyed = false;
  private pass = 0;
  /** Targets that are still to be searched for in this pass. */
  private queue: string[] = [];
  private searchedMs = 0;
  private areTestsCompared = false;
  private areMadeCompared = false;
  private distance = 0;
  /** What is amplified, the same at every distance; null before that begins. */
  private amplified: readonly Seed[] | null = null;
  /** Inputs on which the program failed while something else was looked for. */
  private readonly failed: Seed[] = [];

  constructor(
    private readonly seeds: readonly Seed[],
    private readonly plan: ReachPlan,
    /** Keeps an input that was made as a seed; null if the disk refuses it. */
    private readonly keep: (input: ReachInput, program: string) => Seed | null,
    /** Whether searches may begin: loading and tests may have taken their time already. */
    private readonly isSearchTime: () => boolean = () => true,
  ) {
    const { wanted, without, roots, instructionsPerPath, solverQueryMs, memoryBytes, heapBytes, randomSeed } = plan;
    this.settings = {
      instructionsPerPath,
      solverQueryMs,
      memoryBytes,
      heapBytes,
      randomSeed,
      roots: roots?.join("\n") ?? "",
      wanted: JSON.stringify(wanted),
      without: without.join(" "),
    };
  }

  setup(root: string): ReachSetup {
    const { targetMs: _, searchMs: __, workers: ___, amplifyDistance: ____, ...rest } = this.plan;
    return { root, ...rest };
  }

  nextRound(): readonly Item[] | null {
    if (!this.isSurveyed) {
      this.isSurveyed = true;
      return this.surveyItems();
    }
    // Tests cost nothing to find: they come before searches that may take all of the time.
    if (!this.areTestsCompared) {
      this.areTestsCompared = true;
      // The first thread has just translated the new version, and the old one is mostly the same.
      const items = [...this.comparisons(this.coveringTests()), ...this.measureItems()];
      if (items.length > 0) return items;
    }
    const items: Item[] = [];
    while (items.length < this.plan.workers) {
      const item = this.nextSearch();
      if (item === null) break;
      items.push(item);
    }
    if (items.length > 0) return items;
    if (!this.areMadeCompared) {
      this.areMadeCompared = true;
      const comparisons = this.comparisons(this.madeSeeds().map(({ seed }) => seed));
      if (comparisons.length > 0) return comparisons;
    }
    return this.amplifications();
  }

  /** Tests that execute the patch. */
  private coveringTests(): Seed[] {
    const chosen = new Map<string, Seed>();
    for (const [program, inputs] of this.known) {
      let count = 0;
      for (const { given, standing } of inputs) {
        if (given.kind !== "seed" || !standing.distances.includes(0) || ++count > MOST_COMPARED) continue;
        if (given.seed.programContent === program) chosen.set(given.seed.id, given.seed);
      }
    }
    return [...chosen.values()];
  }

  /** Without an old version only what was made is looked at. */
  private comparisons(all: readonly Seed[]): Item[] {
    const hasOld = Object.keys(this.plan.oldPrograms).length > 0;
    const made = new Set(this.madeSeeds().map(({ seed }) => seed.id));
    if (!hasOld && !all.some(({ id }) => made.has(id))) return [];
    const items: Item[] = [];
    for (const [program, seeds] of grouped([...new Map(all.map((seed) => [seed.id, seed])).values()])) {
      for (let at = 0; at < seeds.length; at += SEEDS_A_SURVEY) {
        const some = seeds.slice(at, at + SEEDS_A_SURVEY);
        const key = `compare ${some.map(({ id }) => id).join(" ")}`;
        const observed = some.flatMap(({ id }) => (made.has(id) ? [id] : []));
        const label = hasOld ? "old against new" : "what the inputs do";
        items.push({ key, program, label, needs: ["old"], work: { kind: "compare", seeds: some, observed } });
      }
    }
    return items;
  }

  /** Around what executes the patch, the failures first: all at distance 0, then at 1, and so on. */
  private amplifications(): Item[] | null {
    const distance = this.distance++;
    if (distance > this.plan.amplifyDistance) return null;
    this.amplified ??= this.amplifiable();
    const made = new Set(this.madeSeeds().map(({ seed }) => seed.id));
    const items = this.amplified.map(
      (seed): Item => ({
        key: `amplify ${seed.id}/${distance}`,
        program: seed.programContent,
        label: seed.arguments.join(" "),
        needs: ["old"],
        work: { kind: "amplify", seed, distance, isMade: made.has(seed.id) },
      }),
    );
    return items.length === 0 ? null : items;
  }

  /** For each target what executes it, one of each before another of any: a test may come to a target by a way that hides a bug. */
  private amplifiable(): readonly Seed[] {
    const chosen = new Map<string, Seed>();
    for (const seed of this.failed) chosen.set(seed.id, seed);
    const lists = [...this.records].map(([id, record]) => this.executing(id, record));
    for (let turn = 0; turn < AMPLIFIED_A_TARGET; turn++) {
      for (const list of lists) {
        const seed = list.at(turn);
        if (seed !== undefined && chosen.size < MOST_AMPLIFIED) chosen.set(seed.id, seed);
      }
    }
    return [...chosen.values()];
  }

  /** Inputs that execute a target, the shortest runs first. */
  private executing(id: string, { programs, reached }: TargetRecord): Seed[] {
    const tests: { readonly seed: Seed; readonly instructions: number }[] = [];
    for (const program of programs) {
      const distance = this.distanceTo(program, id);
      for (const input of this.known.get(program) ?? []) {
        const { given, standing } = input;
        if (given.kind === "seed" && distance(input) === 0) {
          tests.push({ seed: given.seed, instructions: standing.instructions });
        }
      }
    }
    const sorted = tests.sort((a, b) => a.instructions - b.instructions).map(({ seed }) => seed);
    return sorted.length === 0 && reached !== null && reached.seed !== null ? [reached.seed] : sorted;
  }

  absorb(item: Item, { result }: ItemReport<ReachResult>): void {
    if (item.work.kind === "survey" && result.kind === "survey") this.surveyed(item, item.work.seeds, result);
    else if (result.kind === "measure") this.measured(item.program, result);
    else if (item.work.kind === "search" && result.kind === "search") {
      const record = this.records.get(item.work.target);
      for (const { target, input, milliseconds } of result.reached) {
        const other = this.records.get(target);
        if (other === undefined || other.reached !== null || other.coveredBy !== null) continue;
        const seed = this.keep(input, item.program);
        other.reached = { input, program: item.program, milliseconds: other.spentMs + milliseconds, seed };
      }
      for (const input of result.failed) {
        const seed = this.keep(input, item.program);
        if (seed !== null) this.failed.push(seed);
      }
      for (const { input, standing } of result.made)
        this.know(item.program, { given: { kind: "made", input }, standing });
      if (record === undefined) return;
      record.spentMs += item.work.timeMs;
      this.searchedMs += item.work.timeMs;
      record.why = result.why;
      if (result.why !== null && !result.why.outOfTime) record.isGivenUp = true;
    }
  }

  memoryOf({ result }: ItemReport<ReachResult>): unknown {
    return result.kind;
  }

  /** Inputs are not kept in the journal: a campaign that goes on searches again, which is quick where it was quick before. */
  recall(): boolean {
    return false;
  }

  /** Not covered, not reached, not proven to be unreachable in all programs that have it. */
  isOpen(record: TargetRecord): boolean {
    if (record.coveredBy !== null || record.reached !== null) return false;
    return [...record.programs].some((program) => !record.unreachable.has(program));
  }

  /** Inputs that were kept as seeds: what reached a target, and what failed on the way. */
  madeSeeds(): { readonly seed: Seed }[] {
    const reached = [...this.records.values()].flatMap((record) => {
      const seed = record.reached?.seed ?? null;
      return seed === null ? [] : [{ seed }];
    });
    return [...reached, ...this.failed.map((seed) => ({ seed }))];
  }

  private surveyItems(): Item[] {
    const items: Item[] = [];
    for (const [program, seeds] of grouped(this.seeds)) {
      for (let at = 0; at < seeds.length; at += SEEDS_A_SURVEY) {
        const some = seeds.slice(at, at + SEEDS_A_SURVEY);
        const label = `${some[0].arguments.join(" ")}${some.length > 1 ? ` and ${some.length - 1} more` : ""}`;
        const key = `survey ${some.map(({ id }) => id).join(" ")}`;
        items.push({ key, program, label, work: { kind: "survey", seeds: some } });
      }
    }
    return items;
  }

  private surveyed({ program }: Item, seeds: readonly Seed[], { targets, runs }: SurveyResult): void {
    this.hasTargets(program, targets);
    const list = this.surveys.get(program) ?? [];
    this.surveys.set(program, list);
    runs.forEach((run, at) => {
      if (run === null) return;
      const seed = seeds[at];
      list.push({ seed, run });
      const { instructions, end, executed } = run;
      const distances = targets.map((_, index) => (executed.includes(index) ? 0 : null));
      this.stands(program, seed, { distances, instructions, end });
    });
  }

  /** The graph, and what takes long to make of it, only for programs with targets that no test executes. */
  private measureItems(): Item[] {
    const items: Item[] = [];
    for (const [program, surveyed] of this.surveys) {
      const records = (this.order.get(program) ?? []).flatMap((id) => this.records.get(id) ?? []);
      if (!records.some((record) => this.isOpen(record))) {
        this.surveys.delete(program);
        continue;
      }
      const { file, line } = records[0].target;
      const work = { kind: "measure", runs: surveyed.map(({ run }) => run) } as const;
      items.push({ key: `measure ${program}`, program, label: `${file}:${line}`, needs: ["graph"], work });
    }
    return items;
  }

  private measured(program: string, { targets, unreachable, standings }: MeasuredResult): void {
    const surveyed = this.surveys.get(program) ?? [];
    this.surveys.delete(program);
    const ids = new Set(targets.map(({ id }) => id));
    for (const id of this.order.get(program) ?? []) {
      const record = this.records.get(id);
      if (record === undefined || ids.has(id)) continue;
      record.programs.delete(program);
      if (record.programs.size === 0) this.records.delete(id);
    }
    this.hasTargets(program, targets);
    targets.forEach(({ id }, index) => {
      const why = unreachable[index];
      if (why !== null) this.records.get(id)?.unreachable.set(program, why);
    });
    this.known.delete(program);
    surveyed.forEach(({ seed }, at) => {
      this.stands(program, seed, standings[at]);
    });
  }

  private hasTargets(program: string, targets: readonly TargetPlace[]): void {
    this.order.set(
      program,
      targets.map(({ id }) => id),
    );
    for (const target of targets) {
      const record = this.records.get(target.id) ?? newRecord(target);
      this.records.set(target.id, record);
      record.programs.add(program);
    }
  }

  /** A test's distances, in the order of the program's targets. */
  private stands(program: string, seed: Seed, standing: Standing): void {
    this.know(program, { given: { kind: "seed", seed }, standing });
    this.order.get(program)?.forEach((id, index) => {
      const record = this.records.get(id);
      const distance = standing.distances[index] ?? null;
      if (record === undefined || distance === null) return;
      if (distance === 0) record.coveredBy ??= seed.id;
      record.firstDistance = Math.min(record.firstDistance ?? Number.POSITIVE_INFINITY, distance);
    });
  }

  private know(program: string, input: KnownInput): void {
    const list = this.known.get(program);
    if (list === undefined) this.known.set(program, [input]);
    else list.push(input);
  }

  private nextSearch(): Item | null {
    for (;;) {
      if (!this.isSearchTime()) return null;
      const id = this.queue.shift();
      if (id === undefined) {
        if (this.pass >= PASSES_MS.length || this.searchedMs >= this.plan.searchMs * this.plan.workers) return null;
        this.queue = this.openTargets();
        this.pass++;
        if (this.queue.length === 0) return null;
        continue;
      }
      const record = this.records.get(id);
      if (record === undefined || !this.isOpen(record) || record.isGivenUp) continue;
      const timeMs = Math.min(PASSES_MS[this.pass - 1], this.plan.targetMs - record.spentMs);
      if (timeMs < 100) continue;
      const program = this.bestProgram(record);
      if (program === null) continue;
      const done = [...this.records].flatMap(([other, state]) => (this.isOpen(state) ? [] : [other]));
      const inputs = this.inputsFor(program, id);
      const { target } = record;
      const label = `${target.file}:${target.line}`;
      return {
        key: `search ${program} ${id} ${this.pass}`,
        program,
        label,
        needs: ["graph"],
        work: { kind: "search", target: id, inputs, done, timeMs },
      };
    }
  }

  /** The nearest first. */
  private openTargets(): string[] {
    const open = [...this.records].filter(([, record]) => this.isOpen(record) && !record.isGivenUp);
    const rank = (record: TargetRecord): number => record.why?.remaining ?? record.firstDistance ?? 1e9;
    return open.sort(([, a], [, b]) => rank(a) - rank(b)).map(([id]) => id);
  }

  private distanceTo(program: string, id: string): (input: KnownInput) => number {
    const index = this.order.get(program)?.indexOf(id) ?? -1;
    return ({ standing }) => standing.distances[index] ?? Number.POSITIVE_INFINITY;
  }

  private bestProgram(record: TargetRecord): string | null {
    let best: string | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const program of record.programs) {
      if (record.unreachable.has(program)) continue;
      const distance = this.distanceTo(program, record.target.id);
      const nearest = (this.known.get(program) ?? []).reduce((sum, one) => Math.min(sum, distance(one)), Infinity);
      if (best !== null && nearest >= least) continue;
      best = program;
      least = nearest;
    }
    return best;
  }

  private inputsFor(program: string, id: string): GivenInput[] {
    const distance = this.distanceTo(program, id);
    const all = (this.known.get(program) ?? [])
      .map((input) => ({ input, distance: distance(input) }))
      .sort((a, b) => a.distance - b.distance || a.input.standing.instructions - b.input.standing.instructions);
    const near = all.slice(0, NEAREST_GIVEN);
    // Every so-manieth of the rest: inputs of all kinds.
    const rest = all.slice(NEAREST_GIVEN);
    const step = Math.max(1, Math.ceil(rest.length / OTHERS_GIVEN));
    const others = rest.filter((_, at) => at % step === 0);
    return [...near, ...others].map(({ input }) => input.given);
  }
}

function grouped(seeds: readonly Seed[]): Map<string, Seed[]> {
  const byProgram = new Map<string, Seed[]>();
  for (const seed of seeds) {
    const list = byProgram.get(seed.programContent);
    if (list === undefined) byProgram.set(seed.programContent, [seed]);
    else list.push(seed);
  }
  return byProgram;
}

function newRecord(target: TargetPlace): TargetRecord {
  return {
    target,
    programs: new Set(),
    firstDistance: null,
    coveredBy: null,
    reached: null,
    unreachable: new Map(),
    why: null,
    spentMs: 0,
    isGivenUp: false,
  };
}
