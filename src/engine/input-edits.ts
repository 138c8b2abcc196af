// Inputs made of others without a question: words of the program put in, parts of other inputs, single bytes, parts cut
// out or doubled, as fuzzers do. What an edit is worth is found by running it; nothing here is predicted.
//
// Why beside a solver: a word of the program's own (`define`, `<!DOCTYPE`) is one edit, but a decision a letter to a
// search, and behind hashes and tables of states it is no question that can be asked at all.

import type { Model } from "../solver/solver.js";
import type { Random } from "../support/random.js";

/** A part of the input that is edited for itself: what is put in moves only what is behind it there. */
export interface EditedPart {
  readonly first: number;
  readonly size: number;
}

/** Words that the program knows: those that stand for themselves, and those from within longer texts. */
export interface KnownWords {
  readonly whole: readonly Uint8Array[];
  readonly parts: readonly Uint8Array[];
}

/** Characters that a program reads one at a time, each as an object of its own, are a text for an edit. */
export function charactersJoined(parts: readonly EditedPart[]): EditedPart[] {
  const joined: { first: number; size: number; isText: boolean }[] = [];
  for (const { first, size } of parts) {
    const last = joined.at(-1);
    if (last?.isText && size === 1 && last.first + last.size === first) last.size++;
    else joined.push({ first, size, isText: size === 1 });
  }
  return joined;
}

const NEWLINE = 0x0a;
/** What stands between words, or around them, in most languages. */
const SEPARATORS: Uint8Array = Buffer.from(" \n\t;:,.()[]{}<>=+-*/\\'\"`$#@!?%&|^~_0123456789aAx", "latin1");
/** One in so many times the next edit is the last one. */
const STOPS_ONE_IN = 2;
const MOST_EDITS = 6;
const LONGEST_COPY = 12;

export class InputEdits {
  constructor(
    private readonly random: Random,
    private readonly words: KnownWords,
    /** What runs have read so far. */
    private readonly parts: () => readonly EditedPart[],
  ) {}

  /** Another input; null if there is nothing to edit. */
  edited(from: Model, other: Model): Model | null {
    const parts = this.parts().filter(({ size }) => size > 0);
    if (parts.length === 0) return null;
    const end = parts.reduce((most, { first, size }) => Math.max(most, first + size), from.length);
    const made = new Uint8Array(end);
    made.set(from);
    for (let edit = 0; edit < MOST_EDITS; edit++) {
      this.edit(made, other, parts[this.below(parts.length)]);
      if (this.below(STOPS_ONE_IN) === 0) break;
    }
    return made;
  }

  private edit(model: Model, other: Model, { first, size }: EditedPart): void {
    const bytes = model.subarray(first, first + size);
    const at = this.place(bytes);
    switch (this.below(8)) {
      case 0:
      case 1:
        this.insert(bytes, at, this.word());
        break;
      case 2:
        bytes.set(this.word().subarray(0, size - at), at);
        break;
      case 3:
        this.insert(bytes, at, this.pieceOf(other, first, size));
        break;
      case 4:
        bytes.set(this.pieceOf(other, first, size).subarray(0, size - at), at);
        break;
      case 5:
        bytes[at] = this.byte(bytes);
        break;
      case 6:
        this.insert(bytes, at, Uint8Array.of(this.byte(bytes)));
        break;
      default:
        this.cutOut(bytes, at, 1 + this.below(Math.min(LONGEST_COPY, size - at)));
    }
  }

  /** Half of the time where a word may begin. */
  private place(bytes: Uint8Array): number {
    const at = this.below(bytes.length);
    if (this.below(2) === 0) return at;
    let place = at;
    while (place > 0 && isWordByte(bytes[place - 1])) place--;
    return place;
  }

  /** Perhaps with what ends it. */
  private word(): Uint8Array {
    const { whole, parts } = this.words;
    const all = parts.length > 0 && (whole.length === 0 || this.below(3) === 0) ? parts : whole;
    if (all.length === 0) return Uint8Array.of(this.separator());
    const word = all[this.below(all.length)];
    return this.below(2) === 0 ? word : Uint8Array.of(...word, this.separator());
  }

  private pieceOf(other: Model, first: number, size: number): Uint8Array {
    const from = first + this.below(size);
    const length = 1 + this.below(Math.min(LONGEST_COPY, first + size - from));
    return from + length <= other.length ? other.slice(from, from + length) : Uint8Array.of(this.separator());
  }

  /** One that is there already, one that often means something, or any. */
  private byte(bytes: Uint8Array): number {
    const kind = this.below(8);
    if (kind === 0) return this.below(256);
    return kind < 4 ? bytes[this.below(bytes.length)] : this.separator();
  }

  private separator(): number {
    return SEPARATORS[this.below(SEPARATORS.length)];
  }

  private insert(bytes: Uint8Array, at: number, what: Uint8Array): void {
    const put = what.subarray(0, bytes.length - at);
    bytes.copyWithin(at + put.length, at, bytes.length - put.length);
    bytes.set(put, at);
  }

  private cutOut(bytes: Uint8Array, at: number, length: number): void {
    bytes.copyWithin(at, at + length);
    bytes.fill(this.below(2) === 0 ? 0 : NEWLINE, bytes.length - length);
  }

  private below(count: number): number {
    return this.random.next() % count;
  }
}

function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte > 0x7f
  );
}
