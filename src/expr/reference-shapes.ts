// Random steps aimed at a rule, for tests only: its operation, on a first operand of the kind it wants and a second one
// that is related to the first in one of the ways rules look for (the same, a part of it, a sibling, its negation). Plain
// random growth meets the shapes of most rules once in a million steps.

import { FIRST_FLOAT_OP, OPS, type OpName } from "./ops.js";
import { MAX_WIDTH, type StepMaker } from "./reference.js";
import { growTowardsFloat } from "./reference-shapes-float.js";
import type { Rule } from "./rule.js";

const WIDTHS = [1, 2, 8, 8, 9, 16, 32, 32, 33, 53, 64, 65, 128] as const;
const ANY_OPERAND = [
  ...([
    "variable",
    "add",
    "sub",
    "mul",
    "udiv",
    "urem",
    "and",
    "or",
    "xor",
    "shl",
    "not",
    "neg",
    "ite",
    "lookup",
  ] as const),
  ...(["extract", "concat", "concat", "zext", "zext", "sext", "sext"] as const),
];
const TRUTHS = ["eq", "ult", "ule", "slt", "sle", "and", "or", "not", "extract"] as const;

function pick<T>(m: StepMaker, from: readonly T[]): T {
  return from[m.below(from.length)];
}

/** A new step of that operation and width (where the operation has a choice). */
function makeStep(m: StepMaker, op: OpName, width: number): number {
  switch (op) {
    case "constant":
      return m.constant(width);
    case "variable":
      return m.resize(m.below(6), width);
    case "not":
    case "neg":
      return m.push(op, width, [m.pickOf(width)]);
    case "zext":
    case "sext":
      return width === 1 ? m.pickOf(1) : m.push(op, width, [m.pickOf(innerWidth(m, width))]);
    case "extract": {
      const whole = Math.min(MAX_WIDTH, width + 1 + m.below(24));
      if (whole === width) return m.pickOf(width);
      return m.push(op, width, [m.pickOf(whole)], BigInt(m.chance(40) ? 0 : m.below(whole - width + 1)));
    }
    case "concat": {
      if (width === 1) return m.pickOf(1);
      const low = innerWidth(m, width);
      return m.push(op, width, [m.operand(width - low), m.operand(low)]);
    }
    case "ite":
      return m.push(op, width, [m.pickOf(1), m.operand(width), m.operand(width)]);
    case "lookup": {
      const constants = m.chance(60);
      const entries = Array.from({ length: 1 + m.below(6) }, () => (constants ? m.constant(width) : m.operand(width)));
      return m.push(op, width, [m.pickOf(1 + m.below(4)), ...entries]);
    }
    case "eq":
    case "ult":
    case "ule":
    case "slt":
    case "sle": {
      const operands = pick(m, WIDTHS);
      const truth = m.push(op, 1, [m.pickOf(operands), m.operand(operands)]);
      return m.resize(truth, width);
    }
    default:
      return m.push(
        op,
        width,
        m.chance(30) ? [m.operand(width), m.pickOf(width)] : [m.pickOf(width), m.operand(width)],
      );
  }
}

function innerWidth(m: StepMaker, width: number): number {
  const usual = pick(m, [1, 8, 8, 8, 16, 32]);
  return usual < width && m.chance(70) ? usual : 1 + m.below(width - 1);
}

/** A step of the same width, related to `first`. */
function related(m: StepMaker, first: number): number {
  const { op, width, operands, payload } = m.steps[first];
  const part = operands.find((position) => m.width(position) === width);
  switch (m.below(8)) {
    case 0:
      return first;
    case 1:
      return m.push("not", width, [first]);
    case 2:
      return part ?? m.operand(width);
    case 3:
      return part === undefined ? m.constant(width) : m.push("not", width, [part]);
    case 4:
    case 5:
      // A sibling: the same operation, one operand replaced.
      if (operands.length === 0 || op === "lookup") return m.operand(width);
      return m.push(op, width, replaceOne(m, operands), payload);
    case 6:
      return part === undefined ? m.operand(width) : wrap(m, part);
    default:
      return wrap(m, first);
  }
}

function replaceOne(m: StepMaker, operands: readonly number[]): number[] {
  const at = m.below(operands.length);
  return operands.map((position, i) => (i === at ? m.operand(m.width(position)) : position));
}

/** A binary operation with x on one side. */
function wrap(m: StepMaker, x: number): number {
  const width = m.width(x);
  const op = pick(m, ["add", "sub", "and", "or", "xor", "mul", "neg"] as const);
  if (op === "neg") return m.push(op, width, [x]);
  return m.push(op, width, m.chance(50) ? [x, m.operand(width)] : [m.operand(width), x]);
}

/** What the general way below hits too seldom, by the name of the rule. */
const SPECIAL: Readonly<Record<string, (m: StepMaker, width: number) => unknown>> = {
  "sub-twice": (m, width) => {
    const x = m.pickOf(width);
    m.push("sub", width, [x, m.push("sub", width, [x, m.pickOf(width)])]);
  },
  "sub-minuend": (m, width) => {
    const x = m.pickOf(width);
    m.push("sub", width, [m.push("sub", width, [x, m.pickOf(width)]), x]);
  },
  "udiv-twice": (m, width) => {
    const [c, d] = [0, 0].map(() => m.push("constant", width, [], BigInt.asUintN(width, BigInt(m.below(13)))));
    m.push("udiv", width, [m.push("udiv", width, [m.pickOf(width), c]), d]);
  },
  "add-disjoint": (m, width) => intoZeros(m, "add", width),
  "or-into-zeros": (m, width) => intoZeros(m, "or", width),
  "xor-into-zeros": (m, width) => intoZeros(m, "xor", width),
  "eq-not-not": (m, width) => negations(m, "eq", "not", width),
  "eq-neg-neg": (m, width) => negations(m, "eq", "neg", width),
  "ule-nots": (m, width) => negations(m, "ule", "not", width),
  "sle-nots": (m, width) => negations(m, "sle", "not", width),
  "ult-common-high-part": (m, width) => commonHighPart(m, "ult", width),
  "ule-common-high-part": (m, width) => commonHighPart(m, "ule", width),
  "zext-low-bits": (m) => {
    const small = m.push("zext", 40, [m.pickOf(3)]);
    const product = m.push("mul", 40, [small, m.push("lookup", 40, [m.pickOf(2), small, small, small])]);
    m.push("zext", 33 + m.below(60), [m.push("extract", 20, [product])]);
  },
  "and-of-related-equalities": (m, width) => relatedEqualities(m, "and", width),
  "or-of-related-equalities": (m, width) => relatedEqualities(m, "or", width),
  "and-constants": (m) => {
    const [c, d] = [0xa5a5_5a5a_a5a5_5a5an, 0x55aa_55aa_55aa_5555n].map((value) => m.push("constant", 64, [], value));
    const opaque = m.push("mul", 64, [m.pickOf(64), m.pickOf(64)]);
    m.push("and", 64, [m.push("and", 64, [opaque, c]), d]);
  },
  "and-constant-outwards": (m, width) => constantOutwards(m, "and", width),
  "or-constant-outwards": (m, width) => constantOutwards(m, "or", width),
  "sub-not-from-constant": (m, width) => {
    m.push("sub", width, [m.constant(width), m.push("not", width, [m.pickOf(width)])]);
  },
  "range-test-of-extended": (m) => rangeTest(m),
  "negated-range-test-of-extended": (m) => rangeTest(m),
  "sub-conditional-negation": (m, width) => {
    if (width === 1) return;
    const mask = m.push("sext", width, [m.pickOf(1)]);
    m.push("sub", width, [
      m.push("xor", width, [m.push("mul", width, [m.pickOf(width), m.pickOf(width)]), mask]),
      mask,
    ]);
  },
  "mul-choice-of-powers": (m, width) => {
    const [c, d] = [0, 0].map(() =>
      m.push("constant", width, [], m.chance(30) ? 0n : BigInt.asUintN(width, 1n << BigInt(m.below(width)))),
    );
    m.push("mul", width, [m.pickOf(width), m.push("ite", width, [m.pickOf(1), c, d])]);
  },
  "sign-of-difference": (m) => smallComparison(m, "sub", (x) => m.push("extract", 1, [x], 31n)),
  "sign-of-sum": (m) => smallComparison(m, "add", (x) => m.push("extract", 1, [x], 31n)),
  "slt-from-zero-to-difference": (m) =>
    smallComparison(m, "sub", (x) => m.push("slt", 1, [m.push("constant", 32, [], 0n), x])),
  "slt-difference-one": (m) => smallComparison(m, "sub", (x) => m.push("slt", 1, [x, m.push("constant", 32, [], 1n)])),
  "slt-sum-constant": (m) => smallComparison(m, "add", (x) => m.push("slt", 1, [x, smallConstant(m)])),
  "slt-constant-sum": (m) => smallComparison(m, "add", (x) => m.push("slt", 1, [smallConstant(m), x])),
  "ult-sum-constant": (m) => m.push("ult", 1, [smallProduct(m), smallConstant(m)]),
  "ult-constant-sum": (m) => m.push("ult", 1, [smallConstant(m), smallProduct(m)]),
  "ite-same-then": (m, width) => {
    const x = m.pickOf(width);
    m.push("ite", width, [m.pickOf(1), x, m.push("ite", width, [m.pickOf(1), x, m.pickOf(width)])]);
  },
  "ite-complementary-arms": (m) => {
    const x = m.push("extract", 1, [m.below(6)], BigInt(m.below(8)));
    m.push("ite", 1, [m.pickOf(1), x, m.push("not", 1, [x])]);
  },
  "ite-knows-its-condition": (m, width) => {
    const p = m.push("ult", 1, [m.below(6), m.below(6)]);
    const q = m.push(m.chance(50) ? "and" : "or", 1, [m.chance(50) ? p : m.push("not", 1, [p]), m.pickOf(1)]);
    const inner = m.push("ite", width, [q, m.pickOf(width), m.pickOf(width)]);
    m.push("ite", width, m.chance(50) ? [p, inner, m.pickOf(width)] : [p, m.pickOf(width), inner]);
  },
  "eq-of-invertible-choice": (m, width) => {
    const arms = [0, 0].map(() => m.push(m.chance(50) ? "add" : "sub", width, [m.constant(width), m.pickOf(width)]));
    m.push("eq", 1, [m.push("ite", width, [m.pickOf(1), ...arms]), m.constant(width)]);
  },
  "ite-same-else": (m, width) => {
    const x = m.pickOf(width);
    m.push("ite", width, [m.pickOf(1), m.push("ite", width, [m.pickOf(1), m.pickOf(width), x]), x]);
  },
};

/** x + c < d or d < x + c for an extended x; small and huge constants, so that intervals meet x's values in every way. */
function rangeTest(m: StepMaker): void {
  const inner = m.pickOf(m.chance(60) ? 8 : 1 + m.below(20));
  const width = m.width(inner) + 1 + m.below(44);
  const near = () => m.push("constant", width, [], BigInt.asUintN(width, BigInt(m.below(700) - 350)));
  const wide = m.push(m.chance(50) ? "zext" : "sext", width, [inner]);
  const sum = m.push("add", width, [wide, m.chance(80) ? near() : m.constant(width)]);
  const limit = m.chance(80) ? near() : m.constant(width);
  m.push(m.chance(80) ? "ult" : "ule", 1, m.chance(50) ? [sum, limit] : [limit, sum]);
}

/** A sum or difference of extended bytes and constants, as C makes them of chars. */
function smallComparison(m: StepMaker, op: "add" | "sub", compare: (x: number) => void): void {
  const char = () => m.push(m.chance(50) ? "zext" : "sext", 32, [m.below(6)]);
  compare(m.push(op, 32, [char(), op === "add" || m.chance(30) ? smallConstant(m) : char()]));
}

function smallProduct(m: StepMaker): number {
  const [x, y] = [0, 0].map(() => m.push("zext", 32, [m.below(6)]));
  return m.push("add", 32, [m.push("mul", 32, [x, y]), smallConstant(m)]);
}

function smallConstant(m: StepMaker): number {
  return m.push("constant", 32, [], BigInt.asUintN(32, BigInt(m.below(300) - 100)));
}

function relatedEqualities(m: StepMaker, op: OpName, width: number): void {
  const x = m.pickOf(width);
  const [p, q] = [0, 0].map(() => {
    const equality = m.push("eq", 1, [x, m.constant(width)]);
    return m.chance(50) ? equality : m.push("not", 1, [equality]);
  });
  m.push(op, 1, [p, q]);
}

function constantOutwards(m: StepMaker, op: OpName, width: number): void {
  const scattered = m.push("constant", width, [], BigInt.asUintN(width, 0xa5a5_5a5a_a5a5_5a5an));
  const other = m.push("mul", width, [m.pickOf(width), m.pickOf(width)]);
  const opaque = m.push("udiv", width, [m.pickOf(width), m.pickOf(width)]);
  m.push(op, width, [m.push(op, width, [opaque, scattered]), other]);
}

function intoZeros(m: StepMaker, op: OpName, width: number): void {
  if (width < 3) return;
  const low = 2 + m.below(width - 2);
  const high = m.push("concat", width, [m.pickOf(width - low), m.push("constant", low, [], 0n)]);
  m.push(op, width, [high, m.push("zext", width, [m.pickOf(1 + m.below(low))])]);
}

function negations(m: StepMaker, op: OpName, negation: OpName, width: number): void {
  m.push(op, 1, [m.push(negation, width, [m.pickOf(width)]), m.push(negation, width, [m.pickOf(width)])]);
}

function commonHighPart(m: StepMaker, op: OpName, width: number): void {
  if (width > 64) return;
  const high = m.pickOf(width);
  m.push(
    op,
    1,
    [0, 0].map(() => m.push("concat", width + 8, [high, m.pickOf(8)])),
  );
}

/** Appends steps that may match the rule. */
export function growTowards(m: StepMaker, rule: Rule): void {
  if (OPS[rule.op[0]].code >= FIRST_FLOAT_OP || rule.name.endsWith("-cut")) {
    growTowardsFloat(m, rule);
    return;
  }
  const special = SPECIAL[rule.name];
  if (special !== undefined && m.chance(50)) {
    special(m, pick(m, WIDTHS));
    return;
  }
  const op = pick(m, rule.op);
  const truth = ["and", "or", "not", "eq", "ite"].includes(op) && m.chance(30);
  const width = truth ? 1 : pick(m, WIDTHS);
  const leftOp = rule.left === undefined ? pick(m, truth ? TRUTHS : ANY_OPERAND) : pick(m, rule.left);
  const left = makeStep(m, leftOp, op === "ite" ? 1 : width);
  switch (op) {
    case "not":
    case "neg":
      m.push(op, m.width(left), [left]);
      return;
    case "extract": {
      const size = 1 + m.below(m.width(left));
      const low = m.chance(50) ? 0 : m.below(m.width(left) - size + 1);
      m.push(op, size, [left], BigInt(low));
      return;
    }
    case "zext":
    case "sext":
      m.push(op, m.width(left) + m.below(MAX_WIDTH + 1 - m.width(left)), [left]);
      return;
    case "lookup": {
      const entryWidth = pick(m, WIDTHS);
      const truths = m.chance(40);
      const entries = Array.from({ length: 1 + m.below(9) }, () => (truths ? m.constant(1) : m.operand(entryWidth)));
      m.push(op, truths ? 1 : entryWidth, [left, ...entries]);
      return;
    }
    case "ite": {
      const arm = m.chance(40)
        ? left
        : makeStep(m, pick(m, [...ANY_OPERAND, "constant", "ite", "zext"] as const), width);
      const other = m.chance(60) ? related(m, arm) : m.operand(m.width(arm));
      m.push(op, m.width(arm), m.chance(50) ? [left, arm, other] : [left, other, arm]);
      return;
    }
    case "concat": {
      const low = m.chance(50) ? m.operand(pick(m, WIDTHS)) : related(m, left);
      if (m.width(left) + m.width(low) <= MAX_WIDTH) m.push(op, m.width(left) + m.width(low), [left, low]);
      return;
    }
    default: {
      let right: number;
      if (rule.right === "constant" || m.chance(20)) right = m.constant(m.width(left));
      else right = m.chance(70) ? related(m, left) : makeStep(m, leftOp, m.width(left));
      if (m.width(right) !== m.width(left)) right = m.resize(right, m.width(left));
      const compares = ["eq", "ult", "ule", "slt", "sle"].includes(op);
      m.push(op, compares ? 1 : m.width(left), m.chance(75) ? [left, right] : [right, left]);
    }
  }
}
