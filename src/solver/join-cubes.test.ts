import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import { printExpr } from "../expr/print.js";
import { Random } from "../support/random.js";
import type { Cube, CubePart } from "./interpolate.js";
import { joinedCubes } from "./join-cubes.js";

/** Whether the cube holds, by its meaning. */
function holds(arena: ExprArena, evaluator: Evaluator, cube: Cube): boolean {
  return cube.every(
    ({ word, lowBit, width, value }) => BigInt(evaluator.low(arena.extract(word, lowBit, width)) >>> 0) === value,
  );
}

function byteCube(word: ExprRef, lowBit: number, value: bigint): CubePart {
  return { word, lowBit, width: 8 - lowBit, value };
}

describe("cubes joined into ranges", () => {
  it("mean what they meant, for all values of two bytes and a sum of them", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = new Random(seed);
      const arena = new ExprArena();
      const [x, y] = [arena.variable(0), arena.variable(1)];
      const words = [x, y, arena.binary("add", x, y), arena.extract(x, 2, 3)];
      const cubes: Cube[] = [];
      const count = 1 + (random.next() % 6);
      for (let n = 0; n < count; n++) {
        const parts: CubePart[] = [];
        for (const word of words) {
          if (random.next() % 2 === 0) continue;
          const bits = arena.width(word);
          // From somewhere to the top, or a piece, or two pieces.
          let at = random.next() % bits;
          while (at < bits) {
            const width = random.next() % 2 === 0 ? bits - at : 1 + (random.next() % (bits - at));
            parts.push({ word, lowBit: at, width, value: BigInt(random.next() % 2 ** width) });
            at += width + 1 + (random.next() % 4);
          }
        }
        cubes.push(parts);
      }
      const conjuncts = joinedCubes(arena, cubes);
      const evaluator = new Evaluator(arena);
      for (let a = 0; a < 256; a += 3) {
        for (let b = 0; b < 256; b += 7) {
          evaluator.load(Uint8Array.of(a, b));
          const wanted = cubes.some((cube) => holds(arena, evaluator, cube));
          const got = conjuncts.every((conjunct) => evaluator.low(conjunct) === 1);
          assert.equal(got, wanted, `seed ${seed}: ${a}, ${b}`);
        }
      }
    }
  });

  it("neighbours are one comparison, everything but one value an inequality, ends that meet a signed range", () => {
    const arena = new ExprArena();
    const x = arena.variable(0);
    const is = (conjuncts: readonly ExprRef[], wanted: ExprRef): void => {
      assert.deepEqual(
        conjuncts.map((e) => printExpr(arena, e, String)),
        [printExpr(arena, wanted, String)],
      );
    };
    const number = (value: number): ExprRef => arena.constant(8, value, 0);
    const below96 = [[byteCube(x, 6, 0n)], [byteCube(x, 5, 2n)]];
    is(joinedCubes(arena, below96), arena.binary("ule", x, number(95)));
    const not8 = [0, 1, 2, 3, 4, 5, 6, 7].map((bit): Cube => {
      const differs = bit === 3 ? 0n : 1n;
      return [{ word: x, lowBit: bit, width: 1, value: differs }];
    });
    is(joinedCubes(arena, not8), arena.not(arena.binary("eq", x, number(8))));
    const someHighBit = [5, 6, 7].map((bit): Cube => [{ word: x, lowBit: bit, width: 1, value: 1n }]);
    is(joinedCubes(arena, someHighBit), arena.binary("ule", number(32), x));
    const small = [[byteCube(x, 2, 0n)], [byteCube(x, 2, 63n)]];
    const signed = arena.binary("and", arena.binary("sle", number(252), x), arena.binary("sle", x, number(3)));
    is(joinedCubes(arena, small), signed);
  });

  it("two words that are ranges for themselves are two conjuncts; no cube is false, an empty one true", () => {
    const arena = new ExprArena();
    const [x, y] = [arena.variable(0), arena.variable(1)];
    const low = (word: ExprRef, half: bigint): CubePart => byteCube(word, 6, half);
    const four = [
      [low(x, 0n), low(y, 0n)],
      [low(x, 0n), low(y, 1n)],
      [low(x, 1n), low(y, 0n)],
      [low(x, 1n), low(y, 1n)],
    ];
    assert.equal(joinedCubes(arena, four).length, 2);
    assert.deepEqual(joinedCubes(arena, []), [arena.FALSE]);
    assert.deepEqual(joinedCubes(arena, [[], [low(x, 0n)]]), []);
  });
});
