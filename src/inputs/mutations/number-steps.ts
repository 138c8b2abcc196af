// One number of an input moved by a step that can be made again: for searches that know whether they came nearer. In text it is a number as
// it is written, elsewhere a word of one, two or four bytes.

import type { Random } from "../../support/random.js";
import type { Invocation } from "../invocation.js";
import { bytesOf, textOf } from "../moves/shown-text.js";
import { argumentsOf, contentsOf, type EditedPart } from "./edited-parts.js";
import { isText, replacedToken, type Token, tokensIn } from "./tokens.js";

/** The new value is the old one times `times` plus `plus`. */
export interface NumberStep {
  /** Which of what can be edited, by its name. */
  readonly part: string;
  /** Which number of a text; where a word begins in what is none. */
  readonly at: number;
  /** Bytes of a word; 0 in a text. */
  readonly width: number;
  readonly isBigEndian: boolean;
  readonly times: number;
  readonly plus: number;
}

const TIMES = [0, 0.1, 0.5, 0.9, 1.1, 2, 10, -1];
const WIDTHS = [1, 1, 2, 4];
/** Digits of a step at most. */
const MOST_DIGITS = 6;
const LARGEST = 1e15;

/** Null if there is nothing to be moved. */
export function randomStep(from: Invocation, random: Random): NumberStep | null {
  const parts = editedParts(from);
  if (parts.length === 0) return null;
  const part = parts[random.next() % parts.length];
  if (!isText(part.bytes)) return part.bytes.length === 0 ? null : wordStep(part, random);
  const text = textOf(part.bytes);
  const numbers = numbersOf(text);
  if (numbers.length === 0) return null;
  const at = random.next() % numbers.length;
  const place = { part: part.name, at, width: 0, isBigEndian: false };
  const kind = random.next() % 4;
  if (kind === 0) return { ...place, times: TIMES[random.next() % TIMES.length], plus: 0 };
  // As another number of the same text.
  if (kind === 1) return { ...place, times: 0, plus: numberAt(text, numbers[random.next() % numbers.length]) };
  const digits = Math.min(MOST_DIGITS, numbers[at].to - numbers[at].from);
  return { ...place, times: 1, plus: signed(10 ** (random.next() % digits), random) };
}

function wordStep(part: EditedPart, random: Random): NumberStep {
  const width = Math.min(WIDTHS[random.next() % WIDTHS.length], part.bytes.length);
  const at = random.next() % (part.bytes.length - width + 1);
  const plus = signed(2 ** (random.next() % (8 * width)), random);
  return { part: part.name, at, width, isBigEndian: random.next() % 2 === 0, times: 1, plus };
}

function signed(size: number, random: Random): number {
  return random.next() % 2 === 0 ? size : -size;
}

/** Null if that number is not there any more, or stays what it is. */
export function stepped(from: Invocation, step: NumberStep): Invocation | null {
  const part = editedParts(from).find(({ name }) => name === step.part);
  if (part === undefined) return null;
  const bytes = step.width === 0 ? steppedText(part.bytes, step) : steppedWord(part.bytes, step);
  return bytes === null || bytes.length > part.longest ? null : part.with(bytes);
}

function steppedText(bytes: Uint8Array, { at, times, plus }: NumberStep): Uint8Array | null {
  if (!isText(bytes)) return null;
  const text = textOf(bytes);
  const token = numbersOf(text)[at];
  if (token === undefined) return null;
  const own = text.slice(token.from, token.to);
  const is = numberAt(text, token) * times + plus;
  if (!Number.isFinite(is) || Math.abs(is) > LARGEST) return null;
  const shown = own.includes(".") ? `${Number(is.toPrecision(6))}` : `${Math.round(is)}`;
  return shown === own ? null : bytesOf(replacedToken(text, token, shown));
}

function steppedWord(bytes: Uint8Array, { at, width, isBigEndian, plus }: NumberStep): Uint8Array | null {
  if (at + width > bytes.length) return null;
  const made = bytes.slice();
  let carry = plus;
  for (let n = 0; n < width; n++) {
    const place = isBigEndian ? at + width - 1 - n : at + n;
    const sum = made[place] + carry;
    made[place] = sum & 0xff;
    carry = Math.floor(sum / 256);
  }
  return made;
}

function editedParts(from: Invocation): readonly EditedPart[] {
  const contents = contentsOf(from);
  return contents.length > 0 ? contents : argumentsOf(from);
}

/** With the sign before them: a number that became negative can be moved again. */
function numbersOf(text: string): readonly Token[] {
  return tokensIn(text)
    .filter(({ kind }) => kind === "number")
    .map((token) => (/(^|[\s,(])-$/.test(text.slice(0, token.from)) ? { ...token, from: token.from - 1 } : token));
}

function numberAt(text: string, { from, to }: Token): number {
  return Number(text.slice(from, to));
}
