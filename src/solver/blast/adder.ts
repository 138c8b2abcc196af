// Addition as a ripple of full adders. Carry-lookahead is faster in silicon, not in a SAT solver: the ripple has the fewest
// gates, and unit propagation does not count depth. Words are literals, lowest bit first.

import { FALSE_LITERAL, type GateGraph, TRUE_LITERAL } from "./gates.js";

export type Word = number[];

/** `x + y + carry`, as wide as `x`. */
export function addWords(graph: GateGraph, x: Word, y: Word, carryIn: number): Word {
  const sum: Word = [];
  let carry = carryIn;
  for (let i = 0; i < x.length; i++) {
    sum.push(graph.xor(graph.xor(x[i], y[i]), carry));
    if (i + 1 < x.length) carry = graph.majority(x[i], y[i], carry);
  }
  return sum;
}

export function invertWord(x: Word): Word {
  return x.map((literal) => literal ^ 1);
}

export function subtractWords(graph: GateGraph, x: Word, y: Word): Word {
  return addWords(graph, x, invertWord(y), TRUE_LITERAL);
}

export function negateWord(graph: GateGraph, x: Word): Word {
  return addWords(graph, new Array(x.length).fill(FALSE_LITERAL), invertWord(x), TRUE_LITERAL);
}

export function muxWords(graph: GateGraph, condition: number, x: Word, y: Word): Word {
  return x.map((literal, i) => graph.mux(condition, literal, y[i]));
}
