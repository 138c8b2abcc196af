import assert from "node:assert/strict";
import { test } from "node:test";
import { numbersNear } from "./numbers-near.js";

test("a number becomes its neighbours, and others of its order or of another one", () => {
  assert.deepEqual(numbersNear("300"), ["301", "299", "600", "-300", "3000", "30", "3"]);
  assert.deepEqual(numbersNear("0.4"), ["1.4", "-0.6", "0.8", "-0.4", "4", "0.04", "0.004"]);
  assert.deepEqual(numbersNear("1.2.3"), []);
});
