// Interpolants of conditions that come from paths: A is what is needed at a call, B what an explored path has decided
// on its way there. Both are conjunctions, and mostly one side's own conditions already are the answer, in the words of
// the source. So, in this order:
//
//   1. Some conditions of A that speak of shared input only and contradict B: they are an interpolant as they stand.
//   2. Some conditions of B that speak of shared input only and contradict A: that not all of them hold is one.
//   3. A is projected onto what both sides share (interpolate.ts): onto expressions that occur in both, then onto words
//      of input bytes.
//
// 1 and 2 are complete: if any such conditions exist, all of them together contradict the other side, which is one
// question.
// Invariant: the conjuncts follow from A, contradict B together, and speak only of variables that are shared.

import type { ExprArena } from "../expr/arena.js";
import { type ExprRef, OPS } from "../expr/ops.js";
import { BlastingSolver } from "./blast/blasting-solver.js";
import { type InterpolationLimits, interpolateByCubes } from "./interpolate.js";
import { joinedCubes } from "./join-cubes.js";
import { minimizeCore } from "./minimize-core.js";
import { bitsOf, inBoth, wordsOf } from "./shared-words.js";
import type { Solver, UnknownReason, Verdict } from "./solver.js";

export interface ConditionLimits extends InterpolationLimits {
  /** Of what a projection is onto. */
  readonly maxBits: number;
  /** Asks another solver whether the interpolant is one, and throws if it is not. */
  readonly verify?: boolean;
}

export const DEFAULT_CONDITION_LIMITS: ConditionLimits = {
  timeMs: 2000,
  conflicts: 100_000,
  maxCubes: 200,
  maxBits: 300,
};

export type ConditionInterpolation =
  | {
      readonly kind: "interpolant";
      /** All of them together; none is "true": B contradicts itself. */
      readonly conjuncts: readonly ExprRef[];
      readonly how: "core-of-a" | "core-of-b" | "projection";
      /** Positions in A and B of conditions that contradict each other, none without need: why. */
      readonly needed: readonly number[];
      readonly against: readonly number[];
    }
  /** Some values of the shared variables are possible on both sides. */
  | {
      readonly kind: "compatible";
      /** False: A and B contradict each other all the same, over what is not shared. */
      readonly isSatisfiable: boolean;
    }
  /** There is an interpolant, and it is no use to anybody. */
  | { readonly kind: "too-large" }
  | { readonly kind: "unknown"; readonly reason: UnknownReason };

/** A part of a condition: what holds, and the position of the condition it is of. */
interface Conjunct {
  readonly condition: ExprRef;
  readonly position: number;
}

interface Sides {
  readonly a: readonly Conjunct[];
  readonly b: readonly Conjunct[];
}

export function interpolateConditions(
  arena: ExprArena,
  solver: Solver,
  a: readonly ExprRef[],
  b: readonly ExprRef[],
  isShared: (variable: number) => boolean,
  limits: ConditionLimits = DEFAULT_CONDITION_LIMITS,
): ConditionInterpolation {
  const found = new ConditionInterpolator(arena, solver, isShared, limits).interpolate(a, b);
  if (limits.verify === true && found.kind === "interpolant") {
    verifyInterpolant(arena, a, b, found.conjuncts, isShared, limits);
  }
  return found;
}

class ConditionInterpolator {
  private readonly deadlineMs: number;
  private readonly sharedOnly = new Map<ExprRef, boolean>();

  constructor(
    private readonly arena: ExprArena,
    private readonly solver: Solver,
    private readonly isShared: (variable: number) => boolean,
    private readonly limits: ConditionLimits,
  ) {
    this.deadlineMs = performance.now() + limits.timeMs;
  }

  interpolate(a: readonly ExprRef[], b: readonly ExprRef[]): ConditionInterpolation {
    const all: Sides = { a: conjunctsOf(this.arena, a), b: conjunctsOf(this.arena, b) };
    const first = this.contradiction(all);
    if (first.kind === "sat") return { kind: "compatible", isSatisfiable: true };
    if (first.kind === "unknown") return first;
    const byA = this.contradiction({ a: this.shared(all.a), b: all.b });
    if (byA.kind === "unsat") {
      const { a: needed, b: against } = this.minimal(byA.core);
      return { ...reason(needed, against), conjuncts: needed.map(conditionOf), how: "core-of-a" };
    }
    const byB = this.contradiction({ a: all.a, b: this.shared(all.b) });
    if (byB.kind === "unsat") {
      // B's conditions are left out first: the fewer of them, the more is excluded.
      const { a: against, b: needed } = this.minimal({ a: byB.core.b, b: byB.core.a });
      const some = against.map((one) => this.arena.not(conditionOf(one)));
      const conjunct = some.reduce((x, y) => this.arena.binary("or", x, y), this.arena.FALSE);
      return { ...reason(needed, against), conjuncts: [conjunct], how: "core-of-b" };
    }
    return this.projected(all, this.minimal(first.core));
  }

  private projected(all: Sides, core: Sides): ConditionInterpolation {
    const { arena, isShared } = this;
    const [a, b] = [core.a.map(conditionOf), core.b.map(conditionOf)];
    const common = inBoth(arena, a, b, isShared);
    const words = wordsOf(arena, a, b, isShared);
    const isSame = common.length === words.length && common.every((word, n) => word === words[n]);
    // The core is the smaller question, and what does for it does for all.
    let found = this.onto(core, common, isSame ? 1 : FIRST_SHARE);
    if (found.kind !== "conjuncts" && !isSame) found = this.onto(core, words, 1);
    // Where something that is not shared stands on both sides, conditions may be needed that the core lacks.
    if (found.kind === "compatible") {
      const allWords = wordsOf(arena, all.a.map(conditionOf), all.b.map(conditionOf), isShared);
      found = this.onto(all, allWords, 1);
    }
    if (found.kind !== "conjuncts") return found;
    return { ...reason(core.a, core.b), conjuncts: found.conjuncts, how: "projection" };
  }

  /** In that share of the time that is left. */
  private onto(
    { a, b }: Sides,
    words: readonly ExprRef[],
    share: number,
  ):
    | { readonly kind: "conjuncts"; readonly conjuncts: readonly ExprRef[] }
    | Exclude<ConditionInterpolation, { readonly kind: "interpolant" }> {
    const { arena, limits } = this;
    if (bitsOf(arena, words) > limits.maxBits) return { kind: "too-large" };
    const timeMs = Math.max(0, this.deadlineMs - performance.now()) * share;
    const own = { ...limits, timeMs };
    const found = interpolateByCubes(arena, a.map(conditionOf), b.map(conditionOf), words, own);
    switch (found.kind) {
      case "cubes":
        return { kind: "conjuncts", conjuncts: joinedCubes(arena, found.cubes) };
      case "compatible":
        return { kind: "compatible", isSatisfiable: false };
      default:
        return found.reason === "cubes" ? { kind: "too-large" } : { kind: "unknown", reason: found.reason };
    }
  }

  private ask(constraints: readonly ExprRef[]): Verdict {
    return this.solver.solve({ constraints, hint: NO_HINT, deadlineMs: this.deadlineMs });
  }

  private contradiction(
    sides: Sides,
  ): Exclude<Verdict, { kind: "unsat" }> | { readonly kind: "unsat"; readonly core: Sides } {
    const { a, b } = sides;
    const verdict = this.ask([...a, ...b].map(conditionOf));
    return verdict.kind === "unsat" ? { kind: "unsat", core: chosen(sides, verdict.core) } : verdict;
  }

  /** Those of A are left out first. */
  private minimal(core: Sides): Sides {
    const constraints = [...core.a, ...core.b].map(conditionOf);
    const query = { constraints, hint: NO_HINT, deadlineMs: this.deadlineMs };
    return chosen(
      core,
      minimizeCore(
        this.solver,
        query,
        constraints.map((_, n) => n),
      ),
    );
  }

  private shared(side: readonly Conjunct[]): readonly Conjunct[] {
    return side.filter(({ condition }) => {
      const known = this.sharedOnly.get(condition);
      if (known !== undefined) return known;
      const answer = this.arena.support(condition).every(this.isShared);
      this.sharedOnly.set(condition, answer);
      return answer;
    });
  }
}

/** Of the time for a projection: expressions that both sides have may be the harder question than their bytes. */
const FIRST_SHARE = 0.5;

const NO_HINT = new Uint8Array(0);

function conditionOf({ condition }: Conjunct): ExprRef {
  return condition;
}

/** Of the conjuncts of A, followed by those of B. */
function chosen({ a, b }: Sides, positions: readonly number[]): Sides {
  const places = new Set(positions);
  return { a: a.filter((_, n) => places.has(n)), b: b.filter((_, n) => places.has(a.length + n)) };
}

function reason(
  a: readonly Conjunct[],
  b: readonly Conjunct[],
): { kind: "interpolant"; needed: readonly number[]; against: readonly number[] } {
  const positions = (side: readonly Conjunct[]): number[] => [...new Set(side.map(({ position }) => position))];
  return { kind: "interpolant", needed: positions(a), against: positions(b) };
}

/** Conditions that are conjunctions themselves in parts, so that a core has no more than it needs. Each part once. */
function conjunctsOf(arena: ExprArena, conditions: readonly ExprRef[]): readonly Conjunct[] {
  const seen = new Set<ExprRef>();
  const found: Conjunct[] = [];
  conditions.forEach((root, position) => {
    const work = [root];
    for (let e = work.pop(); e !== undefined; e = work.pop()) {
      if (seen.has(e)) continue;
      seen.add(e);
      const inner = arena.op(e) === OPS.not.code ? arena.a(e) : null;
      if (arena.op(e) === OPS.and.code) work.push(arena.b(e), arena.a(e));
      else if (inner !== null && arena.op(inner) === OPS.or.code) {
        work.push(arena.not(arena.b(inner)), arena.not(arena.a(inner)));
      } else found.push({ condition: e, position });
    }
  });
  return found;
}

/**
 * Throws unless A implies each conjunct, they contradict B, and all they speak of is shared. What is too hard to ask
 * passes.
 */
export function verifyInterpolant(
  arena: ExprArena,
  a: readonly ExprRef[],
  b: readonly ExprRef[],
  conjuncts: readonly ExprRef[],
  isShared: (variable: number) => boolean,
  limits: { readonly conflicts: number; readonly timeMs: number },
): void {
  for (const conjunct of conjuncts) {
    const other = arena.support(conjunct).find((variable) => !isShared(variable));
    if (other !== undefined) throw new Error(`the interpolant speaks of variable ${other}, which is not shared`);
  }
  const { conflicts, timeMs } = limits;
  const solver = new BlastingSolver(arena, { conflicts, timeMs, quickConflicts: Math.min(conflicts, 2000) });
  const isPossible = (constraints: readonly ExprRef[]): boolean =>
    solver.solve({ constraints, hint: NO_HINT }).kind === "sat";
  for (const conjunct of conjuncts) {
    if (isPossible([...a, arena.not(conjunct)])) throw new Error("the interpolant does not follow from A");
  }
  if (isPossible([...conjuncts, ...b])) throw new Error("the interpolant does not contradict B");
}
