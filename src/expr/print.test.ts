import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "./arena.js";
import type { ExprRef } from "./ops.js";
import { printExpr } from "./print.js";

describe("printing expressions", () => {
  const arena = new ExprArena();
  const stdin = (index: number) => `stdin[${index}]`;
  const shown = (e: ExprRef) => printExpr(arena, e, stdin);
  const x = arena.variable(0);
  const wide = arena.zext(x, 32);
  const k = (value: number) => arena.constant(32, value, 0);

  it("names input bytes and shows characters as such", () => {
    assert.equal(shown(arena.binary("eq", wide, k(65))), "stdin[0] == 'A'");
    assert.equal(shown(arena.not(arena.binary("eq", wide, k(10)))), "stdin[0] != 10");
  });

  it("writes sums with their sign, and signed comparisons with an s", () => {
    assert.equal(shown(arena.binary("add", arena.sext(x, 32), k(-48))), "s32(stdin[0]) - 48");
    const y = arena.binary("mul", wide, k(10));
    assert.equal(shown(arena.binary("slt", arena.binary("add", y, arena.sext(arena.variable(1), 32)), k(7))),
      "((u32(stdin[0]) * 10) + s32(stdin[1])) <s 7"); // biome-ignore format: one assertion
  });

  it("shows a shift as a shift, a choice as a choice, a table by its first entries", () => {
    const sum = arena.binary("add", arena.sext(x, 32), arena.sext(arena.variable(1), 32));
    assert.equal(shown(arena.binary("shl", sum, k(2))), "(s30(stdin[0]) + s30(stdin[1])) << 2");
    const condition = arena.binary("ult", x, arena.variable(1));
    assert.equal(shown(arena.ite(condition, k(5), k(70000))), "(stdin[0] < stdin[1]) ? 5 : 0x11170");
    const table = arena.table([3, 1, 4, 1, 5].map(k));
    assert.equal(shown(arena.lookup(table, x)), "[3, 1, 4, 1, … 5 entries][stdin[0]]");
  });

  it("stops at the limit, however large the expression is", () => {
    let e = wide;
    for (let i = 0; i < 100; i++) e = arena.binary("mul", e, arena.binary("add", e, k(i)));
    const text = printExpr(arena, e, stdin, 50);
    assert.equal(text.length, 51);
    assert.ok(text.endsWith("…"));
  });
});
