// What instructions of x86-64 say that no single instruction of the IR does: bits counted, bytes swapped, and what the processor tells of itself.

import { constInt, type Value } from "../values.js";
import type { Emitter } from "./emitter.js";

/** "GenuineIntel": what is not known of a maker is asked of none. */
const MAKER = { rbx: 0x756e_6547, rdx: 0x4965_6e69, rcx: 0x6c65_746e };
/** x87, TSC, CX8, CMOV, MMX, FXSR, SSE, SSE2: what every x86-64 has. */
const FEATURES = 0x0780_8111;
/** Long mode, and `syscall`. */
const EXTENDED_FEATURES = 0x2000_0800;
const FAMILY_6 = 0x6f0;

export function chosen(e: Emitter, condition: Value, one: Value, other: Value): Value {
  return e.emit("select", one.type, [condition, one, other], null);
}

/** Of `cpuid`, by what it is asked: the registers. */
export function processorSays(e: Emitter, leaf: Value): { readonly [register: string]: Value } {
  const of = (values: { readonly [leaf: number]: number }): Value => {
    let value: Value = constInt(64, 0);
    for (const [at, known] of Object.entries(values)) {
      value = chosen(e, e.compare("eq", leaf, constInt(32, BigInt(at))), constInt(64, known), value);
    }
    return value;
  };
  const extended = 0x8000_0000;
  return {
    rax: of({ 0: 1, 1: FAMILY_6, [extended]: extended + 1 }),
    rbx: of({ 0: MAKER.rbx }),
    rcx: of({ 0: MAKER.rcx, [extended + 1]: 1 }),
    rdx: of({ 0: MAKER.rdx, 1: FEATURES, [extended + 1]: EXTENDED_FEATURES }),
  };
}

/** The number of the highest bit that is set, by halves. */
export function highestBit(e: Emitter, value: Value, bits: number): Value {
  let rest = value;
  let number: Value = constInt(bits, 0);
  for (let half = bits / 2; half >= 1; half /= 2) {
    const upper = e.binary("lshr", rest, constInt(bits, half));
    const isThere = e.compare("ne", upper, constInt(bits, 0));
    number = chosen(e, isThere, e.binary("add", number, constInt(bits, half)), number);
    rest = chosen(e, isThere, upper, rest);
  }
  return number;
}

/** Neighbours are added, then pairs of them, and so on. */
export function onesIn(e: Emitter, value: Value, bits: number): Value {
  let sums = value;
  for (let width = 1; width < bits; width *= 2) {
    let mask = 0n;
    for (let at = 0; at < bits; at += 2 * width) mask |= ((1n << BigInt(width)) - 1n) << BigInt(at);
    const kept = constInt(bits, mask);
    const upper = e.binary("and", e.binary("lshr", sums, constInt(bits, width)), kept);
    sums = e.binary("add", e.binary("and", sums, kept), upper);
  }
  return sums;
}

export function swappedBytes(e: Emitter, value: Value, bits: number): Value {
  let whole: Value = constInt(bits, 0);
  for (let at = 0; at < bits; at += 8) {
    const byte = e.binary("and", e.binary("lshr", value, constInt(bits, at)), constInt(bits, 0xff));
    whole = e.binary("or", whole, e.binary("shl", byte, constInt(bits, bits - 8 - at)));
  }
  return whole;
}
