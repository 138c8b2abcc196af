// Mutations of an invocation, as fuzzers make them: a few random edits, one on top of the other, of what the program reads (standard input,
// files that the command line names), of an argument, or a move (inputs/moves/) that takes options and files from other tests. Bytes are
// flipped, overwritten, deleted, copied, also very often, numbers are made large, small or negative, and words and pieces of other tests are
// put in, and words that the program compares with. Nothing else is known of the program, so nothing is expensive. Half of the edits of text
// are by words and lines (token-edits.ts) or by pieces (piece-edits.ts).
//
// The same tests and the same seed of randomness give the same mutations.

import type { Random } from "../../support/random.js";
import type { Invocation } from "../invocation.js";
import { invocationKey, problemOf } from "../moves/invocation-key.js";
import type { Move, MoveWord } from "../moves/move.js";
import { movesOf } from "../moves/moves.js";
import { bytesOf, textOf } from "../moves/shown-text.js";
import { asksTheMachine } from "../system-files.js";
import { countedPiecesAt, recounted } from "./counted-pieces.js";
import { argumentsOf, contentsOf } from "./edited-parts.js";
import { joinedBytes } from "./joined-bytes.js";
import { manyTimes } from "./many-times.js";
import { numbersNear } from "./numbers-near.js";
import { PiecePool, randomPieceEdit } from "./piece-edits.js";
import { spliced } from "./splice.js";
import { TokenEdits } from "./token-edits.js";
import { isText } from "./tokens.js";

/** Edits at once: 1, 2, 4 or 8. */
const MOST_DOUBLINGS = 4;
/** One mutation of so many is a move, one of an argument. */
const MOVE_EVERY = 8;
const ARGUMENT_EVERY = 8;
/** One of so many begins with a part of another input. */
const SPLICE_EVERY = 6;
/** Of the edits of text by words one of so many is by pieces. */
const PIECES_EVERY = 4;
/** Tests whose words and files are taken. */
const MOST_OTHERS = 64;
const MOST_WORDS = 2048;
const LONGEST_WORD = 32;
const MOST_TEXT = 16_384;
/** Bytes that are deleted or copied at once. */
const LONGEST_CHUNK = 256;
const INTERESTING = [0, 1, 9, 10, 32, 34, 39, 48, 57, 64, 127, 128, 255];
const POINT = 0x2e;
/** Of a number in the text: how far to look for it. */
const NUMBER_REACH = 64;
/** Of a count in what is no text. */
const COUNT_REACH = 16;
const NUMBERS = [
  "0",
  "-1",
  "1",
  "2",
  "9",
  "16",
  "127",
  "255",
  "256",
  "1000",
  "32768",
  "65536",
  "99999",
  "2147483648",
  "0.1",
];
/** Bytes of inputs that are remembered, so that nothing is made twice. */
const MOST_MET = 100_000;

export class SeedMutator {
  private readonly words: readonly Uint8Array[];
  private readonly pieces: readonly Uint8Array[];
  private readonly tokens: TokenEdits;
  private readonly pool = new PiecePool();
  private readonly others: readonly Invocation[];
  private readonly moves = new WeakMap<Invocation, Iterator<Move>>();
  private readonly met = new Set<string>();

  /** `known`: words of the program's own. */
  constructor(
    others: readonly Invocation[],
    private readonly random: Random,
    known: readonly MoveWord[] = [],
  ) {
    this.others = others.slice(0, MOST_OTHERS);
    this.words = evenly(wordsOf(this.others), contentWords(known));
    this.pieces = this.others.flatMap((other) => contentsOf(other).map(({ bytes }) => bytes));
    this.tokens = new TokenEdits(this.words.map(textOf), this.pieces, random);
    for (const bytes of this.pieces) this.pool.add(bytes);
  }

  /** `other`: perhaps with a part of this one. Null if nothing new came of it; another try may do. */
  mutate(from: Invocation, other: Invocation | null = null): Invocation | null {
    const { random } = this;
    const isMove = random.next() % MOVE_EVERY === 0 && from.literals === undefined;
    return this.accepted(isMove ? this.moved(from) : this.edited(from, other), from);
  }

  /** Null if it cannot be run, or was handed out before. */
  accepted(made: Invocation | null, from: Invocation): Invocation | null {
    if (made === null || problemOf(made, from) !== null || asksTheMachine(made, from)) return null;
    const key = invocationKey(made);
    if (this.met.has(key)) return null;
    if (this.met.size < MOST_MET) this.met.add(key);
    return made;
  }

  private moved(from: Invocation): Invocation | null {
    const { random, others } = this;
    const moves = this.moves.get(from) ?? movesOf(from, { words: [], others, preferred: [], random });
    this.moves.set(from, moves);
    const next = moves.next();
    return next.done === true ? null : next.value.invocation;
  }

  private edited(from: Invocation, other: Invocation | null): Invocation | null {
    const { random } = this;
    const contents = contentsOf(from);
    const all = contents.length === 0 || random.next() % ARGUMENT_EVERY === 0 ? argumentsOf(from) : contents;
    const part = this.pick(all.length === 0 ? contents : all);
    if (part === null) return null;
    let { bytes } = part;
    if (other !== null && other !== from && random.next() % SPLICE_EVERY === 0) {
      const parts = contentsOf(other);
      const piece = parts.find(({ name }) => name === part.name) ?? this.pick(parts);
      const both = piece === null ? bytes : spliced(bytes, piece.bytes, random);
      if (both.length <= part.longest) bytes = both;
    }
    const byTokens = random.next() % 2 === 0;
    for (let left = 1 << (random.next() % MOST_DOUBLINGS); left > 0; left--) {
      const next = (byTokens ? this.editText(bytes) : null) ?? this.edit(bytes);
      if (next.length <= part.longest) bytes = next;
    }
    return part.with(bytes);
  }

  /** Null if it is no text. */
  private editText(bytes: Uint8Array): Uint8Array | null {
    const { random, pool, tokens } = this;
    const made = random.next() % PIECES_EVERY === 0 ? randomPieceEdit(bytes, pool, random) : null;
    return made === null ? tokens.edit(bytes) : bytesOf(made);
  }

  private edit(bytes: Uint8Array): Uint8Array {
    const { random } = this;
    const { length } = bytes;
    const at = length === 0 ? 0 : random.next() % length;
    const chunk = Math.min(length - at, 1 + (random.next() % (random.next() % 4 === 0 ? LONGEST_CHUNK : 8)));
    // The last kind is for what is no text.
    switch (length === 0 ? 0 : random.next() % (isText(bytes) ? 10 : 11)) {
      case 0:
      case 1:
        // A word put in, most often.
        return replaced(bytes, at, 0, this.pick(this.words) ?? Uint8Array.of(random.next() >>> 24));
      case 2:
        return replaced(bytes, at, chunk, this.pick(this.words) ?? new Uint8Array(0));
      case 3:
        return replaced(bytes, at, 1, Uint8Array.of(bytes[at] ^ (1 << (random.next() & 7))));
      case 4:
        return replaced(bytes, at, 1, Uint8Array.of(INTERESTING[random.next() % INTERESTING.length]));
      case 5:
        return replaced(bytes, at, chunk, new Uint8Array(0));
      case 6: {
        // A piece of it again, somewhere else or many times: buffers have an end.
        const piece = bytes.subarray(at, at + chunk);
        const times = random.next() % 4 === 0 ? manyTimes(piece.length, random) : 1;
        const many = new Uint8Array(piece.length * times);
        for (let n = 0; n < times; n++) many.set(piece, n * piece.length);
        return replaced(bytes, random.next() % (length + 1), 0, many);
      }
      case 7:
        return this.otherNumber(bytes, at);
      case 8: {
        // A piece of another test.
        const other = this.pick(this.pieces) ?? bytes;
        const from = other.length === 0 ? 0 : random.next() % other.length;
        const count = 1 + (random.next() % LONGEST_CHUNK);
        return replaced(bytes, at, random.next() % 2 === 0 ? chunk : 0, other.subarray(from, from + count));
      }
      case 10:
        return this.otherCount(bytes, at) ?? this.otherNumber(bytes, at);
      default:
        return replaced(bytes, at, 1, Uint8Array.of(random.next() >>> 24));
    }
  }

  /** The next piece that has its length before it becomes shorter, or longer. Null if there is none. */
  private otherCount(bytes: Uint8Array, from: number): Uint8Array | null {
    const { random } = this;
    for (let at = from; at < Math.min(bytes.length, from + COUNT_REACH); at++) {
      const piece = this.pick(countedPiecesAt(bytes, at));
      if (piece === null) continue;
      const isLonger = random.next() % 4 === 0;
      return recounted(bytes, piece, isLonger ? piece.count + 1 + (random.next() % 64) : random.next() % piece.count);
    }
    return null;
  }

  /** The next number in the text becomes another one. */
  private otherNumber(bytes: Uint8Array, at: number): Uint8Array {
    const { random } = this;
    let from = at;
    while (from < Math.min(bytes.length, at + NUMBER_REACH) && !isDigit(bytes[from])) from++;
    if (from >= bytes.length || !isDigit(bytes[from])) return bytes;
    let to = from;
    while (to < bytes.length && isDigit(bytes[to])) to++;
    // With what stands behind its point, or without.
    if (bytes[to] === POINT && isDigit(bytes[to + 1]) && random.next() % 4 !== 0) {
      to += 2;
      while (to < bytes.length && isDigit(bytes[to])) to++;
    }
    const old = textOf(bytes.subarray(from, Math.min(to, from + 15)));
    const number = this.pick(random.next() % 2 === 0 ? numbersNear(old) : NUMBERS) ?? "0";
    return replaced(bytes, from, to - from, bytesOf(number));
  }

  private pick<T>(values: readonly T[]): T | null {
    return values.length === 0 ? null : values[this.random.next() % values.length];
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function replaced(bytes: Uint8Array, at: number, count: number, by: Uint8Array): Uint8Array {
  return joinedBytes(bytes.subarray(0, at), by, bytes.subarray(at + count));
}

/** What may stand in what it reads: options and names of variables are for the command line and the environment. */
function contentWords(known: readonly MoveWord[]): readonly Uint8Array[] {
  return known.filter(({ kind }) => kind === "compared" || kind === "table").map(({ text }) => bytesOf(text));
}

/** One list, of which either is drawn as often as the other, however long they are. */
function evenly<T>(some: readonly T[], others: readonly T[]): readonly T[] {
  if (some.length === 0 || others.length === 0) return [...some, ...others];
  return Array.from({ length: 2 * Math.max(some.length, others.length) }, (_, n) => {
    const list = n % 2 === 0 ? some : others;
    return list[(n >> 1) % list.length];
  });
}

/** Names, numbers and runs of signs, each once. */
function wordsOf(invocations: readonly Invocation[]): readonly Uint8Array[] {
  const words = new Set<string>();
  for (const invocation of invocations) {
    for (const { bytes } of [...contentsOf(invocation), ...argumentsOf(invocation)]) {
      const text = textOf(bytes.subarray(0, MOST_TEXT));
      for (const [word] of text.matchAll(/[A-Za-z_][\w-]*|[\d.]+|[^\s\w]+/g)) {
        if (words.size >= MOST_WORDS) return [...words].map(bytesOf);
        words.add(word.slice(0, LONGEST_WORD));
      }
    }
  }
  return [...words].map(bytesOf);
}
