// What the tests of a program show of its functions: who calls whom, in which contexts each was called, which belong together. From that
// follows how a function is started as a unit: in which of its contexts, with which of its callees as they are.

import type { ComposePlan } from "./compose-technique.js";
import type { CallCondition, CallProfile, FunctionFacts, ProfileResult, UnitSeed } from "./compose-work.js";
import { differentCalls } from "./different-calls.js";
import { extendedUnit, RANDOM_PROBABILITY, RELEVANT_SHARE, type UnitMembers } from "./extended-units.js";
import { type Relevance, relevanceOf } from "./relevance.js";
import { keyOf } from "./shared-functions.js";

export class KnownFunctions {
  main = -1;
  private readonly facts = new Map<number, FunctionFacts>();
  private readonly byPlace = new Map<string, number>();
  private readonly contexts = new Map<number, UnitSeed[]>();
  private readonly callers = new Map<number, Set<number>>();
  private readonly profiles: CallProfile[] = [];
  private functionCount = 0;
  private counted: Relevance | null = null;

  constructor(private readonly plan: Pick<ComposePlan, "without" | "randomSeed">) {}

  get all(): readonly FunctionFacts[] {
    return [...this.facts.values()];
  }

  add({ facts, profile, contexts }: ProfileResult): void {
    if (facts !== null) {
      this.functionCount = facts.functionCount;
      this.main = facts.main;
      for (const one of facts.functions) {
        this.facts.set(one.index, one);
        this.byPlace.set(keyOf(one), one.index);
        for (const callee of one.callees) this.calls(one.index, callee);
      }
    }
    this.profiles.push(profile);
    this.counted = null;
    for (const pairs of profile.executions) {
      for (const pair of pairs) this.calls(Math.floor(pair / this.functionCount), pair % this.functionCount);
    }
    for (const context of contexts) {
      const list = this.contexts.get(context.function);
      if (list === undefined) this.contexts.set(context.function, [context]);
      else list.push(context);
    }
  }

  /** Null if it is none of the program's own. */
  at(index: number): FunctionFacts | null {
    return this.facts.get(index) ?? null;
  }

  /** A condition of another program's function, for the same function here; null if not all of its functions are here. */
  translated(condition: CallCondition, from: KnownFunctions): CallCondition | null {
    const here = (index: number): number | null => {
      const facts = from.at(index);
      return facts === null ? null : (this.byPlace.get(keyOf(facts)) ?? null);
    };
    const index = here(condition.function);
    const chain = condition.chain.map((link) => ({ ...link, function: here(link.function) ?? NOWHERE }));
    if (index === null || chain.some((link) => link.function === NOWHERE)) return null;
    return { ...condition, function: index, chain };
  }

  callersOf(index: number): ReadonlySet<number> {
    return this.callers.get(index) ?? NOBODY;
  }

  /** By a test. */
  isCalled(index: number): boolean {
    return this.contexts.has(index);
  }

  /** Calls of it in runs of tests. */
  contextsOf(index: number): readonly UnitSeed[] {
    return this.contexts.get(index) ?? [];
  }

  /** Bytes of its input that depend on the program's, at most. */
  dependentOf(index: number): number {
    return Math.max(0, ...this.contextsOf(index).map(({ dependent }) => dependent));
  }

  get relevance(): Relevance {
    this.counted ??= relevanceOf(this.profiles, this.functionCount);
    return this.counted;
  }

  /**
   * The contexts that a unit is started in: calls in which a function with a condition is called below go first, then those with most of
   * the input in them.
   */
  startsOf(index: number, conditions: readonly CallCondition[], count: number): readonly UnitSeed[] {
    if (this.plan.without.includes("unit-seeds")) return [];
    const wanted = new Set(
      conditions.flatMap((condition) =>
        this.contextsOf(condition.function).flatMap(({ seed, chain }) => (chain.includes(index) ? [seed.id] : [])),
      ),
    );
    const rank = ({ seed, dependent }: UnitSeed): number => (wanted.has(seed.id) ? 1e6 : 0) + dependent;
    const sorted = [...this.contextsOf(index)].sort((a, b) => rank(b) - rank(a));
    return differentCalls(sorted, count);
  }

  /** Callees of the extended unit's functions that are not in it; those with conditions are real. */
  stubsOf(index: number, conditions: readonly CallCondition[]): readonly number[] {
    const calleesOf = (caller: number): readonly number[] => this.facts.get(caller)?.callees ?? [];
    const real = new Set(conditions.flatMap(({ chain }) => chain.map((link) => link.function)));
    return extendedUnit(index, { calleesOf }, this.members()).others.filter((other) => !real.has(other));
  }

  private members(): UnitMembers {
    const { without, randomSeed } = this.plan;
    if (without.includes("random-units")) return { kind: "random", seed: randomSeed, probability: RANDOM_PROBABILITY };
    if (without.includes("extended-units")) return { kind: "alone" };
    return { kind: "relevant", relevance: this.relevance, share: RELEVANT_SHARE };
  }

  private calls(caller: number, callee: number): void {
    if (caller === callee) return;
    const list = this.callers.get(callee);
    if (list === undefined) this.callers.set(callee, new Set([caller]));
    else list.add(caller);
  }
}

const NOBODY: ReadonlySet<number> = new Set();
const NOWHERE = -1;
