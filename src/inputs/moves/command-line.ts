// What the arguments of an invocation are: options, values of options, operands. Told by their look and by the words that the program
// knows; a program that reads its arguments otherwise gets moves at odd places, nothing worse.

import type { Invocation } from "../invocation.js";
import type { MoveWord } from "./move.js";
import { bytesOf, textOf } from "./shown-text.js";

export interface CommandLine {
  /** One character a byte. */
  readonly texts: readonly string[];
  /** Indices of the arguments that are neither options nor values of options. */
  readonly operands: readonly number[];
  /** Where an option may be put so that it stands before all operands and before `--`. */
  readonly beforeOperands: number;
  /** Indices of arguments like `-xy`, of which all letters are known to take no argument. */
  readonly groups: readonly number[];
}

export function readCommandLine(invocation: Invocation, words: readonly MoveWord[]): CommandLine {
  const texts = invocation.arguments.map(textOf);
  const takesNext = new Set<string>();
  const letters = new Set<string>();
  for (const { text, kind, argument } of words) {
    if (kind === "short-option" && argument === "none") letters.add(text);
    if (argument !== "required") continue;
    if (kind === "short-option") takesNext.add(`-${text}`);
    if (kind === "long-option") takesNext.add(`--${text}`);
  }
  const operands: number[] = [];
  const groups: number[] = [];
  let end: number | null = null;
  for (let n = 0; n < texts.length; n++) {
    const text = texts[n];
    if (end !== null || text === "-" || !text.startsWith("-")) operands.push(n);
    else if (text === "--") end = n;
    else if (takesNext.has(text)) n++;
    else if (/^-[^-]/.test(text) && [...text.slice(1)].every((letter) => letters.has(letter))) groups.push(n);
  }
  const first = operands[0] ?? texts.length;
  return { texts, operands, beforeOperands: end === null ? first : Math.min(first, end), groups };
}

export function withArguments(invocation: Invocation, texts: readonly string[]): Invocation {
  const { arguments: old } = invocation;
  // What did not change stays the same array, so that nobody takes it for new.
  const known = new Map(old.map((bytes) => [textOf(bytes), bytes]));
  return { ...invocation, arguments: texts.map((text) => known.get(text) ?? bytesOf(text)) };
}

/** Most arguments that follow a word as its values: `-exec CMD {} ;`. */
const MOST_VALUES = 4;

/** What other command lines give the word: the arguments that are its values, each use once. */
export function valuesGiven(word: MoveWord, lines: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  const add = (values: readonly string[]): void => {
    if (values.length > 0) found.set(values.join("\0"), values);
  };
  const { text, kind } = word;
  const names = kind === "short-option" ? [`-${text}`] : kind === "long-option" ? [`--${text}`] : asArguments(text);
  for (const line of lines) {
    line.forEach((argument, n) => {
      if (names.includes(argument)) add(valuesAfter(line, n + 1, kind));
      else if (kind === "long-option" && argument.startsWith(`--${text}=`)) add([argument.slice(text.length + 3)]);
      else if (kind === "short-option" && argument.length > 2 && argument.startsWith(`-${text}`))
        add([argument.slice(2)]);
    });
  }
  return [...found.values()];
}

/** A word that stands in a table may be written with dashes or without. */
export function asArguments(text: string): readonly string[] {
  return text.startsWith("-") ? [text] : [`-${text}`, text, `--${text}`];
}

function valuesAfter(line: readonly string[], from: number, kind: MoveWord["kind"]): readonly string[] {
  const isOption = kind === "short-option" || kind === "long-option";
  const rest = line.slice(from, from + (isOption ? 1 : MOST_VALUES));
  const end = rest.findIndex((text) => text.startsWith("-") && text.length > 1);
  return end < 0 ? rest : rest.slice(0, end);
}
