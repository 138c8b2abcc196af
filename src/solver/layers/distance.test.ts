import assert from "node:assert/strict";
import { test } from "node:test";
import { ExprArena } from "../../expr/arena.js";
import { Evaluator } from "../../expr/evaluate.js";
import type { ExprRef, OpName } from "../../expr/ops.js";
import { Distance } from "./distance.js";

/** The distance of `word OP constant` by the value of the word, of so many bytes. */
function distanceOf(op: OpName & ("slt" | "sle" | "ult" | "ule" | "eq"), bytes: number, constant: bigint) {
  const arena = new ExprArena();
  const evaluator = new Evaluator(arena);
  const distance = new Distance(arena, evaluator);
  let word: ExprRef = arena.variable(0);
  for (let k = 1; k < bytes; k++) word = arena.concat(arena.variable(k), word);
  const condition = arena.binary(op, arena.constantBig(8 * bytes, BigInt.asUintN(8 * bytes, constant)), word);
  return (value: bigint): number => {
    const model = new Uint8Array(bytes);
    for (let k = 0; k < bytes; k++) model[k] = Number((BigInt.asUintN(8 * bytes, value) >> BigInt(8 * k)) & 0xffn);
    evaluator.load(model);
    return distance.of(condition);
  };
}

for (const bytes of [2, 4, 8]) {
  test(`distance: numbers of ${bytes} bytes with a sign come nearer from either side of zero`, () => {
    // 3 < word
    const of = distanceOf("slt", bytes, 3n);
    assert.equal(of(4n), 0);
    const falling = [-3000n, -256n, -5n, -4n, -1n, 0n, 2n, 3n].map(of);
    for (let n = 1; n < falling.length; n++) assert.ok(falling[n] < falling[n - 1], `${falling}`);
    assert.ok(falling[falling.length - 1] > 0);
  });

  test(`distance: numbers of ${bytes} bytes without a sign`, () => {
    // 3000 <= word
    const of = distanceOf("ule", bytes, 3000n);
    assert.deepEqual([of(3000n), of(-1n)], [0, 0]);
    const falling = [0n, 1000n, 2900n, 2999n].map(of);
    for (let n = 1; n < falling.length; n++) assert.ok(falling[n] < falling[n - 1], `${falling}`);
  });
}
