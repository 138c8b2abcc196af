// Conditions in words, of expressions that are made here: what machines and solvers make of a comparison, whatever the program.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { InputSpace } from "../../concolic/input-space.js";
import { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import type { CType } from "../../ir/debug-types.js";
import { HEAP_LIMIT, STACK_LIMIT } from "../../jit/memory-layout.js";
import { NO_SITE } from "../../path/observer.js";
import { ConditionWords } from "./condition-words.js";
import { MachineAddresses } from "./machine-addresses.js";
import type { UnitInput } from "./unit-inputs.js";

const TYPES: readonly CType[] = [
  { kind: "integer", name: "int", bytes: 4, signed: true, character: "no" },
  { kind: "integer", name: "unsigned long", bytes: 8, signed: false, character: "no" },
];
const value = (object: string, words: string, type: number): UnitInput => {
  return { object, role: "value", words, type, count: 1, from: 0 };
};

describe("conditions in words", () => {
  const arena = new ExprArena();
  const space = new InputSpace();
  const number = (name: string, bytes: number): ExprRef => {
    const { first } = space.declare(name, 0, bytes);
    let e = arena.variable(first);
    for (let n = 1; n < bytes; n++) e = arena.concat(arena.variable(first + n), e);
    return e;
  };
  const [n, m] = [number("param:0", 4), number("param:1", 8)];
  const unit = { inputs: [value("param:0", "n", 0), value("param:1", "m", 1)], types: TYPES };
  const constant = (width: number, of: bigint): ExprRef => arena.constantBig(width, BigInt.asUintN(width, of));
  const globals = ["total", "parse.names.3", ".str.5"].map((name, k) => {
    return { name, address: STACK_LIMIT + 64 * k, size: 16, constant: k > 0, file: null, line: 0 };
  });
  const memory = { length: STACK_LIMIT + 4096 } as Uint8Array;
  const words = (): ConditionWords => new ConditionWords(unit, arena, space, [], new MachineAddresses(globals, memory));

  it("an end of a range that every number is within is not told", () => {
    const shifted = arena.binary("add", m, constant(64, -0xf000_0000n));
    const upTo = (most: bigint): string => words().of(arena.binary("ule", shifted, constant(64, most)));
    assert.equal(upTo(100n), "m >= 0xf0000000 && m <= 0xf0000064");
    assert.equal(upTo((1n << 64n) - 1n - 0xf000_0000n), "m >= 0xf0000000");
  });

  it("what is computed in a few bits is cut to them", () => {
    const low = arena.extract(n, 0, 3);
    const index = arena.binary("add", low, constant(3, 4n));
    assert.equal(words().of(arena.binary("ult", index, arena.extract(m, 0, 3))), "(((n & 7) + 4) & 7) < (m & 7)");
    const product = arena.binary("mul", low, arena.extract(m, 0, 3));
    assert.equal(words().of(arena.binary("ult", product, index)), "(((n & 7) * (m & 7)) & 7) < (((n & 7) + 4) & 7)");
  });

  it("what is outside of a range is told as such: a number without a sign that is below would be a large one", () => {
    const shifted = arena.binary("add", n, constant(32, -13n));
    assert.equal(words().of(arena.binary("ult", constant(32, 5n), shifted)), "n < 13 || n > 18");
  });

  it("an address of the machine is a variable's, or is noted as one", () => {
    const own = words();
    const is = (address: number): string => own.of(arena.binary("eq", m, constant(64, BigInt(address))));
    assert.equal(is(STACK_LIMIT + 4), "m == (char *)&total + 4");
    assert.equal(is(STACK_LIMIT + 64), "m == &names");
    assert.equal(own.spokeOfAddress, false);
    is(STACK_LIMIT + 128);
    assert.equal(own.spokeOfAddress, true);
    is(77);
    assert.equal(own.spokeOfAddress, false);
    own.of(arena.binary("ult", arena.binary("mul", m, constant(64, 5n)), constant(64, -BigInt(HEAP_LIMIT))));
    assert.equal(own.spokeOfAddress, true);
    own.of(arena.binary("slt", arena.sext(n, 64), constant(64, -BigInt(STACK_LIMIT) - 9n)));
    assert.equal(own.spokeOfAddress, true);
  });

  it("a difference that only an overflow makes so is told as an overflow", () => {
    const isAbove = arena.binary("sle", constant(32, 0n), arena.binary("add", n, constant(32, -9n)));
    const isBelow = arena.binary("slt", arena.binary("add", n, constant(32, 2000n)), constant(32, 5n));
    const given = (...conditions: readonly ExprRef[]): ConditionWords => {
      const own = words();
      own.learn(conditions.map((condition) => ({ site: NO_SITE, kind: "assumption", condition })));
      return own;
    };
    const atMost = (most: bigint): ExprRef => arena.binary("sle", n, constant(32, most));
    assert.equal(given(atMost(8n)).of(isAbove), "n < 0 (n - 9 overflows)");
    assert.equal(given(arena.not(arena.binary("slt", constant(32, 8n), n))).of(isAbove), "n < 0 (n - 9 overflows)");
    // So may be 9.
    assert.equal(given(atMost(9n)).of(isAbove), "(n - 9) >= 0");
    assert.equal(given().of(isAbove), "(n - 9) >= 0");
    assert.equal(given(arena.binary("slt", constant(32, 999n), n)).of(isBelow), "n > 0 (n + 2000 overflows)");
    assert.equal(given(atMost(999n)).of(isBelow), "(n + 2000) < 5");
  });
});
