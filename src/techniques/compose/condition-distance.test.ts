import assert from "node:assert/strict";
import { test } from "node:test";
import { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import { exportExpressions, type PortableLeaf } from "../../expr/portable.js";
import { ConditionDistance } from "./condition-distance.js";

/** A word of four bytes from there on. */
function wordAt(arena: ExprArena, first: number): ExprRef {
  let word: ExprRef = arena.variable(first);
  for (let k = 1; k < 4; k++) word = arena.concat(arena.variable(first + k), word);
  return word;
}

function distanceOf(
  make: (arena: ExprArena) => readonly ExprRef[],
  leafOf: (variable: number) => PortableLeaf,
): (...words: readonly number[]) => number {
  const arena = new ExprArena();
  const formula = exportExpressions(arena, make(arena), leafOf);
  const distance = new ConditionDistance({ formula });
  return (...words) => {
    const view = new DataView(new ArrayBuffer(4 * words.length));
    for (const [n, word] of words.entries()) view.setInt32(4 * n, word, true);
    const bytes = formula.leaves.map((leaf) => {
      const at = Array.from({ length: view.byteLength }, (_, n) => n).find((n) => {
        const own = leafOf(n);
        return own.object === leaf.object && own.offset === leaf.offset;
      });
      return view.getUint8(at ?? 0);
    });
    return distance.of(Uint8Array.from(bytes));
  };
}

const OF_ONE = (variable: number): PortableLeaf => ({ object: "*param:0", occurrence: 0, offset: variable });

test("distance of a call: numbers that come nearer are nearer, also where their bytes are not", () => {
  const of = distanceOf((arena) => [arena.binary("eq", wordAt(arena, 0), arena.constant(32, 0, 0))], OF_ONE);
  assert.equal(of(0), 0);
  const falling = [100_000, 2049, 2048, 2047, 256, 255, 3, 1].map((number) => of(number));
  for (let n = 1; n < falling.length; n++) assert.ok(falling[n] < falling[n - 1], `${falling}`);
  assert.equal(of(-3), of(3));
});

test("distance of a call: two words that must be equal, and two conditions that add up", () => {
  const same = distanceOf((arena) => [arena.binary("eq", wordAt(arena, 0), wordAt(arena, 4))], OF_ONE);
  assert.equal(same(700, 700), 0);
  assert.ok(same(700, 703) < same(700, 720) && same(700, 720) < same(700, 7000));
  const both = distanceOf(
    (arena) => [
      arena.binary("eq", wordAt(arena, 0), arena.constant(32, 9, 0)),
      arena.binary("slt", wordAt(arena, 4), arena.constant(32, 100, 0)),
    ],
    OF_ONE,
  );
  assert.equal(both(9, 99), 0);
  assert.ok(both(9, 110) > 0 && both(11, 99) > 0);
  assert.equal(both(11, 110), both(9, 110) + both(11, 99));
});

test("distance of a call: what a stub answered is left out", () => {
  const of = distanceOf(
    (arena) => [
      arena.binary("eq", wordAt(arena, 0), arena.constant(32, 9, 0)),
      arena.binary("eq", wordAt(arena, 4), arena.constant(32, 5, 0)),
    ],
    (variable) => (variable < 4 ? OF_ONE(variable) : { object: "stub:read", occurrence: 0, offset: variable - 4 }),
  );
  assert.equal(of(9, 1234), 0);
});
