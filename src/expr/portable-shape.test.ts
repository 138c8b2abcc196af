import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { ExprArena } from "./arena.js";
import type { ExprRef } from "./ops.js";
import { exportExpressions, importExpressions, type PortableExprs } from "./portable.js";
import { areConditions } from "./portable-shape.js";
import { buildSteps, StepMaker } from "./reference.js";

const leafOf = (variable: number) => ({ object: "in", occurrence: 0, offset: variable });

function randomConditions(random: Random): PortableExprs {
  const arena = new ExprArena();
  const maker = new StepMaker(random);
  while (maker.steps.length < 40) maker.grow();
  const made = buildSteps(arena, maker.steps);
  const conditions = made.slice(-4).map((e) => arena.not(arena.binary("eq", e, arena.zero(arena.width(e)))));
  return JSON.parse(JSON.stringify(exportExpressions(arena, conditions, leafOf))) as PortableExprs;
}

describe("the shape of expressions that left their arena", () => {
  it("is that of every expression that did", () => {
    const random = new Random(9);
    for (let n = 0; n < 300; n++) {
      const conditions = randomConditions(random);
      assert.ok(areConditions(conditions), JSON.stringify(conditions));
    }
  });

  it("with numbers changed anywhere it is seen, or makes an expression of the same width all the same", () => {
    const random = new Random(4);
    let seen = 0;
    for (let n = 0; n < 2000; n++) {
      const conditions = randomConditions(random);
      const nodes = conditions.nodes.map((node) => [...node]);
      const node = nodes[random.next() % nodes.length];
      const place = 1 + (random.next() % (node.length - 1));
      const values = [0, -1, 1, 7, 8, 1.5, 1e9, nodes.length, "ff", "zz", null];
      node[place] = values[random.next() % values.length] as number;
      const changed = { ...conditions, nodes } as unknown;
      if (!areConditions(changed)) {
        seen++;
        continue;
      }
      const arena = new ExprArena();
      const roots = importExpressions(arena, changed, ({ offset }) => arena.variable(offset));
      for (const root of roots) assert.equal(arena.width(root as ExprRef), 1);
    }
    assert.ok(seen > 500);
  });

  it("other values have none", () => {
    const good = randomConditions(new Random(2));
    for (const bad of [
      null,
      7,
      "x",
      [],
      {},
      { ...good, roots: null },
      { ...good, roots: [good.nodes.length] },
      { ...good, roots: [-1] },
      { ...good, nodes: [null] },
      { ...good, nodes: [[]] },
      { ...good, nodes: [["__proto__", 1]] },
      { ...good, leaves: [{ object: 1, occurrence: 0, offset: 0 }] },
    ]) {
      // biome-ignore format: a list
      assert.ok(!areConditions(bad), JSON.stringify(bad));
    }
  });
});
