// Edits of text by its pieces (text-pieces.ts): one in the place of another of the same kind and shape, from the same text or another test,
// one put behind another, one left out, and lists that become longer. So an attribute of one element becomes another's, and a statement of
// one test stands where the other test has one: what a person would try who reads both, and what random bytes and words do not come to.

import type { Random } from "../../support/random.js";
import { textOf } from "../moves/shown-text.js";
import { manyTimes } from "./many-times.js";
import { piecesIn, type TextPiece } from "./text-pieces.js";
import { isText } from "./tokens.js";

/** How long a list becomes. */
const LIST_LENGTHS = [5, 20, 40, 80, 160, 300, 1000];
const LONGEST_LIST = 8192;
/** Of one text, and of one kind and shape in all tests. */
const MOST_PIECES = 400;
const MOST_ALIKE = 256;
const LONGEST_PIECE = 2048;

/** What the tests have of each kind, each once. */
export class PiecePool {
  private readonly known = new Map<string, string[]>();
  private readonly met = new Set<string>();
  private readonly read = new WeakMap<Uint8Array, readonly TextPiece[]>();

  add(bytes: Uint8Array): void {
    if (!isText(bytes)) return;
    const text = textOf(bytes);
    for (const piece of this.piecesOf(bytes, text)) {
      const own = text.slice(piece.from, piece.to);
      const key = keyOf(piece);
      if (own.length > LONGEST_PIECE || this.met.has(`${key} ${own}`)) continue;
      this.met.add(`${key} ${own}`);
      const alike = this.known.get(key);
      if (alike === undefined) this.known.set(key, [own]);
      else if (alike.length < MOST_ALIKE) alike.push(own);
    }
  }

  /** Texts of that kind and shape. */
  like(piece: TextPiece): readonly string[] {
    return this.known.get(keyOf(piece)) ?? [];
  }

  piecesOf(bytes: Uint8Array, text: string): readonly TextPiece[] {
    let pieces = this.read.get(bytes);
    if (pieces === undefined) {
      pieces = piecesIn(text).slice(0, MOST_PIECES);
      this.read.set(bytes, pieces);
    }
    return pieces;
  }
}

function keyOf({ kind, shape }: TextPiece): string {
  return `${kind} ${shape}`;
}

/**
 * All single ones. What encloses something goes before single fields: there are few of these, and they change most. Of each kind one other
 * piece for each, then the next one for each.
 */
export function* pieceEdits(text: string, pool: PiecePool): Generator<string> {
  const pieces = piecesIn(text).slice(0, MOST_PIECES);
  for (const piece of pieces) yield without(text, piece);
  for (const [n, piece] of pieces.entries()) {
    if (piece.separator === null || pieces[n - 1]?.separator === piece.separator) continue;
    for (const count of LIST_LENGTHS) {
      const longer = longerList(text, piece, count);
      if (longer !== null) yield longer;
    }
  }
  const own = new Map<string, Set<string>>();
  for (const piece of pieces) {
    const alike = own.get(keyOf(piece)) ?? new Set();
    own.set(keyOf(piece), alike.add(text.slice(piece.from, piece.to)));
  }
  // Those of the same text first.
  const others = pieces.map((piece) => [...new Set([...(own.get(keyOf(piece)) ?? []), ...pool.like(piece)])]);
  const most = others.reduce((longest, { length }) => Math.max(longest, length), 0);
  for (const { fields, edit } of ORDER) {
    for (let step = 0; step < most; step++) {
      for (const [n, piece] of pieces.entries()) {
        if (step >= others[n].length || isField(piece) !== fields) continue;
        const made = edit(text, piece, others[n][step]);
        if (made !== text) yield made;
      }
    }
  }
}

const ORDER = [
  { fields: false, edit: replaced },
  { fields: true, edit: replaced },
  { fields: false, edit: followed },
  { fields: true, edit: followed },
] as const;

/** One at random. Null if the text has no pieces. */
export function randomPieceEdit(bytes: Uint8Array, pool: PiecePool, random: Random): string | null {
  if (!isText(bytes)) return null;
  const text = textOf(bytes);
  const pieces = pool.piecesOf(bytes, text);
  if (pieces.length === 0) return null;
  const piece = pieces[random.next() % pieces.length];
  const kind = random.next() % 8;
  if (kind === 0) return without(text, piece);
  if (kind === 1 && piece.separator !== null)
    return longerList(text, piece, manyTimes(piece.to - piece.from + piece.separator.length, random));
  const other = alike(text, pieces, piece, pool, random);
  return kind < 6 ? replaced(text, piece, other) : followed(text, piece, other);
}

/** Of the text itself half of the time. */
function alike(text: string, pieces: readonly TextPiece[], piece: TextPiece, pool: PiecePool, random: Random): string {
  const others = pool.like(piece);
  if (others.length > 0 && random.next() % 2 === 0) return others[random.next() % others.length];
  const same = pieces.filter((one) => keyOf(one) === keyOf(piece));
  const { from, to } = same[random.next() % same.length];
  return text.slice(from, to);
}

function replaced(text: string, { from, to }: TextPiece, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

function isField({ kind }: TextPiece): boolean {
  return kind.startsWith("field");
}

/** A field with the space before it. */
function without(text: string, piece: TextPiece): string {
  const { from, to } = piece;
  return text.slice(0, isField(piece) && text[from - 1] === " " ? from - 1 : from) + text.slice(to);
}

function followed(text: string, piece: TextPiece, by: string): string {
  const { to, separator } = piece;
  return text.slice(0, to) + (isField(piece) ? (separator ?? " ") : "") + by + text.slice(to);
}

function longerList(text: string, piece: TextPiece, count: number): string | null {
  const { from, to, separator } = piece;
  const one = text.slice(from, to) + (separator ?? "");
  return one.length * count > LONGEST_LIST ? null : text.slice(0, from) + one.repeat(count) + text.slice(from);
}
