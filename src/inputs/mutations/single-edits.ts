// Every input that is one small edit away from a test: a line or a word gone or doubled, a number changed, a word in the place of another one
// of the same text, a piece of the text (text-pieces.ts) in the place of another; where it is no text a piece shorter or longer with its
// count, or a byte changed, gone or doubled. Chance finds several edits at once, but may miss for long what one edit shows; there are only
// some thousand of these for a small test.

import type { Invocation } from "../invocation.js";
import { bytesOf, textOf } from "../moves/shown-text.js";
import { countedPiecesAt, recounted } from "./counted-pieces.js";
import { contentsOf } from "./edited-parts.js";
import { joinedBytes } from "./joined-bytes.js";
import { numbersNear } from "./numbers-near.js";
import { PiecePool, pieceEdits } from "./piece-edits.js";
import { isText, replacedToken, type Token, tokensIn } from "./tokens.js";

/** Of one test, and as many of the pieces of its texts. */
const MOST_EDITS = 20_000;
const MOST_LINES = 400;
const MOST_TOKENS = 1000;
const MOST_BYTES = 1024;
const NUMBERS = ["0", "1", "2", "-1", "99999", "2147483648"];
const BYTES = [0, 1, 0x7f, 0x80, 0xff];

export function* singleEdits(from: Invocation): Generator<Invocation> {
  let left = MOST_EDITS;
  for (const { bytes, longest, with: make } of contentsOf(from)) {
    if (bytes.length > longest) continue;
    for (const edited of isText(bytes) ? textEdits(textOf(bytes)) : byteEdits(bytes)) {
      if (left-- <= 0) return;
      if (edited.length <= longest) yield make(edited);
    }
  }
}

/** Edits of the pieces of its texts; `pool` has those of other tests. */
function* singlePieceEdits(from: Invocation, pool: PiecePool): Generator<Invocation> {
  let left = MOST_EDITS;
  for (const { bytes, longest, with: make } of contentsOf(from)) {
    if (!isText(bytes)) continue;
    for (const edited of pieceEdits(textOf(bytes), pool)) {
      if (left-- <= 0) return;
      if (edited.length <= longest) yield make(bytesOf(edited));
    }
  }
}

function* textEdits(text: string): Generator<Uint8Array> {
  const lines = text.split("\n");
  for (let at = 0; at < Math.min(lines.length, MOST_LINES); at++) {
    yield bytesOf(lines.toSpliced(at, 1).join("\n"));
    yield bytesOf(lines.toSpliced(at, 0, lines[at]).join("\n"));
  }
  const tokens = tokensIn(text).slice(0, MOST_TOKENS);
  const own = ({ from, to }: Token): string => text.slice(from, to);
  for (const token of tokens) {
    yield bytesOf(replacedToken(text, token, ""));
    yield bytesOf(replacedToken(text, token, `${own(token)} ${own(token)}`));
    if (token.kind !== "number") continue;
    for (const number of new Set([...NUMBERS, ...numbersNear(own(token))]))
      yield bytesOf(replacedToken(text, token, number));
  }
  // One other word for each, then the next one for each.
  const words = new Map(
    ["word", "number", "signs"].map((kind) => [kind, [...new Set(tokens.filter((one) => one.kind === kind).map(own))]]),
  );
  const most = Math.max(0, ...[...words.values()].map(({ length }) => length));
  for (let step = 1; step < most; step++) {
    for (const token of tokens) {
      const same = words.get(token.kind) ?? [];
      if (step >= same.length) continue;
      yield bytesOf(replacedToken(text, token, same[(same.indexOf(own(token)) + step) % same.length]));
    }
  }
}

function* byteEdits(bytes: Uint8Array): Generator<Uint8Array> {
  const count = Math.min(bytes.length, MOST_BYTES);
  for (let at = 0; at < count; at++) yield* countEdits(bytes, at);
  for (let at = 0; at < count; at++) {
    for (const value of new Set([...BYTES, (bytes[at] + 1) & 255, (bytes[at] + 255) & 255])) {
      if (value === bytes[at]) continue;
      const edited = new Uint8Array(bytes);
      edited[at] = value;
      yield edited;
    }
  }
  for (let at = 0; at < count; at++) {
    yield joinedBytes(bytes.subarray(0, at), bytes.subarray(at + 1));
    yield joinedBytes(bytes.subarray(0, at + 1), bytes.subarray(at));
  }
}

/** Empty, of one byte, a byte shorter and longer, and much longer. */
function* countEdits(bytes: Uint8Array, at: number): Generator<Uint8Array> {
  for (const piece of countedPiecesAt(bytes, at)) {
    for (const count of new Set([0, 1, piece.count - 1, piece.count + 1, 255])) {
      const edited = recounted(bytes, piece, count);
      if (edited !== null) yield edited;
    }
  }
}

/** One of each, as long as there are any. */
function* inTurns<T>(...kinds: readonly Iterator<T>[]): Generator<T> {
  for (let left = [...kinds]; left.length > 0; ) {
    const next = left.map((kind) => ({ kind, ...kind.next() })).filter(({ done }) => done !== true);
    for (const { value } of next) yield value;
    left = next.map(({ kind }) => kind);
  }
}

/** The single edits of several tests, in turns. */
export class SingleEditTurns<T extends { readonly invocation: Invocation }> {
  private readonly pool = new PiecePool();
  private turns: { readonly test: T; readonly edits: Iterator<Invocation> }[] = [];

  add(test: T): void {
    const { invocation } = test;
    for (const { bytes } of contentsOf(invocation)) this.pool.add(bytes);
    this.turns.push({ test, edits: inTurns(singleEdits(invocation), singlePieceEdits(invocation, this.pool)) });
  }

  /** Null if all have been handed out. */
  next(): { readonly from: T; readonly invocation: Invocation } | null {
    for (let turn = this.turns.shift(); turn !== undefined; turn = this.turns.shift()) {
      const { done, value } = turn.edits.next();
      if (done === true) continue;
      this.turns.push(turn);
      return { from: turn.test, invocation: value };
    }
    return null;
  }
}
