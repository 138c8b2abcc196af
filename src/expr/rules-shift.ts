// Rules of the shifts. A shift by a constant only moves bits: as slices joined to zeros or copies of the sign it meets the
// rules of extract and concat, and costs a solver nothing.

import { isAllOnes, isZero, knownSign } from "./constants.js";
import { OPS } from "./ops.js";
import { NO_MATCH, type Rule } from "./rule.js";

export const SHIFT_RULES: readonly Rule[] = [
  /** match: (shl x 0), (lshr x 0), (ashr x 0)   result: x */
  {
    name: "shift-by-zero",
    op: ["shl", "lshr", "ashr"],
    right: "constant",
    apply: (e, a, b) => (isZero(e, b) ? a : NO_MATCH),
  },
  /** match: (shl 0 y), (lshr 0 y), (ashr 0 y)   result: 0 */
  {
    name: "shift-of-zero",
    op: ["shl", "lshr", "ashr"],
    left: ["constant"],
    apply: (e, a) => (isZero(e, a) ? a : NO_MATCH),
  },
  /** match: (ashr -1 y)   result: -1 */
  { name: "ashr-of-all-ones", op: ["ashr"], left: ["constant"], apply: (e, a) => (isAllOnes(e, a) ? a : NO_MATCH) },
  /** match: (shl x k)   result: (concat (the low bits of x) 0) */
  {
    name: "shl-by-constant",
    op: ["shl"],
    right: "constant",
    apply: (e, a, b, _c, width) => {
      const by = e.constantNumber(b);
      return by >= width ? e.zero(width) : e.concat(e.extract(a, 0, width - by), e.zero(by));
    },
  },
  /** match: (lshr x k)   result: (zext (the high bits of x)) */
  {
    name: "lshr-by-constant",
    op: ["lshr"],
    right: "constant",
    apply: (e, a, b, _c, width) => {
      const by = e.constantNumber(b);
      return by >= width ? e.zero(width) : e.zext(e.extract(a, by, width - by), width);
    },
  },
  /** match: (ashr x k)   result: (sext (the high bits of x)) */
  {
    name: "ashr-by-constant",
    op: ["ashr"],
    right: "constant",
    apply: (e, a, b, _c, width) => {
      const by = Math.min(e.constantNumber(b), width - 1);
      return e.sext(e.extract(a, by, width - by), width);
    },
  },
  /** match: (ashr x y), x never negative   result: (lshr x y) */
  {
    name: "ashr-of-natural",
    op: ["ashr"],
    right: "symbolic",
    apply: (e, a, b) => (knownSign(e, a) === 0 ? e.binary(OPS.lshr.code, a, b) : NO_MATCH),
  },
];
