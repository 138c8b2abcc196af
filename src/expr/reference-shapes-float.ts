// Random bits for floating-point tests: numbers near each other, near the ends of ranges, near integers and halves, and
// what is no number. Plain random bits are almost never any of that.

import type { Random } from "../support/random.js";

/** Bits of that width, which need not be one of a float (integers to be converted). */
export function randomFloat(random: Random, width: number): bigint {
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
