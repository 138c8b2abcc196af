// Floating-point literals to bit patterns. LLVM writes `float` constants as the hexadecimal form of the equal double,
// so they are narrowed here bit by bit: going through a JavaScript number would lose the payload of a NaN.
// Invariant: the result has exactly the bits of the type's own format.

import type { FloatName } from "../types.js";

interface Format {
  readonly exponentBits: number;
  readonly fractionBits: number;
}
const NARROW: Readonly<Partial<Record<FloatName, Format>>> = {
  half: { exponentBits: 5, fractionBits: 10 },
  bfloat: { exponentBits: 8, fractionBits: 7 },
  float: { exponentBits: 8, fractionBits: 23 },
};
/** The letter after 0x and the number of digits that belong to each format's own notation. */
const OWN_NOTATION: readonly { readonly letter: string; readonly name: FloatName; readonly digits: number }[] = [
  { letter: "H", name: "half", digits: 4 },
  { letter: "R", name: "bfloat", digits: 4 },
  { letter: "K", name: "x86_fp80", digits: 20 },
  { letter: "L", name: "fp128", digits: 32 },
];

/** The bits of a decimal or hexadecimal literal, or null if it is no literal of this type. */
export function parseFloatLiteral(literal: string, name: FloatName): bigint | null {
  if (!literal.startsWith("0x")) {
    if (!/^-?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?$/.test(literal)) return null;
    return fromDouble(doubleBits(Number(literal)), name);
  }
  const own = OWN_NOTATION.find(({ letter }) => letter === literal[2]);
  if (own !== undefined) {
    const digits = literal.slice(3);
    if (own.name !== name || digits.length > own.digits || !/^[0-9A-Fa-f]+$/.test(digits)) return null;
    if (name !== "fp128") return BigInt(`0x${digits}`);
    // The low half is written first.
    const padded = digits.padStart(32, "0");
    return BigInt(`0x${padded.slice(16)}${padded.slice(0, 16)}`);
  }
  if (!/^0x[0-9A-Fa-f]{1,16}$/.test(literal)) return null;
  return fromDouble(BigInt(literal), name);
}

function doubleBits(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

function fromDouble(bits: bigint, name: FloatName): bigint | null {
  if (name === "double") return bits;
  const format = NARROW[name];
  return format === undefined ? null : narrow(bits, format);
}

/** Converts a double's bits to a narrower format, rounding to nearest even. */
function narrow(bits: bigint, { exponentBits, fractionBits }: Format): bigint {
  const sign = (bits >> 63n) << BigInt(exponentBits + fractionBits);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const dropped = 52 - fractionBits;
  const infinity = ((1n << BigInt(exponentBits)) - 1n) << BigInt(fractionBits);
  if (exponent === 0x7ff) {
    if (fraction === 0n) return sign | infinity;
    const payload = fraction >> BigInt(dropped);
    return sign | infinity | (payload === 0n ? 1n : payload);
  }
  const bias = (1 << (exponentBits - 1)) - 1;
  const scaled = exponent - 1023 + bias;
  if (exponent === 0 || scaled < -fractionBits) return sign;
  // A number below the format's normal range loses more of its fraction.
  const shift = BigInt(scaled > 0 ? dropped : dropped + 1 - scaled);
  const significand = scaled > 0 ? fraction : fraction | (1n << 52n);
  let rounded = significand >> shift;
  const rest = significand & ((1n << shift) - 1n);
  const half = 1n << (shift - 1n);
  if (rest > half || (rest === half && (rounded & 1n) === 1n)) rounded += 1n;
  // A carry out of the fraction moves into the exponent, which is what rounding up means.
  const result = rounded + (BigInt(Math.max(scaled, 0)) << BigInt(fractionBits));
  if (result > infinity) return sign | infinity;
  return sign | result;
}
