import assert from "node:assert/strict";
import { test } from "node:test";
import { flagsKnownTo, trappingSanitizers } from "./ubsan.js";

test("ubsan: checks become traps that stay apart, and sanitizers with a runtime are left out", () => {
  assert.deepEqual(trappingSanitizers("address,shift,leak,null"), [
    "-fsanitize=shift,null",
    "-fno-sanitize=function",
    "-fsanitize-trap=shift,null",
    "-fno-sanitize-merge=shift,null",
  ]);
  assert.deepEqual(trappingSanitizers("thread"), []);
});

test("ubsan: a clang that cannot keep traps apart is not asked to", () => {
  const flags = ["-DX", ...trappingSanitizers("shift")];
  assert.deepEqual(flagsKnownTo(20, flags), flags);
  assert.deepEqual(flagsKnownTo(19, flags), [
    "-DX",
    "-fsanitize=shift",
    "-fno-sanitize=function",
    "-fsanitize-trap=shift",
  ]);
});
