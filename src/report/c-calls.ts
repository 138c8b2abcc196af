// Arguments of calls in a C source, found by the function's name: enough to put another number in the place of one. Comments, strings and
// characters are blanked out first, so that only brackets and commas of the code count.

import type { NumberPlace } from "../support/literal-names.js";
import { numberIn } from "../support/literal-numbers.js";

export interface CallPlace extends NumberPlace {
  /** Where the call's statement begins: a macro that the call stands in may begin lines before it. */
  readonly line: number;
  /** Which of the calls of this function from there on; 1 for the first. */
  readonly number: number;
  readonly before: Uint8Array;
}

/** What the argument's text is if the source shows it, and nothing but a number of this value or a name stands there; else null. */
export function argumentIn(
  source: string,
  { line, number, callee, argument, form, before }: CallPlace,
): { readonly start: number; readonly end: number } | null {
  const code = blanked(source);
  const start = startOfLine(code, line);
  if (start < 0) return null;
  const calls = new RegExp(`(?<![\\w.])${callee.replace(/[.$]/g, "\\$&")}\\s*\\(`, "g");
  calls.lastIndex = start;
  let found: RegExpExecArray | null = null;
  for (let n = 0; n < number; n++) {
    found = calls.exec(code);
    if (found === null || linesBetween(code, start, found.index) > MOST_LINES) return null;
  }
  const at = found === null ? null : argumentAt(code, calls.lastIndex, argument);
  if (at === null) return null;
  const value = plainNumber(source.slice(at.start, at.end));
  // A name or an expression is what it is; only a number can be compared.
  if (value === null) return linesBetween(code, start, at.start) === 0 ? at : null;
  return isSame(value, numberIn(form, before), form) ? at : null;
}

/** A statement has no more lines. */
const MOST_LINES = 12;
const BLANKED = /\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\/\/[^\n]*|'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?/g;

function blanked(source: string): string {
  return source.replace(BLANKED, (text) => {
    // What a character or a string stands for is an operand like any other; a comment is nothing.
    const by = text.startsWith("/") ? " " : "_";
    return text.replace(/[^\n]/g, by);
  });
}

function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let n = 1; n < line; n++) {
    at = text.indexOf("\n", at) + 1;
    if (at === 0) return -1;
  }
  return at;
}

function linesBetween(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** `from`: behind the opening bracket. */
function argumentAt(
  code: string,
  from: number,
  argument: number,
): { readonly start: number; readonly end: number } | null {
  let depth = 0;
  let number = 1;
  let start = from;
  for (let at = from; at < code.length; at++) {
    const one = code[at];
    if ("([{".includes(one)) depth++;
    const isEnd = depth === 0 && (one === ")" || one === ",");
    if (isEnd && number === argument) return trimmed(code, start, at);
    if (isEnd && one === ")") return null;
    if (isEnd) {
      number++;
      start = at + 1;
    } else if (")]}".includes(one)) depth--;
    if (one === ";" || depth < 0) return null;
  }
  return null;
}

function trimmed(code: string, from: number, to: number): { readonly start: number; readonly end: number } | null {
  let start = from;
  let end = to;
  while (start < end && /\s/.test(code[start])) start++;
  while (end > start && /\s/.test(code[end - 1])) end--;
  return start === end ? null : { start, end };
}

const INTEGER = /^(0[xX][0-9a-fA-F]+|\d+)[uUlLzZ]*$/;
const FLOAT = /^(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)[fFlL]?$/;

/** Null if it is no plain number. */
function plainNumber(text: string): bigint | number | null {
  const sign = /^-\s*/.exec(text)?.[0] ?? "";
  const rest = text.slice(sign.length);
  const integer = INTEGER.exec(rest)?.[1];
  if (integer !== undefined) {
    const value = BigInt(/^0\d/.test(integer) ? `0o${integer.replace(/[89]/g, "0").slice(1)}` : integer);
    return sign === "" ? value : -value;
  }
  const float = FLOAT.exec(rest)?.[1];
  return float === undefined ? null : Number(`${sign.trim()}${float}`);
}

/** As the compiler converts it to the parameter's type. */
function isSame(value: bigint | number, own: bigint | number, form: NumberPlace["form"]): boolean {
  if (typeof own === "number") return Object.is(form === "f32" ? Math.fround(Number(value)) : Number(value), own);
  if (typeof value === "number") return BigInt(Math.trunc(value)) === own;
  const bits = Number(form.slice(1));
  return BigInt.asUintN(bits, value) === BigInt.asUintN(bits, own);
}
