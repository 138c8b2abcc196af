import assert from "node:assert/strict";
import { test } from "node:test";
import type { NumberForm } from "./literal-names.js";
import { bytesOfNumber, numberIn, numberText } from "./literal-numbers.js";

test("numbers: what was written as bytes is read again, and C has a text for it", () => {
  const cases: readonly (readonly [NumberForm, bigint | number, string])[] = [
    ["i8", -1n, "-1"],
    ["u8", 255n, "255"],
    ["i32", -(2n ** 31n), "(-2147483647 - 1)"],
    ["u32", 4294967285n, "4294967285U"],
    ["i64", -(2n ** 63n), "(-9223372036854775807LL - 1)"],
    ["i64", 5n, "5"],
    ["u64", 2n ** 64n - 1n, "18446744073709551615ULL"],
    ["f64", 100, "100.0"],
    ["f64", 1e300, "1e+300"],
    ["f32", Math.fround(0.1), "0.100000001"],
    ["f64", Number.NaN, "(0.0 / 0.0)"],
    ["f64", Number.NEGATIVE_INFINITY, "(-1.0 / 0.0)"],
    ["f64", -0, "-0.0"],
  ];
  for (const [form, value, text] of cases) {
    const bytes = bytesOfNumber(form, value);
    assert.ok(Object.is(numberIn(form, bytes), value), text);
    assert.equal(numberText(form, bytes), text);
  }
});
