// Comparisons as ripples of majority gates from the lowest bit up: "smaller so far" is the majority of (not x, y, smaller
// below). One gate a bit, with all six clauses, so that propagation works in every direction. Equality is one wide
// conjunction.

import type { Word } from "./adder.js";
import { FALSE_LITERAL, type GateGraph, TRUE_LITERAL } from "./gates.js";

function smaller(graph: GateGraph, x: Word, y: Word, whenEqual: number, signed: boolean): number {
  let result = whenEqual;
  const top = x.length - 1;
  for (let i = 0; i < top; i++) result = graph.majority(x[i] ^ 1, y[i], result);
  // Of signs, the one that is set is the smaller.
  return signed ? graph.majority(x[top], y[top] ^ 1, result) : graph.majority(x[top] ^ 1, y[top], result);
}

export function unsignedLess(graph: GateGraph, x: Word, y: Word): number {
  return smaller(graph, x, y, FALSE_LITERAL, false);
}

export function unsignedLessOrEqual(graph: GateGraph, x: Word, y: Word): number {
  return smaller(graph, x, y, TRUE_LITERAL, false);
}

export function signedLess(graph: GateGraph, x: Word, y: Word): number {
  return smaller(graph, x, y, FALSE_LITERAL, true);
}

export function signedLessOrEqual(graph: GateGraph, x: Word, y: Word): number {
  return smaller(graph, x, y, TRUE_LITERAL, true);
}

export function equalWords(graph: GateGraph, x: Word, y: Word): number {
  return graph.conjunction(x.map((literal, i) => graph.xor(literal, y[i]) ^ 1));
}
