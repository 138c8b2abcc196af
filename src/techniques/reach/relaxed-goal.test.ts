// That a goal that a path excludes gets an input which keeps whatever does not contradict it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ExprArena } from "../../expr/arena.js";
import { type ExprRef, OPS } from "../../expr/ops.js";
import { assembleSolver } from "../../solver/chain.js";
import { relaxedInput } from "./relaxed-goal.js";

function ground() {
  const arena = new ExprArena();
  const solver = assembleSolver(arena);
  const is = (byte: number, char: string): ExprRef =>
    arena.binary(OPS.eq.code, arena.variable(byte), arena.constant(8, char.charCodeAt(0), 0));
  const both = (a: ExprRef, b: ExprRef): ExprRef => arena.binary(OPS.and.code, a, b);
  const ask = (conditions: readonly ExprRef[], goal: ExprRef, hint: string): string | null => {
    const model = relaxedInput(solver, conditions, goal, Buffer.from(hint), performance.now() + 10_000);
    return model === null ? null : Buffer.from(model).toString();
  };
  return { arena, is, both, ask };
}

test("only conditions that contradict the goal are given up", () => {
  const { arena, is, ask } = ground();
  const path = [is(0, "-"), arena.not(is(1, "a")), is(1, "H"), is(2, "x")];
  assert.equal(ask(path, is(1, "S"), "-Hx"), "-Sx");
});

test("one contradiction after the other", () => {
  const { arena, is, both, ask } = ground();
  const path = [is(0, "a"), is(1, "b"), arena.not(is(2, "z"))];
  assert.equal(ask(path, both(is(0, "p"), is(1, "q")), "abc"), "pqc");
});

test("what cannot be is not found", () => {
  const { is, both, ask } = ground();
  assert.equal(ask([is(0, "a")], both(is(1, "p"), is(1, "q")), "ab"), null);
});
