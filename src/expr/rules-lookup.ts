// Rules of lookup, and of comparisons of a lookup among constants: the question is asked of every entry once, when the
// expression is made, and what is left is a table of truth values; if its true entries form one row, a range test.

import type { ExprArena } from "./arena.js";
import { type ExprRef, OPS } from "./ops.js";
import { NO_MATCH, type Rule } from "./rule.js";
import type { TableRef } from "./tables.js";

const CONSTANT = OPS.constant.code;
const LOOKUP = OPS.lookup.code;

/** Larger tables are not rebuilt for a slice or a comparison: that costs time and memory for each question asked. */
const REBUILT_TABLE_LENGTH = 1024;

/** A lookup in a table made from each entry of another, if these are constants. `change` must leave 0 as 0. */
export function mapTable(e: ExprArena, lookup: ExprRef, change: (entry: ExprRef) => ExprRef): ExprRef {
  const entries = e.tableEntries(e.payload(lookup) as TableRef);
  if (entries.length > REBUILT_TABLE_LENGTH) return NO_MATCH;
  for (let i = 0; i < entries.length; i++) if (e.op(entries[i] as ExprRef) !== CONSTANT) return NO_MATCH;
  return e.lookup(e.table(Array.from(entries, (entry) => change(entry as ExprRef))), e.a(lookup));
}

/** match: a comparison of a lookup among constants with a constant   result: a lookup among truth values */
const compared = (op: "eq" | "ult" | "slt"): Rule => ({
  name: `${op}-of-lookup`,
  op: [op],
  left: ["lookup", "constant"],
  apply: (e, a, b) => {
    const code = OPS[op].code;
    const lookup = e.isConstant(b) ? a : b;
    if (e.op(lookup) !== LOOKUP || !e.isConstant(lookup === a ? b : a)) return NO_MATCH;
    const ask = (entry: ExprRef) => (lookup === a ? e.binary(code, entry, b) : e.binary(code, a, entry));
    // Beyond the end the entry is 0 and so must be the answer: else ask the opposite and negate.
    if (ask(e.zero(e.width(a))) === e.FALSE) return mapTable(e, lookup, ask);
    const negated = mapTable(e, lookup, (entry) => e.not(ask(entry)));
    return negated === NO_MATCH ? NO_MATCH : e.not(negated);
  },
});

export const LOOKUP_RULES: readonly Rule[] = [
  compared("eq"),
  compared("ult"),
  compared("slt"),
  /** match: (lookup t (zext x))   result: (lookup t x) */
  { name: "lookup-zext", op: ["lookup"], left: ["zext"], apply: (e, a, _b, c) => e.lookup(table(c), e.a(a)) },
  /** match: (lookup t (ite p c d)), c and d constants   result: (ite p t[c] t[d]) */
  {
    name: "lookup-choice",
    op: ["lookup"],
    left: ["ite"],
    apply: (e, a, _b, c) =>
      e.isConstant(e.b(a)) && e.isConstant(e.c(a))
        ? e.ite(e.a(a), e.lookup(table(c), e.b(a)), e.lookup(table(c), e.c(a)))
        : NO_MATCH,
  },
  /** match: a lookup by a truth value   result: (ite x t[1] t[0]) */
  {
    name: "lookup-by-truth",
    op: ["lookup"],
    truth: true,
    apply: (e, a, _b, c) => e.ite(a, e.lookup(table(c), e.TRUE), e.lookup(table(c), e.FALSE)),
  },
  /** match: a lookup whose index never reaches the end of the table   result: a lookup in the part it reaches */
  {
    name: "lookup-reachable-part",
    op: ["lookup"],
    apply: (e, a, _b, c) => {
      const entries = e.tableEntries(table(c));
      const most = e.facts.maximum(a);
      return most + 1 < entries.length ? e.lookup(e.table(entries.slice(0, most + 1)), a) : NO_MATCH;
    },
  },
  /** match: a lookup that finds the same entry everywhere   result: the entry */
  {
    name: "lookup-same-entries",
    op: ["lookup"],
    apply: (e, a, _b, c, width) => {
      const entries = e.tableEntries(table(c));
      for (let i = 1; i < entries.length; i++) if (entries[i] !== entries[0]) return NO_MATCH;
      const entry = entries[0] as ExprRef;
      return e.facts.maximum(a) < entries.length || entry === e.zero(width) ? entry : NO_MATCH;
    },
  },
  /** match: a lookup among truth values of which one row is true   result: a range test of the index */
  {
    name: "lookup-one-row",
    op: ["lookup"],
    apply: (e, a, _b, c, width) => {
      if (width !== 1) return NO_MATCH;
      const entries = e.tableEntries(table(c));
      const first = entries.indexOf(e.TRUE);
      if (first < 0) return NO_MATCH;
      const last = entries.lastIndexOf(e.TRUE);
      for (let i = 0; i < entries.length; i++) {
        if (entries[i] !== (i >= first && i <= last ? e.TRUE : e.FALSE)) return NO_MATCH;
      }
      return rangeTest(e, a, first, last);
    },
  },
];

/** first <= x <= last, both within the range of x. */
function rangeTest(e: ExprArena, x: ExprRef, first: number, last: number): ExprRef {
  const width = e.width(x);
  const at = (value: number) => e.constantBig(width, BigInt(value));
  const most = width < 53 ? 2 ** width - 1 : Number.POSITIVE_INFINITY;
  if (first > most) return e.FALSE;
  if (last >= most) return e.binary(OPS.ule.code, at(first), x);
  if (first === last) return e.binary(OPS.eq.code, x, at(first));
  return e.binary(OPS.ult.code, e.binary(OPS.sub.code, x, at(first)), at(last - first + 1));
}

function table(payload: ExprRef): TableRef {
  return payload as number as TableRef;
}
