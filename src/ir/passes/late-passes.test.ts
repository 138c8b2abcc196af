// The passes that exist because V8 does less for WebAssembly than clang does: threading, choices, addresses, hoisting.

import assert from "node:assert/strict";
import { test } from "node:test";
import { orderBlocks } from "../analysis/cfg.js";
import { verify } from "../analysis/verify.js";
import type { Body } from "../values.js";
import { functionOf, textOf } from "./body-fixture.js";
import { expandAddresses } from "./expand-gep.js";
import { hoistInvariants } from "./hoist.js";
import { convertChoices } from "./if-convert.js";
import { threadJumps } from "./jump-threading.js";

function bodyOf(text: string): Body {
  const { body } = functionOf(text);
  orderBlocks(body);
  return body;
}
function count(body: Body, op: string): number {
  return body.blocks.reduce((n, block) => n + block.instructions.filter((i) => i.op === op).length, 0);
}

const AND = `
define i32 @f(ptr %p, i32 %k) {
entry:
  %n = icmp ne ptr %p, null
  br i1 %n, label %right, label %end
right:
  %v = load i32, ptr %p
  %e = icmp ne i32 %v, %k
  br label %end
end:
  %c = phi i1 [ false, %entry ], [ %e, %right ]
  br i1 %c, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0
}`;

test("threading: the constant arm of && jumps straight to its target", () => {
  const body = bodyOf(AND);
  assert.equal(threadJumps(body), 1);
  orderBlocks(body);
  assert.deepEqual(verify(body), []);
  assert.equal(body.blocks[0].terminator.blocks[1].name, "no");
  assert.equal(count(body, "condbr"), 2);
});

test("threading: a phi that is used elsewhere keeps its block on every path", () => {
  const body = bodyOf(AND.replace("ret i32 1", "%z = zext i1 %c to i32\n  ret i32 %z"));
  assert.equal(threadJumps(body), 0);
});

const CHOICE = `
define i32 @f(i32 %a, i32 %b, ptr %p) {
entry:
  %c = icmp slt i32 %a, %b
  br i1 %c, label %then, label %end
then:
  ARM
  br label %end
end:
  %r = phi i32 [ %b, %entry ], [ VALUE, %then ]
  ret i32 %r
}`;

test("choices: a small arm becomes a select", () => {
  const body = bodyOf(CHOICE.replace("ARM", "%s = add i32 %a, 1").replace("VALUE", "%s"));
  convertChoices(body);
  assert.deepEqual(verify(body), []);
  assert.equal(count(body, "select"), 1);
  assert.equal(count(body, "condbr"), 0);
});

test("choices: an arm that touches memory keeps its branch", () => {
  const body = bodyOf(CHOICE.replace("ARM", "%s = load i32, ptr %p").replace("VALUE", "%s"));
  convertChoices(body);
  assert.equal(count(body, "condbr"), 1);
  assert.equal(count(body, "select"), 0);
});

test("choices: an arm whose division may trap keeps its branch", () => {
  const body = bodyOf(CHOICE.replace("ARM", "%s = sdiv i32 %a, %b").replace("VALUE", "%s"));
  convertChoices(body);
  assert.equal(count(body, "condbr"), 1);
});

const MATRIX = `
@m = global [9 x [100 x i32]] zeroinitializer
define i32 @f(i64 %i, i64 %n) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %sum, %loop ]
  %p = getelementptr [9 x [100 x i32]], ptr @m, i64 0, i64 %i, i64 %j
  %v = load i32, ptr %p
  %sum = add i32 %s, %v
  %next = add i64 %j, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %sum
}`;

test("addresses: each index is a step, and hoisting takes the row out of the loop", () => {
  const { fn, body } = functionOf(MATRIX);
  orderBlocks(body);
  expandAddresses(body, fn.module.layout);
  assert.equal(count(body, "getelementptr"), 2);
  hoistInvariants(body);
  assert.deepEqual(verify(body), []);
  const entry = body.blocks[0].instructions.map((i) => i.op);
  assert.deepEqual(entry, ["getelementptr", "br"]);
  const loop = body.blocks[1].instructions.filter((i) => i.op === "getelementptr");
  assert.equal(loop.length, 1, textOf(body));
});

test("hoisting: loads, checks and what depends on them stay in the loop", () => {
  const body = bodyOf(`
define i32 @f(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %next, %loop ]
  check read ptr %p, 4, align 4
  %v = load i32, ptr %p
  %w = add i32 %v, 7
  %next = add i64 %j, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %w
}`);
  hoistInvariants(body);
  assert.equal(body.blocks[0].instructions.length, 1);
});
