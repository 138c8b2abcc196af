import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { orderBlocks, predecessors } from "../ir/analysis/cfg.js";
import { DominatorTree } from "../ir/analysis/dominators.js";
import { parseModule } from "../ir/text/parse-module.js";
import type { Body } from "../ir/values.js";
import { PLAN, type Plan, planStructure } from "./structure.js";

function bodyOf(blocks: string): Body {
  const module = parseModule(`define void @f(i1 %c, i32 %n) {\n${blocks}\n}\n`, { name: "f.ll", origin: "program" });
  const fn = module.globals.get("f");
  assert.ok(fn?.kind === "function");
  const body = fn.parseBody() as Body;
  orderBlocks(body);
  return body;
}
function planOf(body: Body): Plan | null {
  return planStructure(body.blocks, new DominatorTree(predecessors(body)).idom);
}

/** Walks the plan as WebAssembly would and collects, for each block, which blocks its jumps and falls lead to. */
function edgesOf(body: Body, plan: Plan): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>(body.blocks.map((block) => [block.name, new Set()]));
  const open: { code: number; target: number }[] = [];
  for (let at = 0; at < plan.length; at += 3) {
    const [code, from, to] = plan.slice(at, at + 3);
    if (code === PLAN.block || code === PLAN.loop) open.push({ code, target: to });
    else if (code === PLAN.if) open.push({ code, target: -1 });
    else if (code === PLAN.end) open.pop();
    else if (code === PLAN.edge) edges.get(body.blocks[from].name)?.add(body.blocks[to].name);
    else if (code === PLAN.jump) {
      const wanted = to <= from ? PLAN.loop : PLAN.block;
      assert.ok(
        open.some((label) => label.code === wanted && label.target === to),
        `a jump to ${body.blocks[to].name} finds no label around it`,
      );
    }
  }
  assert.equal(open.length, 0);
  return edges;
}
function expectedEdges(body: Body): Map<string, Set<string>> {
  return new Map(
    body.blocks.map((block) => {
      const { terminator } = block;
      const planned = terminator.op === "br" || terminator.op === "condbr";
      return [block.name, new Set(planned ? terminator.blocks.map((to) => to.name) : [])];
    }),
  );
}

const DIAMOND = "a:\n br i1 %c, label %b, label %d\nb:\n br label %e\nd:\n br label %e\ne:\n ret void";
const NESTED_LOOPS = `a:\n br label %outer
outer:\n br label %inner
inner:\n br i1 %c, label %inner, label %after
after:\n br i1 %c, label %outer, label %done
done:\n ret void`;
const IRREDUCIBLE =
  "a:\n br i1 %c, label %x, label %y\nx:\n br label %y\ny:\n br i1 %c, label %x, label %z\nz:\n ret void";
const SWITCH = `a:\n switch i32 %n, label %d [ i32 1, label %x\n i32 2, label %y ]
x:\n br label %y\ny:\n br label %d\nd:\n ret void`;

describe("control flow as nested blocks", () => {
  for (const [name, text] of Object.entries({ DIAMOND, NESTED_LOOPS, SWITCH })) {
    it(`writes every block once, and every jump finds its label: ${name.toLowerCase()}`, () => {
      const body = bodyOf(text);
      const plan = planOf(body);
      assert.ok(plan);
      const written = [];
      for (let at = 0; at < plan.length; at += 3) if (plan[at] === PLAN.body) written.push(plan[at + 1]);
      assert.deepEqual(
        written.sort((p, q) => p - q),
        body.blocks.map((block) => block.index),
      );
      assert.deepEqual(edgesOf(body, plan), expectedEdges(body));
    });
  }

  it("says so when a graph is irreducible", () => {
    assert.equal(planOf(bodyOf(IRREDUCIBLE)), null);
  });

  it("survives a chain of ten thousand joins", () => {
    const parts = ["b0:\n br i1 %c, label %t0, label %b1", "t0:\n br label %b1"];
    const count = 10_000;
    for (let n = 1; n < count; n++) {
      parts.push(`b${n}:\n br i1 %c, label %t${n}, label %b${n + 1}`, `t${n}:\n br label %b${n + 1}`);
    }
    parts.push(`b${count}:\n ret void`);
    const body = bodyOf(parts.join("\n"));
    const plan = planOf(body);
    assert.ok(plan);
    assert.deepEqual(edgesOf(body, plan), expectedEdges(body));
  });
});
