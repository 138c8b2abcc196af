// What the floating-point operations mean on constants: IEEE 754, round to nearest, ties to even, computed with the
// machine's own doubles wherever these are exact enough. For 32 bits a sum, product, quotient or root rounded to double and
// then to float is the one rounded once (a double has more than twice the bits and two); a fused multiply-add and a 64-bit
// integer made a float are not, and take another way. The arena folds with it and the evaluator evaluates with it.
// Invariant: operands come and results go as bits, those from the width upwards zero; what is no number goes as one pattern.

import { FLOAT_ROUNDING, OPS } from "./ops.js";
import type { Word64 } from "./word64.js";

const TWO_31 = 2147483648;
const TWO_32 = 4294967296;
const TWO_52 = 4503599627370496;
const TWO_53_HIGH = 0x0020_0000;
const TWO_63 = 2 ** 63;
const TWO_64 = 2 ** 64;

const NAN_32 = 0x7fc0_0000;
const NAN_64_HIGH = 0x7ff8_0000;

const doubles = new Float64Array(1);
const floats = new Float32Array(doubles.buffer);
const words = new Int32Array(doubles.buffer);
/** Which of the two words is the low half: 0 wherever there is a machine that runs this, but that is not ours to say. */
const LOW = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 0 : 1;

/** The number that bits stand for. */
export function floatOfBits(width: number, lo: number, hi: number): number {
  if (width === 32) {
    words[0] = lo;
    return floats[0];
  }
  words[LOW] = lo;
  words[1 - LOW] = hi;
  return doubles[0];
}

/** The bits of a number, rounded to the width, in `out`. */
function bitsOfFloat(out: Word64, width: number, value: number): void {
  if (Number.isNaN(value)) {
    if (width === 32) out.set(NAN_32, 0);
    else out.set(0, NAN_64_HIGH);
  } else if (width === 32) {
    floats[0] = value;
    out.set(words[0], 0);
  } else {
    doubles[0] = value;
    out.set(words[LOW], words[1 - LOW]);
  }
}

/** Result in `out`. `width` is that of the result, `from` that of the operands, `mode` that of an fround. */
export function foldFloat(
  out: Word64,
  op: number,
  width: number,
  from: number,
  mode: number,
  alo: number,
  ahi: number,
  blo: number,
  bhi: number,
  clo: number,
  chi: number,
): void {
  if (op === OPS.sitof.code || op === OPS.uitof.code) {
    floatOfInteger(out, width, from, op === OPS.sitof.code, alo, ahi);
    return;
  }
  const x = floatOfBits(from, alo, ahi);
  switch (op) {
    case OPS.feq.code:
      out.set(x === floatOfBits(from, blo, bhi) ? 1 : 0, 0);
      break;
    case OPS.flt.code:
      out.set(x < floatOfBits(from, blo, bhi) ? 1 : 0, 0);
      break;
    case OPS.fle.code:
      out.set(x <= floatOfBits(from, blo, bhi) ? 1 : 0, 0);
      break;
    case OPS.fadd.code:
      bitsOfFloat(out, width, x + floatOfBits(from, blo, bhi));
      break;
    case OPS.fsub.code:
      bitsOfFloat(out, width, x - floatOfBits(from, blo, bhi));
      break;
    case OPS.fmul.code:
      bitsOfFloat(out, width, x * floatOfBits(from, blo, bhi));
      break;
    case OPS.fdiv.code:
      bitsOfFloat(out, width, x / floatOfBits(from, blo, bhi));
      break;
    case OPS.fsqrt.code:
      bitsOfFloat(out, width, Math.sqrt(x));
      break;
    case OPS.ffma.code:
      bitsOfFloat(out, width, fusedMultiplyAdd(width, x, floatOfBits(from, blo, bhi), floatOfBits(from, clo, chi)));
      break;
    case OPS.fround.code:
      bitsOfFloat(out, width, integral(mode, x));
      break;
    case OPS.fcvt.code:
      bitsOfFloat(out, width, x);
      break;
    case OPS.ftosi.code:
      if (width === 32) out.set(Math.abs(x) < TWO_31 ? Math.trunc(x) | 0 : -TWO_31, 0);
      else setInteger(out, Math.abs(x) < TWO_63 ? x : -TWO_63);
      break;
    case OPS.ftoui.code:
      setInteger(out, x > -TWO_63 && x < TWO_64 ? x : -TWO_63);
      break;
    default:
      throw new Error(`fold: operation ${op} is not about floating-point numbers`);
  }
}

/** The halves of a number from -2^63 to 2^64, cut off after the point. */
function setInteger(out: Word64, x: number): void {
  const whole = Math.trunc(x);
  const high = Math.floor(whole / TWO_32);
  out.set((whole - high * TWO_32) | 0, high | 0);
}

function floatOfInteger(out: Word64, width: number, from: number, signed: boolean, lo: number, hi: number): void {
  out.set(lo, from > 32 ? hi : 0);
  if (signed) out.signExtend(out.lo, out.hi, from);
  const high = signed ? out.hi : out.hi >>> 0;
  let low = out.lo >>> 0;
  if (width === 32 && (high >= TWO_53_HIGH || high < -TWO_53_HIGH)) {
    // More than a double holds would be rounded twice: what is far below the float's last bit becomes one bit.
    low = (low & 0x7ff) !== 0 ? ((low | 0xfff) ^ 0x7ff) >>> 0 : low;
  }
  bitsOfFloat(out, width, high * TWO_32 + low);
}

function integral(mode: number, x: number): number {
  switch (mode) {
    case FLOAT_ROUNDING.towardZero:
      return Math.trunc(x);
    case FLOAT_ROUNDING.down:
      return Math.floor(x);
    case FLOAT_ROUNDING.up:
      return Math.ceil(x);
    case FLOAT_ROUNDING.nearestAway: {
      const whole = Math.trunc(x);
      return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
    }
    default: {
      if (!(Math.abs(x) < TWO_52)) return x;
      // In the binade of 2^52 doubles are the integers, so that the sum is rounded to one. The sign is kept for zeros.
      const magnitude = Math.abs(x) + TWO_52 - TWO_52;
      return x < 0 || Object.is(x, -0) ? -magnitude : magnitude;
    }
  }
}

function fusedMultiplyAdd(width: number, a: number, b: number, c: number): number {
  if (!Number.isFinite(c) && Number.isFinite(a) && Number.isFinite(b)) return c;
  // What is not finite, and a product of zero, are exact in two steps.
  if (!Number.isFinite(a) || !Number.isFinite(b) || a === 0 || b === 0) return a * b + c;
  const [am, ae] = parts(a);
  const [bm, be] = parts(b);
  const [cm, ce] = parts(c);
  const exponent = Math.min(ae + be, ce);
  const sum = ((am * bm) << BigInt(ae + be - exponent)) + (cm << BigInt(ce - exponent));
  return sum < 0n ? -rounded(width, -sum, exponent) : rounded(width, sum, exponent);
}

/** A finite number as an integer times a power of two. */
function parts(x: number): [bigint, number] {
  doubles[0] = x;
  const high = words[1 - LOW];
  const biased = (high >>> 20) & 0x7ff;
  const fraction = (BigInt(high & 0xf_ffff) << 32n) | BigInt(words[LOW] >>> 0);
  const magnitude = biased === 0 ? fraction : fraction | 0x10_0000_0000_0000n;
  return [high < 0 ? -magnitude : magnitude, Math.max(biased, 1) - 1075];
}

/** magnitude * 2^exponent rounded to nearest, ties to even. */
function rounded(width: number, magnitude: bigint, exponent: number): number {
  const precision = width === 32 ? 24 : 53;
  const length = magnitude.toString(2).length;
  const last = Math.max(exponent + length - precision, width === 32 ? -149 : -1074);
  if (last <= exponent) return Number(magnitude) * 2 ** exponent;
  const drop = BigInt(last - exponent);
  const whole = magnitude >> drop;
  const rest = magnitude - (whole << drop);
  const half = 1n << (drop - 1n);
  const up = rest > half || (rest === half && (whole & 1n) === 1n);
  return Number(up ? whole + 1n : whole) * 2 ** last;
}
