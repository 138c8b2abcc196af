// An independent meaning of the operations, and random constructions, for tests only: a construction is a list of steps,
// each naming earlier steps. It is built twice: in an arena, where constructors rewrite, and here, step by step in
// BigInt, where nothing is shared with the arena, the folding or the evaluator. What the two say must agree.
// Random choices lean to what rules look for: special constants, recent operands, extensions, aligned slices.

import type { Random } from "../support/random.js";
import type { ExprArena } from "./arena.js";
import { type BinaryName, type ExprRef, FIRST_FLOAT_OP, type FloatRounding, OPS, type OpName } from "./ops.js";
import { referenceFloat } from "./reference-float.js";

export interface Step {
  readonly op: OpName;
  readonly width: number;
  /** Positions of earlier steps; for a lookup the index first, then the entries. */
  readonly operands: readonly number[];
  /** Constant's value, variable's index, extract's lowest bit, fround's mode. */
  readonly payload: bigint;
}

export const MAX_WIDTH = 128;
const VARIABLES = 6;

const BINARY = [
  "add",
  "sub",
  "mul",
  "udiv",
  "sdiv",
  "urem",
  "srem",
  "and",
  "or",
  "xor",
  "shl",
  "lshr",
  "ashr",
] as const;
const COMPARE = ["eq", "ult", "ule", "slt", "sle"] as const;

/** The values of all steps. */
export function referenceValues(steps: readonly Step[], model: Uint8Array): bigint[] {
  const values: bigint[] = [];
  for (const step of steps) values.push(referenceStep(step, steps, values, model));
  return values;
}

function referenceStep(step: Step, steps: readonly Step[], values: readonly bigint[], model: Uint8Array): bigint {
  const [p, q, r] = step.operands;
  const a = values[p];
  const b = values[q];
  const { width } = step;
  const wrap = (value: bigint) => BigInt.asUintN(width, value);
  const signed = (at: number) => BigInt.asIntN(steps[at].width, values[at]);
  const truth = (value: boolean) => (value ? 1n : 0n);
  if (OPS[step.op].code >= FIRST_FLOAT_OP) {
    const operands = step.operands.map((position) => values[position]);
    return referenceFloat(step.op, width, steps[p].width, operands, step.payload);
  }
  switch (step.op) {
    case "constant":
      return wrap(step.payload);
    case "variable":
      return BigInt(model[Number(step.payload)] ?? 0);
    case "add":
      return wrap(a + b);
    case "sub":
      return wrap(a - b);
    case "mul":
      return wrap(a * b);
    case "udiv":
      return b === 0n ? wrap(-1n) : a / b;
    case "urem":
      return b === 0n ? a : a % b;
    case "sdiv": {
      // SMT-LIB: by the magnitudes, whose division by zero is all ones.
      const magnitude = b === 0n ? wrap(-1n) : absolute(signed(p)) / absolute(signed(q));
      return wrap(signed(p) < 0n !== signed(q) < 0n ? -magnitude : magnitude);
    }
    case "srem": {
      const magnitude = b === 0n ? absolute(signed(p)) : absolute(signed(p)) % absolute(signed(q));
      return wrap(signed(p) < 0n ? -magnitude : magnitude);
    }
    case "and":
      return a & b;
    case "or":
      return a | b;
    case "xor":
      return a ^ b;
    case "shl":
      return b > 200n ? 0n : wrap(a << b);
    case "lshr":
      return b > 200n ? 0n : a >> b;
    case "ashr":
      return wrap(signed(p) >> (b > 200n ? 200n : b));
    case "not":
      return wrap(~a);
    case "neg":
      return wrap(-a);
    case "eq":
      return truth(a === b);
    case "ult":
      return truth(a < b);
    case "ule":
      return truth(a <= b);
    case "slt":
      return truth(signed(p) < signed(q));
    case "sle":
      return truth(signed(p) <= signed(q));
    case "extract":
      return wrap(a >> step.payload);
    case "concat":
      return (a << BigInt(steps[q].width)) + b;
    case "zext":
      return a;
    case "sext":
      return wrap(signed(p));
    case "ite":
      return a === 1n ? b : values[r];
    case "lookup":
      return a < BigInt(step.operands.length - 1) ? values[step.operands[Number(a) + 1]] : 0n;
    default:
      throw new Error(`reference: operation ${step.op}`);
  }
}

/** One operation on two values of a width. */
export function referenceBinary(op: BinaryName, width: number, a: bigint, b: bigint): bigint {
  const compares = ["eq", "ult", "ule", "slt", "sle"].includes(op);
  const steps: Step[] = [a, b].map((payload) => ({ op: "constant", width, operands: [], payload }));
  steps.push({ op, width: compares ? 1 : width, operands: [0, 1], payload: 0n });
  return referenceValues(steps, new Uint8Array(0))[2];
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** The expressions of all steps, of which the first ones may be made already. */
export function buildSteps(arena: ExprArena, steps: readonly Step[], made: readonly ExprRef[] = []): ExprRef[] {
  const refs = [...made];
  for (const step of steps.slice(made.length)) refs.push(buildStep(arena, step, refs));
  return refs;
}

function buildStep(arena: ExprArena, step: Step, refs: readonly ExprRef[]): ExprRef {
  const [a, b, c] = step.operands.map((position) => refs[position]);
  switch (step.op) {
    case "constant":
      return arena.constantBig(step.width, step.payload);
    case "variable":
      return arena.variable(Number(step.payload));
    case "not":
    case "neg":
    case "fsqrt":
      return arena.unary(step.op, a);
    case "fround":
      return arena.fround(Number(step.payload) as FloatRounding, a);
    case "fcvt":
    case "ftosi":
    case "ftoui":
    case "sitof":
    case "uitof":
      return arena.convert(step.op, step.width, a);
    case "ffma":
      return arena.ffma(a, b, c);
    case "extract":
      return arena.extract(a, Number(step.payload), step.width);
    case "concat":
      return arena.concat(a, b);
    case "zext":
      return arena.zext(a, step.width);
    case "sext":
      return arena.sext(a, step.width);
    case "ite":
      return arena.ite(a, b, c);
    case "lookup":
      return arena.lookup(arena.table(step.operands.slice(1).map((position) => refs[position])), a);
    default:
      return arena.binary(step.op, a, b);
  }
}

/** Makes random constructions. */
export class StepMaker {
  readonly steps: Step[] = [];
  private readonly byWidth = new Map<number, number[]>();

  constructor(private readonly random: Random) {
    for (let i = 0; i < VARIABLES; i++) this.push("variable", 8, [], BigInt(i));
    this.compare(this.pick(), null);
  }

  below(limit: number): number {
    return this.random.next() % limit;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  push(op: OpName, width: number, operands: readonly number[], payload = 0n): number {
    const position = this.steps.length;
    this.steps.push({ op, width, operands, payload });
    const same = this.byWidth.get(width);
    if (same === undefined) this.byWidth.set(width, [position]);
    else same.push(position);
    return position;
  }

  width(position: number): number {
    return this.steps[position].width;
  }

  /** An earlier step, more likely a recent one. */
  pick(): number {
    const { length } = this.steps;
    return this.chance(50) ? length - 1 - this.below(Math.min(8, length)) : this.below(length);
  }

  /** An earlier step of that width, made if there is none. */
  pickOf(width: number): number {
    const same = this.byWidth.get(width);
    if (same !== undefined && this.chance(90)) {
      return this.chance(50)
        ? same[same.length - 1 - this.below(Math.min(4, same.length))]
        : same[this.below(same.length)];
    }
    return this.resize(this.pick(), width);
  }

  resize(position: number, width: number): number {
    const from = this.width(position);
    if (from === width) return position;
    if (from > width) return this.push("extract", width, [position], BigInt(this.below(from - width + 1)));
    return this.push(this.chance(50) ? "zext" : "sext", width, [position]);
  }

  /** A constant of the kind programs and rules care about. */
  constant(width: number): number {
    return this.push("constant", width, [], BigInt.asUintN(width, this.specialValue(width)));
  }

  private specialValue(width: number): bigint {
    const bit = BigInt(this.below(width));
    switch (this.below(9)) {
      case 8:
        // The ends of the signed and the unsigned range, and their neighbours.
        return (this.chance(50) ? 1n << BigInt(width - 1) : 0n) + BigInt(this.below(5) - 2);
      case 0:
        return 0n;
      case 1:
        return 1n;
      case 2:
        return -1n;
      case 3:
        return 1n << bit;
      case 4:
        return (1n << bit) - 1n;
      case 5:
        return ((1n << BigInt(this.below(width) + 1)) - 1n) << bit;
      case 6:
        return BigInt(this.below(512)) - 128n;
      default:
        return BigInt(this.random.next()) * 0x1_0000_0001_0000_0001n + BigInt(this.random.next());
    }
  }

  operand(width: number): number {
    return this.chance(40) ? this.constant(width) : this.pickOf(width);
  }

  compare(a: number, b: number | null): number {
    const other = b ?? this.operand(this.width(a));
    return this.push(COMPARE[this.below(COMPARE.length)], 1, this.chance(70) ? [a, other] : [other, a]);
  }

  binary(a: number, b: number): number {
    const op = BINARY[this.below(BINARY.length)];
    return this.push(op, this.width(a), this.chance(70) ? [a, b] : [b, a]);
  }

  /** One more step, or the few of a pattern. */
  grow(): void {
    const a = this.pick();
    const width = this.width(a);
    switch (this.below(14)) {
      case 0:
        this.resize(a, 1 + this.below(MAX_WIDTH));
        break;
      case 1:
        this.resize(a, [1, 8, 16, 32, 64][this.below(5)]);
        break;
      case 2:
      case 3:
        this.compare(a, null);
        break;
      case 4:
        this.push(this.chance(60) ? "not" : "neg", width, [a]);
        break;
      case 5: {
        const b = this.pick();
        if (width + this.width(b) <= MAX_WIDTH) this.push("concat", width + this.width(b), [a, b]);
        break;
      }
      case 6:
        this.push("ite", width, [this.pickOf(1), this.operand(width), this.chance(50) ? a : this.operand(width)]);
        break;
      case 7: {
        const entries = Array.from({ length: 1 + this.below(6) }, () => this.operand(width));
        const index = this.chance(70) ? this.resize(this.pick(), 1 + this.below(4)) : this.pick();
        this.push("lookup", width, [index, ...entries]);
        break;
      }
      case 8: {
        const b = this.pickOf(1);
        const op = (["and", "or", "xor", "eq"] as const)[this.below(4)];
        this.push(op, 1, [b, this.pickOf(1)]);
        break;
      }
      case 9:
        this.splitAndJoin(a);
        break;
      case 10:
        this.shift(a);
        break;
      default:
        this.binary(a, this.operand(width));
    }
  }

  /** Cuts a value in two and puts it together again, as a store and a load do. */
  private splitAndJoin(a: number): void {
    const width = this.width(a);
    if (width < 2) return;
    const low = 1 + this.below(width - 1);
    const x = this.push("extract", low, [a]);
    const y = this.push("extract", width - low, [a], BigInt(low));
    this.push("concat", width, [y, x]);
  }

  private shift(a: number): void {
    const width = this.width(a);
    const amount = this.push("constant", width, [], BigInt.asUintN(width, BigInt(this.below(width + 2))));
    this.push((["shl", "lshr", "ashr"] as const)[this.below(3)], width, [a, amount]);
  }
}

/** A model that likes the corners. */
export function randomModel(random: Random): Uint8Array {
  const model = new Uint8Array(VARIABLES);
  for (let i = 0; i < VARIABLES; i++) {
    const corner = [0, 1, 127, 128, 255, 48, 65, 10];
    model[i] = random.next() % 100 < 50 ? corner[random.next() % corner.length] : random.next() >>> 24;
  }
  return model;
}
