import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { SettledBytes } from "./settled-bytes.js";

describe("bytes that a path leaves no choice of", () => {
  const arena = new ExprArena();
  const number = (width: number, value: number): ExprRef => arena.constant(width, value, 0);
  const byte = (index: number): ExprRef => arena.variable(index);
  const equal = (e: ExprRef, value: number): ExprRef => arena.binary("eq", e, number(arena.width(e), value));
  const below = (index: number, value: number): ExprRef => arena.binary("ult", byte(index), number(8, value));

  it("are those of an equation with a number", () => {
    const settled = new SettledBytes(arena);
    assert.equal(settled.decide(below(0, 9)), false);
    settled.learn(equal(byte(0), 7), 3);
    assert.equal(settled.decide(below(0, 9)), true);
    assert.equal(settled.decide(arena.binary("ult", byte(0), byte(1))), false);
    settled.learn(equal(arena.binary("add", arena.zext(byte(1), 32), number(32, 5)), 70), 4);
    assert.equal(settled.decide(arena.binary("ult", byte(0), byte(1))), true);
  });

  it("are all those of a word, and of both of two conditions", () => {
    const settled = new SettledBytes(arena);
    const word = [1, 2, 3].reduce<ExprRef>((high, index) => arena.concat(high, byte(index)), byte(0));
    settled.learn(equal(word, 0x01020304), 0);
    for (let index = 0; index < 4; index++) assert.equal(settled.decide(below(index, 100)), true);
    settled.learn(arena.binary("and", equal(byte(8), 1), equal(byte(9), 2)), 1);
    assert.equal(settled.decide(arena.binary("ult", byte(8), byte(9))), true);
  });

  it("are none where two values make the same", () => {
    const settled = new SettledBytes(arena);
    settled.learn(equal(arena.binary("and", byte(0), number(8, 0xf0)), 0x10), 0);
    settled.learn(equal(arena.binary("add", byte(0), byte(1)), 9), 1);
    settled.learn(equal(arena.binary("mul", byte(2), number(8, 2)), 8), 2);
    settled.learn(below(3, 2), 3);
    settled.learn(arena.not(equal(byte(4), 1)), 4);
    for (let index = 0; index < 5; index++) assert.equal(settled.decide(below(index, 100)), false);
  });

  it("are open again when the path is cut back", () => {
    const settled = new SettledBytes(arena);
    settled.learn(equal(byte(0), 7), 2);
    settled.learn(equal(byte(600), 7), 5);
    settled.learn(equal(byte(0), 7), 6);
    settled.rewind(6);
    assert.equal(settled.decide(arena.binary("ult", byte(0), byte(600))), true);
    settled.rewind(5);
    assert.equal(settled.decide(below(600, 9)), false);
    assert.equal(settled.decide(below(0, 9)), true);
    settled.rewind(2);
    assert.equal(settled.decide(below(0, 9)), false);
  });
});
