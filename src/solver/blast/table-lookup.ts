// A lookup in a table as a tree of multiplexers, folded from the lowest bit of the index up: neighbouring constants fold to
// wires, and equal sub-tables to one gate, so that a table of thousands of bytes costs hundreds of gates. Entries that the
// index cannot reach are copies of a neighbour, which folds them away.

import type { Word } from "./adder.js";
import { FALSE_LITERAL, type GateGraph, TRUE_LITERAL } from "./gates.js";

/** `entries[index]`, 0 beyond the end; `width` is the entries' width, `smallest` and `largest` bound the index. */
export function lookUp(
  graph: GateGraph,
  entries: readonly Word[],
  index: Word,
  width: number,
  smallest: number,
  largest: number,
): Word {
  const zero: Word = new Array(width).fill(FALSE_LITERAL);
  if (entries.length === 0 || smallest >= entries.length) return zero;
  const last = Math.min(largest, entries.length - 1);
  let layer: Word[] = entries.slice(0, last + 1);
  for (let i = 0; i < smallest; i++) layer[i] = layer[smallest];
  let bit = 0;
  for (; layer.length > 1 && bit < index.length; bit++) {
    const next: Word[] = [];
    // Beyond `largest` nothing is reachable; beyond the table's end the value is zero.
    const outside = largest < entries.length ? layer[layer.length - 1] : zero;
    for (let i = 0; i < layer.length; i += 2) {
      const low = layer[i];
      const high = i + 1 < layer.length ? layer[i + 1] : outside;
      next.push(index[bit] === TRUE_LITERAL ? high : low.map((literal, k) => graph.mux(index[bit], high[k], literal)));
    }
    layer = next;
  }
  let beyond = FALSE_LITERAL;
  if (largest >= entries.length) for (; bit < index.length; bit++) beyond = graph.or(beyond, index[bit]);
  return layer[0].map((literal) => graph.and(beyond ^ 1, literal));
}
