import assert from "node:assert/strict";
import { test } from "node:test";
import { AllocaUses } from "../analysis/alloca-uses.js";
import { numberInstructions, predecessors } from "../analysis/cfg.js";
import { DominatorTree } from "../analysis/dominators.js";
import { DataLayout } from "../data-layout.js";
import type { Body } from "../values.js";
import { assertPass, functionOf, textOf } from "./body-fixture.js";
import { removeDeadCode } from "./dead-code.js";
import { splitCopies } from "./split-copies.js";
import { promoteFrom } from "./sroa.js";

const layout = new DataLayout();
function promote(body: Body): void {
  promoteFrom(new AllocaUses(body, layout, numberInstructions(body)), new DominatorTree(predecessors(body)));
  removeDeadCode(body);
}
function splitAndPromote(checks: boolean): (body: Body) => void {
  return (body) => {
    splitCopies(new AllocaUses(body, layout, numberInstructions(body)), checks);
    promote(body);
  };
}
function allocas(body: Body): number {
  return body.blocks[0].instructions.filter((i) => i.op === "alloca").length;
}

test("sroa: a variable becomes values and phis only where it is live", () => {
  assertPass(
    `define i32 @f(i1 %c, i32 %x) {
entry:
  %v = alloca i32
  %t = alloca i32
  store i32 %x, ptr %v
  br i1 %c, label %then, label %end
then:
  store i32 1, ptr %t
  %a = load i32, ptr %t
  store i32 %a, ptr %v
  br label %end
end:
  %r = load i32, ptr %v
  ret i32 %r
}`,
    promote,
    `entry:
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %0 = phi i32 [ %x, %entry ], [ 1, %then ]
  ret i32 %0`,
  );
});

test("sroa: a variable that a loop changes becomes a phi of the loop's header", () => {
  assertPass(
    `define i32 @f(i32 %n) {
entry:
  %i = alloca i32
  store i32 0, ptr %i
  br label %head
head:
  %a = load i32, ptr %i
  %c = icmp slt i32 %a, %n
  br i1 %c, label %body, label %exit
body:
  %b = add i32 %a, 1
  store i32 %b, ptr %i
  br label %head
exit:
  %r = load i32, ptr %i
  ret i32 %r
}`,
    promote,
    `entry:
  br label %head
head:
  %0 = phi i32 [ 0, %entry ], [ %2, %body ]
  %1 = icmp slt i32 %0, %n
  br i1 %1, label %body, label %exit
body:
  %2 = add i32 %0, 1
  br label %head
exit:
  ret i32 %0`,
  );
});

test("sroa: a load before any store gives undef", () => {
  assertPass(
    "define i32 @f() {\nentry:\n  %v = alloca i32\n  %r = load i32, ptr %v\n  ret i32 %r\n}",
    promote,
    "entry:\n  ret i32 undef",
  );
});

test("sroa: fields of a structure become values of their own, and what overlaps becomes one integer", () => {
  assertPass(
    `%s = type { i32, i32, double }
define i64 @f(i32 %x, i32 %y, double %d) {
entry:
  %s = alloca %s
  %b = getelementptr %s, ptr %s, i32 0, i32 1
  %c = getelementptr %s, ptr %s, i32 0, i32 2
  store i32 %x, ptr %s
  store i32 %y, ptr %b
  store double %d, ptr %c
  %low = load i64, ptr %s
  %high = load i64, ptr %c
  %r = add i64 %low, %high
  ret i64 %r
}`,
    promote,
    `entry:
  %0 = zext i32 %x to i64
  %1 = zext i32 %y to i64
  %2 = shl i64 %1, 32
  %3 = and i64 %0, 4294967295
  %4 = or i64 %3, %2
  %5 = bitcast double %d to i64
  %6 = add i64 %4, %5
  ret i64 %6`,
  );
});

test("sroa: what keeps a variable in memory", () => {
  const reasons: Record<string, string> = {
    "its address is passed on": "call void @use(ptr %v)",
    "its address is stored": "store ptr %v, ptr %p",
    "an access is volatile": "%x = load volatile i32, ptr %v",
    "the index is not constant": "%q = getelementptr i32, ptr %v, i64 %n\n  store i32 0, ptr %q",
    "an access is out of its bounds": "%q = getelementptr i32, ptr %v, i64 4\n  store i32 0, ptr %q",
    "an access is before it": "%q = getelementptr i8, ptr %v, i64 -1\n  store i8 0, ptr %q",
    "its address is compared": "%x = icmp eq ptr %v, %p",
    "the function may return twice": "%x = call i32 @setjmp(ptr %p)",
  };
  for (const [reason, instruction] of Object.entries(reasons)) {
    const { body } = functionOf(`
declare void @use(ptr)
declare i32 @setjmp(ptr) returns_twice
define i32 @f(ptr %p, i64 %n) {
entry:
  %v = alloca [4 x i32]
  store i32 7, ptr %v
  ${instruction}
  %r = load i32, ptr %v
  ret i32 %r
}`);
    promote(body);
    assert.equal(allocas(body), 1, reason);
    assert.match(textOf(body), /store i32 7/, reason);
  }
});

test("sroa: an address that goes round a loop keeps its variable in memory", () => {
  const { body } = functionOf(`
define i32 @f(i1 %c, ptr %p) {
entry:
  %v = alloca [2 x i32]
  %w = getelementptr i32, ptr %v, i64 1
  store i32 1, ptr %w
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %r, %loop ]
  store i32 2, ptr %q
  %r = getelementptr i32, ptr %v, i64 1
  br i1 %c, label %loop, label %exit
exit:
  %x = load i32, ptr %w
  ret i32 %x
}`);
  promote(body);
  assert.match(textOf(body), /ret i32 %\d+/);
  assert.equal(allocas(body), 1);
});

test("sroa: a variable used after its scope's end stays in memory, so that the use can be found", () => {
  const text = (order: string): string => `
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
define i32 @f(i1 %c) {
entry:
  %v = alloca i32
  br label %head
head:
  ${order}
  br i1 %c, label %head, label %exit
exit:
  ret i32 %x
}`;
  const start = "call void @llvm.lifetime.start.p0(i64 4, ptr %v)";
  const use = "store i32 1, ptr %v\n  %x = load i32, ptr %v";
  const end = "call void @llvm.lifetime.end.p0(i64 4, ptr %v)";
  const good = functionOf(text(`${start}\n${use}\n${end}`)).body;
  promote(good);
  assert.equal(allocas(good), 0);
  const bad = functionOf(text(`${start}\n${end}\n${use}`)).body;
  promote(bad);
  assert.equal(allocas(bad), 1);
  // Without a new start, the next iteration uses what the last one ended.
  const again = functionOf(text(`${use}\n${end}`)).body;
  promote(again);
  assert.equal(allocas(again), 1);
});

test("split copies: a structure copied from memory is checked whole and loaded in parts", () => {
  assertPass(
    `%s = type { i32, i32, i64 }
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define i32 @f(ptr %p) {
entry:
  %s = alloca %s
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %s, ptr align 8 %p, i64 16, i1 false)
  %b = getelementptr %s, ptr %s, i32 0, i32 1
  %r = load i32, ptr %b
  ret i32 %r
}`,
    splitAndPromote(true),
    `entry:
  check read ptr %p, 16, align 8
  %0 = getelementptr inbounds i8, ptr %p, i64 4
  %1 = load i32, ptr %0, align 1 ; unchecked
  ret i32 %1`,
  );
});

test("split copies: a structure copied to memory takes all its bytes along, also those nobody names", () => {
  assertPass(
    `%s = type { i32, i32, i64 }
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p, ptr %q) {
entry:
  %s = alloca %s
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %p, i64 16, i1 false)
  store i32 7, ptr %s
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %s, i64 16, i1 false)
  ret void
}`,
    splitAndPromote(false),
    `entry:
  %0 = getelementptr inbounds i8, ptr %p, i64 4
  %1 = load i32, ptr %0, align 1 ; unchecked
  %2 = getelementptr inbounds i8, ptr %p, i64 8
  %3 = load i64, ptr %2, align 1 ; unchecked
  store i32 7, ptr %q, align 1 ; unchecked
  %4 = getelementptr inbounds i8, ptr %q, i64 4
  store i32 %1, ptr %4, align 1 ; unchecked
  %5 = getelementptr inbounds i8, ptr %q, i64 8
  store i64 %3, ptr %5, align 1 ; unchecked
  ret void`,
  );
});

test("split copies: copies between variables, memset and aggregate accesses leave no memory", () => {
  assertPass(
    `%s = type { i64, i64 }
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define { i64, i64 } @f(i64 %x) {
entry:
  %a = alloca %s
  %b = alloca %s
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 16, i1 false)
  %q = getelementptr %s, ptr %a, i32 0, i32 1
  store i64 %x, ptr %q
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 16, i1 false)
  %r = load { i64, i64 }, ptr %b
  ret { i64, i64 } %r
}`,
    splitAndPromote(true),
    `entry:
  %0 = insertvalue { i64, i64 } undef, i64 72340172838076673, 0
  %1 = insertvalue { i64, i64 } %0, i64 %x, 1
  ret { i64, i64 } %1`,
  );
});

test("split copies: a copy of a size that is not constant, or of part of a field, stays a call", () => {
  for (const size of ["i64 %n", "i64 2"]) {
    const { body } = functionOf(`
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define i32 @f(ptr %p, i64 %n) {
entry:
  %s = alloca i32
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %p, ${size}, i1 false)
  %r = load i32, ptr %s
  ret i32 %r
}`);
    splitAndPromote(true)(body);
    assert.match(textOf(body), /call void @llvm.memcpy/);
    assert.equal(allocas(body), 1);
  }
});
