// Interpolants without proofs. Of two contradicting sets A and B and expressions that both sides share, an
// interpolant I follows from A, contradicts B, and speaks of the shared expressions only. Repeat: a model of A that I does
// not cover yet; its shared bits are assumed in B, which must refute them; the failed ones are a cube; I gets the cube
// as another alternative. Each cube excludes at least one assignment, so this ends; a proof-based method would need a
// solver that records proofs, and gives weaker formulas.
// A cube is made smaller before it is used (B is asked again without single bits), because each bit less doubles what the
// cube covers.

import type { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { AssumptionSolver } from "./blast/assumption-solver.js";
import { BitBlaster, CircuitTooLarge } from "./blast/bit-blast.js";
import { answerOutOfTime } from "./out-of-time.js";
import type { UnknownReason } from "./solver.js";

export interface InterpolationLimits {
  readonly timeMs: number;
  /** Per question to the SAT solver. */
  readonly conflicts: number;
  readonly maxCubes: number;
}

const DEFAULT_INTERPOLATION_LIMITS: InterpolationLimits = { timeMs: 2000, conflicts: 100_000, maxCubes: 500 };

export type Interpolation =
  | { readonly kind: "interpolant"; readonly formula: ExprRef; readonly cubes: number }
  /** Some values of the shared expressions are possible on both sides: the sets do not contradict each other over them. */
  | { readonly kind: "compatible" }
  | { readonly kind: "unknown"; readonly reason: UnknownReason | "cubes" };

const QUICK_CONFLICTS = 2000;
const SHRINKING_CONFLICTS = 200;

/** A bit of a shared expression: its literal, the expression, its place. */
interface SharedBit {
  readonly literal: number;
  readonly word: ExprRef;
  readonly bit: number;
}

/** Neighbouring bits of a shared expression that have this value. */
export interface CubePart {
  readonly word: ExprRef;
  readonly lowBit: number;
  readonly width: number;
  readonly value: bigint;
}

/** All of its parts hold; each word's parts from its lowest bit up. */
export type Cube = readonly CubePart[];

export type CubeInterpolation =
  /** The interpolant is that any of them holds. */
  | { readonly kind: "cubes"; readonly cubes: readonly Cube[] }
  | Exclude<Interpolation, { readonly kind: "interpolant" }>;

export function interpolate(
  arena: ExprArena,
  a: readonly ExprRef[],
  b: readonly ExprRef[],
  shared: readonly ExprRef[],
  limits: InterpolationLimits = DEFAULT_INTERPOLATION_LIMITS,
): Interpolation {
  const found = interpolateByCubes(arena, a, b, shared, limits);
  if (found.kind !== "cubes") return found;
  const { cubes } = found;
  const formulas = cubes.map((cube) => cubeFormula(arena, cube));
  return { kind: "interpolant", formula: anyOf(arena, formulas), cubes: cubes.length };
}

/** The same, as it was found: for those who make something more readable of it. */
export function interpolateByCubes(
  arena: ExprArena,
  a: readonly ExprRef[],
  b: readonly ExprRef[],
  shared: readonly ExprRef[],
  limits: InterpolationLimits = DEFAULT_INTERPOLATION_LIMITS,
): CubeInterpolation {
  const deadlineMs = performance.now() + limits.timeMs;
  const blaster = new BitBlaster(arena);
  blaster.deadlineMs = deadlineMs;
  try {
    return cubesOf(blaster, a, b, sharedBits(arena, blaster, shared), limits, deadlineMs);
  } catch (error) {
    if (!(error instanceof CircuitTooLarge)) return answerOutOfTime(error);
    return { kind: "unknown", reason: error.reason };
  }
}

function sharedBits(arena: ExprArena, blaster: BitBlaster, shared: readonly ExprRef[]): readonly SharedBit[] {
  const bits: SharedBit[] = [];
  for (const word of shared) {
    for (let bit = 0; bit < arena.width(word); bit++) bits.push({ literal: blaster.bit(word, bit), word, bit });
  }
  return bits;
}

function cubesOf(
  blaster: BitBlaster,
  a: readonly ExprRef[],
  b: readonly ExprRef[],
  bits: readonly SharedBit[],
  limits: InterpolationLimits,
  deadlineMs: number,
): CubeInterpolation {
  const literals = bits.map(({ literal }) => literal);
  const hint = new Uint8Array(0);
  const rootsOf = (side: readonly ExprRef[]): number[] => side.map((e) => blaster.literal(e));
  const sideA = new AssumptionSolver(blaster, rootsOf(a), literals, hint, QUICK_CONFLICTS);
  const sideB = new AssumptionSolver(blaster, rootsOf(b), literals, hint, QUICK_CONFLICTS);
  const cubes: Cube[] = [];
  for (;;) {
    const uncovered = sideA.solve([], limits.conflicts, deadlineMs).outcome;
    if (uncovered === "unsat") return { kind: "cubes", cubes };
    if (uncovered !== "sat") return { kind: "unknown", reason: uncovered };
    if (cubes.length >= limits.maxCubes) return { kind: "unknown", reason: "cubes" };
    const values = literals.map((literal) => (sideA.value(literal) ? literal : literal ^ 1));
    const refuted = sideB.solve(values, limits.conflicts, deadlineMs);
    if (refuted.outcome === "sat") return { kind: "compatible" };
    if (refuted.outcome !== "unsat") return { kind: "unknown", reason: refuted.outcome };
    const cube = shrink(sideB, values, refuted.failed, deadlineMs);
    cubes.push(cubeOf(bits, values, cube));
    sideA.addClause(cube.map((place) => values[place] ^ 1));
  }
}

/** Places of `values` that B still refutes, none of which can be left out (unless a question was too hard). */
function shrink(
  side: AssumptionSolver,
  values: readonly number[],
  failed: readonly number[],
  deadlineMs: number,
): number[] {
  let cube = Array.from(failed).sort((x, y) => x - y);
  for (let i = 0; i < cube.length && performance.now() < deadlineMs; ) {
    const without = cube.filter((_, k) => k !== i);
    const { outcome, failed: still } = side.solve(
      without.map((place) => values[place]),
      SHRINKING_CONFLICTS,
      deadlineMs,
    );
    if (outcome === "unsat") cube = still.map((place) => without[place]).sort((x, y) => x - y);
    else i++;
  }
  return cube;
}

/** The chosen bits, neighbours at once. */
function cubeOf(bits: readonly SharedBit[], values: readonly number[], chosen: readonly number[]): Cube {
  const parts: CubePart[] = [];
  for (let start = 0; start < chosen.length; ) {
    const { word, bit: lowBit } = bits[chosen[start]];
    let end = start + 1;
    while (end < chosen.length && chosen[end] === chosen[end - 1] + 1 && bits[chosen[end]].word === word) end++;
    let value = 0n;
    for (let k = start; k < end; k++) {
      if (values[chosen[k]] === bits[chosen[k]].literal) value |= 1n << BigInt(k - start);
    }
    parts.push({ word, lowBit, width: end - start, value });
    start = end;
  }
  return parts;
}

function cubeFormula(arena: ExprArena, cube: Cube): ExprRef {
  let formula = arena.TRUE;
  for (const { word, lowBit, width, value } of cube) {
    const part = arena.extract(word, lowBit, width);
    formula = arena.binary("and", formula, arena.binary("eq", part, arena.constantBig(width, value)));
  }
  return formula;
}

/** Balanced, so that many alternatives nest little. */
export function anyOf(arena: ExprArena, formulas: readonly ExprRef[]): ExprRef {
  let layer = formulas;
  while (layer.length > 1) {
    const next: ExprRef[] = [];
    for (let i = 0; i < layer.length; i += 2) {
      next.push(i + 1 < layer.length ? arena.binary("or", layer[i], layer[i + 1]) : layer[i]);
    }
    layer = next;
  }
  return layer.length === 0 ? arena.FALSE : layer[0];
}
