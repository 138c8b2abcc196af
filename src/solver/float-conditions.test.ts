// Whatever walks expressions, on random conditions over floating-point numbers.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import { exportExpressions, importExpressions, type PortableExprs } from "../expr/portable.js";
import { areConditions } from "../expr/portable-shape.js";
import { Random } from "../support/random.js";
import { DOMAIN_WORDS } from "./layers/byte-domains.js";
import { Columns } from "./layers/columns.js";
import { Rewriter } from "./layers/rewriter.js";
import { RandomFloats } from "./random-float-fixture.js";

const SEEDS = 150;
const BYTES = 16;

interface Case {
  readonly arena: ExprArena;
  readonly random: Random;
  readonly e: ExprRef;
  readonly told: string;
}

function* cases(): Generator<Case> {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const arena = new ExprArena();
    const random = new Random(seed * 31);
    const floats = new RandomFloats(arena, random, 2);
    yield { arena, random, e: floats.condition(1 + floats.below(5)), told: `seed ${seed}` };
  }
}

function modelOf(random: Random): Uint8Array {
  const model = new Uint8Array(BYTES);
  random.fill(model);
  return model;
}

function holds(arena: ExprArena, e: ExprRef, model: Uint8Array): boolean {
  const evaluator = new Evaluator(arena);
  evaluator.load(model);
  return evaluator.holds(e);
}

describe("conditions on floating-point numbers", () => {
  it("have, as a column over a byte, the values that evaluation gives", () => {
    for (const { arena, random, e, told } of cases()) {
      const model = modelOf(random);
      const byte = random.next() % BYTES;
      const evaluator = new Evaluator(arena);
      evaluator.load(model);
      const columns = new Columns(arena, evaluator);
      columns.begin(byte);
      const set = new Int32Array(DOMAIN_WORDS).fill(-1);
      assert.ok(columns.intersect(e, set, 0));
      for (let value = 0; value < 256; value += 3) {
        const changed = Uint8Array.from(model);
        changed[byte] = value;
        assert.equal(((set[value >> 5] >>> (value & 31)) & 1) === 1, holds(arena, e, changed), told);
      }
    }
  });

  it("mean the same in another arena, through JSON", () => {
    for (const { arena, random, e, told } of cases()) {
      const leafOf = (variable: number) => ({ object: "in", occurrence: 0, offset: variable });
      const portable = JSON.parse(JSON.stringify(exportExpressions(arena, [e], leafOf))) as PortableExprs;
      assert.ok(areConditions(portable), told);
      const to = new ExprArena();
      const [other] = importExpressions(to, portable, ({ offset }) => to.variable(offset));
      const model = modelOf(random);
      assert.equal(holds(to, other as ExprRef, model), holds(arena, e, model), told);
    }
  });

  it("are refused from a file that gives them impossible widths or modes", () => {
    const leaves = [{ object: "in", occurrence: 0, offset: 0 }];
    const byte = ["variable", 8, 0];
    const word = ["zext", 32, 0];
    const wrong = [
      [byte, ["fadd", 8, 0, 0]],
      [byte, word, ["fround", 32, 1, 5]],
      [byte, word, ["fround", 32, 1]],
      [byte, word, ["fcvt", 16, 1]],
      [byte, word, ["ftosi", 8, 1]],
      [byte, word, ["ftoui", 32, 1]],
      [byte, ["sitof", 8, 0]],
      [byte, word, ["ffma", 32, 1, 1]],
      [byte, ["feq", 1, 0, 0]],
    ];
    for (const nodes of wrong) assert.ok(!areConditions({ leaves, nodes, roots: [] }), JSON.stringify(nodes));
    const right = [byte, word, ["fround", 32, 1, 4], ["ffma", 32, 1, 2, 1], ["ftosi", 64, 3], ["feq", 1, 1, 2]];
    assert.ok(areConditions({ leaves, nodes: right, roots: [5] }));
  });

  it("stay what they are when the arena is collected", () => {
    for (const { arena, random, e, told } of cases()) {
      const models = [modelOf(random), modelOf(random), modelOf(random)];
      const before = models.map((model) => holds(arena, e, model));
      const after = arena.collect([e])[e] as ExprRef;
      assert.deepEqual(
        models.map((model) => holds(arena, after, model)),
        before,
        told,
      );
    }
  });

  it("with constants in the place of some bytes, have the value that these give", () => {
    for (const { arena, random, e, told } of cases()) {
      const model = modelOf(random);
      const rewriter = new Rewriter(arena);
      rewriter.begin();
      for (const byte of arena.support(e)) {
        if (random.next() % 3 > 0) rewriter.replace(arena.variable(byte), arena.constant(8, model[byte], 0), byte);
      }
      const rewritten = rewriter.rewrite(e, Number.POSITIVE_INFINITY);
      assert.equal(holds(arena, rewritten, model), holds(arena, e, model), told);
    }
  });
});
