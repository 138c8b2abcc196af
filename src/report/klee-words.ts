// KLEE's words for symbolic input, which its users write among the program's own arguments, with one dash or two:
//
//   prog --sym-args 0 2 3 -v --sym-stdin 8   =>   up to two symbolic arguments, then -v; eight bytes of standard input
//
// The same words stand in the arguments of a .ktest, so reading and printing are here together. A word that KLEE knows
// and we do not (injected failures) is a problem to be told, not an argument for the program: it would be taken for a wrong option.

import {
  type ArgumentWord,
  costOf,
  MAX_SYMBOLIC_FILES,
  MOST_INPUT_BYTES,
  NO_INPUTS,
  type SymbolicInputs,
  symbolicFileName,
} from "../inputs/symbolic-inputs.js";

export type WordsResult =
  | { readonly kind: "inputs"; readonly inputs: SymbolicInputs; readonly notes: readonly string[] }
  | { readonly kind: "wrong"; readonly problem: string };

/** More than this is a mistake of counting; each costs a variable in every query. */
const MOST_BYTES = 1 << 20;
const MOST_ARGUMENTS = 256;

interface WordForm {
  /** What follows the word; NAME is text, the rest are numbers. */
  readonly values: readonly string[];
  readonly apply: (draft: Draft, values: readonly number[], name: string) => string | null;
}

interface Draft {
  words: ArgumentWord[];
  stdin: number | null;
  files: SymbolicInputs["files"];
  environment: SymbolicInputs["environment"][number][];
  notes: string[];
}

const WORDS: { readonly [name: string]: WordForm } = {
  "sym-arg": {
    values: ["N"],
    apply: (draft, [length]) => {
      draft.words.push({ kind: "symbolic", length });
      return null;
    },
  },
  "sym-args": {
    values: ["MIN", "MAX", "LEN"],
    apply: (draft, [least, most, length]) => {
      if (least > most) return `the least number of arguments (${least}) is more than the most (${most})`;
      if (most > MOST_ARGUMENTS) return `${most} arguments are more than ${MOST_ARGUMENTS}`;
      draft.words.push({ kind: "several", least, most, length });
      return null;
    },
  },
  "sym-stdin": {
    values: ["N"],
    apply: (draft, [size]) => {
      draft.stdin = size;
      return null;
    },
  },
  "sym-files": {
    values: ["N", "SIZE"],
    apply: (draft, [count, size]) => {
      if (count > MAX_SYMBOLIC_FILES)
        return `there are names for ${MAX_SYMBOLIC_FILES} files (A to Z), not for ${count}`;
      draft.files = Array.from({ length: count }, (_, index) => ({ name: symbolicFileName(index), size }));
      return null;
    },
  },
  "sym-env": {
    values: ["NAME", "LEN"],
    apply: (draft, [length], name) => {
      if (!isVariableName(name)) return `${JSON.stringify(name)} cannot be the name of an environment variable`;
      draft.environment.push({ name, length });
      return null;
    },
  },
  "sym-stdout": {
    values: [],
    apply: (draft) => {
      draft.notes.push("--sym-stdout changes nothing here: what the program prints is not input");
      return null;
    },
  },
  "save-all-writes": { values: [], apply: () => null },
  "fd-fail": { values: [], apply: () => FAILURES },
  "max-fail": { values: ["N"], apply: () => FAILURES },
};
const FAILURES = "system calls that fail on purpose are not supported";

/** Takes the words for symbolic input out of a program's arguments; `--` and all after it are the program's. */
export function parseKleeWords(args: readonly Uint8Array[]): WordsResult {
  const draft: Draft = { words: [], stdin: null, files: [], environment: [], notes: [] };
  for (let at = 0; at < args.length; at++) {
    const text = Buffer.from(args[at]).toString("latin1");
    if (text === "--") {
      for (const rest of args.slice(at)) draft.words.push({ kind: "fixed", bytes: rest });
      break;
    }
    const form =
      Object.hasOwn(WORDS, text.replace(/^--?/, "")) && text.startsWith("-") ? text.replace(/^--?/, "") : null;
    if (form === null) {
      draft.words.push({ kind: "fixed", bytes: args[at] });
      continue;
    }
    const { values, apply } = WORDS[form];
    const given = args.slice(at + 1, at + 1 + values.length).map((value) => Buffer.from(value).toString());
    const numbers: number[] = [];
    let name = "";
    for (const [index, what] of values.entries()) {
      const value = given[index];
      if (value === undefined) return { kind: "wrong", problem: `--${form} needs ${values.join(" ")}` };
      if (what === "NAME") name = value;
      else {
        const number = parseNumber(value);
        if (number === null) {
          return {
            kind: "wrong",
            problem: `--${form} needs ${values.join(" ")}: ${value} is not a number up to ${MOST_BYTES}`,
          };
        }
        numbers.push(number);
      }
    }
    const problem = apply(draft, numbers, name);
    if (problem !== null) return { kind: "wrong", problem: `--${form}: ${problem}` };
    at += values.length;
  }
  const { notes, ...inputs } = draft;
  if (costOf(inputs) > MOST_INPUT_BYTES) {
    return { kind: "wrong", problem: `all symbolic input together is more than ${MOST_INPUT_BYTES} bytes` };
  }
  return { kind: "inputs", inputs, notes };
}

/** As every shell allows it: names stand in scripts, and a .ktest may come from anybody. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** As KLEE reads them: decimal, or hexadecimal after 0x. */
function parseNumber(text: string): number | null {
  if (!/^(\d+|0[xX][0-9a-fA-F]+)$/.test(text)) return null;
  const value = Number(text);
  return value <= MOST_BYTES ? value : null;
}

/** The arguments that say the same; the program's name not among them. The environment has no word in KLEE and is left out. */
export function printKleeWords(inputs: SymbolicInputs): Uint8Array[] {
  const result: Uint8Array[] = [];
  const say = (...words: readonly (string | number)[]): void => {
    for (const word of words) result.push(Buffer.from(String(word)));
  };
  // Before the program's own words, since those may hold a `--`.
  if (inputs.files.length > 0) say("--sym-files", inputs.files.length, inputs.files[0].size);
  if (inputs.stdin !== null) say("--sym-stdin", inputs.stdin);
  for (const word of inputs.words) {
    if (word.kind === "fixed") result.push(word.bytes);
    else if (word.kind === "symbolic") say("--sym-arg", word.length);
    else say("--sym-args", word.least, word.most, word.length);
  }
  return result;
}

/** Two descriptions as one: options given before the program and words given after it. */
export function mergeInputs(first: SymbolicInputs, second: SymbolicInputs): SymbolicInputs {
  return {
    words: [...first.words, ...second.words],
    stdin: second.stdin ?? first.stdin,
    files: second.files.length > 0 ? second.files : first.files,
    environment: [...first.environment, ...second.environment],
  };
}

export function hasSymbolicInputs(inputs: SymbolicInputs): boolean {
  const { words, stdin, files, environment } = { ...NO_INPUTS, ...inputs };
  return words.some(({ kind }) => kind !== "fixed") || stdin !== null || files.length > 0 || environment.length > 0;
}
