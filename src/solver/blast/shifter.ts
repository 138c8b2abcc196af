// Shifts as a barrel: one layer of multiplexers for each bit of the amount that can matter; any higher bit of the amount
// gives the fill everywhere. A constant amount folds to wires.

import type { Word } from "./adder.js";
import { FALSE_LITERAL, type GateGraph } from "./gates.js";

/** `x` moved by `amount` towards the high end (`direction` 1) or the low end (-1), with `fill` coming in. */
function shift(graph: GateGraph, x: Word, amount: Word, direction: 1 | -1, fill: number): Word {
  const width = x.length;
  let result = x;
  let tooFar = FALSE_LITERAL;
  for (let bit = 0; bit < amount.length; bit++) {
    const distance = bit < 31 ? 2 ** bit : Number.POSITIVE_INFINITY;
    if (distance >= width) {
      tooFar = graph.or(tooFar, amount[bit]);
      continue;
    }
    const before = result;
    result = before.map((literal, i) => {
      const from = i - direction * distance;
      return graph.mux(amount[bit], from >= 0 && from < width ? before[from] : fill, literal);
    });
  }
  return result.map((literal) => graph.mux(tooFar, fill, literal));
}

export function shiftLeft(graph: GateGraph, x: Word, amount: Word): Word {
  return shift(graph, x, amount, 1, FALSE_LITERAL);
}

export function shiftRightLogical(graph: GateGraph, x: Word, amount: Word): Word {
  return shift(graph, x, amount, -1, FALSE_LITERAL);
}

export function shiftRightArithmetic(graph: GateGraph, x: Word, amount: Word): Word {
  return shift(graph, x, amount, -1, x[x.length - 1]);
}
