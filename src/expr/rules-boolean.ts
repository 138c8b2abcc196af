// Rules of truth values (width 1). Every arithmetic operation on one bit is a gate, so only and, or, not and eq are left;
// a negation is pushed inwards until a comparison takes it in, so that a negated disjunction becomes a conjunction, which
// the solver can take apart.

import type { ExprArena } from "./arena.js";
import { type BinaryName, type ExprRef, OPS } from "./ops.js";
import { NO_MATCH, type Rule } from "./rule.js";

const AND = OPS.and.code;
const OR = OPS.or.code;
const NOT = OPS.not.code;
const EQ = OPS.eq.code;

type Gate = (e: ExprArena, a: ExprRef, b: ExprRef) => ExprRef;
const different: Gate = (e, a, b) => e.not(e.binary(EQ, a, b));
const both: Gate = (e, a, b) => e.binary(AND, a, b);
const firstOnly: Gate = (e, a, b) => e.binary(AND, a, e.not(b));
const secondOnly: Gate = (e, a, b) => e.binary(AND, b, e.not(a));
const firstOrNotSecond: Gate = (e, a, b) => e.binary(OR, a, e.not(b));
const secondOrNotFirst: Gate = (e, a, b) => e.binary(OR, b, e.not(a));

/** match: the operation on operands of width 1   result: the gate it is (division by zero and shifts as SMT-LIB has them) */
const GATES: readonly (readonly [BinaryName, Gate])[] = [
  ["add", different],
  ["sub", different],
  ["xor", different],
  ["mul", both],
  ["udiv", firstOrNotSecond],
  ["sdiv", firstOrNotSecond],
  ["urem", firstOnly],
  ["srem", firstOnly],
  ["shl", firstOnly],
  ["lshr", firstOnly],
  ["ashr", (_e, a) => a],
  ["ult", secondOnly],
  ["ule", secondOrNotFirst],
  ["slt", firstOnly],
  ["sle", firstOrNotSecond],
];

/** An equality with a constant, or the negation of one: that equality, else no match. */
function equality(e: ExprArena, p: ExprRef): ExprRef {
  const inner = e.op(p) === NOT ? e.a(p) : p;
  return e.op(inner) === EQ && e.isConstant(e.b(inner)) ? inner : NO_MATCH;
}

/** match: (and p q), p and q equalities of one x with different constants, maybe negated   result: false, or the stronger */
/** match: (or p q), likewise   result: true, or the weaker */
const related = (op: "and" | "or"): Rule => ({
  name: `${op}-of-related-equalities`,
  op: [op],
  left: ["eq", "not"],
  right: "symbolic",
  truth: true,
  apply: (e, a, b) => {
    const x = equality(e, a);
    const y = equality(e, b);
    if (x === NO_MATCH || y === NO_MATCH || x === y || e.a(x) !== e.a(y)) return NO_MATCH;
    const negations = (x === a ? 0 : 1) + (y === b ? 0 : 1);
    // x = c implies x != d; at most one of x = c, x = d holds, and at least one of their negations.
    if (negations === 1) return (x === a) === (op === "and") ? a : b;
    if (op === "and") return negations === 0 ? e.FALSE : NO_MATCH;
    return negations === 2 ? e.TRUE : NO_MATCH;
  },
});

export const BOOLEAN_RULES: readonly Rule[] = [
  ...GATES.map(
    ([op, gate]): Rule => ({
      name: `truth-${op}`,
      op: [op],
      truth: true,
      apply: (e, a, b) => gate(e, a, b),
    }),
  ),
  /** match: (neg p)   result: p */
  { name: "truth-neg", op: ["neg"], truth: true, apply: (_e, a) => a },

  /** match: (not (ult x y))   result: (ule y x), and so on */
  { name: "not-ult", op: ["not"], left: ["ult"], apply: (e, a) => e.binary(OPS.ule.code, e.b(a), e.a(a)) },
  { name: "not-ule", op: ["not"], left: ["ule"], apply: (e, a) => e.binary(OPS.ult.code, e.b(a), e.a(a)) },
  { name: "not-slt", op: ["not"], left: ["slt"], apply: (e, a) => e.binary(OPS.sle.code, e.b(a), e.a(a)) },
  { name: "not-sle", op: ["not"], left: ["sle"], apply: (e, a) => e.binary(OPS.slt.code, e.b(a), e.a(a)) },
  /** match: (not (and p q))   result: (or (not p) (not q)) */
  {
    name: "not-and",
    op: ["not"],
    left: ["and"],
    truth: true,
    apply: (e, a) => e.binary(OR, e.not(e.a(a)), e.not(e.b(a))),
  },
  /** match: (not (or p q))   result: (and (not p) (not q)) */
  {
    name: "not-or",
    op: ["not"],
    left: ["or"],
    truth: true,
    apply: (e, a) => e.binary(AND, e.not(e.a(a)), e.not(e.b(a))),
  },

  /** match: (and p q), q the negation of p without a `not`: (ult x y) and (ule y x)   result: false */
  {
    name: "and-of-opposites",
    op: ["and"],
    left: ["ult", "ule", "slt", "sle"],
    right: "symbolic",
    apply: (e, a, b) => (areOpposite(e, a, b) ? e.FALSE : NO_MATCH),
  },
  /** match: (or p q), q the negation of p without a `not`   result: true */
  {
    name: "or-of-opposites",
    op: ["or"],
    left: ["ult", "ule", "slt", "sle"],
    right: "symbolic",
    apply: (e, a, b) => (areOpposite(e, a, b) ? e.TRUE : NO_MATCH),
  },
  related("and"),
  related("or"),

  /** match: (eq p true)   result: p;   (eq p false)   result: (not p) */
  {
    name: "eq-truth-constant",
    op: ["eq"],
    right: "constant",
    truth: true,
    apply: (e, a, b) => (b === e.TRUE ? a : e.not(a)),
  },
  /** match: (eq (not p) q), either way, width 1   result: (not (eq p q)) */
  {
    name: "eq-truth-not",
    op: ["eq"],
    right: "symbolic",
    truth: true,
    apply: (e, a, b) => {
      if (e.op(a) === NOT) return e.not(e.binary(EQ, e.a(a), b));
      return e.op(b) === NOT ? e.not(e.binary(EQ, a, e.a(b))) : NO_MATCH;
    },
  },
];

/** Comparisons of the same operands of which exactly one holds. */
function areOpposite(e: ExprArena, p: ExprRef, q: ExprRef): boolean {
  if (e.a(p) !== e.b(q) || e.b(p) !== e.a(q)) return false;
  const x = e.op(p);
  const y = e.op(q);
  const { ult, ule, slt, sle } = OPS;
  if (x === ult.code) return y === ule.code;
  if (x === ule.code) return y === ult.code;
  if (x === slt.code) return y === sle.code;
  return x === sle.code && y === slt.code;
}
