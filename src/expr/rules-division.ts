// Rules of the divisions. A signed division of what is never negative is unsigned, a division by a power of two is a
// slice, and a division of an extended value is done before the extension: a divider circuit grows with the square of
// its width.

import { fitsSigned, fitsUnsigned, isAllOnes, isOne, isZero, knownSign, powerOfTwo } from "./constants.js";
import { OPS } from "./ops.js";
import { NO_MATCH, type Rule } from "./rule.js";

const DIVISIONS = ["udiv", "urem", "sdiv", "srem"] as const;
type Division = (typeof DIVISIONS)[number];

const UNSIGNED = { udiv: OPS.udiv.code, urem: OPS.urem.code, sdiv: OPS.udiv.code, srem: OPS.urem.code } as const;

/** match: (sdiv a b) or (srem a b), neither ever negative   result: the unsigned one */
const signedOfNaturals = (op: "sdiv" | "srem"): Rule => ({
  name: `${op}-of-naturals`,
  op: [op],
  apply: (e, a, b) => (knownSign(e, a) === 0 && knownSign(e, b) === 0 ? e.binary(UNSIGNED[op], a, b) : NO_MATCH),
});

/** match: (udiv (zext x) c) or urem, c not 0 and not wider than x   result: (zext (udiv x c)) */
const unsignedOfExtended = (op: "udiv" | "urem"): Rule => ({
  name: `${op}-of-zext`,
  op: [op],
  left: ["zext"],
  right: "constant",
  apply: (e, a, b, _c, width) => {
    const from = e.width(e.a(a));
    if (isZero(e, b) || !fitsUnsigned(e, b, from)) return NO_MATCH;
    return e.zext(e.binary(OPS[op].code, e.a(a), e.extract(b, 0, from)), width);
  },
});

/** match: (sdiv (sext x) c) or srem, c not 0 or -1 and not wider than x   result: (sext (sdiv x c)) */
const signedOfExtended = (op: "sdiv" | "srem"): Rule => ({
  name: `${op}-of-sext`,
  op: [op],
  left: ["sext"],
  right: "constant",
  apply: (e, a, b, _c, width) => {
    const from = e.width(e.a(a));
    if (isZero(e, b) || isAllOnes(e, b) || !fitsSigned(e, b, from)) return NO_MATCH;
    return e.sext(e.binary(OPS[op].code, e.a(a), e.extract(b, 0, from)), width);
  },
});

/** match: a division of a choice of constants by a constant   result: a choice of constants */
const ofConstantChoice = (op: Division): Rule => ({
  name: `${op}-of-constant-choice`,
  op: [op],
  left: ["ite"],
  right: "constant",
  apply: (e, a, b) => {
    if (!e.isConstant(e.b(a)) || !e.isConstant(e.c(a))) return NO_MATCH;
    return e.ite(e.a(a), e.binary(OPS[op].code, e.b(a), b), e.binary(OPS[op].code, e.c(a), b));
  },
});

export const DIVISION_RULES: readonly Rule[] = [
  /** match: (udiv x 0)   result: all ones */
  {
    name: "udiv-by-zero",
    op: ["udiv"],
    right: "constant",
    apply: (e, _a, b, _c, width) => (isZero(e, b) ? e.allOnes(width) : NO_MATCH),
  },
  /** match: (urem x 0), (srem x 0)   result: x */
  {
    name: "remainder-by-zero",
    op: ["urem", "srem"],
    right: "constant",
    apply: (e, a, b) => (isZero(e, b) ? a : NO_MATCH),
  },
  /** match: (udiv x 1), (sdiv x 1)   result: x */
  {
    name: "quotient-by-one",
    op: ["udiv", "sdiv"],
    right: "constant",
    apply: (e, a, b) => (isOne(e, b) ? a : NO_MATCH),
  },
  /** match: (urem x 1), (srem x 1)   result: 0 */
  {
    name: "remainder-by-one",
    op: ["urem", "srem"],
    right: "constant",
    apply: (e, _a, b, _c, width) => (isOne(e, b) ? e.zero(width) : NO_MATCH),
  },
  /** match: (sdiv x -1)   result: (neg x) */
  {
    name: "sdiv-by-minus-one",
    op: ["sdiv"],
    right: "constant",
    apply: (e, a, b) => (isAllOnes(e, b) ? e.neg(a) : NO_MATCH),
  },
  /** match: (srem x -1)   result: 0 */
  {
    name: "srem-by-minus-one",
    op: ["srem"],
    right: "constant",
    apply: (e, _a, b, _c, width) => (isAllOnes(e, b) ? e.zero(width) : NO_MATCH),
  },
  /** match: (udiv x 2^k)   result: the bits from k upwards */
  {
    name: "udiv-by-power-of-two",
    op: ["udiv"],
    right: "constant",
    apply: (e, a, b, _c, width) => {
      const power = powerOfTwo(e, b);
      return power < 0 ? NO_MATCH : e.zext(e.extract(a, power, width - power), width);
    },
  },
  /** match: (urem x 2^k)   result: the k low bits */
  {
    name: "urem-by-power-of-two",
    op: ["urem"],
    right: "constant",
    apply: (e, a, b, _c, width) => {
      const power = powerOfTwo(e, b);
      return power < 1 ? NO_MATCH : e.zext(e.extract(a, 0, power), width);
    },
  },
  /** match: (urem a b) with a always below b   result: a */
  {
    name: "urem-of-less",
    op: ["urem"],
    apply: (e, a, b, _c, width) => (width <= 64 && e.facts.maximum(a) < e.facts.minimum(b) ? a : NO_MATCH),
  },
  /** match: (udiv (udiv x c) d), c * d not too wide   result: (udiv x c*d) */
  {
    name: "udiv-twice",
    op: ["udiv"],
    left: ["udiv"],
    right: "constant",
    apply: (e, a, b, _c, width) => {
      if (!e.isConstant(e.b(a))) return NO_MATCH;
      const product = e.constantNumber(e.b(a)) * e.constantNumber(b);
      if (product === 0 || product >= 2 ** Math.min(width, 53)) return NO_MATCH;
      return e.binary(OPS.udiv.code, e.a(a), e.binary(OPS.mul.code, e.b(a), b));
    },
  },
  /** match: (urem (zext x) (zext y)), x and y of one width   result: (zext (urem x y)) */
  {
    name: "urem-of-zexts",
    op: ["urem"],
    left: ["zext"],
    right: "symbolic",
    apply: (e, a, b, _c, width) => {
      if (e.op(b) !== OPS.zext.code || e.width(e.a(a)) !== e.width(e.a(b))) return NO_MATCH;
      return e.zext(e.binary(OPS.urem.code, e.a(a), e.a(b)), width);
    },
  },
  signedOfNaturals("sdiv"),
  signedOfNaturals("srem"),
  unsignedOfExtended("udiv"),
  unsignedOfExtended("urem"),
  signedOfExtended("sdiv"),
  signedOfExtended("srem"),
  ...DIVISIONS.map(ofConstantChoice),
];
