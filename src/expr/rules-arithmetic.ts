// Rules of add, sub, mul, neg and the divisions.

import { NO_MATCH, type Rule } from "./rule.js";

export const ARITHMETIC_RULES: readonly Rule[] = [
  /** match: (add a 0)   result: a */
  {
    name: "add-zero",
    op: ["add"],
    right: "constant",
    apply: (e, a, b, _c, width) => (b === e.zero(width) ? a : NO_MATCH),
  },
];
