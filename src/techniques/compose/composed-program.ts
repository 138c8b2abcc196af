// One program of a composition: which of its functions are still to be tested as units, and the targets with the conditions that are to be
// lifted. Chooses what is done next: conditions in whole runs as soon as there are any, because many are asked for at once; units and
// lifts to callers in turn, so that both have their share of the time.

import type { Seed } from "../../project/seed.js";
import type { ComposeObstacle, ComposeTarget, ComposeTargetState } from "./compose-outcome.js";
import type { ComposePlan } from "./compose-technique.js";
import {
  type ApproachResult,
  type ApproachWork,
  type CallCondition,
  type CarryResult,
  type CarryWork,
  type ComposeWork,
  type FunctionFacts,
  type ProfileResult,
  REALISMS,
  type Realism,
  type UnitResultOfItem,
  type UnitWork,
  type WholeResult,
  type WholeWork,
} from "./compose-work.js";
import { EditPlan } from "./edit-plan.js";
import { KnownFunctions } from "./known-functions.js";
import type { FunctionOutcome } from "./merge-outcomes.js";
import { digest, type Planned } from "./planned-item.js";
import { SharedFunctions } from "./shared-functions.js";
import { type LiftStep, openSteps, TargetRecord } from "./target-record.js";

/** What is known of a function that was tested. */
export interface UnitRecord {
  readonly facts: FunctionFacts;
  problem: string | null;
  blocks: number;
  coveredBlocks: number;
  failures: number;
  contexts: number;
  milliseconds: number;
  /** Times it was tested. */
  rounds: number;
  isComplete: boolean;
}

const REAL: readonly Realism[] = ["input", "texts"];
const ALL: readonly Realism[] = REALISMS;
/** Of all the time, for the first round of units; but each has at least so long. */
const FIRST_ROUND_SHARE = 0.4;
const LEAST_UNIT_MS = 300;
/** By round of units: times as long as the first. */
const ROUNDS_LONGER = [1, 1, 4, 12];
/** Time for `main`, to that of all other functions. */
const MAIN_SHARE = 0.3;
/**
 * One exploration of `main` has at least so long, or this part of all the time: with many functions one has little, and the checks on the
 * test's own path, which come first, would be all that there is time for, again and again.
 */
const LEAST_MAIN_MS = 3_000;
const LEAST_MAIN_SHARE = 0.03;
/** One of so many explorations of `main` begins with a mutation. */
const MUTATION_EVERY = 2;
/** Conditions of one whole run. */
const CONDITIONS_A_RUN = 24;
const CONDITIONS_A_LIFT = 12;
/** Tests in which a condition is asked for. */
const TESTS_A_CONDITION = 3;
const CONTEXTS_A_UNIT = 3;
/** Other programs that a condition is asked of, as far as their tests call its function with something of their input. */
const MOST_OFFERED = 3;
/** Of functions that are the tests' own, to that of others: what fails in them is nobody's bug. */
const TESTS_PROMISE = 0.05;
/** Each context costs something before its first path. */
const SHORT_UNIT_MS = 1_000;
/** Times of items, as times of what a unit has; and for each condition. */
const WHOLE_SHARE = 0.5;
const EXPLORING_SHARE = 2.5;
const LIFT_SHARE = 0.7;
const LEAST_LIFT_MS = 1_000;
const CONDITION_SHARE = 0.05;
/** Of one condition: how often the whole program is explored towards its function, each time longer. */
const MOST_EXPLORED = 3;
/** Items spent on one target before others go first. */
const TRIES_A_TURN = 6;
const MOST_TRIES = 40;
const MOST_CHAIN = 10;

export class ComposedProgram {
  readonly seeds: Seed[] = [];
  readonly targets = new Map<string, TargetRecord>();
  readonly units = new Map<number, UnitRecord>();
  readonly known: KnownFunctions;
  /** What is tried by editing tests. */
  private readonly edits: EditPlan;
  /** Functions to be tested, in order; null before the profile is complete. */
  private queue: number[] | null = null;
  private later: number[] = [];
  private unitTimeMs = 0;
  private meanPromise = 0;
  private round = 0;
  unitsPlanned = 0;
  unitsDone = 0;
  private unitMs = 0;
  private liftMs = 0;
  private exploringMs = 0;
  private mainMs = 0;
  private mainItems = 0;
  private mutationsExplored = 0;
  /** Keys of units that an earlier campaign has done, and that are planned before all else. */
  private readonly resumed = new Set<string>();

  constructor(
    /** As the user knows it. */
    readonly name: string,
    private readonly plan: ComposePlan,
    private readonly shared: SharedFunctions<ComposedProgram> = new SharedFunctions(),
  ) {
    this.known = new KnownFunctions(plan);
    this.edits = new EditPlan(name, plan, this.seeds, this.known, this.targets);
  }

  /** What became of its targets so far. */
  outcomes(): ComposeTarget[] {
    return [...this.targets.values()].map((record): ComposeTarget => {
      const { target, message, chain, finding, obstacles } = record;
      const callers = obstacles.map(({ caller, command, state }): ComposeObstacle => {
        const facts = caller === null ? null : this.known.at(caller);
        return { caller: facts?.name ?? command, file: facts?.file ?? null, line: facts?.line ?? 0, state };
      });
      const state: ComposeTargetState =
        finding !== null
          ? { kind: "lifted", finding }
          : callers.length > 0
            ? { kind: "not-lifted", callers }
            : { kind: "open" };
      return { ...target, program: this.name, message, chain, state };
    });
  }

  functionOutcomes(): FunctionOutcome[] {
    return this.known.all.map(({ index, name, file, line, blocks }): FunctionOutcome => {
      const unit = this.units.get(index);
      const { coveredBlocks = 0, failures = 0, contexts = 0, milliseconds = 0, problem = null } = unit ?? {};
      const rest = { coveredBlocks, failures, contexts, milliseconds, problem };
      const told = { name, file, line, program: this.name, blocks: unit?.blocks || blocks, ...rest };
      return { told, isTested: unit !== undefined, isCalled: this.known.isCalled(index) };
    });
  }

  // ---- what came of items

  /** What an earlier campaign has done must not count as this one's time: it would have to do as much of everything else first. */
  costingNothing(work: ComposeWork, absorb: () => void): void {
    const { unitMs, liftMs, exploringMs, mainMs } = this;
    this.shared.spendingNothing(absorb);
    Object.assign(this, { unitMs, liftMs, exploringMs, mainMs });
    // It was planned with all of its time.
    if (work.kind === "whole" && work.explores && work.conditions.length === 0) this.mainMs -= work.timeMs;
  }

  profiled(result: ProfileResult): void {
    this.seeds.push(...result.literalTests);
    this.edits.profiled(result);
    this.known.add(result);
  }

  tested(work: UnitWork, { problem, failures, unmet, accounts }: UnitResultOfItem): void {
    const facts = this.known.at(work.function);
    if (facts === null) return;
    const isLift = work.conditions.length > 0;
    this.shared.spent(accounts.milliseconds);
    if (isLift) this.liftMs += accounts.milliseconds;
    else this.unitMs += accounts.milliseconds;
    if (!isLift) {
      const known = this.units.get(work.function) ?? newUnit(facts);
      this.units.set(work.function, known);
      if (known.rounds === 0) this.unitsDone++;
      known.problem = problem;
      known.blocks = accounts.blocks;
      known.coveredBlocks = Math.max(known.coveredBlocks, accounts.coveredBlocks);
      known.contexts = accounts.contexts;
      known.milliseconds += accounts.milliseconds;
      known.failures += failures.length;
      known.rounds++;
      known.isComplete = accounts.isComplete;
    }
    for (const condition of failures) if (this.fails(condition)) this.offer(condition);
    for (const { condition, state } of unmet) {
      const given = work.conditions[condition];
      const record = given === undefined ? undefined : this.targets.get(given.target.id);
      record?.obstructed({ caller: work.function, command: "", state });
    }
  }

  ranWhole(work: WholeWork, { validated, unmet, accounts }: WholeResult): void {
    if (work.conditions.length > 0) this.liftMs += accounts.milliseconds;
    if (work.conditions.length > 0 && work.explores) this.exploringMs += accounts.milliseconds;
    // It was planned with all of its time; where nothing is input it is soon done.
    if (work.conditions.length === 0 && work.explores) this.mainMs -= Math.max(0, work.timeMs - accounts.milliseconds);
    for (const { condition, finding } of validated) {
      const record = this.targets.get(work.conditions[condition]?.target.id ?? "");
      if (record !== undefined) record.finding ??= finding;
    }
    for (const { condition, state } of unmet) {
      const record = this.targets.get(work.conditions[condition]?.target.id ?? "");
      // All paths from this test were explored: there is no point in doing so again.
      const step = record?.steps.find((one) => one.condition === work.conditions[condition]);
      if (step !== undefined && work.explores && accounts.isComplete) step.explored = MOST_EXPLORED;
      // What seemed to matter was not enough: the whole path of the failure is asked for next.
      if (state.kind === "not-failing" && step !== undefined && record !== undefined) record.exactly(step);
      record?.obstructed({ caller: null, command: work.seed.arguments.join(" "), state });
    }
  }

  carried(work: CarryWork, result: CarryResult): void {
    this.liftMs += result.milliseconds;
    this.edits.carried(work, result);
  }

  approached(work: ApproachWork, result: ApproachResult): void {
    this.edits.approached(work, result);
  }

  /** True if it is new. */
  private fails(condition: CallCondition): boolean {
    const { id } = condition.target;
    const record = this.targets.get(id) ?? new TargetRecord(condition.target, condition.target.kind);
    this.targets.set(id, record);
    const isNew = record.add(condition);
    if (isNew) this.edits.add(condition);
    return isNew;
  }

  /** To other programs that have the function: their tests may allow what those of this one do not. */
  private offer(condition: CallCondition): void {
    const facts = this.known.at(condition.function);
    if (facts === null || condition.realism === "types") return;
    let left = MOST_OFFERED;
    for (const other of this.shared.othersOf(this, facts)) {
      if (left <= 0) return;
      if (other.adopt(condition, this.known)) left--;
    }
  }

  /** True if its tests are asked too. */
  private adopt(condition: CallCondition, from: KnownFunctions): boolean {
    const own = this.known.translated(condition, from);
    return own !== null && this.known.dependentOf(own.function) > 0 && this.fails(own);
  }

  /** A whole run of another program has failed there: once is enough. */
  shownElsewhere(target: string, finding: string): void {
    const record = this.targets.get(target);
    if (record !== undefined) record.finding ??= finding;
  }

  // ---- what is next

  nextItem(): Planned | null {
    return (
      this.nextInRound() ??
      this.anotherRound() ??
      this.edits.approachItem() ??
      this.wholeItem(REAL, true) ??
      this.wholeItem(ALL, true) ??
      this.mainItem()
    );
  }

  /** Null if units must have come to something before more is begun. */
  nextInRound(): Planned | null {
    const queue = this.unitQueue();
    // What depends on the input anyway goes first; what was made up waits until every function had its turn.
    const isUnitsTurn = queue.length > 0 && this.unitMs <= this.liftMs;
    const functionsMs = Math.max(this.unitMs + this.liftMs, this.shared.meanMs);
    const isMainsTurn = this.mainMs < MAIN_SHARE * functionsMs;
    // Exploring towards conditions has no end: units have as much time for what else they may fail with.
    const isExploringsTurn = this.exploringMs <= this.unitMs;
    return (
      this.edits.certainItem() ??
      this.wholeItem(REAL, false) ??
      (isMainsTurn ? this.mainItem() : null) ??
      this.edits.dueItem(functionsMs, this.mainMs) ??
      (isUnitsTurn ? this.unitItem() : null) ??
      this.callerItem(REAL) ??
      this.unitItem() ??
      this.wholeItem(ALL, false) ??
      (isExploringsTurn ? this.wholeItem(REAL, true) : null) ??
      this.callerItem(ALL) ??
      (isExploringsTurn ? this.wholeItem(ALL, true) : null)
    );
  }

  /** The tests were profiled: says which functions it has, so that other programs may leave them to it. */
  tellFunctions(): void {
    this.shared.tell(
      this,
      this.unitFunctions().map((facts) => ({ facts, promise: this.promiseOf(facts) })),
    );
  }

  private unitFunctions(): readonly FunctionFacts[] {
    const { functions, without } = this.plan;
    const { known } = this;
    if (without.includes("units")) return [];
    return known.all
      .filter(({ name, index }) => index !== known.main && (functions.length === 0 || functions.includes(name)))
      .filter(({ dangerous, callees }) => dangerous > 0 || callees.length > 0);
  }

  private unitQueue(): number[] {
    if (this.queue !== null) return this.queue;
    const { known } = this;
    const ranked = this.unitFunctions()
      .flatMap((facts) => {
        const rank = this.shared.rankOf(this, facts);
        return rank === null ? [] : [{ index: facts.index, rank, promise: this.promiseOf(facts) }];
      })
      .sort((a, b) => a.rank - b.rank || b.promise - a.promise || a.index - b.index)
      .map(({ index }) => index);
    this.unitsPlanned = ranked.length;
    // What no test calls waits for the next round, unless that is everything.
    const isCalled = (index: number): boolean => known.isCalled(index);
    this.queue = ranked.some(isCalled) ? ranked.filter(isCalled) : ranked;
    this.later = ranked.filter((index) => !this.queue?.includes(index));
    const { unitMs, budgetMs, workers } = this.plan;
    const shareMs = (budgetMs * workers * FIRST_ROUND_SHARE) / Math.max(1, this.queue.length);
    this.unitTimeMs = Math.min(unitMs, Math.max(LEAST_UNIT_MS, shareMs));
    const promises = this.queue.map((index) => this.promiseOf(known.at(index)));
    this.meanPromise = promises.reduce((sum, promise) => sum + promise, 0) / Math.max(1, promises.length);
    return this.queue;
  }

  /** Much that may fail, in what the tests call; then in what they do not; the tests' own code last. */
  private promiseOf(facts: FunctionFacts | null): number {
    if (facts === null) return 0;
    const { index, dangerous, isOfTests } = facts;
    const { known } = this;
    const called = (known.isCalled(index) ? 4 : 1) * (known.dependentOf(index) > 0 ? 3 : 1);
    return called * Math.log2(2 + dangerous) * (isOfTests ? TESTS_PROMISE : 1);
  }

  /** The first time: by its promise, where there is not enough time for all. */
  private firstTimeOf(facts: FunctionFacts): number {
    const share = this.meanPromise > 0 ? this.promiseOf(facts) / this.meanPromise : 1;
    return Math.min(this.plan.unitMs, Math.max(LEAST_UNIT_MS, this.unitTimeMs * share));
  }

  private unitItem(): Planned | null {
    const queue = this.unitQueue();
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
      const facts = this.known.at(index);
      const unit = facts === null ? null : this.unitOfRound(facts, this.round);
      if (unit !== null && !this.resumed.has(unit.key)) return unit;
    }
    return null;
  }

  private unitOfRound(facts: FunctionFacts, round: number): Planned {
    const timeMs = this.firstTimeOf(facts) * (ROUNDS_LONGER[round] ?? 1);
    return this.unit(facts, [], timeMs, `${round}`, this.startsOf(facts.index, round));
  }

  /** Units that an earlier campaign has done, of whatever round: what is known of them is there before anything is begun. */
  knownUnits(isKnown: (key: string) => boolean): readonly Planned[] {
    const functions = [...this.unitQueue(), ...this.later].flatMap((index) => this.known.at(index) ?? []);
    const rounds = Array.from({ length: this.plan.rounds }, (_, round) => round);
    const units = functions.flatMap((facts) => rounds.map((round) => this.unitOfRound(facts, round)));
    const known = units.filter(({ key }) => isKnown(key));
    for (const { key } of known) this.resumed.add(key);
    return known;
  }

  /** First what the tests' input can do to it; then anything at all. */
  private startsOf(index: number, round: number): readonly Realism[] {
    const isInContext = !this.plan.without.includes("unit-seeds") && this.known.isCalled(index);
    if (!isInContext) return ["types"];
    if (round === 0) return this.known.dependentOf(index) > 0 ? ["texts", "input"] : ["context"];
    return round === 1 ? ["context", "types"] : REALISMS;
  }

  /** Units that were not done to their end, or only with the tests' own input, with more time; null if it is enough. */
  private anotherRound(): Planned | null {
    if (this.round + 1 >= this.plan.rounds) return null;
    this.round++;
    const isOpen = ({ isComplete, problem, facts }: UnitRecord): boolean =>
      problem === null && (!isComplete || (this.round === 1 && this.known.isCalled(facts.index)));
    const open = [...this.units.values()].filter(isOpen);
    const missing = ({ blocks, coveredBlocks, facts }: UnitRecord): number =>
      (1 + blocks - coveredBlocks) * Math.log2(2 + facts.dangerous);
    const again = open.sort((a, b) => missing(b) - missing(a)).map(({ facts }) => facts.index);
    this.queue = [...again, ...this.later.splice(0)];
    return this.unitItem();
  }

  /** `starts`: of a unit for itself. */
  private unit(
    facts: FunctionFacts,
    conditions: readonly CallCondition[],
    timeMs: number,
    which: string,
    starts: readonly Realism[],
  ): Planned {
    const count = this.unitTimeMs < SHORT_UNIT_MS ? CONTEXTS_A_UNIT - 1 : CONTEXTS_A_UNIT;
    const contexts = this.known.startsOf(facts.index, conditions, count);
    const stubs = this.known.stubsOf(facts.index, conditions);
    const work: UnitWork = { kind: "unit", function: facts.index, contexts, starts, stubs, conditions, timeMs };
    const place = `${facts.name} ${facts.file ?? ""}`;
    const key = `unit ${this.name} ${place} ${which} ${digest(conditions)}`;
    const what = conditions.length === 0 ? facts.name : `${facts.name}, as a caller`;
    return { key, label: what, work };
  }

  private liftStarts(index: number, conditions: readonly CallCondition[]): readonly Realism[] {
    const hasContexts = !this.plan.without.includes("unit-seeds") && this.known.isCalled(index);
    if (!hasContexts) return ["types"];
    const isReal = conditions.every(({ realism }) => REAL.includes(realism));
    return isReal ? [...REAL, "context"] : ["context", "types"];
  }

  // ---- lifting

  /** `main` is a unit like every other, whose arguments are the program's input: explored from one test after the other. */
  private mainItem(): Planned | null {
    const { functions, without } = this.plan;
    if (without.includes("main") || (functions.length > 0 && !functions.includes("main"))) return null;
    const turn = Math.floor(this.mainItems / this.seeds.length);
    if (turn >= MOST_EXPLORED) return null;
    const { budgetMs, workers } = this.plan;
    const leastMs = Math.min(LEAST_MAIN_MS, budgetMs * workers * LEAST_MAIN_SHARE);
    const timeMs = Math.max(leastMs, this.unitTimeMs * EXPLORING_SHARE) * 2 ** turn;
    this.mainMs += timeMs;
    const mutation = this.nextMutation();
    const seed = mutation ?? this.seeds[this.mainItems++ % this.seeds.length];
    const isMade = mutation !== null;
    const work: WholeWork = { kind: "whole", seed, isMade, conditions: [], explores: true, timeMs };
    return { key: `main ${this.name} ${seed.id} ${turn}`, label: seed.arguments.join(" "), work };
  }

  /** Now and then `main` is explored from what mutations have come to; null if it is not their turn. */
  private nextMutation(): Seed | null {
    if (this.mainItems < MUTATION_EVERY * (this.mutationsExplored + 1)) return null;
    return this.edits.made[this.mutationsExplored++] ?? null;
  }

  /** Conditions that a test can be asked for. `explores`: beyond its own path. */
  private wholeItem(realisms: readonly Realism[], explores: boolean): Planned | null {
    const open = this.openSteps(realisms).filter((step) =>
      explores ? step.explored < MOST_EXPLORED : step.tests.size < TESTS_A_CONDITION && step.explored === 0,
    );
    if (open.length === 0) return null;
    const bySeed = new Map<string, { readonly seed: Seed; readonly steps: LiftStep[] }>();
    for (const step of open) {
      for (const { seed } of this.known.contextsOf(step.condition.function)) {
        if (!explores && step.tests.has(seed.id)) continue;
        const entry = bySeed.get(seed.id) ?? { seed, steps: [] };
        bySeed.set(seed.id, entry);
        if (!entry.steps.includes(step)) entry.steps.push(step);
      }
    }
    let best: { readonly seed: Seed; readonly steps: LiftStep[] } | null = null;
    for (const entry of bySeed.values()) if (best === null || entry.steps.length > best.steps.length) best = entry;
    // No test calls these functions: the whole program is explored towards them, from any test.
    if (best === null && explores) best = { seed: this.seeds[open[0].explored % this.seeds.length], steps: open };
    if (best === null) return null;
    const steps = best.steps.slice(0, explores ? CONDITIONS_A_LIFT : CONDITIONS_A_RUN);
    let turn = 0;
    for (const step of steps) {
      step.tests.add(best.seed.id);
      if (explores) turn = Math.max(turn, step.explored++);
    }
    const conditions = steps.map(({ condition }) => condition);
    const share = explores ? EXPLORING_SHARE * 2 ** turn : WHOLE_SHARE + CONDITION_SHARE * conditions.length;
    const timeMs = this.unitTimeMs * share;
    const isMade = !this.seeds.includes(best.seed) && !this.seeds.some(({ id }) => id === best.seed.id);
    const work: WholeWork = { kind: "whole", seed: best.seed, isMade, conditions, explores, timeMs };
    const key = `whole ${this.name} ${best.seed.id} ${explores ? turn : "path"} ${digest(conditions)}`;
    return { key, label: best.seed.arguments.join(" "), work };
  }

  /** The most relevant caller of a condition's function that was not explored for it, with all else that it is wanted for. */
  private callerItem(realisms: readonly Realism[]): Planned | null {
    for (const mostTries of [TRIES_A_TURN, MOST_TRIES]) {
      for (const record of this.targets.values()) {
        if (!record.isOpen || record.tries >= mostTries) continue;
        const best = this.bestCaller(record.steps.filter(({ condition }) => realisms.includes(condition.realism)));
        if (best === null) continue;
        record.tries++;
        return this.callerLift(best, realisms);
      }
    }
    return null;
  }

  private bestCaller(steps: readonly LiftStep[]): number | null {
    let best: number | null = null;
    let most = -1;
    for (const { condition, callers } of steps) {
      if (condition.chain.length > MOST_CHAIN) continue;
      for (const caller of this.known.callersOf(condition.function)) {
        if (caller === this.known.main || callers.has(caller) || this.known.at(caller) === null) continue;
        // Nearer to main is better at the same relevance.
        const rank = this.known.relevance.of(caller, condition.function) + condition.chain.length / 100;
        if (rank <= most) continue;
        best = caller;
        most = rank;
      }
    }
    return best;
  }

  private callerLift(caller: number, realisms: readonly Realism[]): Planned | null {
    const facts = this.known.at(caller);
    if (facts === null) return null;
    const steps = this.openSteps(realisms).filter(
      ({ condition, callers }) =>
        !callers.has(caller) &&
        this.known.callersOf(condition.function).has(caller) &&
        condition.chain.length <= MOST_CHAIN,
    );
    const some = steps.slice(0, CONDITIONS_A_LIFT);
    for (const step of some) step.callers.add(caller);
    const conditions = some.map(({ condition }) => condition);
    const timeMs = Math.max(LEAST_LIFT_MS, this.unitTimeMs * (LIFT_SHARE + CONDITION_SHARE * conditions.length));
    // A caller is started as the failure was; where its input does not show what is needed, with more of it free.
    return this.unit(facts, conditions, timeMs, "lift", this.liftStarts(caller, conditions));
  }

  private openSteps(realisms: readonly Realism[]): LiftStep[] {
    return openSteps(this.targets, realisms);
  }
}

function newUnit(facts: FunctionFacts): UnitRecord {
  return {
    facts,
    problem: null,
    blocks: facts.blocks,
    coveredBlocks: 0,
    failures: 0,
    contexts: 0,
    milliseconds: 0,
    rounds: 0,
    isComplete: false,
  };
}
