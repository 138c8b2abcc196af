// Terms in C's words, for people: `ignore_case != 0`, `c == 'x'`. Null where a term holds something that has no name: the source's own
// line says more then.

import type { GraphPlace, ProgramGraph, Term } from "./program-graph.js";
import { widthOf } from "./term-values.js";

const LONGEST = 120;
const BYTE = 8;

const OPERATORS: Readonly<Record<string, string>> = {
  add: "+", sub: "-", mul: "*", udiv: "/", sdiv: "/", urem: "%", srem: "%", shl: "<<", lshr: ">>", ashr: ">>",
  and: "&", or: "|", xor: "^", eq: "==", ne: "!=", ult: "<", ule: "<=", ugt: ">", uge: ">=",
  slt: "<", sle: "<=", sgt: ">", sge: ">=",
}; // biome-ignore format: a table

const OPPOSITE: Readonly<Record<string, string>> = {
  eq: "ne", ne: "eq", ult: "uge", uge: "ult", ugt: "ule", ule: "ugt", slt: "sge", sge: "slt", sgt: "sle", sle: "sgt",
}; // biome-ignore format: a table

export class TermText {
  private readonly parameters = new Map<string, GraphPlace>();

  constructor(private readonly graph: Pick<ProgramGraph, "places">) {
    for (const place of graph.places) {
      const { parameter } = place;
      if (parameter !== undefined) this.parameters.set(`${parameter.functionNumber},${parameter.index}`, place);
    }
  }

  /** A condition: a value that stands for itself is compared with 0. */
  condition(term: Term): string | null {
    const plain = withoutDoubt(term);
    const text = this.value(plain, false);
    if (text === null || text.length > LONGEST) return null;
    const isComparison = plain.kind === "operation" && OPPOSITE[plain.operation] !== undefined;
    return isComparison ? text : `${this.value(plain, true)} != 0`;
  }

  /** A value, or null. */
  value(term: Term, inside: boolean, asCharacter = false): string | null {
    switch (term.kind) {
      case "number":
        return numberText(term.value, term.width, asCharacter);
      case "place":
        return this.graph.places[term.place]?.name || null;
      case "parameter":
        return this.parameters.get(`${term.functionNumber},${term.index}`)?.name || null;
      case "text":
        return JSON.stringify(term.bytes);
      case "result": {
        const operands = term.operands.map((operand) => this.value(operand, false) ?? "...");
        return `${term.function}(${operands.join(", ")})`;
      }
      case "operation":
        return this.operation(term.operation, term.operands, inside);
      default:
        return null;
    }
  }

  private operation(operation: string, operands: readonly Term[], inside: boolean): string | null {
    if (operation === "load") {
      const pointer = this.value(operands[0], true);
      return pointer === null ? null : `*${pointer}`;
    }
    if (operation === "select") {
      const [condition, then, other] = operands.map((operand) => this.value(operand, true));
      return condition === null || then === null || other === null ? null : `${condition} ? ${then} : ${other}`;
    }
    if (operands.length === 1) return this.value(operands[0], inside);
    const operator = OPERATORS[operation];
    if (operator === undefined || operands.length !== 2) return null;
    const isCharacter = operands.some(isByte);
    const texts = operands.map((operand) => this.value(operand, true, isCharacter));
    if (texts.includes(null)) return null;
    const text = texts.join(` ${operator} `);
    return inside ? `(${text})` : text;
  }
}

/** `(a == b) != 0` is `a == b`. */
function withoutDoubt(term: Term): Term {
  let at = term;
  for (;;) {
    if (at.kind !== "operation") return at;
    const [first, second] = at.operands;
    if (at.operation === "zext" && widthOf(first) === 1) at = first;
    else if (
      (at.operation === "ne" || at.operation === "eq") &&
      second.kind === "number" &&
      second.value === "0" &&
      first.kind === "operation" &&
      isTruth(first)
    ) {
      const inner: Term = withoutDoubt(first);
      if (inner.kind !== "operation" || OPPOSITE[inner.operation] === undefined) return at;
      at = at.operation === "ne" ? inner : { ...inner, operation: OPPOSITE[inner.operation] };
    } else return at;
  }
}
function isTruth(term: Term & { kind: "operation" }): boolean {
  return term.width === 1 || (term.operation === "zext" && widthOf(term.operands[0]) === 1);
}

/** A character, also one made wider. */
function isByte(term: Term): boolean {
  if (term.kind === "operation" && (term.operation === "sext" || term.operation === "zext")) {
    return isByte(term.operands[0]);
  }
  if (term.kind === "result")
    return /^(getopt|getopt_long|getopt_long_only|f?getc|getchar|toupper|tolower)$/.test(term.function);
  return term.kind !== "number" && widthOf(term) === BYTE;
}

function numberText(value: string, width: number, asCharacter: boolean): string {
  const number = BigInt.asIntN(width, BigInt(value));
  if (asCharacter && number >= 32n && number < 127n) {
    const character = String.fromCharCode(Number(number));
    return character === "'" || character === "\\" ? `'\\${character}'` : `'${character}'`;
  }
  if (asCharacter && number === 10n) return "'\\n'";
  return number.toString();
}
