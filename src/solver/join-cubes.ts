// Cubes made readable: what an interpolation finds bit by bit is mostly a range of a word. A cube whose bits are the highest of a word is a
// range of it; cubes that differ in one word only are one box in which that word may be in any of their ranges. What is made means exactly
// what the cubes meant.
//
// Invariant: ranges of a word are in ascending order, do not touch each other, and are not everything.

import type { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { anyOf, type Cube, type CubePart } from "./interpolate.js";

interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

/** By word where it may be: a word that is not there may be anywhere. */
type Box = ReadonlyMap<ExprRef, readonly Range[]>;

/** Fixed bits of a word in the middle of it are as many ranges as there are values above them that are free. */
const MOST_RANGES_OF_A_PART = 16;
/** Every pass compares all boxes by text. */
const MOST_PASSES = 32;

/** The conjuncts of a formula that holds where one of the cubes does. */
export function joinedCubes(arena: ExprArena, cubes: readonly Cube[]): readonly ExprRef[] {
  const own = cubes
    .map((cube) => boxOf(arena, cube))
    .filter((box) => [...box.values()].every(({ length }) => length > 0));
  const boxes = joinedBoxes(arena, own);
  if (boxes.some((box) => box.size === 0)) return [];
  const alternatives = boxes.map((box) => [...box].map(([word, ranges]) => rangesFormula(arena, word, ranges)));
  if (alternatives.length === 1) return alternatives[0];
  const all = alternatives.map((parts) => parts.reduce((x, y) => arena.binary("and", x, y)));
  return [anyOf(arena, all)];
}

function boxOf(arena: ExprArena, cube: Cube): Box {
  const parts = new Map<ExprRef, CubePart[]>();
  for (const part of cube) parts.set(part.word, [...(parts.get(part.word) ?? []), part]);
  const box = new Map<ExprRef, readonly Range[]>();
  // Shared words may overlap, and then the part of one may be the other.
  const put = (word: ExprRef, ranges: readonly Range[]): void => {
    const before = box.get(word);
    box.set(word, before === undefined ? ranges : common(before, ranges));
  };
  for (const [word, own] of parts) {
    const ranges = rangesOfParts(own, arena.width(word));
    if (ranges !== null) put(word, ranges);
    else {
      // Bits in the middle are words of their own.
      for (const { lowBit, width, value } of own) {
        put(arena.extract(word, lowBit, width), [{ low: value, high: value }]);
      }
    }
  }
  return box;
}

/** Null if they are too many. */
function rangesOfParts(parts: readonly CubePart[], width: number): readonly Range[] | null {
  const lowest = parts[0].lowBit;
  const free: number[] = [];
  let fixed = 0n;
  let next = lowest;
  for (const { lowBit, width: bits, value } of parts) {
    for (; next < lowBit; next++) free.push(next);
    fixed |= value << BigInt(lowBit);
    next = lowBit + bits;
  }
  for (; next < width; next++) free.push(next);
  if (2 ** free.length > MOST_RANGES_OF_A_PART) return null;
  const below = (1n << BigInt(lowest)) - 1n;
  const ranges: Range[] = [];
  for (let choice = 0; choice < 2 ** free.length; choice++) {
    let low = fixed;
    free.forEach((bit, n) => {
      if ((choice >> n) & 1) low |= 1n << BigInt(bit);
    });
    ranges.push({ low, high: low | below });
  }
  return joined(ranges);
}

/** Until no two of them differ in one word only. */
function joinedBoxes(arena: ExprArena, given: readonly Box[]): readonly Box[] {
  let boxes = given;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const before = boxes.length;
    const words = new Set(boxes.flatMap((box) => [...box.keys()]));
    for (const word of words) boxes = joinedIn(arena, boxes, word);
    if (boxes.length === before) break;
  }
  return boxes;
}

function joinedIn(arena: ExprArena, boxes: readonly Box[], word: ExprRef): readonly Box[] {
  const everything: readonly Range[] = [{ low: 0n, high: (1n << BigInt(arena.width(word))) - 1n }];
  const groups = new Map<string, Box[]>();
  for (const box of boxes) {
    const key = textWithout(box, word);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [box]);
    else group.push(box);
  }
  return [...groups.values()].map((group) => {
    const ranges = joined(group.flatMap((box) => box.get(word) ?? everything));
    const box = new Map(group[0]);
    if (isSame(ranges, everything)) box.delete(word);
    else box.set(word, ranges);
    return box;
  });
}

function textWithout(box: Box, word: ExprRef): string {
  return [...box]
    .filter(([own]) => own !== word)
    .sort(([x], [y]) => x - y)
    .map(([own, ranges]) => `${own}:${ranges.map(({ low, high }) => `${low}-${high}`).join(",")}`)
    .join(";");
}

function isSame(ranges: readonly Range[], others: readonly Range[]): boolean {
  return (
    ranges.length === others.length &&
    ranges.every(({ low, high }, n) => low === others[n].low && high === others[n].high)
  );
}

function joined(ranges: readonly Range[]): readonly Range[] {
  const sorted = [...ranges].sort((x, y) => (x.low < y.low ? -1 : x.low > y.low ? 1 : 0));
  const made: Range[] = [];
  for (const range of sorted) {
    const last = made.at(-1);
    if (last === undefined || range.low > last.high + 1n) made.push(range);
    else if (range.high > last.high) made[made.length - 1] = { low: last.low, high: range.high };
  }
  return made;
}

function common(ranges: readonly Range[], others: readonly Range[]): readonly Range[] {
  return ranges.flatMap((one) =>
    others.flatMap((other) => {
      // The later start is inside of the other range, or nothing is.
      const [early, late] = one.low < other.low ? [one, other] : [other, one];
      if (late.low > early.high) return [];
      return [late.high <= early.high ? late : { low: late.low, high: early.high }];
    }),
  );
}

/** Of the gaps, if they are fewer; signed, if that is one comparison instead of two. */
function rangesFormula(arena: ExprArena, word: ExprRef, ranges: readonly Range[]): ExprRef {
  const width = arena.width(word);
  const largest = (1n << BigInt(width)) - 1n;
  const half = 1n << BigInt(width - 1);
  const number = (value: bigint): ExprRef => arena.constantBig(width, value);
  const isIn = ({ low, high }: Range): ExprRef => {
    if (low === high) return arena.binary("eq", word, number(low));
    const above = low === 0n ? arena.TRUE : arena.binary("ule", number(low), word);
    const under = high === largest ? arena.TRUE : arena.binary("ule", word, number(high));
    return arena.binary("and", above, under);
  };
  const first = ranges[0];
  const last = ranges[ranges.length - 1];
  // The ends meet at -1 and 0: one range of signed numbers.
  const isSigned = ranges.length === 2 && first.low === 0n && last.high === largest;
  if (isSigned && first.high < half && last.low >= half) {
    const above = last.low === half ? arena.TRUE : arena.binary("sle", number(last.low), word);
    const under = first.high === half - 1n ? arena.TRUE : arena.binary("sle", word, number(first.high));
    return arena.binary("and", above, under);
  }
  const gaps = gapsBetween(ranges, largest);
  const isFewer = gaps.length < ranges.length;
  const any = anyOf(arena, (isFewer ? gaps : ranges).map(isIn));
  return isFewer ? arena.not(any) : any;
}

function gapsBetween(ranges: readonly Range[], largest: bigint): readonly Range[] {
  const gaps: Range[] = [];
  let next = 0n;
  for (const { low, high } of ranges) {
    if (low > next) gaps.push({ low: next, high: low - 1n });
    next = high + 1n;
  }
  if (next <= largest) gaps.push({ low: next, high: largest });
  return gaps;
}
