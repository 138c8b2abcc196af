// Intrinsics of x86-64's vectors (SSE2, and SSSE3's shuffle), element by element: what `emmintrin.h` leaves of its functions when clang has
// turned the rest into plain vectors. Every x86-64 has SSE2, so that programs use it without asking.

import { I8, I16, I32, I64, type IntType, intType, type Type, type VectorType, VOID } from "../types.js";
import { constInt, type FloatPredicate, type Instruction, type Value } from "../values.js";
import { chosen } from "./asm-values.js";
import type { Emitter } from "./emitter.js";

const PREFIX = "llvm.x86.";
/** Hints, and orders between threads, which run one at a time. */
const NOTHING = new Set(["sse2.pause", "sse2.lfence", "sse2.mfence", "sse.sfence", "sse2.clflush", "sse.ldmxcsr"]);
/** Rounding to nearest, no exceptions: what a process begins with. */
const MXCSR = 0x1f80;
const COMPARISONS: { readonly [name: string]: FloatPredicate } = {
  ...{ eq: "oeq", lt: "olt", le: "ole", gt: "ogt", ge: "oge", neq: "une" },
};

/** The value that stands for the call, "drop" if it has none; null if it stays. */
export function lowerX86(e: Emitter, i: Instruction, full: string): Value | "drop" | null {
  if (!full.startsWith(PREFIX)) return null;
  const name = full.slice(PREFIX.length);
  const [, a, b] = i.operands;
  if (NOTHING.has(name)) return "drop";
  if (name === "rdtsc") return constInt(64, 0);
  if (name === "xgetbv") return constInt(64, 3);
  if (name === "sse.stmxcsr") {
    const access = { accessType: I32, align: 1, volatile: false, unchecked: false };
    e.emit("store", VOID, [constInt(32, MXCSR), a], access);
    return "drop";
  }
  const v = new Lanes(e, i.type);
  const shift = /^sse2\.ps(ll|rl|ra)(i?)\.([wdq])$/.exec(name);
  if (shift !== null) return v.shifted(a, b, shift[1], shift[2] === "i");
  const pack = /^(?:sse2\.|sse41\.)pack([su])s(?:wb|dw)(?:\.128)?$/.exec(name);
  if (pack !== null) return v.packed(a, b, pack[1] === "s");
  const compare = /^sse2?\.u?comi(eq|lt|le|gt|ge|neq)\.(?:ss|sd)$/.exec(name);
  if (compare !== null) return v.compared(a, b, COMPARISONS[compare[1]]);
  switch (name) {
    case "sse2.pmovmskb.128":
    case "sse.movmsk.ps":
    case "sse2.movmsk.pd":
      return v.signs(a);
    case "ssse3.pshuf.b.128":
      return v.shuffled(a, b);
    case "sse2.pmadd.wd":
      return v.productsOfPairs(a, b);
    case "sse2.psad.bw":
      return v.sumsOfDifferences(a, b);
    case "sse2.pmulh.w":
    case "sse2.pmulhu.w":
      return v.each(a, b, (x, y) => v.highProduct(x, y, name === "sse2.pmulh.w" ? "sext" : "zext"));
    case "sse2.pavg.b":
    case "sse2.pavg.w":
      return v.each(a, b, (x, y) => v.average(x, y));
    case "sse.min.ps":
    case "sse2.min.pd":
      return v.each(a, b, (x, y) => chosen(e, v.less(x, y), x, y));
    case "sse.max.ps":
    case "sse2.max.pd":
      return v.each(a, b, (x, y) => chosen(e, v.less(y, x), x, y));
    default:
      return null;
  }
}

class Lanes {
  constructor(
    private readonly e: Emitter,
    private readonly result: Type,
  ) {}

  private lane(vector: Value, n: number): Value {
    const { element } = vector.type as VectorType;
    return this.e.emit("extractelement", element, [vector, constInt(32, n)], null);
  }

  private lanes(vector: Value): Value[] {
    return Array.from({ length: (vector.type as VectorType).count }, (_, n) => this.lane(vector, n));
  }

  private whole(lanes: readonly Value[]): Value {
    let value: Value = { kind: "undef", type: this.result };
    lanes.forEach((lane, n) => {
      value = this.e.emit("insertelement", this.result, [value, lane, constInt(32, n)], null);
    });
    return value;
  }

  each(a: Value, b: Value, make: (x: Value, y: Value) => Value): Value {
    const others = this.lanes(b);
    return this.whole(this.lanes(a).map((lane, n) => make(lane, others[n])));
  }

  less(x: Value, y: Value): Value {
    return this.e.emit("fcmp", intType(1), [x, y], { predicate: "olt" });
  }

  compared(a: Value, b: Value, predicate: FloatPredicate): Value {
    const answer = this.e.emit("fcmp", intType(1), [this.lane(a, 0), this.lane(b, 0)], { predicate });
    return this.e.cast("zext", answer, I32);
  }

  /** By a number, or by the lowest 64 bits of a vector; too far leaves nothing, or the sign. */
  shifted(vector: Value, by: Value, kind: string, isNumber: boolean): Value {
    const { e } = this;
    const { element } = vector.type as VectorType;
    const type = element as IntType;
    const count = isNumber ? e.resize(by, I64) : this.low64(by);
    const limit = constInt(64, type.bits);
    const isFar = e.compare("uge", count, limit);
    const most = constInt(64, kind === "ra" ? type.bits - 1 : 0);
    const near = e.resize(chosen(e, isFar, most, count), type);
    const operation = kind === "ll" ? "shl" : kind === "rl" ? "lshr" : "ashr";
    return this.whole(
      this.lanes(vector).map((lane) => {
        const value = e.binary(operation, lane, near);
        return kind === "ra" ? value : chosen(e, isFar, constInt(type.bits, 0), value);
      }),
    );
  }

  private low64(vector: Value): Value {
    const { e } = this;
    const { element } = vector.type as VectorType;
    const { bits } = element as IntType;
    let value: Value = constInt(64, 0);
    for (let n = 0; n < 64 / bits; n++) {
      const lane = e.resize(this.lane(vector, n), I64);
      value = e.binary("or", value, e.binary("shl", lane, constInt(64, n * bits)));
    }
    return value;
  }

  /** Elements of half the width, as near as they can be. */
  packed(a: Value, b: Value, isSigned: boolean): Value {
    const { e } = this;
    const from = ((a.type as VectorType).element as IntType).bits;
    const to = intType(from / 2);
    const least = constInt(from, isSigned ? -(1n << BigInt(to.bits - 1)) : 0n);
    const most = constInt(from, (1n << BigInt(isSigned ? to.bits - 1 : to.bits)) - 1n);
    const narrow = (lane: Value): Value => {
      const high = chosen(e, e.compare("sgt", lane, most), most, lane);
      return e.cast("trunc", chosen(e, e.compare("slt", high, least), least, high), to);
    };
    return this.whole([...this.lanes(a), ...this.lanes(b)].map(narrow));
  }

  /** The signs of all elements, a bit each. */
  signs(vector: Value): Value {
    const { e } = this;
    const { element } = vector.type as VectorType;
    const type = element.kind === "int" ? element : bitsOf(element);
    let mask: Value = constInt(32, 0);
    this.lanes(vector).forEach((lane, n) => {
      const bits = element.kind === "int" ? lane : e.cast("bitcast", lane, type);
      const sign = e.resize(e.binary("lshr", bits, constInt(type.bits, type.bits - 1)), I32);
      mask = e.binary("or", mask, e.binary("shl", sign, constInt(32, n)));
    });
    return mask;
  }

  shuffled(bytes: Value, order: Value): Value {
    const { e } = this;
    return this.whole(
      this.lanes(order).map((at) => {
        const index = e.resize(e.binary("and", at, constInt(8, 15)), I32);
        const byte = e.emit("extractelement", I8, [bytes, index], null);
        return chosen(e, e.compare("slt", at, constInt(8, 0)), constInt(8, 0), byte);
      }),
    );
  }

  highProduct(x: Value, y: Value, extended: "sext" | "zext"): Value {
    const { e } = this;
    const product = e.binary("mul", e.cast(extended, x, I32), e.cast(extended, y, I32));
    return e.cast("trunc", e.binary("lshr", product, constInt(32, 16)), I16);
  }

  average(x: Value, y: Value): Value {
    const { e } = this;
    const type = x.type as IntType;
    const sum = e.binary("add", e.cast("zext", x, I32), e.cast("zext", y, I32));
    return e.cast("trunc", e.binary("lshr", e.binary("add", sum, constInt(32, 1)), constInt(32, 1)), type);
  }

  productsOfPairs(a: Value, b: Value): Value {
    const { e } = this;
    const others = this.lanes(b);
    const products = this.lanes(a).map((lane, n) =>
      e.binary("mul", e.cast("sext", lane, I32), e.cast("sext", others[n], I32)),
    );
    return this.whole(
      Array.from({ length: products.length / 2 }, (_, n) => e.binary("add", products[2 * n], products[2 * n + 1])),
    );
  }

  sumsOfDifferences(a: Value, b: Value): Value {
    const { e } = this;
    const others = this.lanes(b);
    const differences = this.lanes(a).map((lane, n) => {
      const [x, y] = [e.cast("zext", lane, I64), e.cast("zext", others[n], I64)];
      return chosen(e, e.compare("ugt", x, y), e.binary("sub", x, y), e.binary("sub", y, x));
    });
    const sum = (from: number): Value =>
      differences.slice(from, from + 8).reduce((all, one) => e.binary("add", all, one));
    return this.whole([sum(0), sum(8)]);
  }
}

function bitsOf(type: Type): IntType {
  return type.kind === "float" && type.name === "double" ? I64 : I32;
}
