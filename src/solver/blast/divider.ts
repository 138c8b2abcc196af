// Division by restoring: the remainder grows by one bit of the dividend a step, and loses the divisor when it can. Only the
// bits that can be set at a step are compared and subtracted, which halves the circuit. The alternative, free words q and
// r with q * d + r = x, needs a multiplier twice as wide and variables that no input determines.
// A divisor of zero gives all ones and the dividend, by the circuit's own nature, as SMT-LIB wants.

import { muxWords, negateWord, subtractWords, type Word } from "./adder.js";
import { unsignedLess } from "./comparison.js";
import { FALSE_LITERAL, type GateGraph } from "./gates.js";

export interface Division {
  readonly quotient: Word;
  readonly remainder: Word;
}

export function divideUnsigned(graph: GateGraph, x: Word, d: Word): Division {
  const width = x.length;
  // aboveSet[k]: some bit of the divisor at k or above is set, so that a remainder of k bits is smaller.
  const aboveSet: number[] = new Array(width + 1);
  aboveSet[width] = FALSE_LITERAL;
  for (let k = width - 1; k >= 0; k--) aboveSet[k] = graph.or(aboveSet[k + 1], d[k]);
  const quotient: Word = new Array(width);
  let remainder: Word = [];
  for (let step = 0; step < width; step++) {
    remainder = [x[width - 1 - step], ...remainder];
    const low = d.slice(0, remainder.length);
    const fits = graph.or(aboveSet[remainder.length], unsignedLess(graph, remainder, low)) ^ 1;
    quotient[width - 1 - step] = fits;
    remainder = muxWords(graph, fits, subtractWords(graph, remainder, low), remainder);
  }
  return { quotient, remainder };
}

/** Truncating division: the quotient's sign is the product of the signs, the remainder has the dividend's. */
export function divideSigned(graph: GateGraph, x: Word, d: Word): Division {
  const signX = x[x.length - 1];
  const signD = d[d.length - 1];
  const absolute = divideUnsigned(
    graph,
    muxWords(graph, signX, negateWord(graph, x), x),
    muxWords(graph, signD, negateWord(graph, d), d),
  );
  const { quotient, remainder } = absolute;
  return {
    quotient: muxWords(graph, graph.xor(signX, signD), negateWord(graph, quotient), quotient),
    remainder: muxWords(graph, signX, negateWord(graph, remainder), remainder),
  };
}
