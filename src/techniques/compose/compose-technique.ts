// Composition as a campaign's technique (FOCAL): the tests are profiled; every function is tested as a unit, those that calls of tests show
// and that have much to fail first; and each failure is lifted. A condition is first asked for in whole runs of tests that call its
// function, many conditions in one run; what that does not show is lifted to the function's callers, the most relevant first, whose own
// conditions are asked for in turn. A target is done when a whole run has failed at its line.

import type { ItemReport, Technique, WorkItem } from "../../campaign/technique.js";
import type { ProgramPlace } from "../../campaign/work-messages.js";
import type { BlobName, Seed } from "../../project/seed.js";
import type { LiteralChoice } from "../../support/literal-names.js";
import { givenPrograms } from "../literal-inputs.js";
import { DEFAULT_TEST_LIMITS, type TestLimits } from "../test-limits.js";
import type { ComposeFunction, ComposeTarget, ComposeTotals } from "./compose-outcome.js";
import type { ComposeItemResult, ComposePart, ComposeSetup, ComposeWork, UnitAccounts } from "./compose-work.js";
import { ComposedProgram } from "./composed-program.js";
import { judgedResult } from "./judge-result.js";
import { type FunctionOutcome, mergedFunctions, mergedTargets } from "./merge-outcomes.js";
import type { Planned } from "./planned-item.js";
import { keyOf, SharedFunctions } from "./shared-functions.js";

export interface ComposePlan extends TestLimits {
  readonly without: readonly ComposePart[];
  /** Whether literals of the tests' own sources are input. */
  readonly literals: LiteralChoice;
  /** For one function, the first time; less, if there is not enough time for all. */
  readonly unitMs: number;
  /** Of the whole campaign. */
  readonly budgetMs: number;
  /** First with what depends on the tests' input free, then with everything, then again with more time. */
  readonly rounds: number;
  /** Only these functions, by name; all if there are none. */
  readonly functions: readonly string[];
  readonly workers: number;
  /** Mutations of tests, for relevance: so many for each set of tests. */
  readonly mutations: number;
  /** For running a set of tests, mutations of them, and looking at their calls; more, if there is much time. */
  readonly profileMs: number;
}

export const DEFAULT_COMPOSE_PLAN: ComposePlan = {
  ...DEFAULT_TEST_LIMITS,
  solverQueryMs: 2_000,
  instructionsPerPath: 100_000_000,
  without: [],
  literals: "auto",
  unitMs: 3_000,
  budgetMs: Number.POSITIVE_INFINITY,
  rounds: 3,
  functions: [],
  workers: 1,
  mutations: 400,
  profileMs: 4_000,
};

const SEEDS_A_PROFILE = 32;
/** Of all the time, for the profiles; and the most for one set of tests. */
const PROFILE_SHARE = 0.12;
const MOST_PROFILE_MS = 25_000;
/** However little time there is: functions are what it is for. */
const MOST_PROFILE_SHARE = 0.3;
/** Items of a round for each thread: a round waits for its slowest. */
const ITEMS_A_THREAD = 2;
/** Of several programs each has so many items in its turn: to get another one ready takes time. */
const ITEMS_A_TURN = 4;

export interface ComposeTimes {
  profile: number;
  units: number;
  lifting: number;
  /** Edits that come nearer to what functions need. */
  approach: number;
  interpolation: number;
  whole: number;
}

type Item = WorkItem<ComposeWork>;

export class ComposeTechnique implements Technique<ComposeWork, ComposeItemResult> {
  readonly name = "compose";
  readonly settings: Technique<ComposeWork, ComposeItemResult>["settings"];
  readonly programs = new Map<string, ComposedProgram>();
  readonly times: ComposeTimes = { profile: 0, units: 0, lifting: 0, approach: 0, interpolation: 0, whole: 0 };
  readonly accounts = {
    paths: 0,
    solverMs: 0,
    interpolants: 0,
    interpolantsUsed: 0,
    cached: 0,
    notFailing: 0,
  };
  private readonly refined = { functions: 0, blocks: 0, before: 0, after: 0 };
  private counted = { facts: 0, functions: 0 };
  private isProfiled = false;
  /** What comes of the profile is known, so that more than that can be planned. */
  private isBegun = false;
  private isResumed = false;
  /** What an earlier campaign has done. */
  private isKnown: (key: string) => boolean = () => false;
  /** Whose turn it is, by the number of the program. */
  private turn = 0;
  private readonly shared = new SharedFunctions<ComposedProgram>();

  /** `sizeOf` says how large a content is. */
  constructor(
    private readonly seeds: readonly Seed[],
    places: readonly ProgramPlace[],
    private readonly plan: ComposePlan,
    private readonly sizeOf: (content: BlobName) => number = () => 0,
  ) {
    const names = new Map(places.map(({ content, name }) => [content, name]));
    // Each has its part of the time: a library's suite may be a hundred programs.
    const count = new Set(seeds.map(({ programContent }) => programContent)).size;
    const share = { ...plan, budgetMs: plan.budgetMs / Math.max(1, count) };
    for (const seed of seeds) {
      const { programContent: content } = seed;
      const program =
        this.programs.get(content) ?? new ComposedProgram(names.get(content) ?? seed.program, share, this.shared);
      this.programs.set(content, program);
      program.seeds.push(seed);
    }
    const { without, literals, unitMs, roots, instructionsPerPath, solverQueryMs, memoryBytes, heapBytes, randomSeed } =
      plan;
    this.settings = {
      instructionsPerPath,
      solverQueryMs,
      memoryBytes,
      heapBytes,
      randomSeed,
      roots: roots?.join("\n") ?? "",
      without: without.join(" "),
      literals,
      unitMs,
    };
  }

  setup(root: string, cache: string | null): ComposeSetup {
    const { without, literals, roots } = this.plan;
    const { instructionsPerPath, solverQueryMs, memoryBytes, heapBytes, randomSeed } = this.plan;
    const given = [...givenPrograms(this.seeds, this.sizeOf)];
    const limits = { instructionsPerPath, solverQueryMs, memoryBytes, heapBytes, randomSeed };
    return {
      root,
      without,
      literals,
      givenPrograms: given,
      cache,
      ...limits,
      ...(roots === undefined ? {} : { roots }),
    };
  }

  nextRound(): readonly Item[] | null {
    if (!this.isProfiled) {
      this.isProfiled = true;
      const items = this.profileItems();
      if (items.length > 0) return items;
    }
    for (const program of this.programs.values()) program.tellFunctions();
    if (!this.isResumed) {
      this.isResumed = true;
      const known = [...this.programs].flatMap(([content, program]) =>
        program.knownUnits(this.isKnown).map((planned) => itemFor(content, planned)),
      );
      if (known.length > 0) return known;
    }
    this.isBegun = true;
    const wanted = this.plan.workers * ITEMS_A_THREAD;
    const each = this.programs.size === 1 ? wanted : ITEMS_A_TURN;
    const items: Item[] = [];
    for (let turns = this.programs.size; turns > 0 && items.length < wanted * each; turns--) {
      items.push(...this.itemsOfNext(each, (program) => program.nextItem()));
    }
    return items.length === 0 ? null : items;
  }

  /** Whatever one of the programs has to do that does not wait for what others are at. */
  moreItems(): readonly Item[] {
    if (!this.isBegun) return [];
    const each = this.programs.size === 1 ? 1 : ITEMS_A_TURN;
    for (let turns = this.programs.size; turns > 0; turns--) {
      const items = this.itemsOfNext(each, (program) => program.nextInRound());
      if (items.length > 0) return items;
    }
    return [];
  }

  /** Of the program whose turn it is. */
  private itemsOfNext(most: number, plan: (program: ComposedProgram) => Planned | null): readonly Item[] {
    const [content, program] = [...this.programs][this.turn++ % this.programs.size];
    const items: Item[] = [];
    while (items.length < most) {
      const next = plan(program);
      if (next === null) break;
      items.push(itemFor(content, next));
    }
    return items;
  }

  resumes(isKnown: (key: string) => boolean): void {
    this.isKnown = isKnown;
  }

  absorb(item: Item, { result }: ItemReport<ComposeItemResult>): void {
    const program = this.programs.get(item.program);
    if (program === undefined) return;
    const { work } = item;
    if (work.kind === "profile" && result.kind === "profile") {
      program.profiled(result);
      this.times.profile += result.milliseconds;
    } else if (work.kind === "unit" && result.kind === "unit") {
      program.tested(work, result);
      this.count(result.accounts);
      if (result.accounts.isCached) this.accounts.cached++;
      this.countRefined(result.accounts);
      this.times[work.conditions.length > 0 ? "lifting" : "units"] += result.accounts.milliseconds;
    } else if (work.kind === "carry" && result.kind === "carry") {
      program.carried(work, result);
      this.times.lifting += result.milliseconds;
    } else if (work.kind === "approach" && result.kind === "approach") {
      program.approached(work, result);
      this.times.approach += result.milliseconds;
    } else if (work.kind === "whole" && result.kind === "whole") {
      program.ranWhole(work, result);
      for (const { condition, finding } of result.validated) {
        const { id } = work.conditions[condition]?.target ?? { id: "" };
        for (const other of this.programs.values()) other.shownElsewhere(id, finding);
      }
      this.count(result.accounts);
      this.accounts.notFailing += result.unmet.filter(({ state }) => state.kind === "not-failing").length;
      this.times.whole += result.accounts.milliseconds;
    }
  }

  /** Profiles are made again: contexts are too large for a journal, and quick. So is what tries out inputs. */
  memoryOf({ result }: ItemReport<ComposeItemResult>): unknown {
    return result.kind === "unit" || result.kind === "whole" ? result : undefined;
  }

  recall(item: Item, memory: unknown): boolean {
    const result = judgedResult(item.work, memory);
    if (result === null) return false;
    // That time was another campaign's.
    const times = { ...this.times };
    const program = this.programs.get(item.program);
    program?.costingNothing(item.work, () => this.absorb(item, { isComplete: true, result }));
    Object.assign(this.times, times);
    return true;
  }

  /** What is going on, for people. Functions are counted as at the end: each once, whatever the number of programs that have it. */
  phase(): string {
    const programs = [...this.programs.values()];
    const planned = programs.reduce((sum, { unitsPlanned }) => sum + unitsPlanned, 0);
    if (planned === 0) return "profiling the tests";
    if (programs.reduce((sum, { unitsDone }) => sum + unitsDone, 0) >= planned) return "lifting";
    const tested = new Set(programs.flatMap(({ units }) => [...units.values()].map(({ facts }) => keyOf(facts))));
    return `functions ${tested.size} of ${this.functionCount()}`;
  }

  /** It is asked for often, and changes only where a program's functions become known. */
  private functionCount(): number {
    const programs = [...this.programs.values()];
    const facts = programs.reduce((sum, { known }) => sum + known.all.length, 0);
    if (facts !== this.counted.facts) {
      const names = new Set(programs.flatMap(({ known }) => known.all.map(keyOf)));
      this.counted = { facts, functions: names.size };
    }
    return this.counted.functions;
  }

  /** Those that were lifted first. */
  targets(): readonly ComposeTarget[] {
    return mergedTargets([...this.programs.values()].flatMap((program) => program.outcomes()));
  }

  functions(): readonly ComposeFunction[] {
    return this.functionOutcomes().map(({ told }) => told);
  }

  private functionOutcomes(): readonly FunctionOutcome[] {
    return mergedFunctions([...this.programs.values()].flatMap((program) => program.functionOutcomes()));
  }

  /** Lines that failed in functions alone, and those of them that whole inputs show. */
  failingLines(): Pick<ComposeTotals, "targets" | "lifted"> {
    const all = new Set<string>();
    const lifted = new Set<string>();
    for (const { targets } of this.programs.values()) {
      for (const [id, { isOpen }] of targets) {
        all.add(id);
        if (!isOpen) lifted.add(id);
      }
    }
    return { targets: all.size, lifted: lifted.size };
  }

  totals(): ComposeTotals {
    const { interpolants, interpolantsUsed, cached, notFailing } = this.accounts;
    const functions = this.functionOutcomes();
    return {
      seeds: this.seeds.length,
      functions: functions.length,
      units: functions.filter(({ isTested }) => isTested).length,
      uncalled: functions.filter(({ isCalled }) => !isCalled).length,
      ...this.failingLines(),
      notFailing,
      interpolants,
      interpolantsUsed,
      cached,
      refined: { ...this.refined },
      milliseconds: { ...this.times },
    };
  }

  private count({ paths, solverMs, interpolants, interpolantsUsed, interpolationMs }: UnitAccounts): void {
    this.accounts.paths += paths;
    this.accounts.solverMs += solverMs;
    this.accounts.interpolants += interpolants;
    this.accounts.interpolantsUsed += interpolantsUsed;
    this.times.interpolation += interpolationMs;
  }

  private countRefined({ interpolants, blocks, coveredFirst, coveredBlocks }: UnitAccounts): void {
    if (interpolants === 0) return;
    this.refined.functions++;
    this.refined.blocks += blocks;
    this.refined.before += coveredFirst;
    this.refined.after += coveredBlocks;
  }

  private profileItems(): Item[] {
    const { profileMs, budgetMs, workers, without } = this.plan;
    const mutations = without.includes("mutations") ? 0 : this.plan.mutations;
    const sets = [...this.programs.values()].reduce(
      (sum, { seeds }) => sum + Math.ceil(seeds.length / SEEDS_A_PROFILE),
      0,
    );
    const setMs = (budgetMs * workers) / sets;
    const shareMs = Number.isFinite(budgetMs) ? setMs * PROFILE_SHARE : 0;
    const leastMs = Math.min(profileMs, setMs * MOST_PROFILE_SHARE);
    const timeMs = Math.max(leastMs, Math.min(MOST_PROFILE_MS, shareMs));
    return [...this.programs].flatMap(([program, { seeds }]) => {
      const items: Item[] = [];
      for (let at = 0; at < seeds.length; at += SEEDS_A_PROFILE) {
        const some = seeds.slice(at, at + SEEDS_A_PROFILE);
        const label = `${some[0].arguments.join(" ")}${some.length > 1 ? ` and ${some.length - 1} more` : ""}`;
        const key = `profile ${at} ${program}`;
        const work = { kind: "profile", facts: at === 0, seeds: some, mutations, again: null, timeMs } as const;
        items.push({ key, program, label, needs: ["linked"], work });
      }
      return items;
    });
  }
}

function itemFor(program: string, planned: Planned): Item {
  return { ...planned, program, needs: ["linked"] };
}
