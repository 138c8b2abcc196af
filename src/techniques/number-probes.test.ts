import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOfNumber, numberIn } from "../support/literal-numbers.js";
import { probesOf } from "./number-probes.js";

test("probes: small ones and one of each size above the number, never the number, the largest or a negative one", () => {
  for (const form of ["i8", "u16", "i32", "u64"] as const) {
    const bits = BigInt(form.slice(1));
    for (const own of [0n, 1n, 97n, 2n ** (bits - 1n) - 1n]) {
      const probes = probesOf(form, bytesOfNumber(form, own), false).map((bytes) => BigInt(numberIn(form, bytes)));
      assert.ok(probes.includes(0n) || own === 0n);
      for (const one of probes) assert.ok(one !== own && one >= 0n && one < 2n ** (bits - 1n) - 1n, `${form} ${one}`);
      for (let power = 2n; power < 2n ** (bits - 1n); power *= 2n) {
        if (power > own)
          assert.ok(
            probes.some((one) => one >= power && one < 2n * power),
            `${form} ${power}`,
          );
      }
      assert.ok(!probesOf(form, bytesOfNumber(form, own), true).some((bytes) => bytes.every((byte) => byte === 0)));
    }
  }
  const floats = probesOf("f64", bytesOfNumber("f64", 57.5), false).map((bytes) => Number(numberIn("f64", bytes)));
  assert.ok(floats.every((value) => Number.isFinite(value) && value >= 0));
  assert.ok(floats.some((value) => value > 1e299));
});
