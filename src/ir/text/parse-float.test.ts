import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../support/random.js";
import { parseFloatLiteral } from "./parse-float.js";

test("float literals: decimal and hexadecimal notations give the type's own bits", () => {
  for (const [literal, name, bits] of [
    ["1.5", "double", 0x3ff8000000000000n],
    ["-0.0", "double", 0x8000000000000000n],
    ["1.000000e+00", "float", 0x3f800000n],
    ["0x3FB99999A0000000", "float", 0x3dcccccdn],
    ["0x36A0000000000000", "float", 1n],
    ["0x3810000000000000", "float", 0x00800000n],
    ["0x7FF0000000000000", "float", 0x7f800000n],
    ["0xFFF0000000000000", "float", 0xff800000n],
    ["0x7FF8000000000000", "float", 0x7fc00000n],
    ["0x7FF0000020000000", "float", 0x7f800001n],
    ["1e400".replace("e", ".0e"), "double", 0x7ff0000000000000n],
    ["65504.0", "half", 0x7bffn],
    ["65536.0", "half", 0x7c00n],
    ["0xH3C00", "half", 0x3c00n],
    ["0xR3F80", "bfloat", 0x3f80n],
    ["1.0", "bfloat", 0x3f80n],
    ["0xK3FFF8000000000000000", "x86_fp80", 0x3fff8000000000000000n],
    ["0xL00000000000000013FFF000000000002", "fp128", 0x3fff0000000000020000000000000001n],
  ] as const) {
    assert.equal(parseFloatLiteral(literal, name), bits, `${name} ${literal}`);
  }
});

test("float literals: narrowing a double to float agrees with the machine", () => {
  const random = new Random(11);
  const view = new DataView(new ArrayBuffer(8));
  let compared = 0;
  for (let i = 0; i < 20_000; i++) {
    // Exponents around the range of floats, subnormal ones and overflowing ones included.
    const exponent = 1023 - 160 + (random.next() % 320);
    view.setUint32(0, ((random.next() & 0x800f_ffff) | (exponent << 20)) >>> 0);
    view.setUint32(4, i % 3 === 0 ? 0x1000_0000 * (random.next() % 16) : random.next());
    const bits = view.getBigUint64(0);
    view.setFloat32(0, view.getFloat64(0));
    const expected = BigInt(view.getUint32(0));
    assert.equal(parseFloatLiteral(`0x${bits.toString(16).toUpperCase().padStart(16, "0")}`, "float"), expected);
    compared++;
  }
  assert.equal(compared, 20_000);
});

test("float literals: notations of other types and malformed ones are refused", () => {
  for (const [literal, name] of [
    ["0xH3C00", "float"],
    ["0xK3FFF8000000000000000", "double"],
    ["1.0", "x86_fp80"],
    ["0x", "double"],
    ["0xZZ", "double"],
    ["0x12345678123456789", "double"],
    ["0xK", "x86_fp80"],
    ["5", "double"],
  ] as const) {
    assert.equal(parseFloatLiteral(literal, name), null, `${name} ${literal}`);
  }
});
