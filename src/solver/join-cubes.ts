// Cubes made readable: what an interpolation finds bit by bit is mostly a range of a word. Cubes that differ in one
// word only are one box in which that word may be what any of them allows; and what a word may be is told as ranges, if
// they are few. What is made means exactly what the cubes meant.

import type { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { anyOf, type Cube } from "./interpolate.js";

interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

/** The bits of the mask are those of the value. */
interface Pattern {
  readonly mask: bigint;
  readonly value: bigint;
}

/** What a word may be. */
interface WordSet {
  readonly patterns: readonly Pattern[];
  /** The same, ascending and apart from each other; null if they are too many. */
  readonly ranges: readonly Range[] | null;
  /** Equal sets that are ranges have equal texts. */
  readonly text: string;
}

/** By word where it may be: a word that is not there may be anywhere. */
type Box = ReadonlyMap<ExprRef, WordSet>;

const MOST_RANGES = 16;
/** To find the ranges of a set. */
const MOST_STEPS = 4096;
/** Every pass compares all boxes by text. */
const MOST_PASSES = 32;

/** The conjuncts of a formula that holds where one of the cubes does. */
export function joinedCubes(arena: ExprArena, cubes: readonly Cube[]): readonly ExprRef[] {
  const boxes = joinedBoxes(
    arena,
    cubes.map((cube) => boxOf(arena, cube)),
  );
  const alternatives = boxes.map((box) => [...box].map(([word, set]) => formulaOf(arena, word, set)));
  if (alternatives.length === 1) return alternatives[0];
  const all = alternatives.map((parts) => parts.reduce((x, y) => arena.binary("and", x, y), arena.TRUE));
  const any = anyOf(arena, all);
  return any === arena.TRUE ? [] : [any];
}

function boxOf(arena: ExprArena, cube: Cube): Box {
  const patterns = new Map<ExprRef, Pattern>();
  for (const { word, lowBit, width, value } of cube) {
    const before = patterns.get(word) ?? EVERYTHING;
    const mask = ((1n << BigInt(width)) - 1n) << BigInt(lowBit);
    patterns.set(word, { mask: before.mask | mask, value: before.value | (value << BigInt(lowBit)) });
  }
  return new Map([...patterns].map(([word, pattern]) => [word, setOf([pattern], arena.width(word))]));
}

const EVERYTHING: Pattern = { mask: 0n, value: 0n };

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
  const groups = new Map<string, Box[]>();
  for (const box of boxes) {
    const key = textWithout(box, word);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [box]);
    else group.push(box);
  }
  return [...groups.values()].map((group) => {
    if (group.length === 1) return group[0];
    const set = setOf(
      group.flatMap((box) => box.get(word)?.patterns ?? [EVERYTHING]),
      arena.width(word),
    );
    const box = new Map(group[0]);
    if (isEverything(set, arena.width(word))) box.delete(word);
    else box.set(word, set);
    return box;
  });
}

function textWithout(box: Box, word: ExprRef): string {
  return [...box]
    .filter(([own]) => own !== word)
    .sort(([x], [y]) => x - y)
    .map(([own, { text }]) => `${own}:${text}`)
    .join(";");
}

function setOf(patterns: readonly Pattern[], width: number): WordSet {
  const ranges = rangesOf(patterns, width);
  const texts =
    ranges === null
      ? [...new Set(patterns.map(({ mask, value }) => `${mask}/${value}`))].sort()
      : ranges.map(({ low, high }) => `${low}-${high}`);
  return { patterns, ranges, text: texts.join(",") };
}

function isEverything({ ranges }: WordSet, width: number): boolean {
  return ranges?.length === 1 && ranges[0].low === 0n && ranges[0].high === (1n << BigInt(width)) - 1n;
}

/** From the highest bit down: a prefix that a pattern allows with all that may follow is a range. */
function rangesOf(patterns: readonly Pattern[], width: number): readonly Range[] | null {
  const ranges: Range[] = [];
  let steps = 0;
  const add = (low: bigint, high: bigint): void => {
    const last = ranges.at(-1);
    if (last !== undefined && last.high + 1n === low) ranges[ranges.length - 1] = { low: last.low, high };
    else ranges.push({ low, high });
  };
  /** `bits` are not decided; `alive` allow the bits above. */
  const walk = (bits: number, prefix: bigint, alive: readonly Pattern[]): void => {
    if (alive.length === 0 || ranges.length > MOST_RANGES || ++steps > MOST_STEPS) return;
    const below = (1n << BigInt(bits)) - 1n;
    if (alive.some(({ mask }) => (mask & below) === 0n)) {
      add(prefix, prefix | below);
      return;
    }
    const bit = 1n << BigInt(bits - 1);
    const allowing = (wanted: bigint): Pattern[] =>
      alive.filter(({ mask, value }) => (mask & bit) === 0n || (value & bit) === wanted);
    walk(bits - 1, prefix, allowing(0n));
    walk(bits - 1, prefix | bit, allowing(bit));
  };
  walk(width, 0n, patterns);
  return ranges.length > MOST_RANGES || steps > MOST_STEPS ? null : ranges;
}

function formulaOf(arena: ExprArena, word: ExprRef, { patterns, ranges }: WordSet): ExprRef {
  if (ranges !== null) return rangesFormula(arena, word, ranges);
  const width = arena.width(word);
  const formulas = patterns.map(({ mask, value }) => {
    const chosen = arena.binary("and", word, arena.constantBig(width, mask));
    return arena.binary("eq", chosen, arena.constantBig(width, value));
  });
  return anyOf(arena, formulas);
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
