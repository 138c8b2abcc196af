import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { ExprArena } from "./arena.js";
import { Evaluator } from "./evaluate.js";
import type { ExprRef } from "./ops.js";
import { DamagedExpressions, exportExpressions, importExpressions, type PortableExprs } from "./portable.js";
import { buildSteps, randomModel, StepMaker } from "./reference.js";

const CONSTRUCTIONS = 300;
const STEPS = 40;
const BYTES = 6;

const leafOf = (variable: number) => ({ object: "in", occurrence: 0, offset: variable });

describe("expressions that leave their arena", () => {
  it("mean the same in another one, through JSON, wherever the leaves are", () => {
    const random = new Random(5);
    let compared = 0;
    for (let n = 0; n < CONSTRUCTIONS; n++) {
      const from = new ExprArena();
      const maker = new StepMaker(random);
      while (maker.steps.length < STEPS) maker.grow();
      const made = buildSteps(from, maker.steps);
      const roots = made.slice(-4);
      const portable = JSON.parse(JSON.stringify(exportExpressions(from, roots, leafOf))) as PortableExprs;
      const to = new ExprArena();
      // Other numbers, so that a leaf is found by its name only.
      const imported = importExpressions(to, portable, ({ offset }) => to.variable(BYTES - 1 - offset));
      const model = randomModel(random);
      const [here, there] = [new Evaluator(from), new Evaluator(to)];
      here.load(model);
      there.load(model.slice().reverse());
      roots.forEach((root, k) => {
        const other = imported[k] as ExprRef;
        assert.equal(to.width(other), from.width(root));
        compared++;
        assert.equal(there.big(other), here.big(root));
      });
    }
    assert.ok(compared > CONSTRUCTIONS);
  });

  it("take expressions in the place of their leaves, and are null where there is none", () => {
    const from = new ExprArena();
    const sum = from.binary("add", from.variable(0), from.variable(1));
    const bad = from.binary("ult", from.constant(8, 200, 0), sum);
    const alone = from.binary("eq", from.variable(2), from.constant(8, 7, 0));
    const portable = exportExpressions(from, [bad, alone], leafOf);
    const to = new ExprArena();
    const [first, second] = importExpressions(to, portable, ({ offset }) =>
      offset === 2 ? null : to.constant(8, offset === 0 ? 150 : 100, 0),
    );
    assert.equal(first, to.TRUE);
    assert.equal(second, null);
  });

  it("as deep as a loop makes them, with a node for what is shared", () => {
    const from = new ExprArena();
    let e = from.variable(0);
    for (let n = 0; n < 50_000; n++) e = from.binary("add", from.binary("xor", e, from.variable(1)), from.variable(2));
    const portable = exportExpressions(from, [e, e], leafOf);
    assert.equal(portable.leaves.length, 3);
    assert.ok(portable.nodes.length < 110_000);
    const to = new ExprArena();
    const [again] = importExpressions(to, portable, ({ offset }) => to.variable(offset));
    assert.deepEqual(exportExpressions(to, [again as ExprRef], leafOf).nodes.length, portable.nodes.length);
  });

  it("what is no expression is told as damaged", () => {
    const arena = new ExprArena();
    const leaf = () => arena.variable(0);
    const bad: unknown[] = [
      { leaves: [], nodes: [["variable", 8, 0]], roots: [0] },
      { leaves: [leafOf(0)], nodes: [["variable", 8, 0]], roots: [1] },
      { leaves: [leafOf(0)], nodes: [["add", 8, 0, 1]], roots: [0] },
      { leaves: [], nodes: [["nonsense", 8]], roots: [0] },
      { leaves: [], nodes: [["constant", 8, "zz"]], roots: [0] },
      {
        leaves: [leafOf(0)],
        nodes: [
          ["variable", 8, 0],
          ["extract", 4, 0, 9],
        ],
        roots: [1],
      },
    ];
    for (const portable of bad) {
      assert.throws(() => importExpressions(arena, portable as PortableExprs, leaf), DamagedExpressions);
    }
  });
});
