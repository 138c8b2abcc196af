// What a term is worth when some of the places in it are known: a number, or null if it depends on more. Numbers are kept unsigned
// below 2^width, as the IR has them.

import type { Term } from "./program-graph.js";

/** The number at a leaf (a place, parameter or result), or null. */
export type KnownLeaf = (leaf: Term) => bigint | null;

export const NOTHING_KNOWN: KnownLeaf = () => null;

export function evaluate(term: Term, known: KnownLeaf): bigint | null {
  switch (term.kind) {
    case "number":
      return BigInt.asUintN(term.width, BigInt(term.value));
    case "place":
    case "parameter":
    case "result":
      return known(term);
    case "operation": {
      const { operands } = term;
      if (term.operation === "select") {
        const condition = evaluate(operands[0], known);
        if (condition !== null) return evaluate(operands[condition !== 0n ? 1 : 2], known);
        const [then, other] = [evaluate(operands[1], known), evaluate(operands[2], known)];
        return then === other ? then : null;
      }
      if (operands.length === 1) {
        const value = evaluate(operands[0], known);
        return value === null ? null : convert(term.operation, value, widthOf(operands[0]), term.width);
      }
      const a = evaluate(operands[0], known);
      const b = evaluate(operands[1], known);
      if (a === null || b === null) return oneSided(term.operation, a, b, term.width);
      return combine(term.operation, a, b, widthOf(operands[0]) ?? widthOf(operands[1]) ?? term.width);
    }
    default:
      return null;
  }
}

/** In bits; null if it is not known. */
export function widthOf(term: Term): number | null {
  switch (term.kind) {
    case "number":
    case "place":
    case "operation":
      return term.width;
    default:
      return null;
  }
}

function convert(operation: string, value: bigint, from: number | null, to: number): bigint | null {
  switch (operation) {
    case "zext":
    case "trunc":
    case "ptrtoint":
    case "inttoptr":
      return BigInt.asUintN(to, value);
    case "sext":
      return from === null ? null : BigInt.asUintN(to, BigInt.asIntN(from, value));
    default:
      return null;
  }
}

/** One operand can be enough. */
function oneSided(operation: string, a: bigint | null, b: bigint | null, width: number): bigint | null {
  const known = a ?? b;
  if (known === null) return null;
  if ((operation === "and" || operation === "mul") && known === 0n) return 0n;
  const ones = (1n << BigInt(width)) - 1n;
  return operation === "or" && known === ones ? ones : null;
}

/** Two numbers of a width; null if the operation is unknown or has no result. */
export function combine(operation: string, a: bigint, b: bigint, width: number): bigint | null {
  const signed = (value: bigint): bigint => BigInt.asIntN(width, value);
  const wrapped = (value: bigint): bigint => BigInt.asUintN(width, value);
  const truth = (value: boolean): bigint => (value ? 1n : 0n);
  switch (operation) {
    case "add": return wrapped(a + b);
    case "sub": return wrapped(a - b);
    case "mul": return wrapped(a * b);
    case "udiv": return b === 0n ? null : a / b;
    case "urem": return b === 0n ? null : a % b;
    case "sdiv": return b === 0n ? null : wrapped(signed(a) / signed(b));
    case "srem": return b === 0n ? null : wrapped(signed(a) % signed(b));
    case "and": return a & b;
    case "or": return a | b;
    case "xor": return a ^ b;
    case "shl": return b >= BigInt(width) ? null : wrapped(a << b);
    case "lshr": return b >= BigInt(width) ? null : a >> b;
    case "ashr": return b >= BigInt(width) ? null : wrapped(signed(a) >> b);
    case "eq": return truth(a === b);
    case "ne": return truth(a !== b);
    case "ult": return truth(a < b);
    case "ule": return truth(a <= b);
    case "ugt": return truth(a > b);
    case "uge": return truth(a >= b);
    case "slt": return truth(signed(a) < signed(b));
    case "sle": return truth(signed(a) <= signed(b));
    case "sgt": return truth(signed(a) > signed(b));
    case "sge": return truth(signed(a) >= signed(b));
    default: return null;
  } // biome-ignore format: a table
}

/** The leaves of a term that may get values from definitions, each once. */
export function leavesOf(term: Term): Term[] {
  const found = new Map<string, Term>();
  const work: Term[] = [term];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    if (at.kind === "operation") work.push(...at.operands);
    else if (at.kind === "place" || at.kind === "parameter" || at.kind === "result") found.set(leafKey(at), at);
  }
  return [...found.values()].reverse();
}

/** Equal for leaves that are the same place, parameter or result. */
export function leafKey(leaf: Term): string {
  switch (leaf.kind) {
    case "place":
      return `${leaf.place}`;
    case "parameter":
      return `p${leaf.functionNumber},${leaf.index}`;
    case "result":
      return `r${leaf.functionNumber < 0 ? leaf.function : leaf.functionNumber}`;
    default:
      return "?";
  }
}
