// Moves that give the program a word it knows: an option with its argument, a word of a table, a text that it compares with. The
// likeliest form at the likeliest place comes first; whoever has many words takes a few moves of each before more of one.

import type { Invocation } from "../invocation.js";
import { asArguments, valuesGiven, withArguments } from "./command-line.js";
import { setVariable } from "./environment-moves.js";
import type { Draft, MoveWord } from "./move.js";
import { type MoveContext, operandTexts } from "./pool.js";
import { bytesOf, shown } from "./shown-text.js";
import { entryAt, isFile, ownEntries, pathOf, relativePath, withEntry } from "./tree.js";

/** Arguments that stand together: `-n`, `3`. */
type Form = readonly string[];

interface Place {
  readonly at: number;
  readonly words: string;
}

const NUMBERS = ["1", "0", "2", "10", "-1", "999999999999", "", "-"];
const MOST_GIVEN = 8;
const MOST_FILES = 2;

/** Values for an option's argument, the likeliest first. */
function valuesFor(word: MoveWord, { from, line, pool }: MoveContext): Form[] {
  const given = valuesGiven(word, [line.texts, ...pool.lines]).slice(0, MOST_GIVEN);
  const operands = line.operands.map((at) => line.texts[at]);
  const files = operands.filter((text) => entryAt(from, pathOf(from, text)) !== null).slice(0, MOST_FILES);
  const values = [...given, ...[...NUMBERS, ...files, ...pool.values].map((text) => [text])];
  return [...new Map(values.map((value) => [value.join("\0"), value])).values()];
}

function formsOf(word: MoveWord, context: MoveContext): Form[] {
  const { text, argument } = word;
  const values = argument === "none" ? [] : valuesFor(word, context);
  const [first] = values;
  switch (word.kind) {
    case "short-option": {
      const apart = values.map((value) => [`-${text}`, ...value]);
      const joined = values.map(([value, ...rest]) => [`-${text}${value}`, ...rest]);
      if (argument === "none") return [[`-${text}`]];
      if (argument === "optional") return [[`-${text}`], ...joined];
      if (argument === "required") return [apart[0], joined[0], ...apart.slice(1), [`-${text}`]];
      return [[`-${text}`], ...apart];
    }
    case "long-option": {
      const joined = values.map(([value, ...rest]) => [`--${text}=${value}`, ...rest]);
      if (argument === "none") return [[`--${text}`], [`--${text}=1`]];
      if (argument === "required") return [...joined, [`--${text}`, ...first], [`--${text}`]];
      return [[`--${text}`], ...joined];
    }
    default: {
      if (text.length === 1) return [[text], [`-${text}`]];
      // A program that strips dashes looks words up; one that compares would compare with the dashes.
      const written = asArguments(text);
      const [likely, ...others] = word.kind === "table" ? written : written.toSorted((a, b) => a.length - b.length);
      // A word that other tests give values is given some at once.
      const given = valuesGiven(word, [context.line.texts, ...context.pool.lines]).length > 0;
      const bare = [likely];
      const apart = values.map((value) => [likely, ...value]);
      const start = given ? [apart[0], bare, ...apart.slice(1, 4)] : [bare, ...apart.slice(0, 3)];
      return [...start, ...others.map((form) => [form]), ...apart.slice(4), ...others.map((form) => [form, ...first])];
    }
  }
}

/** A word and one of the values that it is known to take. */
function formWith({ kind, text }: MoveWord, value: string): Form {
  if (kind === "long-option") return [`--${text}=${value}`];
  if (kind === "short-option") return [`-${text}`, value];
  return [asArguments(text)[0], value];
}

function placesFor(word: MoveWord, { line, pool }: MoveContext): Place[] {
  const { texts, beforeOperands, operands } = line;
  const next = texts[beforeOperands];
  const before = {
    at: beforeOperands,
    words: next === undefined ? "put at the end" : `inserted before ${shown(next)}`,
  };
  const end = { at: texts.length, words: "put at the end" };
  const front = { at: 0, words: "put in front" };
  const usual = isOption(word) ? [before, end, front] : [end, before, front];
  const command = operands[0] ?? -1;
  const isCommand = command >= 0 && command + 1 < texts.length && pool.commands.has(texts[command]);
  const behind = isCommand ? [{ at: command + 1, words: `put behind ${shown(texts[command])}` }] : [];
  const places = isOption(word) || word.text.startsWith("-") ? [...behind, ...usual] : [...usual, ...behind];
  return places.filter((place, n) => places.findIndex(({ at }) => at === place.at) === n);
}

function isOption({ kind }: MoveWord): boolean {
  return kind === "short-option" || kind === "long-option";
}

/** Where options stand first. */
function options(places: readonly Place[]): readonly Place[] {
  return places.toSorted((a, b) => a.at - b.at);
}

export function* wordMoves(word: MoveWord, context: MoveContext): Generator<Draft> {
  if (word.kind === "variable") {
    yield* variableMoves(word.text, context);
    return;
  }
  const forms = formsOf(word, context);
  const places = placesFor(word, context);
  const isPlain = (word.kind === "compared" || word.kind === "table") && !word.text.startsWith("-");
  for (const place of isOption(word) || word.text.startsWith("-") ? options(places) : places) {
    for (const value of word.values ?? []) yield inserted(formWith(word, value), place, context);
  }
  yield inserted(forms[0], places[0], context);
  if (word.kind === "compared" && word.text.length === 1) yield* asCharacter(word.text, context);
  const early = word.argument === "none" ? 1 : 2;
  for (const form of forms.slice(1, early)) yield inserted(form, places[0], context);
  for (const place of places.slice(1)) yield inserted(forms[0], place, context);
  if (word.kind === "short-option") yield* joinedToGroups(word.text, context);
  if (isPlain) yield* asOperand(word.text, context);
  for (const form of forms.slice(early)) yield inserted(form, places[0], context);
  for (const form of forms.slice(1)) for (const place of places.slice(1)) yield inserted(form, place, context);
  if (isPlain) yield* asContent(word.text, context);
}

/** The word in its first form at its first place: for pairs. */
export function wordMove(word: MoveWord, context: MoveContext): Draft | null {
  for (const draft of wordMoves(word, context)) return draft;
  return null;
}

function inserted(form: Form, { at, words }: Place, { from, line }: MoveContext): Draft {
  return {
    kind: "option",
    step: `${form.map(shown).join(" ")} ${words}`,
    make: () => withArguments(from, line.texts.toSpliced(at, 0, ...form)),
  };
}

/** `-x` as part of `-ab`: `-abx` and `-xab`. */
function* joinedToGroups(letter: string, { from, line }: MoveContext): Generator<Draft> {
  for (const at of line.groups) {
    const group = line.texts[at];
    for (const joined of [`${group}${letter}`, `-${letter}${group.slice(1)}`]) {
      yield {
        kind: "option",
        step: `${shown(group)} made ${shown(joined)}`,
        make: () => withArguments(from, line.texts.with(at, joined)),
      };
    }
  }
}

/** Arguments, and characters of each, that others are put in the place of. */
const MOST_CHANGED = 6;
const MOST_CHARACTERS = 16;

/** A character that is compared with, in the place of every other one: the last arguments first, which are seldom options. */
function* asCharacter(character: string, { from, line }: MoveContext): Generator<Draft> {
  const last = [...line.texts.entries()].slice(-MOST_CHANGED).reverse();
  const changes = (change: (text: string, at: number) => string, ends: number): Draft[] =>
    last.flatMap(([at, text]) =>
      Array.from({ length: Math.min(text.length + ends, MOST_CHARACTERS) }, (_, n): Draft => {
        const changed = change(text, n);
        return {
          kind: "argument",
          step: `${shown(text)} changed to ${shown(changed)}`,
          make: () => withArguments(from, line.texts.with(at, changed)),
        };
      }),
    );
  yield* changes((text, n) => text.slice(0, n) + character + text.slice(n + 1), 0);
  yield* changes((text, n) => text.slice(0, n) + character + text.slice(n), 1);
}

const MOST_OPERANDS = 4;

function* asOperand(text: string, { from, line }: MoveContext): Generator<Draft> {
  for (const at of line.operands.slice(0, MOST_OPERANDS)) {
    yield {
      kind: "operand",
      step: `${shown(line.texts[at])} replaced by ${shown(text)}`,
      make: () => withArguments(from, line.texts.with(at, text)),
    };
  }
}

/** The word as a line of what the program reads. */
function* asContent(text: string, context: MoveContext): Generator<Draft> {
  const { from } = context;
  const put = (bytes: Uint8Array): Uint8Array => bytesOf(`${text}\n${Buffer.from(bytes).toString("latin1")}`);
  const { stdin } = from;
  if (stdin.kind === "bytes") {
    yield {
      kind: "stdin",
      step: `a line ${shown(text)} put in front of standard input`,
      make: (): Invocation => ({ ...from, stdin: { ...stdin, bytes: put(stdin.bytes) } }),
    };
  }
  const file = ownEntries(from, operandTexts(context)).find(isFile);
  if (file !== undefined) {
    yield {
      kind: "file",
      step: `a line ${shown(text)} put in front of ${shown(relativePath(from, file.path))}`,
      make: () => withEntry(from, { ...file, bytes: put(file.bytes) }),
    };
  }
}

function* variableMoves(name: string, { from, pool }: MoveContext): Generator<Draft> {
  if (!/^[^=]+$/.test(name)) return;
  const given = pool.variables.filter((variable) => variable.startsWith(`${name}=`));
  const values = [...given.map((variable) => variable.slice(name.length + 1)), "1", "", "0", "999999999999", "a"];
  for (const value of new Set(values)) yield setVariable(from, name, value);
}
