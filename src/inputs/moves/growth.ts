// What of an invocation can be made longer or shorter, each by any amount: an argument, the name of a file, an environment variable, a
// line, the number of lines, the end of a file. Moves make one input; a growth is a ladder of them, so that whoever climbs it can find the
// amount at which the program begins to do something else.

import { posix } from "node:path";
import { isPowerfulVariable } from "../../support/variable-names.js";
import type { Invocation } from "../invocation.js";
import { withArguments } from "./command-line.js";
import { contentGrowths } from "./content-growth.js";
import { setVariable } from "./environment-moves.js";
import { MOVE_LIMITS, type MoveKind } from "./move.js";
import { type MoveContext, operandTexts } from "./pool.js";
import { shown } from "./shown-text.js";
import { entryAt, type FileEntry, isFile, ownEntries, pathOf, relativePath, withEntry } from "./tree.js";

export interface Growth {
  readonly kind: Extract<MoveKind, "argument" | "environment" | "stdin" | "file">;
  /** The same for growths of the same thing in tests that are alike: "argument 2, its last byte". */
  readonly key: string;
  /** Amounts to be tried, ascending. */
  readonly rungs: readonly number[];
  /** Null: it cannot grow so far. */
  readonly make: (amount: number) => Invocation | null;
  readonly step: (amount: number) => string;
  /** The environment variable that grows. */
  readonly variable?: string;
}

/** Bytes that something grows by. */
const BYTES = [1, 8, 64, 300, 1100, 4000];
/** Times that something is there once more. */
const TIMES = [1, 7, 31, 127, 600];
/** No name of a file is longer. */
const LONGEST_NAME = 255;
const MOST_ARGUMENTS = 12;
const MOST_VARIABLES = 8;
const MOST_FILES = 4;
/** What libc reads by itself is libc's business. */
const LIBC = /^(LC_\w+|LANG|LANGUAGE|TZ|POSIXLY_CORRECT)$/;
/** Longer contents stay as long as they are. */
const LONGEST_GROWN = 0x1_0000;

/** `only`: indices of the arguments that may grow; all if nothing is said. */
export function* argumentGrowths(context: MoveContext, only?: ReadonlySet<number>): Generator<Growth> {
  const { from, line } = context;
  const groups = new Set(line.groups);
  const chosen = [...line.texts.entries()].filter(([at]) => only?.has(at) ?? true);
  for (const [at, text] of chosen.slice(0, MOST_ARGUMENTS)) {
    const operand = line.operands.includes(at) ? entryAt(from, pathOf(from, text)) : null;
    if (isFile(operand)) {
      yield longerName(from, at, text, operand);
      continue;
    }
    const fits = (longer: string): Invocation | null =>
      longer.length > MOVE_LIMITS.argumentBytes ? null : withArguments(from, line.texts.with(at, longer));
    if (text !== "" && !/^-[^-]?$|^--$/.test(text) && !groups.has(at)) {
      yield {
        kind: "argument",
        key: `argument ${at}, its last byte`,
        rungs: BYTES,
        make: (amount) => fits(text + text.slice(-1).repeat(amount)),
        step: (amount) => `${shown(text)} longer by ${bytes(amount)}`,
      };
    }
    if (text.startsWith("-")) continue;
    for (const joint of jointsOf(text)) {
      yield {
        kind: "argument",
        key: `argument ${at}, again behind ${joint}`,
        rungs: TIMES,
        make: (amount) => fits(text + `${joint}${text}`.repeat(amount)),
        step: (amount) =>
          `${shown(text)} written ${times(amount)} more${joint === "" ? "" : ` behind ${shown(joint)}`}`,
      };
    }
    yield {
      kind: "argument",
      key: `argument ${at}, shorter`,
      rungs: [...new Set([1, text.length >> 1, text.length])].filter((cut) => cut > 0 && cut <= text.length),
      make: (amount) => fits(text.slice(0, text.length - amount)),
      step: (amount) =>
        amount === text.length ? `${shown(text)} made empty` : `${shown(text)} shorter by ${bytes(amount)}`,
    };
  }
}

/** What an argument uses between its parts, or what programs usually do. */
function jointsOf(text: string): readonly string[] {
  const own = text.match(/[^A-Za-z0-9]/g)?.at(-1);
  return own === undefined ? [",", " "] : [own];
}

/** The file is there under its longer name. */
function longerName(from: Invocation, at: number, text: string, file: FileEntry): Growth {
  const name = posix.basename(file.path);
  return {
    kind: "argument",
    key: `argument ${at}, a file's name`,
    rungs: BYTES.filter((amount) => amount < LONGEST_NAME - name.length).concat(LONGEST_NAME - name.length),
    make: (amount) => {
      const more = "n".repeat(amount);
      if (name.length + amount > LONGEST_NAME) return null;
      const words = from.arguments.map((word) => Buffer.from(word).toString("latin1"));
      const renamed = withArguments(from, words.with(at, `${text}${more}`));
      return withEntry(renamed, { ...file, path: `${file.path}${more}` });
    },
    step: (amount) => `the name of ${shown(text)} longer by ${bytes(amount)}`,
  };
}

/** `names`: variables that the program asks for; those of the test besides. */
export function* environmentGrowths({ from }: MoveContext, names: readonly string[]): Generator<Growth> {
  const given = new Map(from.environment.map((variable) => split(variable)));
  const all = [...new Set([...names, ...given.keys()])].filter((name) => !isPowerfulVariable(name) && !LIBC.test(name));
  for (const name of all.slice(0, MOST_VARIABLES)) {
    const value = given.get(name) ?? "";
    const filler = value.slice(-1) || "a";
    yield {
      kind: "environment",
      key: `variable ${name}`,
      rungs: BYTES,
      make: (amount) => setVariable(from, name, value + filler.repeat(amount)).make(),
      step: (amount) =>
        given.has(name)
          ? `the variable ${shown(name)} longer by ${bytes(amount)}`
          : `the variable ${shown(name)} set to ${bytes(amount)}`,
      variable: name,
    };
  }
}

export function* stdinGrowths({ from }: MoveContext): Generator<Growth> {
  const { stdin } = from;
  if (stdin.kind !== "bytes" || stdin.bytes.length > LONGEST_GROWN) return;
  for (const { key, rungs, make, step } of contentGrowths(stdin.bytes)) {
    yield {
      kind: "stdin",
      key: `standard input, ${key}`,
      rungs,
      make: (amount) => ({ ...from, stdin: { ...stdin, bytes: make(amount) } }),
      step: (amount) => step("standard input", amount),
    };
  }
}

export function* fileGrowths(context: MoveContext): Generator<Growth> {
  const { from } = context;
  const files = ownEntries(from, operandTexts(context)).filter(isFile);
  for (const [at, file] of files.slice(0, MOST_FILES).entries()) {
    if (file.bytes.length > LONGEST_GROWN) continue;
    const name = shown(relativePath(from, file.path));
    for (const { key, rungs, make, step } of contentGrowths(file.bytes)) {
      yield {
        kind: "file",
        key: `file ${at}, ${key}`,
        rungs,
        make: (amount) => withEntry(from, { ...file, bytes: make(amount) }),
        step: (amount) => step(name, amount),
      };
    }
  }
}

function split(variable: string): [string, string] {
  const at = variable.indexOf("=");
  return [variable.slice(0, at), variable.slice(at + 1)];
}

function bytes(amount: number): string {
  return amount === 1 ? "1 byte" : `${amount} bytes`;
}

function times(amount: number): string {
  return amount === 1 ? "once" : `${amount} times`;
}
