// What two sets of conditions can be compared by: expressions that occur in both, or the input bytes that occur in
// both, joined into the words that the program reads them as. Only variables that are shared count.

import type { ExprArena } from "../expr/arena.js";
import { coneOf, operandsOf } from "../expr/cone.js";
import { type ExprRef, OPS } from "../expr/ops.js";

export function bitsOf(arena: ExprArena, words: readonly ExprRef[]): number {
  return words.reduce((sum, word) => sum + arena.width(word), 0);
}

/** Expressions over shared variables that occur on both sides, without those that occur only inside of others. */
export function inBoth(
  arena: ExprArena,
  a: readonly ExprRef[],
  b: readonly ExprRef[],
  isShared: (variable: number) => boolean,
): readonly ExprRef[] {
  const coneOfB = new Set<number>(coneOf(arena, b));
  const common = new Set<ExprRef>();
  for (const node of coneOf(arena, a) as Iterable<ExprRef>) {
    if (!coneOfB.has(node) || arena.isConstant(node) || isExtension(arena, node)) continue;
    if (arena.support(node).every(isShared)) common.add(node);
  }
  // Seen from above: those at which a walk from a side's conditions stops.
  const first = new Set<ExprRef>();
  for (const side of [a, b]) {
    const seen = new Set<ExprRef>();
    const work = [...side];
    for (let e = work.pop(); e !== undefined; e = work.pop()) {
      if (seen.has(e)) continue;
      seen.add(e);
      if (common.has(e)) first.add(e);
      else work.push(...operandsOf(arena, e));
    }
  }
  const isByte = (e: ExprRef): boolean => arena.op(e) === OPS.variable.code;
  const bytes = [...first].filter(isByte).map((e) => arena.payload(e));
  const others = [...first].filter((e) => !isByte(e));
  return [...others, ...joinedBytes(arena, [...a, ...b], new Set(bytes))].sort((x, y) => x - y);
}

/** The bytes that occur on both sides, neighbours joined as far as some expression reads them as one number. */
export function wordsOf(
  arena: ExprArena,
  a: readonly ExprRef[],
  b: readonly ExprRef[],
  isShared: (variable: number) => boolean,
): readonly ExprRef[] {
  const ofA = variablesOf(arena, a);
  const ofB = variablesOf(arena, b);
  const wanted = [...ofA].filter((variable) => ofB.has(variable) && isShared(variable));
  return joinedBytes(arena, [...a, ...b], new Set(wanted));
}

/** Input bytes as the words that the conditions read them as, the longest first; each byte is in one of them. */
function joinedBytes(arena: ExprArena, conditions: readonly ExprRef[], bytes: ReadonlySet<number>): readonly ExprRef[] {
  const left = new Set(bytes);
  const runs = readTogether(arena, conditions).flatMap(({ first, count }) => partsIn(bytes, first, count));
  runs.sort((x, y) => y.length - x.length || x[0] - y[0]);
  const words: number[][] = [];
  for (const run of runs) {
    if (!run.every((variable) => left.has(variable))) continue;
    for (const variable of run) left.delete(variable);
    words.push(run);
  }
  for (const variable of left) words.push([variable]);
  words.sort((x, y) => x[0] - y[0]);
  return words.map((run) =>
    run.map((variable) => arena.variable(variable)).reduce((low, high) => arena.concat(high, low)),
  );
}

interface Run {
  readonly first: number;
  readonly count: number;
}

/** Concatenations of neighbouring variables, the lowest first in memory. */
function readTogether(arena: ExprArena, roots: readonly ExprRef[]): readonly Run[] {
  const runs = new Map<ExprRef, Run>();
  // Operands come first.
  for (const e of coneOf(arena, roots) as Iterable<ExprRef>) {
    if (arena.op(e) === OPS.variable.code) runs.set(e, { first: arena.payload(e), count: 1 });
    else if (arena.op(e) === OPS.concat.code) {
      const high = runs.get(arena.a(e));
      const low = runs.get(arena.b(e));
      if (high === undefined || low === undefined || low.first + low.count !== high.first) continue;
      runs.set(e, { first: low.first, count: low.count + high.count });
    }
  }
  return [...runs.values()].filter(({ count }) => count > 1);
}

/** The longest pieces of a run that are wanted. */
function partsIn(wanted: ReadonlySet<number>, first: number, count: number): number[][] {
  const parts: number[][] = [];
  let part: number[] = [];
  for (let variable = first; variable <= first + count; variable++) {
    if (variable < first + count && wanted.has(variable)) {
      part.push(variable);
      continue;
    }
    if (part.length > 1) parts.push(part);
    part = [];
  }
  return parts;
}

function variablesOf(arena: ExprArena, conditions: readonly ExprRef[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const condition of conditions) for (const variable of arena.support(condition)) found.add(variable);
  return found;
}

function isExtension(arena: ExprArena, e: ExprRef): boolean {
  const op = arena.op(e);
  return op === OPS.zext.code || op === OPS.sext.code;
}
