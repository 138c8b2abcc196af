// Random bits for floating-point tests: numbers near each other, near the ends of ranges, near integers and halves, and
// what is no number; plain random bits are almost never any of that. And random steps aimed at a rule of these operations.

import type { Random } from "../support/random.js";
import { OPS, type OpName, takesFloats } from "./ops.js";
import type { StepMaker } from "./reference.js";
import type { Rule } from "./rule.js";

type Bits = Pick<Random, "next">;

/** Bits of that width, which need not be one of a float (integers to be converted). */
export function randomFloat(random: Bits, width: number): bigint {
  const bits = BigInt.asUintN(width, (BigInt(random.next()) << 32n) | BigInt(random.next()));
  const float = width === 32 ? 32 : 64;
  const fraction = float === 32 ? 23n : 52n;
  const bias = float === 32 ? 127n : 1023n;
  const sign = BigInt(random.next() % 2) << BigInt(float - 1);
  const few = BigInt(random.next() % 5) - 2n;
  const at = (exponent: bigint): bigint => BigInt.asUintN(width, sign | (((bias + exponent) << fraction) + few));
  switch (random.next() % 12) {
    case 0:
      return BigInt.asUintN(width, sign | (few & 3n));
    case 1:
      // Around infinity: the largest numbers, and what is none.
      return at(bias + 1n);
    case 2:
      // Where integers end, and where fractions do.
      return at([31n, 32n, 63n, 64n, 23n, 52n, 24n, 53n][random.next() % 8]);
    case 3:
      return at(1n - bias);
    case 4: {
      // A small multiple of a quarter.
      const quarters = (random.next() % 64) / 4 - 8;
      const view = new DataView(new ArrayBuffer(8));
      if (float === 32) view.setFloat32(4, quarters);
      else view.setFloat64(0, quarters);
      return BigInt.asUintN(width, view.getBigUint64(0));
    }
    case 5:
      // Few bits set in the fraction: sums and products that lie half way.
      return BigInt.asUintN(
        width,
        at(BigInt(random.next() % 70) - 35n) ^ (1n << BigInt(random.next() % Number(fraction))),
      );
    case 6:
      return BigInt.asUintN(width, few);
    case 7:
      return BigInt.asUintN(width, sign | (bits & ((1n << fraction) - 1n)));
    case 8:
      return at(BigInt(random.next() % 8) - 4n);
    case 9:
      // Of a usual size.
      return BigInt.asUintN(width, at(BigInt(random.next() % 40) - 20n) ^ (bits & ((1n << fraction) - 1n)));
    default:
      return bits;
  }
}

const KINDS: readonly OpName[] = [
  ...(["fadd", "fsub", "fmul", "fdiv", "fsqrt", "ffma", "fround", "fcvt", "fcvt", "sitof", "uitof"] as const),
  ...(["constant", "variable"] as const),
];
const COMPARES: readonly OpName[] = ["feq", "flt", "fle"];

function pick<T>(m: StepMaker, from: readonly T[]): T {
  return from[m.below(from.length)];
}

function constant(m: StepMaker, width: number): number {
  const bits: Bits = { next: () => m.below(2 ** 32) };
  if (width === 64 && m.chance(50)) {
    // What a float is, too, or is next to.
    const view = new DataView(new ArrayBuffer(8));
    view.setUint32(0, Number(randomFloat(bits, 32)));
    view.setFloat64(0, view.getFloat32(0));
    return m.push("constant", 64, [], view.getBigUint64(0) ^ BigInt(m.below(2)));
  }
  const usual = [0x3f80_0000n, 0n, 0x8000_0000n, 0x3ff0_0000_0000_0000n, 0x8000_0000_0000_0000n];
  if (m.chance(15)) return m.push("constant", width, [], BigInt.asUintN(width, pick(m, usual)));
  return m.push("constant", width, [], BigInt.asUintN(width, randomFloat(bits, width)));
}

function integer(m: StepMaker): number {
  const width = m.chance(60) ? pick(m, [8, 16, 32]) : 1 + m.below(64);
  const kind = m.below(4);
  if (kind > 1 || width === 1) return m.pickOf(width);
  return m.push(kind === 0 ? "sext" : "zext", width, [m.pickOf(1 + m.below(width - 1))]);
}

/** A new step of that operation that is a float. */
function float(m: StepMaker, op: OpName, width: number, depth: number): number {
  const operand = (): number =>
    float(m, depth > 0 ? pick(m, KINDS) : m.chance(40) ? "constant" : "variable", width, depth - 1);
  switch (op) {
    case "fadd":
    case "fsub":
    case "fmul":
    case "fdiv":
      return m.push(op, width, [operand(), operand()]);
    case "fsqrt":
      return m.push(op, width, [operand()]);
    case "ffma":
      return m.push(op, width, [operand(), operand(), operand()]);
    case "fround":
      return m.push(op, width, [operand()], BigInt(m.below(5)));
    case "fcvt":
      return m.push(op, width, [float(m, depth > 0 ? pick(m, KINDS) : "variable", 96 - width, depth - 1)]);
    case "sitof":
    case "uitof":
      return m.push(op, width, [integer(m)]);
    case "constant":
      return constant(m, width);
    default:
      return m.pickOf(width);
  }
}

/** Appends steps that may match a rule of a floating-point operation. */
export function growTowardsFloat(m: StepMaker, rule: Rule): void {
  const op = pick(m, rule.op);
  const width = pick(m, [32, 64, 64]);
  if (rule.name.endsWith("-cut")) {
    // An integer of a float, compared.
    const size = pick(m, [32, 64]);
    const cut = m.push("ftosi", size, [float(m, "variable", width, 0)]);
    const limit = m.chance(50)
      ? m.push("constant", size, [], BigInt.asUintN(size, BigInt(m.below(300) - 150)))
      : m.constant(size);
    m.push(op, 1, m.chance(50) ? [cut, limit] : [limit, cut]);
    return;
  }
  const left = rule.left === undefined ? pick(m, KINDS) : pick(m, rule.left);
  // Operands that are converted exactly, more often than chance has them.
  const exact = (): number => float(m, pick(m, ["fcvt", "fcvt", "sitof", "uitof", "constant"] as const), width, 0);
  const operand = (): number => {
    if (!["fadd", "fsub", "fmul", "fdiv", "fsqrt"].includes(left) || m.chance(30)) return float(m, left, width, 1);
    return m.push(left, width, OPS[left].arity === 1 ? [exact()] : [exact(), exact()]);
  };
  if (!takesFloats(OPS[op].code)) {
    m.push(op, width, [integer(m)]);
    return;
  }
  const a = operand();
  if (op === "fcvt") m.push(op, 96 - width, [a]);
  else if (op === "fround") m.push(op, width, [a], BigInt(m.below(5)));
  else if (op === "ftosi" || op === "ftoui") m.push(op, m.chance(70) ? pick(m, [32, 64]) : 1 + m.below(64), [a]);
  else if (OPS[op].arity === 1) m.push(op, width, [a]);
  else {
    const isConstant = rule.right === "constant" ? m.chance(90) : m.chance(20);
    const b = isConstant ? constant(m, width) : m.chance(20) ? a : operand2(m, left, width);
    m.push(op, COMPARES.includes(op) ? 1 : width, m.chance(80) ? [a, b] : [b, a]);
  }
}

function operand2(m: StepMaker, left: OpName, width: number): number {
  const like = left === "constant" ? pick(m, ["sitof", "uitof", "fcvt"] as const) : left;
  return float(m, m.chance(70) ? like : pick(m, KINDS), width, 0);
}
