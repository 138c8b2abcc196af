// From lines of the source to blocks of a program. A target is a place in the source: the blocks that begin their wanted lines at the
// same line and column are one target, in whichever inlined copy, header or program they are (KATCH, preprocessing: one target a
// basic block).

import type { ProgramImage } from "../../jit/image.js";
import type { BlockNumber } from "../../program/graph/program-graph.js";

/** What is wanted: lines of a file, as its path ends (`src/diff.c`); or whole functions. */
export interface WantedPlace {
  readonly file: string;
  readonly lines: readonly number[];
  /** Of lines that may have no code of their own: [line, where their statement begins], which then stands for them. */
  readonly starts?: readonly (readonly [number, number])[];
  /** From each of these lines on, the next one with code, unless one of `instead` has some. */
  readonly beside?: readonly { readonly line: number; readonly instead: readonly number[] }[];
}
export interface WantedFunction {
  readonly function: string;
}
export type Wanted = WantedPlace | WantedFunction;

/** A block of the source: counted once, in whichever programs and copies it is. */
export interface TargetPlace {
  /** `src/diff.c:410:7`, the same in every program. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly function: string;
  /** Wanted lines of its blocks. */
  readonly lines: readonly number[];
}
export interface Target extends TargetPlace {
  readonly blocks: readonly BlockNumber[];
}

/**
 * In the order of files and lines. `isLeftOver`: a function of which only inlined copies are executed; blocks that only its own body has
 * are nobody's.
 */
export function targetsIn(
  image: ProgramImage,
  wanted: readonly Wanted[],
  isLeftOver: (functionIndex: number) => boolean = () => false,
): Target[] {
  const files = wanted.flatMap((place) => ("file" in place ? [place] : []));
  const functions = new Set(wanted.flatMap((place) => ("function" in place ? [place.function] : [])));
  const lines = new Map(files.map((place) => [place, linesOf(image, place)]));
  const wantedIn = (file: string): { readonly name: string; readonly lines: WantedLines } | null => {
    const place = files.find((known) => isSameFile(file, known.file));
    return place === undefined ? null : { name: place.file, lines: lines.get(place) ?? new Map() };
  };
  const copies = new CopiedCalls(image);
  const byFile = new Map<string, ReturnType<typeof wantedIn>>();
  const targets = new Map<string, { target: Target; lines: Set<number>; blocks: number[] }>();
  image.coverage.forEach((block, number) => {
    if (block.instructions === 0 || isLeftOver(block.functionIndex)) return;
    // By file: a call that was inlined brings lines of another one into the block.
    const parts = new Map<string, { first: { id: string; target: Target } | null; readonly own: Set<number> }>();
    for (const index of block.locations) {
      const { file, line, column, functionName } = image.locations[index];
      if (line === 0 || copies.isInside(index, block.functionIndex, number)) continue;
      if (!byFile.has(file)) byFile.set(file, wantedIn(file));
      const place = byFile.get(file) ?? null;
      const isWanted = place?.lines.has(line) === true;
      const part = parts.get(place?.name ?? file) ?? { first: null, own: new Set<number>() };
      parts.set(place?.name ?? file, part);
      const { own } = part;
      if (!isWanted && !functions.has(functionName)) continue;
      for (const meant of place?.lines.get(line) ?? [line]) own.add(meant);
      const name = place?.name ?? file;
      // A function's entry is what its name stands for: of its blocks only the first counts.
      if (!isWanted && !isEntry(image, number, functionName)) continue;
      const id = `${name}:${line}:${column}`;
      part.first ??= { id, target: { id, file: name, line, column, function: functionName, lines: [], blocks: [] } };
    }
    for (const { first, own } of parts.values()) {
      if (first === null) continue;
      const known = targets.get(first.id) ?? { target: first.target, lines: new Set(), blocks: [] };
      targets.set(first.id, known);
      for (const line of own) known.lines.add(line);
      known.blocks.push(number);
    }
  });
  for (const name of functions) {
    const has = [...targets.values()].some(({ target }) => target.function === name);
    const copied = has ? null : inlinedEntry(image, name, isLeftOver);
    if (copied === null) continue;
    const { file, line, column } = copied.place;
    const target = { id: `${file}:${line}:${column}`, file, line, column, function: name, lines: [], blocks: [] };
    targets.set(target.id, { target, lines: new Set([line]), blocks: copied.blocks });
  }
  return [...targets.values()]
    .map(({ target, lines: all, blocks }) => ({ ...target, lines: [...all].sort((a, b) => a - b), blocks }))
    .sort((a, b) => (a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1));
}

/** Functions that nothing calls any more, because all calls were inlined. */
export function leftOvers(image: ProgramImage, called: ReadonlySet<number>): (functionIndex: number) => boolean {
  const inlined = new Set<string>();
  for (const { inlinedAt, functionName, file } of image.locations) {
    if (inlinedAt >= 0) inlined.add(`${file}\n${functionName}`);
  }
  return (index) => {
    const { name, file } = image.functions[index];
    return !called.has(index) && inlined.has(`${file}\n${name}`);
  };
}

/** By line with code: the wanted lines that it stands for. */
type WantedLines = ReadonlyMap<number, readonly number[]>;

function linesOf(image: ProgramImage, place: WantedPlace): WantedLines {
  const { file, lines, starts = [] } = place;
  const own = new Map<number, number[]>(lines.map((line) => [line, [line]]));
  for (const line of linesBeside(image, place)) if (!own.has(line)) own.set(line, [line]);
  if (starts.length === 0) return own;
  const withCode = new Set<number>();
  for (const location of image.locations) if (isSameFile(location.file, file)) withCode.add(location.line);
  for (const [line, start] of starts) {
    if (withCode.has(line)) continue;
    // The line of the statement that is nearest before it.
    let at = line;
    while (at > start && !withCode.has(at)) at--;
    if (!withCode.has(at)) continue;
    const known = own.get(at);
    if (known === undefined) own.set(at, [line]);
    else known.push(line);
  }
  return own;
}

/** Code that is further away has little to do with a change. */
const BESIDE_LINES = 12;

/** What a change that has no code itself stands next to. */
function linesBeside(image: ProgramImage, { file, beside = [] }: WantedPlace): number[] {
  if (beside.length === 0) return [];
  const own = new Set<number>();
  const isOwn = new Map<string, boolean>();
  for (const block of image.coverage) {
    for (const index of block.locations) {
      const { file: path, line } = image.locations[index];
      const known = isOwn.get(path) ?? isSameFile(path, file);
      isOwn.set(path, known);
      if (known && line > 0) own.add(line);
    }
  }
  const found: number[] = [];
  for (const { line, instead } of beside) {
    if (instead.some((one) => own.has(one))) continue;
    for (let next = line; next < line + BESIDE_LINES; next++) {
      if (!own.has(next)) continue;
      found.push(next);
      break;
    }
  }
  return found;
}

/** Debug information names files absolutely, a diff relative to the repository. */
export function isSameFile(full: string, path: string): boolean {
  return full === path || full.endsWith(`/${path}`);
}

/** Of a function that was inlined wherever it is called: its first line, in all copies. */
function inlinedEntry(
  image: ProgramImage,
  name: string,
  isLeftOver: (functionIndex: number) => boolean,
): {
  readonly place: { readonly file: string; readonly line: number; readonly column: number };
  blocks: number[];
} | null {
  let place: { readonly file: string; readonly line: number; readonly column: number } | null = null;
  let blocks: number[] = [];
  image.coverage.forEach((block, number) => {
    if (block.instructions === 0 || isLeftOver(block.functionIndex)) return;
    for (const index of block.locations) {
      const { file, line, column, functionName, inlinedAt, origin } = image.locations[index];
      if (functionName !== name || inlinedAt < 0 || line === 0 || origin !== "program") continue;
      const isFirst = place === null || line < place.line;
      if (isFirst) {
        place = { file, line, column };
        blocks = [number];
      } else if (place?.line === line && !blocks.includes(number)) blocks.push(number);
    }
  });
  return place === null ? null : { place, blocks };
}

function isEntry(image: ProgramImage, number: number, functionName: string): boolean {
  const { functionIndex } = image.coverage[number];
  const own = image.functions[functionIndex];
  return own.name === functionName && image.coverage[number - 1]?.functionIndex !== functionIndex;
}

/**
 * A call of a libc function that was inlined leaves its own place in many of the copy's blocks; only the first of these is the call, the
 * others are code of libc.
 */
class CopiedCalls {
  private readonly calls = new Set<number>();
  private readonly first = new Map<string, number>();

  constructor(image: ProgramImage) {
    for (const { origin, inlinedAt } of image.locations) {
      if (origin !== "program" && inlinedAt >= 0) this.calls.add(inlinedAt);
    }
  }

  /** Blocks are asked for in their order. */
  isInside(location: number, functionIndex: number, block: number): boolean {
    if (!this.calls.has(location)) return false;
    const key = `${functionIndex} ${location}`;
    const first = this.first.get(key) ?? block;
    this.first.set(key, first);
    return first !== block;
  }
}
