// What is joined and what is not, and that what is joined computes the same and notes the same blocks.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { verify } from "../ir/analysis/verify.js";
import { linkProgram } from "../ir/link.js";
import { functionOf, moduleOf } from "../ir/passes/body-fixture.js";
import { Interpreter } from "../ir/passes/interpret-fixture.js";
import { randomModule, randomNumbers } from "../ir/passes/random-fixture.js";
import { splitEdges } from "../ir/passes/split-edges.js";
import { Optimizer } from "../ir/pipeline.js";
import type { Block, Body } from "../ir/values.js";
import { joinBranches } from "./join-branches.js";

function count(body: Body, op: string): number {
  return body.blocks.reduce((n, block) => n + block.instructions.filter((i) => i.op === op).length, 0);
}
/** How many branches are left. */
function branchesLeft(text: string): number {
  const { body } = functionOf(text);
  joinBranches(body, null);
  assert.deepEqual(verify(body), []);
  return count(body, "condbr");
}

const CHECKSUM = `
define i32 @f(i32 %start) {
entry:
  br label %loop
loop:
  %crc = phi i32 [ %start, %entry ], [ %next, %join ]
  %k = phi i32 [ 0, %entry ], [ %k1, %join ]
  %low = and i32 %crc, 1
  %odd = icmp ne i32 %low, 0
  %half = lshr i32 %crc, 1
  br i1 %odd, label %yes, label %join
yes:
  %mixed = xor i32 %half, -306674912
  br label %join
join:
  %next = phi i32 [ %mixed, %yes ], [ %half, %loop ]
  %k1 = add i32 %k, 1
  %more = icmp slt i32 %k1, 32
  br i1 %more, label %loop, label %end
end:
  %hit = icmp eq i32 %next, 7
  br i1 %hit, label %bad, label %good
bad:
  ret i32 1
good:
  ret i32 0
}`;

/** A choice of %c ? %a : %b, used by what is put in. */
const choice = (use: string, result = "i32 0", sides = "[ %a, %then ], [ %b, %entry ]"): string => `
declare void @g(i32)
define i32 @f(i1 %c, i32 %a, i32 %b, ptr %p) {
entry:
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %v = phi i32 ${sides}
  ${use}
  ret ${result}
}`;

describe("joining branches", () => {
  it("a checksum's loop keeps only its own end and the question after it", () => {
    assert.equal(branchesLeft(CHECKSUM), 2);
  });

  it("`a && b || c` is a region with ways that branch again", () => {
    const left = branchesLeft(`
define i1 @f(i32 %x, i1 %c) {
entry:
  %a = icmp sgt i32 %x, 47
  br i1 %a, label %second, label %third
second:
  %b = icmp slt i32 %x, 58
  br i1 %b, label %end, label %third
third:
  br label %end
end:
  %r = phi i1 [ true, %second ], [ %c, %third ]
  ret i1 %r
}`);
    assert.equal(left, 0);
  });

  it("data is joined: returned, computed with, kept in memory", () => {
    assert.equal(branchesLeft(choice("", "i32 %v")), 0);
    assert.equal(branchesLeft(choice("%w = mul i32 %v, 3", "i32 %w")), 0);
    assert.equal(branchesLeft(choice("store i32 %v, ptr %p")), 0);
  });

  it("what becomes an address, an argument or a divisor, or a state in memory, is not", () => {
    assert.equal(branchesLeft(choice("%q = getelementptr i8, ptr %p, i32 %v\n%l = load i8, ptr %q")), 1);
    assert.equal(branchesLeft(choice("call void @g(i32 %v)")), 1);
    assert.equal(branchesLeft(choice("%w = udiv i32 7, %v", "i32 %w")), 1);
    assert.equal(branchesLeft(choice("store i32 %v, ptr %p", "i32 0", "[ 1, %then ], [ 2, %entry ]")), 1);
  });

  it("nor is what a branch that stays asks about", () => {
    const asked = choice(
      "%h = icmp eq i32 %v, 3\nbr i1 %h, label %yes, label %no\nyes:\ncall void @g(i32 1)\nbr label %no\nno:",
    );
    assert.equal(branchesLeft(asked), 2);
  });

  it("an access stays behind its branch, unless the same was read just before it", () => {
    const reading = (before: string): string => `
define i8 @f(ptr %p, i8 %most) {
entry:
  ${before}
  %bigger = icmp sgt i8 %most, 5
  br i1 %bigger, label %then, label %end
then:
  %x = load i8, ptr %p
  br label %end
end:
  %v = phi i8 [ %x, %then ], [ %most, %entry ]
  ret i8 %v
}`;
    assert.equal(branchesLeft(reading("")), 1);
    assert.equal(branchesLeft(reading("%first = load i8, ptr %p")), 0);
    assert.equal(branchesLeft(reading("%first = load i8, ptr %p\nstore i8 0, ptr %p")), 1);
  });

  it("random programs compute the same, and note the blocks that they would have entered", () => {
    let joined = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const module = moduleOf(randomModule(seed));
      const program = linkProgram([module], { libc: () => null, roots: ["f"], layout: module.layout });
      const options = {
        inline: true,
        optimize: true,
        selects: false,
        checks: false,
        shadows: false,
        definedness: false,
        fields: false,
      };
      const bodies = (): Map<unknown, Body> => {
        const optimizer = new Optimizer(program, options, module.layout, () => null);
        return new Map(optimizer.order.map((fn) => [fn, optimizer.body(fn)]));
      };
      const fn = module.globals.get("f");
      assert.ok(fn?.kind === "function");
      const [plain, changed] = [bodies(), bodies()];
      const numberOf = new Map<string, number>();
      const numbers = (all: Map<unknown, Body>): Map<Block, number> => {
        const result = new Map<Block, number>();
        for (const [of, body] of all) {
          splitEdges(body);
          for (const block of body.blocks) {
            const key = `${(of as { name: string }).name}:${block.index}`;
            const number = numberOf.get(key) ?? numberOf.size;
            numberOf.set(key, number);
            result.set(block, number);
          }
        }
        return result;
      };
      const plainNumbers = numbers(plain);
      const changedNumbers = numbers(changed);
      for (const body of changed.values()) {
        const before = count(body, "condbr");
        joinBranches(body, changedNumbers);
        joined += before - count(body, "condbr");
        assert.deepEqual(verify(body), [], `seed ${seed}`);
      }
      const random = randomNumbers(seed);
      for (let round = 0; round < 4; round++) {
        const args = [BigInt(random(1 << 16)) * BigInt(random(1 << 16)), BigInt(random(20))];
        const first = new Interpreter((of) => plain.get(of) ?? null);
        const second = new Interpreter((of) => changed.get(of) ?? null);
        assert.equal(second.call(fn, args), first.call(fn, args), `seed ${seed}, @f(${args})`);
        const reached = (run: Interpreter, all: Map<Block, number>): number[] =>
          [...run.noted, ...[...run.entered].map((block) => all.get(block) ?? -1)].sort((a, b) => a - b);
        assert.deepEqual(reached(second, changedNumbers), reached(first, plainNumbers), `seed ${seed}, @f(${args})`);
      }
    }
    assert.ok(joined > 50, `only ${joined} branches were joined`);
  });
});
