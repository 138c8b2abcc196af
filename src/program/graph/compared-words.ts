// Words that a program compares something with: the constant side of strcmp and its like, the rows of a table beside it, names it asks the environment for, and
// single characters that it switches or branches on. Each with the side that is taken when they are equal.

import { type Argument, type Instruction, intValue, type Value } from "../../ir/values.js";
import type { CountedBody } from "../counted-bodies.js";
import type { ConstantData } from "./constant-data.js";
import { InlinedCalls } from "./inlined-calls.js";
import type { BlockNumber, ProgramWord } from "./program-graph.js";
import { type CallSite, calleeOf, callsOf, type ValueFlow } from "./value-flow.js";

interface Comparison {
  /** Arguments of which one may be the word. */
  readonly sides: readonly number[];
  /** The argument that says how many bytes are compared. */
  readonly length?: number;
  /** What the result is when they are equal. */
  readonly equal: "zero" | "not-null" | "one";
}

const WHOLE: Comparison = { sides: [0, 1], equal: "zero" };
const PART: Comparison = { sides: [0, 1], length: 2, equal: "zero" };
const FOUND: Comparison = { sides: [1], equal: "not-null" };
const SAID: Comparison = { sides: [0, 1], equal: "one" };

/** By name, with gnulib's prefixes taken off. */
const COMPARISONS: ReadonlyMap<string, Comparison> = new Map([
  ...["strcmp", "strcoll", "strcasecmp", "mbscasecmp", "stricmp"].map((name) => [name, WHOLE] as const),
  ...["strncmp", "strncasecmp", "memcmp", "bcmp", "memcasecmp"].map((name) => [name, PART] as const),
  ...["strstr", "strcasestr", "mbsstr", "mbscasestr"].map((name) => [name, FOUND] as const),
  ...["streq", "strequal", "str_equal", "starts_with", "startswith"].map((name) => [name, SAID] as const),
]);
const PREFIX = /^(rpl_|c_|__)?/;
const ASKS_ENVIRONMENT = /^(secure_|__)?getenv$/;
const FINDS_CHARACTER = /^(strchr|memchr|rawmemchr|strchrnul|index)$/;

/** A list of characters to look for one in; a longer text is searched for other reasons. */
const MOST_CHARACTERS = 64;
/** Cases that make a switch one over characters. */
const LEAST_CASES = 3;
/** Cases that may have one side: more say that it is a letter, not which. */
const MOST_ALIKE = 16;

export class ComparedWords {
  readonly texts: ProgramWord[] = [];
  /** Of tables that something is looked up in. */
  readonly rows: ProgramWord[] = [];
  readonly variables: ProgramWord[] = [];
  readonly characters: ProgramWord[] = [];

  constructor(
    private readonly data: ConstantData,
    private readonly flow: ValueFlow,
  ) {}

  find(bodies: readonly CountedBody[]): void {
    const inlined = new InlinedCalls();
    const isComparison = (name: string): boolean => COMPARISONS.has(name.replace(PREFIX, ""));
    for (const at of bodies) {
      for (const call of callsOf(at)) this.call({ at, call });
      for (const { name, constants, results } of inlined.in(at, isComparison)) {
        const comparison = COMPARISONS.get(name.replace(PREFIX, "")) ?? WHOLE;
        const leadsTo = results.flatMap((result) => this.equalSides(at, result, comparison));
        for (const text of new Set(constants.flatMap((constant) => this.data.textOf(constant) ?? []))) {
          this.texts.push(word(text, "compared", leadsTo));
        }
      }
      for (const block of at.body.blocks) for (const i of block.instructions) this.instruction(at, i);
    }
  }

  // ------------------------------------------------------------ calls

  private call(site: CallSite): void {
    const { at, call } = site;
    const name = calleeOf(call)?.name.replace(PREFIX, "") ?? "";
    const comparison = COMPARISONS.get(name);
    if (comparison !== undefined) this.compare(site, comparison);
    else if (ASKS_ENVIRONMENT.test(name) && call.operands.length > 1) {
      for (const text of this.data.textsOf(call.operands[1])) {
        this.variables.push(word(text, "variable", this.flow.sidesWhereFound(at, call)));
      }
    } else if (FINDS_CHARACTER.test(name) && call.operands.length > 2) {
      const text = this.data.textOf(call.operands[1]) ?? "";
      if (text.length === 0 || text.length > MOST_CHARACTERS) return;
      const sides = this.flow.sidesWhereFound(at, call);
      for (const character of text) this.characters.push(word(character, "compared", sides));
    }
  }

  private compare({ at, call }: CallSite, comparison: Comparison): void {
    const operands = call.operands.slice(1);
    const length = comparison.length === undefined ? null : intValue(operands[comparison.length] ?? call);
    const cut = (text: string): string => (length === null ? text : text.slice(0, Number(length)));
    const sides = comparison.sides.filter((side) => operands[side] !== undefined);
    const texts = sides.flatMap((side) => this.data.textsOf(operands[side])).filter((text) => text !== "");
    if (texts.length > 0) {
      const leadsTo = this.equalSides(at, call, comparison);
      for (const text of texts) this.texts.push(word(cut(text), "compared", leadsTo));
      return;
    }
    const rows = sides.flatMap((side) => this.data.columnOf(operands[side]));
    if (rows.length > 0) {
      const leadsTo = this.equalSides(at, call, comparison);
      for (const text of rows) this.rows.push(word(cut(text), "table", leadsTo));
      return;
    }
    for (const side of sides) {
      const operand = operands[side];
      if (operand.kind === "argument") this.callersWords(at, call, operand, comparison, cut);
    }
  }

  private equalSides(at: CountedBody, result: Instruction, { equal }: Comparison): readonly BlockNumber[] {
    if (equal === "not-null") return this.flow.sidesWhereFound(at, result);
    return this.flow.sidesWhere(at, result, equal === "zero" ? 0n : 1n);
  }

  /** A function that compares its parameter: its callers' constants are words. */
  private callersWords(
    at: CountedBody,
    call: Instruction,
    parameter: Argument,
    { equal }: Comparison,
    cut: (text: string) => string,
  ): void {
    for (const caller of this.flow.callersOf(at.fn)) {
      const operand: Value | undefined = caller.call.operands[parameter.index + 1];
      if (operand === undefined) continue;
      for (const text of this.data.textsOf(operand)) {
        const sides = equal === "not-null" ? [] : this.flow.sidesWhere(at, call, equal === "zero" ? 0n : 1n, caller);
        this.texts.push(word(cut(text), "compared", sides));
      }
    }
  }

  // ------------------------------------------------------------ single characters

  private instruction(at: CountedBody, i: Instruction): void {
    if (i.op === "switch") {
      const letters = i.extra.cases.filter(isPrintable);
      const strange = i.extra.cases.filter((value) => !isPrintable(value) && !isEnd(value));
      if (letters.length < LEAST_CASES || strange.length > 0 || at.firstBlock < 0) return;
      i.extra.cases.forEach((value, n) => {
        const side = i.blocks[n + 1];
        const isOneOfMany = i.blocks.filter((block) => block === side).length > MOST_ALIKE;
        if (!isPrintable(value) || isOneOfMany) return;
        this.characters.push(word(character(value), "compared", [at.firstBlock + side.index]));
      });
    } else if (i.op === "icmp" && (i.extra.predicate === "eq" || i.extra.predicate === "ne")) {
      const value = intValue(i.operands[1]);
      const loaded = byteOf(i.operands[0]);
      if (value === null || loaded === null || !isPrintable(value)) return;
      const sides = this.flow.sidesWhere(at, loaded, value);
      this.characters.push(word(character(value), "compared", sides));
    }
  }
}

function word(text: string, kind: ProgramWord["kind"], leadsTo: readonly BlockNumber[]): ProgramWord {
  return { text, kind, argument: "unknown", leadsTo };
}

function character(value: bigint): string {
  return String.fromCharCode(Number(value));
}

function isPrintable(value: bigint): boolean {
  return value > 0x20n && value < 0x7fn;
}

/** Characters that end something: zero, blanks, ends of lines, and -1 for the end of a file. */
function isEnd(value: bigint): boolean {
  return value <= 0x20n || value === 0xffff_ffffn || value === 0xffn;
}

/** A byte that was read from memory, perhaps made wider. */
function byteOf(value: Value): Instruction | null {
  let at = value;
  while (at.kind === "instruction" && (at.op === "sext" || at.op === "zext")) at = at.operands[0];
  return at.kind === "instruction" && at.op === "load" && at.type.kind === "int" && at.type.bits === 8 ? at : null;
}
