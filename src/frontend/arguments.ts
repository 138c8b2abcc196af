// A compiler's command line, understood far enough to know what it makes from what: which words are inputs, which take a value,
// where compilation stops. clang itself understands all the rest. The alternative, asking clang for its plan (-###), costs a process.
// Invariant: the words of all parts, in order, are the command line.

import { basename } from "node:path";

/** Options whose value may be the next word. Those that only join (-O2, -std=c99) need no mention. */
const SEPARATE = new Set(
  (
    "-o -I -D -U -L -l -x -include -imacros -isystem -idirafter -iquote -iprefix -iwithprefix -iwithprefixbefore " +
    "-isysroot -imultilib -MF -MT -MQ -MJ -Xclang -Xlinker -Xassembler -Xpreprocessor -mllvm -T -u -z -e -A -B -V -b " +
    "-target --target -aux-info --param -rpath -dumpbase -dumpdir -Tbss -Tdata -Ttext --sysroot -wrapper -specs " +
    "--config -undefined -arch -G --clang --cc --tangent-ubsan"
  ).split(" "),
);

export type Language = "c" | "c++" | "assembler" | "assembler-with-cpp" | "object" | "header" | "other";

export interface Input {
  readonly path: string;
  readonly language: Language;
}

/** One word, or an option with its separate value, or an input. */
export interface ArgumentPart {
  readonly words: readonly string[];
  /** The option's name without value, for those that take one separately: -o for `-o x` and for `-ox`. */
  readonly option: string | null;
  readonly value: string | null;
  readonly input: Input | null;
}

/** Where it stops: -E, -M, -fsyntax-only | -S | -c | nothing, thus a link. */
export type Stage = "preprocess" | "assembly" | "object" | "link";

export interface CommandLine {
  readonly parts: readonly ArgumentPart[];
  readonly stage: Stage;
  readonly output: string | null;
  readonly inputs: readonly Input[];
}

const EXTENSIONS: { readonly [extension: string]: Language } = {
  c: "c",
  i: "c",
  h: "header",
  s: "assembler",
  S: "assembler-with-cpp",
  sx: "assembler-with-cpp",
  ...Object.fromEntries(
    "cc cp cxx cpp CPP c++ C ii hh H hp hxx hpp HPP h++ tcc".split(" ").map((name) => [name, "c++"]),
  ),
  ...Object.fromEntries(
    "m mi mm M mii f for ftn F FOR fpp F90 f90 f95 F95 f03 f08 go ads adb cu".split(" ").map((name) => [name, "other"]),
  ),
};

export function languageOf(path: string): Language {
  const dot = path.lastIndexOf(".");
  const extension = path.slice(dot + 1);
  return dot > path.lastIndexOf("/") && Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : "object";
}

function languageNamed(name: string): Language | null {
  if (name === "none") return null;
  if (name.startsWith("c++")) return "c++";
  if (name === "assembler" || name === "assembler-with-cpp") return name;
  if (name === "c" || name === "cpp-output") return "c";
  return name === "c-header" ? "header" : "other";
}

/** Stages end at the earliest asked for: `-c -E` preprocesses. */
const STAGES: { readonly [option: string]: Stage } = {
  "-E": "preprocess",
  "-M": "preprocess",
  "-MM": "preprocess",
  "-fsyntax-only": "preprocess",
  "-S": "assembly",
  "-c": "object",
};
const ORDER: readonly Stage[] = ["preprocess", "assembly", "object", "link"];

export function parseCommandLine(args: readonly string[]): CommandLine {
  const parts: ArgumentPart[] = [];
  let language: Language | null = null;
  let stage: Stage = "link";
  let output: string | null = null;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (!word.startsWith("-") || word === "-") {
      const input = { path: word, language: language ?? (word === "-" ? "c" : languageOf(word)) };
      parts.push({ words: [word], option: null, value: null, input });
      continue;
    }
    const stop = Object.hasOwn(STAGES, word) ? STAGES[word] : "link";
    if (ORDER.indexOf(stop) < ORDER.indexOf(stage)) stage = stop;
    const part = optionPart(args, at);
    at += part.words.length - 1;
    parts.push(part);
    if (part.option === "-x" && part.value !== null) language = languageNamed(part.value);
    if (part.option === "-o") output = part.value;
  }
  const inputs = parts.flatMap(({ input }) => (input === null ? [] : [input]));
  return { parts, stage, output, inputs };
}

/** These may have their value in the same word. */
const JOINABLE = ["-o", "-x", "-l", "-L", "-I", "-D", "-U", "-B"];

function optionPart(args: readonly string[], at: number): ArgumentPart {
  const word = args[at];
  if (SEPARATE.has(word) && at + 1 < args.length) {
    return { words: [word, args[at + 1]], option: word, value: args[at + 1], input: null };
  }
  const equals = word.indexOf("=");
  if (word.startsWith("--") && equals > 0) {
    return { words: [word], option: word.slice(0, equals), value: word.slice(equals + 1), input: null };
  }
  const option = word.startsWith("-objc") ? undefined : JOINABLE.find((name) => word.startsWith(name) && word !== name);
  if (option === undefined) return { words: [word], option: null, value: null, input: null };
  return { words: [word], option, value: word.slice(2), input: null };
}

/** Where -c without -o puts what it makes of a source. */
export function objectName(source: string): string {
  return `${basename(source).replace(/\.[^.]*$/, "")}.o`;
}

export function wordsOf(parts: readonly ArgumentPart[]): string[] {
  return parts.flatMap(({ words }) => words);
}

/** @FILE: the words in it, quoted as a shell would, stand for it. `read` gives null for a file that cannot be read. */
export function expandResponseFiles(args: readonly string[], read: (path: string) => string | null): string[] {
  const result: string[] = [];
  const pending = args.slice().reverse();
  // A file that names itself would go on for ever.
  let left = 1000;
  for (let word = pending.pop(); word !== undefined; word = pending.pop()) {
    const text = word.startsWith("@") && left-- > 0 ? read(word.slice(1)) : null;
    if (text === null) result.push(word);
    else pending.push(...splitWords(text).reverse());
  }
  return result;
}

function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "\\" && at + 1 < text.length && quote !== "'") word = (word ?? "") + text[++at];
    else if (quote !== "") {
      if (character === quote) quote = "";
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= "";
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + character;
  }
  if (word !== null) words.push(word);
  return words;
}
