// Rules of extract. A slice moves inwards through everything that only moves bits, and through operations whose bit i
// depends on bits up to i of their operands, if every operand can give its slice without a new extract: then what is left
// is narrower and nothing is added. Bitwise operations of such operands are in parts already (rules-bits.ts); through
// others no slice is pushed, so that what a store has cut a load can put together again.

import type { ExprArena } from "./arena.js";
import { type ExprRef, OPS } from "./ops.js";
import { NO_MATCH, type Rule } from "./rule.js";
import { mapTable } from "./rules-lookup.js";

const CONSTANT = OPS.constant.code;
const CONCAT = OPS.concat.code;
const ZEXT = OPS.zext.code;
const SEXT = OPS.sext.code;
const EXTRACT = OPS.extract.code;

/** Nodes that may lie between a bit and its sources for it to be taken apart. */
const SHALLOW_VISITS = 20;

/** Whether a slice of it is no new node on top of it. */
export function givesSlices(e: ExprArena, x: ExprRef): boolean {
  const op = e.op(x);
  return op === CONSTANT || op === CONCAT || op === ZEXT || op === SEXT || op === EXTRACT;
}

/** match: the low bits of (op x y), where x and y give slices   result: the operation on their low bits */
const lowBits = (op: "add" | "sub" | "mul"): Rule => ({
  name: `extract-low-${op}`,
  op: ["extract"],
  left: [op],
  apply: (e, a, _b, c, width) => {
    if (c !== 0 || !givesSlices(e, e.a(a)) || !givesSlices(e, e.b(a))) return NO_MATCH;
    return e.binary(OPS[op].code, e.extract(e.a(a), 0, width), e.extract(e.b(a), 0, width));
  },
});

/**
 * Whether few bitwise operations lie between a bit and what it is made of. Bits of a long chain (a checksum bit by bit)
 * are not taken apart: each would be as large as the chain. This looks at the expression only, not at the effort so far, so
 * that the same request always has the same answer.
 */
function isShallowBit(e: ExprArena, root: ExprRef, rootBit: number): boolean {
  const pending: number[] = [root, rootBit];
  for (let visited = 0; pending.length > 0; visited++) {
    if (visited === SHALLOW_VISITS) return false;
    const bit = pending.pop()!;
    const x = pending.pop()! as ExprRef;
    switch (e.op(x)) {
      case CONCAT: {
        const low = e.width(e.b(x));
        pending.push(bit < low ? e.b(x) : e.a(x), bit < low ? bit : bit - low);
        break;
      }
      case ZEXT:
        if (bit < e.width(e.a(x))) pending.push(e.a(x), bit);
        break;
      case SEXT:
        pending.push(e.a(x), Math.min(bit, e.width(e.a(x)) - 1));
        break;
      case EXTRACT:
        pending.push(e.a(x), bit + e.payload(x));
        break;
      case OPS.not.code:
        pending.push(e.a(x), bit);
        break;
      case OPS.and.code:
      case OPS.or.code:
      case OPS.xor.code:
        pending.push(e.a(x), bit, e.b(x), bit);
        break;
      case OPS.ite.code:
        pending.push(e.b(x), bit, e.c(x), bit);
        break;
    }
  }
  return true;
}

/** match: one bit of (op x y)   result: (op (bit of x) (bit of y)), which is a truth value and meets the rules of those */
const bitOf = (op: "and" | "or" | "xor"): Rule => ({
  name: `extract-bit-of-${op}`,
  op: ["extract"],
  left: [op],
  apply: (e, a, _b, c, width) =>
    width === 1 && isShallowBit(e, a, c)
      ? e.binary(OPS[op].code, e.extract(e.a(a), c, 1), e.extract(e.b(a), c, 1))
      : NO_MATCH,
});

export const EXTRACT_RULES: readonly Rule[] = [
  /** match: (extract (extract x))   result: one extract of x */
  {
    name: "extract-extract",
    op: ["extract"],
    left: ["extract"],
    apply: (e, a, _b, c, width) => e.extract(e.a(a), e.payload(a) + c, width),
  },
  /** match: (extract (concat x y))   result: of x, of y, or of both joined */
  {
    name: "extract-concat",
    op: ["extract"],
    left: ["concat"],
    apply: (e, a, _b, c, width) => {
      const low = e.width(e.b(a));
      if (c >= low) return e.extract(e.a(a), c - low, width);
      if (c + width <= low) return e.extract(e.b(a), c, width);
      return e.concat(e.extract(e.a(a), 0, c + width - low), e.extract(e.b(a), c, low - c));
    },
  },
  /** match: (extract (zext x))   result: of x, zero, or (zext (extract x)) */
  {
    name: "extract-zext",
    op: ["extract"],
    left: ["zext"],
    apply: (e, a, _b, c, width) => {
      const x = e.a(a);
      const inner = e.width(x);
      if (c >= inner) return e.zero(width);
      return c + width <= inner ? e.extract(x, c, width) : e.zext(e.extract(x, c, inner - c), width);
    },
  },
  /** match: (extract (sext x))   result: of x, or (sext (extract x)) */
  {
    name: "extract-sext",
    op: ["extract"],
    left: ["sext"],
    apply: (e, a, _b, c, width) => {
      const x = e.a(a);
      const inner = e.width(x);
      if (c + width <= inner) return e.extract(x, c, width);
      const low = Math.min(c, inner - 1);
      return e.sext(e.extract(x, low, inner - low), width);
    },
  },
  /** match: the low bits of (neg x), x gives slices   result: (neg (extract x)) */
  {
    name: "extract-low-neg",
    op: ["extract"],
    left: ["neg"],
    apply: (e, a, _b, c, width) => (c === 0 && givesSlices(e, e.a(a)) ? e.neg(e.extract(e.a(a), 0, width)) : NO_MATCH),
  },
  bitOf("and"),
  bitOf("or"),
  bitOf("xor"),
  /** match: one bit of (not x)   result: (not (bit of x)) */
  {
    name: "extract-bit-of-not",
    op: ["extract"],
    left: ["not"],
    apply: (e, a, _b, c, width) => (width === 1 && isShallowBit(e, a, c) ? e.not(e.extract(e.a(a), c, 1)) : NO_MATCH),
  },
  /** match: one bit of (ite p x y)   result: (ite p (bit of x) (bit of y)) */
  {
    name: "extract-bit-of-choice",
    op: ["extract"],
    left: ["ite"],
    apply: (e, a, _b, c, width) =>
      width === 1 && isShallowBit(e, a, c) ? e.ite(e.a(a), e.extract(e.b(a), c, 1), e.extract(e.c(a), c, 1)) : NO_MATCH,
  },
  lowBits("add"),
  lowBits("sub"),
  lowBits("mul"),
  /** match: (extract (ite p x y)), x and y give slices   result: (ite p (extract x) (extract y)) */
  {
    name: "extract-choice",
    op: ["extract"],
    left: ["ite"],
    apply: (e, a, _b, c, width) => {
      if (!givesSlices(e, e.b(a)) || !givesSlices(e, e.c(a))) return NO_MATCH;
      return e.ite(e.a(a), e.extract(e.b(a), c, width), e.extract(e.c(a), c, width));
    },
  },
  /** match: one bit of a lookup among constants   result: a lookup among truth values */
  {
    name: "extract-bit-of-lookup",
    op: ["extract"],
    left: ["lookup"],
    apply: (e, a, _b, c, width) => (width === 1 ? mapTable(e, a, (entry) => e.extract(entry, c, 1)) : NO_MATCH),
  },
];
