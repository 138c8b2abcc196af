// A command is data: its options and operands are declared once, and parser, help, documentation and the types its `run` sees
// come from that declaration. The alternative, a parser and a help text kept by hand, drifts apart.
// Invariant: parsing never throws and never exits; a mistake of the user's is a message that names the argument.

import { parseDuration } from "../support/duration.js";
import { details } from "./describe.js";
import { misplacedOptions, refusalOf } from "./misplaced-options.js";
import { nearest, optionNamed, valueCount } from "./option-names.js";

export type OptionSpec =
  | { readonly kind: "flag"; readonly short?: string; readonly help: string }
  | { readonly kind: "value"; readonly short?: string; readonly value: string; readonly help: string }
  | { readonly kind: "list"; readonly short?: string; readonly value: string; readonly help: string }
  | {
      readonly kind: "number";
      readonly short?: string;
      readonly value: string;
      readonly help: string;
      readonly least?: number;
      /** No fractions. */
      readonly integer?: boolean;
    }
  /** A time: 30s, 5m, 2h, 500ms, or plain seconds; its value is milliseconds. */
  | { readonly kind: "duration"; readonly short?: string; readonly value: string; readonly help: string }
  /** Several values after one flag, any number of times; also with one dash, as KLEE's users write them. */
  | { readonly kind: "tuple"; readonly short?: string; readonly values: readonly string[]; readonly help: string }
  | {
      readonly kind: "choice";
      readonly short?: string;
      readonly choices: readonly string[];
      readonly help: string;
      /** What the option means by itself; another choice is then given as --option=CHOICE only. */
      readonly bare?: string;
      /** What the help says in the place of a long list of choices. */
      readonly value?: string;
    };

/** One use of a tuple option. `at` orders the uses of all of them. */
export interface Tuple {
  readonly at: number;
  readonly values: readonly string[];
}

/**
 * `one`: needed. `optional`: at most one. `many`: at least one. `any`: as many as there are. `rest`: all that follows, not looked at for
 * options.
 */
export interface OperandSpec {
  readonly kind: "one" | "optional" | "many" | "any" | "rest";
  readonly value: string;
  readonly help: string;
  /** rest: options of ours among its words are refused, or told as being the program's. Not looked for if nothing is said. */
  readonly ours?: "refused" | "told";
}

export type OptionSpecs = { readonly [name: string]: OptionSpec };
export type OperandSpecs = { readonly [name: string]: OperandSpec };

type OptionValue<S extends OptionSpec> = S extends { kind: "flag" }
  ? boolean
  : S extends { kind: "list" }
    ? readonly string[]
    : S extends { kind: "tuple" }
      ? readonly Tuple[]
      : S extends { kind: "number" | "duration" }
        ? number | undefined
        : S extends { kind: "choice"; choices: readonly (infer C)[] }
          ? C | undefined
          : string | undefined;
type OperandValue<S extends OperandSpec> = S["kind"] extends "one"
  ? string
  : S["kind"] extends "optional"
    ? string | undefined
    : readonly string[];

export type Options<S extends OptionSpecs> = { readonly [Name in keyof S]: OptionValue<S[Name]> };
export type Operands<S extends OperandSpecs> = { readonly [Name in keyof S]: OperandValue<S[Name]> };

/** What a command may touch of the process it runs in. */
export interface CommandContext {
  readonly env: NodeJS.ProcessEnv;
  /** Programs that were put back before the command began. */
  readonly restored?: number;
  /** What stood before the first operand; null if that was a `--`: whatever follows is then no option of ours. */
  readonly before?: readonly string[] | null;
  out(text: string): void;
  error(text: string): void;
}

export interface CommandDeclaration<O extends OptionSpecs, P extends OperandSpecs> {
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Paragraphs for `tangent help NAME`. */
  readonly description?: string;
  readonly options: O;
  readonly operands: P;
  /** For words of another tool's users: gives those of ours in their place. */
  translate?(args: readonly string[]): TranslatedWords;
  /** Gives the exit status. */
  run(options: Options<O>, operands: Operands<P>, context: CommandContext): Promise<number> | number;
}

export type TranslatedWords =
  | { readonly kind: "words"; readonly words: readonly string[]; readonly notes: readonly string[] }
  | { readonly kind: "wrong"; readonly problem: string };

/** A declaration with its types forgotten, for main and help. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly options: OptionSpecs;
  readonly operands: OperandSpecs;
  start(args: readonly string[], context: CommandContext): Promise<number>;
}

/** The exit status of a command that was called wrongly, as of most Unix tools. */
export const USAGE_STATUS = 2;

export function defineCommand<const O extends OptionSpecs, const P extends OperandSpecs>(
  declaration: CommandDeclaration<O, P>,
): Command {
  const { name, summary, options: specs, operands } = declaration;
  const command: Command = {
    name,
    summary,
    description: declaration.description ?? "",
    options: specs,
    operands,
    async start(given, context) {
      const translated = declaration.translate?.(given) ?? { kind: "words", words: given, notes: [] };
      const args = translated.kind === "words" ? translated.words : given;
      const parsed = translated.kind === "words" ? parseArguments(specs, operands, args) : translated;
      if (parsed.kind === "help") {
        context.out(details(command));
        return 0;
      }
      if (parsed.kind === "wrong") {
        context.error(`tangent ${name}: ${parsed.problem}\nTry \`tangent help ${name}\`.\n`);
        return USAGE_STATUS;
      }
      if (translated.kind === "words") {
        for (const note of translated.notes) context.error(`tangent ${name}: note: ${note}\n`);
      }
      const before = parsed.isSeparated ? null : wordsBefore(specs, args);
      const misplaced = before === null ? null : judgedRest(command, before, args.slice(before.length));
      if (misplaced !== null) {
        context.error(`tangent ${name}: ${misplaced.text}\n`);
        if (misplaced.isRefused) return USAGE_STATUS;
      }
      // The parser gives each name the kind of value that its spec declares.
      const options = parsed.options as Options<O>;
      return declaration.run(options, parsed.operands as Operands<P>, { ...context, before });
    },
  };
  return command;
}

/** What to say of options of ours that stand after the program; null if there are none, or if they are not looked for. */
function judgedRest(
  { name, options, operands }: Command,
  before: readonly string[],
  [program, ...words]: readonly string[],
): { readonly text: string; readonly isRefused: boolean } | null {
  const ours = Object.values(operands).find(({ kind }) => kind === "rest")?.ours;
  if (ours === undefined || program === undefined) return null;
  if (ours === "refused") {
    const text = refusalOf(name, options, before, program, words);
    return text === null ? null : { text, isRefused: true };
  }
  const [first] = misplacedOptions(options, words);
  if (first === undefined) return null;
  const how = `options of tangent's come before it, and with -- before ${program} nothing is said`;
  return { text: `note: ${first} is given to ${program}; ${how}`, isRefused: false };
}

/** Up to the first word that is neither an option nor its value. */
function wordsBefore(specs: OptionSpecs, args: readonly string[]): readonly string[] {
  for (let at = 0; at < args.length; at++) {
    const argument = args[at];
    if (!argument.startsWith("-") || argument === "-") return args.slice(0, at);
    const [flag] = argument.startsWith("--") ? argument.split("=", 1) : [argument];
    const spec = specs[optionNamed(specs, flag) ?? ""];
    if (flag === argument && spec !== undefined) at += valueCount(spec);
  }
  return args;
}

/** Every command has it, beside what it declares. */
const HELP: readonly string[] = ["--help", "-h"];

type Value = boolean | string | number | readonly string[] | readonly Tuple[] | undefined;
export type ParseResult =
  | {
      readonly kind: "parsed";
      readonly options: Record<string, Value>;
      readonly operands: Record<string, Value>;
      /** By a `--`. */
      readonly isSeparated: boolean;
    }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly problem: string };

export function parseArguments(specs: OptionSpecs, operandSpecs: OperandSpecs, args: readonly string[]): ParseResult {
  const options: Record<string, Value> = {};
  const lists = new Map<string, string[]>();
  const tuples = new Map<string, Tuple[]>();
  for (const [name, spec] of Object.entries(specs)) {
    if (spec.kind === "list") {
      lists.set(name, []);
      options[name] = lists.get(name);
    } else if (spec.kind === "tuple") {
      tuples.set(name, []);
      options[name] = tuples.get(name);
    } else options[name] = spec.kind === "flag" ? false : undefined;
  }
  const words: string[] = [];
  const operandKinds = Object.values(operandSpecs);
  const restAt = operandKinds.findIndex(({ kind }) => kind === "rest");
  // A command that hands all its words on to another tool speaks for itself only when asked for nothing else.
  if (restAt === 0 && args.length === 1 && HELP.includes(args[0])) return { kind: "help" };
  let isSeparated = false;
  let at = 0;
  for (; at < args.length; at++) {
    const argument = args[at];
    if (restAt >= 0 && words.length >= restAt) break;
    if (argument === "--") {
      isSeparated = true;
      at++;
      break;
    }
    if (!argument.startsWith("-") || argument === "-") {
      words.push(argument);
      continue;
    }
    const equals = argument.startsWith("--") ? argument.indexOf("=") : -1;
    const flag = equals < 0 ? argument : argument.slice(0, equals);
    const name = optionNamed(specs, flag);
    if (name === undefined) {
      return HELP.includes(argument) ? { kind: "help" } : wrong(`unknown option ${flag}${nearest(specs, flag)}`);
    }
    const spec = specs[name];
    if (spec.kind === "flag") {
      if (equals >= 0) return wrong(`${flag} takes no value`);
      options[name] = true;
      continue;
    }
    if (spec.kind === "tuple") {
      const values = args.slice(at + 1, at + 1 + spec.values.length);
      if (equals >= 0 || values.length < spec.values.length) return wrong(`${flag} needs ${spec.values.join(" ")}`);
      tuples.get(name)?.push({ at, values });
      at += values.length;
      continue;
    }
    if (spec.kind === "choice" && spec.bare !== undefined && equals < 0) {
      options[name] = spec.bare;
      continue;
    }
    if (equals < 0 && at + 1 >= args.length) return wrong(`${flag} needs a value`);
    const text = equals < 0 ? args[++at] : argument.slice(equals + 1);
    const list = lists.get(name);
    // `--json --time 10s`: nobody means a file called --time.
    const isForgotten = equals < 0 && list === undefined && text.startsWith("--");
    if (isForgotten && optionNamed(specs, text) !== undefined) {
      return wrong(`${flag} needs a value, and ${text} is an option`);
    }
    if (list !== undefined) list.push(text);
    else {
      const value = parseValue(spec, flag, text);
      if (value.kind === "wrong") return value;
      options[name] = value.value;
    }
  }
  words.push(...args.slice(at));
  return distribute(options, operandSpecs, words, isSeparated);
}

function parseValue(
  spec: OptionSpec,
  flag: string,
  text: string,
): { readonly kind: "value"; readonly value: Value } | { readonly kind: "wrong"; readonly problem: string } {
  if (spec.kind === "choice" && !spec.choices.includes(text)) {
    return wrong(`${flag} is one of ${spec.choices.join(", ")}, not ${text}`);
  }
  if (spec.kind === "duration") {
    const value = parseDuration(text);
    return value === null
      ? wrong(`${flag} needs a time such as 30s, 7m30s or 500ms, not ${text}`)
      : { kind: "value", value };
  }
  if (spec.kind !== "number") return { kind: "value", value: text };
  const value = Number(text);
  const least = spec.least ?? 0;
  if (text.trim() === "" || !Number.isFinite(value)) return wrong(`${flag} needs a number, not ${text}`);
  if (spec.integer === true && !Number.isInteger(value)) return wrong(`${flag} needs a whole number, not ${text}`);
  if (value < least) return wrong(`${flag} must be at least ${least}`);
  return { kind: "value", value };
}

function distribute(
  options: Record<string, Value>,
  specs: OperandSpecs,
  words: readonly string[],
  isSeparated: boolean,
): ParseResult {
  const operands: Record<string, Value> = {};
  let at = 0;
  for (const [name, spec] of Object.entries(specs)) {
    const single = spec.kind === "one" || spec.kind === "optional";
    if (at >= words.length && (spec.kind === "one" || spec.kind === "many")) return wrong(`${spec.value} is missing`);
    operands[name] = single ? words[at] : words.slice(at);
    at = single ? at + 1 : words.length;
  }
  if (at < words.length) return wrong(`what is ${words[at]}?`);
  return { kind: "parsed", options, operands, isSeparated };
}

function wrong(problem: string): { readonly kind: "wrong"; readonly problem: string } {
  return { kind: "wrong", problem };
}
