import assert from "node:assert/strict";
import { test } from "node:test";
import { functionOf, textOf } from "../passes/body-fixture.js";
import { orderBlocks, predecessors } from "./cfg.js";
import { DominatorTree } from "./dominators.js";
import { findLoops } from "./loops.js";

const DIAMOND_IN_LOOP = `
define i32 @f(i1 %a, i1 %b) {
entry:
  br label %head
head:
  %n = phi i32 [ 0, %entry ], [ %m, %join ]
  br i1 %a, label %body, label %exit
exit:
  ret i32 %n
body:
  br i1 %b, label %left, label %right
left:
  br label %join
right:
  br label %join
join:
  %m = phi i32 [ 1, %left ], [ 2, %right ]
  br label %head
}`;

test("cfg: blocks come in reverse postorder, each before what it dominates", () => {
  const { body } = functionOf(DIAMOND_IN_LOOP);
  assert.deepEqual(
    body.blocks.map((block) => block.name),
    ["entry", "head", "body", "left", "right", "join", "exit"],
  );
  assert.deepEqual(predecessors(body), [[], [0, 5], [1], [2], [2], [3, 4], [1]]);
});

test("cfg: unreachable blocks go, and so do the phi operands that came from them", () => {
  const { body } = functionOf(`
define i32 @f(i32 %x) {
entry:
  br label %join
dead:
  br label %join
join:
  %v = phi i32 [ %x, %entry ], [ 7, %dead ]
  ret i32 %v
}`);
  assert.equal(textOf(body), "entry:\nbr label %join\njoin:\n%0 = phi i32 [ %x, %entry ]\nret i32 %0");
});

test("cfg: a phi has one value for a predecessor with several edges", () => {
  const { body } = functionOf(`
define i32 @f(i32 %x) {
entry:
  switch i32 %x, label %join [ i32 1, label %join
                               i32 2, label %other ]
other:
  br label %join
join:
  %v = phi i32 [ 5, %entry ], [ 5, %entry ], [ 6, %other ]
  ret i32 %v
}`);
  assert.match(textOf(body), /phi i32 \[ 5, %entry \], \[ 6, %other \]/);
});

test("cfg: ordering again changes nothing", () => {
  const { body } = functionOf(DIAMOND_IN_LOOP);
  const before = textOf(body);
  orderBlocks(body);
  assert.equal(textOf(body), before);
});

test("dominators: immediate dominators, the order of dominance and its frontiers", () => {
  const { body } = functionOf(DIAMOND_IN_LOOP);
  const tree = new DominatorTree(predecessors(body));
  const [entry, head, inner, left, right, join, exit] = body.blocks.map((block) => block.index);
  assert.deepEqual([...tree.idom], [entry, entry, head, inner, inner, inner, head]);
  assert.ok(tree.dominates(head, join) && tree.dominates(join, join));
  assert.ok(!tree.dominates(left, join) && !tree.dominates(join, exit));
  const frontiers = tree.frontiers();
  assert.deepEqual(frontiers[left], [join]);
  assert.deepEqual(frontiers[right], [join]);
  assert.deepEqual(frontiers[join], [head]);
  assert.deepEqual(frontiers[head], [head]);
  assert.deepEqual(frontiers[exit], []);
});

test("dominators: agree with the definition on random graphs", () => {
  let seed = 1;
  const random = (n: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 16) % n;
  };
  for (let round = 0; round < 200; round++) {
    const count = 2 + random(9);
    const text = Array.from({ length: count }, (_, b) => {
      const to = (): number => 1 + random(count - 1);
      const kind = random(3);
      const last =
        kind === 0 ? "ret void" : kind === 1 ? `br label %b${to()}` : `br i1 %c, label %b${to()}, label %b${to()}`;
      return `b${b}:\n  ${last}`;
    });
    const { body } = functionOf(`define void @f(i1 %c) {\n${text.join("\n")}\n}`);
    const preds = predecessors(body);
    const tree = new DominatorTree(preds);
    for (let a = 0; a < body.blocks.length; a++) {
      // What the entry reaches without passing `a` is not dominated by `a`.
      const reached = new Set<number>(a === 0 ? [] : [0]);
      for (const b of reached)
        for (const to of body.blocks[b].terminator.blocks) if (to.index !== a) reached.add(to.index);
      for (let b = 0; b < body.blocks.length; b++) assert.equal(tree.dominates(a, b), a === b || !reached.has(b));
    }
  }
});

test("loops: nested loops know their blocks, depth and parents", () => {
  const { body } = functionOf(`
define void @f(i1 %a) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %a, label %inner, label %latch
latch:
  br i1 %a, label %outer, label %exit
exit:
  ret void
}`);
  const { loops, innermost, reducible } = findLoops(new DominatorTree(predecessors(body)));
  assert.ok(reducible);
  assert.deepEqual(
    loops.map(({ header, parent, depth, blocks }) => ({ header, parent, depth, blocks })),
    [
      { header: 1, parent: -1, depth: 1, blocks: [1, 2, 3] },
      { header: 2, parent: 0, depth: 2, blocks: [2] },
    ],
  );
  assert.deepEqual([...innermost], [-1, 0, 1, 0, -1]);
});

test("loops: a jump into a loop's middle makes the function irreducible", () => {
  const { body } = functionOf(`
define void @f(i1 %a) {
entry:
  br i1 %a, label %one, label %two
one:
  br label %two
two:
  br i1 %a, label %one, label %exit
exit:
  ret void
}`);
  assert.equal(findLoops(new DominatorTree(predecessors(body))).reducible, false);
});
