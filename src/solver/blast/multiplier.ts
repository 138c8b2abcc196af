// Multiplication by rows of partial products, each added to what lies above it. A constant operand is recoded to digits
// -1, 0, 1 without neighbours (non-adjacent form), which leaves at most half of its rows. Wallace trees were left out:
// they save depth, which propagation does not need, and cost sharing.

import { addWords, invertWord, type Word } from "./adder.js";
import { FALSE_LITERAL, type GateGraph, TRUE_LITERAL } from "./gates.js";

function isConstant(x: Word): boolean {
  return x.every((literal) => literal <= 1);
}

/** How many rows a multiplication by `x` needs. */
function rowCount(x: Word): number {
  let rows = 0;
  for (const literal of x) if (literal !== FALSE_LITERAL) rows++;
  return rows;
}

export function multiplyWords(graph: GateGraph, x: Word, y: Word): Word {
  if (isConstant(x)) return multiplyByConstant(graph, y, x);
  if (isConstant(y)) return multiplyByConstant(graph, x, y);
  return rowCount(x) < rowCount(y) ? multiplyRows(graph, y, x) : multiplyRows(graph, x, y);
}

function multiplyRows(graph: GateGraph, x: Word, y: Word): Word {
  const width = x.length;
  const sum: Word = new Array(width).fill(FALSE_LITERAL);
  for (let shift = 0; shift < width; shift++) {
    if (y[shift] === FALSE_LITERAL) continue;
    const row: Word = [];
    for (let i = 0; i + shift < width; i++) row.push(graph.and(x[i], y[shift]));
    addAbove(graph, sum, row, shift, FALSE_LITERAL);
  }
  return sum;
}

function multiplyByConstant(graph: GateGraph, x: Word, constant: Word): Word {
  const width = x.length;
  const sum: Word = new Array(width).fill(FALSE_LITERAL);
  let carry = 0;
  for (let shift = 0; shift < width; shift++) {
    const bit = (constant[shift] === TRUE_LITERAL ? 1 : 0) + carry;
    if (bit !== 1) {
      carry = bit >> 1;
      continue;
    }
    const nextSet = shift + 1 < width && constant[shift + 1] === TRUE_LITERAL;
    const row = x.slice(0, width - shift);
    if (nextSet) addAbove(graph, sum, invertWord(row), shift, TRUE_LITERAL);
    else addAbove(graph, sum, row, shift, FALSE_LITERAL);
    carry = nextSet ? 1 : 0;
  }
  return sum;
}

function addAbove(graph: GateGraph, sum: Word, row: Word, shift: number, carry: number): void {
  const upper = addWords(graph, sum.slice(shift), row, carry);
  for (let i = 0; i < upper.length; i++) sum[shift + i] = upper[i];
}
