import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../../expr/arena.js";
import { type ExprRef, FIRST_FLOAT_OP } from "../../expr/ops.js";
import { type Operand, plain } from "./byte-names.js";
import { floatWords } from "./float-words.js";

describe("words for floating-point operations", () => {
  const arena = new ExprArena();
  const words = (e: ExprRef): Operand =>
    arena.op(e) >= FIRST_FLOAT_OP ? floatWords(arena, e, words) : { ...plain(`v${arena.support(e)[0]}`), signed: true };
  const word = (first: number, bytes: number): ExprRef => {
    let e = arena.variable(first);
    for (let i = 1; i < bytes; i++) e = arena.concat(arena.variable(first + i), e);
    return e;
  };
  const [x, y] = [word(0, 8), word(8, 8)];

  it("reads as C", () => {
    const sum = arena.binary("fadd", x, arena.constant(64, 0, 0x3ff8_0000));
    assert.equal(words(arena.binary("flt", arena.binary("fmul", sum, y), y)).text, "(v8 * (v0 + 1.5)) < v8");
    assert.equal(words(arena.unary("fsqrt", sum)).text, "sqrt(v0 + 1.5)");
    assert.equal(words(arena.fround(2, arena.ffma(x, y, x))).text, "floor(fma(v0, v8, v0))");
    assert.equal(words(arena.convert("ftosi", 32, sum)).text, "(int)(v0 + 1.5)");
    assert.equal(words(arena.convert("ftoui", 64, x)).text, "(unsigned long)v0");
    assert.equal(words(arena.convert("fcvt", 32, x)).text, "(float)v0");
    assert.equal(words(arena.convert("sitof", 64, word(16, 4))).text, "(double)v16");
    assert.equal(words(arena.convert("uitof", 32, word(16, 4))).text, "(float)(unsigned int)v16");
  });
});
