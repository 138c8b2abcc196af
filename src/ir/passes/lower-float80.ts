// x86_fp80 arithmetic as calls of the C runtime's soft floats. A value is an i80; the runtime's functions take and
// return i128 with the value in the low 80 bits. Negation, absolute value and sign copying are bit operations, as the
// hardware's are (they work on NaNs too).

import type { IrFunction } from "../module.js";
import { DOUBLE, FLOAT, I1, I32, I64, I80, I128, type IntType, intType, type Type } from "../types.js";
import {
  type Constant,
  constInt,
  type FloatPredicate,
  type Instruction,
  type IntPredicate,
  isConstant,
  type Value,
} from "../values.js";
import type { Emitter } from "./emitter.js";
import { lowerType } from "./lower-type.js";

/** Finds a function of the runtime or of libm by name; null if the program was linked without it. */
export type RuntimeLookup = (name: string) => IrFunction | null;

/** Every function of the runtime that lowered code may call; for the linker. */
export const FLOAT80_FUNCTIONS: readonly string[] = [
  "add", "sub", "mul", "div", "rem", "sqrt", "compare", "from_double", "to_double", "to_float",
  "from_i64", "from_u64", "to_i64", "to_u64",
].map((name) => `__tangent_f80_${name}`); // biome-ignore format: a table

function isFloat80(type: Type): boolean {
  return type.kind === "float" && type.name === "x86_fp80";
}

const SIGN = 1n << 79n;

/** The constant with i80 for x86_fp80; the same object if there is none in it. */
export function lowerConstant(constant: Constant): Constant {
  const type = lowerType(constant.type);
  if (type === constant.type) return constant;
  switch (constant.kind) {
    case "float":
      return constInt(80, constant.bits);
    case "zero":
    case "undef":
      if (type === I80 && constant.kind === "zero") return constInt(80, 0);
      return { ...constant, type };
    case "aggregate":
      return { ...constant, type, elements: constant.elements.map(lowerConstant) };
    default:
      return constant;
  }
}

export class Float80Lowering {
  constructor(
    readonly emitter: Emitter,
    readonly runtime: RuntimeLookup,
  ) {}

  /**
   * Emits what computes the instruction and returns its value, or null if the opcode is none of these (then types and
   * constants are all there is to change). All types are still as written; what is emitted may have x86_fp80 where
   * lowering's last step will put i80.
   */
  lower(i: Instruction): Value | null {
    const [a, b] = i.operands;
    const from = a?.type ?? i.type;
    switch (i.op) {
      case "fadd":
      case "fsub":
      case "fmul":
      case "fdiv":
      case "frem":
        return isFloat80(i.type) ? this.arithmetic(i.op.slice(1), a, b) : null;
      case "fneg":
        return isFloat80(i.type) ? this.emitter.binary("xor", a, constInt(80, SIGN)) : null;
      case "fcmp":
        return isFloat80(from) ? this.compare(i.extra.predicate, a, b) : null;
      case "fpext":
        return isFloat80(i.type) ? this.extend(a) : null;
      case "fptrunc":
        return isFloat80(from) ? this.truncate(a, i.type) : null;
      case "sitofp":
      case "uitofp":
        return isFloat80(i.type) ? this.fromInteger(a, i.op === "sitofp") : null;
      case "fptosi":
      case "fptoui":
        return isFloat80(from) ? this.toInteger(a, i.type as IntType, i.op === "fptosi") : null;
      case "bitcast":
        // Between x86_fp80 and i80: the same bits.
        return isFloat80(from) || isFloat80(i.type) ? a : null;
      default:
        return null;
    }
  }

  arithmetic(name: string, ...args: Value[]): Value {
    const wide = args.map((arg) => this.emitter.cast("zext", arg, I128));
    return this.narrow(this.call(`__tangent_f80_${name}`, I128, wide));
  }
  absolute(a: Value): Value {
    return this.emitter.binary("and", a, constInt(80, SIGN - 1n));
  }
  copySign(a: Value, b: Value): Value {
    const sign = this.emitter.binary("and", b, constInt(80, SIGN));
    return this.emitter.binary("or", this.absolute(a), sign);
  }

  private call(name: string, result: Type, args: Value[]): Value {
    const target = this.runtime(name);
    if (target === null) return this.emitter.unsupported(`80-bit floating point (${name} is missing)`, result);
    return this.emitter.call(target, result, args);
  }
  private narrow(wide: Value): Value {
    return this.emitter.cast("trunc", wide, I80);
  }
  private widen(a: Value): Value {
    return this.emitter.cast("zext", a, I128);
  }

  private extend(a: Value): Value {
    if (a.type.kind === "float" && a.type.name === "fp128") return this.emitter.unsupported("fp128 to x86_fp80", I80);
    const isDouble = a.type.kind === "float" && a.type.name === "double";
    const double = isDouble ? a : this.emitter.cast("fpext", a, DOUBLE);
    return this.narrow(this.call("__tangent_f80_from_double", I128, [double]));
  }
  private truncate(a: Value, to: Type): Value {
    if (to.kind === "float" && to.name === "double") return this.call("__tangent_f80_to_double", to, [this.widen(a)]);
    const float = this.call("__tangent_f80_to_float", FLOAT, [this.widen(a)]);
    // half and bfloat: rounded twice, which can be off by one unit in the last place; nothing emits this today.
    return to.kind === "float" && to.name === "float" ? float : this.emitter.cast("fptrunc", float, to);
  }

  private fromInteger(a: Value, signed: boolean): Value {
    const { bits } = a.type as IntType;
    if (bits <= 64) return this.fromHalf(this.extendTo(a, I64, signed), signed);
    // high * 2^64 is exact, so that the sum is rounded once.
    const wide = this.extendTo(a, I128, signed);
    const low = this.emitter.cast("trunc", wide, I64);
    const high = this.emitter.cast("trunc", this.emitter.binary("lshr", wide, constInt(128, 64)), I64);
    const scaled = this.arithmetic("mul", this.fromHalf(high, signed), TWO_TO_64);
    return this.arithmetic("add", scaled, this.fromHalf(low, false));
  }
  private fromHalf(a: Value, signed: boolean): Value {
    return this.narrow(this.call(signed ? "__tangent_f80_from_i64" : "__tangent_f80_from_u64", I128, [a]));
  }
  private extendTo(a: Value, type: IntType, signed: boolean): Value {
    if ((a.type as IntType).bits === type.bits) return a;
    return this.emitter.cast(signed ? "sext" : "zext", a, type);
  }

  private toInteger(a: Value, to: IntType, signed: boolean): Value {
    if (to.bits <= 64) {
      const name = signed || to.bits < 64 ? "__tangent_f80_to_i64" : "__tangent_f80_to_u64";
      return this.emitter.resize(this.fitted(this.call(name, I64, [this.widen(a)]), to, signed), to);
    }
    // The magnitude's halves: dividing by a power of two and subtracting what was taken are exact.
    const magnitude = this.absolute(a);
    const high = this.toHalf(this.arithmetic("div", magnitude, TWO_TO_64));
    const taken = this.arithmetic("mul", this.fromHalf(high, false), TWO_TO_64);
    const low = this.toHalf(this.arithmetic("sub", magnitude, taken));
    const e = this.emitter;
    const shifted = e.binary("shl", e.cast("zext", high, I128), constInt(128, 64));
    const whole = e.binary("or", shifted, e.cast("zext", low, I128));
    const negative = e.compare("ne", e.binary("and", a, constInt(80, SIGN)), constInt(80, 0));
    const negated = e.binary("sub", constInt(128, 0), whole);
    return e.resize(e.emit("select", I128, [negative, negated, whole], null), to);
  }
  /** The x87 stores 16, 32 or 64 bits; compilers take the next wider one for what is unsigned. */
  private fitted(value: Value, to: IntType, signed: boolean): Value {
    const stored = to.bits <= (signed ? 16 : 8) ? 16 : to.bits <= (signed ? 32 : 16) ? 32 : 64;
    if (stored === 64) return value;
    const e = this.emitter;
    const narrow = e.cast("sext", e.cast("trunc", value, intType(stored)), I64);
    const smallest = constInt(64, -(1n << BigInt(stored - 1)));
    return e.emit("select", I64, [e.compare("eq", narrow, value), value, smallest], null);
  }
  private toHalf(a: Value): Value {
    return this.call("__tangent_f80_to_u64", I64, [this.widen(a)]);
  }

  /** The runtime answers -1 less, 0 equal, 1 greater, 2 unordered; each predicate is one test of that number. */
  private compare(predicate: FloatPredicate, a: Value, b: Value): Value {
    if (predicate === "false" || predicate === "true") return constInt(1, predicate === "true" ? 1 : 0);
    const order = this.call("__tangent_f80_compare", I32, [this.widen(a), this.widen(b)]);
    const test = COMPARE_TESTS[predicate];
    const tested = test.odd === true ? this.emitter.binary("and", order, constInt(32, 1)) : order;
    return this.emitter.compare(test.predicate, tested, constInt(32, test.against));
  }
}

const TWO_TO_64: Constant = constInt(80, ((16383n + 64n) << 64n) | (1n << 63n));

interface CompareTest {
  readonly predicate: IntPredicate;
  readonly against: number;
  /** Test the lowest bit only: set for less and greater, clear for equal and unordered. */
  readonly odd?: true;
}
const COMPARE_TESTS: Readonly<Record<Exclude<FloatPredicate, "false" | "true">, CompareTest>> = {
  oeq: { predicate: "eq", against: 0 },
  ogt: { predicate: "eq", against: 1 },
  oge: { predicate: "ult", against: 2 },
  olt: { predicate: "eq", against: -1 },
  ole: { predicate: "slt", against: 1 },
  one: { predicate: "ne", against: 0, odd: true },
  ord: { predicate: "ne", against: 2 },
  ueq: { predicate: "eq", against: 0, odd: true },
  ugt: { predicate: "sgt", against: 0 },
  uge: { predicate: "ne", against: -1 },
  ult: { predicate: "ugt", against: 1 },
  ule: { predicate: "ne", against: 1 },
  une: { predicate: "ne", against: 0 },
  uno: { predicate: "eq", against: 2 },
};

/** Bit tests for llvm.is.fpclass: by format, infinity, the smallest normal number, the quiet bit. */
interface FloatFormat {
  readonly bits: number;
  readonly infinity: bigint;
  readonly smallestNormal: bigint;
  readonly quiet: bigint;
}
const FORMATS: Readonly<Record<string, FloatFormat>> = {
  float: { bits: 32, infinity: 0x7f80_0000n, smallestNormal: 0x80_0000n, quiet: 0x40_0000n },
  double: { bits: 64, infinity: 0x7ffn << 52n, smallestNormal: 1n << 52n, quiet: 1n << 51n },
  x86_fp80: {
    bits: 80,
    infinity: (0x7fffn << 64n) | (1n << 63n),
    smallestNormal: (1n << 64n) | (1n << 63n),
    quiet: 1n << 62n,
  },
};

/** An 80-bit number without its integer bit that is neither 0 nor denormal: the x87 takes it for no number at all. */
function invalidEncoding(e: Emitter, magnitude: Value): Value {
  const integerBit = e.binary("and", magnitude, constInt(80, 1n << 63n));
  const hasNone = e.compare("eq", integerBit, constInt(80, 0));
  const hasExponent = e.compare("uge", magnitude, constInt(80, 1n << 64n));
  return e.emit("and", I1, [hasNone, hasExponent], null);
}

/** llvm.is.fpclass as integer operations; null for a format without them. */
export function lowerFloatClass(e: Emitter, value: Value, mask: number): Value | null {
  const format = value.type.kind === "float" ? FORMATS[value.type.name] : undefined;
  if (format === undefined) return null;
  const { bits, infinity, smallestNormal, quiet } = format;
  const number = (n: bigint): Constant => constInt(bits, n);
  const pattern = isFloat80(value.type) ? value : e.cast("bitcast", value, intType(bits));
  const magnitude = e.binary("and", pattern, number((1n << BigInt(bits - 1)) - 1n));
  const quietest = number(infinity | quiet);
  let result: Value = constInt(1, 0);
  const add = (test: Value): void => {
    result = isConstant(result) ? test : e.emit("or", I1, [result, test], null);
  };
  const invalid = isFloat80(value.type) ? invalidEncoding(e, magnitude) : null;
  const valid = (test: Value): Value => {
    if (invalid === null) return test;
    return e.emit("and", I1, [test, e.binary("xor", invalid, constInt(1, 1))], null);
  };
  if ((mask & 3) === 3) {
    add(e.compare("ugt", magnitude, number(infinity)));
    if (invalid !== null) add(invalid);
  } else if ((mask & 2) !== 0) add(e.compare("uge", magnitude, quietest));
  else if ((mask & 1) !== 0) {
    const nan = e.compare("ugt", magnitude, number(infinity));
    add(e.emit("and", I1, [nan, e.compare("ult", magnitude, quietest)], null));
  }
  // The other classes come in pairs, negative and positive.
  const pairs: [number, number, () => Value][] = [
    [2, 9, () => e.compare("eq", magnitude, number(infinity))],
    [
      3,
      8,
      () =>
        valid(e.compare("ult", e.binary("sub", magnitude, number(smallestNormal)), number(infinity - smallestNormal))),
    ],
    [4, 7, () => valid(e.compare("ult", e.binary("sub", magnitude, number(1n)), number(smallestNormal - 1n)))],
    [5, 6, () => e.compare("eq", magnitude, number(0n))],
  ];
  for (const [negative, positive, test] of pairs) {
    const wantNegative = ((mask >> negative) & 1) !== 0;
    const wantPositive = ((mask >> positive) & 1) !== 0;
    if (!wantNegative && !wantPositive) continue;
    const magnitudeFits = test();
    if (wantNegative && wantPositive) add(magnitudeFits);
    else {
      const sign = e.compare(wantNegative ? "slt" : "sge", pattern, number(0n));
      add(e.emit("and", I1, [magnitudeFits, sign], null));
    }
  }
  return result;
}
