// What a search changes: the input bytes of a query, grouped into the words that its conditions read them as, each with the
// conditions that depend on it. A word's value is a whole number; that of a floating-point number is its place in the order of
// all of them, so that neighbours are neighbours, across zero too.

import type { ExprArena } from "../../expr/arena.js";
import { coneOf, operandsOf } from "../../expr/cone.js";
import { type ExprRef, OPS, takesFloats } from "../../expr/ops.js";
import type { Model } from "../solver.js";

/** Constants of the query that are tried as values. */
const MOST_CONSTANTS = 24;

export interface SearchWord {
  /** Indices of input bytes, the lowest first. */
  readonly bytes: readonly number[];
  readonly width: number;
  readonly isFloat: boolean;
  /** Positions of the conditions that depend on it. */
  readonly conditions: readonly number[];
  /** Values that the query speaks of, and those that are at the end of something. */
  readonly candidates: readonly bigint[];
}

/** Bytes joined by concatenations, the lowest first. */
function runsIn(arena: ExprArena, cone: Iterable<number>): Map<ExprRef, readonly number[]> {
  const runs = new Map<ExprRef, readonly number[]>();
  // Operands come first.
  for (const e of cone as Iterable<ExprRef>) {
    if (arena.op(e) === OPS.variable.code) runs.set(e, [arena.payload(e)]);
    if (arena.op(e) !== OPS.concat.code) continue;
    const high = runs.get(arena.a(e));
    const low = runs.get(arena.b(e));
    if (high !== undefined && low !== undefined && high.length + low.length <= 8) runs.set(e, [...low, ...high]);
  }
  return runs;
}

export function wordsOfQuery(arena: ExprArena, constraints: readonly ExprRef[]): readonly SearchWord[] {
  const cone = coneOf(arena, constraints);
  const runs = runsIn(arena, cone);
  // Read as a whole: by something that does not only join it further. Of those, longer ones first.
  const whole = new Map<ExprRef, boolean>();
  for (const e of cone as Iterable<ExprRef>) {
    const op = arena.op(e);
    if (op === OPS.concat.code && runs.has(e)) continue;
    for (const operand of operandsOf(arena, e)) {
      if (runs.has(operand)) whole.set(operand, takesFloats(op) || whole.get(operand) === true);
    }
  }
  const taken = new Set<number>();
  const floats = constantsIn(arena, cone);
  const words: SearchWord[] = [];
  const order = [...whole].sort(([a], [b]) => (runs.get(b)?.length ?? 0) - (runs.get(a)?.length ?? 0) || a - b);
  const add = (bytes: readonly number[], isFloat: boolean): void => {
    for (const byte of bytes) taken.add(byte);
    const conditions = constraints.flatMap((e, i) => (bytes.some((byte) => arena.dependsOn(e, byte)) ? [i] : []));
    const width = 8 * bytes.length;
    const candidates = isFloat ? floatCandidates(width, floats) : integerCandidates(width, floats);
    words.push({ bytes, width, isFloat, conditions, candidates });
  };
  for (const [e, isFloat] of order) {
    const bytes = runs.get(e) ?? [];
    if (!bytes.some((byte) => taken.has(byte)) && new Set(bytes).size === bytes.length) add(bytes, isFloat);
  }
  for (const e of constraints) for (const byte of arena.support(e)) if (!taken.has(byte)) add([byte], false);
  return words;
}

/** The numbers that floating-point operations of the query have as constants. */
function constantsIn(arena: ExprArena, cone: Iterable<number>): readonly number[] {
  const found = new Set<number>();
  for (const e of cone as Iterable<ExprRef>) {
    if (!takesFloats(arena.op(e))) continue;
    for (const operand of operandsOf(arena, e)) {
      if (arena.isConstant(operand) && found.size < MOST_CONSTANTS) found.add(numberOf(arena, operand));
    }
  }
  return [...found].filter(Number.isFinite);
}

const view = new DataView(new ArrayBuffer(8));

function numberOf(arena: ExprArena, e: ExprRef): number {
  if (arena.width(e) === 32) {
    view.setInt32(0, arena.constantLow(e));
    return view.getFloat32(0);
  }
  view.setInt32(0, arena.constantHigh(e));
  view.setInt32(4, arena.constantLow(e));
  return view.getFloat64(0);
}

/** Its place in the order of the floats of that width. */
function placeOf(width: number, value: number): bigint {
  if (width === 32) {
    view.setFloat32(0, value);
    return placeOfBits(32, BigInt(view.getUint32(0)));
  }
  view.setFloat64(0, value);
  return placeOfBits(64, view.getBigUint64(0));
}

function placeOfBits(width: number, bits: bigint): bigint {
  const sign = 1n << BigInt(width - 1);
  return (bits & sign) === 0n ? bits : -(bits ^ sign);
}

function floatCandidates(width: number, constants: readonly number[]): bigint[] {
  if (width !== 32 && width !== 64) return [];
  const ends = [0, 1, -1, 0.5, 2, 10, 100, 1e6, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const places = [...constants, ...ends].map((value) => placeOf(width, value));
  const infinity = placeOf(width, Number.POSITIVE_INFINITY);
  // The largest number, what is none, and the smallest ones.
  places.push(infinity - 1n, 1n - infinity, infinity + 1n, 1n, -1n);
  for (const value of constants)
    places.push(placeOf(width, -value), placeOf(width, value) + 1n, placeOf(width, value) - 1n);
  return [...new Set(places)];
}

function integerCandidates(width: number, constants: readonly number[]): bigint[] {
  const values: bigint[] = [0n, 1n, -1n, 1n << BigInt(width - 1), (1n << BigInt(width - 1)) - 1n];
  for (const value of constants) {
    if (Math.abs(value) < 2 ** width) values.push(BigInt(Math.trunc(value)), BigInt(Math.trunc(value)) + 1n);
  }
  return [...new Set(values.map((value) => BigInt.asUintN(width, value)))];
}

/** The word's value in the model. */
export function readWord({ bytes, width, isFloat }: SearchWord, model: Model): bigint {
  let bits = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) bits = (bits << 8n) | BigInt(model[bytes[i]]);
  return isFloat ? placeOfBits(width, bits) : bits;
}

/** Values beyond the ends wrap around. */
export function writeWord({ bytes, width, isFloat }: SearchWord, model: Model, value: bigint): void {
  const sign = 1n << BigInt(width - 1);
  let bits = BigInt.asUintN(width, value);
  if (isFloat) {
    const magnitude = (value < 0n ? -value : value) & (sign - 1n);
    bits = value < 0n ? magnitude | sign : magnitude;
  }
  for (let i = 0; i < bytes.length; i++, bits >>= 8n) model[bytes[i]] = Number(bits & 0xffn);
}
