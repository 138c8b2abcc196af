import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { ExprArena } from "./arena.js";
import type { BinaryName, ExprRef } from "./ops.js";
import { printExpr } from "./print.js";

const e = new ExprArena();
const shown = (x: ExprRef) => printExpr(e, x, (index) => `b${index}`);
const k = (value: number, width = 32) => e.constantBig(width, BigInt(value));
const op = (name: BinaryName, a: ExprRef, b: ExprRef) => e.binary(name, a, b);
/** An input byte as an unsigned char and as a char, promoted to int (or to 64 bits). */
const u = (index: number, width = 32) => e.zext(e.variable(index), width);
const s = (index: number, width = 32) => e.sext(e.variable(index), width);
const less = op("ult", e.variable(0), e.variable(1));

function expect(cases: readonly (readonly [string, ExprRef, string])[]): void {
  for (const [source, built, form] of cases) assert.equal(shown(built), form, source);
}

describe("normal forms of what C programs ask", () => {
  it("a comparison of a promoted char is one of the byte", () => {
    expect([
      ["c == 'A'", op("eq", u(0), k(65)), "b0 == 'A'"],
      ["c == 'A', char", op("eq", s(0), k(65)), "b0 == 'A'"],
      ["c == 200, char", op("eq", s(0), k(200)), "false"],
      ["c < 256", op("ult", u(0), k(256)), "true"],
      ["c >= 'a', char", op("sle", k(97), s(0)), "'`' <s b0"],
      ["c >= 'a', unsigned char", op("sle", k(97), u(0)), "'`' < b0"],
      ["c < 0, char", op("slt", s(0), k(0)), "b0[7]"],
      ["c < 0, unsigned char", op("slt", u(0), k(0)), "false"],
      ["c - 1 == 3, size_t", op("eq", op("sub", u(0, 64), k(1, 64)), k(3, 64)), "b0 == 4"],
    ]);
  });

  it("a range test is one comparison of the byte", () => {
    expect([
      ["isdigit, unsigned char", op("ult", op("sub", u(0), k(48)), k(10)), "(b0 - '0') < 10"],
      ["isdigit, char", op("ult", op("sub", s(0), k(48)), k(10)), "(b0 - '0') < 10"],
      ["isalpha", op("ult", op("sub", op("or", s(0), k(32)), k(97)), k(26)), "((b0 | ' ') - 'a') < 26"],
      ["c - '0' < 0", op("slt", op("sub", s(0), k(48)), k(0)), "b0 <s '0'"],
      ["c + 5 < 10", op("slt", op("add", u(0), k(5)), k(10)), "b0 < 5"],
    ]);
  });

  it("the sign of a difference of two chars is a comparison", () => {
    expect([
      ["a - b == 0", op("eq", op("sub", u(0), u(1)), k(0)), "b0 == b1"],
      ["a - b < 0", op("slt", op("sub", u(0), u(1)), k(0)), "b0 < b1"],
      ["a - b > 0", op("slt", k(0), op("sub", u(0), u(1))), "b1 < b0"],
      ["a - b <= 0, char", op("sle", op("sub", s(0), s(1)), k(0)), "b0 <=s b1"],
    ]);
  });

  it("a truth value that went through an int is a truth value", () => {
    expect([
      ["(a < b) == 0", op("eq", e.zext(less, 32), k(0)), "b1 <= b0"],
      ["(a < b) != 0", e.not(op("eq", e.zext(less, 32), k(0))), "b0 < b1"],
      ["a < b ? 1 : 0", e.ite(less, k(1), k(0)), "u32(b0 < b1)"],
      ["(a < b ? 5 : 9) == 9", op("eq", e.ite(less, k(5), k(9)), k(9)), "b1 <= b0"],
      ["(a < b ? 5 : 9) == 7", op("eq", e.ite(less, k(5), k(9)), k(7)), "false"],
      ["!(a || b)", e.not(op("or", less, op("eq", u(2), k(0)))), "(b1 <= b0) & (b2 != 0)"],
    ]);
  });

  it("a word put together from bytes is their concatenation, and compared with a constant byte by byte", () => {
    const shifted = (i: number) => op("shl", u(i), k(8 * i));
    const byOr = op("or", op("or", u(0), shifted(1)), op("or", shifted(2), shifted(3)));
    const byAdd = op("add", op("add", u(0), op("mul", u(1), k(256))), op("add", shifted(2), shifted(3)));
    const loaded = e.concat(e.variable(3), e.concat(e.variable(2), e.concat(e.variable(1), e.variable(0))));
    assert.equal(byOr, loaded);
    assert.equal(byAdd, loaded);
    assert.equal(shown(loaded), "{b3, {b2, {b1, b0}}}");
    const magic = op("eq", loaded, k(0x464c457f));
    assert.equal(shown(magic), "(b3 == 'F') & ((b2 == 'L') & ((b1 == 'E') & (b0 == 127)))");
    assert.equal(shown(op("ult", loaded, k(0x0100_0000))), "b3 == 0");
  });

  it("shifts and masks by constants are slices", () => {
    expect([
      ["((c >> 4) & 15) == 9", op("eq", op("and", op("ashr", s(0), k(4)), k(15)), k(9)), "b0[7:4] == 9"],
      ["(a + b) & 1", op("and", op("add", s(0), s(1)), k(1)), "u32(b0[0] != b1[0])"],
      ["x / 8", op("udiv", op("mul", u(0), u(1)), k(8)), "u32((u32(b0) * u32(b1))[31:3])"],
      ["x % 16", op("urem", op("mul", u(0), u(1)), k(16)), "u32(b0[3:0] * b1[3:0])"],
      ["c % 10", op("urem", u(0), k(10)), "u32(b0 % 10)"],
      ["(char)(c + 200)", e.extract(op("add", u(0), k(200)), 0, 8), "b0 - '8'"],
    ]);
  });

  it("a decimal number is one sum with one constant", () => {
    const digit = (i: number) => op("sub", s(i), k(48));
    const two = op("add", op("mul", digit(0), k(10)), digit(1));
    expect([
      ["ab", two, "(s32(b1) + (s32(b0) * 10)) - 528"],
      ["ab == 42", op("eq", two, k(42)), "(s32(b1) + (s32(b0) * 10)) == 570"],
    ]);
  });

  it("a question about a table of constants is a table of answers, a row of answers a range test", () => {
    const flags = e.table([0, 0, 1, 0, 0, 0, 1, 1].map((bit) => k(bit << 10, 16)));
    const asked = e.not(op("eq", op("and", e.lookup(flags, u(0, 64)), k(1024, 16)), k(0, 16)));
    assert.equal(shown(asked), "[false, false, true, false, … 8 entries][b0]");
    const row = e.table([9, 9, 3, 3, 3, 9].map((value) => k(value)));
    assert.equal(shown(op("eq", e.lookup(row, u(0, 64)), k(3))), "(b0 - 2) < 3");
    assert.equal(shown(op("eq", e.lookup(row, u(0, 64)), k(7))), "false");
  });
});

describe("memory", () => {
  /** Int-sized expressions of the kinds that programs store. */
  function stored(arena: ExprArena, random: Random): ExprRef[] {
    const width = [16, 32, 32, 64][random.next() % 4];
    const pick = <T>(from: readonly T[]): T => from[random.next() % from.length];
    const constant = () =>
      arena.constantBig(width, pick([1n, 2n, 3n, 7n, 8n, 10n, 48n, 255n, 256n, 0xf0fn, 0xffffn, -1n]));
    const made: ExprRef[] = [];
    for (let i = 0; i < 4; i++) {
      made.push(random.next() & 1 ? arena.zext(arena.variable(i), width) : arena.sext(arena.variable(i), width));
    }
    let word = arena.variable(4);
    for (let i = 5; i < 4 + width / 8; i++) word = arena.concat(arena.variable(i), word);
    made.push(word);
    for (let i = 0; i < 12; i++) {
      const a = pick(made);
      const b = random.next() % 3 === 0 ? constant() : pick(made);
      const truth = arena.binary(pick(["eq", "ult", "slt"] as const), a, b);
      made.push(
        pick([
          () => arena.binary(pick(["add", "sub", "mul", "and", "or", "xor"] as const), a, b),
          () => arena.binary(pick(["udiv", "urem", "sdiv", "srem"] as const), a, constant()),
          () =>
            arena.binary(pick(["shl", "lshr", "ashr"] as const), a, arena.constant(width, random.next() % width, 0)),
          () => arena.binary("shl", a, arena.binary("and", b, arena.constant(width, width - 1, 0))),
          () => arena.ite(truth, a, pick(made)),
          () => arena.zext(truth, width),
          () => arena.not(a),
        ])(),
      );
    }
    return made;
  }

  it("what is stored byte by byte and loaded again is the same expression, but for one in fifty", () => {
    let total = 0;
    let different = 0;
    for (let seed = 1; seed <= 1500; seed++) {
      const arena = new ExprArena();
      for (const value of stored(arena, new Random(seed))) {
        const bytes = arena.width(value) / 8;
        let loaded = arena.extract(value, 0, 8);
        for (let i = 1; i < bytes; i++) loaded = arena.concat(arena.extract(value, i * 8, 8), loaded);
        total++;
        if (loaded !== value) different++;
      }
    }
    assert.ok(different * 50 < total, `${different} of ${total}`);
  });
});
