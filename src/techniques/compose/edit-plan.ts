// What a composition tries by editing tests: at random, with texts that functions failed with, and towards what functions need. Beside that, what
// came of it and is to be looked at closer.

import type { Seed } from "../../project/seed.js";
import type { ComposePlan } from "./compose-technique.js";
import {
  type ApproachResult,
  type ApproachWork,
  type CallCondition,
  type CarryResult,
  type CarryWork,
  type ProfileResult,
  type ProfileWork,
  REALISMS,
  type WholeWork,
} from "./compose-work.js";
import type { KnownFunctions } from "./known-functions.js";
import { digest, type Planned } from "./planned-item.js";
import { type LiftStep, openSteps, type TargetRecord } from "./target-record.js";

/** Time for mutations of tests, to that of all functions; the first turn, and how much longer turns become. */
const MUTATIONS_SHARE = 0.5;
const FIRST_TURN_MS = 3_000;
const MOST_TURN_MS = 20_000;
/** Of all the time of a program; but each turn has at least so long. */
const TURN_SHARE = 0.05;
const LEAST_TURN_MS = 500;
/** What turns go on from; older ones are given up. */
const MOST_MADE = 256;
/** Tests that a turn begins with, each once. */
const TESTS_A_TURN = 32;
const TESTS_TO_CARRY_TO = 8;
/** Time for edits towards conditions, to that of all functions; conditions and tests of one item; how often, each time longer. */
const APPROACH_SHARE = 0.3;
const CONDITIONS_AN_APPROACH = 6;
const APPROACHED_OF_TARGET = 2;
const TESTS_AN_APPROACH = 8;
const MOST_APPROACHED = 4;

export class EditPlan {
  /** What mutations have come to: where others go on from. */
  made: readonly Seed[] = [];
  /** Edited tests that failed, to be looked at. */
  private readonly failed: Pick<WholeWork, "seed" | "editedBy">[] = [];
  /** What failed with other texts, to be carried to tests; and what fails in the whole program where a function did. */
  private readonly toCarry: CallCondition[] = [];
  private readonly carriedTo: { readonly seed: Seed; readonly condition: CallCondition }[] = [];
  private mutationMs = 0;
  private mutationTurns = 0;
  private approachMs = 0;
  private approaches = 0;

  constructor(
    private readonly name: string,
    private readonly plan: ComposePlan,
    private readonly seeds: readonly Seed[],
    private readonly known: KnownFunctions,
    private readonly targets: ReadonlyMap<string, TargetRecord>,
  ) {}

  // ---- what came of items

  profiled({ failed, made }: ProfileResult): void {
    this.failed.push(...failed.map((seed) => ({ seed })));
    this.made = [...this.made, ...made].slice(-MOST_MADE);
  }

  carried({ condition }: CarryWork, { carried, failed }: CarryResult): void {
    if (carried !== null) this.carriedTo.push({ seed: carried, condition });
    this.failed.push(...failed.map((seed) => towards(seed)));
  }

  approached({ conditions }: ApproachWork, { found, failed, milliseconds }: ApproachResult): void {
    this.approachMs += milliseconds;
    for (const { condition, seed } of found) this.carriedTo.push({ seed, condition: conditions[condition] });
    this.failed.push(...failed.map((seed) => towards(seed)));
  }

  /** A function fails so. */
  add(condition: CallCondition): void {
    if (condition.texts.length > 0) this.toCarry.push(condition);
  }

  // ---- what is next

  /** What takes little time and may well be a finding. */
  certainItem(): Planned | null {
    return this.failedItem() ?? this.carriedItem() ?? this.carryItem();
  }

  /** Whose share of the time is not used up, given what functions and `main` have had. */
  dueItem(functionsMs: number, mainMs: number): Planned | null {
    const isMutationsTurn = this.mutationMs < MUTATIONS_SHARE * (functionsMs + mainMs);
    const isApproachsTurn = this.approachMs < APPROACH_SHARE * functionsMs;
    return (isMutationsTurn ? this.mutationItem() : null) ?? (isApproachsTurn ? this.approachItem() : null);
  }

  /** Tests are changed at random, from where the last turn has come to. */
  private mutationItem(): Planned | null {
    const { plan, seeds, made } = this;
    if (plan.mutations === 0 || plan.without.includes("mutations") || plan.functions.length > 0) return null;
    const turn = ++this.mutationTurns;
    const shareMs = Math.max(LEAST_TURN_MS, TURN_SHARE * plan.budgetMs * plan.workers);
    const timeMs = Math.min(MOST_TURN_MS, FIRST_TURN_MS * turn, shareMs);
    this.mutationMs += timeMs;
    const first = ((turn - 1) * TESTS_A_TURN) % seeds.length;
    const some = [...seeds.slice(first), ...seeds.slice(0, first)].slice(0, TESTS_A_TURN);
    const work: ProfileWork = {
      kind: "profile",
      facts: false,
      seeds: some,
      mutations: Number.POSITIVE_INFINITY,
      again: { turn, made },
      timeMs,
    };
    return { key: `mutations ${this.name} ${turn}`, label: `mutations of ${some.length} tests`, work };
  }

  /** A mutation that failed is run for itself: if it fails again, it is a finding that nobody had to look for. */
  private failedItem(): Planned | null {
    const edited = this.failed.shift();
    if (edited === undefined) return null;
    const { seed } = edited;
    const work: WholeWork = {
      kind: "whole",
      ...edited,
      isMade: true,
      conditions: [],
      explores: false,
      timeMs: this.plan.unitMs,
    };
    return { key: `failed ${this.name} ${seed.id}`, label: seed.arguments.join(" "), work };
  }

  /** Texts with which a function failed are put into tests that call it. */
  private carryItem(): Planned | null {
    for (let condition = this.toCarry.shift(); condition !== undefined; condition = this.toCarry.shift()) {
      if (this.targets.get(condition.target.id)?.isOpen !== true) continue;
      const calls = this.known.contextsOf(condition.function);
      const seeds = [...new Map(calls.map(({ seed }) => [seed.id, seed])).values()].slice(0, TESTS_TO_CARRY_TO);
      const work: CarryWork = { kind: "carry", condition, seeds, timeMs: this.plan.unitMs };
      const label = `${this.known.at(condition.function)?.name ?? ""}, other texts`;
      return { key: `carry ${this.name} ${digest([condition])}`, label, work };
    }
    return null;
  }

  /** The whole program failed there, and is looked at. */
  private carriedItem(): Planned | null {
    const next = this.carriedTo.shift();
    if (next === undefined) return null;
    const { seed, condition } = next;
    const { unitMs: timeMs } = this.plan;
    const work: WholeWork = { kind: "whole", seed, isMade: true, conditions: [condition], explores: false, timeMs };
    return { key: `carried ${this.name} ${seed.id}`, label: seed.arguments.join(" "), work };
  }

  /** Tests are edited towards conditions that their own paths do not meet: those that were tried least, what is real first. */
  approachItem(): Planned | null {
    if (this.plan.without.includes("approach")) return null;
    const open = openSteps(this.targets, REALISMS).filter(
      ({ approached, tests, condition }) =>
        tests.size > 0 && approached < MOST_APPROACHED && this.known.isCalled(condition.function),
    );
    if (open.length === 0) return null;
    const rank = ({ approached, condition }: LiftStep): number => 4 * approached + REALISMS.indexOf(condition.realism);
    const ofTarget = new Map<string, number>();
    const isEnough = ({ condition: { target } }: LiftStep): boolean => {
      const before = ofTarget.get(target.id) ?? 0;
      ofTarget.set(target.id, before + 1);
      return before >= APPROACHED_OF_TARGET;
    };
    const steps = open
      .sort((a, b) => rank(a) - rank(b))
      .filter((step) => !isEnough(step))
      .slice(0, CONDITIONS_AN_APPROACH);
    const turn = steps[0].approached;
    for (const step of steps) step.approached++;
    const conditions = steps.map(({ condition }) => condition);
    const calls = conditions.map((condition) => this.known.contextsOf(condition.function));
    // One test of each, then the next one of each.
    const seeds = new Map<string, Seed>();
    for (let n = 0; n < TESTS_AN_APPROACH; n++)
      for (const { seed } of calls.flatMap((one) => one[n] ?? [])) seeds.set(seed.id, seed);
    const work: ApproachWork = {
      kind: "approach",
      conditions,
      seeds: [...seeds.values()].slice(0, TESTS_AN_APPROACH),
      turn: this.approaches++,
      timeMs: this.plan.unitMs * 2 ** turn,
    };
    const label = `${this.known.at(conditions[0].function)?.name ?? ""}, edits towards it`;
    return { key: `approach ${this.name} ${work.turn} ${digest(conditions)}`, label, work };
  }
}

function towards(seed: Seed): Pick<WholeWork, "seed" | "editedBy"> {
  return { seed, editedBy: "approach" };
}
