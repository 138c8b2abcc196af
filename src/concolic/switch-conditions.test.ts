import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import type { Site } from "../jit/symbolic-boundary.js";
import { SwitchConditions } from "./switch-conditions.js";

function switchSite(width: number, cases: readonly (readonly bigint[])[]): Site {
  const halves = (value: bigint): [number, number] => [
    Number(BigInt.asIntN(32, value)),
    Number(BigInt.asIntN(32, value >> 32n)),
  ];
  return {
    kind: "switch",
    functionIndex: 0,
    location: -1,
    successors: [],
    cases: cases.map((values) => values.map(halves)),
    width,
  };
}

function value(arena: ExprArena, width: number): ExprRef {
  let result = arena.variable(0);
  for (let i = 1; 8 * i < width; i++) result = arena.concat(arena.variable(i), result);
  return result;
}

function modelOf(x: bigint): Uint8Array {
  return Uint8Array.from({ length: 8 }, (_, i) => Number((x >> BigInt(8 * i)) & 0xffn));
}

describe("switch", () => {
  const cases: readonly { readonly width: number; readonly cases: readonly (readonly bigint[])[] }[] = [
    { width: 8, cases: [[48n, 49n, 50n, 51n, 52n], [65n, 97n, 66n], [255n, 0n], [53n]] },
    { width: 32, cases: [[-1n, 0x7fff_ffffn], [1n, 2n, 3n, 0x8000_0000n], [1000n]] },
    { width: 64, cases: [[0xffff_ffffn, 0x1_0000_0000n, 0x1_0000_0001n], [-1n], [-0x8000_0000_0000_0000n, 5n]] },
    { width: 32, cases: [] },
  ];
  for (const [number, { width, cases: targets }] of cases.entries()) {
    it(`conditions exclude each other and cover everything, example ${number}`, () => {
      const arena = new ExprArena();
      const switches = new SwitchConditions(arena, [switchSite(width, targets)]);
      const subject = value(arena, width);
      const evaluator = new Evaluator(arena);
      const mask = (1n << BigInt(width)) - 1n;
      const near = targets.flat().flatMap((x) => [x - 1n, x, x + 1n]);
      for (const raw of [...near, 7n, 200n, mask]) {
        const x = raw & mask;
        const low = Number(BigInt.asIntN(32, x));
        const high = Number(BigInt.asIntN(32, x >> 32n));
        const index = switches.decide(0, subject, low, high);
        const expected = targets.findIndex((values) => values.some((each) => (each & mask) === x)) + 1;
        assert.equal(index, expected, `target of ${x}`);
        assert.equal(switches.others.length, targets.length);
        evaluator.load(modelOf(x));
        assert.ok(evaluator.holds(switches.taken), `taken at ${x}`);
        for (const other of switches.others) assert.ok(!evaluator.holds(other), `another one at ${x}`);
      }
    });
  }

  it("consecutive cases are one range test, whatever order they come in", () => {
    const arena = new ExprArena();
    const digits = [52n, 48n, 50n, 49n, 51n, 53n, 54n, 55n, 56n, 57n];
    const switches = new SwitchConditions(arena, [switchSite(8, [digits])]);
    const subject = arena.variable(0);
    switches.decide(0, subject, 50, 0);
    const range = arena.binary("ule", arena.binary("sub", subject, arena.constant(8, 48, 0)), arena.constant(8, 9, 0));
    assert.equal(switches.taken, range);
    assert.deepEqual(switches.others, [arena.not(range)]);
  });

  it("the same value at the same site gives the same lists without building anything", () => {
    const arena = new ExprArena();
    const switches = new SwitchConditions(arena, [switchSite(8, [[1n], [2n]])]);
    switches.decide(0, arena.variable(0), 1, 0);
    const { others } = switches;
    const { size } = arena;
    switches.begin();
    switches.decide(0, arena.variable(0), 1, 0);
    assert.equal(switches.others, others);
    assert.equal(arena.size, size);
  });
});
