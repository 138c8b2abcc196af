// What moves take from: the program's words, and the arguments, files and standard inputs of other tests, gathered once.

import type { Invocation } from "../invocation.js";
import { type CommandLine, readCommandLine } from "./command-line.js";
import type { MoveSource, MoveWord } from "./move.js";
import { textOf } from "./shown-text.js";
import { nameOf, ownEntries } from "./tree.js";

export interface Content {
  /** For people. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Pool {
  /** Each once. */
  readonly preferred: readonly MoveWord[];
  /** All of them, each once: those that are preferred come first. */
  readonly words: readonly MoveWord[];
  /** Some of them that may be an option's argument. */
  readonly values: readonly string[];
  /** Command lines of other tests. */
  readonly lines: readonly (readonly string[])[];
  /** Words behind which options stand: `commit` of `git commit -a`. */
  readonly commands: ReadonlySet<string>;
  /** Their arguments, each once. */
  readonly arguments: readonly string[];
  readonly files: readonly Content[];
  readonly stdins: readonly Uint8Array[];
  /** NAME=value of other tests, each once. */
  readonly variables: readonly string[];
}

/** What moves of one invocation start from. */
export interface MoveContext {
  readonly from: Invocation;
  readonly line: CommandLine;
  readonly pool: Pool;
}

const MOST_LINES = 1024;
const MOST_ARGUMENTS = 512;
const MOST_CONTENTS = 64;
const MOST_VARIABLES = 64;
const MOST_VALUES = 8;
/** Longer contents are not taken from other tests. */
const LONGEST_CONTENT = 65_536;

export function poolOf({ words, others, preferred }: MoveSource): Pool {
  const first = eachOnce(preferred);
  const allWords = eachOnce([...first, ...words]);
  const lines = others.slice(0, MOST_LINES).map((other) => other.arguments.map(textOf));
  const files = new Map<string, Content>();
  const stdins = new Map<string, Uint8Array>();
  for (const [n, other] of others.entries()) {
    if (n >= MOST_LINES) break;
    if (other.stdin.kind === "bytes" && stdins.size < MOST_CONTENTS && other.stdin.bytes.length <= LONGEST_CONTENT) {
      stdins.set(textOf(other.stdin.bytes), other.stdin.bytes);
    }
    if (files.size >= MOST_CONTENTS) continue;
    const { texts, operands } = readCommandLine(other, allWords);
    for (const entry of ownEntries(
      other,
      operands.map((at) => texts[at]),
    )) {
      if (entry.kind !== "file" || entry.bytes.length > LONGEST_CONTENT || files.size >= MOST_CONTENTS) continue;
      const text = textOf(entry.bytes);
      if (!files.has(text)) files.set(text, { name: nameOf(entry.path), bytes: entry.bytes });
    }
  }
  return {
    preferred: first,
    words: allWords,
    values: allWords
      .filter(isValue)
      .map(({ text }) => text)
      .slice(0, MOST_VALUES),
    lines,
    commands: commandsOf(lines, allWords),
    arguments: [...new Set(lines.flat())].slice(0, MOST_ARGUMENTS),
    files: [...files.values()],
    stdins: [...stdins.values()],
    variables: [...new Set(others.flatMap(({ environment }) => environment))].slice(0, MOST_VARIABLES),
  };
}

function eachOnce(words: readonly MoveWord[]): readonly MoveWord[] {
  const found = new Map<string, MoveWord>();
  for (const word of words) {
    const key = `${word.kind} ${word.text}`;
    const known = found.get(key);
    if (known === undefined || (known.values === undefined && word.values !== undefined)) found.set(key, word);
  }
  return [...found.values()];
}

/** First words that some test has an option behind, or that the program compares with. */
function commandsOf(lines: readonly (readonly string[])[], words: readonly MoveWord[]): ReadonlySet<string> {
  const compared = new Set(words.filter(isValue).map(({ text }) => text));
  const found = new Set<string>();
  for (const [first, second] of lines) {
    if (first === undefined || first.startsWith("-")) continue;
    if (compared.has(first) || /^-[^-]|^--./.test(second ?? "")) found.add(first);
  }
  return found;
}

function isValue({ kind, text }: MoveWord): boolean {
  return (kind === "compared" || kind === "table") && text.length > 1 && !text.startsWith("-");
}

export function contextOf(from: Invocation, pool: Pool): MoveContext {
  return { from, line: readCommandLine(from, pool.words), pool };
}

/** The texts of its operands. */
export function operandTexts({ line }: MoveContext): readonly string[] {
  return line.operands.map((at) => line.texts[at]);
}
