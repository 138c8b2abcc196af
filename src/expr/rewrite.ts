// All rewriting rules in order, and the dispatch by shape: for each (operation, operation of the first operand, second
// operand constant or not, first operand a truth value or not) the list of rules that may match is made once, when the module loads. Trying every rule of an
// operation in turn would call some twenty functions for each new node; this calls a handful.

import { OP_CODES, OPS, type OpName } from "./ops.js";
import type { Apply, Rule } from "./rule.js";
import { ARITHMETIC_RULES } from "./rules-arithmetic.js";
import { BITS_RULES } from "./rules-bits.js";
import { BOOLEAN_RULES } from "./rules-boolean.js";
import { COMPARE_RULES } from "./rules-compare.js";
import { DIVISION_RULES } from "./rules-division.js";
import { EQUALITY_RULES } from "./rules-equality.js";
import { EXTRACT_RULES } from "./rules-extract.js";
import { FLOAT_RULES } from "./rules-float.js";
import { LOOKUP_RULES } from "./rules-lookup.js";
import { RANGE_RULES } from "./rules-range.js";
import { SHIFT_RULES } from "./rules-shift.js";
import { STRUCTURE_RULES } from "./rules-structure.js";
import { TRUNCATION_RULES } from "./rules-truncation.js";

/** The order matters where two rules match: the first one wins. Gates come first, so that others need not know width 1. */
export const RULES: readonly Rule[] = [
  ...BOOLEAN_RULES,
  // Before what makes tests of bits of such comparisons.
  ...TRUNCATION_RULES,
  ...ARITHMETIC_RULES,
  ...DIVISION_RULES,
  ...SHIFT_RULES,
  ...BITS_RULES,
  ...EQUALITY_RULES,
  ...COMPARE_RULES,
  ...RANGE_RULES,
  ...EXTRACT_RULES,
  ...STRUCTURE_RULES,
  ...LOOKUP_RULES,
  ...FLOAT_RULES,
];
export const RULE_COUNT = RULES.length;

export interface IndexedRule {
  readonly index: number;
  readonly apply: Apply;
}

const BY_SHAPE: IndexedRule[][] = Array.from({ length: OP_CODES << 8 }, () => []);
for (const [index, rule] of RULES.entries()) {
  const lefts = rule.left ?? (Object.keys(OPS) as OpName[]);
  for (const op of rule.op) {
    for (const left of lefts) {
      for (const right of rule.right === undefined ? (["symbolic", "constant"] as const) : [rule.right]) {
        for (const truth of rule.truth === undefined ? [false, true] : [true]) {
          const place = shape(OPS[op].code, OPS[left].code, right === "constant", truth);
          BY_SHAPE[place].push({ index, apply: rule.apply });
        }
      }
    }
  }
}

function shape(op: number, left: number, rightConstant: boolean, truth: boolean): number {
  return (op << 8) | (left << 2) | (rightConstant ? 2 : 0) | (truth ? 1 : 0);
}

/** The rules to try, in order. `truth`: the first operand has width 1. */
export function rulesFor(op: number, left: number, rightConstant: boolean, truth: boolean): readonly IndexedRule[] {
  return BY_SHAPE[shape(op, left, rightConstant, truth)];
}
