// Moves of the command line as a list: arguments removed, repeated, exchanged, taken from other tests; operands fewer, more, or the
// same one twice.

import { withArguments } from "./command-line.js";
import type { Draft } from "./move.js";
import type { MoveContext } from "./pool.js";
import { shown } from "./shown-text.js";
import { isFile, ownEntries, relativePath } from "./tree.js";

/** Arguments that are looked at one by one. */
const MOST_ARGUMENTS = 16;
const MOST_OPERANDS = 4;
const MOST_TAKEN = 48;
const MOST_LINES = 16;
/** Arguments for which others are tried, and how many. */
const MOST_REPLACED = 6;
const MOST_REPLACING = 12;
const MANY_OPERANDS = 10;

export function* argumentMoves(context: MoveContext): Generator<Draft> {
  const { from, line } = context;
  const { texts, operands } = line;
  const change = (step: string, changed: () => readonly string[], kind: Draft["kind"] = "argument"): Draft => ({
    kind,
    step,
    make: () => withArguments(from, changed()),
  });
  const some = texts.slice(0, MOST_ARGUMENTS).map((text, at) => ({ text, at }));
  for (const { text, at } of some) yield change(`${shown(text)} removed`, () => texts.toSpliced(at, 1));
  yield* operandCounts(context, change);
  for (const { text, at } of some) yield change(`${shown(text)} repeated`, () => texts.toSpliced(at, 0, text));
  for (const { text, at } of some) {
    const next = texts[at + 1];
    if (next === undefined) continue;
    yield change(`${shown(text)} and ${shown(next)} exchanged`, () => texts.toSpliced(at, 2, next, text));
  }
  const [first, second] = [operands[0], operands.at(-1)];
  if (first !== undefined && second !== undefined && second > first + 1) {
    const step = `${shown(texts[first])} and ${shown(texts[second])} exchanged`;
    yield change(step, () => texts.with(first, texts[second]).with(second, texts[first]));
  }
  yield* takenArguments(context, change);
}

type Change = (step: string, changed: () => readonly string[], kind?: Draft["kind"]) => Draft;

function* operandCounts({ from, line }: MoveContext, change: Change): Generator<Draft> {
  const { texts, operands } = line;
  const isOperand = new Set(operands);
  const options = texts.filter((_, at) => !isOperand.has(at));
  for (const at of operands.slice(0, MOST_OPERANDS)) {
    const text = texts[at];
    for (const other of operands.slice(0, MOST_OPERANDS)) {
      if (other === at || texts[other] === text) continue;
      yield change(`${shown(texts[other])} replaced by ${shown(text)}`, () => texts.with(other, text), "operand");
    }
    yield change(`${shown(text)} given once more at the end`, () => [...texts, text], "operand");
  }
  if (operands.length > 1) {
    yield change("all operands removed", () => options, "operand");
    yield change(`only ${shown(texts[operands[0]])} left of the operands`, () =>
      texts.filter((_, at) => !isOperand.has(at) || at === operands[0]),
    );
  }
  const given = operands.map((at) => texts[at]);
  const more = ownEntries(from, given)
    .map(({ path }) => relativePath(from, path))
    .filter((path) => !given.includes(path) && !path.startsWith("-"));
  for (const path of more.slice(0, MOST_OPERANDS)) {
    yield change(`${shown(path)} given as one more operand`, () => [...texts, path], "operand");
  }
  const [first] = given;
  if (first !== undefined) {
    const count = MANY_OPERANDS - given.length;
    const step = `${shown(first)} repeated until there are ${MANY_OPERANDS} operands`;
    if (count > 0) yield change(step, () => [...texts, ...Array.from({ length: count }, () => first)], "operand");
  }
}

/** Whole command lines, options and arguments of other tests. */
function* takenArguments({ from, line, pool }: MoveContext, change: Change): Generator<Draft> {
  const { texts, operands, beforeOperands } = line;
  const own = new Set(texts);
  const others = pool.arguments.filter((text) => !own.has(text)).slice(0, MOST_TAKEN);
  for (const text of others.filter((other) => other.startsWith("-"))) {
    yield change(`${shown(text)} taken from another test`, () => texts.toSpliced(beforeOperands, 0, text));
  }
  const given = operands.map((at) => texts[at]);
  for (const other of pool.lines.slice(0, MOST_LINES)) {
    const options = other.filter((text) => text.startsWith("-") && text.length > 1);
    if (options.length > 1) {
      yield change(`the options ${shown(options.join(" "))} taken from another test`, () => [...options, ...given]);
    }
    if (other.length > 0) {
      yield change(`the command line ${shown(other.join(" "))} taken from another test`, () => other);
    }
  }
  for (const text of others.filter((other) => !other.startsWith("-"))) {
    yield change(`${shown(text)} taken from another test and put at the end`, () => [...texts, text]);
  }
  for (const [at, old] of texts.slice(0, MOST_REPLACED).entries()) {
    for (const text of others
      .filter((other) => other.startsWith("-") === old.startsWith("-"))
      .slice(0, MOST_REPLACING)) {
      yield change(`${shown(old)} replaced by ${shown(text)}, taken from another test`, () => texts.with(at, text));
    }
  }
  // An option's value may be the name of a file.
  const file = ownEntries(from, given).find(isFile);
  if (file === undefined) return;
  const path = relativePath(from, file.path);
  for (const [at, text] of texts.slice(0, MOST_ARGUMENTS).entries()) {
    if (text !== path) yield change(`${shown(text)} replaced by ${shown(path)}`, () => texts.with(at, path));
  }
}
